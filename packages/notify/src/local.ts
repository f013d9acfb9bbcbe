import type { CancelTimer, Draft, SessionView } from "@askbox/core";
import { replyCount } from "@askbox/core/questions";
import { localChannel } from "./channels/index.ts";
import { eventOf, forgetSession, type NotifyEvent } from "./event.ts";
import type { Follower, LocalOptions, NotifyOptions } from "./options.ts";
import { Queue } from "./queue/queue.ts";
import { stateFile } from "./queue/state-file.ts";
import { processRunner } from "./run/runner.ts";
import { warnOnceTo } from "./warn-once.ts";

/** Milliseconds until a snooze is looked at again: timers can't last as long. */
const longestTimer = 86_400_000;
/** Milliseconds from the first question of a batch until the notification. */
const batchWindow = 1_500;

/**
 * Notifies the person at this machine. A session that arrives while no surface is open waits for its batch, and is included if it is still
 * pending, unopened, and there still is no surface. There is one notification per session, and one per reply of its agent. Undefined if
 * the mode notifies nobody.
 */
export async function startLocal({ clock, desk, log }: NotifyOptions, options: LocalOptions): Promise<Follower | undefined> {
  const { mode, isSomebodyThere } = options;
  const { open, atOnce = Number.POSITIVE_INFINITY } = localChannel(mode);
  if (open === undefined) return undefined;
  const warnOnce = warnOnceTo(log);
  const announce = open({ ...options, run: options.run ?? processRunner(clock, options.platform), log, warnOnce });
  const file = stateFile(
    options.file,
    {
      unreadable: "The announced questions could not be read; some may be announced again.",
      unsaved: "The announced questions could not be saved; after a restart they may be announced again.",
    },
    warnOnce,
  );
  const stored = await file.load();
  /** What was announced, also by earlier hubs, and what somebody knows anyway: session ids, after replies with a dot and their number. */
  const announced = new Set(Array.isArray(stored) ? stored.filter((id) => typeof id === "string") : []);
  const known = new Set<string>();
  const newest = new Map<string, string>();
  /** The timers of snoozed sessions. */
  const snoozed = new Map<string, CancelTimer>();
  let isStarted = false;

  const send = async (events: readonly NotifyEvent[], signal: AbortSignal) => {
    const sessions = events.map(({ session }) => session);
    const unseen = isSomebodyThere() ? [] : sessions.filter(isUnseen);
    for (const session of sessions) if (!unseen.includes(session)) show(session.id);
    if (unseen.length > 0) {
      for (const session of unseen) announced.add(newsOf(session));
      file.save(() => [...announced]);
      await announce(unseen, signal);
    }
    return { ok: true } as const;
  };
  const queue = new Queue({ clock, log, noun: "notification", shown: mode, atOnce, window: batchWindow, send });

  /** Somebody knows about it: saw it arrive, has it open, or has begun to answer. */
  const show = (id: string) => {
    queue.withdraw(openingOf(id));
    known.add(newest.get(id) ?? id);
  };
  /** A settled session is never announced again; the file is updated with the next announcement. */
  const forget = (id: string) => {
    queue.withdraw(openingOf(id));
    snoozed.get(id)?.();
    snoozed.delete(id);
    newest.delete(id);
    for (const ids of [announced, known]) forgetSession(ids, id);
  };
  const consider = (session: SessionView) => {
    const { id, snoozedUntil = 0 } = session;
    snoozed.get(id)?.();
    const rest = snoozedUntil - clock.now();
    if (session.status === "pending" && rest > 0) {
      queue.withdraw(openingOf(id));
      // Who snoozed it knows about it, also if they wake it.
      known.add(newsOf({ ...session, snoozedUntil: undefined }));
      snoozed.set(
        id,
        clock.setTimer(Math.min(rest, longestTimer), () => consider(session)),
      );
      return;
    }
    const news = newsOf(session);
    newest.set(id, news);
    const event = eventOf("session.opened", session);
    if (session.status !== "pending") forget(id);
    else if (queue.has(event.id)) queue.add(event);
    else if (announced.has(news) || known.has(news)) return;
    else if (isSomebodyThere()) show(id);
    else queue.add(event);
  };
  /** Somebody may have opened or left what is about to be announced. */
  const lookAgain = (id: string) => {
    if (!queue.has(openingOf(id))) return;
    // It may have been settled in the meantime.
    desk.get(id).then(
      (session) => queue.has(openingOf(id)) && consider(session),
      () => {},
    );
  };
  /** A remote desk sends a snapshot after each reconnect; only sessions in the first may have been announced by an earlier hub. */
  const begin = (sessions: readonly SessionView[], drafts: readonly Draft[]) => {
    const pending = new Set(sessions.map(({ id }) => id));
    for (const id of [...announced, ...known, ...newest.keys()].map(sessionOf)) if (!pending.has(id)) forget(id);
    // An earlier hub cannot have announced anything younger than a batch; for the rest, only the stored state tells.
    const since = isStarted || options.file !== undefined ? Number.NEGATIVE_INFINITY : clock.now() - batchWindow;
    isStarted = true;
    for (const { sessionId } of drafts) show(sessionId);
    for (const session of sessions) {
      if (session.createdAt > since) consider(session);
      else {
        newest.set(session.id, newsOf(session));
        show(session.id);
      }
    }
  };
  return {
    onEvent(event) {
      if (event.type === "snapshot") begin(event.sessions, event.drafts);
      else if (event.type === "removed") forget(event.sessionId);
      else if (event.type === "session") consider(event.session);
      else if (event.type === "presence") lookAgain(event.sessionId);
      else if (event.type === "draft") show(event.draft.sessionId);
    },
    async close() {
      for (const cancel of snoozed.values()) cancel();
      await queue.close();
      await file.written();
    },
  };
}

const openingOf = (sessionId: string) => `${sessionId}.opened`;

/** A reply of the agent counts as a new question, and so does the end of a snooze. */
function newsOf(session: SessionView): string {
  const replies = replyCount(session);
  const back = session.snoozedUntil === undefined ? "" : `.${session.snoozedUntil}`;
  return `${session.id}${replies === 0 ? "" : `.${replies}`}${back}`;
}

const sessionOf = (news: string): string => news.split(".", 1)[0] ?? news;

function isUnseen(session: SessionView): boolean {
  return (
    (session.seenAt === undefined || replyCount(session) > 0 || session.snoozedUntil !== undefined) && session.presence.openIn.length === 0
  );
}
