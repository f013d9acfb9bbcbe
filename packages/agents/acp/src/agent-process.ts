import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";

/** The agent's process: starts without askbox's token, gets our signals, and is ended when nothing more can be sent to it. */

/** Milliseconds until an agent whose input has ended is told to end, and until it is killed. Codex takes eight seconds. */
const endings = { terminate: 10_000, kill: 15_000 };
const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

export interface AgentProcess {
  input: Writable;
  output: Readable;
  /** Its exit code, or 128 and the number of the signal that ended it. Rejects if it can't be started. */
  ended: Promise<number>;
  /** Ends its input; then, if it still runs after 10 s, tells it to end, and kills it after 15 s. */
  leave(): void;
  kill(signal: NodeJS.Signals): void;
}

export interface StartOptions {
  command: readonly string[];
  env: NodeJS.ProcessEnv;
  /** Default: signals to this process go on to the agent. */
  passSignals?: boolean;
}

export function startAgent({ command: [program = "", ...args], env, passSignals = true }: StartOptions): AgentProcess {
  // Marks its shells as an agent's, so that they can't answer for a person. Some agents set a mark of their own.
  const { ASKBOX_TOKEN: _token, ...rest } = env;
  const isScript = process.platform === "win32" && !/\.exe$/i.test(program);
  const child: ChildProcess = spawn(program, args, {
    env: { AI_AGENT: "acp", ...rest },
    stdio: ["pipe", "pipe", "inherit"],
    shell: isScript,
    windowsHide: true,
  });
  const { promise: ended, resolve, reject } = Promise.withResolvers<number>();
  child.once("error", reject);
  child.once("exit", (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error("The agent was started without pipes.");
  // Input that it no longer reads is lost, and its exit tells.
  stdin.on("error", () => {});
  const pass = (signal: NodeJS.Signals) => child.kill(signal);
  if (passSignals) for (const signal of signals) process.on(signal, pass);
  const timers: NodeJS.Timeout[] = [];
  let isOver = false;
  const done = () => {
    isOver = true;
    for (const signal of signals) process.off(signal, pass);
    for (const timer of timers) clearTimeout(timer);
  };
  ended.then(done, done);
  return {
    input: stdin,
    output: stdout,
    ended,
    leave() {
      stdin.end();
      if (isOver || timers.length > 0) return;
      timers.push(
        setTimeout(() => child.kill("SIGTERM"), endings.terminate),
        setTimeout(() => child.kill("SIGKILL"), endings.kill),
      );
    },
    kill: (signal) => void child.kill(signal),
  };
}
