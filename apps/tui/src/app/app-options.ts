import type { Askbox } from "@askbox/inbox";
import type { Keymap } from "@askbox/inbox/commands";
import type { ViewedPicture } from "../terminal/pictures.ts";
import type { TuiConnection } from "../tui-options.ts";

export interface AppOptions extends Askbox {
  keymap: Keymap;
  host: Host;
  grants: TuiConnection["grants"];
  ran: TuiConnection["ran"];
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

/** What the program does outside its screen. Tests pass their own implementation. */
export interface Host {
  /** Exits, after sending drafts to the hub. */
  exit(code: number): void;
  /** Copies text to the clipboard; resolves with whether and how it succeeded. */
  copy(text: string): Promise<"tool" | "terminal" | "failed">;
  /** Opens the text in an editor; undefined if nothing changed or no editor ran (`problem` then gives the reason). */
  edit(text: string): Promise<{ text?: string; problem?: string }>;
  /** Completes the path of a file; `matches` are the names that it could continue with. */
  completePath(text: string): Promise<{ text: string; matches: readonly string[] }>;
  /** The paths in a paste that is nothing but the absolute paths of files, as they stand in it; otherwise none. */
  droppedFiles(text: string): Promise<readonly string[]>;
  /** Whether the terminal can show pictures. */
  readonly showsPictures: boolean;
  /** Shows pictures in the terminal until the person leaves them, or wants to see them in the browser instead. */
  viewPictures(pictures: readonly ViewedPicture[]): Promise<"closed" | "browser">;
  suspend(): void;
  redraw(): void;
  /** Notifies the user of a new question. `line` must be sanitised. */
  notify(line: string): void;
}
