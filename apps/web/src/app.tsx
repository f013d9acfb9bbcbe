import { type SurfaceParts, SurfaceProvider, useInbox } from "@askbox/react";
import { lazy, Suspense } from "react";
import { Alerts } from "./alerts/alerts.tsx";
import { useTranslate } from "./i18n/language.tsx";
import { SessionList } from "./inbox/session-list.tsx";
import { useRoute } from "./router/router.tsx";
import { ConnectionBar } from "./shell/connection-bar.tsx";
import { Gate, type GateReason } from "./shell/gate.tsx";
import { Header } from "./shell/header.tsx";

/** Milliseconds until the form's code is asked for again. */
const retryAfter = 2_000;

/** The hub may be away at this very moment; a question must open all the same once it is back. */
async function loadSessionPage(): Promise<typeof import("./session/session-page.tsx")> {
  for (;;) {
    try {
      return await import("./session/session-page.tsx");
    } catch {
      await new Promise((again) => setTimeout(again, retryAfter));
    }
  }
}

const SessionPage = lazy(async () => ({ default: (await loadSessionPage()).SessionPage }));

/** Brings the form in right after the list is painted, so that no question waits for it. */
export function preloadSessionPage(): void {
  void loadSessionPage();
}

export function App({ parts, reason }: { parts: SurfaceParts | undefined; reason: GateReason }) {
  if (parts === undefined) return <Gate reason={reason} />;
  return (
    <SurfaceProvider parts={parts}>
      <Inbox />
    </SurfaceProvider>
  );
}

function Inbox() {
  const t = useTranslate();
  const route = useRoute();
  const { refusal } = useInbox();
  if (refusal?.code === "UNAUTHORIZED") return <Gate reason="revoked" />;
  const openId = route.view === "session" ? route.id : undefined;
  return (
    <div className="shell">
      <a className="skip-link" href="#detail">
        {t("app.skip")}
      </a>
      <Header />
      <main className="panes" data-view={route.view}>
        {route.view === "inbox" && <h1 className="visually-hidden">{t("inbox.title")}</h1>}
        <SessionList openId={openId} />
        <div className="detail" id="detail" tabIndex={-1}>
          {openId === undefined ? (
            <Choose />
          ) : (
            <Suspense>
              <SessionPage id={openId} />
            </Suspense>
          )}
        </div>
      </main>
      <ConnectionBar />
      <Alerts />
    </div>
  );
}

/** Beside the list while nothing is open. */
function Choose() {
  const t = useTranslate();
  const { pending } = useInbox();
  const [before = "", after = ""] = t("inbox.choose.hint", { key: "\u0000" }).split("\u0000");
  if (pending.size === 0) return null;
  return (
    <div className="choose">
      <p className="choose-title">{t("inbox.count", { count: pending.size })}</p>
      <p className="quiet">
        {before}
        <kbd>N</kbd>
        {after}
      </p>
    </div>
  );
}
