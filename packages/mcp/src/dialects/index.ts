import { askHuman } from "./ask-human.ts";
import { askUser } from "./ask-user.ts";
import { askUserQuestions } from "./ask-user-questions.ts";
import { cnAskUser } from "./cn-ask-user.ts";
import type { Dialect } from "./dialect.ts";

const dialects = {
  ask_user: askUser,
  cn_ask_user: cnAskUser,
  ask_user_questions: askUserQuestions,
  ask_human: askHuman,
} satisfies Record<string, Dialect>;

/** The tool contracts that `--tools` chooses from. */
export type DialectName = keyof typeof dialects;

export const dialectNames = Object.freeze(Object.keys(dialects)) as readonly DialectName[];

export function isDialectName(name: string): name is DialectName {
  return Object.hasOwn(dialects, name);
}

export const dialectOf = (name: DialectName): Dialect => dialects[name];

/** The contract's default timeout in ms; a test holds it equal to the core's, which is not loaded to list the tools. */
export const contractTimeout = 300_000;
