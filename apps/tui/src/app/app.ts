import { type Clock, type Desk, isTyped, type SessionView } from "@askbox/core";
import { type AnswerForm, type FormState, type Forms, type Inbox, sessionTitle } from "@askbox/react";
import { terminalLine } from "@askbox/terminal-text";
import { insert } from "../editor/text-buffer.ts";
import type { KeyPress } from "../keys/key.ts";
import type { Keymap } from "../keys/keymap.ts";
import { Attendance } from "./attendance.ts";
import { editKey, startEditing, writeText } from "./edit-keys.ts";
import { type Item, itemsOf, questionOf, typedQuestion } from "./form-items.ts";
import { formKey } from "./form-keys.ts";
import { History } from "./history.ts";
import type { Host } from "./host.ts";
import { createListEntries } from "./list-entries.ts";
import { listKey } from "./list-keys.ts";
import { overlayKey } from "./overlay-keys.ts";
import { isOneLine } from "./typed-keys.ts";
import { initialUi, type ListEntry, type Notice, type UiState } from "./ui-state.ts";
import { outcomeWords } from "./words.ts";

export interface AppOptions {
  desk: Desk;
  inbox: Inbox;
  forms: Forms;
  clock: Clock;
  keymap: Keymap;
  host: Host;
  /** Leaves after the first session that was settled. */
  once?: boolean;
  /** The session to open; a unique prefix of its id will do. */
  sessionId?: string | undefined;
  /** Milliseconds that the hub holds an answer back, so that it can be undone. */
  undoDelay?: number;
  /** The exit code for Ctrl-C; default 0. */
  codeOnInterrupt?: number;
}

/** How far the screen reaches; what moves by pages or rows asks for it. */
export interface Viewport {
  /** Columns that a text field has. */
  fieldWidth: number;
  /** Rows of the form's body and of the list. */
  bodyRows: number;
  listEntries: number;
  /** The first row of the form's body on the screen, and how many there are. */
  bodyTop: number;
  bodyLength: number;
}

/** The terminal inbox without its looks: what is open, where the cursor is, what each key does. */
export class App {
  readonly options: AppOptions;
  readonly history: History;
  /** Told by whoever draws. */
  viewport: Viewport = { fieldWidth: 60, bodyRows: 20, listEntries: 10, bodyTop: 0, bodyLength: 0 };
  #ui: UiState = initialUi;
  #version = 0;
  #scheduled = false;
  #started = false;
  #lastIndex = 0;
  readonly #listeners = new Set<() => void>();
  readonly #entries = createListEntries();
  readonly #attendance: Attendance;
  readonly #stops: (() => void)[] = [];
  #watched: { form: AnswerForm; stop: () => void } | undefined;

