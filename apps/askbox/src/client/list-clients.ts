import { resolve } from "node:path";
import { clientStatuses, systemOf } from "@askbox/clients";
import { terminalLine } from "@askbox/terminal-text";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { writeJson } from "../json-output.ts";
import { pad, widthOf } from "../text/layout.ts";
import { paintFor } from "../text/paint.ts";

/** A line per client: whether it is installed on this machine, and where askbox is set up in it. */
export async function listClients({ io }: CommandContext, flags: { project?: string; json?: boolean }): Promise<ExitCode> {
  const statuses = clientStatuses(systemOf({ env: io.env, project: resolve(flags.project ?? ".") }));
  if (flags.json) {
    await writeJson(io.stdout, statuses);
    return exitCodes.done;
  }
  const paint = paintFor(io.stdout);
  const width = Math.max(...statuses.map(({ client }) => widthOf(client)));
  for (const { client, found, setUp } of statuses) {
    const places = setUp.map(({ scope, file }) => `set up (${scope}: ${terminalLine(file)})`).join(", ");
    const state = places === "" ? (found ? "found, not set up" : "not found") : places;
    await io.stdout.write(`${pad(client, width)}  ${paint(places === "" ? "dim" : "green", state)}\n`);
  }
  return exitCodes.done;
}
