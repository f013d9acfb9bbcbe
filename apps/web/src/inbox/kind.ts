import type { SessionView } from "@askbox/core";
import { traitsOf } from "@askbox/core/questions";
import { type SessionSign, signOf } from "@askbox/inbox/list";
import type { Translate } from "../i18n/translate.ts";
import type { IconName } from "../ui/icons.tsx";

/** What is expected, as an icon. */
const icons: Record<SessionSign, IconName> = {
  lines: "text",
  line: "line",
  number: "number",
  date: "calendar",
  options: "choice",
  "yes-no": "yesNo",
  scale: "star",
  order: "order",
  approval: "shield",
  denial: "shield",
  command: "command",
  edit: "edit",
  fetch: "globe",
  tool: "tool",
  plan: "plan",
  document: "document",
  files: "clip",
  notice: "unknown",
  several: "several",
};

/** The name of a kind of sessions. */
export const sayKindName = (t: Translate, kind: SessionSign): string => t(`kind.${kind}`);

/** A short description of the session's questions: what is asked for, and for several their number. */
export function sayKind(t: Translate, session: SessionView): string {
  const { questions } = session;
  if (questions.length === 1) return sayKindName(t, signOf(session));
  const names = new Set(questions.map((question) => sayKindName(t, traitsOf(question).widget)));
  return t("kind.each", { count: questions.length, kinds: [...names].join(", ") });
}

/** The icon of a session. */
export const signIcon = (session: SessionView): IconName => icons[signOf(session)];
