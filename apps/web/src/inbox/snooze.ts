import type { Askbox } from "@askbox/inbox";
import { navigate } from "../router/router.tsx";
import { awaitRow } from "../ui/list-cursor.ts";
import { setLastSnooze } from "./last-snooze.ts";

/** Snoozes questions until a time, which can be undone. */
export function snooze(page: Askbox, ids: readonly string[], until: number): void {
  const { desk, inbox, clock } = page;
  const before = ids.flatMap((id) => inbox.getState().pending.get(id) ?? []);
  const set = (id: string, time: number | null) => void desk.snooze(id, { until: time }).then(inbox.accept, () => {});
  for (const id of ids) set(id, until);
  const undo = () => {
    awaitRow(page, "inbox", ids[0]);
    for (const { id, snoozedUntil = 0 } of before) set(id, snoozedUntil > clock.now() ? snoozedUntil : null);
    setLastSnooze(page, undefined);
  };
  setLastSnooze(page, { ids, until, undo });
  // The open question may be one of the snoozed ones.
  if (ids.some((id) => location.pathname.endsWith(`/${encodeURIComponent(id)}`))) navigate("/");
}
