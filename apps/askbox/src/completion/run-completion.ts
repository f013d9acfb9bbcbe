import { terminalLine } from "@askbox/terminal-text";
import type { CommandContext, GlobalOptions } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import { allSessions } from "../sessions-of.ts";
import { complete } from "./complete.ts";

/**
 * Prints completions for a shell: a line per word, with a tab and its description; `:files` if a file name is expected. `args` are `--` and the
 * words after the program's name, the last one being completed. It starts no hub and prints no errors.
 */
export async function runCompletion(
  args: readonly string[],
  io: Io,
  contextFor: (options: GlobalOptions) => CommandContext,
): Promise<number> {
  const words = args.slice(1);
  const context = contextFor(globalsIn(words));
  try {
    const pending = async () => allSessions(await context.desk({ start: false }), "pending").catch(() => []);
    const { candidates, files } = await complete(words, {
      pending,
      async agents() {
        const asking = (await pending()).flatMap(({ asker }) => asker.agentId ?? []);
        const registered = await context
          .agents({ start: false })
          .then((agents) => agents.list())
          .catch(() => []);
        return [...registered.map(({ id }) => id), ...asking];
      },
      settings: async () => (await import("@askbox/home")).configSettings(),
    });
    const lines = candidates.map(({ word, about }) => `${terminalLine(word)}\t${terminalLine(about)}\n`);
    await io.stdout.write([...lines, ...(files ? [":files\n"] : [])].join(""));
  } catch {
    // Without completions the user simply types on.
  } finally {
    await context.close();
  }
  return exitCodes.done;
}

function globalsIn(words: readonly string[]): GlobalOptions {
  const after = (name: string) => {
    const index = words.indexOf(name);
    return index < 0 ? words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1) : words[index + 1];
  };
  const [hub, tokenFile] = [after("--hub"), after("--token-file")];
  return { ...(hub && { hub }), ...(tokenFile && { tokenFile }) };
}
