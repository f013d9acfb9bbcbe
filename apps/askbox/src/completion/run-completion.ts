import { terminalLine } from "@askbox/terminal-text";
import { allSessions } from "../commands/list.ts";
import type { CommandContext, GlobalOptions } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import { complete } from "./complete.ts";

/**
 * Answers a shell's script: a line for each word, with a tab and what it is about; `:files` where a file's name belongs. `args` are `--` and the
 * words after the program's name, the last one being what is typed. It starts no hub and says nothing of what goes wrong.
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
    // A line that cannot be completed is typed on.
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
