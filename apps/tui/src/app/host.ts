import type { ViewedPicture } from "../terminal/picture-viewer.ts";

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
