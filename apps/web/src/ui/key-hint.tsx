import type { SharedKeyAction } from "@askbox/inbox/commands";
import { isTypedInto, keyAt, useFocusPlace } from "./focus-place.ts";
import { keyLabel } from "./key-names.ts";
import { keymap } from "./keyboard.ts";

/** The shortcut of a button, which depends on what has the focus; hidden on touch screens and narrow ones. Where none works, its room stays. */
export function KeyHint({ action }: { action: SharedKeyAction }) {
  const name = keyAt(useFocusPlace(), action);
  const [usual = ""] = keymap.keysOf(action);
  return <Key name={name === "" ? usual : name} works={name !== ""} />;
}

/** A key that isn't bound to a single action. One that types a character is hidden while a text field would take it. */
export function Key({ name, works = true }: { name: string; works?: boolean }) {
  const isTyped = isTypedInto(useFocusPlace(), name) || !works;
  if (name === "") return null;
  const label = keyLabel(name);
  return (
    <span className="key-hint" data-typed={isTyped ? (label.length > 1 ? "words" : "letter") : undefined} aria-hidden="true">
      <kbd>{label}</kbd>
    </span>
  );
}
