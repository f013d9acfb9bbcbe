import { type CancelTimer, type Clock, type Draft, isAskboxError, type SessionView } from "@askbox/core";
import { denialOf, isReply, replyCount } from "@askbox/core/questions";
import { agendaOf, isUnseen, type Milestone, newsNow, newsOf, sessionOf, type Times } from "./attention.ts";
import { eventOf, forgetSession, messageEventOf, type NotifyEvent } from "./event.ts";
import type { WarnOnce } from "./failures.ts";
import type { Follower, NotifyOptions } from "./options.ts";
import { type Attempt, Queue, type QueueOptions, type QueueStatus } from "./queue.ts";
import { stateFile } from "./state-file.ts";

/**
 * How a person is told of sessions in one channel: of each piece of news once, if nobody has seen it in time.
 *
 * News is what a person may not know yet: a question that was opened, the agent's reply to what was asked back, a snooze that is over, and
 * that half or nearly all of a question's time has passed. `attention.ts` says when each is due.
 *
 * 1. `follow` is given a session whenever it has changed, and by its timer when its next news is due. It withdraws what somebody knows by
 *    now, and hands over what is due.
 * 2. `announce` leaves out what the channel doesn't take, what somebody has seen, and what another hub announces. The rest waits in the queue,
 *    which repeats failed attempts.
 * 3. `send` is the queue's turn, maybe hours later: it looks once more, remembers what is announced, and sends it.
 * 4. `end` withdraws a settled session, and in channels that tell ends, sends how it ended.
 *
 * What can go wrong:
 * - The hub is restarted: `begin` compares what is pending with the file of what was announced. Without a file, what an earlier hub may have
 *   announced counts as known.
 * - Several hubs share an inbox: one of them claims each piece of news. If it is not known which, this one announces it: twice is better than
 *   never. The hub that announced a question tells its end, too; another one does if it hasn't.
 * - A session can't be read: it is looked at again.
 * - A channel refuses: the queue gives up, and its status says so.
 */

/** Milliseconds until a session is looked at again that could not be read. */
const readAgainAfter = 5_000;
/** Milliseconds that the hub which announced a session has to say how it ended, before another one does. */
const endAfter = 1_000;

/** One way to reach a person, as an announcer uses it. With `window`, sessions are announced together; without it, each alone. */
export interface AnnouncerChannel extends Omit<QueueOptions, "clock" | "log" | "onChange"> {
  /** Identifies it in the file of what was announced. */
  key: string;
  /** When this session is announced here. Undefined: never. */
  timesOf(session: SessionView): Times | undefined;
  /** Whether a surface is connected that announces new questions by itself. Default: it doesn't matter, and the person is told. */
  isSomebodyThere?(): boolean;
  /** Whether it announces this. Default: always. */
  takes?(event: NotifyEvent): boolean;
  /** Whether this hub is the one that announces it, if several hubs share an inbox. */
  claim?(news: string): Promise<boolean>;
  /** Whether a settled session is sent too. `isAnnounced`: whether the person was told of its question. Default: never. */
  tellsEnd?(event: NotifyEvent, isAnnounced: boolean): boolean;
}

/** `tell` sends one more event in this channel. */
export type Announcer = Follower & { status(): QueueStatus; tell(event: NotifyEvent): void };

