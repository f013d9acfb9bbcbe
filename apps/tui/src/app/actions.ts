import { offeredOptions } from "@askbox/core";
import { type AnswerForm, type FormState, sessionTitle } from "@askbox/react";
import { terminalText } from "@askbox/terminal-text";
import type { App } from "./app.ts";
import { questionOf } from "./form-items.ts";

/** From a question to the next, to the review, or — where there is but one question — away with the answer. */
export function goOn(app: App): void {
  const form = app.form();
  if (form === undefined) return;
  const { steps, step, session } = form.getState();
  if (steps === 1) return void submit(app);
  const question = questionOf(form.getState());
  form.next();
  // What must be answered is not left by Enter, which people press twice.
  const { errors } = form.getState();
  if (question !== undefined && errors[question.id] !== undefined && step < session.questions.length) return stayAt(app, step);
  app.goTo(step + 1);
}

export async function submit(app: App): Promise<void> {
  const form = app.form();
  if (form === undefined) return;
  const { undoDelay = 0 } = app.options;
  const taken = await form.submit({ delay: undoDelay });
  if (!taken) showProblem(app, form);
}

/** Goes to what keeps the answer from being sent, or says why the hub did not take it. */
function showProblem(app: App, form: AnswerForm): void {
  const { failure, step } = form.getState();
  if (failure !== undefined) {
    if (failure.code !== "SESSION_CLOSED") app.say(failure.message, "error");
    return;
  }
  stayAt(app, step);
}

/** Another step begins at its top; who is kept at this one has to see why. */
function stayAt(app: App, step: number): void {
  app.goTo(step);
  app.set({ scroll: undefined });
}

export function cancelSession(app: App, reason: string): void {
  const form = app.form();
  if (form === undefined) return;
  void form.cancel(reason).then((taken) => {
    if (!taken) showProblem(app, form);
  });
}

export const timeChoices = [
  { label: "5 minutes", timeout: 5 * 60_000 },
  { label: "15 minutes", timeout: 15 * 60_000 },
  { label: "no limit", timeout: null },
] as const;

export function extend(app: App, choice: number): void {
  const form = app.form();
  const chosen = timeChoices[choice];
  if (form === undefined || chosen === undefined) return;
  app.set({ overlay: undefined });
  void form.extend(chosen.timeout).then((taken) => {
    const { failure } = form.getState();
    if (taken) app.say(chosen.timeout === null ? "There is no time limit any more." : `There are ${chosen.label} from now.`, "success");
    else if (failure !== undefined) app.say(failure.message, "error");
  });
}

export async function undoAnswer(app: App): Promise<void> {
  const form = app.form();
  if (form === undefined) return;
  if (await form.recall()) app.say("The answer was taken back; nothing was sent.", "success");
  else app.say(form.getState().failure?.message ?? "There is no answer on its way.", "warning");
}

export async function copyQuestion(app: App): Promise<void> {
  const state = app.form()?.getState();
  if (state === undefined) return;
  const way = await app.options.host.copy(questionText(state));
  if (way === "failed") app.say("There is no clipboard here: neither a tool nor a terminal that would take it.", "warning");
  else app.say(way === "tool" ? "The question was copied." : "The question was handed to the terminal's clipboard.", "success");
}

/** The present question, or on the review all of them, as plain text. */
function questionText(state: FormState): string {
  const { session } = state;
  const present = questionOf(state);
  const asked = present === undefined || state.phase === "settled" ? session.questions : [present];
  const parts = asked.map((question) => {
    const options = offeredOptions(question).map(
      ({ label, description }) => `- ${label}${description === undefined ? "" : `: ${description}`}`,
    );
    return [question.question, ...("options" in question ? options : [])].join("\n");
  });
  const title = asked.length > 1 ? [sessionTitle(session)] : [];
  return terminalText([...title, ...parts].join("\n\n"));
}
