import type { SessionView } from "@askbox/core";
import { traitsOf, type Widget } from "@askbox/core/questions";
import type { MessageKey } from "../i18n/en.ts";
import type { Translate } from "../i18n/translate.ts";

/** The expected answer, by widget. */
const words: Record<Widget, MessageKey> = {
  lines: "kind.text",
  line: "kind.value",
  date: "kind.date",
  options: "kind.choice",
  "yes-no": "kind.yesNo",
  scale: "kind.rating",
  order: "kind.order",
  approval: "kind.approval",
  notice: "kind.unknown",
};

/** A short description of the session's questions: their kind and number. */
export function sayKind(t: Translate, { questions }: SessionView): string {
  const kinds = [...new Set(questions.map((question) => t(words[traitsOf(question).widget])))];
  if (questions.length === 1) return kinds.join("");
  return t("kind.several", { count: questions.length, kinds: kinds.join(", ") });
}
