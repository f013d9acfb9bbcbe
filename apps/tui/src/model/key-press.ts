/** A key as keymaps name it (`up`, `shift+tab`, `ctrl+g`, `alt+m`, `?`), and the text that it types, if any. */
export interface KeyPress {
  readonly name: string;
  readonly text?: string;
}
