import { type SharedKeyAction, typingKey } from "@askbox/react/keymap";
import { keyLabel } from "./key-label.ts";
import { keymap } from "./use-key.ts";

interface KeyHintProps {
  action: SharedKeyAction;
  /** Whether a text field has the focus, so that letters are typed. */
  typing?: boolean;
}

/** The shortcut of a button; hidden on touch screens and narrow ones. */
export function KeyHint({ action, typing = false }: KeyHintProps) {
  return <Key name={typing ? typingKey(keymap, action) : (keymap.keysOf(action)[0] ?? "")} />;
}

/** The same for a key that isn't bound to a single action. */
export function Key({ name }: { name: string }) {
  if (name === "") return null;
  return (
    <span className="key-hint" aria-hidden="true">
      <kbd>{keyLabel(name)}</kbd>
    </span>
  );
}
