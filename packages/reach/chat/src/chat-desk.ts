import type { Clock, Desk, DeskEvent, Log, SessionView } from "@askbox/core";
import { replyCount } from "@askbox/core/questions";
import type { AttentionRules, WarnOnce } from "@askbox/notify";
import { type AnnouncerChannel, failures, startAnnouncer, startDigest, timesElsewhere } from "@askbox/notify";
import { type Card, partsOfActionId } from "./card.ts";
import type { Fetch } from "./http.ts";
import { incoming, keptEvents } from "./incoming.ts";
import type { ChatFiles } from "./interaction.ts";
import { type PlatformName, platformOf } from "./platforms.ts";
import type { ChatConnection, ChatEvent, Reaction } from "./port.ts";
import { createPosts, type PostsOptions } from "./posts.ts";
import { type DeskSettings, moved } from "./settings.ts";
import type { OpenSocket } from "./socket.ts";
import type { DeskStore } from "./store.ts";

/**
 * One bot at one chat service: an announcer for each of its chats says when a question is posted, `posts.ts` keeps its messages true, and
 * `incoming.ts` takes what people do there.
 *
 * What can go wrong: the hub was killed while it posted (the card is unsure, and posted again only where that shows it once), a group gets
 * another id (its cards move), or what somebody did fails three times (they are told to use the inbox).
 */

export interface ChatDeskOptions {
  name: PlatformName;
  settings: DeskSettings;
  /** Changes the settings, as they are stored at that moment. */
  change(how: (desk: DeskSettings) => DeskSettings): Promise<void>;
  store: DeskStore;
  /** Sees every session. */
  desk: Pick<Desk, "watch" | "get">;
  /** A desk for one person. */
  deskOf(person: string): Desk;
  clock: Clock;
  log: Log;
  /** Told what became of a message. */
  onResult: PostsOptions["onResult"];
  warnOnce: WarnOnce;
  rules: AttentionRules;
  /** Milliseconds; 0 for none. */
  denialDigest: number;
  /** Where files of answers are stored. */
  files: ChatFiles | undefined;
  /** Milliseconds during which an answer can be undone. */
  undo: number;
  fetch: Fetch;
  openSocket: OpenSocket;
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
  const { name, store, desk, deskOf, clock, log, onResult, warnOnce, rules, files, undo, fetch, openSocket, change } = options;
  const platform = platformOf(name);
  const { title } = platform;
  let { settings } = options;
  const looking = lookers(clock, deskOf);
  const failed = failures(clock, log);
  const posts = createPosts({
    platform,
    store,
    desk,
    clock,
    log,
    onResult,
    warnOnce,
    failed,
    settings: () => settings,
    connection: () => connection,
    onClosed: ({ id }) => looking.leave(id),
  });
  /** Cards that a killed hub may have posted: they are not posted twice, and a press tells which message is theirs. */
  const interrupted = new Set<string>();
  for (const card of store.cards.values()) {
    // Posted, but the hub was killed before it had stored that the question was announced.
    const isAnnounced = [...store.announced.of(card.chat)].some((news) => news.split(".", 1)[0] === card.sessionId);
    if (card.posts > 0 && !card.isClosed && !isAnnounced) interrupted.add(card.id);
    if (!card.isSending) continue;
    card.isSending = false;
    if (platform.postsOnce) continue;
    Object.assign(card, { isWanted: false, isUnsure: true });
    interrupted.add(card.id);
    log("warn", `It is unknown whether ${title} has a question; it is not posted twice.`, { why: "The hub ended while it was posted." });
  }
  const takeEvent = incoming({
    name,
    store,
    posts,
    deskOf,
    files,
    clock,
    log,
    undo,
    settings: () => settings,
    change,
    connection: () => connection,
    onLook: (card, person) => looking.look(card, person),
  });

