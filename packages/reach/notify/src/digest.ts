import type { SessionView } from "@askbox/core";
import { denialOf } from "@askbox/core/questions";
import type { AnnouncedFile } from "./announcer.ts";
import { isUnseen, noRules, quietUntil, settingsFor } from "./attention.ts";
import { type AttentionMode, localChannel } from "./channels/index.ts";
import type { WarnOnce } from "./failures.ts";
import type { Follower, LocalOptions, NotifyOptions } from "./options.ts";
import { processRunner } from "./run.ts";

/**
 * Tells the person at this machine of what models have denied, which no other notification does: the first denial waits for `every` ms, and all
 * that have come by then, and stand undecided and unseen, are told together. So there is at most one digest in that time, also across
 * restarts. Those in quiet hours wait for their end. Only channels that show a message take it.
 */
export function startDigest(options: NotifyOptions, local: LocalOptions, file: AnnouncedFile, warnOnce: WarnOnce, every: number): Follower {
  const { clock, log, rules = noRules } = options;
  const run = local.run ?? processRunner(clock, local.platform);
  const told = file.of("denials");
  const waiting = new Map<string, SessionView>();
  const stopped = new AbortController();
  const sending = new Set<Promise<void>>();
  let cancel: (() => void) | undefined;
  let isStarted = false;

  const wait = (ms: number) => {
    cancel ??= clock.setTimer(ms, () => {
      cancel = undefined;
      tell();
    });
  };
  const know = (id: string) => {
    waiting.delete(id);
    told.add(id);
    file.save();
  };
  const drop = (id: string) => {
    waiting.delete(id);
    if (told.delete(id)) file.save();
  };
  const follow = (session: SessionView) => {
    if (denialOf(session) === undefined) return;
    if (session.status !== "pending") return drop(session.id);
    if (told.has(session.id)) return;
    if (!isUnseen(session)) return know(session.id);
    waiting.set(session.id, session);
    // It may have waited at an earlier hub already.
    wait(Math.min(every, Math.max(0, session.createdAt + every - clock.now())));
  };
  const tell = () => {
    const now = clock.now();
    const due = new Map<AttentionMode, SessionView[]>();
    let quietEnd = Number.POSITIVE_INFINITY;
    for (const session of waiting.values()) {
      const { attention = local.mode, quiet } = settingsFor(rules, session);
      const end = quiet && quietUntil(quiet, now);
      if (end === undefined) due.set(attention, [session, ...(due.get(attention) ?? [])]);
      else quietEnd = Math.min(quietEnd, end);
    }
    for (const [mode, sessions] of due) {
      for (const { id } of sessions) know(id);
      const { open, isMessage } = (local.channelOf ?? localChannel)(mode);
      if (open === undefined || !isMessage || local.isSomebodyThere()) continue;
      // Nothing is withdrawn: it tells what has happened.
      const send = open({ ...local, clock, run, onShown: () => {}, log, warnOnce });
      const sent = send(sessions, stopped.signal).catch((error: unknown) =>
        warnOnce("A digest of denials could not be shown.", { error: String(error) }),
      );
      sending.add(sent);
      void sent.finally(() => sending.delete(sent));
    }
    if (waiting.size > 0) wait(due.size > 0 ? every : Math.min(every, quietEnd - now));
  };

  return {
    onEvent(event) {
      if (stopped.signal.aborted) return;
      if (event.type === "session") follow(event.session);
      else if (event.type === "removed") drop(event.sessionId);
      else if (event.type === "presence" && event.presence.openIn.length > 0 && waiting.has(event.sessionId)) know(event.sessionId);
      else if (event.type === "snapshot") {
        const pending = new Set(event.sessions.map(({ id }) => id));
        for (const id of [...waiting.keys(), ...told]) if (!pending.has(id)) drop(id);
        // Without a file, nobody knows what an earlier hub has told.
        if (!isStarted && !file.isKept) for (const session of event.sessions) if (denialOf(session) !== undefined) told.add(session.id);
        isStarted = true;
        for (const session of event.sessions) follow(session);
      }
    },
    async close() {
      cancel?.();
      stopped.abort();
      await Promise.all(sending);
    },
  };
}
