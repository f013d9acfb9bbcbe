import { isAskboxError } from "../errors.ts";
import { defined } from "../objects.ts";
import type { Desk, DeskEvent, Watch, WatchFilter } from "../ports/desk.ts";
import type { Answer } from "../session/answer.ts";
import { offeredOptions, type Question, traitsOf } from "../session/questions/index.ts";
import type { SessionView } from "../session/view.ts";
import { labelOf, valueNamed } from "./chosen.ts";

/** The types of question of the `ask_user` contract. */
const contractTypes = ["text", "select", "multi-select", "confirm"] as const;

/** A question in the `ask_user` design's shape: an option is the text that a person sees. */
export interface AskUserQuestion {
  id: string;
  question: string;
  type: (typeof contractTypes)[number];
  options?: string[];
  required: boolean;
  placeholder?: string;
}

/** The events of the `ask_user` design between its bridge and its UI; `requestId` is the session's id. */
export type AskUserEvent =
  | { type: "cn_ask_user.asked"; requestId: string; questions: AskUserQuestion[]; title?: string }
  | { type: "cn_ask_user.answered"; requestId: string; answers: Answer[] }
  /** The design has no event for a passed deadline; `timedOut` distinguishes it from a person's no. */
  | { type: "cn_ask_user.cancelled"; requestId: string; timedOut?: true };

/**
 * Watches a desk with the events of the `ask_user` design: one event when a session is asked, or already pending, and one when it is
 * settled, regardless of further changes and reconnects. Approvals are not part of the design and are left out.
 */
export function watchAskUser(desk: Desk, filter: WatchFilter, listener: (event: AskUserEvent) => void): Promise<Watch> {
  return desk.watch(filter, askUserEvents(desk, listener));
}

/** A listener for a desk's events that reports them as those of the `ask_user` design. */
export function askUserEvents(desk: Pick<Desk, "get">, listener: (event: AskUserEvent) => void): (event: DeskEvent) => void {
  const open = new Set<string>();
  const onEvent = (session: SessionView) => {
    const { id: requestId, status, title } = session;
    if (status !== "pending") return open.delete(requestId) && listener(endOf(session));
    const questions = open.has(requestId) ? undefined : askUserQuestions(session.questions);
    if (questions === undefined) return;
    open.add(requestId);
    listener({ type: "cn_ask_user.asked", requestId, questions, ...defined({ title }) });
  };
  const remove = (requestId: string) => open.delete(requestId) && listener({ type: "cn_ask_user.cancelled", requestId });
  /** Sessions that are missing in a new snapshot were settled while disconnected. */
  const lookAt = (id: string) =>
    desk.get(id).then(onEvent, (error: unknown) => void (isAskboxError(error, "SESSION_NOT_FOUND") && remove(id)));
  return (event) => {
    if (event.type === "session") onEvent(event.session);
    if (event.type === "removed") remove(event.sessionId);
    if (event.type !== "snapshot") return;
    const pending = new Set(event.sessions.map(({ id }) => id));
    for (const id of open) if (!pending.has(id)) void lookAt(id);
    event.sessions.forEach(onEvent);
  };
}

/** Questions in the design's shape; undefined if one of them has none, as approvals, which must be shown whole. */
export function askUserQuestions(questions: readonly Question[]): AskUserQuestion[] | undefined {
  const shaped = questions.flatMap((question): AskUserQuestion[] => {
    const { picks, formField, readFirst } = traitsOf(question);
    if (picks === "decision" || readFirst || (picks === undefined && formField === undefined)) return [];
    const own = contractTypes.find((type) => type === question.type);
    const type = own ?? (picks === undefined ? "text" : picks === "one" ? "select" : "multi-select");
    const isChosen = "options" in question || (own === undefined && picks !== undefined);
    const options = isChosen ? { options: textsOf(question) } : {};
    const { id, question: text, required } = question;
    const hint = "placeholder" in question && question.placeholder !== undefined ? { placeholder: question.placeholder } : {};
    return [{ id, question: text, type, ...options, required, ...hint }];
  });
  return shaped.length === questions.length ? shaped : undefined;
}

const textsOf = (question: Question) => offeredOptions(question).map(({ value }) => labelOf(question, value));

/** Answers that name options by the texts of `askUserQuestions`, as a desk takes them. Options' own values are accepted too. */
export function answersFromAskUser(questions: readonly Question[], answers: readonly Answer[]): Answer[] {
  const byId = new Map(questions.map((question) => [question.id, question]));
  return answers.map((answer) => {
    const question = byId.get(answer.questionId);
    if (question === undefined) return answer;
    return { ...answer, values: answer.values.map((text) => valueNamed(question, text) ?? text) };
  });
}

/** Answers with their options as the texts of `askUserQuestions`. */
function shownAnswers(questions: readonly Question[], answers: readonly Answer[]): Answer[] {
  const withTexts = new Map(questions.filter((question) => "options" in question).map((question) => [question.id, question]));
  return answers.map((answer) => {
    const question = withTexts.get(answer.questionId);
    return question === undefined ? answer : { ...answer, values: answer.values.map((value) => labelOf(question, value)) };
  });
}

function endOf({ id: requestId, outcome, questions }: SessionView): AskUserEvent {
  if (outcome?.kind === "answered") {
    return { type: "cn_ask_user.answered", requestId, answers: shownAnswers(questions, outcome.answers) };
  }
  return { type: "cn_ask_user.cancelled", requestId, ...(outcome?.kind === "timedOut" ? { timedOut: true as const } : {}) };
}
