import { useInbox } from "@askbox/react";
import { useEffect, useRef, useState } from "react";
import { useBye } from "../boot/bye.ts";
import { useTranslate } from "../i18n/language.tsx";

/** Milliseconds until the page also says how to start a hub that doesn't answer. */
const longAfter = 1_500;

/** Shows problems with the connection to the hub, above the content so that nothing moves. */
export function ConnectionBar() {
  const t = useTranslate();
  const { connection, refusal, ready } = useInbox();
  const bye = useBye();
  const [isBack, setIsBack] = useState(false);
  const wasLost = useRef(false);
  const isAway = connection === "lost" || (connection === "connecting" && !ready);
  const [isLong, setIsLong] = useState(false);

  useEffect(() => {
    setIsLong(false);
    if (!isAway) return;
    const timer = setTimeout(() => setIsLong(true), longAfter);
    return () => clearTimeout(timer);
  }, [isAway]);

  useEffect(() => {
    if (connection === "lost") wasLost.current = true;
    if (connection !== "open" || !wasLost.current) return;
    wasLost.current = false;
    setIsBack(true);
    const timer = setTimeout(() => setIsBack(false), 3_000);
    return () => clearTimeout(timer);
  }, [connection]);

  const text = () => {
    if (connection === "lost" && bye !== undefined) return t(`connection.${bye}`, { command: "askbox hub" });
    if (isAway) {
      const state = t(connection === "lost" ? "connection.lost" : "connection.connecting");
      return isLong ? `${state} ${t("connection.start", { command: "askbox hub" })}` : state;
    }
    if (connection === "closed") return t("connection.closed", { reason: refusal?.message ?? "" });
    return isBack ? t("connection.back") : "";
  };
  return (
    <div className="connection" role="status" data-state={connection} data-testid="connection">
      {text() !== "" && <p>{text()}</p>}
    </div>
  );
}
