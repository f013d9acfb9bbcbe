/** The bars above the page: what is wrong with its connection, and a newer build of it. */
import { useAskbox, useInbox } from "@askbox/react";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useBye } from "../boot/connect.ts";
import { host } from "../boot/host.ts";
import { useTranslate } from "../i18n/language.tsx";
import { checkForUpdate, updateReady } from "../offline/install.ts";

/** Milliseconds until the page also says how to start a hub that doesn't answer. */
const longAfter = 1_500;
/** Milliseconds for which the page says that the hub is back. */
const backFor = 3_000;

/** Shows problems with the connection to the hub, above the content so that nothing moves. */
export function ConnectionBar() {
  const t = useTranslate();
  const { connection, refusal, ready } = useInbox();
  const { clock } = useAskbox();
  const bye = useBye();
  const [isBack, setIsBack] = useState(false);
  const wasLost = useRef(false);
  const isAway = connection === "lost" || (connection === "connecting" && !ready);
  const [isLong, setIsLong] = useState(false);

  useEffect(() => {
    setIsLong(false);
    if (!isAway) return;
    return clock.setTimer(longAfter, () => setIsLong(true));
  }, [isAway, clock]);

  useEffect(() => {
    if (connection === "lost") wasLost.current = true;
    if (connection !== "open" || !wasLost.current) return;
    wasLost.current = false;
    setIsBack(true);
    return clock.setTimer(backFor, () => setIsBack(false));
  }, [connection, clock]);

  const text = () => {
    if (connection === "lost" && bye !== undefined && host === undefined)
      return t(`connection.${bye}`, { command: bye === "ended" ? "askbox setup" : "askbox hub" });
    if (isAway) {
      const state = t(connection === "lost" ? "connection.lost" : "connection.connecting");
      return isLong && host === undefined ? `${state} ${t("connection.start", { command: "askbox hub" })}` : state;
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

/** Offers to reload a page that is older than the current build; never reloads on its own. */
export function UpdateBar() {
  const t = useTranslate();
  const isReady = useSyncExternalStore(updateReady.subscribe, updateReady.getState);
  const { connection } = useInbox();

  // A hub that was away may have been updated.
  useEffect(() => {
    if (connection === "open") void checkForUpdate();
  }, [connection]);
  return (
    <div className="update" role="status" data-testid="update">
      {isReady && (
        <p>
          {t("update.ready")}
          <button type="button" className="button small" onClick={() => location.reload()}>
            {t("update.reload")}
          </button>
        </p>
      )}
    </div>
  );
}
