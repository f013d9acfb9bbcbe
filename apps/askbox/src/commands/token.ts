import { quote } from "@askbox/core/schemas";
import { ago, roundedDuration } from "@askbox/inbox/text";
import { terminalLine } from "@askbox/terminal-text";
import * as z from "zod";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { requestDesk } from "../hub-command.ts";
import { writeJson } from "../json-output.ts";
import { peopleOnly } from "../people-only.ts";
import { aligned, shorten } from "../text/layout.ts";
import { type Paint, paintFor } from "../text/paint.ts";
import { duration, oneOf, usageError } from "../usage.ts";

const scopes = ["asker", "desk", "metrics"] as const;
type Scope = (typeof scopes)[number];

const tokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  scope: z.string(),
  agentId: z.string().optional(),
  shared: z.literal(true).optional(),
  onBehalf: z.literal(true).optional(),
  createdAt: z.number(),
  expiresAt: z.number().nullable(),
  lastUsedAt: z.number().nullable(),
  expired: z.boolean(),
});

const readExpiry = duration("--expires", { words: "a duration of a minute or more, such as 30d or 12h", min: 60_000 });

export const command: DefineCommand = (run) =>
  commandWith("token", "Manage tokens for agents, people and monitoring", [
    ["askbox token create ci --scope asker --expires 30d", "for a remote agent; shown only once"],
    ["askbox token list", "all of them, and when each was last used"],
    ["askbox token revoke ci", "takes effect at once"],
  ])
    .usage("create <name> --scope <scope> | list | revoke <token>")
    .addCommand(
      commandWith("create", "Create a token and print it once", [
        ["askbox token create ci --scope asker", "can ask, and see its own questions"],
        ["askbox token create ci --scope asker --agent builder", "always asks as this agent"],
        ["askbox token create laptop --scope desk --expires 30d", "can see and answer everything"],
        ["askbox token create chat --scope desk --on-behalf", "a bot that answers for the people in a chat, under their names"],
        ["askbox token create prometheus --scope metrics", "can only read /metrics"],
      ])
        .argument("<name>", "letters, digits, dots, dashes, underscores and @; at most 60")
        .requiredOption("--scope <scope>", "asker, desk or metrics", oneOf<Scope>("--scope", scopes))
        .option("--expires <time>", "how long it is valid, such as 30d or 12h (default: until it is revoked)", readExpiry)
        .option("--agent <ID>", "the agent id for everything asked with it")
        .option("--shared", "its agents can get each other's answers by id")
        .option("--on-behalf", "it can name the person who gave an answer, as a bot does; for scope desk")
        .option("--json", "print a JSON object: token, id, name, scope, …")
        .action(run(create)),
    )
    .addCommand(
      commandWith("list", "List tokens, without their secrets", [
        ["askbox token list", "the newest first"],
        ["askbox token list --json | jq -r '.[] | select(.expired).id'", "ids of those that have expired"],
      ])
        .option("--json", "print a JSON array")
        .action(run(list)),
    )
    .addCommand(
      commandWith("revoke", "Revoke a token; everything that uses it ends at once", [["askbox token revoke ci", "by its name or id"]])
        .argument("<token>", "its name or id")
        .action(run(revoke)),
    );

interface CreateOptions {
  scope: Scope;
  expires?: number;
  agent?: string;
  shared?: boolean;
  onBehalf?: boolean;
  json?: boolean;
}

async function create(
  context: CommandContext,
  name: string,
  { scope, expires, agent, shared, onBehalf, json }: CreateOptions,
): Promise<ExitCode> {
  const answer = await ask(context, "POST", "/api/tokens", { name, scope, expiresIn: expires, agentId: agent, shared, onBehalf });
  const made = tokenSchema.extend({ token: z.string() }).parse(answer);
  const { stdout, stderr } = context.io;
  if (json) await writeJson(stdout, made);
  else {
    // Only the token goes to stdout, so that a script can capture it.
    await stdout.write(`${terminalLine(made.token)}\n`);
    await stderr.write(`This is the token ${made.name} (${made.scope}). Save it now; it is not shown again.\n`);
  }
  return exitCodes.done;
}

async function list(context: CommandContext, { json }: { json?: boolean }): Promise<ExitCode> {
  const { items } = z.object({ items: z.array(tokenSchema) }).parse(await ask(context, "GET", "/api/tokens"));
  const { stdout } = context.io;
  if (json) await writeJson(stdout, items);
  else if (items.length === 0) await stdout.write("There are no named tokens; `askbox token create` creates one.\n");
  else await stdout.write(tokenTable(items, { columns: stdout.tableColumns, now: context.now(), paint: paintFor(stdout) }));
  return exitCodes.done;
}

async function revoke(context: CommandContext, idOrName: string): Promise<ExitCode> {
  // Not turned into a path that might lead somewhere unexpected.
  if (!/^\w[\w.@-]*$/.test(idOrName)) throw usageError(`${quote(idOrName)} is not a token's name or id.`);
  const { name, scope } = tokenSchema.parse(await ask(context, "DELETE", `/api/tokens/${idOrName}`));
  await context.io.stdout.write(`Revoked the token ${terminalLine(name)} (${terminalLine(scope)}).\n`);
  return exitCodes.done;
}

/** Connects to the hub as a person, starting this home's own if necessary: an agent with a desk token could answer itself. */
async function ask(context: CommandContext, method: "GET" | "POST" | "DELETE", path: string, body?: unknown): Promise<unknown> {
  await peopleOnly(context, "create or revoke tokens that can answer");
  return requestDesk(context, method, path, body);
}

const titles = ["NAME", "SCOPE", "AGENT", "EXPIRES", "LAST USED", "ID"];

/** A named token as listed by the hub; times are wall time, ms since the epoch. */
interface ListedToken {
  id: string;
  name: string;
  scope: string;
  agentId?: string | undefined;
  expiresAt: number | null;
  lastUsedAt: number | null;
  expired: boolean;
}

/** Tokens as a table, cut to `columns`. */
function tokenTable(tokens: readonly ListedToken[], { columns, now, paint }: { columns: number; now: number; paint: Paint }): string {
  const rows = tokens.map((token) => [
    shorten(terminalLine(token.name), columns === Number.POSITIVE_INFINITY ? columns : 30),
    terminalLine(token.scope),
    shorten(terminalLine(token.agentId ?? "–"), columns === Number.POSITIVE_INFINITY ? columns : 20),
    token.expiresAt === null ? "never" : token.expired ? "expired" : `in ${roundedDuration(token.expiresAt - now)}`,
    token.lastUsedAt === null ? "never" : now - token.lastUsedAt < 1_200_000 ? "just now" : ago(token.lastUsedAt, now),
    terminalLine(token.id),
  ]);
  const [head = "", ...lines] = aligned([titles, ...rows]).map((line) => shorten(line, columns));
  return `${[paint("dim", head), ...lines].join("\n")}\n`;
}
