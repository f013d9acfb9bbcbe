import { type Clock, type Desk, isAskboxError, type Log } from "@askbox/core";
import { isTestToken, pause } from "@askbox/notify";
import { actionId, type Card, type CardAction, decodedAction, partsOfActionId } from "./card.ts";
import { commandIn } from "./commands.ts";
import { type ChatFiles, react, takeFiles } from "./interaction.ts";
import { type PlatformName, platformOf } from "./platforms.ts";
import type { ChatConnection, ChatEvent, ChatMessage, Reaction } from "./port.ts";
import type { Posts } from "./posts.ts";
import { codeIn, type DeskSettings, type Member, memberOf, type Paired, takeCode } from "./settings.ts";
import type { DeskStore } from "./store.ts";
import { noQuestion, otherMessage } from "./words.ts";

/**
 * The way of what a person does in a chat, until it has taken effect.
 *
 * From a service that tells of it only once, it is acknowledged when `keptEvents`, below, has it on disk, and tried until it has taken effect,
 * also by the next hub. `incoming` finds out what it is: the code of somebody who is added, the button of a test, a press in a card,
 * a reply to one, or a command; and refuses strangers, who are told so once an hour. What is about a card goes on in `interaction.ts`.
 *
 * What can go wrong: the store can't be reached, so that it is taken again; or taking it takes longer than the service waits, so that the
 * person is told later, by a message.
 */

/** How often a stranger is told that they may not answer, in ms. */
const strangerEvery = 3_600_000;

export interface IncomingOptions {
  name: PlatformName;
  /** As they are now. */
  settings(): DeskSettings;
  /** Changes them, as they are stored at that moment. */
  change(how: (desk: DeskSettings) => DeskSettings): Promise<void>;
  store: DeskStore;
  posts: Posts;
  connection(): Pick<ChatConnection, "post" | "named" | "fetchFile">;
  files: ChatFiles | undefined;
  /** A desk for one person. */
  deskOf(person: string): Desk;
  /** A person does something with a pending question. */
  onLook(card: Card, person: string): Promise<void>;
  clock: Clock;
  log: Log;
  /** Milliseconds during which an answer can be undone. */
  undo: number;
}

