import { type SharedKeyAction, typingKey } from "@askbox/react/keymap";
import { keyLabel } from "./key-label.ts";
import { keymap } from "./use-key.ts";

interface KeyHintProps {
  action: SharedKeyAction;
  /** Whether a text has the focus, so that letters are text. */
  typing?: boolean;
}

/** The key of a button, where there are keys: it is hidden on touch screens and narrow ones. */
export function KeyHint({ action, typing = false }: KeyHintProps) {
  return <Key name={typing ? typingKey(keymap, action) : (keymap.keysOf(action)[0] ?? "")} />;
}

/** The same for a key that no action has to itself. */
export function Key({ name }: { name: string }) {
  if (name === "") return null;
  return (
    <span className="key-hint" aria-hidden="true">
      <kbd>{keyLabel(name)}</kbd>
    </span>
  );
}
