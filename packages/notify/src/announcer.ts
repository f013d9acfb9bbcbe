import { type CancelTimer, type Draft, isAskboxError, type SessionView } from "@askbox/core";
import { isReply, replyCount } from "@askbox/core/questions";
import type { AnnouncedFile } from "./announced-file.ts";
import { eventOf, forgetSession, messageEventOf, type NotifyEvent } from "./event.ts";
import { isUnseen, type Milestone, milestonesOf, newsNow, newsOf, sessionOf } from "./milestones.ts";
import type { Follower, NotifyOptions } from "./options.ts";
import { type Attempt, Queue, type QueueStatus } from "./queue/queue.ts";
import { type QuietHours, quietUntil } from "./quiet-hours.ts";

/** Milliseconds until a session is looked at again that could not be read. */
const readAgainAfter = 5_000;
/** Milliseconds that the hub which announced a session has to say how it ended, before another one does. */
const endAfter = 1_000;

/** One way to reach a person, as an announcer uses it. */
export interface AnnouncerChannel {
  /** Identifies it in the file of what was announced. */
  key: string;
  /** For the log: what is sent, and where. */
  noun: string;
  shown: string;
  /** The maximum number of announcements in progress. */
  atOnce: number;
  /** Milliseconds during which sessions are collected for one announcement. Without it, each is announced alone. */
  window?: number;
  /** When this session is announced here: `after` ms since something new came, outside quiet hours. Undefined: never. */
  timesOf(session: SessionView): { after: number; quiet?: QuietHours | undefined } | undefined;
  /** Whether a surface is connected that announces new questions by itself. */
  isSomebodyThere(): boolean;
  /** Whether it announces this. */
  takes(event: NotifyEvent): boolean;
  /** Announces events, each of another session. Called again after a failed attempt. */
  send(events: readonly NotifyEvent[], signal: AbortSignal): Promise<Attempt>;
  /** Whether this hub is the one that announces it, if several hubs share an inbox. */
  claim?(news: string): Promise<boolean>;
  /** Whether a settled session is sent too. `isAnnounced`: whether the person was told of its question. Default: never. */
  tellsEnd?(event: NotifyEvent, isAnnounced: boolean): boolean;
  random?: (() => number) | undefined;
}

/** `tell` sends one more event in this channel. */
export type Announcer = Follower & { status(): QueueStatus; tell(event: NotifyEvent): void };

/**
 * Announces sessions in one channel: each piece of news once, `after` it came, unless somebody saw it by then; and again as its time passes.
 * What is settled, seen or snoozed is withdrawn.
 */
