import type { Askbox } from "@askbox/react";
import type { Keymap } from "@askbox/react/keymap";
import type { TuiConnection } from "../tui-options.ts";
import type { Host } from "./host.ts";

export interface AppOptions extends Askbox {
  keymap: Keymap;
  host: Host;
  grants: TuiConnection["grants"];
  /** Leaves after the first session that was settled. */
  once?: boolean;
  /** The session to open; a unique prefix of its id will do. */
  sessionId?: string | undefined;
  /** Milliseconds that the hub holds an answer back, so that it can be undone. */
  undoDelay?: number;
  /** The exit code for Ctrl-C; default 0. */
  codeOnInterrupt?: number;
}
