import type { SharedKeyAction } from "@askbox/inbox/commands";
import { isTypedInto, keyAt, useFocusPlace } from "./focus-place.ts";
import { keyLabel } from "./key-names.ts";

/** The shortcut of a button, which depends on what has the focus; hidden on touch screens and narrow ones. */
export function KeyHint({ action }: { action: SharedKeyAction }) {
  return <Key name={keyAt(useFocusPlace(), action)} />;
}

/** A key that isn't bound to a single action. One that types a character is hidden while a text field would take it. */
export function Key({ name }: { name: string }) {
  const isTyped = isTypedInto(useFocusPlace(), name);
  if (name === "") return null;
  return (
    <span className="key-hint" data-typed={isTyped || undefined} aria-hidden="true">
      <kbd>{keyLabel(name)}</kbd>
    </span>
  );
}
