import type { Question, SessionView } from "@askbox/core";

/** The other sessions that only ask for the same action in the same project, on the same branch, for the same client. */
export function equalApprovals(session: SessionView, question: Question, pending: readonly SessionView[]): SessionView[] {
  const wanted = keyOf(session, question);
  if (wanted === undefined || session.questions.length !== 1) return [];
  return pending.filter((other) => {
    const [only, ...more] = other.questions;
    return other.id !== session.id && only !== undefined && more.length === 0 && keyOf(other, only) === wanted;
  });
}

function keyOf({ asker }: SessionView, question: Question): string | undefined {
  if (!("action" in question)) return undefined;
  return JSON.stringify([asker.client.name, asker.project, asker.branch, question.action, question.question]);
}
