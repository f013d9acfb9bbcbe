/** Settings: what this browser keeps, pushes, the devices that are logged in, and what agents may do without asking. */
import "./settings.css";
import type { Grant } from "@askbox/core";
import { clientTitle } from "@askbox/core/clients";
import { folderName } from "@askbox/inbox";
import { useInbox, useNow } from "@askbox/react";
import { exactText } from "@askbox/terminal-text";
import { type ReactNode, useEffect, useId, useState, useSyncExternalStore } from "react";
import { basePath } from "../base-path.ts";
import { host } from "../boot/host.ts";
import { useFormats } from "../i18n/formats.ts";
import { useTranslate } from "../i18n/language.tsx";
import { sayAgo, sayRounded } from "../i18n/phrases.ts";
import { installOffer } from "../offline/install.ts";
import { AgentText } from "../ui/agent-text.tsx";
import { ConfirmDialog } from "../ui/dialog.tsx";
import { later } from "../ui/later.tsx";
import { OnMachine } from "../ui/on-machine.tsx";
import { type Device, useDevices, useGrants } from "./devices.ts";
import { PreferenceFields } from "./preference-fields.tsx";

const PushSection = later(async () => (await import("../push/push-section.tsx")).PushSection);

/** Settings for this browser, and the logged-in browsers. */
export function SettingsPage() {
  const t = useTranslate();
  return (
    <main className="page settings" id="detail" tabIndex={-1} data-testid="settings">
      <div className="page-body">
        <h1>{t("settings.title")}</h1>
        <Section title={t("settings.browser")} text={t("settings.browser.text")}>
          <PreferenceFields />
        </Section>
        <InstallButton
          around={(offer) => (
            <Section title={t("install.title")} text={t("install.text")}>
              {offer}
            </Section>
          )}
        />
        <PushSection
          around={(content) => (
            <Section title={t("push.title")} text={t("push.text")}>
              {content}
            </Section>
          )}
        />
        <Section title={t("grants.title")} text={t("grants.text")}>
          <GrantList />
        </Section>
        <Section title={t("devices.title")} text={t("devices.text")}>
          <DeviceList />
          <LogOut />
        </Section>
      </div>
    </main>
  );
}

function Section({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="settings-section" aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        <p className="quiet">{text}</p>
      </div>
      <div className="settings-content">{children}</div>
    </section>
  );
}

const nameOf = ({ name, person }: Device) => (person === undefined ? name : `${person} · ${name}`);

/** The logged-in browsers; this one is marked, the others can be logged out. */
function DeviceList() {
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

/** What agents may do without asking; can be searched and revoked. */
function GrantList() {
  const t = useTranslate();
  const now = useNow(10_000);
  const { connection } = useInbox();
  const hub = useGrants();
  const [grants, setGrants] = useState<readonly Grant[]>();
  const [query, setQuery] = useState("");
  const [error, setError] = useState<string>();

  const change = async (work: () => Promise<unknown>) => {
    try {
      await work();
      setGrants(await hub.list());
      setError(undefined);
    } catch (thrown) {
      setError(String(thrown instanceof Error ? thrown.message : thrown));
    }
  };
  useEffect(() => {
    if (connection === "open") void change(async () => {});
  }, [connection]);

  const wanted = query.trim().toLowerCase();
  const standing = grants?.filter(({ expiresAt }) => expiresAt > now);
  const shown = standing?.filter((grant) =>
    [grant.shown, grant.project, grant.machine ?? "", grant.client, clientTitle(grant.client)].some((text) =>
      text.toLowerCase().includes(wanted),
    ),
  );
  return (
    <>
      {error !== undefined && (
        <p className="error" role="alert">
          {t("devices.failed", { message: error })}
        </p>
      )}
      {standing?.length === 0 && <p className="quiet">{t("grants.none")}</p>}
      {standing !== undefined && standing.length > 0 && (
        <input
          type="search"
          className="line"
          aria-label={t("grants.search")}
          placeholder={t("grants.search")}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      )}
      <ul className="devices">
        {shown?.map((grant) => (
          <li key={grant.id} data-grant={grant.id}>
            <div>
              <p className="exact" dir="ltr">
                {grant.match.type === "prefix" ? t("grants.prefix", { prefix: exactText(grant.match.prefix) }) : exactText(grant.shown)}
              </p>
              <p className="quiet">
                <AgentText title={grant.project}>{`${clientTitle(grant.client)} · ${folderName(grant.project)}`}</AgentText>
                {grant.machine !== undefined && " · "}
                <OnMachine machine={grant.machine} />
                {" · "}
                {t(`grants.scope.${grant.scope}`)}
                {" · "}
                {t("grants.left", { time: sayRounded(t, grant.expiresAt - now) })}
              </p>
            </div>
            <button type="button" className="button small danger" onClick={() => void change(() => hub.remove(grant.id))}>
              {t("grants.revoke")}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The button that installs the page; nothing if the browser does not offer it. */
function InstallButton({ around }: { around(button: ReactNode): ReactNode }) {
  const t = useTranslate();
  const prompt = useSyncExternalStore(installOffer.subscribe, installOffer.getState);
  if (prompt === undefined) return null;
  const install = async () => {
    await prompt.prompt();
    installOffer.setState(undefined);
  };
  return around(
    <p>
      <button type="button" className="button" onClick={() => void install()}>
        {t("install.button")}
      </button>
    </p>,
  );
}

/** Ends this browser's login after a confirmation. */
function LogOut() {
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
