import type { Agents, Asker, AskerInfo, AskRequest, Desk, Surface } from "@askbox/core";
import type { RanLog } from "@askbox/core/grants";
import type { UploadedFile } from "@askbox/home";
import type { Checklist } from "@askbox/tui";
import type { EditedFile } from "./editing/edited-file.ts";
import type { Io } from "./io.ts";

/** What a command works with; tests pass a broker in the same process. */
export interface CommandContext {
  readonly io: Io;
  readonly globals: GlobalOptions;
  /** Connects to the hub as a person, starting it if necessary. */
  desk(options?: DeskOptions): Promise<Desk>;
  /** Uploads a file of this machine for a session's answer. Throws `VALIDATION` if it can't be read, and what the hub refuses. */
  upload(sessionId: string, path: string): Promise<UploadedFile>;
  /** Opens a file of this home in the person's editor, with this text unless it was kept from before. Throws `VALIDATION` if that fails. */
  edit(name: string, text: string): Promise<EditedFile>;
  /** Uploads the pictures that the questions name by path, and resolves with the questions as the hub takes them. */
  sendPictures(request: AskRequest): Promise<AskRequest>;
  /** Connects to the hub as an asker, starting it if necessary. */
  asker(): Promise<Asker>;
  /** The hub's registry of agents. */
  agents(options?: Pick<DeskOptions, "start">): Promise<Agents>;
  /** What ran without a person. */
  ran(): Promise<Pick<RanLog, "list">>;
  /** The asker when this command asks. */
  askerInfo(): Promise<AskerInfo>;
  settings(): Promise<CommandSettings>;
  /** The hub of another machine, which this one has joined to ask only: nobody answers here. */
  asksElsewhere(): Promise<{ url: string } | undefined>;
  /** The agent in whose environment this command runs. */
  agent(): Promise<string | undefined>;
  /** The same, if it must not answer from there. */
  agentToRefuse(): Promise<string | undefined>;
  /** Runs the terminal inbox and resolves with its exit code; undefined if there is no terminal. */
  readonly terminalInbox?: (options: InboxOptions) => Promise<number>;
  /** Asks with a checklist and resolves with the selected ids, or undefined if the person left; absent without a terminal. */
  readonly checklist?: (list: Checklist) => Promise<ReadonlySet<string> | undefined>;
  /** Wall time. */
  now(): number;
  /** Calls back on the first Ctrl-C, or one of these signals, instead of ending the process, until the returned function is called. */
  onInterrupt(listener: () => void, signals?: readonly NodeJS.Signals[]): () => void;
  /** Closes the connections. */
  close(): Promise<void>;
}

/** What the terminal inbox should show. */
export interface InboxOptions {
  /** Only questions from this project folder. */
  project?: string | undefined;
  /** Show one question, then exit. */
  once?: boolean;
  /** The session to open: an id or a unique prefix of one. */
  session?: string | undefined;
  /** Draw on stderr, since stdout is for the result. */
  besideOutput?: boolean;
  /** The exit code for Ctrl-C; default 0. */
  codeOnInterrupt?: number;
  /** Exits when aborted. */
  signal?: AbortSignal;
}

export interface DeskOptions {
  /** The surface that answers come from; default `cli`. */
  surface?: Surface;
  /** Whether to start a hub if none is running; default true. */
  start?: boolean;
}

/** What commands use of the config. */
interface CommandSettings {
  /** The default timeout of a question, in milliseconds. */
  timeout: number;
  /** The maximum size of an answer, in bytes of JSON. */
  requestBytes: number;
}

/** The options of every subcommand. */
export interface GlobalOptions {
  hub?: string;
  tokenFile?: string;
}
