/**
 * The terminal inbox between its model, which is pure, and the world.
 *
 * A key, a paste or a change of the inbox becomes a *step* of the model: a new state, and effects. The state is kept, the effects are performed
 * (`perform`), and what comes of them arrives as further steps. Steps that come together are drawn together. The screen only reads from here; the
 * one thing that it reports is what could be seen, on which allowing an action depends.
 *
 * What can go wrong, and what happens then:
 * - keys come faster than frames: what they opened has not been seen, and nothing in it is allowed;
 * - a letter has no effect: it was meant for a text field that has gone, and so are the letters right after it, which decide nothing;
 * - the open session is settled or replaced elsewhere: the cursor is found again by what it was on, and what was typed is kept;
 * - a session that was asked for by its id isn't there: the screen says so and shows the list.
 */
import type { SessionView } from "@askbox/core";
import { ActionLook, type AnswerForm, Attendance, sessionTitle } from "@askbox/inbox";
import { isAwaited } from "@askbox/inbox/describe";
import { isDenial, waitingIn } from "@askbox/inbox/list";
import { terminalLine } from "@askbox/terminal-text";
import type { KeyPress } from "../editor/editor.ts";
import { blocksOf } from "../markdown/rich-text.ts";
import { pasteText } from "../model/edit-keys.ts";
import { arrived, formChanged, inboxChanged, settledHere, started } from "../model/events.ts";
import { type Item, itemsOf } from "../model/form-items.ts";
import { type Hint, hintsOf } from "../model/hints.ts";
import { createListEntries } from "../model/list-entries.ts";
import { type Menu, menuOf } from "../model/menus.ts";
import { open, reselect } from "../model/navigate.ts";
import { type PaletteCommand, paletteCommands } from "../model/palette.ts";
import { press } from "../model/press.ts";
import { selectedForms } from "../model/selecting.ts";
import { type Seen, type Step, stepOf, type Turn, type Viewport } from "../model/turn.ts";
import { initialUi, type ListEntry, type Notice, type UiState } from "../model/ui-state.ts";
import type { AppOptions } from "./app-options.ts";
import { type Performer, perform } from "./perform.ts";
import { History, Messages } from "./requests.ts";

/** Runs the model: feeds it events, keeps its state and performs its effects. */
export class App implements Performer {
  readonly options: AppOptions;
  readonly history: History;
  readonly messages: Messages;
  /** What could be seen of the actions of the open form; the renderer reports it. */
  readonly look: ActionLook;
  /** Set by the renderer. */
  viewport: Viewport = { fieldWidth: 60, bodyRows: 20, listEntries: 10, bodyTop: 0, bodyLength: 0, isItemBelow: false };
  #ui: UiState = initialUi;
  #version = 0;
  #scheduled = false;
  #started = false;
  /** The session with the text that is being edited. */
  #edited: string | undefined;
  #looked: string | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #entries = createListEntries();
  readonly #attendance: Attendance;
  readonly #stops: (() => void)[] = [];
  /** What the cursor could be on after the last step, by which it is found again when the form changes between two. */
  #items: readonly Item[] = [];
  #depth = 0;
  #watched: { form: AnswerForm; stop: () => void } | undefined;

