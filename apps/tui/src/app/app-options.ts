import type { Askbox } from "@askbox/inbox";
import type { Keymap } from "@askbox/inbox/commands";
import type { TuiConnection } from "../tui-options.ts";
import type { Host } from "./host.ts";

export interface AppOptions extends Askbox {
  keymap: Keymap;
  host: Host;
  grants: TuiConnection["grants"];
  /** Opens a session in the browser; resolves with whether there is one here. */
  openInBrowser?: ((id: string) => Promise<boolean>) | undefined;
  /** Uploads a file of this machine for an answer. */
  upload: NonNullable<TuiConnection["upload"]>;
  /** A picture of a session as a PNG of at most 1 MB; rejects with the sentence that says why there is none. */
  picture: NonNullable<TuiConnection["picture"]>;
  /** Exits after the first session is settled. */
  once?: boolean;
  /** The session to open: an id or a unique prefix of one. */
  sessionId?: string | undefined;
  /** Milliseconds that the hub holds an answer back, so that it can be undone. */
  undoDelay?: number;
  /** The exit code for Ctrl-C; default 0. */
  codeOnInterrupt?: number;
}