/** Announces sessions in one channel, until it is closed. */
export function startAnnouncer(
  { clock, desk, log }: Pick<NotifyOptions, "clock" | "desk" | "log">,
  channel: AnnouncerChannel,
  file: AnnouncedFile,
): Announcer {
  const { window } = channel;
  const announced = file.of(channel.key);
  const sessions = new Map<string, Announced>();
  const queue = new Queue({ ...channel, clock, log, send });
  let isStarted = false;
  let isClosed = false;
  for (const news of announced) known(sessionOf(news)).isAnnounced = true;

  return {
    onEvent(event) {
      if (isClosed) return;
      if (event.type === "snapshot") begin(event.sessions, event.drafts);
      else if (event.type === "session") follow(event.session);
      else if (event.type === "presence" && event.presence.openIn.length > 0) see(event.sessionId);
      else if (event.type === "draft") see(event.draft.sessionId);
      else if (event.type === "removed") drop(event.sessionId);
    },
    status: () => queue.status(),
    tell: (event) => queue.add(event),
    async close() {
      isClosed = true;
      for (const session of sessions.values()) session.stopWaiting();
      await queue.close();
    },
  };

  /** A remote desk sends a snapshot after each reconnect; only sessions in the first may have been announced by an earlier hub. */
  function begin(pending: readonly SessionView[], drafts: readonly Draft[]): void {
    const ids = new Set(pending.map(({ id }) => id));
    for (const [id, { isEnding }] of sessions) {
      if (ids.has(id) || isEnding) continue;
      // It was settled in between.
      if (channel.tellsEnd === undefined) drop(id);
      else void readAgain(id);
    }
    // An earlier hub cannot have announced anything younger; for the rest, only the stored state tells.
    const since = isStarted || file.isKept ? Number.NEGATIVE_INFINITY : clock.now() - (window ?? 0);
    isStarted = true;
    const drafted = new Set(drafts.map(({ sessionId }) => sessionId));
    for (const session of pending) {
      const news = newsOf(session);
      if (session.createdAt + (channel.timesOf(session)?.after ?? 0) <= since) know(session.id, [news]);
      if (drafted.has(session.id)) know(session.id, newsNow(news));
      follow(session);
    }
  }

  /** `due`: news whose time has come, whatever the wall clock says. */
  function follow(session: SessionView, due?: string): void {
    const { id } = session;
    // Nobody waits for a decision about what a model has denied.
    if (isClosed || denialOf(session) !== undefined) return;
    if (session.status !== "pending") return end(session);
    const times = channel.timesOf(session);
    if (times === undefined) return;
    const one = known(id);
    const isTold = (news: string) => announced.has(news) || one.told.has(news) || one.claiming.has(news);
    const now = clock.now();
    const { passed, next, isQuiet } = agendaOf(session, times, { now, due, isTold });
    one.newest = passed ?? { news: newsOf(session), at: now, isReminder: false };
    if (next === undefined) one.stopWaiting();
    else one.waitFor(`${next.news} at ${next.at}`, clock, next.at - now, () => void readAgain(id, next.news));
    // Who snoozed it knows about it, also if they wake it.
    if ((session.snoozedUntil ?? 0) > now && passed === undefined) know(id, newsNow(newsOf({ ...session, snoozedUntil: undefined })));
    else if (session.presence.openIn.length > 0) see(id);
    else if (queue.has(openingOf(id))) queue.add(announcementOf(session));
    else if (passed !== undefined && !isQuiet && !isTold(passed.news)) void announce(session, one, passed);
  }

  async function announce(session: SessionView, one: Announced, { news, isReminder }: Milestone): Promise<void> {
    const event = announcementOf(session);
    if (channel.takes?.(event) === false) return;
    if (!isUnseen(session)) return see(session.id);
    if (!isReminder && channel.isSomebodyThere?.()) return know(session.id);
    if (channel.claim !== undefined) {
      one.claiming.add(news);
      const isOurs = await claimed(news);
      one.claiming.delete(news);
      if (!isOurs) {
        one.told.add(news);
        one.isElsewhere = true;
      }
      // Meanwhile somebody may know it, or something else may be new.
      if (one.told.has(news) || one.newest?.news !== news) return;
    }
    queue.add(event);
  }

  async function send(events: readonly NotifyEvent[], signal: AbortSignal): Promise<Attempt> {
    const [first] = events;
    if (first?.type === "denials.digest") return channel.send(events, signal);
    if (first?.type === "session.settled") {
      const attempt = await channel.send(events, signal);
      if (!first.isLate && !signal.aborted && (attempt.ok || attempt.isFinal)) drop(first.session.id);
      return attempt;
    }
    const isThere = channel.isSomebodyThere?.() === true;
    const unseen = events.filter(({ session }) => (!isThere || sessions.get(session.id)?.newest?.isReminder) && isUnseen(session));
    for (const event of events) if (!unseen.includes(event)) know(event.session.id);
    if (unseen.length === 0) return { ok: true, isNeedless: true };
    const news = unseen.map(({ session }) => sessions.get(session.id)?.newest?.news ?? newsOf(session));
    for (const each of news) {
      const one = known(sessionOf(each));
      one.isAnnounced = true;
      one.told.add(each);
    }
    const keep = () => {
      for (const each of news) announced.add(each);
      file.save();
    };
    // A channel that collects never sends twice; elsewhere a repeated announcement replaces the first.
    if (window !== undefined) keep();
    const attempt = await channel.send(unseen, signal);
    if (attempt.ok && window === undefined) keep();
    return attempt;
  }

  function end(session: SessionView): void {
    const { id } = session;
    const { newest, isAnnounced = false, isElsewhere = false, isEnding } = sessions.get(id) ?? {};
    if (isEnding) return;
    const event = eventOf("session.settled", session);
    const isOver = newest === undefined && !isAnnounced;
    if (isOver || channel.tellsEnd?.(event, isAnnounced || isElsewhere) !== true) return drop(id);
    const ending = stop(id);
    ending.isEnding = true;
    const tell = async () => {
      const isOurs = await claimed(event.id);
      if (isAnnounced || isOurs) queue.add(event);
      else drop(id);
    };
    if (isElsewhere && !isAnnounced) ending.waitFor(event.id, clock, endAfter, () => void tell());
    else void tell();
  }

  async function readAgain(id: string, due?: string): Promise<void> {
    try {
      follow(await desk.get(id), due);
    } catch (error) {
      if (isClosed) return;
      if (isAskboxError(error, "SESSION_NOT_FOUND")) return drop(id);
      log("warn", "A question could not be read, and is looked at again.", { error: String(error) });
      known(id).waitFor("another try", clock, readAgainAfter, () => void readAgain(id, due));
    }
  }

  async function claimed(news: string): Promise<boolean> {
    try {
      return (await channel.claim?.(news)) ?? true;
    } catch (error) {
      log("warn", "It is unknown whether another hub announces a question; this one does.", { error: String(error) });
      return true;
    }
  }

  function known(id: string): Announced {
    const session = sessions.get(id) ?? new Announced();
    sessions.set(id, session);
    return session;
  }

  /** Somebody knows this news already; without any, they saw the newest arrive. */
  function know(id: string, news: readonly string[] = [newestOf(id)]): void {
    queue.withdraw(openingOf(id));
    for (const each of news) known(id).told.add(each);
  }

  /** Somebody has it open, or has begun to answer: they are not reminded either. */
  function see(id: string): void {
    know(id, newsNow(newestOf(id)));
  }

  function newestOf(id: string): string {
    return sessions.get(id)?.newest?.news ?? id;
  }

  function stop(id: string): Announced {
    queue.withdraw(openingOf(id));
    const session = known(id);
    session.stopWaiting();
    session.newest = undefined;
    return session;
  }

  function drop(id: string): void {
    stop(id);
    sessions.delete(id);
    if (forgetSession(announced, id)) file.save();
  }
}

