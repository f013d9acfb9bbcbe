import type { SessionView } from "@askbox/core";
import { traitsOf, type Widget } from "@askbox/core/questions";
import type { SessionKind } from "@askbox/inbox/list";
import type { MessageKey } from "../i18n/en.ts";
import type { Translate } from "../i18n/translate.ts";
import type { IconName } from "../ui/icons.tsx";

/** The expected answer, by widget: in words, and as an icon. */
const kinds: Record<Widget, readonly [MessageKey, IconName]> = {
  lines: ["kind.text", "text"],
  line: ["kind.value", "line"],
  date: ["kind.date", "calendar"],
  options: ["kind.choice", "choice"],
  "yes-no": ["kind.yesNo", "yesNo"],
  scale: ["kind.rating", "star"],
  order: ["kind.order", "order"],
  approval: ["kind.approval", "shield"],
  document: ["kind.review", "line"],
  files: ["kind.files", "clip"],
  notice: ["kind.unknown", "unknown"],
};

/** The name of a kind of sessions. */
export const sayKindName = (t: Translate, kind: SessionKind): string => (kind === "several" ? t("kind.set") : t(kinds[kind][0]));

/** A short description of the session's questions: their kind and number. */
export function sayKind(t: Translate, { questions }: SessionView): string {
  const names = [...new Set(questions.map((question) => t(kinds[traitsOf(question).widget][0])))];
  if (questions.length === 1) return names.join("");
  return t("kind.several", { count: questions.length, kinds: names.join(", ") });
}

/** The icon of its kind; several questions have one of their own. */
export function kindIcon({ questions }: SessionView): IconName {
  const [only, ...more] = questions;
  return only === undefined || more.length > 0 ? "several" : kinds[traitsOf(only).widget][1];
}
