/**
 * What the keys do where the focus is, for the footer, which shows as many as fit, and for the help, which shows all.
 *
 * 1. `hintsAt` finds out where the focus is: the palette, a search, an overlay, the list, a settled session, a text that is typed, or the form.
 * 2. Each place says what its keys do now, the most useful first; what doesn't apply leaves a gap.
 * 3. What applies to an open form in every inbox, and its words, comes from `formCommand`; here stands only what a terminal adds: the cursor,
 *    the digits, what Enter does next.
 *
 * A hint whose key does nothing is the fault to look for: the tests press every hint that is shown, and hold its words against what happens.
 */
import type { Question, SessionView } from "@askbox/core";
import { offeredOptions, traitsOf } from "@askbox/core/questions";
import { type FormState, isAnswered } from "@askbox/inbox";
import { decliningWords, type FormCommand, formCommand, isAboutActions, type KeyActionName, typingKey } from "@askbox/inbox/commands";
import { grantCommand } from "@askbox/inbox/list";
import { terminalLine, truncateLine } from "@askbox/terminal-text";
import { argumentsText } from "./arguments.ts";
import { documentIn } from "./document.ts";
import { stopFrom } from "./document-keys.ts";
import { fieldOf, hasPictures, type Item, isGrant, isPicked, itemsOf, questionOf, typedQuestion } from "./form-items.ts";
import { menuOf } from "./menus.ts";
import { filesOfMessage } from "./message-files.ts";
import { phrasesOf } from "./phrases.ts";
import { mayDecline, selectedForms } from "./selecting.ts";
import type { Seen } from "./turn.ts";
import { isDate, isOneLine } from "./typed-keys.ts";
import { canStart, type EditTarget, foundGrants, foundRan, isPath, isSearch, type Overlay, type UiState } from "./ui-state.ts";
import { unsentText } from "./unsent.ts";
import { shortKey } from "./words.ts";

/** A key, as it is named and as the terminal sends it, and what it does now. */
export interface Hint {
  key: string;
  words: string;
  /** One of its keys. */
  press: string;
}

/** What the keys do where the focus is, the most useful first. The footer shows as many as fit; the help shows all. */
export function hintsOf(ui: UiState, seen: Seen): Hint[] {
  return hintsAt(new Hints(ui, seen)).filter((hint) => hint !== undefined && hint !== false);
}

/** With gaps for what doesn't apply. */
type Sparse = (Hint | false | undefined)[];

function hintsAt(hints: Hints): Sparse {
  const { overlay, editing, focus, open } = hints.ui;
  if (editing?.target.kind === "palette") return [hints.fixed("enter", "do it"), hints.fixed("↑↓", "choose"), hints.fixed("esc", "close")];
  if (isSearch(editing?.target)) return searchHints(hints, editing?.target.kind === "grant" || editing?.target.kind === "ran");
  if (overlay !== undefined) return overlayHints(hints, overlay);
  if (focus === "list") return listHints(hints);
  const form = open === undefined ? undefined : hints.seen.form(open);
  if (form === undefined || form.phase === "settled") return settledHints(hints, form);
  if (form.phase === "sending") return [];
  const back = hints.fixed("esc", hints.seen.once ? "leave" : "list");
  if (form.phase === "scheduled") return [hints.does("undo", form), back];
  if (editing !== undefined) return typingHints(hints, form, editing.target);
  return formHints(hints, form, back);
}

// keys: keys as hints name them.
const pressed: Readonly<Record<string, string>> = { esc: "escape", "1–9": "1", "alt+1–9": "alt+1", "shift+↑↓": "shift+down", "↑↓": "down" };

class Hints {
  readonly ui: UiState;
  readonly seen: Seen;

  constructor(ui: UiState, seen: Seen) {
    this.ui = ui;
    this.seen = seen;
  }

  /** The first key of an action; while text is typed, the first that types no character. */
  of(action: KeyActionName, words: string): Hint {
    const { keymap } = this.seen;
    const press = this.ui.editing === undefined ? (keymap.keysOf(action)[0] ?? "") : typingKey(keymap, action);
    return { key: shortKey(press), words, press };
  }

  /** A command of the open form, if it applies. */
  does(name: FormCommand, form: FormState): Hint | undefined {
    const words = formCommand(name, form, questionOf(form));
    return words === undefined ? undefined : this.of(name, words);
  }

  /** What is often written here, shortened. */
  phrases(): Hint[] {
    return phrasesOf(this.ui, this.seen).map((phrase, index) =>
      this.fixed(`alt+${index + 1}`, `“${truncateLine(terminalLine(phrase), 24)}”`),
    );
  }

