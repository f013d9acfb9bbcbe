import type { DeskEvent, SessionView } from "@askbox/core";
import { type AnnouncedFile, type AnnouncerChannel, localChannelKey, startAnnouncer } from "./announcer.ts";
import { noRules, settingsFor } from "./attention.ts";
import { type AttentionMode, localChannel } from "./channels/index.ts";
import type { WarnOnce } from "./failures.ts";
import type { Follower, LocalOptions, NotifyOptions } from "./options.ts";
import { processRunner } from "./run.ts";

/**
 * Announces to the person at this machine while no surface is open: all questions of 1.5 s together, in the mode that each of them has. What
 * a channel has shown is withdrawn, below, once its questions are settled, wherever that is.
 */

/** Milliseconds from the first question of a batch until the notification. */
const window = 1_500;

/** Announces to the person at this machine, at once, while no surface is open, in each mode that a question may have. */
export function startLocal(options: NotifyOptions, local: LocalOptions, file: AnnouncedFile, warnOnce: WarnOnce): Follower[] {
  const modes = new Set([local.mode, ...(options.rules?.rules ?? []).flatMap(({ attention = [] }) => attention)]);
  return [...modes].flatMap((mode) => startMode(mode, options, local, file, warnOnce) ?? []);
}

/** Undefined if the mode notifies nobody. */
function startMode(
  mode: AttentionMode,
  options: NotifyOptions,
  local: LocalOptions,
  file: AnnouncedFile,
  warnOnce: WarnOnce,
): Follower | undefined {
  const { clock, log, meter, rules = noRules } = options;
  const { isSomebodyThere, channelOf = localChannel } = local;
  const { open, atOnce = Number.POSITIVE_INFINITY } = channelOf(mode);
  if (open === undefined) return undefined;
  const shown = withdrawing();
  const run = local.run ?? processRunner(clock, local.platform);
  const announce = open({ ...local, clock, run, onShown: shown.onShown, log, warnOnce });
  const channel: AnnouncerChannel = {
    key: localChannelKey,
    noun: "notification",
    shown: mode,
    atOnce,
    window,
    onResult: (result) => meter?.(mode, result),
    isSomebodyThere,
    timesOf(session) {
      const { attention = local.mode, quiet } = settingsFor(rules, session);
      return attention === mode ? { after: 0, quiet } : undefined;
    },
    async send(events, signal) {
      const sessions = events.map(({ session }) => session);
      shown.begin(sessions);
      await announce(sessions, signal).finally(() => shown.end(sessions));
      return { ok: true };
    },
  };
  const announcer = startAnnouncer(options, channel, file);
  return {
    ...announcer,
    onEvent(event) {
      shown.onEvent(event);
      announcer.onEvent(event);
    },
  };
}

/** Announcements that are remembered; beyond it, the oldest stay until somebody closes them. */
const most = 100;

interface Shown {
  /** Its sessions that are not settled. */
  open: Set<string>;
  withdraw(): Promise<void>;
}

/** Withdraws announcements once each of their sessions is settled, wherever that is. */
function withdrawing() {
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
