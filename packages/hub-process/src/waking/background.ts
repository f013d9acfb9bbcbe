// What runs without a terminal: a client that resumes a conversation which has gone. It is detached, so that it outlives the hub, and prints into a
// file, whose end the agents' page shows. Every hub bounds the size and the number of all of them, also of those that an earlier one has left, for
// as long as something may still be printed.

import { spawn } from "node:child_process";
import {
  appendFileSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
} from "node:fs";
import { join } from "node:path";
import type { ResumeCommand } from "@askbox/clients/wake";
import type { Clock, Log } from "@askbox/core";
import { cut } from "@askbox/core/questions";

/** Bytes of one run's output; with more, only its end is left. */
const maxBytes = 1_048_576;
/** How often the sizes are looked at, in ms, and for how long after the last output. */
const [lookEvery, lookedFor] = [5_000, 86_400_000];
/** Milliseconds that an output is kept, and how many are. */
const [keptFor, maxKept] = [7 * 86_400_000, 100];
/** Bytes of an output that are shown, and kept when it is cut. */
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
  clock: Pick<Clock, "now" | "setTimer">;
}

export class BackgroundRuns {
  readonly #options: BackgroundOptions;
  /** The outputs of what this hub has started. */
  readonly #own = new Set<string>();
  #cancel = () => {};

  constructor(options: BackgroundOptions) {
    this.#options = options;
    this.#look();
  }

  /** Resolves when it has ended: undefined if it succeeded, else why not. Rejects if it can't be started. */
  async run({ argv, input }: ResumeCommand, { name, cwd }: { name: string; cwd: string | undefined }): Promise<string | undefined> {
    const { folder, env, log } = this.#options;
    const [program, ...args] = argv;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `${name}.log`);
    const { O_CREAT, O_WRONLY, O_APPEND, O_TRUNC } = constants;
    // Whoever prints after it was cut continues at its new end.
    const file = openSync(path, O_CREAT | O_WRONLY | O_APPEND | O_TRUNC, 0o600);
    this.#own.add(path);
    try {
      const child = spawn(program, args, { cwd, env: { ...env }, detached: true, windowsHide: true, stdio: ["pipe", file, file] });
      child.unref();
      log("info", "An agent whose conversation had gone is resumed", { sessionId: name, program, output: path });
      this.#look();
      const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
      child.on("error", (error) => reject(new Error(`${program} could not be started: ${error.message}.`)));
      child.on("exit", (code, signal) => resolve(code === 0 ? undefined : `${program} ended with ${signal ?? code}${lastLine(path)}`));
      child.stdin?.on("error", () => {});
      child.stdin?.end(input ?? "");
      return await promise;
    } finally {
      closeSync(file);
      this.#own.delete(path);
    }
  }

  /** The end of what a run printed; undefined if there was none. */
  output(name: string): string | undefined {
    return endOf(join(this.#options.folder, `${name}.log`));
  }

  /** Removes the outputs that are too old or too many, cuts those that are too large, and looks again while one may still be written. */
  #look(): void {
    const { folder, clock } = this.#options;
    this.#cancel();
    const kept = outputsIn(folder).sort((one, other) => other.at - one.at);
    for (const [index, { path, at, size }] of kept.entries()) {
      const isOver = index >= maxKept || clock.now() - at > keptFor;
      if (isOver && !this.#own.has(path)) rmSync(path, { force: true });
      else if (size > maxBytes) cutOutput(path);
    }
    const isWritten = this.#own.size > 0 || kept.some(({ at }) => clock.now() - at < lookedFor);
    if (isWritten) this.#cancel = clock.setTimer(lookEvery, () => this.#look());
  }
}

function outputsIn(folder: string): { path: string; at: number; size: number }[] {
  try {
    return readdirSync(folder).flatMap((name) => {
      const path = join(folder, name);
      const file = statSync(path, { throwIfNoEntry: false });
      return file?.isFile() ? [{ path, at: file.mtimeMs, size: file.size }] : [];
    });
  } catch {
    // Nothing was ever resumed.
    return [];
  }
}

/** Leaves only the end. Something may be lost that is printed at that moment. */
function cutOutput(path: string): void {
  try {
    const end = endOf(path);
    truncateSync(path);
    appendFileSync(path, end ?? "");
  } catch {
    // It is looked at again.
  }
}

/** Only that much of it is read. */
function endOf(path: string): string | undefined {
  try {
    const file = openSync(path, "r");
    try {
      const from = Math.max(0, fstatSync(file).size - maxShown);
      const buffer = Buffer.alloc(maxShown);
      const text = buffer.toString("utf8", 0, readSync(file, buffer, 0, maxShown, from)).trim();
      return text === "" ? undefined : text;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

function lastLine(path: string): string {
  const line = endOf(path)?.split("\n").at(-1)?.trim() ?? "";
  return line === "" ? "." : `: ${cut(line, 300)}`;
}
