import { sessionTitle, useInbox, useSurface } from "@askbox/react";
import { terminalLine } from "@askbox/terminal-text";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { showCount } from "./badge.ts";
import { announce } from "./notify.ts";

/** Tells what happens to those who do not look: title, icon, notification, and a line for screen readers. */
export function Alerts() {
  const t = useTranslate();
  const { inbox } = useSurface();
  const { pending } = useInbox();
  const [said, setSaid] = useState("");
  const arrived = useEffectEvent((session: Parameters<Parameters<typeof inbox.onArrival>[0]>[0]) => {
    setSaid(t("inbox.arrived", { title: terminalLine(sessionTitle(session)) }));
    announce(session, t);
  });

  useEffect(() => inbox.onArrival((session) => arrived(session)), [inbox]);
  useEffect(() => showCount(pending.size), [pending.size]);
  return (
    <div className="visually-hidden" role="status" data-testid="arrivals">
      {said}
    </div>
  );
}
