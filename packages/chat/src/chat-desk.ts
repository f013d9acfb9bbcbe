import { createHash } from "node:crypto";
import { type Clock, type Desk, type DeskEvent, isAskboxError, type Log, type SessionView } from "@askbox/core";
import { replyCount } from "@askbox/core/questions";
import { type AnnouncerChannel, type AttentionRules, isTestToken, settingsFor, startAnnouncer, type WarnOnce } from "@askbox/notify";
import { type Card, newCard } from "./card.ts";
import { commandIn } from "./commands.ts";
import type { Fetch } from "./http.ts";
import { type Attempted, type Outbox, outbox } from "./outbox.ts";
import { codeIn, takeCode } from "./pairing.ts";
import { type PlatformName, platformOf } from "./platforms.ts";
import type { ChatConnection, ChatEvent, ChatMessage, Reaction } from "./port.ts";
import { react } from "./react.ts";
import { render } from "./render.ts";
import type { DeskSettings, Person, Place } from "./settings.ts";
import type { DeskStore } from "./store.ts";
import { noQuestion } from "./words.ts";

/** How long somebody who pressed counts as looking at the question, in ms. */
const attention = 60_000;
/** How often a stranger is told that they may not answer, in ms. */
const strangerEvery = 3_600_000;

export interface ChatDeskOptions {
  name: PlatformName;
  settings: DeskSettings;
  /** Stores changed settings. */
  onSettings(settings: DeskSettings): void;
  store: DeskStore;
  /** Sees every session. */
  desk: Pick<Desk, "watch" | "get">;
  /** A desk for one person. */
  deskOf(person: string): Desk;
  clock: Clock;
  log: Log;
  warnOnce: WarnOnce;
  rules: AttentionRules;
  /** Milliseconds during which an answer can be undone. */
  undo: number;
  fetch: Fetch;
}

/** A bot at one chat service. */
export interface ChatDesk {
  /** Why it does not work; undefined if it does. */
  trouble(): string | undefined;
  /** Takes settings that were changed elsewhere; those of `restartKey` need another desk. */
  update(settings: DeskSettings): void;
  close(): Promise<void>;
}

/** What a running desk cannot change. */
export const restartKey = ({ secrets, api, after, places }: DeskSettings): string =>
  JSON.stringify([secrets, api, after, places.map(({ chat }) => chat)]);

