import type { AskboxError, Clock, Desk, Grants } from "@askbox/core";
import type { ConnectionState } from "@askbox/react";

/** A desk, the grants, and the state of the connection to them: what a `WireClient` has. */
export interface TuiConnection {
  desk: Desk;
  grants: Pick<Grants, "list" | "remove">;
  state?(): ConnectionState;
  onState?(listener: (state: ConnectionState, error?: AskboxError) => void): () => void;
}

/** What a person has set. */
export interface TuiSettings {
  /** Keys by action, in place of the defaults. */
  keys?: Readonly<Record<string, string | readonly string[]>>;
  /** Looks by token, in place of the defaults. */
  theme?: Readonly<Record<string, string>>;
  /** Milliseconds that the hub holds an answer back, so that it can be undone; 0–60,000, default 0. */
  undoDelay?: number;
}

export interface TuiOptions {
  /** Connects to the hub. It is called once the screen is there, so that nobody looks at nothing meanwhile. */
  connect(): Promise<TuiConnection>;
  settings?: TuiSettings | Promise<TuiSettings>;
  /** Only sessions of this project folder. */
  project?: string | undefined;
  /** Shows the next session and leaves after it. */
  once?: boolean;
  /** The session to open: an id, or a unique prefix of 4 characters or more. */
  sessionId?: string | undefined;
  /** The process whose terminal it is; default this one. */
  host?: NodeJS.Process;
  /** Where the screen is drawn; default the host's stdout. Its stderr, where stdout is taken by a program. */
  output?: NodeJS.WriteStream;
  /** The exit code for Ctrl-C; default 0. */
  codeOnInterrupt?: number;
  /** Leaves, with 0, when it is aborted. */
  signal?: AbortSignal;
  clock?: Clock;
}
