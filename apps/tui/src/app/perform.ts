import { toAskboxError } from "@askbox/core";
import { lastApprovals } from "@askbox/core/grants";
import { type AnswerFile, answerProblem, maxFiles, traitsOf } from "@askbox/core/questions";
import type { ActionLook, AnswerForm, FormPart } from "@askbox/inbox";
import { listRan } from "@askbox/inbox/list";
import { deliveryText } from "@askbox/inbox/text";
import { terminalLine } from "@askbox/terminal-text";
import { showRefusal } from "../model/advance.ts";
import { agentsRead, agentsRefused } from "../model/agent-keys.ts";
import { argumentsEdited } from "../model/arguments.ts";
import { messageRefused, messageSent } from "../model/ask-back.ts";
import { fileAttached, fileRefused, pathCompleted } from "../model/attaching.ts";
import { replaceText } from "../model/edit-keys.ts";
import type { Attachment, Effect } from "../model/effects.ts";
import { filesOf, picturesOf } from "../model/form-items.ts";
import { grantsRead, grantsRefused } from "../model/grant-keys.ts";
import { answerHeld, answerRecalled } from "../model/held.ts";
import { snoozed } from "../model/menus.ts";
import { filesDropped } from "../model/message-files.ts";
import { ranRead, ranRefused } from "../model/ran-keys.ts";
import type { Turn } from "../model/turn.ts";
import type { Notice, UiState } from "../model/ui-state.ts";
import { arrivalWords } from "../model/words.ts";
import { readPath } from "../terminal/path.ts";
import type { AppOptions } from "./app-options.ts";
import type { History, Message, Messages } from "./requests.ts";

/** What effects need. */
export interface Performer {
  readonly options: AppOptions;
  readonly history: History;
  readonly messages: Messages;
  readonly look: ActionLook;
  readonly ui: UiState;
  formOf(sessionId: string): AnswerForm | undefined;
  step(run: (turn: Turn) => void): void;
  say(text: string, tone?: Notice["tone"]): void;
}

/** Performs the effects of a step. Their results arrive as further steps. */
export function perform(app: Performer, effect: Effect): void {
  const { host } = app.options;
  switch (effect.kind) {
    case "snooze":
      return void snooze(app, effect);
    case "searchHistory":
      return app.history.search(effect.query, effect.ending);
    case "moreHistory":
      return app.history.more(app.ui.history);
    case "readGrants":
      return void readGrants(app, effect.revoke);
    case "readRan":
      return void readRan(app, effect.revoke);
    case "readAgents":
      return void readAgents(app);
    case "readPast":
      return void readPast(app, effect.session);
    case "wake":
      return void wake(app, effect.id);
    case "messageAgent":
      return void messageAgent(app, effect);
    case "takeDropped":
      return void takeDropped(app, effect);
    case "completePath":
      return void completePath(app, effect.text);
    case "copy":
      return void copy(app, effect.text);
    case "showPictures":
      return void showPictures(app, effect);
    case "openInBrowser":
      return void openInBrowser(app, effect.id);
    case "editOutside":
      return void editOutside(app, effect.text);
    case "editArguments":
      return void editArguments(app, effect);
    case "exit":
      return host.exit(effect.code);
    case "askBack":
      return void askBack(app, effect);
    case "suspend":
      return host.suspend();
    case "redraw":
      return host.redraw();
    default: {
      const form = app.formOf(effect.session);
      if (form !== undefined) performOn(app, form, effect);
    }
  }
}

function performOn(
  app: Performer,
  form: AnswerForm,
  effect: Exclude<Extract<Effect, { session: string }>, Message | { kind: "editArguments" | "takeDropped" }>,
): void {
  switch (effect.kind) {
    case "edit":
      return form.edit(effect.questionId, effect.edit);
    case "comment":
      return form.setComment(effect.text, effect.files);
    case "reason":
      return form.setReason(effect.text);
    case "focus":
      return form.focus(effect.part);
    case "check":
      return void form.check();
    case "goTo":
      return form.goTo(effect.step);
    case "earlier":
      return form.applyEarlierAnswer();
    case "submit":
      app.look.sent();
      void sent(app, form, form.submit({ delay: delayOf(app) }));
      if (form.getState().awaitsFiles) app.say("Sends once the file is attached …");
      return;
    case "cancel":
      app.look.sent();
      return void sent(app, form, form.cancel(effect.reason, { delay: delayOf(app) }));
    case "attach":
      return void attach(app, form, effect);
    case "extend":
      return void extend(app, form, effect);
    case "recall":
      return void recall(app, form);
  }
}

