import { AskboxError } from "../errors.ts";
import type { Answer, AnswerSet } from "../session/answer.ts";
import { type AnswerIssue, checkAnswers } from "../session/questions/index.ts";
import type { SessionRecord } from "../session/record.ts";

/** Checks the answers, one per question, when the machine does not check them, or only later. Throws `INVALID_ANSWER`. */
export function validAnswers(record: SessionRecord, set: AnswerSet): Answer[] {
  const checked = checkAnswers(record.request.questions, set.answers);
  if (checked.ok) return checked.answers;
  throw invalidAnswer(checked.issues);
}

/** Each issue has a code, for surfaces with their own wording, and a sentence. */
export function invalidAnswer(issues: readonly AnswerIssue[]): AskboxError {
  const first = issues[0]?.message ?? "";
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : "";
  return new AskboxError("INVALID_ANSWER", `The answer is incomplete or invalid: ${first}${more}`, { details: { issues } });
}
