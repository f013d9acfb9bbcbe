import type { DeskEvent, SessionView } from "@askbox/core";

/** Announcements that are remembered; beyond it, the oldest stay until somebody closes them. */
const most = 100;

interface Shown {
  /** Its sessions that are not settled. */
  open: Set<string>;
  withdraw(): Promise<void>;
}

/** Withdraws announcements once each of their sessions is settled, wherever that is. */
export function withdrawing() {
  const shown: Shown[] = [];
  /** Sessions that are being announced, and those of them that were settled meanwhile. */
  const announcing = new Map<string, { isSettled: boolean }>();

  const settle = (id: string) => {
    const present = announcing.get(id);
    if (present !== undefined) present.isSettled = true;
    for (const each of [...shown]) {
      if (!each.open.delete(id) || each.open.size > 0) continue;
      shown.splice(shown.indexOf(each), 1);
      void each.withdraw();
    }
  };
  return {
    /** Before they are announced. */
    begin(sessions: readonly SessionView[]) {
      for (const { id } of sessions) announcing.set(id, { isSettled: false });
    },
    end(sessions: readonly SessionView[]) {
      for (const { id } of sessions) announcing.delete(id);
    },
    onShown(sessions: readonly SessionView[], withdraw: () => Promise<void>) {
      const open = new Set(sessions.map(({ id }) => id).filter((id) => announcing.get(id)?.isSettled !== true));
      if (open.size === 0) return void withdraw();
      shown.push({ open, withdraw });
      if (shown.length > most) shown.shift();
    },
    onEvent(event: DeskEvent) {
      if (event.type === "session" && event.session.status !== "pending") settle(event.session.id);
      if (event.type === "removed") settle(event.sessionId);
      if (event.type !== "snapshot") return;
      const pending = new Set(event.sessions.map(({ id }) => id));
      for (const id of shown.flatMap(({ open }) => [...open])) if (!pending.has(id)) settle(id);
    },
  };
}
