import { useInbox } from "@askbox/react";
import { useEffect, useRef, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";

/** Shows problems with the connection to the hub, above the content so that nothing moves. */
export function ConnectionBar() {
  const t = useTranslate();
  const { connection, refusal, ready } = useInbox();
  const [isBack, setIsBack] = useState(false);
  const wasLost = useRef(false);

  useEffect(() => {
    if (connection === "lost") wasLost.current = true;
    if (connection !== "open" || !wasLost.current) return;
    wasLost.current = false;
    setIsBack(true);
    const timer = setTimeout(() => setIsBack(false), 3_000);
    return () => clearTimeout(timer);
  }, [connection]);

  const text = () => {
    if (connection === "lost") return t("connection.lost");
    if (connection === "closed") return t("connection.closed", { reason: refusal?.message ?? "" });
    if (connection === "connecting" && !ready) return t("connection.connecting");
    return isBack ? t("connection.back") : "";
  };
  return (
    <div className="connection" role="status" data-state={connection} data-testid="connection">
      {text() !== "" && <p>{text()}</p>}
    </div>
  );
}
