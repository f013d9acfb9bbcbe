import type { Answer, Question } from "@askbox/core";
import { answerText, readGrantValue } from "@askbox/core/questions";
import { sayDuration, sayOwnOption } from "./phrases.ts";
import type { Translate } from "./translate.ts";

/** `answerText` with what is not the asker's or the person's in the page's language. As text from outside, it is isolated where it is shown. */
export function sayAnswer(t: Translate, question: Question, answer: Answer): string {
  const [value] = answer.values;
  if (value !== undefined && "action" in question) return sayDecision(t, value, answer);
  return sayOwnOption(t, question, value) ?? answerText(question, answer);
}

/** A decision on an action. */
function sayDecision(t: Translate, value: string, { customText, input }: Answer): string {
  if (value === "deny") return customText === undefined ? t("approval.deny") : t("answer.deny", { reason: customText });
  const grant = readGrantValue(value);
  if (grant === undefined) return t(input === undefined ? "approval.allow" : "answer.changed");
  const { scope, duration, prefix } = grant;
  const text = t("answer.grant", { where: t(`approval.${scope}`), time: sayDuration(t, duration) });
  return prefix === undefined ? text : t("answer.prefix", { grant: text, prefix });
}
