import type { Answer, Question } from "@askbox/core";
import { answerText, readGrantValue } from "@askbox/core/questions";
import { type DescribedOutcome, describeAnswers } from "@askbox/inbox/describe";
import { sentenceOf } from "@askbox/inbox/text";
import { exactText } from "@askbox/terminal-text";
import { sayDuration, sayOwnOption } from "./first-phrases.ts";
import { sayLongDuration } from "./formats.ts";
import type { Translate } from "./translate.ts";

/** `answerText` with what is not the asker's or the person's in the page's language. As text from outside, it is isolated where it is shown. */
export function sayAnswer(t: Translate, question: Question, answer: Answer): string {
  const [value] = answer.values;
  if (value !== undefined && "action" in question) return agentsOwn(t, question, value) ?? sayDecision(t, question, value, answer);
  return sayOwnOption(t, question, value) ?? answerText(question, answer);
}

/** An option that the agent itself offers to remember; undefined for any other. */
export function agentsOwn(t: Translate, question: Question, value: string): string | undefined {
  const option = "agentOptions" in question ? question.agentOptions?.find((each) => each.value === value) : undefined;
  return option && t("answer.agent", { name: exactText(option.label) });
}

/** A decision on an action, before it is sent. */
function sayDecision(t: Translate, question: Question, value: string, answer: Answer): string {
  const [isPlan, isDenied] = "action" in question ? [question.action.kind === "plan", question.denial !== undefined] : [false, false];
  if (isDenied) return joined(t, t(value === "deny" ? "denial.agree" : "denial.overrule"), sayMore(t, question, answer));
  const grant = readGrantValue(value);
  if (grant !== undefined) {
    const text = t("answer.grant", { where: t(`approval.${grant.scope}`), time: sayDuration(t, grant.duration) });
    return grant.prefix === undefined ? text : t("answer.prefix", { grant: text, prefix: grant.prefix });
  }
  const label = value === "deny" ? (isPlan ? "keep.confirm" : "approval.deny") : isPlan ? "plan.approve" : "approval.allow";
  return joined(t, t(label), sayMore(t, question, answer));
}

/** The same once it was sent: a decision with its ending. */
export function sayGiven(t: Translate, question: Question, answer: Answer): string {
  if (answer.values.length === 0 || !("action" in question)) return sayAnswer(t, question, answer);
  return joined(t, sayEnding(t, describeAnswers([question], [answer])), sayMore(t, question, answer));
}

const joined = (t: Translate, done: string, more: string): string => (more === "" ? done : t("answer.more", { done, more }));

/** What a decision on an action says beyond its ending: why it is denied, or what else is allowed. */
export function sayMore(t: Translate, question: Question, { values: [value = ""], customText, input }: Answer): string {
  const own = agentsOwn(t, question, value);
  if (own !== undefined) return own;
  const grant = readGrantValue(value);
  if (grant === undefined) return customText ?? (input === undefined ? "" : t("answer.changed"));
  const where = t(`grant.in.${grant.scope}`);
  return grant.prefix === undefined ? where : t("answer.prefix", { grant: where, prefix: grant.prefix });
}

/** How a session ended, in a word or two. */
export function sayEnding(t: Translate, outcome: DescribedOutcome): string {
  const { ending, lasts = 0 } = outcome;
  if (ending !== "allowed") return t(`ending.${ending}`);
  return t(`outcome.${sentenceOf(outcome)}`, { by: "", time: sayLongDuration(t, lasts) }).trim();
}