/** What an announcer knows of a session. */
class Announced {
  /** What is new about it; undefined while it is not announced here, and once it is settled. */
  newest: Milestone | undefined;
  /** What was sent, or may have been; what somebody knows anyway; and what another hub announces. */
  readonly told = new Set<string>();
  /** What waits to know whether this hub announces it. */
  readonly claiming = new Set<string>();
  /** Whether it was announced, or may have been: by this hub, and by another. */
  isAnnounced = false;
  isElsewhere = false;
  /** Whether its end is being sent. */
  isEnding = false;
  #waitsFor: string | undefined;
  #cancel: CancelTimer = () => {};

  /** Calls back in `ms`, instead of what it waited for before, unless that was the same. */
  waitFor(what: string, clock: Clock, ms: number, work: () => void): void {
    if (this.#waitsFor === what) return;
    this.stopWaiting();
    this.#waitsFor = what;
    this.#cancel = clock.setTimer(ms, () => {
      this.#waitsFor = undefined;
      work();
    });
  }

  stopWaiting(): void {
    this.#waitsFor = undefined;
    this.#cancel();
  }
}

/** The id under which a session's announcement is queued. */
const openingOf = (sessionId: string) => `${sessionId}.opened`;

/** What is new about a pending session: its opening, or the agent's last reply. There is one at a time, which replaces the one before. */
function announcementOf(session: SessionView): NotifyEvent {
  const reply = replyCount(session) === 0 ? undefined : session.thread?.findLast(isReply);
  const event = reply === undefined ? eventOf("session.opened", session) : messageEventOf(session, reply);
  return { ...event, id: openingOf(session.id) };
}

/** What was announced, by channel, so that a restarted hub neither repeats an announcement nor skips one. */
export interface AnnouncedFile {
  /** Whether it outlives this process. */
  isKept: boolean;
  /** What this channel has announced: changes are stored by `save`. */
  of(channel: string): Set<string>;
  save(): void;
  written(): Promise<void>;
}

/** The channel of a file that holds no more than a list, as earlier versions wrote it. */
export const localChannelKey = "local";

/** Reads the file; without a path, nothing is stored. */
export async function announcedFile(path: string | undefined, warnOnce: WarnOnce): Promise<AnnouncedFile> {
  const file = stateFile(
    path,
    {
      unreadable: "The announced questions could not be read; some may be announced again.",
      unsaved: "The announced questions could not be saved; after a restart they may be announced again.",
    },
    warnOnce,
  );
  const stored = await file.load();
  const byChannel = Array.isArray(stored) ? { [localChannelKey]: stored } : typeof stored === "object" && stored !== null ? stored : {};
  const channels = new Map<string, Set<string>>();
  return {
    isKept: path !== undefined,
    of(channel) {
      const news: unknown = Object.hasOwn(byChannel, channel) ? byChannel[channel as keyof typeof byChannel] : undefined;
      const announced = channels.get(channel) ?? new Set(Array.isArray(news) ? news.filter((id) => typeof id === "string") : []);
      channels.set(channel, announced);
      return announced;
    },
    save: () => file.save(() => Object.fromEntries([...channels].map(([channel, news]) => [channel, [...news]]))),
    written: () => file.written(),
  };
}
