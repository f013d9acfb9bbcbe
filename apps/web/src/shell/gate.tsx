import { host } from "../boot/host.ts";
import { useTranslate } from "../i18n/language.tsx";

export type GateReason = "none" | "used" | "revoked" | "failed";

/** Shown without a login: how to get one. */
export function Gate({ reason }: { reason: GateReason }) {
  const t = useTranslate();
  if (host !== undefined && reason !== "failed") return <HostGate />;
  const said = { none: t("gate.how"), used: t("gate.used"), revoked: t("gate.revoked"), failed: t("gate.failed") }[reason];
  const [before = "", after = ""] = t("gate.phone", { command: "\u0000" }).split("\u0000");
  return (
    <main className="gate">
      <h1>{t("gate.title")}</h1>
      <p>{said}</p>
      {reason !== "failed" && (
        <>
          <p className="gate-command">
            <code>{t("gate.command")}</code>
          </p>
          <p className="quiet">
            {before}
            <code>askbox open --qr</code>
            {after}
          </p>
        </>
      )}
    </main>
  );
}

/** The program around the hub says how to log in. */
function HostGate() {
  const t = useTranslate();
  return (
    <main className="gate">
      <h1>{t("gate.title")}</h1>
      <p>{host?.text ?? t("gate.host")}</p>
      {host?.link !== undefined && (
        <p>
          <a className="button primary" href={host.link.url}>
            {host.link.text}
          </a>
        </p>
      )}
    </main>
  );
}