/** A program that ends with its only answer sends it at once. */
const delayOf = ({ options: { once = false, undoDelay = 0 } }: Performer): number => (once ? 0 : undoDelay);

async function sent(app: Performer, form: AnswerForm, taken: Promise<boolean>): Promise<void> {
  if (!(await taken)) return app.step(showRefusal);
  // The next question may open now.
  app.look.sent();
  if (form.getState().phase === "scheduled") app.step((turn) => answerHeld(turn, form.sessionId));
}

async function askBack(app: Performer, message: Message): Promise<void> {
  try {
    app.options.inbox.accept(await app.messages.send(message));
    app.step((turn) => messageSent(turn, message.session));
  } catch (error) {
    app.step((turn) => messageRefused(turn, message.session, message.text, toAskboxError(error).message, message.files));
  }
}

async function snooze(app: Performer, { id, until }: Extract<Effect, { kind: "snooze" }>): Promise<void> {
  const { desk, inbox } = app.options;
  try {
    const session = await desk.snooze(id, { until });
    inbox.accept(session);
    app.step((turn) => snoozed(turn, session));
  } catch (error) {
    app.say(toAskboxError(error).message, "error");
  }
}

async function extend(app: Performer, form: AnswerForm, { timeout, label }: Extract<Effect, { kind: "extend" }>): Promise<void> {
  if (await form.extend(timeout)) {
    return app.say(timeout === null ? "There is no deadline now." : `The deadline is in ${label}.`, "success");
  }
  const { failure } = form.getState();
  if (failure !== undefined) app.say(failure.message, "error");
}

async function attach(app: Performer, form: AnswerForm, effect: Extract<Effect, { kind: "attach" }>): Promise<void> {
  const { editing } = app.ui;
  try {
    await attachFile(app, form, effect, readPath(effect.path));
  } catch (error) {
    app.step((turn) => fileRefused(turn, effect, `Not attached: ${toAskboxError(error).message}`, editing));
  }
}

/** Throws what the hub refuses, and what the question does not take. */
function attachFile(app: Performer, form: AnswerForm, attachment: Attachment, path: string): Promise<void> {
  const attached = uploadTo(app, form, attachment, path);
  const uploaded = attached.then(
    () => true,
    () => false,
  );
  const { to } = attachment;
  if (to !== "message") form.expectFile(to === "comment" ? undefined : to.questionId, uploaded);
  return attached;
}

async function uploadTo(app: Performer, form: AnswerForm, attachment: Attachment, path: string): Promise<void> {
  const file = await app.options.upload(form.sessionId, path);
  if (attachment.to !== "message") addTo(form, attachment.to, file);
  app.step((turn) => fileAttached(turn, attachment, file));
}

function addTo(form: AnswerForm, part: FormPart, file: AnswerFile): void {
  const state = form.getState();
  const present = filesOf(state, part).filter(({ sha256 }) => sha256 !== file.sha256);
  const files = [...present, file];
  if (files.length > maxFiles) throw new Error(`${maxFiles} files are the most; remove one first.`);
  if (part === "comment") return form.setComment(state.comment, files);
  const { questionId } = part;
  const question = state.session.questions.find(({ id }) => id === questionId);
  const wrong = question && traitsOf(question).attached && answerProblem(question, { questionId, values: [], files });
  if (wrong) throw new Error(wrong.message);
  form.setFiles(questionId, files);
}

async function takeDropped(app: Performer, { session, text }: Extract<Effect, { kind: "takeDropped" }>): Promise<void> {
  const paths = await app.options.host.droppedFiles(text);
  if (paths.length > 0) app.step((turn) => filesDropped(turn, session, text, paths));
}

async function completePath(app: Performer, text: string): Promise<void> {
  const completed = await app.options.host.completePath(text);
  app.step((turn) => pathCompleted(turn, text, completed));
}

async function recall(app: Performer, form: AnswerForm): Promise<void> {
  if (await form.recall()) app.step((turn) => answerRecalled(turn, form.sessionId));
  else app.say(form.getState().failure?.message ?? "There is no answer to undo.", "warning");
}

async function readGrants(app: Performer, revoke: string | undefined): Promise<void> {
  const { grants } = app.options;
  try {
    if (revoke !== undefined) await grants.remove(revoke);
    const all = await grants.list();
    app.step((turn) => grantsRead(turn, all, revoke));
  } catch (error) {
    app.step((turn) => grantsRefused(turn, toAskboxError(error).message));
  }
}

