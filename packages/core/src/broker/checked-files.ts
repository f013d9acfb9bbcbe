import { AskboxError } from "../errors.ts";
import type { AnswerSet } from "../session/answer.ts";
import type { SessionRecord } from "../session/record.ts";
import type { CheckFiles } from "./broker.ts";

/** The answers with their files checked; undefined if there are none. Throws and rejects with `INVALID_ANSWER`. */
export function withCheckedFiles(
  { files }: { files: CheckFiles | undefined },
  record: SessionRecord,
  set: AnswerSet,
): Promise<AnswerSet> | undefined {
  if (!set.answers.some((answer) => answer.files?.length)) return undefined;
  if (files === undefined) throw new AskboxError("INVALID_ANSWER", "Files cannot be attached to answers here.");
  return files(record, set.answers).then((answers) => ({ ...set, answers }));
}