  /** A key that can't be bound otherwise. */
  fixed(key: string, words: string): Hint {
    return { key, words, press: pressed[key] ?? key };
  }
}

function overlayHints(hints: Hints, overlay: Overlay): Sparse {
  const { ui, seen } = hints;
  const isEmpty = ui.editing?.buffer.text.trim() === "";
  const close = hints.fixed("esc", "close");
  const back = hints.fixed("esc", "back");
  if (overlay.kind === "cancel")
    return [hints.fixed("enter", decliningWords(sessionOf(hints))), ...hints.phrases(), hints.of("newline", "new line"), back];
  if (overlay.kind === "askBack") return messageHints(hints, isEmpty, close);
  if (overlay.kind === "prefix") return [!isEmpty && hints.fixed("enter", "allow"), back];
  if (overlay.kind === "document") return documentHints(hints);
  if ("item" in overlay)
    return [menuOf(overlay.kind, ui, seen).choices.length > 0 && hints.fixed("enter", overlay.allows ? "allow" : "choose"), back];
  if (overlay.kind === "agents") return agentHints(hints, isEmpty, close);
  if (overlay.kind === "ran") {
    const under = foundRan(ui.ran)[ui.ran.item];
    return [
      under?.by.kind === "grant" && hints.of("revoke", "revoke its grant"),
      under !== undefined && grantCommand(under) !== undefined && hints.of("copy", "copy a grant"),
      hints.of("search", "search"),
      ui.ran.query === "" ? close : hints.fixed("esc", "all"),
    ];
  }
  if (overlay.kind !== "grants") return [hints.fixed("↑↓", "scroll"), close];
  return [
    foundGrants(ui.grants).length > 0 && hints.of("revoke", "revoke"),
    hints.of("search", "search"),
    ui.grants.query === "" ? close : hints.fixed("esc", "all grants"),
  ];
}

function searchHints(hints: Hints, isOfOverlay: boolean): Sparse {
  const found = hints.seen.entries(hints.ui).length;
  const clear = hints.fixed("esc", "clear");
  return isOfOverlay
    ? [hints.fixed("enter", "done"), clear]
    : [found > 0 && hints.fixed("enter", "open"), found > 1 && hints.fixed("↑↓", "choose"), hints.fixed("tab", "done"), clear];
}

function messageHints(hints: Hints, isEmpty: boolean, close: Hint): Sparse {
  const { ui } = hints;
  const target = ui.editing?.target;
  if (target?.kind === "messageFile") return pathHints(hints, "back");
  const isPending = sessionOf(hints)?.status === "pending";
  const sends = !isEmpty || filesOfMessage(ui, ui.open).attached.length > 0;
  return [
    target?.kind === "message" && target.file !== undefined && hints.of("revoke", "remove"),
    sends && hints.fixed("enter", isPending ? "ask" : "send"),
    isPending && hints.of("attach", "file"),
    hints.of("newline", "new line"),
    hints.of("editor", "editor"),
    close,
  ];
}

const pathHints = (hints: Hints, back: string): Sparse => [
  hints.fixed("enter", "attach"),
  hints.fixed("tab", "complete"),
  hints.fixed("esc", back),
];

function documentHints(hints: Hints): Sparse {
  const { ui, seen } = hints;
  if (ui.editing !== undefined)
    return [hints.fixed("enter", "keep"), hints.of("newline", "new line"), hints.of("editor", "editor"), hints.fixed("esc", "back")];
  const form = ui.open === undefined ? undefined : seen.form(ui.open);
  const document = documentIn(form, ui, seen.blocksOf);
  const question = form === undefined ? undefined : questionOf(form);
  const at = ui.overlay?.kind === "document" ? ui.overlay.to : 0;
  const stops = (key: "n" | "p") => document !== undefined && stopFrom(document, at, key) !== at;
  const isAnswerable = form !== undefined && question !== undefined && isAnswered(question, fieldOf(form, question)) && form.steps === 1;
  return [
    hints.of("comment", "comment"),
    document?.hasFiles && hints.of("read", "viewed"),
    stops("n") && hints.fixed("n", "next"),
    stops("p") && hints.fixed("p", "previous"),
    document?.markdown && hints.fixed("tab", document.markdown === "raw" ? "rendered" : "raw"),
    isAnswerable && hints.of("review", "send"),
    (document?.units.length ?? 0) > 1 && hints.fixed("shift+↑↓", "more lines"),
    hints.of("help", "keys"),
    hints.fixed("esc", "close"),
  ];
}

