import { useInbox, useNow } from "@askbox/react";
import { useEffect, useState } from "react";
import { useFormats } from "../i18n/formats.ts";
import { useTranslate } from "../i18n/language.tsx";
import { sayAgo } from "../i18n/phrases.ts";
import { AgentText } from "../ui/agent-text.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { type Device, useDevices } from "./devices.ts";

const nameOf = ({ name, person }: Device) => (person === undefined ? name : `${person} · ${name}`);

/** The logged-in browsers; this one is marked, the others can be logged out. */
export function DeviceList() {
  const t = useTranslate();
  const { shortDay } = useFormats();
  const now = useNow(10_000);
  const { connection } = useInbox();
  const hub = useDevices();
  const [devices, setDevices] = useState<readonly Device[]>();
  const [error, setError] = useState<string>();
  const [leaving, setLeaving] = useState<Device>();

  const read = async () => {
    try {
      setDevices(await hub.list());
      setError(undefined);
    } catch (thrown) {
      setError(String(thrown instanceof Error ? thrown.message : thrown));
    }
  };
  // Loads again when the hub is back, unless the hub has logged this browser out.
  useEffect(() => {
    if (connection === "open") void read();
  }, [connection]);

  const revoke = async (device: Device) => {
    setLeaving(undefined);
    try {
      await hub.revoke(device.id);
      await read();
    } catch (thrown) {
      setError(String(thrown instanceof Error ? thrown.message : thrown));
    }
  };

  return (
    <>
      {error !== undefined && (
        <p className="error" role="alert">
          {t("devices.failed", { message: error })}
        </p>
      )}
      {devices === undefined && error === undefined && <p className="quiet">{t("devices.loading")}</p>}
      <ul className="devices">
        {devices?.map((device) => (
          <li key={device.id} data-device={device.id}>
            <div>
              <p className="device-name">
                <AgentText>{nameOf(device)}</AgentText>
                {device.current && <span className="mark">{t("devices.this")}</span>}
              </p>
              <p className="quiet">
                {t("devices.since", { day: shortDay(device.createdAt) })}
                {" · "}
                {t("devices.seen", { time: sayAgo(t, device.lastSeenAt, now) })}
              </p>
            </div>
            {!device.current && (
              <button type="button" className="button small danger" onClick={() => setLeaving(device)}>
                {t("devices.revoke")}
                <span className="visually-hidden">
                  : {nameOf(device)}, {t("devices.seen", { time: sayAgo(t, device.lastSeenAt, now) })}
                </span>
              </button>
            )}
          </li>
        ))}
      </ul>
      {leaving !== undefined && (
        <ConfirmDialog
          title={t("devices.revoke.title", { name: nameOf(leaving) })}
          text={t("devices.revoke.text")}
          confirm={t("devices.revoke")}
          onConfirm={() => void revoke(leaving)}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </>
  );
}
