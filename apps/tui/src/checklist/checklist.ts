import type { KeyPress } from "../editor/key-press.ts";
import type { Span } from "../text/row.ts";

/** One line of a checklist. */
interface Choice {
  id: string;
  label: string;
  /** What else there is to know about it, in a few words. */
  note?: string;
  /** Whether it can be selected. */
  isFixed?: boolean;
}

/** A line below the choices, wrapped to the screen. */
export interface PreviewLine {
  /** Columns, also of the rows that follow. */
  indent?: number;
  spans: readonly Span[];
}

/** What a checklist shows and asks. All text may come from outside. */
export interface Checklist {
  title: string;
  intro: string;
  choices: readonly Choice[];
  /** The ids that are selected at first. */
  selected: readonly string[];
  /** What the selection would do; `whole`: with all details. */
  preview(selected: ReadonlySet<string>, whole: boolean): readonly PreviewLine[];
  /** What Enter does with the selection, such as "set up 2"; undefined if it must not go on. */
  confirm(selected: ReadonlySet<string>): string | undefined;
}

export interface ChecklistState {
  /** The index of the choice that keys act on. */
  at: number;
  selected: ReadonlySet<string>;
  whole: boolean;
  /** The first visible row, if it was scrolled by hand; otherwise the choice is kept in view. */
  top: number | undefined;
}

/** What the last frame showed, which keys that scroll start from. */
export interface ChecklistView {
  top: number;
  maxTop: number;
  rows: number;
}

export type ChecklistEffect = "confirm" | "leave" | "suspend" | "redraw" | undefined;

export const openChecklist = ({ choices, selected }: Checklist): ChecklistState => ({
  at: Math.max(
    0,
    choices.findIndex(({ isFixed }) => isFixed !== true),
  ),
  selected: new Set(selected),
  whole: false,
  top: undefined,
});

/** Handles a key; pure. */
export function pressChecklist(
  list: Checklist,
  state: ChecklistState,
  { name }: KeyPress,
  view: ChecklistView,
): { state: ChecklistState; effect?: ChecklistEffect } {
  const { at, selected, whole } = state;
  const move = (by: number) => ({ state: { ...state, at: Math.min(list.choices.length - 1, Math.max(0, at + by)), top: undefined } });
  const scroll = (by: number) => ({ state: { ...state, top: Math.min(view.maxTop, Math.max(0, view.top + by)) } });
  const page = Math.max(1, view.rows - 1);
  switch (name) {
    case "up":
    case "k":
      return move(-1);
    case "down":
    case "j":
      return move(1);
    case "pageup":
      return scroll(-page);
    case "pagedown":
      return scroll(page);
    case "home":
      return scroll(-view.top);
    case "end":
      return scroll(view.maxTop);
    case "space": {
      const choice = list.choices[at];
      if (choice === undefined || choice.isFixed) return { state };
      const next = new Set(selected);
      if (!next.delete(choice.id)) next.add(choice.id);
      return { state: { ...state, selected: next, top: undefined } };
    }
    case "a": {
      const free = list.choices.filter(({ isFixed }) => isFixed !== true).map(({ id }) => id);
      return { state: { ...state, selected: new Set(free.every((id) => selected.has(id)) ? [] : free), top: undefined } };
    }
    case "d":
      return { state: { ...state, whole: !whole } };
    case "enter":
      return list.confirm(selected) === undefined ? { state } : { state, effect: "confirm" };
    case "q":
    case "escape":
    case "ctrl+c":
      return { state, effect: "leave" };
    case "ctrl+z":
      return { state, effect: "suspend" };
    case "ctrl+l":
      return { state, effect: "redraw" };
    default:
      return { state };
  }
}
