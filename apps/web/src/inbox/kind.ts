import type { SessionView } from "@askbox/core";
import { traitsOf, type Widget } from "@askbox/core/questions";
import type { SessionKind } from "@askbox/inbox/list";
import type { Translate } from "../i18n/translate.ts";
import type { IconName } from "../ui/icons.tsx";

/** The expected answer as an icon, by widget. */
const icons: Record<Widget, IconName> = {
  lines: "text",
  line: "line",
  date: "calendar",
  options: "choice",
  "yes-no": "yesNo",
  scale: "star",
  order: "order",
  approval: "shield",
  document: "line",
  files: "clip",
  notice: "unknown",
};

/** The name of a kind of sessions. */
export const sayKindName = (t: Translate, kind: SessionKind): string => t(`kind.${kind}`);

/** A short description of the session's questions: their kind and number. */
export function sayKind(t: Translate, { questions }: SessionView): string {
  const names = [...new Set(questions.map((question) => sayKindName(t, traitsOf(question).widget)))];
  if (questions.length === 1) return names.join("");
  return t("kind.each", { count: questions.length, kinds: names.join(", ") });
}

/** The icon of its kind; several questions have one of their own. */
export function kindIcon({ questions }: SessionView): IconName {
  const [only, ...more] = questions;
  return only === undefined || more.length > 0 ? "several" : icons[traitsOf(only).widget];
}
