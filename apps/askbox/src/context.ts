import type { Agents, Asker, AskerInfo, Desk, Surface } from "@askbox/core";
import type { Io } from "./io.ts";

/** What a command works with; tests give it a broker in the same process. */
export interface CommandContext {
  readonly io: Io;
  readonly globals: GlobalOptions;
  /** Connects to the hub as a person, starting it when needed. */
  desk(options?: DeskOptions): Promise<Desk>;
  /** Connects to the hub as an asker, starting it when needed. */
  asker(): Promise<Asker>;
  /** The hub's register of agents. */
  agents(options?: Pick<DeskOptions, "start">): Promise<Agents>;
  /** Who asks when this command asks. */
  askerInfo(): Promise<AskerInfo>;
  settings(): Promise<CommandSettings>;
  /** The agent in whose environment this command runs. */
  agent(): Promise<string | undefined>;
  /** The same, if its answers are to be refused there. */
  agentToRefuse(): Promise<string | undefined>;
  /** Runs the terminal inbox, and resolves with its exit code; absent where there is no terminal to run it in. */
  readonly terminalInbox?: (options: InboxOptions) => Promise<number>;
  /** Wall time. */
  now(): number;
  /** Calls back at the first Ctrl-C instead of ending the process, until the returned function is called. */
  onInterrupt(listener: () => void): () => void;
  /** Ends the connections. */
  close(): Promise<void>;
}

/** What the terminal inbox is to show. */
export interface InboxOptions {
  /** Only the questions of this project folder. */
  project?: string | undefined;
  /** One question, and leave after it. */
  once?: boolean;
  /** The session to open, by id or a unique prefix. */
  session?: string | undefined;
  /** Draw on stderr, since stdout is for the result. */
  besideOutput?: boolean;
  /** The exit code for Ctrl-C; default 0. */
  codeOnInterrupt?: number;
  /** Leaves when it is aborted. */
  signal?: AbortSignal;
}

export interface DeskOptions {
  /** Where the person answers; default `cli`. */
  surface?: Surface;
  /** Whether a hub is started when none runs; default true. */
  start?: boolean;
}

/** What the command takes from the config. */
export interface CommandSettings {
  /** How long a question waits by default, in milliseconds. */
  timeout: number;
  /** The largest set of answers, in bytes of JSON. */
  requestBytes: number;
}

/** The options that every subcommand takes. */
export interface GlobalOptions {
  hub?: string;
  tokenFile?: string;
}
