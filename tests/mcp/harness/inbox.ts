import type { Desk, SessionView } from "@askbox/core";

/** Returns pending sessions in the order in which they appear, each once. */
export async function pendingSessions(desk: Desk): Promise<() => Promise<SessionView>> {
  const told = new Set<string>();
  const ready: SessionView[] = [];
  const waiting: ((session: SessionView) => void)[] = [];
  const publish = (session: SessionView) => {
    if (session.status !== "pending" || told.has(session.id)) return;
    told.add(session.id);
    const next = waiting.shift();
    if (next === undefined) ready.push(session);
    else next(session);
  };
  await desk.watch({}, (event) => {
    if (event.type === "snapshot") event.sessions.forEach(publish);
    else if (event.type === "session") publish(event.session);
  });
  return () => {
    const session = ready.shift();
    return session === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(session);
  };
}