/** The newest that a person scrolls through. */
const mostRan = 500;

async function readRan(app: Performer, revoke: string | undefined): Promise<void> {
  const { grants, ran } = app.options;
  try {
    const isRevoked = revoke === undefined ? undefined : await grants.remove(revoke);
    const list = await listRan(ran, {}, mostRan);
    app.step((turn) => ranRead(turn, list, isRevoked));
  } catch (error) {
    app.step((turn) => ranRefused(turn, toAskboxError(error).message));
  }
}

async function readAgents(app: Performer): Promise<void> {
  try {
    const all = await app.options.desk.conversations();
    app.step((turn) => agentsRead(turn, all));
  } catch (error) {
    app.step((turn) => agentsRefused(turn, toAskboxError(error).message));
  }
}

/** Without an answer, nothing is said about the past. */
async function readPast(app: Performer, session: string): Promise<void> {
  const asker = app.formOf(session)?.getState().session.asker;
  if (asker === undefined || app.ui.past?.session === session) return;
  const all = await lastApprovals(app.options.desk, asker).catch(() => undefined);
  if (all !== undefined) app.step((turn) => turn.set({ past: { session, all } }));
}

async function wake(app: Performer, id: string): Promise<void> {
  app.say("Waking the agent…");
  try {
    const session = await app.options.desk.wake(id);
    app.options.inbox.accept(session);
    const told = deliveryText(session, terminalLine);
    if (told !== undefined) app.say(told, session.waking?.state === "failed" ? "warning" : "success");
  } catch (error) {
    app.say(toAskboxError(error).message, "warning");
  }
}

async function messageAgent(app: Performer, { id, text }: Extract<Effect, { kind: "messageAgent" }>): Promise<void> {
  try {
    // Asked for first, since a message that wakes its agent makes it busy. An agent's own id has none.
    const asked = app.options.desk.outlook(id).catch(() => undefined);
    const [session, outlook] = await Promise.all([app.messages.sendToAgent(id, text), asked]);
    const isTaken = session.status === "pending" && (outlook === undefined || outlook.next === "waits");
    if (app.options.inbox.find(session.id) !== undefined) app.options.inbox.accept(session);
    app.say(`Sent. ${isTaken ? "The agent gets it now; its question stays open." : arrivalWords(session, outlook)}`, "success");
    await readAgents(app);
  } catch (error) {
    app.step((turn) => messageRefused(turn, id, text, toAskboxError(error).message));
  }
}

async function copy(app: Performer, text: string): Promise<void> {
  const way = await app.options.host.copy(text);
  if (way === "failed") app.say("No clipboard is available: no tool was found, and the terminal doesn't offer one.", "warning");
  else app.say(way === "tool" ? "Copied." : "Copied to the terminal's clipboard.", "success");
}

async function showPictures(app: Performer, { id, questionId }: Extract<Effect, { kind: "showPictures" }>): Promise<void> {
  const { host, picture } = app.options;
  const form = app.formOf(id)?.getState();
  const question = form?.session.questions.find((each) => each.id === questionId);
  if (form === undefined || (question === undefined && questionId !== undefined)) return;
  const pictures = picturesOf(form, question).map(({ sha256, caption }) => ({ caption, load: () => picture(id, sha256) }));
  if (host.showsPictures && (await host.viewPictures(pictures)) === "closed") return;
  await openInBrowser(app, id);
}

async function openInBrowser(app: Performer, id: string): Promise<void> {
  try {
    if (await app.options.openInBrowser?.(id)) app.say("Opened in your browser.", "success");
    else app.say("No browser can be opened here; `askbox open --print` prints a link for one elsewhere.", "warning");
  } catch (error) {
    app.say(toAskboxError(error).message, "error");
  }
}

async function editArguments(app: Performer, effect: Extract<Effect, { kind: "editArguments" }>): Promise<void> {
  const { text, problem } = await app.options.host.edit(effect.text);
  if (problem !== undefined) app.say(problem, "error");
  if (text !== undefined) app.step((turn) => argumentsEdited(turn, effect.session, effect.questionId, text));
}

/** Gives the terminal to the editor until it exits. The answer is only sent when the user submits it here. */
async function editOutside(app: Performer, draft: string): Promise<void> {
  const { text, problem } = await app.options.host.edit(draft);
  if (problem !== undefined) app.say(problem, "error");
  if (text !== undefined) app.step((turn) => replaceText(turn, text));
}
