import type { SessionView } from "@askbox/core";
import { placeText } from "@askbox/core/documents";
import { cut, readGrantValue } from "@askbox/core/questions";
import { sessionTitle } from "@askbox/inbox";
import { isDecision } from "@askbox/inbox/commands";
import { isDenial } from "@askbox/inbox/list";
import { longDuration } from "@askbox/inbox/text";
import type { App } from "../app/app.ts";
import { editorRows } from "../editor/editor.ts";
import { bufferOf, type TextBuffer } from "../editor/text-buffer.ts";
import { questionOf } from "../model/form-items.ts";
import { filesOfMessage } from "../model/message-files.ts";
import { pastWords } from "../model/past-grants.ts";
import { type EditTarget, isInDialog, isPath } from "../model/ui-state.ts";
import { line, type Row, type Span, span, wrap } from "../text/row.ts";
import { BodyBuilder } from "./body.ts";
import { fieldMark, fileSpans, pathPlaceholder } from "./form-body.ts";

/** The heading above a reason, with the name of what is declined: a single action is denied, a plan is sent back, and a denial agreed with. */
function decliningOf(session: SessionView | undefined, selected: number): { title: string; placeholder: string } {
  if (selected > 1) return { title: `Decline ${selected} questions? Reason for the agents (optional):`, placeholder: "Reason" };
  const [question] = session?.questions ?? [];
  const isPlan = isDecision(session) && question !== undefined && "action" in question && question.action.kind === "plan";
  if (isPlan) return { title: "Keep planning? What to change (optional):", placeholder: "What to change" };
  if (session !== undefined && isDenial(session))
    return { title: "Agree with the denial? Words for the agent (optional):", placeholder: "Your words" };
  const name = session === undefined ? "this question" : `“${cut(sessionTitle(session), 60)}”`;
  return { title: `${isDecision(session) ? "Deny" : "Decline"} ${name}? Reason for the agent (optional):`, placeholder: "Reason" };
}

/** The heading above a message to an agent that has not asked. */
const writing = {
  title: "Write to this agent. It gets this at once if it waits, or else when it comes back.",
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
  const number =
    target.kind === "message" || target.kind === "messageFile"
      ? (session?.questions.findIndex(({ id }) => id === target.about) ?? -1) + 1
      : 0;
  const about = number === 0 ? "" : ` about question ${number}`;
  const then = session?.presence.asker === "away" ? "It has left, and gets this when it comes back." : "The question stays open.";
  return { title: `Ask the agent${about} first. ${then}`, placeholder: "What do you want to know?" };
}

/** An open menu. On a small screen only the choices around the cursor are shown. */
export function menuRows(app: App, width: number, height: number): Row[] {
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
export interface Dialog {
  rows: Row[];
  cursor?: { row: number; column: number };
}

/** The files of the message to the agent; of many, those around the cursor. */
function messageFileRows({ ui }: App, width: number, most: number, plain: boolean): Row[] {
  const { attached } = filesOfMessage(ui, ui.open);
  const target = ui.editing?.target;
  const at = target?.kind === "message" ? target.file : undefined;
  const rows = attached.map((file, index) => {
    const { first, rest } = fileSpans(file, index === at, plain);
    return line([first, ...rest], width);
  });
  if (rows.length <= most) return rows;
  const start = Math.max(0, (at ?? rows.length - 1) - most + 2);
  return [line([span(`  ${rows.length} files: ↓ goes through them`, "dim")], width), ...rows.slice(start, start + most - 1)];
}

/** Adds at most `most` rows of a text, around its cursor. */
function addText(builder: BodyBuilder, buffer: TextBuffer, placeholder: string, width: number, most: number, isActive = true): void {
  const { rows, cursor } = editorRows(buffer, Math.max(4, width - fieldMark.text.length), placeholder);
  const first = Math.max(0, cursor.row - most + 1);
  const mark: Span = isActive ? fieldMark : { ...fieldMark, token: "dim" };
  builder.field({ rows: rows.slice(first, first + most), cursor: { ...cursor, row: cursor.row - first } }, mark, isActive, isActive);
}

/** The dialog below the form: a menu, the reason of a cancellation, or a message to the agent. */
export function dialogRows(app: App, width: number, height: number, plain: boolean): Dialog {
  const { overlay, editing, focus, unsent, open = "" } = app.ui;
  if (focus === "form" && overlay !== undefined && "item" in overlay) return { rows: menuRows(app, width, height) };
  if (overlay !== undefined && isInDialog(editing?.target) && editing !== undefined) {
    const { target, buffer } = editing;
    const { title, placeholder } =
      overlay.kind === "agents" || (overlay.kind === "askBack" && app.openSession()?.status !== "pending")
        ? writing
        : overlay.kind === "prefix"
          ? grantingOf(overlay.grant)
          : target.kind === "line"
            ? {
                title: `Comment on ${placeText(target.comment).replace(/^Line(?=s? \d)/, "line")}${target.comment.text === "" ? "" : "; no text deletes it"}:`,
                placeholder: "Your comment",
              }
            : overlay.kind === "cancel"
              ? decliningOf(app.openSession(), app.selectedCount())
              : asking(app.openSession(), target);
    const builder = new BodyBuilder().add([ruleRow(width), ...wrap([span(title, "heading")], width)]);
    if (overlay.kind === "prefix") builder.add(pastRows(app, overlay.grant, buffer.text, width));
    const isPathTyped = isPath(target);
    const isRoomy = height >= 16;
    const files = overlay.kind === "askBack" ? messageFileRows(app, width, isRoomy ? 4 : 2, plain) : [];
    const most = isRoomy ? 4 : 4 - files.length - (isPathTyped ? 1 : 0);
    const isInText = !isPathTyped && !(target.kind === "message" && target.file !== undefined);
    addText(builder, isPathTyped ? bufferOf(unsent[open] ?? "") : buffer, placeholder, width, most, isInText);
    builder.add(files);
    if (isPathTyped) addText(builder, buffer, pathPlaceholder, width, isRoomy ? 4 : 1);
    const { body } = builder;
    return body.cursor === undefined ? { rows: body.rows } : { rows: body.rows, cursor: body.cursor };
  }
  const lost = app.options.inbox.getState().connection === "lost" && app.options.inbox.getState().ready;
  if (lost) return { rows: wrap([span("The hub cannot be reached; trying again. What you type is kept.", "error")], width) };
  return { rows: [] };
}
