import { createHash } from "node:crypto";
import { type Clock, type Desk, isAskboxError, type Log, type SessionView } from "@askbox/core";
import type { DeliveryResult, Failures, WarnOnce } from "@askbox/notify";
import { type Card, newCard } from "./card.ts";
import { type Attempted, type Outbox, outbox } from "./outbox.ts";
import type { ChatConnection, ChatMessage, ChatPlatform } from "./port.ts";
import { render } from "./render.ts";
import type { DeskSettings, PairedChat } from "./settings.ts";
import type { DeskStore } from "./store.ts";
import { noQuestion } from "./words.ts";

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
  const pageOf = ({ id, status }: SessionView) => {
    // linear: a run is only tried from its first character.
    const base = settings().inbox?.replace(/(?<!\/)\/+$/, "");
    return base === undefined ? undefined : `${base}/${status === "pending" ? "s" : "history"}/${encodeURIComponent(id)}`;
  };
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
