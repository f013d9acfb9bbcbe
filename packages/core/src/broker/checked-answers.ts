import type { AnswerSet } from "../session/answer.ts";
import type { SessionRecord } from "../session/record.ts";
import type { CheckFiles } from "./broker.ts";

/** The answers with their files and comments checked; undefined if there are none. Rejects with `INVALID_ANSWER`. */
export function withChecked(
  context: { files: CheckFiles | undefined },
  record: SessionRecord,
  set: AnswerSet,
): Promise<AnswerSet> | undefined {
  if (![set, ...set.answers].some((one) => one.files?.length || ("comments" in one && one.comments?.length))) return undefined;
  return import("./loaded-late.ts").then(({ withAttached }) => withAttached(context, record, set));
}