  constructor(options: AppOptions) {
    this.options = options;
    const { desk, clock, inbox } = options;
    this.#attendance = new Attendance(desk, clock);
    this.history = new History(desk, clock, (change) => {
      this.set({ history: change(this.#ui.history) });
      if (this.#ui.view === "history") this.reselect();
    });
    this.#stops.push(
      inbox.subscribe(() => this.#inboxChanged()),
      inbox.onArrival((session) => this.#arrived(session)),
    );
    this.#inboxChanged();
  }

  get ui(): UiState {
    return this.#ui;
  }

  /** For `useSyncExternalStore`: another number after each change. */
  getVersion = (): number => this.#version;
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  set(change: Partial<UiState>): void {
    this.#ui = { ...this.#ui, ...change };
    this.#changed();
  }

  say(text: string, tone: Notice["tone"] = "info"): void {
    this.set({ notice: { text, tone } });
  }

  now(): number {
    return this.options.clock.now();
  }

  entries(): readonly ListEntry[] {
    return this.#entries(this.options.inbox.getState(), this.#ui, this.now());
  }

  /** The session in the form's pane. */
  openSession(): SessionView | undefined {
    const { open, history } = this.#ui;
    if (open === undefined) return undefined;
    return this.options.inbox.find(open) ?? history.items.find(({ id }) => id === open);
  }

  /** The form of the session in its pane; it goes on with what was typed there before. */
  form(): AnswerForm | undefined {
    const session = this.openSession();
    return session === undefined ? undefined : this.options.forms.of(session, { layout: "steps" });
  }

  items(state: FormState): Item[] {
    const { editing } = this.#ui;
    const extra = editing?.target.kind === "note" || editing?.target.kind === "comment" ? editing.target.kind : undefined;
    return itemsOf(state, extra);
  }

  /** Shows a session; with `focus`, gives it the keys. */
  open(id: string | undefined, focus: UiState["focus"] = this.#ui.focus): void {
    const isNew = id !== this.#ui.open;
    const { editing } = this.#ui;
    // What a search finds is shown while it is typed.
    const kept = focus === "list" && (editing?.target.kind === "filter" || editing?.target.kind === "query") ? editing : undefined;
    this.set({ open: id, focus: id === undefined ? "list" : focus, ...(isNew ? { item: 0, scroll: 0 } : {}), editing: kept });
    this.#watchForm();
    this.#attendance.attend(this.openSession()?.status === "pending" ? id : undefined);
    this.resumeText();
  }

  /** Begins to type where the present step is answered by typing: there is nothing else to do in it. */
  resumeText(): void {
    const form = this.form();
    const state = form?.getState();
    if (form === undefined || state === undefined || this.#ui.focus !== "form" || state.phase !== "editing") return;
    const question = questionOf(state);
    const isFree = this.#ui.editing === undefined && this.#ui.overlay === undefined && !this.isReading();
    if (question !== undefined && isTyped(question) && isFree) {
      startEditing(this, { kind: "text", questionId: question.id });
    }
  }

  /** Whether the open session is only to be read: settled, or timed out and not replied to by this person's will. */
  isReading(): boolean {
    const state = this.form()?.getState();
    return state === undefined || state.phase === "settled";
  }

  /** To another step of the form. */
  goTo(step: number): void {
    const form = this.form();
    if (form === undefined) return;
    form.focus(undefined);
    this.set({ editing: undefined, scroll: 0 });
    form.goTo(step);
    const state = form.getState();
    // On the review the cursor is on Send, and that is in sight.
    if (questionOf(state) === undefined) this.set({ item: this.items(state).length - 1, scroll: undefined });
    else this.set({ item: 0 });
    this.resumeText();
  }

  handleKey(key: KeyPress): void {
    const { keymap, host } = this.options;
    if (keymap.is(key.name, "leave")) return this.leave(this.options.codeOnInterrupt);
    if (keymap.is(key.name, "suspend")) return host.suspend();
    if (keymap.is(key.name, "redraw")) {
      host.redraw();
      return this.set({});
    }
    if (this.#ui.notice !== undefined) this.set({ notice: undefined });
    if (this.#ui.editing !== undefined) return editKey(this, key);
    if (this.#ui.overlay !== undefined) return overlayKey(this, key);
    if (keymap.is(key.name, "help")) return this.set({ overlay: { kind: "help", top: 0 } });
    if (this.#ui.focus === "form") return formKey(this, key);
    listKey(this, key);
  }

  /** Pasted text goes where text goes; elsewhere it is no keys. */
  handlePaste(text: string): void {
    const { editing } = this.#ui;
    if (editing === undefined) return this.say("Open a text field to paste into it.");
    const typed = typedQuestion(this.form()?.getState(), editing.target);
    const oneLine = editing.target.kind === "filter" || editing.target.kind === "query" || (typed !== undefined && isOneLine(typed));
    writeText(this, insert(editing.buffer, oneLine ? onOneLine(text) : text, "other"));
  }

  leave(code = 0): void {
    this.options.host.exit(code);
  }

  /** A session that this person has settled: on to the next. */
  settledHere(words: string): void {
    const settled = this.openSession();
    this.set({ editing: undefined, overlay: undefined });
    if (this.options.once) return this.leave();
    this.open(undefined);
    if (settled !== undefined) this.reselect();
    this.say(words, "success");
  }

  close(): void {
    this.#attendance.attend(undefined);
    this.#watched?.stop();
    for (const stop of this.#stops) stop();
  }

  #changed(): void {
    this.#version += 1;
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      for (const listener of [...this.#listeners]) listener();
    });
  }

  #watchForm(): void {
    const form = this.form();
    if (this.#watched?.form === form) return;
    this.#watched?.stop();
    this.#watched = form === undefined ? undefined : { form, stop: form.subscribe(() => this.#formChanged(form)) };
  }

  #formChanged(form: AnswerForm): void {
    const { phase, settledHere, session, scheduled } = form.getState();
    this.#changed();
    if (this.#ui.open !== session.id) return;
    if (phase === "settled" && settledHere) {
      const sent =
        session.outcome?.kind === "cancelled" ? "Turned down." : session.reply === undefined ? "Sent." : "Reply kept for the agent.";
      // After the operation that settled it has returned.
      queueMicrotask(() => this.#ui.open === session.id && this.settledHere(sent));
    } else if (phase === "settled" && (this.#ui.editing !== undefined || this.#ui.overlay !== undefined)) {
      this.set({ editing: undefined, overlay: undefined, scroll: 0 });
    } else if (phase === "scheduled" && scheduled !== undefined && this.#ui.editing !== undefined) {
      this.set({ editing: undefined });
    }
  }

  #inboxChanged(): void {
    const { ready } = this.options.inbox.getState();
    this.#changed();
    if (!ready) return;
    if (!this.#started) return this.#start();
    this.reselect();
    this.#watchForm();
    const session = this.openSession();
    if (session !== undefined && session.status !== "pending") {
      this.#attendance.attend(undefined);
      const state = this.form()?.getState();
      if (this.options.once && state?.phase === "settled") {
        if (!state.settledHere) this.say(`${outcomeWords(session)}.`);
        if (session.outcome?.kind !== "timedOut") this.leave();
      }
    }
  }

  /** What is shown first: the session that was asked for, the only one there is, or the list. */
  #start(): void {
    this.#started = true;
    const { sessionId, once } = this.options;
    this.reselect();
    const { pending } = this.options.inbox.getState();
    if (sessionId !== undefined) return void this.#openAskedFor(sessionId);
    if (once || pending.size === 1) this.open(this.#firstSession(), "form");
  }

  async #openAskedFor(id: string): Promise<void> {
    try {
      const session = await this.options.desk.get(id);
      this.options.inbox.accept(session);
      this.set({ selected: session.id });
      this.open(session.id, "form");
    } catch {
      this.say(`No question with the id ${terminalLine(id)} was found.`, "error");
    }
  }

  #firstSession(): string | undefined {
    return this.entries().find((entry) => "session" in entry)?.id;
  }

  /** Keeps the list's cursor on a session: the same, or what took its place. */
  reselect(): void {
    const entries = this.entries();
    const { selected, open, focus, view } = this.#ui;
    const index = entries.findIndex(({ id }) => id === selected);
    if (index >= 0) this.#lastIndex = index;
    const next = index >= 0 ? selected : entries[Math.min(this.#lastIndex, entries.length - 1)]?.id;
    if (next !== selected) this.set({ selected: next });
    const isOpen = open !== undefined && (focus === "form" || entries.some(({ id }) => id === open));
    if (!isOpen && (view === "inbox" || open !== next)) this.preview();
  }

  /** While the list has the keys, the form's pane shows what its cursor is on. */
  preview(): void {
    const { selected, open } = this.#ui;
    const id = selected === "fold" ? undefined : selected;
    if (this.options.once && this.#ui.open === undefined && id !== undefined) return this.open(id, "form");
    if (id !== open) this.open(id, "list");
  }

  #arrived(session: SessionView): void {
    const title = terminalLine(sessionTitle(session));
    this.options.host.notify(title);
    const isBusy = this.#ui.focus === "form" && this.#ui.open !== undefined && this.#ui.open !== session.id;
    if (isBusy) this.say(`New: ${title}`);
  }
}

const onOneLine = (text: string): string =>
  text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .join(" ");