export function startAnnouncer(
  { clock, desk, log }: Pick<NotifyOptions, "clock" | "desk" | "log">,
  channel: AnnouncerChannel,
  file: AnnouncedFile,
): Announcer {
  const { window } = channel;
  const announced = file.of(channel.key);
  /** What is being announced, or failed to be. Where announcements are repeated, it is `announced` only once that is done. */
  const tried = new Set<string>();
  /** What somebody knows anyway, or another hub announces. */
  const known = new Set<string>();
  /** Sessions that another hub has announced. */
  const elsewhere = new Set<string>();
  /** Sessions whose end is being sent. */
  const ending = new Set<string>();
  /** What is new about each pending session. */
  const newest = new Map<string, Milestone>();
  const timers = new Map<string, { news: string; at: number; cancel: CancelTimer }>();
  let isStarted = false;
  let isClosed = false;

  const send = async (events: readonly NotifyEvent[], signal: AbortSignal): Promise<Attempt> => {
    const [first] = events;
    if (first?.isLate) return channel.send(events, signal);
    if (first?.type === "session.settled") {
      const attempt = await channel.send(events, signal);
      if (!signal.aborted && (attempt.ok || attempt.isFinal)) forgetNews(first.session.id);
      return attempt;
    }
    const isThere = window !== undefined && channel.isSomebodyThere();
    const unseen = events.filter(({ session }) => (!isThere || newest.get(session.id)?.isReminder) && isUnseen(session));
    for (const event of events) if (!unseen.includes(event)) show(event.session.id);
    if (unseen.length === 0) return { ok: true };
    const news = unseen.map(({ session }) => newest.get(session.id)?.news ?? newsOf(session));
    const keep = (kept: Set<string>) => {
      for (const each of news) kept.add(each);
      if (kept === announced) file.save();
    };
    // A channel that collects never sends twice; elsewhere a repeated announcement replaces the first.
    keep(window === undefined ? tried : announced);
    const attempt = await channel.send(unseen, signal);
    if (attempt.ok && window === undefined) keep(announced);
    return attempt;
  };
  const { key: _key, timesOf: _timesOf, takes: _takes, claim: _claim, tellsEnd: _tellsEnd, ...way } = channel;
  const queue = new Queue({ clock, log, ...way, send });

  /** Somebody knows about it: saw it arrive, has it open, or has begun to answer. */
  const show = (id: string) => {
    queue.withdraw(openingOf(id));
    known.add(newest.get(id)?.news ?? id);
  };
  /** Somebody has seen it: they are not reminded either. */
  const see = (id: string) => {
    show(id);
    for (const news of newsNow(newest.get(id)?.news ?? id)) known.add(news);
  };
  const isTold = (news: string) => announced.has(news) || tried.has(news) || known.has(news);
  const forgetNews = (id: string) => {
    ending.delete(id);
    forgetSession(tried, id);
    if (forgetSession(announced, id)) file.save();
  };
  /** A settled session is never announced again; the file is updated with the next announcement. */
  const forget = (id: string) => {
    queue.withdraw(openingOf(id));
    timers.get(id)?.cancel();
    timers.delete(id);
    newest.delete(id);
    elsewhere.delete(id);
    forgetSession(known, id);
  };
  const end = async (session: SessionView) => {
    const { id } = session;
    if (ending.has(id)) return;
    const isAnnounced = [...announced, ...tried].some((news) => sessionOf(news) === id);
    const isElsewhere = elsewhere.has(id) && !isAnnounced;
    const isNew = isAnnounced || newest.has(id);
    forget(id);
    if (!isNew) return;
    const event = eventOf("session.settled", session);
    if (channel.tellsEnd?.(event, isAnnounced || isElsewhere) !== true) return forgetNews(id);
    ending.add(id);
    const tell = async () => {
      const isOurs = await claimed(event.id);
      if (isAnnounced || isOurs) queue.add(event);
      else forgetNews(id);
    };
    if (isElsewhere) timers.set(id, { news: event.id, at: 0, cancel: clock.setTimer(endAfter, () => void tell()) });
    else await tell();
  };
  const wait = ({ id }: SessionView, milestone: Milestone) => {
    const { news, at } = milestone;
    const present = timers.get(id);
    if (present?.news === news && present.at === at) return;
    present?.cancel();
    const cancel = clock.setTimer(at - clock.now(), () => {
      timers.delete(id);
      void readAgain(id, (session) => follow(session, milestone));
    });
    timers.set(id, { news, at, cancel });
  };
  /** `due`: a milestone whose time has come, whatever the wall clock says. */
  const follow = (session: SessionView, due?: Milestone) => {
    const { id } = session;
    if (isClosed) return;
    if (session.status !== "pending") return void end(session);
    const times = channel.timesOf(session);
    if (times === undefined) return;
    const now = clock.now();
    const quietEnd = times.quiet && quietUntil(times.quiet, now);
    const milestones = milestonesOf(session, { after: times.after, now });
    const passed = milestones.filter(({ at, news }) => at <= now || news === due?.news).at(-1);
    const next = milestones.slice(passed === undefined ? 0 : milestones.indexOf(passed) + 1).find(({ news }) => !isTold(news));
    newest.set(id, passed ?? { news: newsOf(session), at: now, isReminder: false });
    const held = quietEnd === undefined ? undefined : milestones.findLast(({ at, news }) => at <= quietEnd && !isTold(news));
    if (held !== undefined && quietEnd !== undefined) wait(session, { ...held, at: quietEnd });
    else if (next !== undefined) wait(session, next);
    else {
      timers.get(id)?.cancel();
      timers.delete(id);
    }
    if ((session.snoozedUntil ?? 0) > now && passed === undefined) {
      queue.withdraw(openingOf(id));
      // Who snoozed it knows about it, also if they wake it.
      for (const news of newsNow(newsOf({ ...session, snoozedUntil: undefined }))) known.add(news);
    } else if (session.presence.openIn.length > 0) see(id);
    else if (queue.has(openingOf(id))) queue.add(announcementOf(session));
    else if (passed !== undefined && quietEnd === undefined && !isTold(passed.news)) void announce(session, passed);
  };
  const announce = async (session: SessionView, { news, isReminder }: Milestone) => {
    const event = announcementOf(session);
    if (!channel.takes(event)) return;
    if (!isUnseen(session)) return see(session.id);
    if (!isReminder && channel.isSomebodyThere()) return show(session.id);
    if (channel.claim !== undefined) {
      tried.add(news);
      const isOurs = await claimed(news);
      tried.delete(news);
      if (!isOurs) {
        known.add(news);
        elsewhere.add(session.id);
      }
      if (known.has(news) || newest.get(session.id)?.news !== news) return;
    }
    queue.add(event);
  };
  const claimed = async (news: string): Promise<boolean> => {
    try {
      return (await channel.claim?.(news)) ?? true;
    } catch (error) {
      log("warn", "It is unknown whether another hub announces a question; this one does.", { error: String(error) });
      return true;
    }
  };
  const readAgain = async (id: string, use: (session: SessionView) => void): Promise<void> => {
    try {
      use(await desk.get(id));
    } catch (error) {
      if (isClosed) return;
      if (isAskboxError(error, "SESSION_NOT_FOUND")) {
        forget(id);
        forgetNews(id);
        return;
      }
      log("warn", "A question could not be read, and is looked at again.", { error: String(error) });
      timers.get(id)?.cancel();
      const cancel = clock.setTimer(readAgainAfter, () => void readAgain(id, use));
      timers.set(id, { news: "", at: 0, cancel });
    }
  };
  /** A remote desk sends a snapshot after each reconnect; only sessions in the first may have been announced by an earlier hub. */
  const begin = (sessions: readonly SessionView[], drafts: readonly Draft[]) => {
    const pending = new Set(sessions.map(({ id }) => id));
    for (const id of new Set([...announced, ...known, ...newest.keys()].map(sessionOf))) {
      if (pending.has(id)) continue;
      if (channel.tellsEnd !== undefined) void readAgain(id, follow);
      else {
        forget(id);
        forgetNews(id);
      }
    }
    // An earlier hub cannot have announced anything younger; for the rest, only the stored state tells.
    const since = isStarted || file.isKept ? Number.NEGATIVE_INFINITY : clock.now() - (window ?? 0);
    isStarted = true;
    const drafted = new Set(drafts.map(({ sessionId }) => sessionId));
    for (const session of sessions) {
      const news = newsOf(session);
      if (session.createdAt + (channel.timesOf(session)?.after ?? 0) <= since) known.add(news);
      if (drafted.has(session.id)) for (const seen of newsNow(news)) known.add(seen);
      follow(session);
    }
  };
  return {
    onEvent(event) {
      if (isClosed) return;
      if (event.type === "snapshot") begin(event.sessions, event.drafts);
      else if (event.type === "session") follow(event.session);
      else if (event.type === "presence" && event.presence.openIn.length > 0) see(event.sessionId);
      else if (event.type === "draft") see(event.draft.sessionId);
      else if (event.type === "removed") {
        forget(event.sessionId);
        forgetNews(event.sessionId);
      }
    },
    status: () => queue.status(),
    tell: (event) => queue.add(event),
    async close() {
      isClosed = true;
      for (const { cancel } of timers.values()) cancel();
      await queue.close();
    },
  };
}

const openingOf = (sessionId: string) => `${sessionId}.opened`;

/** What is new about a pending session: its opening, or the agent's last reply. There is one at a time, which replaces the one before. */
function announcementOf(session: SessionView): NotifyEvent {
  const reply = replyCount(session) === 0 ? undefined : session.thread?.findLast(isReply);
  const event = reply === undefined ? eventOf("session.opened", session) : messageEventOf(session, reply);
  return { ...event, id: openingOf(session.id) };
}
