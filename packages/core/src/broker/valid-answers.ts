import { AskboxError } from "../errors.ts";
import type { Answer, AnswerSet } from "../session/answer.ts";
import { type AnswerIssue, checkAnswers } from "../session/questions/index.ts";
import type { SessionRecord } from "../session/record.ts";

/** The answers, one for each question, where the machine does not take them, or only later. Throws `INVALID_ANSWER`. */
export function validAnswers(record: SessionRecord, set: AnswerSet): Answer[] {
  const checked = checkAnswers(record.request.questions, set.answers);
  if (checked.ok) return checked.answers;
  throw invalidAnswer(checked.issues);
}

/** Each issue has its code for surfaces that say it in their own words, and a sentence. */
export function invalidAnswer(issues: readonly AnswerIssue[]): AskboxError {
  const first = issues[0]?.message ?? "";
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : "";
  return new AskboxError("INVALID_ANSWER", `The answer is not complete and valid: ${first}${more}`, { details: { issues } });
}
