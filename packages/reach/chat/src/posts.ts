import { createHash } from "node:crypto";
import { type CancelTimer, type Clock, type Desk, isAskboxError, type Log, type SessionView } from "@askbox/core";
import { backOff } from "@askbox/core/transport";
import { type Attempt, type DeliveryResult, eventNotice, type Failures, type NotifyEvent, pathOf, type WarnOnce } from "@askbox/notify";
import { type Card, newCard } from "./card.ts";
import { inert } from "./plain.ts";
import type { ChatConnection, ChatMessage, ChatPlatform } from "./port.ts";
import { render } from "./render.ts";
import type { DeskSettings, PairedChat } from "./settings.ts";
import type { DeskStore } from "./store.ts";
import { noQuestion } from "./words.ts";

/**
 * The messages of a desk's cards.
 *
 * `want` puts a card in the outbox of its chat. When its turn comes, `bringUpToDate` looks at what is true by then, and posts the card, or
 * edits its message if that would show something else.
 *
 * What can go wrong: the service can't be reached or wants to be left alone, and the outbox tries again; it refuses, which the desk's status
 * says; or nobody knows whether a post has arrived, and then it is not posted twice, and the first press tells which message is the card's.
 */

/** Messages of a card that are known, whose buttons and replies count. */
const maxMessages = 20;

const resultOf = { later: "retried", never: "dropped", unknown: "unknown" } as const;

export interface PostsOptions {
  platform: ChatPlatform;
  /** As they are now. */
  settings(): DeskSettings;
  connection(): Pick<ChatConnection, "post" | "edit">;
  store: DeskStore;
  desk: Pick<Desk, "get">;
  clock: Clock;
  log: Log;
  onResult: (result: DeliveryResult) => void;
  warnOnce: WarnOnce;
  failed: Pick<Failures, "attempt">;
  /** A card's question is settled, and its message says so. */
  onClosed(card: Card): void;
}

/** The messages of a desk's cards. */
export interface Posts {
  /** The card of a session in a chat; a new one if there is none. */
  cardFor(chat: string, session: SessionView): Card;
  /** Undefined if it was removed. */
  sessionOf(card: Card): Promise<SessionView | undefined>;
  /** What a card's message is now. */
  messageOf(session: SessionView, card: Card): ChatMessage;
  /** Brings a card's message up to date. `first`: before what else is waiting. */
  want(card: Card, first?: boolean): Promise<void>;
  /** Posts an event that is no card's. Nobody can do anything with it there. */
  tell(chat: string, event: NotifyEvent): Promise<Attempt>;
  /** Tries at once what failed. */
  wake(): void;
  /** Why the last message of a chat was refused. */
  trouble(): string | undefined;
  close(): Promise<void>;
}

