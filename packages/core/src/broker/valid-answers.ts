import { AskboxError } from "../errors.ts";
import type { Answer, AnswerSet } from "../session/answer.ts";
import { checkAnswers } from "../session/questions/index.ts";
import type { SessionRecord } from "../session/record.ts";

/** The answers, one for each question. Throws `INVALID_ANSWER`. */
export function validAnswers(record: SessionRecord, set: AnswerSet): Answer[] {
  const checked = checkAnswers(record.request.questions, set.answers);
  if (checked.ok) return checked.answers;
  const { issues } = checked;
  const first = issues[0]?.message ?? "";
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : "";
  throw new AskboxError("INVALID_ANSWER", `The answer is not complete and valid: ${first}${more}`, { details: { issues } });
}