  constructor(options: AppOptions) {
    this.options = options;
    const { desk, clock, inbox } = options;
    this.look = new ActionLook(clock);
    this.messages = new Messages(desk);
    this.#attendance = new Attendance(desk, clock);
    this.history = new History(desk, clock, (change) =>
      this.step((turn) => {
        turn.set({ history: change(turn.ui.history) });
        if (turn.ui.view === "history") reselect(turn);
      }),
    );
    this.#stops.push(
      inbox.subscribe(() => this.#inboxChanged()),
      inbox.onArrival((session) => this.#arrived(session)),
    );
    this.#inboxChanged();
  }

  get ui(): UiState {
    return this.#ui;
  }

  /** A counter for `useSyncExternalStore` that changes with every update. */
  getVersion = (): number => this.#version;
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  now(): number {
    return this.options.clock.now();
  }

  entries(): readonly ListEntry[] {
    return this.#entries(this.options.inbox.getState(), this.#ui, this.now());
  }

  /** The session in the form pane. */
  openSession(): SessionView | undefined {
    const { open: id } = this.#ui;
    return id === undefined ? undefined : this.#session(id);
  }

  /** The form of the session in the form pane; it keeps what was typed there before. */
  form(): AnswerForm | undefined {
    const { open: id } = this.#ui;
    return id === undefined ? undefined : this.formOf(id);
  }

  formOf(id: string): AnswerForm | undefined {
    const session = this.#session(id);
    return session === undefined ? undefined : this.options.forms.of(session, { layout: "steps" });
  }

  items(): Item[] {
    const state = this.form()?.getState();
    return state === undefined ? [] : itemsOf(state, this.#ui.editing?.target.kind);
  }

  /** Another page is a new look. Going back to the list ends one. */
  lookAtOpen(): void {
    this.look.open(this.#ui.focus === "form" ? this.#ui.open : undefined);
  }

  /** What the keys do now; `under` says it of what the help covers. */
  hints({ under = false }: { under?: boolean } = {}): Hint[] {
    const { overlay } = this.#ui;
    return hintsOf(under ? { ...this.#ui, overlay: overlay?.kind === "help" ? overlay.over : undefined } : this.#ui, this.#seen());
  }

  /** How many questions of the list are selected. */
  selectedCount(): number {
    return selectedForms(this.#ui, this.#seen(), this.entries()).length;
  }

  isSending(): boolean {
    return this.#ui.focus === "form" && this.form()?.getState().phase === "sending";
  }

  /** The menu that is open. */
  menu(): Menu | undefined {
    const { overlay } = this.#ui;
    return overlay !== undefined && "item" in overlay ? menuOf(overlay.kind, this.#ui, this.#seen()) : undefined;
  }

  /** The commands of the palette that match. */
  palette(): readonly PaletteCommand[] {
    return paletteCommands(this.#ui, this.#seen());
  }

  handleKey(key: KeyPress): void {
    // Letters that follow typed text without a pause belong to it, even if its field has gone.
    const { editing, open: shown } = this.#ui;
    const isText = key.text !== undefined && (editing !== undefined || shown === undefined || this.look.typing.isGoingOn);
    const step = press(this.#ui, key, this.#seen());
    const isLost = key.text !== undefined && this.#didNothing(step) && !this.options.keymap.find(key.name, ["up", "down"] as const);
    this.#take(step);
    if (isText || isLost) this.look.typing.typed();
  }

  handlePaste(text: string): void {
    this.look.typing.typed();
    this.step((turn) => pasteText(turn, text));
  }

  say(text: string, tone: Notice["tone"] = "info"): void {
    this.step((turn) => turn.say(text, tone));
  }

  /** Handles an event other than a key. */
  step(run: (turn: Turn) => void): void {
    this.#take(stepOf(this.#ui, this.#seen(), run));
  }

  close(): void {
    this.#attendance.attend(undefined);
    this.#watched?.stop();
    for (const stop of this.#stops) stop();
  }

  /** A letter without an effect was meant for a text field that isn't there, and the next ones belong to it. */
  #didNothing({ state, effects }: Step): boolean {
    const { notice, ...others } = state;
    const before: Partial<UiState> = this.#ui;
    return (
      effects.length === 0 && notice === undefined && Object.entries(others).every(([key, value]) => before[key as keyof UiState] === value)
    );
  }

  #seen(): Seen {
    const { keymap, inbox, host, once = false, codeOnInterrupt = 0 } = this.options;
    const now = this.now();
    // Several keys can come before the next frame: what they opened has not been seen.
    this.lookAtOpen();
    return {
      keymap,
      now,
      viewport: this.viewport,
      once,
      codeOnInterrupt,
      showsPictures: host.showsPictures,
      look: this.look,
      blocksOf,
      entries: (ui) => this.#entries(inbox.getState(), ui, now),
      form: (id) => this.formOf(id)?.getState(),
    };
  }

  /** When a text begins to be edited, reads what is often written in its project. Without an answer, none is offered. */
  #readPhrases(): void {
    const session = this.#ui.editing === undefined ? undefined : this.openSession();
    if (session?.id === this.#edited) return;
    this.#edited = session?.id;
    if (session === undefined) return;
    const { project } = session.asker;
    this.options.desk.phrases(project).then(
      (phrases) => this.step((turn) => turn.set({ phrases: { ...turn.ui.phrases, [project ?? ""]: phrases } })),
      () => {},
    );
  }

  /** When a session is opened, and when it changes in what matters for that, reads how its agent will get the outcome. */
  #readOutlook(): void {
    const session = this.#ui.focus === "form" ? this.openSession() : undefined;
    const isOpen = session !== undefined && isAwaited(session);
    const key = isOpen ? [session.id, session.status, session.presence.asker, session.waking?.state].join(" ") : undefined;
    if (key === this.#looked) return;
    this.#looked = key;
    if (!isOpen) return;
    const { id } = session;
    // A hub that is too old doesn't say.
    this.options.desk.outlook(id).then(
      (told) => this.step((turn) => turn.set({ outlook: { session: id, told } })),
      () => {},
    );
  }

  #take({ state, effects }: Step): void {
    this.#ui = state;
    this.#changed();
    this.#follow();
    this.#depth += 1;
    for (const effect of effects) perform(this, effect);
    this.#depth -= 1;
    if (this.#depth === 0) this.#items = this.items();
    this.#readPhrases();
    this.#readOutlook();
  }

  #session(id: string): SessionView | undefined {
    return this.options.inbox.find(id) ?? this.#ui.history.items.find((session) => session.id === id);
  }

  #changed(): void {
    this.#version += 1;
    if (this.#scheduled) return;
    this.#scheduled = true;
    // biome-ignore lint/style/noRestrictedGlobals: it is no clock, but lets keys that came together be drawn together.
    setImmediate(() => {
      this.#scheduled = false;
      for (const listener of [...this.#listeners]) listener();
    });
  }

  /** Follows the open session: reports it to the hub, unless it is only shown beside the list, and subscribes to its form. */
  #follow(): void {
    const session = this.#ui.focus === "form" ? this.openSession() : undefined;
    this.#attendance.attend(session?.status === "pending" ? session.id : undefined);
    const form = this.form();
    if (this.#watched?.form === form) return;
    this.#watched?.stop();
    this.#watched = form === undefined ? undefined : { form, stop: form.subscribe(() => this.#formChanged(form)) };
  }

  #formChanged(form: AnswerForm): void {
    const { phase, settledHere: isOurs } = form.getState();
    const before = this.#depth === 0 ? this.#items : undefined;
    this.step((turn) => formChanged(turn, before));
    // Runs after the operation that settled it has returned.
    if (phase === "settled" && isOurs) queueMicrotask(() => this.#ui.open === form.sessionId && this.step(settledHere));
  }

  #inboxChanged(): void {
    const { ready } = this.options.inbox.getState();
    if (!ready) return this.#changed();
    if (this.#started) return this.step(inboxChanged);
    this.#started = true;
    const { sessionId, inbox } = this.options;
    this.step((turn) => started(turn, waitingIn(inbox.getState().pending), sessionId !== undefined));
    if (sessionId !== undefined) void this.#openAskedFor(sessionId);
  }

  async #openAskedFor(id: string): Promise<void> {
    try {
      const session = await this.options.desk.get(id);
      this.options.inbox.accept(session);
      this.step((turn) => {
        turn.set({ selected: session.id });
        open(turn, session.id, "form");
      });
    } catch {
      this.say(`No question with the id ${terminalLine(id)} was found.`, "error");
    }
  }

  #arrived(session: SessionView): void {
    // It waits for nobody.
    if (isDenial(session)) return;
    this.options.host.notify(terminalLine(sessionTitle(session)));
    this.step((turn) => arrived(turn, session));
  }
}
