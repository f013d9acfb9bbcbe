import type { SessionView } from "@askbox/core";
import { sessionTitle, useAskbox, useInbox, useTimed } from "@askbox/react";
import { terminalLine } from "@askbox/terminal-text";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { MessageKey } from "../i18n/en.ts";
import { useTranslate } from "../i18n/language.tsx";
import { reminderLead } from "../inbox/reminder-lead.ts";
import { useSnoozed } from "../inbox/snoozes.ts";
import { showCount } from "./badge.ts";
import { announce } from "./notify.ts";

/** Reports what happens to those who do not look: by title, icon, sound and notification, and a line for screen readers. */
export function Alerts() {
  const t = useTranslate();
  const { inbox } = useAskbox();
  const { pending, drafts } = useInbox();
  const snoozed = useSnoozed(pending);
  const [said, setSaid] = useState("");
  const report = (session: SessionView, words: MessageKey, title: MessageKey) => {
    setSaid(t(words, { title: terminalLine(sessionTitle(session)) }));
    announce(session, title, t);
  };
  const arrived = useEffectEvent((session: SessionView) => report(session, "inbox.arrived", "alerts.title"));
  useEffect(() => inbox.onArrival((session) => arrived(session)), [inbox]);

  // One that was snoozed comes back, by itself or by hand.
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

  const ending = useEnding([...pending.values()].filter(({ id }) => drafts.get(id)?.scheduled === undefined));
  const reminded = useRef<ReadonlySet<string>>(undefined);
  const remind = useEffectEvent((ids: readonly string[]) => {
    for (const id of ids) {
      const session = pending.get(id);
      // What ends soon when the page is opened is in the title alone.
      if (session !== undefined && reminded.current?.has(id) === false) report(session, "inbox.ending", "alerts.ending");
    }
    reminded.current = new Set(ids);
  });
  useEffect(() => remind(ending === "" ? [] : ending.split(" ")), [ending]);

  const count = pending.size - snoozed.size;
  useEffect(() => showCount(count, ending !== ""), [count, ending]);
  return (
    <div className="visually-hidden" role="status" data-testid="arrivals">
      {said}
    </div>
  );
}

/** The ids of those whose time is nearly up, with spaces between them. */
function useEnding(sessions: readonly SessionView[]): string {
  return useTimed((now) =>
    sessions
      .filter((session) => session.deadlineAt !== null && session.deadlineAt - now <= reminderLead(session))
      .map(({ id }) => id)
      .join(" "),
  );
}
