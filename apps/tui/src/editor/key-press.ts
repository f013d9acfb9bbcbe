/** A key by its keymap name (`up`, `shift+tab`, `ctrl+g`, `alt+m`, `?`), and the text it types, if any. */
export interface KeyPress {
  readonly name: string;
  readonly text?: string;
}
