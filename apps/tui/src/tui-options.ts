import type { AskboxError, Clock, Desk, Grants } from "@askbox/core";
import type { RanLog } from "@askbox/core/grants";
import type { AnswerFile } from "@askbox/core/questions";
import type { ConnectionState } from "@askbox/inbox";

/** A desk and the state of its connection, such as a `WireClient`. */
export interface TuiConnection {
  desk: Desk;
  /** What agents may do without asking. */
  grants: Pick<Grants, "list" | "remove">;
  /** What ran without a person. */
  ran: Pick<RanLog, "list">;
  /** Uploads a file of this machine for an answer in this session. */
  upload?(sessionId: string, path: string): Promise<AnswerFile>;
  /** A stored picture as a PNG of at most 1 MB. */
  picture?(sessionId: string, sha256: string): Promise<Uint8Array>;
  state?(): ConnectionState;
  onState?(listener: (state: ConnectionState, error?: AskboxError) => void): () => void;
}

/** The user's settings. */
export interface TuiSettings {
  /** Shortcuts by action, overriding the defaults. */
  keys?: Readonly<Record<string, string | readonly string[]>>;
  /** Styles by token, overriding the defaults. */
  theme?: Readonly<Record<string, string>>;
  /** Milliseconds the hub holds an answer so that it can be undone; 0–60,000, default 5,000. */
  undoDelay?: number;
}

export interface TuiOptions {
  /** Connects to the hub. Called after the screen is shown, so that the user doesn't wait for it. */
  connect(): Promise<TuiConnection>;
  settings?: TuiSettings | Promise<TuiSettings>;
  /** Opens a session in the browser; resolves with whether there is one here. Without it, none is opened. */
  openInBrowser?(id: string): Promise<boolean>;
  /** Only sessions of this project folder. */
  project?: string | undefined;
  /** Shows the next session and exits after it. */
  once?: boolean;
  /** The session to open: an id, or a unique prefix of 4 characters or more. */
  sessionId?: string | undefined;
  /** The process that owns the terminal; default this one. */
  host?: NodeJS.Process;
  /** The stream to draw on; default the host's stdout. Use its stderr if stdout is piped to a program. */
  output?: NodeJS.WriteStream;
  /** The exit code for Ctrl-C; default 0. */
  codeOnInterrupt?: number;
  /** Exits with 0 when aborted. */
  signal?: AbortSignal;
  clock?: Clock;
}
