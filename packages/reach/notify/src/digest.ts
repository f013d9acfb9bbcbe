import type { Clock, SessionView, SharedState } from "@askbox/core";
import { denialOf } from "@askbox/core/questions";
import * as z from "zod";
import type { AnnouncedFile } from "./announcer.ts";
import { isUnseen, noRules, type QuietHours, quietUntil, settingsFor } from "./attention.ts";
import { type AttentionMode, localChannel } from "./channels/index.ts";
import { digestEventOf, type NotifyEvent } from "./event.ts";
import type { WarnOnce } from "./failures.ts";
import type { Follower, LocalOptions, NotifyOptions } from "./options.ts";
import { processRunner } from "./run.ts";

/**
 * Tells of what models have denied, which no other notification does: the first denial waits for `every` ms, and all that have come by then,
 * and stand undecided and unseen, are told together. Those in quiet hours wait for their end.
 *
 * There is at most one digest in that time at each place, and each denial is in at most one, also across restarts: what is told is stored
 * before it is sent. Several hubs store it where all of them read it, by compare-and-set; while that can't be reached, nothing is told.
 */

/** One way to tell of denials. */
export interface DigestChannel {
  /** Identifies it among those elsewhere; undefined for this machine. */
  place?: string;
  /** The quiet hours there for this denial; undefined if it is never told there. */
  hoursOf(session: SessionView): { quiet?: QuietHours | undefined } | undefined;
  /** The newest first; the event says the same. */
  tell(sessions: readonly SessionView[], event: NotifyEvent): unknown;
  /** What several hubs share, if only one of them tells of a denial there. */
  shared?: SharedState | undefined;
}

/** Denials that several hubs know as told at a place; beyond it, the oldest are forgotten. A denial ends by itself after a day. */
const maxTold = 1_000;
const lifetime = 2 * 86_400_000;
/** What several hubs have told at a place, and when they did last, as wall time in ms. */
const toldSchema = z.object({ at: z.number(), told: z.array(z.string()) }).catch({ at: Number.NEGATIVE_INFINITY, told: [] });

/** The key of what was told at a place elsewhere, in the file of what was announced. */
export const denialsAt = (place: string): string => `denials@${place}`;

/** `every`: in ms. */
type DigestOptions = { clock: Clock; file: AnnouncedFile; warnOnce: WarnOnce; every: number };

/** Tells of denials at one place, until it is closed. */
export function startDigest({ clock, file, warnOnce, every }: DigestOptions, { place, hoursOf, tell, shared }: DigestChannel): Follower {
  const key = place === undefined ? "denials" : denialsAt(place);
  const told = file.of(key);
  const waiting = new Map<string, SessionView>();
  let cancel: (() => void) | undefined;
  let telling: Promise<void> | undefined;
  let isStarted = false;
  let isClosed = false;

  const wait = (ms: number) => {
    cancel ??= clock.setTimer(ms, () => {
      cancel = undefined;
      telling = tellDue()
        .catch((error: unknown) => {
          warnOnce("A digest of denials could not be sent.", { error: String(error) });
          return every;
        })
        .then((next) => {
          telling = undefined;
          if (waiting.size > 0 && !isClosed) wait(next);
        });
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
    if (telling === undefined) wait(Math.min(every, Math.max(0, session.createdAt + every - clock.now())));
  };
  /** Resolves with the time until the next digest, in ms. */
  const tellDue = async (): Promise<number> => {
    const now = clock.now();
    const due: SessionView[] = [];
    let quietEnd = Number.POSITIVE_INFINITY;
    for (const session of waiting.values()) {
      const hours = hoursOf(session);
      const end = hours?.quiet && quietUntil(hours.quiet, now);
      if (end !== undefined) quietEnd = Math.min(quietEnd, end);
      else if (hours === undefined) waiting.delete(session.id);
      else due.unshift(session);
    }
    if (due.length === 0) return Math.min(every, quietEnd - now);
    const ours = shared && (await takeAmongHubs(shared, due, now));
    if (typeof ours === "number") return ours;
    // What was decided meanwhile waits no longer.
    for (const { id } of due) if (waiting.has(id)) know(id);
    await file.written();
    const [newest, ...others] = due.filter(({ id }) => told.has(id) && ours?.has(id) !== false);
    if (newest !== undefined && !isClosed) await tell([newest, ...others], digestEventOf([newest, ...others], now));
    return every;
  };
  /** Those that this hub tells of; or the milliseconds that another hub's last digest leaves to wait. */
  const takeAmongHubs = async (shared: SharedState, due: readonly SessionView[], now: number): Promise<Set<string> | number> => {
    for (;;) {
      const before = await shared.get(`digest:${key}`);
      const last = toldSchema.parse(before === undefined ? undefined : JSON.parse(before));
      const ours = due.map(({ id }) => id).filter((id) => !last.told.includes(id));
      // A clock that was set back doesn't make it wait for longer.
      const left = Math.min(every, last.at + every - now);
      if (ours.length === 0) return new Set();
      if (left > 0) return left;
      const next = JSON.stringify({ at: now, told: [...last.told, ...ours].slice(-maxTold) });
      if (await shared.swap(`digest:${key}`, before, next, lifetime)) return new Set(ours);
    }
  };

  return {
    onEvent(event) {
      if (isClosed) return;
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
      isClosed = true;
      cancel?.();
      await telling;
    },
  };
}

/** Tells the person at this machine, by the channels that show a message. */
export function startLocalDigest(options: NotifyOptions, local: LocalOptions, digest: DigestOptions): Follower {
  const { clock, log, rules = noRules } = options;
  const { warnOnce } = digest;
  const run = local.run ?? processRunner(clock, local.platform);
  const stopped = new AbortController();
  const follower = startDigest(digest, {
    hoursOf: (session) => settingsFor(rules, session),
    async tell(denied) {
      const byMode = Map.groupBy(denied, (session): AttentionMode => settingsFor(rules, session).attention ?? local.mode);
      const sent = [...byMode].map(async ([mode, sessions]) => {
        const { open, isMessage } = (local.channelOf ?? localChannel)(mode);
        if (open === undefined || !isMessage || local.isSomebodyThere()) return;
        // Nothing is withdrawn: it tells what has happened.
        await open({ ...local, clock, run, onShown: () => {}, log, warnOnce })(sessions, stopped.signal);
      });
      await Promise.all(sent);
    },
  });
  return {
    ...follower,
    async close() {
      stopped.abort();
      await follower.close();
    },
  };
}
