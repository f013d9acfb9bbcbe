import type { Action, Grant } from "@askbox/core";
import { matchingGrant, type PrefixRisk, prefixRisk } from "@askbox/core/grants";
import { cut, grantDuration } from "@askbox/core/questions";
import { grantSchema, quote } from "@askbox/core/schemas";
import { roundedDuration } from "@askbox/inbox/text";
import { terminalLine } from "@askbox/terminal-text";
import * as z from "zod";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { requestDesk } from "../hub-command.ts";
import { writeJson } from "../json-output.ts";
import { peopleOnly } from "../people-only.ts";
import { usageError } from "../usage.ts";

interface AddOptions {
  client: string;
  project?: string;
  machine?: string;
  for?: string;
  yes?: boolean;
  json?: boolean;
}

export const command: DefineCommand = (run) =>
  commandWith("grants", "Manage what agents may do without asking", [
    ["askbox grants list", "all grants, and how long each lasts"],
    ["askbox grants add 'npm test'", "simple commands that begin with these words, in this project, for 8 hours"],
    ["askbox grants test 'npm run build'", "whether an agent may run it here without asking"],
    ["askbox grants revoke k3f9", "at once"],
  ])
    .addCommand(
      commandWith("list", "List grants", [
        ["askbox grants list npm", "those that contain this text"],
        ["askbox grants list --json", "as a JSON array"],
      ])
        .argument("[text]", "text to find in the command, project, client or machine")
        .option("--json", "print a JSON array")
        .action(run(list)),
    )
    .addCommand(
      commandWith("add", "Allow simple commands by their first words", [
        ["askbox grants add 'npm run' --for 7d", "in this project, for 7 days"],
        ["askbox grants add 'git status' --project ~/engine --client claude-code", "in another project"],
      ])
        .argument("<prefix>", "the first words; commands that chain, substitute or redirect never match")
        .option("--client <name>", "the client whose agents may run it", "claude-code")
        .option("--project <folder>", "the project's folder (default: this one)")
        .option("--machine <name>", "the machine that the folder is on (default: the hub's own)")
        .option("--for <time>", "how long it lasts, 1m to 30d (default: 8h)")
        .option("--yes", "even for a shell, an interpreter or a program that removes files")
        .option("--json", "print a JSON object")
        .action(run(add)),
    )
    .addCommand(
      commandWith("test", "Check whether a command may run without asking", [["askbox grants test 'npm run build'", "in this folder"]])
        .argument("<command>", "the command, as an agent would run it")
        .option("--client <name>", "the client whose agent runs it", "claude-code")
        .option("--project <folder>", "the project's folder (default: this one)")
        .option("--machine <name>", "the machine that the folder is on (default: the hub's own)")
        .action(run(test)),
    )
    .addCommand(
      commandWith("revoke", "Revoke a grant, effective immediately", [["askbox grants revoke k3f9", "by the first characters of its id"]])
        .argument("<id>", "its id, or a unique prefix of at least 4 characters")
        .action(run(revoke)),
    );

async function list(context: CommandContext, text: string | undefined, { json }: { json?: boolean }): Promise<ExitCode> {
  const { stdout } = context.io;
  const wanted = text?.toLowerCase() ?? "";
  const grants = (await readGrants(context)).filter(({ shown, project, client, machine = "" }) =>
    [shown, project, client, machine].some((part) => part.toLowerCase().includes(wanted)),
  );
  if (json) await writeJson(stdout, grants);
  else if (grants.length === 0) await stdout.write("There are no grants: agents ask every time.\n");
  else await stdout.write(grants.map((grant) => lineOf(grant, context.now())).join(""));
  return exitCodes.done;
}

async function add(context: CommandContext, prefix: string, options: AddOptions): Promise<ExitCode> {
  const { client, machine, for: time, yes, json } = options;
  const risky = prefixRisk(prefix);
  const warning =
    risky && `${quote(risky.program)} ${risks[risky.risk]}, and the grant is for any command that begins with ${quote(prefix)}.`;
  if (warning !== undefined && yes !== true) throw usageError(`${warning} Use more words, or add --yes if you mean all of them.`);
  const duration = time === undefined ? undefined : grantDuration(time);
  if (time !== undefined && duration === undefined) throw usageError("--for takes a time from 1m to 30d, such as 30m, 8h or 7d.");
  const wish = { prefix, client, project: await folder(options), machine, duration };
  const made = grantSchema.parse(await ask(context, "POST", "", wish));
  if (warning !== undefined) await context.io.stderr.write(`Careful: ${warning}\n`);
  if (json) await writeJson(context.io.stdout, made);
  else await context.io.stdout.write(`Granted: ${lineOf(made, context.now())}`);
  return exitCodes.done;
}

