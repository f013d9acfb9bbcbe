import type { KeyPress } from "../editor/editor.ts";
import { editKey, isFormKey } from "./edit-keys.ts";
import { formKey } from "./form-keys.ts";
import { listKey } from "./list-keys.ts";
import { hasJustOpened, leave, resumeText } from "./navigate.ts";
import { overlayKey } from "./overlay-keys.ts";
import { showPalette } from "./palette.ts";
import { stopEditing } from "./text-fields.ts";
import { type Seen, type Step, stepOf, type Turn } from "./turn.ts";
import type { UiState } from "./ui-state.ts";

/** Handles a key. A pure function, and the only entry point for keys of the terminal inbox. */
export function press(state: UiState, key: KeyPress, seen: Seen): Step {
  return stepOf(state, seen, (turn) => pressed(turn, key));
}

function pressed(turn: Turn, key: KeyPress): void {
  switch (turn.seen.keymap.find(key.name, ["leave", "suspend", "redraw"] as const)) {
    case "leave":
      return leave(turn, turn.seen.codeOnInterrupt);
    case "suspend":
      return turn.do({ kind: "suspend" });
    case "redraw":
      return turn.do({ kind: "redraw" });
    default:
  }
  const { editing } = turn.ui;
  // Letters that are typed into a field are meant for what is on the screen; a key that is pressed twice is not.
  const isOnItsWay = editing === undefined ? !turn.is(key.name, "back") && !turn.is(key.name, "undo") : turn.is(key.name, "confirm");
  if (isOnItsWay && hasJustOpened(turn)) return;
  if (turn.ui.notice !== undefined) turn.set({ notice: undefined });
  if (editing === undefined) return commandKey(turn, key);
  if (!isFormKey(turn, key)) return editKey(turn, key);
  stopEditing(turn);
  commandKey(turn, key);
  // If the key had no effect, such as a refused skip, the text field stays open for the next letters.
  const isSent = turn.effects.some(({ kind }) => kind === "submit");
  if (editing.target.kind === "text" && !isSent) resumeText(turn);
}

/** A key while no text is being typed. */
function commandKey(turn: Turn, key: KeyPress): void {
  const { overlay, focus } = turn.ui;
  if (overlay !== undefined) return overlayKey(turn, overlay, key);
  if (turn.is(key.name, "palette")) return showPalette(turn, key);
  if (turn.is(key.name, "help")) return turn.set({ overlay: { kind: "help", top: 0 } });
  if (focus === "form") return formKey(turn, key);
  listKey(turn, key);
}
