import type { Log, SessionView } from "@askbox/core";
import type { Environment, Runner, Running, RunRequest } from "../run/runner.ts";

export interface AttentionSettings {
  /** Whether titles and questions may be shown where anybody can read them; default true. */
  showText?: boolean | undefined;
  /** The person's own command line, for `command`. */
  command?: string | undefined;
}

/** One way to call a person. Adding one takes a file here and a line in `index.ts`. */
export interface Mode {
  /** The way itself; absent where nobody is called. */
  open?(context: ChannelContext): Channel;
  /** What keeps it from working here, a sentence for each problem with how to fix it. */
  problems(options: ProblemsOptions): string[] | Promise<string[]>;
}

/** Where a mode is to work. */
export interface ProblemsOptions {
  settings: AttentionSettings;
  env: Environment;
  platform: NodeJS.Platform;
  /** Starts processes; real ones by default. */
  run?: Runner | undefined;
}

/** What every mode is given. */
export interface ChannelContext {
  settings: AttentionSettings;
  /** A link that opens the inbox; made again with each call. */
  inboxLink(): Promise<string>;
  /** The program and arguments that run `askbox`. */
  askboxCommand: readonly string[];
  run: Runner;
  env: Environment;
  platform: NodeJS.Platform;
  log: Log;
  /** Warns with this sentence, once for each sentence. */
  warnOnce: WarnOnce;
}

export type WarnOnce = (sentence: string, data?: Record<string, unknown>) => void;

/** One way to call a person. Its failures are logged and disturb nobody. */
export interface Channel {
  /** Calls for attention to these sessions, at least one. */
  call(sessions: readonly SessionView[]): Promise<void>;
  /** While it can take no other call: resolves when it can. */
  busy?(): Promise<void> | undefined;
  /** Ends what it has running. */
  close(): Promise<void>;
}

export function warnOnceTo(log: Log): WarnOnce {
  const said = new Set<string>();
  return (sentence, data) => {
    if (said.has(sentence)) return;
    said.add(sentence);
    log("warn", sentence, data);
  };
}

/** The processes that a channel has running, so that none outlives it. */
export class Runnings {
  readonly #run: Runner;
  readonly #alive = new Set<Running>();
  #stopped = false;

  constructor(run: Runner) {
    this.#run = run;
  }

  start(request: RunRequest): Running {
    if (this.#stopped) return neverStarted;
    const running = this.#run(request);
    this.#alive.add(running);
    void running.ended.then(() => this.#alive.delete(running));
    return running;
  }

  /** Stops all of them, waits until they have ended, and starts no other. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const alive = [...this.#alive];
    for (const running of alive) running.stop();
    await Promise.all(alive.map((running) => running.ended));
  }
}

const neverStarted: Running = {
  started: Promise.resolve(false),
  ended: Promise.resolve({ ending: { kind: "stopped" }, stdout: "", stderr: "" }),
  stop: () => {},
};
