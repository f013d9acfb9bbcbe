import type { Log, SessionView } from "@askbox/core";
import type { Environment, Runner, Running, RunRequest } from "../run/runner.ts";

export interface AttentionSettings {
  /** Whether titles and questions may be shown where anybody can read them; default true. */
  showText?: boolean | undefined;
  /** The person's own command line, for `command`. */
  command?: string | undefined;
}

/** One way to notify a person. To add one, add a file here and a line in `index.ts`. */
export interface Mode {
  /** The channel itself; absent if nobody is notified. */
  open?(context: ChannelContext): Channel;
  /** Why it does not work here: one sentence per problem, with how to fix it. */
  problems(options: ProblemsOptions): string[] | Promise<string[]>;
}

/** The environment in which a mode runs. */
export interface ProblemsOptions {
  settings: AttentionSettings;
  env: Environment;
  platform: NodeJS.Platform;
  /** Starts processes; real ones by default. */
  run?: Runner | undefined;
}

/** The options of every mode. */
export interface ChannelContext {
  settings: AttentionSettings;
  /** A link that opens the inbox; new with each call. */
  inboxLink(): Promise<string>;
  /** The command line that runs `askbox`. */
  askboxCommand: readonly string[];
  run: Runner;
  env: Environment;
  platform: NodeJS.Platform;
  log: Log;
  /** Logs a warning, once per sentence. */
  warnOnce: WarnOnce;
}

export type WarnOnce = (sentence: string, data?: Record<string, unknown>) => void;

/** One way to notify a person. Failures are logged and have no other effect. */
export interface Channel {
  /** Notifies about these sessions, at least one. */
  call(sessions: readonly SessionView[]): Promise<void>;
  /** If it can handle no other call yet: resolves when it can. */
  busy?(): Promise<void> | undefined;
  /** Stops everything it has running. */
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

/** The running processes of a channel, so that none outlives it. */
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

  /** Stops all of them, waits until they have ended, and starts no more. */
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
