import { moveByRow } from "./editor-rows.ts";
import type { KeyPress } from "./key-press.ts";
import {
  backspace,
  deleteNext,
  deleteToLineEnd,
  deleteToLineStart,
  deleteWordLeft,
  deleteWordRight,
  insert,
  left,
  lineEnd,
  lineStart,
  right,
  type TextBuffer,
  textEnd,
  textStart,
  undo,
  wordLeft,
  wordRight,
} from "./text-buffer.ts";

/** The shortcuts of readline and of graphical editors. */
const edits: Readonly<Record<string, (buffer: TextBuffer) => TextBuffer>> = {
  left,
  right,
  "ctrl+left": wordLeft,
  "alt+left": wordLeft,
  "alt+b": wordLeft,
  "ctrl+right": wordRight,
  "alt+right": wordRight,
  "alt+f": wordRight,
  home: lineStart,
  "ctrl+a": lineStart,
  end: lineEnd,
  "ctrl+e": lineEnd,
  "ctrl+home": textStart,
  "alt+<": textStart,
  "ctrl+end": textEnd,
  "alt+>": textEnd,
  backspace,
  "ctrl+h": backspace,
  "shift+backspace": backspace,
  delete: deleteNext,
  "ctrl+d": deleteNext,
  "ctrl+w": deleteWordLeft,
  "alt+backspace": deleteWordLeft,
  "ctrl+backspace": deleteWordLeft,
  "alt+d": deleteWordRight,
  "ctrl+delete": deleteWordRight,
  "ctrl+u": deleteToLineStart,
  "ctrl+k": deleteToLineEnd,
  "ctrl+_": undo,
  "alt+z": undo,
};

/** Whether a key edits text, and so means nothing else while text is typed. */
export const isEditorKey = (name: string): boolean => Object.hasOwn(edits, name);

/** The buffer after the key; undefined if the key is not an editor shortcut. */
export function editedBy(key: KeyPress, buffer: TextBuffer, width: number): TextBuffer | undefined {
  if (key.text !== undefined) return insert(buffer, key.text);
  if (key.name === "up" || key.name === "down") return moveByRow(buffer, width, key.name === "up" ? -1 : 1);
  return edits[key.name]?.(buffer);
}
