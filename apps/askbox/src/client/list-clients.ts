import { resolve } from "node:path";
import { clientStatuses, editorAgents, systemOf } from "@askbox/clients";
import { terminalLine } from "@askbox/terminal-text";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { writeJson } from "../json-output.ts";
import { aligned } from "../text/layout.ts";
import { paintFor } from "../text/paint.ts";

/** A line per client: whether it is installed on this machine, and where askbox is set up in it. Then the agents that editors start through askbox. */
export async function listClients({ io }: CommandContext, flags: { project?: string; json?: boolean }): Promise<ExitCode> {
  const system = systemOf({ env: io.env, project: resolve(flags.project ?? ".") });
  const statuses = clientStatuses(system);
  if (flags.json) {
    await writeJson(io.stdout, statuses);
    return exitCodes.done;
  }
  const paint = paintFor(io.stdout);
  const rows = statuses.map(({ client, found, setUp }) => {
    const places = setUp.map(({ scope, file }) => `set up (${scope}: ${terminalLine(file)})`).join(", ");
    const state = places === "" ? (found ? "found, not set up" : "not found") : places;
    return [client, paint(places === "" ? "dim" : "green", state)];
  });
  const agents = editorAgents(system).map(({ editor, name, file }) => terminalLine(`${editor} starts ${name}, by ${file}.`));
  await io.stdout.write([...aligned(rows), ...agents, ""].join("\n"));
  return exitCodes.done;
}