/** Takes what people press and write in a desk's chats, and returns what each is told. Rejects if the store can't be reached. */
export function incoming(options: IncomingOptions): (event: ChatEvent) => Promise<Reaction> {
  const { name, settings, change, store, posts, connection, deskOf, onLook, files, clock, log, undo } = options;
  const platform = platformOf(name);
  const strangers = new Map<string, number>();
  const keyOf = ({ id }: ChatEvent) => `chat-${name}-${id}`.slice(0, 200);

  /** Who did it, if they may answer there; otherwise what they are told. */
  const personOf = ({ chat, isGroup, from }: ChatEvent): Member | { refusal: string | undefined } => {
    const member = memberOf(settings(), { chat, from });
    if (member !== undefined) return member;
    const place = settings().places.find((each) => each.chat === chat);
    const told = strangers.get(`${chat} ${from.id}`) ?? Number.NEGATIVE_INFINITY;
    const isTold = clock.monotonic() < told + strangerEvery;
    if (strangers.size > 1_000) strangers.clear();
    if (!isTold) {
      strangers.set(`${chat} ${from.id}`, clock.monotonic());
      log("warn", `Somebody who isn't paired wrote to the bot or pressed a button in ${platform.title}; they were refused.`, {
        user: from.id,
        chat,
      });
    }
    const how = isGroup && place === undefined ? "This group is not one of askbox's." : "You can't answer here.";
    return {
      refusal: isTold
        ? undefined
        : `${how} Whose askbox this is can add you: askbox chat ${name}${isGroup ? " --group" : ""} --person NAME.`,
    };
  };

  const onEvent = async (event: ChatEvent): Promise<Reaction> => {
    if (Object.values(settings().secrets).some((secret) => event.text?.includes(secret))) {
      log("warn", `The bot's token was written in a chat of ${platform.title}; make a new one.`, { user: event.from.id, chat: event.chat });
      return { tell: `This is the bot's token, with which others could speak for it: make a new one, and run askbox chat ${name} again.` };
    }
    const code = event.text !== undefined && event.action === undefined ? codeIn(event.text) : undefined;
    if (code !== undefined && settings().pairing !== undefined) {
      const named = (await connection().named?.(event)) ?? event;
      let paired: Paired | undefined;
      try {
        await change((desk) => {
          paired = takeCode(desk, code, named, clock.now());
          return paired?.desk ?? desk;
        });
      } catch (error) {
        // The file can be out of reach where the store is not: whoever else writes or presses need not wait for it.
        log("error", `A code in ${platform.title} could not be taken, since the settings of chats could not be changed.`, {
          error: String(error),
        });
        return { tell: "The code could not be stored, and the hub's log says why. Send it again when that is fixed." };
      }
      if (paired !== undefined) return { tell: paired.tell };
    }
    const person = personOf(event);
    if (event.action !== undefined && isTestToken(event.action)) {
      if ("refusal" in person) return { tell: person.refusal };
      store.tests = [...store.tests.slice(-9), event.action];
      store.save();
      return { tell: "It works." };
    }
    if ("refusal" in person) {
      if (event.action !== undefined) return { tell: person.refusal ?? "You can't answer here." };
      // Whoever floods the bot with words is answered once, and a group, where words need not be for it, not at all.
      return event.isGroup ? {} : { tell: person.refusal };
    }
    if (event.action !== undefined) return onAction(event, person, event.action);
    return onText(event, person);
  };

  const onAction = async (event: ChatEvent, person: Member, whole: string): Promise<Reaction> => {
    const { cardId, action: encoded } = partsOfActionId(whole);
    const card = store.cards.get(cardId);
    const action = decodedAction(encoded);
    if (card === undefined) return { tell: "This message is too old; write list to see what waits." };
    if (card.chat !== event.chat) return { tell: "This button belongs to another chat." };
    if (action?.verb === "show") {
      card.isWanted = true;
      store.save();
      void posts.want(card, true);
      return {};
    }
    // A post whose result was lost has arrived after all.
    if ((card.isUnsure || card.isSending) && event.message !== undefined && !card.messages.includes(event.message)) {
      card.messages = [...card.messages, event.message];
      card.isUnsure = false;
    }
    if (event.message !== undefined && !card.messages.includes(event.message)) return { tell: otherMessage };
    return onCard(event, person, card, action);
  };

  const onCard = async (event: ChatEvent, person: Member, card: Card, action: CardAction | undefined): Promise<Reaction> => {
    const session = await posts.sessionOf(card);
    if (session === undefined || action === undefined || action.verb === "show") return { tell: noQuestion };
    const { verb, numbers } = action;
    if (session.status === "pending") await onLook(card, person.name);
    const shown = posts.messageOf(session, card);
    const offered = new Set([...shown.rows.flat(), ...(shown.menu?.options ?? [])].map((button) => button.id));
    const by = { surface: name, name: person.name };
    const { files: sent } = event;
    const where = { platform, files, connection: connection(), sessionId: session.id, key: keyOf(event), by, log };
    const reaction = await react({
      session,
      card,
      verb,
      numbers,
      text: event.text,
      by,
      undo,
      mayAllow: person.allow,
      isPart: event.isPart === true,
      own: event.own,
      now: clock.now(),
      desk: deskOf(person.name),
      key: keyOf(event),
      takeFiles: sent && ((present) => takeFiles(sent, present, where)),
      isOffered: offered.has(actionId(card, verb, ...numbers)),
    });
    store.save();
    void posts.want(card, true);
    return reaction;
  };

  const onText = async (event: ChatEvent, person: Member): Promise<Reaction> => {
    const { chat, text = "", replyTo } = event;
    const cards = [...store.cards.values()].filter((card) => card.chat === chat);
    const prompted =
      replyTo === undefined
        ? undefined
        : cards.flatMap((card) =>
            card.prompts.filter(([id]) => id === replyTo).map(([, action]) => ({ card, action: decodedAction(action) })),
          )[0];
    const isFile = event.files !== undefined;
    if (prompted !== undefined) {
      const { card, action } = prompted;
      if (isFile && (action?.verb === "comment" || action?.verb === "deny"))
        return { tell: "A file goes with an answer: reply to the question with it." };
      return onCard(event, person, card, isFile && action?.verb === "write" ? { ...action, verb: "attach" } : action);
    }
    const card = replyTo === undefined ? undefined : cards.find(({ messages }) => messages.includes(replyTo));
    if (isFile && card !== undefined) return onCard(event, person, card, { verb: "attach", numbers: [card.step] });
    if (isFile) return event.isGroup ? {} : { tell: "Reply to a question with the file to attach it to its answer." };
    const found = commandIn(text, card !== undefined);
    if (found !== undefined) {
      const own = deskOf(person.name);
      const message = await found
        .command({
          desk: own,
          now: clock.now(),
          key: keyOf(event),
          words: found.words,
          mark: platform.mark,
          showButton: (session, label) => ({ id: actionId(posts.cardFor(chat, session), "show"), label }),
          about: async () => {
            const open = cards.filter(({ isClosed, messages }) => !isClosed && messages.length > 0);
            const meant = card ?? (open.length === 1 ? open[0] : undefined);
            return meant && posts.sessionOf(meant);
          },
          async undoable() {
            const sent = cards.findLast(({ sentBy, isClosed }) => sentBy === person.name && !isClosed);
            const session = sent && (await posts.sessionOf(sent));
            return session?.scheduled === undefined ? undefined : session;
          },
        })
        .catch((error: unknown): ChatMessage => {
          if (!isAskboxError(error) || error.code === "STORE_UNAVAILABLE") throw error;
          return { parts: [{ as: "text", text: error.message }], rows: [] };
        });
      await connection().post(chat, message, `command-${event.id}`);
      return {};
    }
    if (card !== undefined) return onCard(event, person, card, { verb: "write", numbers: [card.step] });
    return event.isGroup ? {} : { tell: `Reply to a question to answer it; ${platform.mark}list shows what waits.` };
  };
  return onEvent;
}

