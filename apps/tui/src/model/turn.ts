import type { Question, SessionView } from "@askbox/core";
import type { AnswerFile } from "@askbox/core/questions";
import { type ActionLook, emptyField, type FieldEdit, type FormPart, type FormState, fieldAfter, type Typing } from "@askbox/inbox";
import type { Keymap } from "@askbox/inbox/commands";
import type { BlocksOf } from "./document.ts";
import type { Effect } from "./effects.ts";
import { type Item, itemsOf } from "./form-items.ts";
import type { ListEntry, Notice, UiState } from "./ui-state.ts";

/** Screen dimensions, which moving by pages or rows depends on. */
export interface Viewport {
  /** Columns of a text field. */
  fieldWidth: number;
  /** Rows of the form's body and of the list. */
  bodyRows: number;
  listEntries: number;
  /** The form's first visible row, and the number of visible rows. */
  bodyTop: number;
  /** Whether the cursor of the form is below the rows shown. */
  isItemBelow: boolean;
  bodyLength: number;
  /** The first row of each unit of an open document. */
  unitTops?: readonly number[] | undefined;
}

/** What the terminal inbox can read while it handles a key. */
export interface Seen {
  keymap: Keymap;
  /** Wall time in ms. */
  now: number;
  viewport: Viewport;
  /** Exits after the first session is settled. */
  once: boolean;
  /** The exit code for Ctrl-C. */
  codeOnInterrupt: number;
  /** Whether the terminal can show pictures. */
  showsPictures: boolean;
  /** What could be seen of the actions of the open form. */
  look: Pick<ActionLook, "unread" | "takesLetters" | "hasJustSent"> & { typing: Pick<Typing, "isGoingOn"> };
  /** The blocks of markdown, once they can be told apart. */
  blocksOf: BlocksOf;
  /** The list as ordered and filtered by `ui`. */
  entries(ui: UiState): readonly ListEntry[];
  /** A session's form; undefined if there is no such session. */
  form(sessionId: string): FormState | undefined;
}

/** The result of a key: the next state, and the effects to perform. */
export interface Step {
  state: UiState;
  effects: readonly Effect[];
}

/** One step of the inbox while it is computed: the state so far, and the open form as it will be after the effects so far. */
export class Turn {
  ui: UiState;
  readonly seen: Seen;
  readonly effects: Effect[] = [];
  readonly #forms = new Map<string, FormState>();

  constructor(ui: UiState, seen: Seen) {
    this.ui = ui;
    this.seen = seen;
  }

  set(change: Partial<UiState>): void {
    this.ui = { ...this.ui, ...change };
  }

  say(text: string, tone: Notice["tone"] = "info"): void {
    this.set({ notice: { text, tone } });
  }

  do(effect: Effect): void {
    this.effects.push(effect);
  }

  is = (key: string, action: Parameters<Keymap["is"]>[1]): boolean => this.seen.keymap.is(key, action);

  entries(): readonly ListEntry[] {
    return this.seen.entries(this.ui);
  }

  /** The form in the form pane. */
  form(): FormState | undefined {
    const { open } = this.ui;
    return open === undefined ? undefined : (this.#forms.get(open) ?? this.seen.form(open));
  }

  session(): SessionView | undefined {
    return this.form()?.session;
  }

  items(): Item[] {
    const state = this.form();
    return state === undefined ? [] : itemsOf(state, this.ui.editing?.target.kind);
  }

  edit({ id }: Pick<Question, "id">, edit: FieldEdit): void {
    this.#change((form) => {
      this.do({ kind: "edit", session: form.session.id, questionId: id, edit });
      const question = form.session.questions.find((each) => each.id === id);
      if (question === undefined) return form;
      return { ...form, fields: { ...form.fields, [id]: fieldAfter(question, form.fields[id] ?? emptyField, edit) } };
    });
  }

  /** Changes the comment on all answers, or with `files` also those that come with it. */
  comment(text: string, files?: AnswerFile[]): void {
    this.#change((form) => {
      this.do({ kind: "comment", session: form.session.id, text, ...(files && { files }) });
      return { ...form, comment: text, files: files === undefined ? form.files : files[0] && files };
    });
  }

  /** Keeps why it is about to be declined. */
  reason(text: string): void {
    this.#change((form) => {
      this.do({ kind: "reason", session: form.session.id, text });
      return { ...form, reason: text };
    });
  }

  step(step: number): void {
    this.#change((form) => {
      this.do({ kind: "goTo", session: form.session.id, step });
      return { ...form, step: Math.min(form.steps - 1, Math.max(0, step)) };
    });
  }

  focus(part: FormPart | undefined): void {
    const { open } = this.ui;
    if (open !== undefined) this.do({ kind: "focus", session: open, part });
  }

  #change(change: (form: FormState) => FormState): void {
    const form = this.form();
    if (form !== undefined) this.#forms.set(form.session.id, change(form));
  }
}

/** Computes one step. */
export function stepOf(ui: UiState, seen: Seen, run: (turn: Turn) => void): Step {
  const turn = new Turn(ui, seen);
  run(turn);
  return { state: turn.ui, effects: turn.effects };
}
