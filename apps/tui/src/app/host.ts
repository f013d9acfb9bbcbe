/** What the program does outside of its screen. Tests give one of their own. */
export interface Host {
  /** Leaves; drafts are brought to the hub first. */
  exit(code: number): void;
  /** Puts text on the clipboard; resolves with whether and how. */
  copy(text: string): Promise<"tool" | "terminal" | "failed">;
  /** Lets the person write the text in an editor; undefined when nothing was changed or no editor ran (then `problem` says why). */
  edit(text: string): Promise<{ text?: string; problem?: string }>;
  suspend(): void;
  redraw(): void;
  /** A question has come. `line` is clean. */
  notify(line: string): void;
}
