import type { Answer } from "./answer.ts";
import { answerText, type Question } from "./questions/index.ts";
import type { SessionRecord } from "./record.ts";

/**
 * The text that a store searches for `StoreQuery.text`: everything a person would search for, in lower case. A store compares it with the
 * search text's own `toLowerCase()`, without wildcards.
 */
export function searchText(record: SessionRecord): string {
  const { asker, request, context, reply, thread } = record;
  const outcome = context.outcome;
  const parts = [request.title, asker.project, asker.branch, asker.agentId, asker.client.name];
  for (const question of request.questions) parts.push(question.question, question.header);
  if (outcome?.kind === "answered") parts.push(outcome.comment, ...answerParts(request.questions, outcome.answers));
  if (outcome?.kind === "cancelled") parts.push(outcome.reason);
  if (reply !== undefined) parts.push(reply.comment, ...answerParts(request.questions, reply.answers));
  for (const { text } of thread) parts.push(text);
  return parts
    .filter((part) => part !== undefined)
    .join("\n")
    .toLowerCase();
}

function answerParts(questions: readonly Question[], answers: readonly Answer[]): (string | undefined)[] {
  const byId = new Map(questions.map((question) => [question.id, question]));
  return answers.flatMap((answer) => {
    const question = byId.get(answer.questionId);
    return [question === undefined ? undefined : answerText(question, answer), ...answer.values, answer.note];
  });
}