export function createPosts(options: PostsOptions): Posts {
  const { platform, settings, connection, store, desk, clock, log, onResult, warnOnce, failed, onClosed } = options;
  const { limits, title } = platform;
  const outboxes = new Map<string, Outbox>();
  /** Why the last message was refused, by chat. */
  const refusals = new Map<string, string>();

  const pairedChat = (chat: string): PairedChat | undefined => settings().places.find((paired) => paired.chat === chat);
  const linkTo = (path: string) => {
    // linear: a run is only tried from its first character.
    const base = settings().inbox?.replace(/(?<!\/)\/+$/, "");
    return base === undefined ? undefined : `${base}${path}`;
  };
  const pageOf = ({ id, status }: SessionView) => linkTo(`/${status === "pending" ? "s" : "history"}/${encodeURIComponent(id)}`);
  const messageOf = (session: SessionView, card: Card): ChatMessage =>
    render(session, card, {
      limits,
      now: clock.now(),
      allow: pairedChat(card.chat)?.members.some((member) => member.allow) === true,
      page: pageOf(session),
    });
  const sessionOf = async (card: Card): Promise<SessionView | undefined> => {
    try {
      return await desk.get(card.sessionId);
    } catch (error) {
      if (isAskboxError(error, "SESSION_NOT_FOUND")) return undefined;
      throw error;
    }
  };

  /** Posts a card, or changes its message to what is true now. */
  const bringUpToDate = async (cardId: string): Promise<Attempted> => {
    const card = store.cards.get(cardId);
    if (card === undefined) return "done";
    const session = await sessionOf(card);
    const message: ChatMessage = session === undefined ? { parts: [{ as: "text", text: noQuestion }], rows: [] } : messageOf(session, card);
    const isOpen = session?.status === "pending";
    return card.isWanted && isOpen ? post(card, message) : edit(card, message, isOpen);
  };
  const post = async (card: Card, message: ChatMessage): Promise<Attempted> => {
    const former = card.messages.at(-1);
    const once = `${card.id}.${card.posts}`;
    // Stored before it is sent: the next hub must know its buttons, and that it may have been posted.
    card.isSending = true;
    store.save();
    await store.written();
    const sent = await connection().post(card.chat, { ...message, replyTo: card.replyTo ?? former }, once);
    card.isSending = false;
    onResult(sent.ok ? "delivered" : resultOf[sent.kind]);
    if (!sent.ok && sent.kind === "later") {
      store.save();
      return later(card, sent.why, sent.after);
    }
    Object.assign(card, {
      isWanted: false,
      posts: card.posts + 1,
      shown: digestOf(message),
      isUnsure: !sent.ok && sent.kind === "unknown",
    });
    card.replyTo = undefined;
    if (sent.ok) {
      refusals.delete(card.chat);
      // A press may have told of it already.
      card.messages = [...card.messages.filter((id) => id !== sent.id).slice(-maxMessages + 1), sent.id];
    } else if (sent.kind === "unknown")
      log("warn", `It is unknown whether ${title} has a question; it is not posted twice.`, { why: sent.why });
    else {
      refusals.set(card.chat, sent.why);
      warnOnce(`${title} refuses a message: ${sent.why}.`);
    }
    store.save();
    if (sent.ok && former !== undefined)
      await connection().edit(card.chat, former, { parts: [{ as: "text", text: "Asked again below." }], rows: [] });
    return "posted";
  };
  const edit = async (card: Card, message: ChatMessage, isOpen: boolean): Promise<Attempted> => {
    const id = card.messages.at(-1);
    const digest = digestOf(message);
    if (id !== undefined && digest !== card.shown) {
      const sent = await connection().edit(card.chat, id, message);
      // An edit that is repeated changes nothing.
      if (!sent.ok && sent.kind !== "never") return later(card, sent.why, sent.after);
      card.shown = digest;
      store.save();
    }
    if (!isOpen) close(card);
    return "done";
  };
  const close = (card: Card) => {
    card.isWanted = false;
    if (card.isClosed) return;
    card.isClosed = true;
    onClosed(card);
    store.save();
  };
  const later = ({ chat }: Card, why: string, after: number | undefined): Attempted => {
    refusals.set(chat, why);
    return { again: after };
  };
  const outboxOf = (chat: string): Outbox => {
    const present = outboxes.get(chat);
    if (present !== undefined) return present;
    const isGroup = pairedChat(chat)?.title !== undefined;
    const made = outbox({
      clock,
      gap: limits.gap,
      minute: isGroup ? limits.groupMinute : 60,
      run: async (cardId) => (await failed.attempt(`a question could not be shown in ${title}`, () => bringUpToDate(cardId))) ?? "done",
    });
    outboxes.set(chat, made);
    return made;
  };

  return {
    cardFor(chat, session) {
      const card = store.find(chat, session.id) ?? newCard(chat, session.id, clock.now());
      if (!store.cards.has(card.id)) store.add(card);
      return card;
    },
    sessionOf,
    messageOf,
    want: (card, first = false) => outboxOf(card.chat).want(card.id, { first }),
    async tell(chat, event) {
      const { title: first, body } = eventNotice(event, { showText: true });
      const page = linkTo(pathOf(event));
      const message: ChatMessage = {
        parts: [
          { as: "bold", text: inert(first) },
          { as: "text", text: inert(body) },
        ],
        rows: page === undefined ? [] : [[{ id: `${event.id}.open`, label: "Open", link: page }]],
      };
      const sent = await connection().post(chat, message, event.id);
      onResult(sent.ok ? "delivered" : resultOf[sent.kind]);
      return sent.ok ? sent : { ok: false, why: sent.why, isFinal: sent.kind !== "later", after: sent.after };
    },
    wake() {
      for (const each of outboxes.values()) each.wake();
    },
    trouble: () => refusals.values().next().value,
    close: async () => void (await Promise.all([...outboxes.values()].map((each) => each.close()))),
  };
}

