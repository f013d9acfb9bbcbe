import { useState } from "react";
import { basePath } from "../base-path.ts";
import { host } from "../boot/host.ts";
import { useTranslate } from "../i18n/language.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { useDevices } from "./devices.ts";

/** Ends this browser's login after a confirmation. */
export function LogOut() {
  const t = useTranslate();
  const { logOut } = useDevices();
  const [asks, setAsks] = useState(false);
  const [error, setError] = useState<string>();

  const leave = async () => {
    setAsks(false);
    try {
      await import("../push/subscribe.ts").then(({ forgetPush }) => forgetPush()).catch(() => {});
      await logOut?.();
      // Reloads, so that nothing of the data stays in this page.
      location.assign(`${basePath}/`);
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown.message : String(thrown));
    }
  };

  if (logOut === undefined) return null;
  return (
    <>
      <p>
        <button type="button" className="button danger" onClick={() => setAsks(true)}>
          {t("devices.logout")}
        </button>
      </p>
      {error !== undefined && (
        <p className="error" role="alert">
          {t("devices.failed", { message: error })}
        </p>
      )}
      {asks && (
        <ConfirmDialog
          title={t("devices.logout.title")}
          text={t(host === undefined ? "devices.logout.text" : "gate.host")}
          confirm={t("devices.logout")}
          onConfirm={() => void leave()}
          onClose={() => setAsks(false)}
        />
      )}
    </>
  );
}
