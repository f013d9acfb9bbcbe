import type { Grant, Question, SessionView } from "@askbox/core";
import { emptyField, type FormState } from "@askbox/inbox";
import { type KeyActionName, keymapWith, terminalActions } from "@askbox/inbox/commands";
import { expect } from "vitest";
import type { KeyPress } from "../../src/editor/editor.ts";
import { bufferOf } from "../../src/editor/text-buffer.ts";
import { press } from "../../src/model/press.ts";
import type { Seen, Step } from "../../src/model/turn.ts";
import { type EditTarget, initialUi, type Overlay, type UiState } from "../../src/model/ui-state.ts";

export const minute = 60_000;
export const now = Date.UTC(2026, 2, 5, 12);

const base = { required: true } as const;
const fruits = ["apple", "pear"].map((value) => ({ value, label: value }));
export const questions = {
  pick: { ...base, id: "pick", type: "select", question: "Which?", options: fruits, allowOther: true },
  several: { ...base, id: "several", type: "multi-select", question: "Which ones?", options: fruits, allowOther: false, required: false },
  sure: { ...base, id: "sure", type: "confirm", question: "Sure?" },
  rate: { ...base, id: "rate", type: "rating", question: "How good?", max: 5 },
  name: { ...base, id: "name", type: "text", question: "What is it called?", suggestion: "lathe" },
  day: { ...base, id: "day", type: "date", question: "When?" },
} satisfies Record<string, Question>;

export function aSession(asked: readonly Question[], more: Partial<SessionView> = {}): SessionView {
  return {
    id: "s1",
    revision: 1,
    status: "pending",
    asker: { client: { name: "test-client", version: "1.0.0" } },
    questions: [...asked],
    createdAt: 0,
    deadlineAt: 300_000,
    closedAt: null,
    delivery: { deliveredAt: null },
    presence: { asker: "attached", openIn: [] },
    ...more,
  };
}

export function aForm(asked: readonly Question[], more: Partial<FormState> = {}): FormState {
  return {
    session: aSession(asked),
    phase: "editing",
    mode: "answer",
    fields: Object.fromEntries(asked.map(({ id }) => [id, emptyField])),
    comment: "",
    reason: "",
    files: undefined,
    errors: {},
    layout: "steps",
    step: 0,
    steps: asked.length > 1 ? asked.length + 1 : 1,
    progress: { total: asked.length, answered: 0, missing: asked.length },
    unsaved: false,
    failure: undefined,
    scheduled: undefined,
    settledHere: false,
    awaitsFiles: false,
    ...more,
  };
}

/** A grant for commands that begin with these words, which are its id too. */
export const aGrant = (prefix: string): Grant => ({
  id: prefix,
  scope: "project",
  client: "test-client",
  project: "/home/ada/engine",
  kind: "command",
  shown: prefix,
  match: { type: "prefix", prefix },
  by: { surface: "web" },
  createdAt: 0,
  expiresAt: Date.UTC(2026, 2, 5, 20),
});

export const shot = { name: "shot.png", mimeType: "image/png", size: 12_000, sha256: "a".repeat(64) };

/** A situation in which a key can be pressed: the state, and the visible world. */
export interface Situation {
  ui?: Partial<UiState>;
  form?: FormState;
  /** Ids in the list, `fold` for the fold; by default only the form's session. */
  entries?: readonly string[];
  once?: boolean;
  /** An answer was sent less than 400 ms ago. */
  hasJustSent?: boolean;
}

export const inForm = (form: FormState, ui: Partial<UiState> = {}): Situation => ({ form, ui: { focus: "form", ...ui } });
/** While `text` is being edited, which the form already contains. */
export function typing(form: FormState, target: EditTarget, text: string, ui: Partial<UiState> = {}): Situation {
  const typed = "questionId" in target && target.kind !== "line" && target.kind !== "attach" ? fieldsWith(form, target, text) : form.fields;
  return inForm({ ...form, fields: typed }, { editing: { target, buffer: bufferOf(text) }, ...ui });
}

function fieldsWith(
  { fields }: FormState,
  { kind, questionId }: Extract<EditTarget, { kind: "text" | "other" | "note" }>,
  text: string,
): FormState["fields"] {
  const change = { text: { values: [text] }, other: { other: true, otherText: text }, note: { note: text } }[kind];
  return { ...fields, [questionId]: { ...emptyField, ...change } };
}

export const under = (overlay: Overlay): Situation => inForm(aForm([questions.pick]), { overlay });

/** The result of a key in words: changes of the state, and the effects in order. */
export function outcomeOf(situation: Situation, key: string, text?: string): string[] {
  const { state, step } = pressed(situation, key, text);
  return [...changesOf(state, step.state), ...step.effects.map(effectWords)];
}

