import { randomUUID } from "node:crypto";
import { AskboxError, type SharedState } from "@askbox/core";
import { type AnnouncedFile, denialsAt, newestWriter, stateFile, type WarnOnce } from "@askbox/notify";
import * as z from "zod";
import { type Card, cardSchema } from "./card.ts";
import { type ChatEvent, eventSchema } from "./port.ts";

/** Cards that are kept; beyond it, the oldest are forgotten. */
const maxCards = 1_000;
/** How long a settled session's card is kept, in ms: a press on it is answered with how it ended. */
const lifetime = 2 * 86_400_000;

const stateSchema = z.object({
  /** Whose it is: another bot has other messages. */
  bot: z.string().default(""),
  cursor: z.string().optional(),
  cards: z.array(cardSchema).catch([]).default([]),
  announced: z.record(z.string(), z.array(z.string())).catch({}).default({}),
  /** The buttons of tests that were pressed last. */
  tests: z.array(z.string()).catch([]).default([]),
  /** What people did that has not taken effect yet. */
  events: z.array(eventSchema).catch([]).default([]),
  /** The ids of the texts that took effect last; a press may be repeated, to open its form again. */
  taken: z.array(z.string()).catch([]).default([]),
});

/** What a desk remembers across restarts, written as one: what was read, and what came of it. */
export interface DeskStore {
  cursor: string | undefined;
  tests: string[];
  events: ChatEvent[];
  taken: string[];
  cards: Map<string, Card>;
  announced: AnnouncedFile;
  /** The card of a session in a chat. */
  find(chat: string, sessionId: string): Card | undefined;
  ofSession(sessionId: string): Card[];
  add(card: Card): void;
  /** Takes the cards of one chat to another. Open questions are posted again there unless their messages were kept. */
  move(from: string, to: string, areMessagesKept: boolean): void;
  save(): void;
  /** Resolves once everything is stored. Rejects if it could not be. */
  written(): Promise<void>;
}

export interface DeskStoreOptions {
  path: string;
  /** The bot's id. */
  bot: string;
  /** What several hubs share, and under which name. */
  shared: SharedState | undefined;
  key: string;
  now(): number;
  warnOnce: WarnOnce;
}

/** Reads the state of one platform's desk, from its file or from what several hubs share. */
export async function deskStore({ path, bot, shared, key, now, warnOnce }: DeskStoreOptions): Promise<DeskStore> {
  const medium = shared === undefined ? fileMedium(path, warnOnce) : sharedMedium(shared, key);
  const read = stateSchema.safeParse((await medium.load()) ?? {});
  const { cursor, cards, announced, tests, events, taken } = read.success && read.data.bot === bot ? read.data : stateSchema.parse({});
  const sets = new Map(Object.entries(announced).map(([channel, news]) => [channel, new Set(news)]));
  const save = () => {
    for (const [id, { isClosed, at }] of store.cards)
      if ((isClosed && at < now() - lifetime) || store.cards.size > maxCards) store.cards.delete(id);
    medium.save(() => ({
      bot,
      cursor: store.cursor,
      tests: store.tests,
      events: store.events,
      taken: store.taken,
      cards: [...store.cards.values()],
      announced: Object.fromEntries([...sets].map(([channel, news]) => [channel, [...news]])),
    }));
  };
  const written = () => medium.written();
  const store: DeskStore = {
    cursor,
    tests,
    events,
    taken,
    save,
    written,
    cards: new Map(cards.map((card) => [card.id, card])),
    announced: {
      isKept: true,
      of(channel) {
        const present = sets.get(channel) ?? new Set();
        sets.set(channel, present);
        return present;
      },
      save,
      written,
    },
    find: (chat, sessionId) => [...store.cards.values()].find((card) => card.chat === chat && card.sessionId === sessionId),
    ofSession: (sessionId) => [...store.cards.values()].filter((card) => card.sessionId === sessionId),
    add(card) {
      store.cards.set(card.id, card);
      save();
    },
    move(from, to, areMessagesKept) {
      for (const card of store.cards.values()) {
        if (card.chat !== from) continue;
        card.chat = to;
        if (!areMessagesKept) Object.assign(card, { messages: [], prompts: [], replyTo: undefined, isWanted: !card.isClosed });
      }
      for (const keyOf of [(chat: string) => chat, denialsAt]) {
        sets.set(keyOf(to), new Set([...(sets.get(keyOf(from)) ?? []), ...(sets.get(keyOf(to)) ?? [])]));
        sets.delete(keyOf(from));
      }
      save();
    },
  };
  return store;
}

interface Medium {
  load(): Promise<unknown>;
  save(state: () => object): void;
  written(): Promise<void>;
}

function fileMedium(path: string, warnOnce: WarnOnce): Medium {
  return stateFile(
    path,
    {
      unreadable: "What was posted in chats could not be read; buttons there do nothing now.",
      unsaved: "What was posted in chats could not be saved; after a restart, buttons there may do nothing.",
    },
    warnOnce,
  );
}

/** Only the hub that holds the lease writes it. */
function sharedMedium(shared: SharedState, key: string): Medium {
  const writer = randomUUID();
  let stored: string | undefined;
  const write = newestWriter(async (state: object) => {
    const text = JSON.stringify({ ...state, writer });
    if (!(await shared.swap(key, stored, text, null))) {
      // What was written may not have been confirmed.
      const present = await shared.get(key);
      const isOwn = present !== undefined && JSON.parse(present).writer === writer;
      if (!isOwn || !(await shared.swap(key, present, text, null)))
        throw new AskboxError("STORE_UNAVAILABLE", "Another hub has the chat now.");
    }
    stored = text;
  });
  return {
    async load() {
      stored = await shared.get(key);
      return stored === undefined ? undefined : JSON.parse(stored);
    },
    ...write,
  };
}
