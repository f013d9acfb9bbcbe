import type { CancelTimer, Clock, DeskEvent, Draft, Log, SessionView } from "@askbox/core";
import { replyCount } from "@askbox/core/questions";
import type { Channel } from "../channels/channel.ts";
import type { ToldSessions } from "./told-sessions.ts";

/** Milliseconds from the first question of a batch until the notification. */
export const batchWindow = 1_500;

export interface CallerParts {
  channel: Channel;
  told: ToldSessions;
  isSomebodyThere: () => boolean;
  clock: Clock;
  log: Log;
}

/**
 * Decides when to notify a person. A session that arrives while no surface is open waits for its batch, and is included if it is still
 * pending, unopened, and there still is no surface. There is one notification per session, and one per reply of its agent.
 */
export class Caller {
  readonly #parts: CallerParts;
  readonly #waiting = new Map<string, SessionView>();
  /** How many of a session's events are known to somebody, and how many there are. */
  readonly #shown = new Map<string, string>();
  readonly #newest = new Map<string, string>();
  #cancelTimer: CancelTimer | undefined;
  #started = false;
  #closed = false;

  constructor(parts: CallerParts) {
    this.#parts = parts;
  }

  onEvent(event: DeskEvent): void {
    if (this.#closed) return;
    if (event.type === "snapshot") this.#begin(event.sessions, event.drafts);
    else if (event.type === "removed") this.#forget(event.sessionId);
    else if (event.type === "session") this.#consider(event.session);
    else if (event.type === "draft") this.#show(event.draft.sessionId);
  }

  close(): void {
    this.#closed = true;
    this.#cancelTimer?.();
  }

  /** A remote desk sends a snapshot after each reconnect; only sessions in the first may have been announced by an earlier hub. */
  #begin(sessions: readonly SessionView[], drafts: readonly Draft[]): void {
    const { clock, told } = this.#parts;
    const pending = new Set(sessions.map(({ id }) => id));
    told.keep(pending);
    for (const id of [...this.#waiting.keys(), ...this.#shown.keys()]) if (!pending.has(id)) this.#forget(id);
    // An earlier hub cannot have announced anything younger than a batch; for the rest, only the stored state tells.
    const since = this.#started || told.remembers ? Number.NEGATIVE_INFINITY : clock.now() - batchWindow;
    this.#started = true;
    for (const { sessionId } of drafts) this.#show(sessionId);
    for (const session of sessions) {
      if (session.createdAt > since) this.#consider(session);
      else {
        this.#newest.set(session.id, newsOf(session));
        this.#show(session.id);
      }
    }
  }

  #consider(session: SessionView): void {
    const { clock, told, isSomebodyThere } = this.#parts;
    const { id } = session;
    const news = newsOf(session);
    this.#newest.set(id, news);
    if (session.status !== "pending") this.#forget(id);
    else if (this.#waiting.has(id)) this.#waiting.set(id, session);
    else if (told.has(news) || this.#shown.get(id) === news) return;
    else if (isSomebodyThere()) this.#show(id);
    else {
      this.#waiting.set(id, session);
      this.#cancelTimer ??= clock.setTimer(batchWindow, () => this.#leave());
    }
  }

  /** Somebody knows about it: saw it arrive, has it open, or has begun to answer. */
  #show(id: string): void {
    this.#waiting.delete(id);
    this.#shown.set(id, this.#newest.get(id) ?? id);
  }

  #forget(id: string): void {
    this.#waiting.delete(id);
    this.#shown.delete(id);
    this.#newest.delete(id);
    this.#parts.told.forget(id);
  }

  #leave(): void {
    const { channel, clock, told, isSomebodyThere, log } = this.#parts;
    this.#cancelTimer = undefined;
    if (this.#closed || this.#waiting.size === 0) return;
    const busy = channel.busy?.();
    if (busy !== undefined) {
      // Waits until the channel is free, plus a batch's time, in which the surface may have been closed.
      this.#cancelTimer = () => {};
      void busy.then(() => {
        if (!this.#closed) this.#cancelTimer = clock.setTimer(batchWindow, () => this.#leave());
      });
      return;
    }
    const sessions = [...this.#waiting.values()];
    this.#waiting.clear();
    const unseen = isSomebodyThere() ? [] : sessions.filter(isUnseen);
    for (const session of sessions) if (!unseen.includes(session)) this.#show(session.id);
    if (unseen.length === 0) return;
    told.add(unseen.map(newsOf));
    channel.call(unseen).catch((error: unknown) => log("error", "A call for attention failed.", { error: String(error) }));
  }
}

/** A reply of the agent counts as a new question. */
function newsOf(session: SessionView): string {
  const replies = replyCount(session);
  return replies === 0 ? session.id : `${session.id}.${replies}`;
}

function isUnseen(session: SessionView): boolean {
  return (session.seenAt === undefined || replyCount(session) > 0) && session.presence.openIn.length === 0;
}
