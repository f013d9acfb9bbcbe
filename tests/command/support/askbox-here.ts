import { hubContext } from "../../../apps/askbox/src/hub.ts";
import type { Io, Output } from "../../../apps/askbox/src/io.ts";
import { runProgram } from "../../../apps/askbox/src/program.ts";

export interface Here {
  /** The script by which the command starts itself as a process, a hub's or an agent's. */
  script: string;
  env: Record<string, string>;
  cwd: string;
  stdin: string;
}

/** Runs a command line in this process, with an environment, a folder and streams of its own. A hub that it starts is a process. */
export async function runHere(args: readonly string[], { script, env, cwd, stdin }: Here) {
  const written = { stdout: "", stderr: "" };
  const output = (name: "stdout" | "stderr"): Output => ({
    write: async (text) => {
      written[name] += text;
    },
    columns: 100,
    isTerminal: false,
    hasColors: false,
  });
  const io: Io = { stdin: { text: async () => stdin }, stdout: output("stdout"), stderr: output("stderr"), env };
  process.argv[1] = script;
  process.execArgv = [];
  const host: NodeJS.Process = Object.create(process, {
    env: { value: env },
    cwd: { value: () => cwd },
    stdin: { value: { isTTY: false } },
  });
  const code = await runProgram(args, io, (options) => hubContext(options, io, host));
  return { code, ...written };
}