/** Milliseconds between two attempts, and after which the service is told that it was received: it waits three seconds. */
const [again, late] = [500, 2_000];
/** Events that are kept, and that are known as taken; beyond it, a new one is taken without that. */
const maxKept = 100;

/** Takes what a person did, from a service that tells of it only once. */
interface KeptEvents {
  /**
   * Resolves when it has taken effect; after two seconds without a reaction, and it takes effect later. It is on disk by then, so that this
   * happens over a restart, too.
   */
  take(event: ChatEvent): Promise<Reaction>;
  /** Takes what an earlier hub has left. */
  resume(): void;
  close(): Promise<void>;
}

export function keptEvents(options: {
  store: DeskStore;
  clock: Clock;
  log: Log;
  onEvent(event: ChatEvent): Promise<Reaction>;
  /** Tells the person what came of it, after `take` has resolved without that. */
  onLate(event: ChatEvent, reaction: Reaction): Promise<void>;
}): KeptEvents {
  const { store, clock, log, onEvent, onLate } = options;
  const end = new AbortController();
  const inHand = new Set<string>();
  /** One after the other, as they came. */
  let turn: Promise<unknown> = Promise.resolve();

  const untilTaken = async (event: ChatEvent): Promise<Reaction> => {
    for (let attempt = 1; !end.signal.aborted; attempt += 1) {
      const reaction = await onEvent(event).catch((error: unknown) => {
        if (attempt === 1) log("warn", "What somebody did in a chat could not be stored; it is tried again.", { error: String(error) });
      });
      if (typeof reaction === "object") {
        store.events = store.events.filter(({ id }) => id !== event.id);
        if (event.action === undefined) store.taken = [...store.taken, event.id].slice(-maxKept);
        store.save();
        await store.written().catch(() => {});
        inHand.delete(event.id);
        return reaction;
      }
      await pause(clock, again, end.signal);
    }
    return {};
  };
  const start = (event: ChatEvent): Promise<Reaction> => {
    inHand.add(event.id);
    const taken = turn.then(() => untilTaken(event));
    turn = taken;
    return taken;
  };
  const tellLate = (event: ChatEvent, taken: Promise<Reaction>) => {
    turn = taken.then((reaction) => onLate(event, reaction)).catch(() => {});
  };
  return {
    async take(event) {
      // The service tells of it again if it was not told in time that it was received, as when the desk was restarted.
      if (inHand.has(event.id) || store.taken.includes(event.id)) return {};
      if (store.events.length < maxKept) {
        store.events = [...store.events, event];
        store.save();
        // Where it can't be kept, it may take effect all the same.
        await store.written().catch(() => {});
      }
      const waited = new AbortController();
      const taken = start(event);
      const reaction = await Promise.race([taken, pause(clock, late, waited.signal)]);
      waited.abort();
      if (reaction === undefined) tellLate(event, taken);
      return reaction ?? {};
    },
    resume() {
      for (const event of store.events) if (!inHand.has(event.id)) tellLate(event, start(event));
    },
    async close() {
      end.abort();
      await turn;
    },
  };
}