/** Posts questions in the chats of a desk, keeps the messages up to date, and takes what people do there. */
export async function startChatDesk(options: ChatDeskOptions): Promise<ChatDesk> {
  const { name, store, desk, deskOf, clock, log, warnOnce, rules, undo, fetch, onSettings } = options;
  const platform = platformOf(name);
  const { limits, title } = platform;
  let { settings } = options;
  let refusal: string | undefined;
  const outboxes = new Map<string, Outbox>();
  const looking = new Map<string, () => void>();
  const strangers = new Map<string, number>();

  const placeOf = (chat: string): Place | undefined => settings.places.find((place) => place.chat === chat);
  const pageOf = ({ id, status }: SessionView) => {
    // linear: a run is only tried from its first character.
    const base = settings.inbox?.replace(/(?<!\/)\/+$/, "");
    return base === undefined ? undefined : `${base}/${status === "pending" ? "s" : "history"}/${encodeURIComponent(id)}`;
  };
  const messageOf = (session: SessionView, card: Card): ChatMessage =>
    render(session, card, { limits, now: clock.now(), allow: placeOf(card.chat)?.allow === true, page: pageOf(session) });

  const outboxOf = (chat: string): Outbox => {
    const present = outboxes.get(chat);
    if (present !== undefined) return present;
    const isGroup = placeOf(chat)?.person === undefined;
    const made = outbox({ clock, gap: limits.gap, minute: isGroup ? limits.groupMinute : 60, run: bringUpToDate });
    outboxes.set(chat, made);
    return made;
  };
  const want = (card: Card, first = false) => outboxOf(card.chat).want(card.id, { first });
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
    if (card.isWanted && (isOpen || card.messages.length > 0)) return isOpen ? postCard(card, message) : editCard(card, message, isOpen);
    card.isWanted = false;
    return editCard(card, message, isOpen);
  };
  const postCard = async (card: Card, message: ChatMessage): Promise<Attempted> => {
    const former = card.messages.at(-1);
    const once = `${card.id}.${card.posts}`;
    // Stored before it is sent: its buttons must be known to the next hub.
    await store.written();
    const sent = await connection.post(card.chat, { ...message, replyTo: card.replyTo ?? former }, once);
    if (!sent.ok && sent.kind === "later") return later(sent.why, sent.after);
    Object.assign(card, {
      isWanted: false,
      posts: card.posts + 1,
      shown: digestOf(message),
      isUnsure: !sent.ok && sent.kind === "unknown",
    });
    card.replyTo = undefined;
    if (sent.ok) {
      refusal = undefined;
      card.messages = [...card.messages.slice(-4), sent.id];
    } else if (sent.kind === "unknown")
      log("warn", `It is unknown whether ${title} has a question; it is not posted twice.`, { why: sent.why });
    else {
      refusal = sent.why;
      warnOnce(`${title} refuses a message: ${sent.why}.`);
    }
    store.save();
    if (sent.ok && former !== undefined)
      await connection.edit(card.chat, former, { parts: [{ as: "text", text: "Asked again below." }], rows: [] });
    return "posted";
  };
  const editCard = async (card: Card, message: ChatMessage, isOpen: boolean): Promise<Attempted> => {
    const id = card.messages.at(-1);
    const digest = digestOf(message);
    if (id === undefined || digest === card.shown) {
      close(card, isOpen);
      return "done";
    }
    const sent = await connection.edit(card.chat, id, message);
    // An edit that is repeated changes nothing.
    if (!sent.ok && sent.kind !== "never") return later(sent.why, sent.after);
    card.shown = digest;
    close(card, isOpen);
    store.save();
    return "done";
  };
  const close = (card: Card, isOpen: boolean) => {
    if (isOpen || card.isClosed) return;
    card.isClosed = true;
    card.isWanted = false;
    look(card.id, undefined);
    store.save();
  };
  const later = (why: string, after: number | undefined): Attempted => {
    refusal = why;
    return { again: after };
  };

  /** Shows others that somebody is at it, for a while after what they did last. */
  const look = (cardId: string, leave: (() => void) | undefined) => {
    looking.get(cardId)?.();
    looking.delete(cardId);
    if (leave === undefined) return;
    const cancel = clock.setTimer(attention, () => look(cardId, undefined));
    looking.set(cardId, () => {
      cancel();
      leave();
    });
  };
  const attend = async (card: Card, person: Person) => {
    const leave = await deskOf(person.name)
      .attend(card.sessionId)
      .catch(() => undefined);
    if (leave !== undefined) look(card.id, leave);
  };

  const cardFor = (chat: string, session: SessionView): Card => {
    const card = store.find(chat, session.id) ?? newCard(chat, session.id, clock.now());
    if (!store.cards.has(card.id)) store.add(card);
    return card;
  };

  /** Who did it, if they may answer there; otherwise what they are told. */
  const personOf = ({ chat, isGroup, from }: ChatEvent): Person | { refusal: string | undefined } => {
    const place = placeOf(chat);
    const person = settings.people.find(({ id }) => id === from.id);
    if (place !== undefined && person !== undefined && (place.person === undefined || place.person === from.id)) return person;
    const told = strangers.get(`${chat} ${from.id}`) ?? Number.NEGATIVE_INFINITY;
    const isTold = clock.monotonic() < told + strangerEvery;
    if (strangers.size > 1_000) strangers.clear();
    if (!isTold) {
      strangers.set(`${chat} ${from.id}`, clock.monotonic());
      log("warn", `Somebody who isn't paired wrote to the bot or pressed a button in ${title}; they were refused.`, {
        user: from.id,
        chat,
      });
    }
    const how = isGroup && place === undefined ? "This group is not one of askbox's." : "You can't answer here.";
    return { refusal: isTold ? undefined : `${how} Whose askbox this is can add you: askbox chat ${name} --person NAME.` };
  };

  const onEvent = async (event: ChatEvent): Promise<Reaction> => {
    const code = event.text !== undefined && event.action === undefined ? codeIn(event.text) : undefined;
    if (code !== undefined) {
      const paired = takeCode(settings, code, event, clock.now());
      if (paired !== undefined) {
        settings = paired.desk;
        onSettings(settings);
        return { tell: paired.tell };
      }
    }
    const person = personOf(event);
    if (event.action !== undefined && isTestToken(event.action)) {
      if ("refusal" in person) return { tell: person.refusal };
      store.tests = [...store.tests.slice(-9), event.action];
      store.save();
      return { tell: "It works." };
    }
    if ("refusal" in person) return event.action === undefined && event.isGroup ? {} : { tell: person.refusal ?? "You can't answer here." };
    if (event.action !== undefined) return onAction(event, person, event.action);
    return onText(event, person);
  };

  const onAction = async (event: ChatEvent, person: Person, whole: string): Promise<Reaction> => {
    const [id = "", ...rest] = whole.split(".");
    const action = rest.join(".");
    const card = store.cards.get(id);
    if (card === undefined) return { tell: "This message is too old; write list to see what waits." };
    if (card.chat !== event.chat) return { tell: "This button belongs to another chat." };
    if (action === "p") {
      card.isWanted = true;
      store.save();
      void want(card, true);
      return {};
    }
    // A post whose result was lost has arrived after all.
    if (card.isUnsure && event.message !== undefined && !card.messages.includes(event.message)) {
      card.messages = [...card.messages, event.message];
      card.isUnsure = false;
    }
    if (event.message !== undefined && !card.messages.includes(event.message)) return { tell: "This button belongs to another message." };
    return onCard(event, person, card, action);
  };

  const onCard = async (event: ChatEvent, person: Person, card: Card, action: string): Promise<Reaction> => {
    const session = await sessionOf(card);
    if (session === undefined) return { tell: noQuestion };
    if (session.status === "pending") await attend(card, person);
    const shown = messageOf(session, card);
    const offered = new Set([...shown.rows.flat(), ...(shown.menu?.options ?? [])].map((button) => button.id));
    const reaction = await react({
      ...{ session, card, action, text: event.text, person: person.name, undo, own: event.own, now: clock.now() },
      desk: deskOf(person.name),
      key: `chat-${name}-${event.id}`.slice(0, 200),
      offers: (each) => offered.has(`${card.id}.${each}`),
    });
    store.save();
    void want(card, true);
    return reaction;
  };

  const onText = async (event: ChatEvent, person: Person): Promise<Reaction> => {
    const { chat, text = "", replyTo } = event;
    const cards = [...store.cards.values()].filter((card) => card.chat === chat);
    const prompted =
      replyTo === undefined
        ? undefined
        : cards.flatMap((card) => card.prompts.filter(([id]) => id === replyTo).map(([, action]) => ({ card, action })))[0];
    if (prompted !== undefined) return onCard(event, person, prompted.card, prompted.action);
    const card = replyTo === undefined ? undefined : cards.find(({ messages }) => messages.includes(replyTo));
    const found = commandIn(text, card !== undefined);
    if (found !== undefined) {
      const own = deskOf(person.name);
      const message = await found
        .command({
          ...{ desk: own, now: clock.now(), words: found.words, mark: platform.mark },
          showButton: (session, label) => ({ id: `${cardFor(chat, session).id}.p`, label }),
          about: async () => {
            const open = cards.filter(({ isClosed, messages }) => !isClosed && messages.length > 0);
            const meant = card ?? (open.length === 1 ? open[0] : undefined);
            return meant && sessionOf(meant);
          },
          async undoable() {
            const sent = cards.findLast(({ sentBy, isClosed }) => sentBy === person.name && !isClosed);
            const session = sent && (await sessionOf(sent));
            return session?.scheduled === undefined ? undefined : session;
          },
        })
        .catch((error: unknown): ChatMessage => {
          if (!isAskboxError(error) || error.code === "STORE_UNAVAILABLE") throw error;
          return { parts: [{ as: "text", text: error.message }], rows: [] };
        });
      await connection.post(chat, message, `command-${event.id}`);
      return {};
    }
    if (card !== undefined) return onCard(event, person, card, `W${card.step}`);
    return event.isGroup ? {} : { tell: `Reply to a question to answer it; ${platform.mark}list shows what waits.` };
  };

  const connection: ChatConnection = platform.connect({
    ...{ secrets: settings.secrets, api: settings.api ?? platform.api, clock, fetch, log, cursor: store.cursor, onEvent },
    async confirm(cursor) {
      if (cursor !== undefined) store.cursor = cursor;
      store.save();
      await store.written();
    },
    onPrompt(chat, message, action) {
      const card = store.cards.get(action.split(".", 1)[0] ?? "");
      if (card === undefined || card.chat !== chat) return;
      card.prompts = [...card.prompts, [message, action.slice(card.id.length + 1)]];
      store.save();
    },
    onReady() {
      for (const each of outboxes.values()) each.wake();
    },
  });

  const announcers = settings.places.map(({ chat }) => {
    const channel: AnnouncerChannel = {
      ...{ key: chat, noun: "message", shown: title, atOnce: 100 },
      timesOf(session) {
        const { after = settings.after * 1_000, quiet } = settingsFor(rules, session);
        return after === null ? undefined : { after, quiet };
      },
      // Elsewhere is told what nobody saw here, whatever is connected.
      isSomebodyThere: () => false,
      takes: () => true,
      async send([event], signal) {
        if (event === undefined) return { ok: true };
        const card = cardFor(chat, event.session);
        const replies = replyCount(event.session);
        if (replies > 0 && card.replies >= replies) return { ok: true };
        Object.assign(card, { isWanted: true, replies });
        store.save();
        const ended = Promise.withResolvers<void>();
        signal.addEventListener("abort", () => ended.resolve(), { once: true });
        await Promise.race([want(card), ended.promise]);
        return { ok: true };
      },
    };
    return startAnnouncer({ desk, clock, log }, channel, store.announced);
  });
  /** Who asked back is told of the reply at once, although they count as looking. */
  const postReply = (session: SessionView) => {
    const replies = replyCount(session);
    for (const card of store.ofSession(session.id)) {
      if (card.replyTo === undefined || card.replies >= replies || session.status !== "pending") continue;
      Object.assign(card, { isWanted: true, replies });
      store.save();
    }
  };
  const onDeskEvent = (event: DeskEvent) => {
    if (event.type === "session") postReply(event.session);
    for (const announcer of announcers) announcer.onEvent(event);
    // What a connection missed, or a hub that was down, is caught up with.
    if (event.type === "snapshot") for (const card of store.cards.values()) if (!card.isClosed) void want(card);
    if (event.type === "session")
      for (const card of store.ofSession(event.session.id)) if (!card.isClosed) void want(card, event.session.status !== "pending");
    if (event.type === "removed") for (const card of store.ofSession(event.sessionId)) void want(card);
  };
  const watch = await desk.watch({ presence: true }, onDeskEvent);
  return {
    trouble: () => connection.trouble() ?? refusal,
    update(changed) {
      settings = changed;
    },
    async close() {
      watch.close();
      await Promise.all(announcers.map((announcer) => announcer.close()));
      for (const leave of looking.values()) leave();
      await Promise.all([connection.close(), ...[...outboxes.values()].map((each) => each.close())]);
      await store.written().catch(() => {});
    },
  };
}

/** What a message shows, and when it changes: times that pass by themselves count as little as they are seen. */
function digestOf({ parts, rows, menu }: ChatMessage): string {
  return createHash("sha256")
    .update(JSON.stringify([parts, rows, menu]))
    .digest("base64url");
}
