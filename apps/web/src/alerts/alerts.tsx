/** What tells of a new question while the page is out of sight: a notification, a sound, the count in the title and on the icon. */
import type { SessionView } from "@askbox/core";
import { replyCount } from "@askbox/core/questions";
import { sessionTitle } from "@askbox/inbox";
import { isDenial, urgencyOf } from "@askbox/inbox/list";
import { useAskbox, useInbox, useTimed } from "@askbox/react";
import { terminalLine } from "@askbox/terminal-text";
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { basePath } from "../base-path.ts";
import type { MessageKey } from "../i18n/en.ts";
import { useTranslate } from "../i18n/language.tsx";
import { useSnoozed } from "../inbox/snoozes.ts";
import { useHidden } from "../inbox/use-declines.ts";
import { navigate } from "../router/router.tsx";
import { noteReply } from "../session/sent.ts";
import { announce } from "./notify.ts";

/** Notifies a person who doesn't see the page: by title, icon, sound, notification, and a line for screen readers. */
export function Alerts() {
  const t = useTranslate();
  const page = useAskbox();
  const { inbox, clock } = page;
  const { pending: all, drafts } = useInbox();
  // What a model has denied waits for nobody.
  const pending = useMemo(() => new Map([...all].filter(([, session]) => !isDenial(session))), [all]);
  const snoozed = useSnoozed(pending);
  const [said, setSaid] = useState("");
  const report = (session: SessionView, words: MessageKey, title: MessageKey) => {
    setSaid(t(words, { title: terminalLine(sessionTitle(session)) }));
    announce(session, title, t);
  };
  const arrived = useEffectEvent((session: SessionView) => {
    if (isDenial(session)) return;
    if (replyCount(session) === 0) return report(session, "inbox.arrived", "alerts.title");
    // The toast is read out.
    noteReply(page, session.id);
    announce(session, "alerts.replied", t);
  });
  useEffect(() => inbox.onArrival((session) => arrived(session)), [inbox]);

  // A snooze ended, or was undone.
  const wereSnoozed = useRef(snoozed);
  const cameBack = useEffectEvent((before: ReadonlySet<string>) => {
    for (const id of before) {
      const session = snoozed.has(id) ? undefined : pending.get(id);
      if (session !== undefined) report(session, "inbox.back", "alerts.title");
    }
  });
  useEffect(() => {
    cameBack(wereSnoozed.current);
    wereSnoozed.current = snoozed;
  }, [snoozed]);

  useEffect(() => {
    const { serviceWorker } = navigator;
    if (serviceWorker === undefined) return;
    // A notification was tapped.
    const onMessage = ({ data }: MessageEvent) => {
      const { open }: { open?: unknown } = Object(data);
      if (typeof open === "string") navigate(open);
    };
    serviceWorker.addEventListener("message", onMessage);
    // It is tried again when the page is next opened.
    if (globalThis.Notification?.permission === "granted") {
      void import("../push/subscribe.ts").then(({ keepPush }) => keepPush(clock)).catch(() => {});
    }
    return () => serviceWorker.removeEventListener("message", onMessage);
  }, [clock]);

  const open = [...pending.values()].filter(({ id }) => drafts.get(id)?.scheduled === undefined);
  const ending = useIds(open, (session, now) => urgencyOf(session, now) !== undefined);
  const due = useIds(open, isDue);
  const reminded = useRef<ReadonlySet<string>>(undefined);
  const remind = useEffectEvent((ids: readonly string[]) => {
    for (const id of ids) {
      const session = pending.get(id);
      // Questions that were ending soon when the page opened only change the title.
      if (session !== undefined && reminded.current?.has(id) === false) report(session, "inbox.ending", "alerts.ending");
    }
    reminded.current = new Set(ids);
  });
  useEffect(() => remind(due === "" ? [] : due.split(" ")), [due]);

  const hidden = useHidden();
  const count = [...pending.keys()].filter((id) => !snoozed.has(id) && !hidden.has(id)).length;
  useEffect(() => showCount(count, ending !== ""), [count, ending]);
  return (
    <div className="visually-hidden" role="status" data-testid="arrivals">
      {said}
    </div>
  );
}

/** Whether it is time for a reminder: one that had no more than two minutes in all was only just announced. */
function isDue(session: SessionView, now: number): boolean {
  const urgency = urgencyOf(session, now);
  return urgency === "now" || (urgency === "soon" && urgencyOf(session, session.createdAt) === undefined);
}

/** The ids of the sessions for which this holds, separated by spaces. */
const useIds = (sessions: readonly SessionView[], holds: (session: SessionView, now: number) => boolean): string =>
  useTimed((now) =>
    sessions
      .filter((session) => holds(session, now))
      .map(({ id }) => id)
      .join(" "),
  );

/** Shows the count in the title and on the icon, for a tab in the background. An exclamation mark and another colour mean that a question ends soon. */
function showCount(count: number, endsSoon: boolean): void {
  document.title = count === 0 ? "askbox" : `(${count}${endsSoon ? "!" : ""}) askbox`;
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (link === null) return;
  const drawn = count === 0 ? undefined : drawIcon(count > 99 ? "99+" : String(count), endsSoon ? "#ad2a1c" : "#2f4bb8");
  link.type = drawn === undefined ? "image/svg+xml" : "image/png";
  link.href = drawn ?? `${basePath}/icon.svg`;
}

function drawIcon(text: string, colour: string): string | undefined {
  const canvas = document.createElement("canvas");
  canvas.width = 64;
  canvas.height = 64;
  const context = canvas.getContext("2d");
  if (context === null) return undefined;
  context.fillStyle = colour;
  context.beginPath();
  context.roundRect(0, 0, 64, 64, 16);
  context.fill();
  context.fillStyle = "#ffffff";
  context.font = `700 ${text.length > 2 ? 28 : 40}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, 32, 35);
  return canvas.toDataURL("image/png");
}
