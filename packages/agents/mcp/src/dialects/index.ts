import { askHuman } from "./ask-human/dialect.ts";
import { askUser, cnAskUser } from "./ask-user/dialect.ts";
import { askUserQuestions } from "./ask-user-questions/dialect.ts";
import type { Dialect, DialectTraits } from "./dialect.ts";
import { interactiveFeedback } from "./interactive-feedback/dialect.ts";
import { planReview, walkthroughReview } from "./plan-review/dialect.ts";
import { requestUserInput } from "./request-user-input/dialect.ts";
import { zhi } from "./zhi/dialect.ts";

const dialects = {
  ask_user: askUser,
  cn_ask_user: cnAskUser,
  ask_user_questions: askUserQuestions,
  ask_human: askHuman,
  interactive_feedback: interactiveFeedback,
  zhi,
  request_user_input: requestUserInput,
  plan_review: planReview,
  walkthrough_review: walkthroughReview,
} satisfies Record<string, Dialect>;

/** The tool contracts that `--tools` chooses from. */
export type DialectName = keyof typeof dialects;

/** The names of the tools that agents can ask with. */
export const dialectNames = Object.freeze(Object.keys(dialects)) as readonly DialectName[];

/** The default tool. */
export const defaultTool: DialectName = "ask_user";

/** Whether this is the name of a dialect. */
export function isDialectName(name: string): name is DialectName {
  return Object.hasOwn(dialects, name);
}

export const dialectOf = (name: DialectName): Dialect => dialects[name];
/** What a dialect accepts and supports. */
export const dialectTraits = (name: DialectName): Readonly<DialectTraits> => dialects[name].traits;

/** The contract's default timeout in ms; a test ensures that it equals the core's, which is not loaded to list the tools. */
export const contractTimeout = 300_000;
