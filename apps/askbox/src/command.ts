import { Command } from "commander";
import type { CommandContext } from "./context.ts";
import type { ExitCode } from "./exit-codes.ts";

/** Passes an action its context and reports the exit code it resolves to. */
export type Run = <Args extends unknown[]>(
  action: (context: CommandContext, ...args: Args) => Promise<ExitCode | number>,
) => (...args: Args) => Promise<void>;

/** What each file in `commands/` exports as `command`. `next` is the word after the command's name. */
export type DefineCommand = (run: Run, next?: string) => Command;

/** A command whose help ends with examples, each a command line and its description: above it, unless all fit into 80 columns beside theirs. */
export function commandWith(name: string, summary: string, examples: readonly (readonly [line: string, does: string])[]): Command {
  const width = Math.max(...examples.map(([line]) => line.length));
  const isWide = examples.some(([, does]) => width + does.length > 76);
  const lines = examples.map(([line, does]) => (isWide ? `  # ${does}\n  ${line}` : `  ${line.padEnd(width)}  ${does}`));
  return new Command(name)
    .summary(summary)
    .description(`${summary}.`)
    .addHelpText("after", `\nExamples:\n${lines.join("\n")}`);
}
