import { quote } from "@askbox/core/schemas";
import { ago } from "@askbox/inbox/text";
import { terminalLine } from "@askbox/terminal-text";
import * as z from "zod";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { requestDesk } from "../hub-command.ts";
import { writeJson } from "../json-output.ts";
import { peopleOnly } from "../people-only.ts";
import { aligned } from "../text/layout.ts";
import { usageError } from "../usage.ts";

export const command: DefineCommand = (run) =>
  commandWith("machines", "See which machines may ask here, and end that", [
    ["askbox machines", "all of them, and when each was last heard"],
    ["askbox machines rename build-7 builder", "what it asks from now on has the new name"],
    ["askbox machines revoke build-7", "at once: its open questions are withdrawn, and it can't ask again"],
  ])
    .option("--json", "print a JSON array")
    .action(run(list))
    .addCommand(
      commandWith("rename", "Give a machine another name", [
        ["askbox machines rename build-7 builder", "its questions so far keep the old one"],
      ])
        .argument("<machine>", "its name")
        .argument("<name>", "letters, digits, dots, dashes, underscores and @; at most 60")
        .action(run(rename)),
    )
    .addCommand(
      commandWith("revoke", "End a machine's access at once", [["askbox machines revoke build-7", "`askbox invite` lets it in again"]])
        .argument("<machine>", "its name")
        .action(run(revoke)),
    );

const machineSchema = z.object({
  id: z.string(),
  name: z.string(),
  scope: z.string(),
  machine: z.literal(true).optional(),
  createdAt: z.number(),
  lastUsedAt: z.number().nullable(),
  expired: z.boolean(),
});

async function list(context: CommandContext, { json }: { json?: boolean }): Promise<ExitCode> {
  const machines = await readMachines(context);
  const { stdout } = context.io;
  if (json) await writeJson(stdout, machines);
  else if (machines.length === 0) await stdout.write("No other machine may ask here; `askbox invite` lets one in.\n");
  else {
    const now = context.now();
    const rows = machines.map(({ name, scope, lastUsedAt, expired }) => [
      terminalLine(name),
      scope === "desk" ? "answers" : "asks",
      expired
        ? "expired"
        : lastUsedAt === null
          ? "not heard yet"
          : now - lastUsedAt < 180_000
            ? "heard just now"
            : `heard ${ago(lastUsedAt, now)}`,
    ]);
    await stdout.write(`${aligned(rows).join("\n")}\n`);
  }
  return exitCodes.done;
}

async function rename(context: CommandContext, machine: string, name: string): Promise<ExitCode> {
  const { id } = await find(context, machine);
  const renamed = machineSchema.parse(await ask(context, "PATCH", `/api/tokens/${id}`, { name }));
  await context.io.stdout.write(`${terminalLine(machine)} is ${terminalLine(renamed.name)} from now on.\n`);
  return exitCodes.done;
}

async function revoke(context: CommandContext, machine: string): Promise<ExitCode> {
  const { id } = await find(context, machine);
  await ask(context, "DELETE", `/api/tokens/${id}`);
  await context.io.stdout.write(`${terminalLine(machine)} can't ask here any more.\n`);
  return exitCodes.done;
}

async function find(context: CommandContext, name: string): Promise<z.output<typeof machineSchema>> {
  const found = (await readMachines(context)).find((machine) => machine.name === name);
  if (found === undefined) throw usageError(`There is no machine ${quote(name)}; \`askbox machines\` lists them.`);
  return found;
}

/** The machines that may ask here, or answer. */
export async function readMachines(context: CommandContext): Promise<z.output<typeof machineSchema>[]> {
  const { items } = z.object({ items: z.array(machineSchema) }).parse(await ask(context, "GET", "/api/tokens"));
  return items.filter(({ machine }) => machine === true);
}

async function ask(context: CommandContext, method: "GET" | "PATCH" | "DELETE", path: string, body?: unknown): Promise<unknown> {
  await peopleOnly(context, "choose which machines ask");
  return requestDesk(context, method, path, body);
}
