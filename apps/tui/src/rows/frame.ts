/**
 * A frame: everything on the screen, from the state of the app. From 100 columns on, the list stands beside the form; below that, and for a screen
 * reader, one of them has the screen. An overlay takes the place of both: keys, reader, grants, agents, palette or a document.
 *
 * The model moves the cursor and knows no rows; this keeps the scroll positions, and reports back how much there is to see (`app.viewport`) and
 * which actions were seen to their end (`app.look`). However little room head and dialog leave, the body has a row.
 */
import { searchWords } from "@askbox/core/questions";
import { optionsInOrder } from "@askbox/inbox";
import { typingKey } from "@askbox/inbox/commands";
import type { App } from "../app/app.ts";
import { blocksOf, richRows } from "../markdown/rich-text.ts";
import { documentIn } from "../model/document.ts";
import { fieldOf, questionOf } from "../model/form-items.ts";
import type { Overlay } from "../model/ui-state.ts";
import { unsentText } from "../model/unsent.ts";
import { emptyRow, line, paneGap, type Row, span, wrap } from "../text/row.ts";
import { type Body, BodyBuilder, topOf } from "./body.ts";
import { barRow, hintRow, replacesPanes, searchCursor, verdictRow } from "./bottom-rows.ts";
import { type Dialog, dialogRows, menuRows } from "./dialog-rows.ts";
import { documentLayout, filesBeside, withSticky } from "./document-rows.ts";
import { formBody, previewOf, questionRows } from "./form-body.ts";
import { agentRows, grantRows, helpRows, listRows, paletteRows, ranRows, rowsOfEntry } from "./list-rows.ts";
import { backgroundRows, outlookRows, sessionHead, settledBody } from "./session-rows.ts";

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
/** From this width on, the files of a document are listed beside it. */
const withFiles = 120;
const fileListWidth = 36;

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
    // A question that is declined from the list is shown meanwhile.
    const showsForm = isWide || ui.focus === "form" || ui.overlay?.kind === "cancel";
    const bar = isWide || !showsForm || ui.overlay?.kind === "help" || replacesPanes(ui.overlay) ? barRow(app, columns) : undefined;
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
    if (ui.overlay?.kind === "ran") {
      app.viewport = { ...app.viewport, listEntries: Math.max(1, Math.floor(height / rowsOfEntry)) };
      const pane = ranRows({ ran: ui.ran, width: columns, height, now: app.now(), plain });
      return { bar, panes: [{ rows: pane, width: columns }], height, hint: hintRow(app, columns, ""), cursor: searchCursor(app, columns) };
    }
    if (ui.overlay?.kind === "palette") {
      app.viewport = { ...app.viewport, bodyRows: height };
      const pane = paletteRows({ commands: app.palette(), at: ui.overlay.at, width: columns, height, plain });
      return { bar, panes: [{ rows: pane, width: columns }], height, hint: hintRow(app, columns, ""), cursor: searchCursor(app, columns) };
    }
    if (ui.overlay?.kind === "agents") {
      const dialog = dialogRows(app, columns, height, plain);
      const room = Math.max(1, height - dialog.rows.length);
      app.viewport = { ...app.viewport, listEntries: Math.max(1, Math.floor(room / rowsOfEntry)) };
      const pane = agentRows({ agents: ui.agents, width: columns, height: room, now: app.now(), plain });
      // The dialog is right below the agents.
      const cursor = dialog.cursor && { x: dialog.cursor.column, y: offset + pane.length + dialog.cursor.row };
      return { bar, panes: [{ rows: [...pane, ...dialog.rows], width: columns }], height, hint: hintRow(app, columns, ""), cursor };
    }
    if (ui.overlay?.kind === "document") {
      const { panes, cursor } = this.#document(app, ui.overlay, columns, height, plain);
      return {
        bar,
        panes,
        height,
        hint: hintRow(app, columns, this.#more),
        cursor: cursor && { x: cursor.column, y: offset + cursor.row },
      };
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
    const { selected, selection, unfolded } = ui;
    const { drafts } = inbox.getState();
    const list = {
      entries,
      selected,
      selection: ui.view === "inbox" ? selection : [],
      unfolded,
      hasFocus: ui.focus === "list",
      width,
      height: Math.max(1, height - dialog.length),
      now: app.now(),
      plain,
      drafts,
      searchTerms: searchWords(ui.view === "history" ? ui.history.query : ui.filter),
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
    const head = [...sessionHead(session, state, app.now(), width), ...outlookRows(session, ui.outlook, width)];
    const isRoomy = height >= 16;
    if (isRoomy) head.push(emptyRow);
    const dialog = dialogRows(app, width, height, plain);
    let bodyHeight = Math.max(1, height - head.length - dialog.rows.length);
    const fieldWidth = Math.max(4, width - (ui.editing?.target.kind === "other" ? 6 : 2));
    const body = this.#body(app, width, plain);
    const key = `${session.id} ${state.step} ${state.phase === "settled"}`;
    if (this.#bodyOf !== key) this.#bodyTop = 0;
    this.#bodyOf = key;
    const question = questionOf(state);
    const { verdicts } = body;
    const isInSight = (from: number, end: number) => verdicts !== undefined && verdicts.from >= from && verdicts.to < end;
    let top = topOf(body, bodyHeight, this.#bodyTop, ui.scroll);
    const isPinned =
      verdicts !== undefined &&
      ui.focus === "form" &&
      ui.editing === undefined &&
      dialog.rows.length === 0 &&
      !isInSight(top, top + bodyHeight);
    if (isPinned && question !== undefined) {
      bodyHeight = Math.max(1, bodyHeight - 1);
      top = topOf(body, bodyHeight, this.#bodyTop, ui.scroll);
      dialog.rows.push(verdictRow(question, fieldOf(state, question), width));
    }
    this.#bodyTop = top;
    const isItemBelow = (body.focus?.from ?? 0) >= top + bodyHeight;
    const bodyLength = body.rows.length;
    app.viewport = { ...app.viewport, fieldWidth, bodyRows: bodyHeight, bodyTop: top, bodyLength, isItemBelow, unitTops: undefined };
    const shown = withSticky(body.rows.slice(top, top + bodyHeight), body.sticky, top);
    if (question !== undefined && body.action !== undefined && ui.focus === "form") {
      const { from, to } = body.action;
      const isEndInView = to >= top && to < top + bodyHeight;
      app.look.saw(question.id, {
        isInView: isEndInView || (from < top + bodyHeight && to >= top),
        isEndInView,
        version: state.fields[question.id]?.input,
      });
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
    const isShown = at !== undefined && at.row >= top && at.row < top + bodyHeight && ui.focus === "form";
    return { rows, cursor: isShown ? { x: at.column, y: head.length + at.row - top } : undefined };
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
      viewed: ui.viewed,
      now: app.now(),
      width,
      plain,
      showsPictures: options.host.showsPictures,
      keyOf: (action) => options.keymap.keysOf(action)[0] ?? "",
      typingKeyOf: (action) => typingKey(options.keymap, action),
    });
    if (state.phase === "scheduled" && state.scheduled !== undefined) {
      const seconds = Math.max(0, Math.ceil((state.scheduled.sendAt - app.now()) / 1_000));
      const what = state.scheduled.declines ? "decline" : "answer";
      const words = `The ${what} is sent in ${seconds} s. Press ${options.keymap.keysOf("undo")[0] ?? ""} to undo.`;
      body.rows.unshift(...wrap([span(words, "warning", { strong: true })], width), emptyRow);
      return { ...body, focus: undefined, cursor: undefined };
    }
    return body;
  }

  /** A document that is open: with a list of its files beside it if there is room for both, and the verdicts below. */
  #document(
    app: App,
    overlay: Extract<Overlay, { kind: "document" }>,
    columns: number,
    height: number,
    plain: boolean,
  ): Pick<Frame, "panes"> & Pick<Dialog, "cursor"> {
    const state = app.form()?.getState();
    const document = documentIn(state, app.ui, blocksOf);
    if (state === undefined || document === undefined) return { panes: [{ rows: [], width: columns }] };
    const { files, hasFiles, question } = document;
    const left = hasFiles && files.length > 1 && columns >= withFiles && !plain ? fileListWidth : 0;
    const width = left === 0 ? columns : columns - left - paneGap;
    const dialog = dialogRows(app, width, height, plain);
    const verdicts = "document" in question && app.ui.editing === undefined ? [verdictRow(question, fieldOf(state, question), width)] : [];
    const room = Math.max(1, height - dialog.rows.length - verdicts.length);
    const { from, to } = overlay;
    const layout = documentLayout(document, { width, plain, marked: { from, to }, listsFiles: left === 0 });
    const body: Body = { ...new BodyBuilder().body, rows: layout.rows, focus: layout.focus };
    const top = topOf(body, room, this.#documentTop, overlay.scroll);
    this.#documentTop = top;
    const { unitTops } = layout;
    app.viewport = { ...app.viewport, bodyRows: room, bodyTop: top, bodyLength: layout.rows.length, unitTops };
    this.#more = moreWords(top, layout.rows.length - top - room);
    const rows = withSticky(layout.rows.slice(top, top + room), layout.sticky, top);
    // The dialog is at the bottom, as below a form.
    while (rows.length < room) rows.push(emptyRow);
    const cursor = dialog.cursor && {
      column: dialog.cursor.column + (left === 0 ? 0 : left + paneGap),
      row: rows.length + dialog.cursor.row,
    };
    const pane = { rows: [...rows, ...dialog.rows, ...verdicts], width };
    const panes = left === 0 ? [pane] : [{ rows: filesBeside(document, to, left, height), width: left }, pane];
    return { panes, ...(cursor && { cursor }) };
  }

  #overlay(app: App, width: number, height: number, plain: boolean): Row[] {
    const { overlay } = app.ui;
    const all = overlay?.kind === "help" ? helpRows(app.options.keymap, app.hints({ under: true }), width) : readerRows(app, width, plain);
    const top = overlay !== undefined && "top" in overlay ? Math.min(overlay.top, Math.max(0, all.length - height)) : 0;
    app.viewport = { ...app.viewport, bodyRows: height, bodyTop: top, bodyLength: all.length, isItemBelow: false };
    this.#more = moreWords(top, all.length - top - height);
    return all.slice(top, top + height);
  }
}

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

/** How much there is above and below the visible part. */
function moreWords(above: number, below: number): string {
  return [above > 0 ? `↑${above}` : "", below > 0 ? `↓${below} more` : ""].filter((part) => part !== "").join(" ");
}
