/** Settings: what this browser keeps, pushes, what agents may do without asking, and which machines and browsers may use the inbox. */
import "./settings.css";
import type { Grant } from "@askbox/core";
import { clientTitle } from "@askbox/core/clients";
import { folderName } from "@askbox/inbox";
import { useAskbox, useInbox, useNow } from "@askbox/react";
import { exactText } from "@askbox/terminal-text";
import { type ReactNode, useEffect, useId, useState, useSyncExternalStore } from "react";
import { askRest } from "../attach/files-client.ts";
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
import { useDevices, useGrants } from "./devices.ts";
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
        <MachineList
          around={(content) => (
            <Section title={t("machines.title")} text={t("machines.text")}>
              {content}
            </Section>
          )}
        />
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

/** A list of the hub's. It is read again when the hub is back, unless the hub has logged this browser out, and each minute. */
function useListed<Item>(list: () => Promise<readonly Item[]>) {
  const minute = Math.floor(useNow(60_000) / 60_000);
  const { connection } = useInbox();
  const [items, setItems] = useState<readonly Item[]>();
  const [error, setError] = useState<string>();

  /** Does something with one of them, and reads it again. */
  const change = async (work?: () => Promise<unknown>) => {
    try {
      await work?.();
      setItems(await list());
      setError(undefined);
    } catch (thrown) {
      setError(String(thrown instanceof Error ? thrown.message : thrown));
    }
  };
  useEffect(() => {
    if (connection === "open") void change();
  }, [connection, minute]);
  return { items, error, change };
}

function Failed({ message }: { message: string | undefined }) {
  const t = useTranslate();
  return message === undefined ? null : (
    <p className="error" role="alert">
      {t("devices.failed", { message })}
    </p>
  );
}

interface EndableProps<Item> {
  words: "devices" | "machines";
  list(): Promise<readonly Item[]>;
  end(id: string): Promise<unknown>;
  /** `isFixed`: it can't be ended here. */
  show(item: Item): { name: string; facts: readonly string[]; mark?: string; isFixed?: boolean };
  around?(content: ReactNode): ReactNode;
}

/** What can be ended, each after a confirmation. `around` isn't called while there is nothing. */
function Endable<Item extends { id: string }>({ words, list, end, show, around }: EndableProps<Item>) {
  const t = useTranslate();
  const { items, error, change } = useListed(list);
  const [ending, setEnding] = useState<Item>();
  if (around !== undefined && error === undefined && !items?.length) return null;
  const content = (
    <>
      <Failed message={error} />
      {items === undefined && error === undefined && <p className="quiet">{t("devices.loading")}</p>}
      <ul className="devices">
        {items?.map((item) => {
          const { name, facts, mark, isFixed } = show(item);
          return (
            <li key={item.id} data-device={item.id}>
              <div>
                <p className="device-name">
                  <AgentText>{name}</AgentText>
                  {mark !== undefined && <span className="mark">{mark}</span>}
                </p>
                <p className="quiet">{facts.join(" · ")}</p>
              </div>
              {!isFixed && (
                <button type="button" className="button small danger" onClick={() => setEnding(item)}>
                  {t(`${words}.revoke`)}
                  <span className="visually-hidden">
                    : {name}, {facts.at(-1)}
                  </span>
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {ending !== undefined && (
        <ConfirmDialog
          title={t(`${words}.revoke.title`, { name: show(ending).name })}
          text={t(`${words}.revoke.text`)}
          confirm={t(`${words}.revoke`)}
          onConfirm={() => {
            setEnding(undefined);
            void change(() => end(ending.id));
          }}
          onClose={() => setEnding(undefined)}
        />
      )}
    </>
  );
  return around === undefined ? content : around(content);
}

/** The logged-in browsers; this one is marked, the others can be logged out. */
function DeviceList() {
  const t = useTranslate();
  const { shortDay } = useFormats();
  const now = useNow(10_000);
  const hub = useDevices();
  return (
    <Endable
      words="devices"
      list={() => hub.list()}
      end={(id) => hub.revoke(id)}
      show={({ name, person, createdAt, lastSeenAt, current }) => ({
        name: person === undefined ? name : `${person} · ${name}`,
        facts: [t("devices.since", { day: shortDay(createdAt) }), t("devices.seen", { time: sayAgo(t, lastSeenAt, now) })],
        ...(current && { mark: t("devices.this"), isFixed: true }),
      })}
    />
  );
}

/** What the page needs of a named token, as the hub's REST interface lists it. */
type Machine = { id: string; name: string; scope: string; machine?: true; lastUsedAt: number | null; expired: boolean };

/** The machines that may ask here, or answer. `around` isn't called if there are none. */
function MachineList({ around }: { around(content: ReactNode): ReactNode }) {
  const t = useTranslate();
  const { clock } = useAskbox();
  const now = useNow(10_000);
  const list = async () => {
    const { items }: { items: Machine[] } = await (await askRest(clock, "GET", "/api/tokens")).json();
    return items.filter(({ machine }) => machine);
  };
  const heard = ({ lastUsedAt: at, expired }: Machine) =>
    expired ? t("machines.expired") : at === null ? t("machines.unheard") : t("machines.heard", { time: sayAgo(t, at, now) });
  return (
    <Endable
      words="machines"
      list={list}
      end={(id) => askRest(clock, "DELETE", `/api/tokens/${encodeURIComponent(id)}`)}
      show={(one) => ({ name: one.name, facts: [t(one.scope === "desk" ? "machines.answers" : "machines.asks"), heard(one)] })}
      around={around}
    />
  );
}

/** What agents may do without asking; can be searched and revoked. */
function GrantList() {
  const t = useTranslate();
  const now = useNow(10_000);
  const hub = useGrants();
  const { items: grants, error, change } = useListed<Grant>(() => hub.list());
  const [query, setQuery] = useState("");

  const wanted = query.trim().toLowerCase();
  const standing = grants?.filter(({ expiresAt }) => expiresAt > now);
  const shown = standing?.filter((grant) =>
    [grant.shown, grant.project, grant.machine ?? "", grant.client, clientTitle(grant.client)].some((text) =>
      text.toLowerCase().includes(wanted),
    ),
  );
  return (
    <>
      <Failed message={error} />
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
      <Failed message={error} />
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
