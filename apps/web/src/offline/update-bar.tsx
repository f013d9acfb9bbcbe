import { useInbox } from "@askbox/react";
import { useEffect, useSyncExternalStore } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { checkForUpdate, updateReady } from "./install.ts";

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