function agentHints(hints: Hints, isEmpty: boolean, close: Hint): Sparse {
  const { editing, agents } = hints.ui;
  if (editing !== undefined)
    return [!isEmpty && hints.fixed("enter", "send"), hints.of("newline", "new line"), hints.of("editor", "editor"), close];
  const agent = agents.all?.[agents.item];
  return [
    agent?.sessions.some(({ status }) => status === "pending") && hints.fixed("enter", "open its question"),
    agent?.takesMessages && hints.of("askBack", "write"),
    agent?.resume !== undefined && hints.of("copy", "copy how to resume"),
    close,
  ];
}

function listHints(hints: Hints): Sparse {
  const { ui, seen } = hints;
  const entries = seen.entries(ui);
  const { length } = selectedForms(ui, seen, entries);
  if (length > 0) {
    const words = `${decliningWords(undefined)} ${length}`;
    const others = [hints.fixed("esc", "select none"), hints.of("help", "keys")];
    return [hints.of("select", "select"), hints.of("snooze", `snooze ${length}`), hints.of("cancel", words), ...others];
  }
  const entry = entries.find(({ id }) => id === ui.selected);
  const isHistory = ui.view === "history";
  const isNarrow = isHistory
    ? ui.history.query !== "" || ui.history.ending !== undefined
    : ui.filter !== "" || Object.keys(ui.narrowing).length > 0;
  return [
    entry && hints.fixed("enter", "session" in entry ? "open" : ui.unfolded ? "hide" : "show"),
    isNarrow ? hints.fixed("esc", "show all") : isHistory && hints.fixed("esc", "inbox"),
    (ui.held.length > 0 || ui.snoozed.length > 0) && hints.of("undo", "undo"),
    hints.of("search", "search"),
    hints.of("arrange", "filter"),
    entry !== undefined && "session" in entry && !isHistory && hints.of("snooze", "snooze"),
    !isHistory && mayDecline(seen.form(ui.open ?? "")) && hints.of("cancel", decliningWords(sessionOf(hints))),
    !isHistory && mayDecline(seen.form(ui.open ?? "")) && entries.length > 1 && hints.of("select", "select"),
    hints.of("history", isHistory ? "inbox" : "history"),
    hints.of("grants", "grants"),
    hints.of("agents", "agents"),
    !seen.once && hints.of("palette", "palette"),
    hints.of("quit", "leave"),
    hints.of("help", "keys"),
  ];
}

function settledHints(hints: Hints, form: FormState | undefined): Sparse {
  const { ui, seen } = hints;
  const session = form?.session;
  const isUnsent = form !== undefined && unsentText(form, ui) !== undefined;
  const isReplaced = session?.replacedBy !== undefined && seen.form(session.replacedBy) !== undefined;
  return [
    hints.fixed("enter", isReplaced ? "open the new questions" : "close"),
    isUnsent && hints.of("copy", "copy what you wrote"),
    session && canStart(ui, session.id) && hints.of("wake", "start the agent again"),
    session && !isAboutActions(session) && hints.of("askBack", isUnsent ? "send as a follow-up" : "write to the agent"),
    form && hints.fixed("↑↓", "scroll"),
  ];
}

/** What Enter does with a text of one's own beside the options; undefined without one. */
function enterInOther({ fields, steps }: FormState, target: EditTarget): string | undefined {
  if (target.kind !== "other" || fields[target.questionId]?.otherText.trim() === "") return undefined;
  return steps > 1 ? "go on" : "send";
}

/** While a text of the form is typed. */
function typingHints(hints: Hints, form: FormState, target: EditTarget): Sparse {
  if (isPath(target)) return pathHints(hints, "stop typing");
  const typed = typedQuestion(form, target);
  const isText = typed === undefined || !isOneLine(typed);
  const isDay = !isText && isDate(typed);
  return [
    typed === undefined ? hints.fixed("enter", enterInOther(form, target) ?? "done") : enterOf(hints, form, typed),
    typed && hints.does("recommended", form),
    ...hints.phrases(),
    isText && hints.of("newline", "new line"),
    isText && hints.of("editor", "editor"),
    isDay && hints.fixed("↑↓", "day"),
    isDay && hints.fixed("shift+↑↓", "month"),
    typed && hints.does("skip", form),
    form.step < form.steps - 1 && hints.fixed("tab", "next"),
    hints.fixed("esc", "stop typing"),
  ];
}

