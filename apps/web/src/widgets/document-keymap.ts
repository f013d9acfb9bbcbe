import { documentActions, keymapWith } from "@askbox/inbox/commands";
import { documentKeys } from "../ui/focus-place.ts";

/** The keys of a document, which it takes from all others while it has the focus. */
export const { keymap: documentKeymap } = keymapWith(documentActions);
for (const { keys } of Object.values(documentActions)) for (const key of keys) documentKeys.add(key);