  const onEvent = async (event: ChatEvent): Promise<Reaction> =>
    (await failed.attempt(`something that a person did in ${title} failed`, () => takeEvent(event))) ?? {
      tell: "askbox failed at this, and the hub's log says why. Answer in the inbox instead.",
    };
  const kept = keptEvents({
    store,
    clock,
    log,
    onEvent,
    async onLate({ id, chat, own, message }, { ask, tell, isShown }) {
      const text = ask === undefined ? (isShown ? undefined : tell) : "That took too long; press the button again.";
      if (text === undefined) return;
      await connection.post(chat, { parts: [{ as: "text", text }], rows: [], replyTo: own ?? message }, `late-${id}`);
    },
  });
  const connection: ChatConnection = platform.connect({
    secrets: settings.secrets,
    api: settings.api ?? platform.api,
    clock,
    fetch,
    openSocket,
    log,
    cursor: store.cursor,
    onEvent: platform.keepsEvents ? onEvent : kept.take,
    async confirm(cursor) {
      if (cursor !== undefined) store.cursor = cursor;
      store.save();
      await store.written();
    },
    onPrompt(chat, message, sent) {
      const { cardId, action } = partsOfActionId(sent);
      const card = store.cards.get(cardId);
      if (card === undefined || card.chat !== chat) return;
      card.prompts = [...card.prompts, [message, action]];
      store.save();
    },
    async onMoved(from, to, areMessagesKept) {
      if (!settings.places.some(({ chat }) => chat === from)) return;
      try {
        // If it is killed in between, the service tells of it again.
        store.move(from, to, areMessagesKept);
        await store.written();
        await change((stored) => moved(stored, from, to));
      } catch (error) {
        warnOnce(`A group in ${title} has another id now, which could not be stored; it is tried again.`, { error: String(error) });
        throw error;
      }
      log("info", `A group in ${title} has another id now; questions go there.`);
    },
    onReady() {
      posts.wake();
    },
  });

  const announcers = settings.places.map(({ chat }) => {
    const channel: AnnouncerChannel = {
      key: chat,
      noun: "message",
      shown: title,
      atOnce: 100,
      timesOf: (session) => timesElsewhere(rules, session, settings.after),
      async send([event], signal) {
        if (event === undefined) return { ok: true };
        if (event.denials !== undefined) return await posts.tell(chat, event);
        const card = posts.cardFor(chat, event.session);
        const replies = replyCount(event.session);
        if (replies > 0 && card.replies >= replies) return { ok: true };
        if (replies === card.replies && interrupted.delete(card.id)) return { ok: true };
        Object.assign(card, { isWanted: true, replies });
        store.save();
        const ended = Promise.withResolvers<void>();
        signal.addEventListener("abort", () => ended.resolve(), { once: true });
        await Promise.race([posts.want(card), ended.promise]);
        return { ok: true };
      },
    };
    return { chat, ...startAnnouncer({ desk, clock, log }, channel, store.announced) };
  });
  const digest = { clock, file: store.announced, warnOnce, every: options.denialDigest };
  const hoursOf = (session: SessionView) => timesElsewhere(rules, session, 0);
  const digests = (digest.every > 0 ? announcers : []).map(({ chat, tell }) =>
    startDigest(digest, { place: chat, hoursOf, tell: (_, event) => tell(event) }),
  );
  const followers = [...announcers, ...digests];
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
    for (const follower of followers) follower.onEvent(event);
    // What a connection missed, or a hub that was down, is caught up with.
    if (event.type === "snapshot") for (const card of store.cards.values()) if (!card.isClosed) void posts.want(card);
    if (event.type === "session")
      for (const card of store.ofSession(event.session.id)) if (!card.isClosed) void posts.want(card, event.session.status !== "pending");
    if (event.type === "removed") for (const card of store.ofSession(event.sessionId)) void posts.want(card);
  };
  const watch = await desk.watch({ presence: true }, onDeskEvent);
  kept.resume();
  return {
    trouble: () => connection.trouble() ?? posts.trouble() ?? failed.trouble(),
    update(changed) {
      settings = changed;
    },
    async close() {
      watch.close();
      failed.close();
      await Promise.all(followers.map((follower) => follower.close()));
      looking.close();
      await Promise.all([connection.close(), kept.close(), posts.close()]);
      await store.written().catch(() => {});
    },
  };
}

/** How long somebody who pressed counts as looking at the question, in ms. */
const attention = 60_000;

/** Shows others that somebody is at a question, for a while after what they did last. */
function lookers(clock: Clock, deskOf: (person: string) => Pick<Desk, "attend">) {
  const leaving = new Map<string, () => void>();
  const leave = (cardId: string) => {
    leaving.get(cardId)?.();
    leaving.delete(cardId);
  };
  return {
    async look(card: Card, person: string): Promise<void> {
      const left = await deskOf(person)
        .attend(card.sessionId)
        .catch(() => undefined);
      if (left === undefined) return;
      leave(card.id);
      const cancel = clock.setTimer(attention, () => leave(card.id));
      leaving.set(card.id, () => {
        cancel();
        left();
      });
    },
    leave,
    close(): void {
      for (const cardId of [...leaving.keys()]) leave(cardId);
    },
  };
}
