import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { usageError } from "../usage.ts";

export const command: DefineCommand = (run) =>
  commandWith("demo", "Try askbox: an agent asks, you answer", [
    ["askbox demo", "then answer by the link or the lines that it prints"],
    ["ASKBOX_TIMEOUT=60000 askbox demo", "with one minute to answer"],
  ]).action(run(demo));

async function demo(context: CommandContext): Promise<number> {
  if (context.globals.hub !== undefined) throw usageError("askbox demo runs its own hub; remove --hub.");
  const { runDemo } = await import("../demo/run-demo.ts");
  return runDemo(context.io, process);
}
