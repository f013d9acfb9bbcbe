import type { Clock } from "@askbox/core";
import { AskboxContext, useInbox } from "@askbox/react";
import type { PageParts } from "./boot/connect.ts";
import { useTranslate } from "./i18n/language.tsx";
import { SessionList } from "./inbox/session-list.tsx";
import { useRoute } from "./router/router.tsx";
import { DevicesProvider, GrantsProvider } from "./settings/devices.ts";
import type { GateReason } from "./shell/gate.tsx";
import { Header, preloadDialogs } from "./shell/header.tsx";
import { later } from "./ui/later.tsx";
import { useCursor } from "./ui/list-cursor.ts";

export const Gate = later(async () => (await import("./shell/gate.tsx")).Gate);
const SessionPage = later(async () => (await import("./session/session-page.tsx")).SessionPage);
const Peek = later(async () => (await import("./inbox/peek.tsx")).Peek);
const Toasts = later(async () => (await import("./session/toasts.tsx")).Toasts);
/** Nothing of them is painted at first. */
const Alerts = later(async () => (await import("./alerts/alerts.tsx")).Alerts);
const ConnectionBar = later(async () => (await import("./shell/bars.tsx")).ConnectionBar);
const UpdateBar = later(async () => (await import("./shell/bars.tsx")).UpdateBar);
const FocusHome = later(async () => (await import("./ui/focus-home.ts")).FocusHome);
const pages = {
  history: later(async () => (await import("./history/history-page.tsx")).HistoryPage),
  agents: later(async () => (await import("./agents/agents-page.tsx")).AgentsPage),
  ran: later(async () => (await import("./ran/ran-page.tsx")).RanPage),
  numbers: later(async () => (await import("./numbers/numbers-page.tsx")).NumbersPage),
  settings: later(async () => (await import("./settings/settings-page.tsx")).SettingsPage),
};

/** Preloads the form and the dialogs after the list is painted, so that opening a question is instant. */
export function preload(clock: Clock): void {
  for (const part of [SessionPage, Peek, Toasts]) part.preload(clock);
  preloadDialogs(clock);
}

export function App({ parts, reason }: { parts: PageParts | undefined; reason: GateReason }) {
  if (parts === undefined) return <Gate reason={reason} />;
  return (
    <AskboxContext value={parts}>
      <DevicesProvider value={parts.devices}>
        <GrantsProvider value={parts.grants}>
          <Shell />
        </GrantsProvider>
      </DevicesProvider>
    </AskboxContext>
  );
}

function Shell() {
  const t = useTranslate();
  const route = useRoute();
  const { refusal } = useInbox();
  if (refusal?.code === "UNAUTHORIZED") return <Gate reason="revoked" />;
  const page = route.view === "inbox" || route.view === "session" ? undefined : route.view;
  return (
    <div className="shell">
      <a className="skip-link" href="#detail">
        {t(page === undefined ? "app.skip" : "app.skip.content")}
      </a>
      <Header />
      {page === undefined ? <Inbox openId={route.view === "session" ? route.id : undefined} /> : <Page name={page} />}
      <ConnectionBar />
      <UpdateBar />
      <Alerts />
      <FocusHome />
    </div>
  );
}

function Page({ name }: { name: keyof typeof pages }) {
  const Component = pages[name];
  return <Component fallback={<main />} />;
}

function Inbox({ openId }: { openId: string | undefined }) {
  const t = useTranslate();
  const { pending, ready } = useInbox();
  const peeked = useCursor("inbox");
  const isEmpty = ready && pending.size === 0 && openId === undefined;
  return (
    <>
      <main className="panes" data-view={openId === undefined ? "inbox" : "session"} data-empty={isEmpty || undefined}>
        {openId === undefined && <h1 className="visually-hidden">{t("inbox.title")}</h1>}
        <SessionList openId={openId} />
        {/* The key scrolls each question to its top. */}
        <div key={openId ?? peeked} className="detail" id="detail" tabIndex={-1}>
          {openId === undefined ? <Beside id={peeked} /> : <SessionPage id={openId} />}
        </div>
      </main>
      <Toasts openId={openId} />
    </>
  );
}

/** Shown next to the list while no question is open: the one under the cursor. */
function Beside({ id }: { id: string | undefined }) {
  const { pending } = useInbox();
  const session = id === undefined ? undefined : pending.get(id);
  return session === undefined ? null : <Peek session={session} />;
}
