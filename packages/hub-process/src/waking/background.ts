// What runs without a terminal: a client that resumes a conversation which has gone. It is detached, so that it outlives the hub, and prints into a
// file of a bounded size, which the agents' page shows.

import { spawn } from "node:child_process";
import { closeSync, constants, fstatSync, ftruncateSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ResumeCommand } from "@askbox/clients/wake";
import type { Log } from "@askbox/core";
import { cut } from "@askbox/core/questions";

/** Bytes of one run's output; with more, it begins again. */
const maxBytes = 1_048_576;
/** How often its size is looked at, in ms. */
const lookEvery = 5_000;
/** Milliseconds that an output is kept, and how many are. */
const [keptFor, maxKept] = [7 * 86_400_000, 100];
/** Characters of an output that are shown. */
const maxShown = 4_000;

/** What only the conversation of an agent has in its environment: a client that finds it would take itself for a part of that. */
const ofConversation =
  /^(CLAUDECODE$|CLAUDE_CODE_(SESSION|ENTRYPOINT|SSE|CHILD)|CLAUDE_PID$|CODEX_(THREAD|SANDBOX)|OPENCODE_(SESSION|PID|CLIENT)|ASKBOX_(AGENT|TOKEN))/;

export const clientEnvironment = (env: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !ofConversation.test(name)));

export interface BackgroundOptions {
  folder: string;
  env: Readonly<Record<string, string | undefined>>;
  log: Log;
}

export class BackgroundRuns {
  readonly #options: BackgroundOptions;

  constructor(options: BackgroundOptions) {
    this.#options = options;
  }

  /** Resolves when it has ended: undefined if it succeeded, else why not. Rejects if it can't be started. */
  async run({ argv, input }: ResumeCommand, { name, cwd }: { name: string; cwd: string | undefined }): Promise<string | undefined> {
    const { folder, env, log } = this.#options;
    const [program, ...args] = argv;
    this.#makeRoom();
    const path = join(folder, `${name}.log`);
    const { O_CREAT, O_WRONLY, O_APPEND, O_TRUNC } = constants;
    // Whoever prints after it was cut continues at its new end.
    const file = openSync(path, O_CREAT | O_WRONLY | O_APPEND | O_TRUNC, 0o600);
    const child = spawn(program, args, { cwd, env: { ...env }, detached: true, windowsHide: true, stdio: ["pipe", file, file] });
    const watch = setInterval(() => {
      if (fstatSync(file).size > maxBytes) ftruncateSync(file, 0);
    }, lookEvery);
    watch.unref();
    child.unref();
    log("info", "An agent whose conversation had gone is resumed", { sessionId: name, program, output: path });
    try {
      const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
      child.on("error", (error) => reject(new Error(`${program} could not be started: ${error.message}.`)));
      child.on("exit", (code, signal) => resolve(code === 0 ? undefined : `${program} ended with ${signal ?? code}${lastLine(path)}`));
      child.stdin?.on("error", () => {});
      child.stdin?.end(input ?? "");
      return await promise;
    } finally {
      clearInterval(watch);
      closeSync(file);
    }
  }

  /** The end of what a run printed; undefined if there was none. */
  output(name: string): string | undefined {
    return endOf(join(this.#options.folder, `${name}.log`));
  }

  /** Removes the outputs that are too old or too many. */
  #makeRoom(): void {
    const { folder } = this.#options;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const kept = readdirSync(folder)
      .map((name) => ({ path: join(folder, name), at: statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
      .sort((one, other) => other.at - one.at);
    for (const { path, at } of kept.filter((_, index) => index >= maxKept - 1 || Date.now() - (kept[index]?.at ?? 0) > keptFor)) {
      if (at > 0) rmSync(path, { force: true });
    }
  }
}

function endOf(path: string): string | undefined {
  try {
    const text = readFileSync(path, "utf8").trim();
    return text === "" ? undefined : text.slice(-maxShown);
  } catch {
    return undefined;
  }
}

function lastLine(path: string): string {
  const line = endOf(path)?.split("\n").at(-1)?.trim() ?? "";
  return line === "" ? "." : `: ${cut(line, 300)}`;
}
