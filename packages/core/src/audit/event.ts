import type { AskerInfo } from "../session/asker-info.ts";
import type { Outcome } from "../session/outcome.ts";
import { traitsOf } from "../session/questions/index.ts";
import type { Question } from "../session/questions/schemas.ts";
import type { SessionRecord } from "../session/record.ts";

/** The contents of an entry, apart from its place in the chain. */
export interface AuditEvent {
  /** Wall time in ms since the epoch. */
  at: number;
  /** `reported`: after a decision, its client did something else. */
  event: "decided" | "reported";
  session: string;
  asker: AskerInfo;
  title?: string | undefined;
  /** What was shown. */
  questions: readonly Question[];
  /** What was decided, by whom and where; for a grant, `by.name` is its id. */
  outcome: Outcome;
  /** What the client did; only for `reported`. */
  report?: string | undefined;
}

/** What the record keeps of a change of a session. */
export function auditEventOf(next: SessionRecord, before: SessionRecord): AuditEvent | undefined {
  if (before.state === "pending") return decisionIn(next);
  const report = next.thread.length > before.thread.length ? next.thread.at(-1) : undefined;
  const decision = report && decisionIn(next);
  // Nobody can write into the thread of a decided approval but its client.
  return decision && { ...decision, at: report.at, event: "reported", report: report.text };
}

/** What the record keeps of a newly settled session: every decision about an approval. A timeout or a withdrawal is not a decision. */
export function decisionIn({ id, asker, request, context: { outcome } }: SessionRecord): AuditEvent | undefined {
  if (outcome === undefined || outcome.by.surface === "asker" || outcome.by.surface === "deadline") return undefined;
  const { title, questions } = request;
  if (!questions.some((question) => traitsOf(question).picks === "decision")) return undefined;
  return { at: outcome.at, event: "decided", session: id, asker, ...(title !== undefined && { title }), questions, outcome };
}
