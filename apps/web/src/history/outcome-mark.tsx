import type { SessionView } from "@askbox/core";
import { useTranslate } from "../i18n/language.tsx";
import { outcomeKindOf } from "../session/outcome-kind.ts";
import { Icon } from "../ui/icons.tsx";
import { laterIcons } from "../ui/later-icons.ts";

const { check, withdrawn, clock } = laterIcons;
const icons = { answered: check, denied: "cross", cancelled: "cross", withdrawn, timedOut: clock } as const;

/** How a session ended, as an icon and a short or long text, or `only` one of them. */
export function OutcomeMark({ session, text, only }: { session: SessionView; text?: string; only?: "icon" | "text" }) {
  const t = useTranslate();
  const kind = outcomeKindOf(session);
  if (kind === undefined) return null;
  return (
    <span className="outcome-mark" data-kind={kind}>
      {only !== "text" && <Icon name={icons[kind]} />}
      {only !== "icon" && (text ?? t(`outcome.kind.${kind}`))}
    </span>
  );
}
