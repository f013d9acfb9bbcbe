import type { Answer } from "./answer.ts";
import { actionLine } from "./questions/action.ts";
import type { Question } from "./questions/schemas.ts";
import { answerText } from "./questions/traits.ts";
import type { SessionRecord } from "./record.ts";
import { commentText, messageText } from "./thread.ts";
import type { SessionView } from "./view.ts";

/** More words of a search than this are ignored. */
const mostWords = 20;

/** The words of a search, in lower case. A session is found if each of them is somewhere in its text, without wildcards. */
export function searchWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")
    .slice(0, mostWords);
}

/** The text that a store searches for the `searchWords` of `StoreQuery.text`; see `searchedText`. */
export function searchText({ asker, request, context, reply, thread }: SessionRecord): string {
  return searchedText({ asker, title: request.title, questions: request.questions, outcome: context.outcome, reply, thread });
}

/** What of a session is searched, on every surface alike: everything a person would search for, in lower case. */
export function searchedText({
  asker,
  title,
  questions,
  outcome,
  reply,
  thread = [],
}: Pick<SessionView, "asker" | "title" | "questions" | "outcome" | "reply" | "thread">): string {
  const { project, branch, repository, agentId, machine, client } = asker;
  const parts = [title, actionLine(questions), project, branch, repository, agentId, machine, client.name];
  for (const question of questions) {
    parts.push(question.question, question.header);
    if ("options" in question) for (const { label, description } of question.options) parts.push(label, description);
  }
  if (outcome?.kind === "answered") parts.push(commentText(outcome), ...answerParts(questions, outcome.answers));
  if (outcome?.kind === "cancelled") parts.push(outcome.reason);
  if (reply !== undefined) parts.push(commentText(reply), ...answerParts(questions, reply.answers));
  parts.push(...thread.map(messageText));
  return parts
    .filter((part) => part)
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
