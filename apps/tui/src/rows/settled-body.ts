import type { Answer, SessionView } from "@askbox/core";
import { answerText, commentText, isDenied } from "@askbox/core/questions";
import { describe } from "@askbox/inbox/describe";
import { deliverySentences, timeOfDay } from "@askbox/inbox/text";
import { richRows } from "../markdown/rich-text.ts";
import { byWhom, outcomeWords } from "../model/words.ts";
import { emptyRow, prefixed, type Row, span, wrap } from "../text/row.ts";
import { actionRows, documentRows } from "./action-rows.ts";
import { type Body, BodyBuilder } from "./body.ts";
import { threadRows } from "./session-rows.ts";

interface SettledView {
  session: SessionView;
  /** What was written here and not sent. */
  unsent: string | undefined;
  now: number;
  width: number;
  plain: boolean;
  /** The key that copies it. */
  copyKey: string;
}

/** A settled session: who settled it, where and how, and what was asked. */
export function settledBody({ session, unsent, now, width, plain, copyKey }: SettledView): Body {
  const builder = new BodyBuilder();
  const { outcome, reply, closedAt } = session;
  const { delivery } = describe(session);
  const tone = isDenied(session) ? "error" : outcome?.kind === "answered" ? "success" : "warning";
  const at = closedAt === null ? "" : `, ${timeOfDay(closedAt, now)}`;
  builder.add(wrap([span(`${outcomeWords(session)}${at}.`, tone, { strong: true })], width));
  if (outcome?.kind === "cancelled" && outcome.reason !== undefined)
    builder.add(wrap([span("Reason: ", "dim"), span(outcome.reason)], width));
  if (delivery !== undefined) builder.add(wrap([span(deliverySentences[delivery], "dim")], width));
  builder.add([emptyRow]).add(unsentRows(unsent, copyKey, width));
  const answers = reply?.answers ?? (outcome?.kind === "answered" ? outcome.answers : []);
  if (reply !== undefined)
    builder.add(wrap([span(`Reply ${byWhom(reply.by)}, ${timeOfDay(reply.at, now)}`, "dim")], width)).add([emptyRow]);
  for (const question of session.questions) {
    builder.add(richRows(question.question, width, plain));
    if ("document" in question) builder.add(documentRows(question, width));
    if ("action" in question) builder.addAction(actionRows(question.action, width, plain));
    builder.add(answerRows(session, answers, question.id, width)).add([emptyRow]);
  }
  if (session.replacedBy !== undefined) builder.add(wrap([span("The agent has asked something else instead.", "accent")], width));
  const comment = commentText(reply ?? (outcome?.kind === "answered" ? outcome : {}));
  if (comment !== "") builder.add(wrap([span("Comment: ", "dim"), span(comment)], width)).add([emptyRow]);
  return builder.addThread(threadRows(session, now, width, plain)).body;
}

function answerRows(session: SessionView, answers: readonly Answer[], questionId: string, width: number): Row[] {
  const question = session.questions.find(({ id }) => id === questionId);
  const answer = answers.find((each) => each.questionId === questionId);
  if (question === undefined || answer === undefined) return [];
  const text = answerText(question, answer);
  const first = [span("→ ", "accent")];
  const rows = wrap([text === "" ? span("skipped", "dim") : span(text, undefined, { strong: true })], width, { first });
  return answer.note === undefined ? rows : [...rows, ...wrap([span(`Note: ${answer.note}`, "dim")], width, { first: [span("  ")] })];
}

function unsentRows(text: string | undefined, copyKey: string, width: number): Row[] {
  if (text === undefined) return [];
  const title = [span("What you wrote here was not sent. ", "warning"), span(`${copyKey} copies it:`, "dim")];
  return [...wrap(title, width), ...prefixed(wrap([span(text)], width - 2), span("│ ", "warning")), emptyRow];
}