const risks: Readonly<Record<PrefixRisk, string>> = {
  "runs-code": "runs any code that it is given",
  "runs-programs": "can run any other program",
  removes: "destroys files",
};

async function test(context: CommandContext, line: string, options: Pick<AddOptions, "client" | "project" | "machine">): Promise<ExitCode> {
  const { client, machine } = options;
  const cwd = await folder(options);
  const grants = await readGrants(context);
  const action: Action = { kind: "command", command: line, cwd };
  const now = context.now();
  // Who asks there is not known here: only the machine's name.
  const there = grants.flatMap((grant) => (grant.machine === machine ? [{ ...grant, owner: machine }] : []));
  const asker = { client: { name: client }, project: cwd, machine };
  const prefix = matchingGrant(there, { asker, owner: machine, action, digest: "" }, now);
  const isSame = (grant: Grant) =>
    grant.match.type === "exact" &&
    grant.client === client &&
    grant.project === cwd &&
    grant.machine === machine &&
    grant.shown === line &&
    now < grant.expiresAt;
  const exact = grants.find((grant) => isSame(grant) && (grant.cwd ?? cwd) === cwd);
  const found = prefix ?? exact;
  const { stdout } = context.io;
  if (found === undefined) {
    await stdout.write("A person will be asked: no grant matches this command.\n");
    return exitCodes.failed;
  }
  const only =
    found.match.type === "exact"
      ? `, with exactly the tool and arguments that were approved${found.scope === "session" ? ", in that conversation" : ""}`
      : "";
  await stdout.write(`It may run without asking${only}, by this grant: ${lineOf(found, now)}`);
  return exitCodes.done;
}

async function revoke(context: CommandContext, id: string): Promise<ExitCode> {
  const found = (await readGrants(context)).filter((grant) => grant.id === id || (id.length >= 4 && grant.id.startsWith(id)));
  const [grant, another] = found;
  if (grant === undefined) throw usageError(`There is no grant ${quote(id)}; \`askbox grants list\` lists the existing ones.`);
  if (another !== undefined) throw usageError(`Several grants begin with ${quote(id)}; use more characters of the id.`);
  await ask(context, "DELETE", `/${encodeURIComponent(grant.id)}`);
  await context.io.stdout.write(`Revoked ${terminalLine(grant.id)}: ${cut(terminalLine(whatIn(grant)), 200, "")}\n`);
  return exitCodes.done;
}

const readGrants = async (context: CommandContext): Promise<Grant[]> =>
  z.object({ items: z.array(grantSchema) }).parse(await ask(context, "GET", "")).items;

/** Asks the hub as a person: agents can neither list nor create grants. */
async function ask(context: CommandContext, method: "GET" | "POST" | "DELETE", path: string, body?: unknown): Promise<unknown> {
  await peopleOnly(context, "see or add grants for their");
  return requestDesk(context, method, `/api/grants${path}`, body);
}

async function folder({ project, machine }: Pick<AddOptions, "project" | "machine">): Promise<string> {
  // Another machine's folders can't be looked up here.
  if (machine !== undefined && project === undefined) throw usageError("--machine needs --project, the folder's whole path there.");
  if (machine !== undefined) return project ?? "";
  const { projectFolder } = await import("@askbox/home/environment");
  return projectFolder(project ?? ".");
}

/** What a grant allows. */
const whatIn = ({ match, shown }: Grant) => (match.type === "prefix" ? `any command that begins with ${match.prefix}` : shown);

function lineOf(grant: Grant, now: number): string {
  const { id, client, project, machine, scope, expiresAt } = grant;
  const place = `${terminalLine(project)}${machine === undefined ? "" : ` on ${terminalLine(machine)}`}`;
  const left = expiresAt > now ? `${roundedDuration(expiresAt - now)} left` : "over";
  return `${terminalLine(id)}  ${terminalLine(whatIn(grant))}  (${terminalLine(client)}, ${scope === "session" ? "one conversation in " : ""}${place}, ${left})\n`;
}
