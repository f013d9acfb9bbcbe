import type { SessionView } from "@askbox/core";
import { placeText } from "@askbox/core/documents";
import { readGrantValue, searchWords } from "@askbox/core/questions";
import { optionsInOrder } from "@askbox/react";
import { typingKey } from "@askbox/react/keymap";
import { groupings } from "@askbox/react/triage";
import type { App } from "../app/app.ts";
import { editorRows } from "../editor/editor-rows.ts";
import { richRows } from "../markdown/rich-text.ts";
import { documentIn } from "../model/document-keys.ts";
import { fieldOf, isDecision, questionOf } from "../model/form-items.ts";
import { pastWords } from "../model/past-grants.ts";
import { type EditTarget, foundGrants, isInDialog, isSearch } from "../model/ui-state.ts";
import { unsentText } from "../model/unsent.ts";
import { endingNames, groupName, longDuration } from "../model/words.ts";
import { emptyRow, line, paneGap, type Row, span, splitLine, wrap } from "../text/row.ts";
import { agentRows } from "./agent-rows.ts";
import { backgroundRows } from "./background-rows.ts";
import { type Body, BodyBuilder, topOf } from "./body.ts";
import { commentedRows } from "./document-rows.ts";
import { formBody, previewOf, questionRows } from "./form-body.ts";
import { fieldMark } from "./form-field.ts";
import { grantRows } from "./grant-rows.ts";
import { helpRows } from "./help-rows.ts";
import { hintRow } from "./hint-rows.ts";
import { listRows, rowsOfEntry } from "./list-rows.ts";
import { sessionHead } from "./session-head.ts";
import { settledBody } from "./settled-body.ts";

/** A screen: a title bar, one or two panes, and a hint line. All rows fit, so nothing is wrapped. */
export interface Frame {
  bar: Row | undefined;
  /** From left to right. */
  panes: readonly { rows: readonly Row[]; width: number }[];
  /** The number of rows of the panes. */
  height: number;
  hint: Row;
  /** The position of the terminal's cursor, in cells from the upper left corner; undefined if no text is being edited. */
  cursor: { x: number; y: number } | undefined;
}

export interface FrameOptions {
  columns: number;
  rows: number;
  plain: boolean;
}

/** From this width on, the list is shown next to the form. */
const wide = 100;

/** Keeps the scroll positions of list and form between frames. */
export class FrameMaker {
  #listTop = 0;
  #bodyTop = 0;
  #bodyOf: string | undefined;
  #documentTop = 0;
  #more = "";

