import type { SessionView } from "@askbox/core";
import { describeOutcome } from "@askbox/inbox/describe";
import { useTranslate } from "../i18n/language.tsx";
import { endingIcons } from "../session/outcome.tsx";
import { Icon } from "../ui/icons.tsx";

/** How a session ended, as an icon and a short or long text, or `only` one of them. */
export function OutcomeMark({ session, text, only }: { session: SessionView; text?: string; only?: "icon" | "text" }) {
  const t = useTranslate();
  if (session.outcome === undefined) return null;
  const { ending } = describeOutcome(session);
  return (
    <span className="outcome-mark" data-ending={ending}>
      {only !== "text" && <Icon name={endingIcons[ending]} />}
      {only !== "icon" && (text ?? t(`ending.${ending}`))}
    </span>
  );
}