/** The state and the visible world of a situation. */
export function seenIn({
  ui = {},
  form,
  entries = form === undefined ? [] : [form.session.id],
  once = false,
  hasJustSent = false,
}: Situation): { state: UiState; seen: Seen } {
  const state: UiState = { ...initialUi, selected: entries[0], open: form?.session.id, ...ui };
  const seen: Seen = {
    keymap: keymapWith(terminalActions).keymap,
    now,
    viewport: { fieldWidth: 40, bodyRows: 11, listEntries: 5, bodyTop: 20, bodyLength: 60, isItemBelow: false },
    once,
    codeOnInterrupt: 130,
    showsPictures: false,
    look: { unread: () => undefined, takesLetters: () => true, hasJustSent, typing: { isGoingOn: false } },
    blocksOf: () => undefined,
    entries: () =>
      entries.map((id) =>
        id === "fold"
          ? { id: "fold", count: 2 }
          : { id, session: id === form?.session.id ? form.session : aSession([questions.pick], { id }) },
      ),
    form: (id) =>
      form?.session.id === id
        ? form
        : id !== "fold" && entries.includes(id)
          ? aForm([questions.pick], { session: aSession([questions.pick], { id }) })
          : undefined,
  };
  return { state, seen };
}

export function pressed(situation: Situation, key: string, text?: string): { state: UiState; step: Step } {
  const { state, seen } = seenIn(situation);
  const keyPress: KeyPress = { name: key, text };
  return { state, step: press(freeze(state), keyPress, seen) };
}

/** Throws if a step would modify the state passed to it. */
function freeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) freeze(part);
  }
  return value;
}

function changesOf(before: UiState, after: UiState): string[] {
  return (Object.keys(after) as (keyof UiState)[]).flatMap((name): string[] => {
    if (JSON.stringify(before[name]) === JSON.stringify(after[name])) return [];
    // Scrolling to the cursor, and its last position, are not worth reporting.
    if ((name === "scroll" && after.scroll === undefined) || name === "lastIndex") return [];
    if (name === "notice") return after.notice === undefined ? [] : [`says ${after.notice.text}`];
    if (name === "overlay") return [after.overlay === undefined ? "closes" : `shows ${Object.values(after.overlay).join(" ")}`];
    if (name === "unsent") return [["unsent", ...Object.values(after.unsent)].filter((part) => part !== "").join(" ")];
    if (name === "messageFiles") {
      return Object.values(after.messageFiles).map(({ attached, uploading }) =>
        ["files", ...attached.map((file) => file.name), ...(uploading > 0 ? [`and ${uploading} more`] : [])].join(" "),
      );
    }
    if (name === "ran") return [`ran ${after.ran.item} “${after.ran.query}”`];
    if (name === "grants") return [`grants ${after.grants.item} “${after.grants.query}”`];
    if (name === "editing") {
      const { editing } = after;
      return [
        editing === undefined
          ? "ends typing"
          : `types ${Object.values(editing.target)
              .filter((part) => part !== undefined)
              .join(" ")} “${editing.buffer.text}”`,
      ];
    }
    return [`${name} ${wordsOf(after[name])}`];
  });
}

const wordsOf = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : String(value ?? "nothing"));

function effectWords({ kind, ...rest }: Step["effects"][number]): string {
  const { session: _, ...details } = rest as Record<string, unknown>;
  const words = Object.values(details).map((value) =>
    typeof value === "object" && value !== null ? Object.values(value).join(" ") : String(value ?? "nothing"),
  );
  return [kind, ...words].join(" ");
}

/** True whatever has the focus. */
const everywhere: Readonly<Record<string, string>> = { "ctrl+z": "suspend", "ctrl+l": "redraw", "ctrl+c": "exit 130" };

/**
 * Checks that in a situation each key does what the table says (keys with the same result separated by spaces), and that every other known
 * key does nothing; in a text field, keys with a character type it, and Backspace erases one.
 */
export function expectKeys(situation: Situation, table: Readonly<Record<string, string>>): void {
  const does = new Map(
    Object.entries({ ...everywhere, ...table }).flatMap(([keys, outcome]) => keys.split(" ").map((key) => [key, outcome])),
  );
  const isTyping = situation.ui?.editing !== undefined;
  const is: Record<string, string> = {};
  const shouldBe: Record<string, string> = {};
  for (const [key, text] of everyKey) {
    if (isTyping && text !== undefined) {
      const { state, step } = pressed(situation, key, text);
      is[key] = step.state.editing?.buffer.text ?? "";
      shouldBe[key] = `${state.editing?.buffer.text}${text}`;
    } else if (isTyping && key === "backspace") {
      const { state, step } = pressed(situation, key);
      is[key] = step.state.editing?.buffer.text ?? "";
      shouldBe[key] = state.editing?.buffer.text.slice(0, -1) ?? "";
    } else {
      is[key] = outcomeOf(situation, key, text).join("; ");
      shouldBe[key] = does.get(key) ?? "";
    }
  }
  expect(is).toEqual(shouldBe);
  expect([...does.keys()].filter((key) => !(key in is))).toEqual([]);
}

/** All known keys, as sent by the terminal: keys that type have their text. */
const everyKey: readonly (readonly [key: string, text?: string])[] = [
  ...new Set([
    ...(Object.keys(terminalActions) as KeyActionName[]).flatMap((action) => keymapWith(terminalActions).keymap.keysOf(action)),
    ..."1234567890xz",
  ]),
].map((key) => (key === "space" ? [key, " "] : [...key].length === 1 ? [key, key] : [key]));
