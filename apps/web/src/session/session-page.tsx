import { useSession } from "@askbox/react";
import { useTranslate } from "../i18n/language.tsx";
import { Link } from "../router/router.tsx";
import { useInForeground } from "../ui/use-media.ts";
import { AnswerPane } from "./answer-pane.tsx";

export function SessionPage({ id }: { id: string }) {
  const t = useTranslate();
  const { session, state } = useSession(id, { isShown: useInForeground() });
  if (session !== undefined) return <AnswerPane key={session.id} session={session} />;
  return (
    <div className="session-note">
      <p className="quiet">{t(state === "missing" ? "session.missing" : "session.loading")}</p>
      {state === "missing" && (
        <Link href="/" className="button">
          {t("session.back")}
        </Link>
      )}
    </div>
  );
}