  frame(app: App, { columns, rows, plain }: FrameOptions): Frame {
    const { ui } = app;
    app.lookAtOpen();
    const isWide = columns >= wide && !plain && !app.options.once;
    const showsForm = isWide || ui.focus === "form";
    const bar = isWide || ui.focus === "list" || ui.overlay?.kind === "help" || isLooked(ui.overlay) ? barRow(app, columns) : undefined;
    const height = Math.max(1, rows - 1 - (bar === undefined ? 0 : 1));
    this.#more = "";
    const offset = bar === undefined ? 0 : 1;
    if (ui.overlay?.kind === "help" || ui.overlay?.kind === "reader") {
      const pane = this.#overlay(app, columns, height, plain);
      return { bar, panes: [{ rows: pane, width: columns }], height, hint: hintRow(app, columns, this.#more), cursor: undefined };
    }
    if (ui.overlay?.kind === "grants") {
      app.viewport = { ...app.viewport, listEntries: Math.max(1, Math.floor(height / rowsOfEntry)) };
      const pane = grantRows({ grants: ui.grants, width: columns, height, now: app.now(), plain });
      return { bar, panes: [{ rows: pane, width: columns }], height, hint: hintRow(app, columns, ""), cursor: searchCursor(app, columns) };
    }
    if (ui.overlay?.kind === "agents") {
      const dialog = dialogRows(app, columns, height);
      const room = Math.max(1, height - dialog.rows.length);
      app.viewport = { ...app.viewport, listEntries: Math.max(1, Math.floor(room / rowsOfEntry)) };
      const pane = agentRows({ agents: ui.agents, width: columns, height: room, now: app.now(), plain });
      // The dialog is right below the agents.
      const cursor = dialog.cursor && { x: dialog.cursor.column, y: offset + pane.length + dialog.cursor.row };
      return { bar, panes: [{ rows: [...pane, ...dialog.rows], width: columns }], height, hint: hintRow(app, columns, ""), cursor };
    }
    if (ui.overlay?.kind === "document") {
      const made = this.#document(app, ui.overlay, columns, height, plain);
      const cursor = made.cursor && { x: made.cursor.column, y: offset + made.cursor.row };
      return { bar, panes: [{ rows: made.rows, width: columns }], height, hint: hintRow(app, columns, this.#more), cursor };
    }
    const listWidth = isWide ? Math.min(48, Math.max(34, Math.floor(columns * 0.34))) : columns;
    const panes: { rows: Row[]; width: number }[] = [];
    if (isWide || !showsForm) panes.push({ rows: this.#list(app, listWidth, height, plain), width: listWidth });
    let cursor: Frame["cursor"];
    if (showsForm) {
      const left = isWide ? listWidth + paneGap : 0;
      const width = columns - left;
      const form = this.#form(app, width, height, plain);
      panes.push({ rows: form.rows, width });
      cursor = form.cursor === undefined ? undefined : { x: left + form.cursor.x, y: offset + form.cursor.y };
    }
    cursor = searchCursor(app, columns) ?? cursor;
    return { bar, panes, height, hint: hintRow(app, columns, this.#more), cursor };
  }

  #list(app: App, width: number, height: number, plain: boolean): Row[] {
    const { ui } = app;
    const { inbox } = app.options;
    app.viewport = { ...app.viewport, listEntries: Math.max(1, Math.floor(height / rowsOfEntry)) };
    const entries = app.entries();
    const dialog = ui.focus === "list" ? menuRows(app, width, height) : [];
    if (entries.length === 0) return [...emptyListRows(app, width), ...dialog];
    const { selected, unfolded } = ui;
    const { drafts } = inbox.getState();
    const list = {
      entries,
      selected,
      unfolded,
      hasFocus: ui.focus === "list",
      width,
      height: Math.max(1, height - dialog.length),
      now: app.now(),
      plain,
      drafts,
      sought: searchWords(ui.view === "history" ? ui.history.query : ui.filter),
      before: this.#listTop,
    };
    const { rows, top } = listRows(list);
    this.#listTop = top;
    return [...rows, ...dialog];
  }

  #form(app: App, width: number, height: number, plain: boolean): { rows: Row[]; cursor: { x: number; y: number } | undefined } {
    const session = app.openSession();
    const state = app.form()?.getState();
    if (session === undefined || state === undefined) return { rows: [line([span("", "dim")], width)], cursor: undefined };
    const { ui } = app;
    const head = sessionHead(session, state, app.now(), width);
    const isRoomy = height >= 16;
    if (isRoomy) head.push(emptyRow);
    const dialog = dialogRows(app, width, height);
    const bodyHeight = Math.max(1, height - head.length - dialog.rows.length);
    const fieldWidth = Math.max(4, width - (ui.editing?.target.kind === "other" ? 6 : 2));
    const body = this.#body(app, width, plain);
    const key = `${session.id} ${state.step} ${state.phase === "settled"}`;
    if (this.#bodyOf !== key) this.#bodyTop = 0;
    this.#bodyOf = key;
    const top = topOf(body, bodyHeight, this.#bodyTop, ui.scroll);
    this.#bodyTop = top;
    app.viewport = { ...app.viewport, fieldWidth, bodyRows: bodyHeight, bodyTop: top, bodyLength: body.rows.length };
    const shown = body.rows.slice(top, top + bodyHeight);
    const question = questionOf(state);
    if (question !== undefined && body.action !== undefined && ui.focus === "form") {
      const { from, to } = body.action;
      const isEndInView = to >= top && to < top + bodyHeight;
      app.look.saw(question.id, { isInView: isEndInView || (from < top + bodyHeight && to >= top), isEndInView });
    }
    this.#more = moreWords(top, body.rows.length - top - bodyHeight);
    const rows = [...head, ...shown];
    if (dialog.rows.length > 0) {
      while (rows.length < height - dialog.rows.length) rows.push(emptyRow);
      const y = rows.length;
      rows.push(...dialog.rows);
      return { rows, cursor: dialog.cursor === undefined ? undefined : { x: dialog.cursor.column, y: y + dialog.cursor.row } };
    }
    const at = body.cursor;
    const isInSight = at !== undefined && at.row >= top && at.row < top + bodyHeight && ui.focus === "form";
    return { rows, cursor: isInSight ? { x: at.column, y: head.length + at.row - top } : undefined };
  }

  #body(app: App, width: number, plain: boolean): Body {
    const session = app.openSession();
    const state = app.form()?.getState();
    if (session === undefined || state === undefined) return new BodyBuilder().body;
    const { ui, options } = app;
    if (state.phase === "settled") {
      const unsent = unsentText(state, ui);
      return settledBody({ session, unsent, now: app.now(), width, plain, copyKey: options.keymap.keysOf("copy")[0] ?? "" });
    }
    const hasKeys = ui.focus === "form";
    const body = formBody({
      state,
      items: app.items(),
      item: hasKeys ? ui.item : undefined,
      editing: hasKeys ? ui.editing : undefined,
      past: ui.past,
      now: app.now(),
      width,
      plain,
      keyOf: (action) => options.keymap.keysOf(action)[0] ?? "",
      typingKeyOf: (action) => typingKey(options.keymap, action),
    });
    if (state.phase === "scheduled" && state.scheduled !== undefined) {
      const seconds = Math.max(0, Math.ceil((state.scheduled.sendAt - app.now()) / 1_000));
      const words = `The answer is sent in ${seconds} s. Press ${options.keymap.keysOf("undo")[0] ?? ""} to undo.`;
      body.rows.unshift(...wrap([span(words, "warning", { strong: true })], width), emptyRow);
      return { ...body, focus: undefined, cursor: undefined };
    }
    return body;
  }

  #document(app: App, marked: { from: number; to: number }, width: number, height: number, plain: boolean): Dialog {
    const document = documentIn(app.form()?.getState());
    if (document === undefined) return { rows: [] };
    const dialog = dialogRows(app, width, height);
    const room = Math.max(1, height - dialog.rows.length);
    const { rows, top, below } = commentedRows({ document, marked, width, height: room, plain, before: this.#documentTop });
    this.#documentTop = top;
    app.viewport = { ...app.viewport, bodyRows: room };
    this.#more = moreWords(top, below);
    // The dialog is at the bottom, as below a form.
    while (dialog.rows.length > 0 && rows.length < room) rows.push(emptyRow);
    const cursor = dialog.cursor && { column: dialog.cursor.column, row: rows.length + dialog.cursor.row };
    return { rows: [...rows, ...dialog.rows], ...(cursor && { cursor }) };
  }

  #overlay(app: App, width: number, height: number, plain: boolean): Row[] {
    const { overlay } = app.ui;
    const all = overlay?.kind === "help" ? helpRows(app.options.keymap, app.hints({ under: true }), width) : readerRows(app, width, plain);
    const top = overlay !== undefined && "top" in overlay ? Math.min(overlay.top, Math.max(0, all.length - height)) : 0;
    app.viewport = { ...app.viewport, bodyRows: height, bodyTop: top, bodyLength: all.length };
    this.#more = moreWords(top, all.length - top - height);
    return all.slice(top, top + height);
  }
}

const searchLabel = "Search: ";

/** Whether an overlay replaces the panes with a list of its own. */
const isLooked = (overlay: App["ui"]["overlay"]): boolean => overlay?.kind === "grants" || overlay?.kind === "agents";

/** Where the terminal's cursor stands while a search is typed. */
function searchCursor({ ui: { editing } }: App, columns: number): Frame["cursor"] {
  if (editing === undefined || !isSearch(editing.target)) return undefined;
  const { column } = editorRows(editing.buffer, 10_000).cursor;
  return { x: Math.min(columns - 1, searchLabel.length + column), y: 0 };
}

function barRow(app: App, width: number): Row {
  const { ui, options } = app;
  const { pending, connection, ready, refusal } = options.inbox.getState();
  const { editing } = ui;
  if (editing !== undefined && isSearch(editing.target)) {
    return line([span(searchLabel, "accent"), span(editing.buffer.text)], width);
  }
  const isLost = ready && connection === "lost";
  const state =
    refusal !== undefined ? [span(refusal.message, "error")] : isLost ? [span("hub not reachable – trying again", "error")] : [];
  const isGrants = ui.overlay?.kind === "grants";
  const isAgents = ui.overlay?.kind === "agents";
  const search = isAgents ? "" : isGrants ? ui.grants.query : ui.view === "history" ? ui.history.query : ui.filter;
  const ending = ui.view === "history" && ui.history.ending !== undefined ? [endingNames[ui.history.ending]] : [];
  const isInbox = !isGrants && !isAgents && ui.view === "inbox";
  const only = isInbox ? groupings.flatMap((by) => (ui.narrowing[by] === undefined ? [] : groupName(by, ui.narrowing[by]))) : [];
  const narrowed = [...(search === "" ? [] : [`“${search}”`]), ...only, ...(isGrants || isAgents ? [] : ending)].map((what) =>
    span(`  ${what}`, "warning"),
  );
  const found = foundGrants(ui.grants).length;
  const count = isGrants
    ? `${found} ${found === 1 ? "grant" : "grants"}`
    : isAgents
      ? agentWords(ui.agents.all?.length)
      : ui.view === "history"
        ? `${ui.history.items.length}${ui.history.nextCursor === undefined ? "" : "+"} settled`
        : waitingWords(pending.size - ui.held.length);
  const name = isGrants ? "askbox grants" : isAgents ? "askbox agents" : ui.view === "history" ? "askbox history" : "askbox";
  return splitLine([span(name, "heading"), span(`  ${ready ? count : "connecting"}`, "dim"), ...narrowed], state, width);
}

const agentWords = (count = 0): string => (count === 0 ? "" : count === 1 ? "1 agent" : `${count} agents`);
const waitingWords = (count: number): string =>
  count === 0 ? "no questions waiting" : count === 1 ? "1 question waiting" : `${count} questions waiting`;

function emptyListRows(app: App, width: number): Row[] {
  const { ui, options } = app;
  const { ready, connection } = options.inbox.getState();
  if (ui.view === "history") {
    const words = ui.history.failure ?? (ui.history.loading ? "Searching…" : "No results.");
    return wrap([span(words, "dim")], width);
  }
  if (!ready)
    return wrap([span(connection === "lost" ? "The hub cannot be reached; trying again." : "Connecting to the hub.", "dim")], width);
  if (ui.filter !== "" || Object.keys(ui.narrowing).length > 0) return wrap([span("No questions match.", "dim")], width);
  return [emptyRow, ...wrap([span("You're all caught up. New questions appear here.", "dim")], width)];
}

/** The question, what its option means, and what the agent was doing, in full. */
function readerRows(app: App, width: number, plain: boolean): Row[] {
  const state = app.form()?.getState();
  const question = state === undefined ? undefined : questionOf(state);
  const background = state === undefined ? [] : backgroundRows(state.session, width, plain);
  if (state === undefined || question === undefined)
    return [...(state?.session.questions ?? []).flatMap((each) => [...richRows(each.question, width, plain), emptyRow]), ...background];
  const item = app.items()[app.ui.item];
  const option = item?.kind === "option" ? optionsInOrder(question, fieldOf(state, question))[item.index] : undefined;
  return [
    ...questionRows(question, width, plain),
    ...(option?.preview === undefined ? [] : previewOf(option, width, plain)),
    ...background,
  ];
}

/** The heading above a reason: a single action is denied rather than declined. */
const decliningOf = (session: SessionView | undefined) => ({
  title: `${isDecision(session) ? "Deny this action" : "Decline this question"}? Reason for the agent (optional):`,
  placeholder: "Reason",
});

/** The heading above a message to an agent that has not asked. */
const writing = {
  title: "Write to this agent. It gets this at once if it waits, or else with its next call.",
  placeholder: "Your message",
};
/** The heading above the first words of the commands to allow. */
function grantingOf(grant: string): { title: string; placeholder: string } {
  const { scope, duration = 0 } = readGrantValue(grant) ?? {};
  const where = scope === "session" ? "for the rest of this conversation, at most" : "in this project, for";
  return { title: `Allow any command that begins with these words, ${where} ${longDuration(duration)}:`, placeholder: "First words" };
}

/** What a prefix would have allowed. */
function pastRows(app: App, grant: string, text: string, width: number): Row[] {
  const form = app.form()?.getState();
  const question = form === undefined ? undefined : questionOf(form);
  if (form === undefined || question === undefined) return [];
  const { scope = "project" } = readGrantValue(grant) ?? {};
  return wrap([span(pastWords(app.ui.past, form.session, question, { scope, prefix: text.trim() }) ?? "", "dim")], width);
}

/** The heading above a message to the agent: what it is about, and whether the agent is there to reply. */
function asking(session: SessionView | undefined, target: EditTarget): { title: string; placeholder: string } {
  const number = target.kind === "message" ? (session?.questions.findIndex(({ id }) => id === target.about) ?? -1) + 1 : 0;
  const about = number === 0 ? "" : ` about question ${number}`;
  const then = session?.presence.asker === "away" ? "It has left, and gets this with its next call." : "The question stays open.";
  return { title: `Ask the agent${about} first. ${then}`, placeholder: "What do you want to know?" };
}

/** An open menu. On a small screen only the choices around the cursor are shown. */
function menuRows(app: App, width: number, height: number): Row[] {
  const { overlay } = app.ui;
  const menu = app.menu();
  if (overlay === undefined || !("item" in overlay) || menu === undefined) return [];
  const { title, note = "", choices } = menu;
  const more = note === "" ? [] : wrap([span(note, "dim")], width);
  const shown = Math.max(1, Math.min(choices.length, height - 4 - more.length));
  const first = Math.min(Math.max(0, overlay.item - shown + 1), choices.length - shown);
  const rows = choices.slice(first, first + shown).flatMap(({ label, isOn }, index) => {
    const at = first + index;
    const isAt = at === overlay.item;
    const on = isOn === undefined ? [] : [span(isOn ? "(•) " : "( ) ", isOn ? "accent" : "dim")];
    const lead = [span(isAt ? "› " : "  ", "accent"), span(at < 9 ? `${at + 1} ` : "  ", "dim"), ...on];
    return wrap([span(label, isAt ? "selection" : undefined)], width, { first: lead });
  });
  return [ruleRow(width), ...wrap([span(title, "heading")], width), ...rows, ...more];
}

const ruleRow = (width: number): Row => line([span("─".repeat(width), "border")], width);

/** Rows, and where the terminal's cursor stands in them. */
interface Dialog {
  rows: Row[];
  cursor?: { row: number; column: number };
}

/** The dialog below the form: a menu, the reason of a cancellation, or a message to the agent. */
function dialogRows(app: App, width: number, height: number): Dialog {
  const { overlay, editing, focus } = app.ui;
  if (focus === "form" && overlay !== undefined && "item" in overlay) return { rows: menuRows(app, width, height) };
  if (overlay !== undefined && isInDialog(editing?.target) && editing !== undefined) {
    const { title, placeholder } =
      overlay.kind === "agents" || (overlay.kind === "askBack" && app.openSession()?.status !== "pending")
        ? writing
        : overlay.kind === "prefix"
          ? grantingOf(overlay.grant)
          : editing.target.kind === "line"
            ? { title: `Comment on ${placeText(editing.target.comment)}; no text deletes it:`, placeholder: "Your comment" }
            : overlay.kind === "cancel"
              ? decliningOf(app.openSession())
              : asking(app.openSession(), editing.target);
    const builder = new BodyBuilder().add([ruleRow(width), ...wrap([span(title, "heading")], width)]);
    if (overlay.kind === "prefix") builder.add(pastRows(app, overlay.grant, editing.buffer.text, width));
    const { rows, cursor } = editorRows(editing.buffer, Math.max(4, width - fieldMark.text.length), placeholder);
    const first = Math.max(0, cursor.row - 3);
    builder.field({ rows: rows.slice(first, first + 4), cursor: { ...cursor, row: cursor.row - first } }, fieldMark, true, true);
    const { body } = builder;
    return body.cursor === undefined ? { rows: body.rows } : { rows: body.rows, cursor: body.cursor };
  }
  const lost = app.options.inbox.getState().connection === "lost" && app.options.inbox.getState().ready;
  if (lost) return { rows: wrap([span("The hub cannot be reached; trying again. What you type is kept.", "error")], width) };
  return { rows: [] };
}

/** How much there is above and below the visible part. */
function moreWords(above: number, below: number): string {
  return [above > 0 ? `↑${above}` : "", below > 0 ? `↓${below} more` : ""].filter((part) => part !== "").join(" ");
}