/** What a message shows, and when it changes: times that pass by themselves count as little as they are seen. */
function digestOf({ parts, rows, menu }: ChatMessage): string {
  return createHash("sha256")
    .update(JSON.stringify([parts, rows, menu]))
    .digest("base64url");
}

/** Milliseconds until a failed message is tried again, at first and at most. */
const delays = { first: 1_000, max: 30_000 };

/** How one attempt ended: posted, which counts for the limits, done, or when to try again, in ms; undefined for the outbox's own delay. */
type Attempted = "posted" | "done" | { again: number | undefined };

interface OutboxOptions {
  clock: Clock;
  /** Milliseconds between two new messages, and how many of them a minute there may be. */
  gap: number;
  minute: number;
  /** Brings one chat's message up to date. */
  run(key: string): Promise<Attempted>;
}

/** What is to be sent to one chat: one message after the other, each as it is when its turn comes, and again until it has arrived. */
interface Outbox {
  /** `first`: before what is waiting. Resolves when it was sent, given up, or the outbox closed. */
  want(key: string, options?: { first?: boolean }): Promise<void>;
  /** Tries at once what failed. */
  wake(): void;
  close(): Promise<void>;
}

function outbox({ clock, gap, minute, run }: OutboxOptions): Outbox {
  const waiting = new Map<string, PromiseWithResolvers<void>>();
  const sent: number[] = [];
  let cancel: CancelTimer = () => {};
  let running: Promise<void> | undefined;
  let failures = 0;
  /** Monotonic time before which nothing is sent. */
  let notBefore = 0;
  let isClosed = false;

  const next = () => {
    cancel();
    if (isClosed || running !== undefined || waiting.size === 0) return;
    const now = clock.monotonic();
    while (sent[0] !== undefined && sent[0] <= now - 60_000) sent.shift();
    const full = sent.length >= minute ? (sent[0] ?? 0) + 60_000 : 0;
    const at = Math.max(notBefore, full, (sent.at(-1) ?? Number.NEGATIVE_INFINITY) + gap);
    if (at > now) cancel = clock.setTimer(at - now, next);
    else {
      running = step().finally(() => {
        running = undefined;
        next();
      });
    }
  };
  const step = async () => {
    const [key, promise] = [...waiting][0] ?? [];
    if (key === undefined || promise === undefined) return;
    waiting.delete(key);
    const attempted = await run(key).catch((): Attempted => ({ again: undefined }));
    if (attempted === "posted") sent.push(clock.monotonic());
    if (typeof attempted === "string") {
      failures = 0;
      promise.resolve();
      return;
    }
    notBefore = clock.monotonic() + (attempted.again ?? backOff(delays, failures));
    failures += 1;
    const again = waiting.get(key);
    // Changed again in the meantime: both are done with the next attempt.
    if (again !== undefined) void again.promise.then(promise.resolve);
    else waiting.set(key, promise);
  };
  return {
    want(key, { first = false } = {}) {
      if (isClosed) return Promise.resolve();
      const present = waiting.get(key);
      const promise = present ?? Promise.withResolvers<void>();
      if (first) {
        const others = [...waiting].filter(([other]) => other !== key);
        waiting.clear();
        for (const [each, its] of [[key, promise] as const, ...others]) waiting.set(each, its);
      } else waiting.set(key, promise);
      next();
      return promise.promise;
    },
    wake() {
      failures = 0;
      notBefore = 0;
      next();
    },
    async close() {
      isClosed = true;
      cancel();
      await running;
      for (const { resolve } of waiting.values()) resolve();
    },
  };
}