/** In a form while no text is typed. */
function formHints(hints: Hints, form: FormState, back: Hint): Sparse {
  const question = questionOf(form);
  const item = itemsOf(form)[hints.ui.item];
  const common = [hints.does("askBack", form), hints.does("moreTime", form), hints.does("snooze", form), back, hints.of("help", "keys")];
  const reads = documentIn(form, hints.ui, hints.seen.blocksOf)
    ? "comment"
    : hasPictures(form, question, hints.seen.showsPictures) && "pictures";
  const files = [hints.does("attach", form)];
  if (question === undefined) {
    const enters = item?.kind === "answer" ? "change" : item?.kind === "comment" ? "type" : "send";
    return [
      hints.fixed("enter", enters),
      item?.kind === "file" && hints.of("revoke", "remove"),
      hints.fixed("1–9", "change"),
      hints.does("comment", form),
      ...files,
      reads && hints.of("read", reads),
      ...common,
    ];
  }
  return [
    ...ownHints(hints, form, question, item),
    hints.does("recommended", form),
    hints.does("earlier", form),
    hints.does("skip", form),
    reads && hints.of("read", reads),
    hints.does("note", form),
    hints.does("cancel", form),
    ...files,
    ...common,
  ];
}

/** The keys that answer a question. */
function ownHints(hints: Hints, form: FormState, question: Question, item: Item | undefined): Sparse {
  const { picks, widget } = traitsOf(question);
  const enter = enterOf(hints, form, question, item);
  if (picks === "decision") return decisionHints(hints, form, question, item, enter);
  if (item?.kind === "file") return [enter, hints.of("revoke", "remove")];
  if (offeredOptions(question).length === 0) return [enter];
  if (picks === "order") {
    const moves = item?.kind === "option" ? [hints.fixed("shift+↑↓", "move"), ...digits(hints, question, "rank")] : [];
    return [...moves, enter];
  }
  // While a document is read, the verdicts stand right above, with their keys.
  if (isReading(hints, question)) return [enter];
  const letters = widget === "yes-no" ? [hints.of("yes", "yes"), hints.of("no", "no")] : digits(hints, question, "pick");
  return [...letters, isUnpicked(form, question, item) && hints.of("toggle", "pick this"), enter];
}

/** The digits, and those of the options beyond the tenth. */
function digits(hints: Hints, question: Question, words: string): Sparse {
  return [hints.fixed("1–9", words), offeredOptions(question).length > 10 && hints.fixed("alt+1–9", `${words} from 11`)];
}

/** The keys that decide about an action. */
function decisionHints(hints: Hints, form: FormState, question: Question, item: Item | undefined, enter: Hint | undefined): Sparse {
  const isAgain = item?.kind === "option" && isGrant(question, item.value) && isPicked(question, fieldOf(form, question), item.value);
  return [
    hints.does("no", form),
    hints.does("allow", form),
    hints.does("always", form),
    item?.kind === "file" ? hints.of("revoke", "remove") : hints.of("toggle", isAgain ? "for how long" : "choose"),
    enter,
    argumentsText(form, question) !== undefined && hints.of("editor", "edit the arguments"),
  ];
}

/** What Enter does, on this item; undefined if it would only say what is missing. */
function enterOf(hints: Hints, form: FormState, question: Question, item?: Item): Hint | undefined {
  const field = fieldOf(form, question);
  const isWritten = item?.kind === "other" && field.other && field.otherText.trim() !== "";
  const isSkipped = field.skipped && (item?.kind === "text" || item?.kind === "option");
  if (item !== undefined && item.kind !== "option" && item.kind !== "file" && !isWritten && !isSkipped) return hints.fixed("enter", "type");
  const isPicked = isAnswered(question, field);
  const maySkip = !question.required && form.steps > 1;
  const isOnAnother = !isSkipped && !(isReading(hints, question) && isPicked) && isUnpicked(form, question, item);
  const goesOn = isOnAnother ? !isPicked && maySkip : isPicked || maySkip;
  return goesOn ? hints.fixed("enter", form.steps === 1 ? "send" : "go on") : undefined;
}

/** Whether the document of a question is read, above its verdicts. */
const isReading = ({ seen }: Hints, question: Question): boolean => "document" in question && seen.viewport.isItemBelow;

/** Whether the cursor is on an option that is not the answer, although only one can be. */
function isUnpicked(form: FormState, question: Question, item: Item | undefined): boolean {
  return item?.kind === "option" && traitsOf(question).picks !== "many" && !isPicked(question, fieldOf(form, question), item.value);
}

const sessionOf = ({ ui, seen }: Hints): SessionView | undefined => (ui.open === undefined ? undefined : seen.form(ui.open)?.session);
