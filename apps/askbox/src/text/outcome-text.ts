import type { Actor, Answer, Question, SessionView } from "@askbox/core";
import { surfaceTitle } from "@askbox/core/clients";
import { answerText, own } from "@askbox/core/questions";
import { terminalLine, terminalText } from "@askbox/terminal-text";
import { ago } from "./duration.ts";
import { excerpt } from "./excerpt.ts";

/** Longer answers are cut for display; `--json` has them whole. */
const maxShownLength = 4_000;

/** An answer for display, sanitised. */
export function shownAnswer(question: Question, answer: Answer): string {
  return excerpt(terminalText(answerText(question, answer)), maxShownLength) || "(skipped)";
}

/** All answers on one line, for sentences. */
export function answersLine(questions: readonly Question[], answers: readonly Answer[]): string {
  return answers
    .flatMap((answer) => {
      const question = questions.find(({ id }) => id === answer.questionId);
      return question === undefined ? [] : [excerpt(terminalLine(shownAnswer(question, answer)), 200)];
    })
    .join("; ");
}

export function actorName(by: Actor): string {
  const places: Readonly<Record<string, string>> = {
    terminal: "in the terminal",
    web: "in the browser",
    cli: "with the command",
    client: "in the agent's own form",
    api: "over the API",
  };
  if (by.surface === "grant") return `by the grant ${terminalLine(by.name ?? "")}`;
  if (by.surface === "asker") return "by its asker";
  if (by.surface === "deadline") return "by the deadline";
  const place = own(places, by.surface) ?? `in ${surfaceTitle(by.surface)}`;
  return by.name === undefined ? place : `by ${terminalLine(by.name)} ${place}`;
}

/** The reply after the deadline. */
function replyClause({ reply, questions }: SessionView, now: number): string {
  if (reply === undefined) return "";
  const handed = reply.deliveredAt === undefined ? "kept for the agent's next question" : "delivered to the agent";
  return `. Replied ${ago(reply.at, now)} ${actorName(reply.by)}, ${handed}: ${answersLine(questions, reply.answers)}`;
}

/** How a settled session ended: by whom, where and when. Undefined while it is pending. */
export function outcomeSentence(session: SessionView, now: number): string | undefined {
  const { outcome } = session;
  if (outcome === undefined) return undefined;
  const when = ago(outcome.at, now);
  switch (outcome.kind) {
    case "answered":
      return `Answered ${when} ${actorName(outcome.by)}: ${answersLine(session.questions, outcome.answers)}`;
    case "cancelled": {
      const verb = outcome.by.surface === "asker" ? "Withdrawn" : "Cancelled";
      const reason = outcome.reason === undefined ? "" : `: ${excerpt(terminalLine(outcome.reason), 200)}`;
      return `${verb} ${when} ${actorName(outcome.by)}${reason}`;
    }
    case "timedOut":
      return `Timed out ${when}; ${session.seenAt === undefined ? "nobody had seen it" : "somebody had seen it"}${replyClause(session, now)}`;
  }
}
