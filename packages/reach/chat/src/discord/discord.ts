import { createHash } from "node:crypto";
import type { Clock } from "@askbox/core";
import { type Ended, keepReading, pause, type Session } from "@askbox/notify";
import * as z from "zod";
import { fetchFile, parsed } from "../http.ts";
import type { ChatConnection, ChatEvent, ChatMessage, ChatPlatform, ConnectOptions, Reaction, Sent } from "../port.ts";
import { type Position, positionSchema, readGateway, unknownToken } from "./gateway.ts";
import {
  bodyOf,
  escaped,
  eventOfInteraction,
  eventOfMessage,
  formOf,
  type Interaction,
  interactionSchema,
  maxButtons,
  messageSchema,
  whisper,
} from "./messages.ts";
import { discordRest, identify, type Rest, refusal, sentOf } from "./rest.ts";

/** Milliseconds during which a post is repeated that may have arrived: so long, Discord knows it again. */
const doubt = 60_000;
/** Milliseconds until a failed post is repeated, at first and at most. */
const delays = { first: 1_000, max: 8_000 };
/** Discord's number for a thread that is archived, as it is after some days without a message. */
const archivedThread = 50_083;
/** Sessions that are left to begin in a day, below which they begin further apart. */
const fewSessions = 100;
/** See channels, send messages, also in threads, attach files and read the history, which replies need. */
const permissions = (1n << 10n) | (1n << 11n) | (1n << 38n) | (1n << 15n) | (1n << 16n);

/** Discord, by its gateway (docs.discord.com/developers). */
export const discord: ChatPlatform = {
  title: "Discord",
  secrets: [
    { name: "token", ask: "The bot's token, from the Bot page of your application", form: /^[\w-]{20,40}\.[\w-]{4,12}\.[\w-]{20,80}$/ },
  ],
  limits: {
    text: 2_000,
    // With the marks around a part.
    measure: (text) => escaped(text).length + 10,
    label: 38,
    // Further buttons, at most 12, have a place beside them.
    buttons: 12,
    row: maxButtons,
    menu: 50,
    file: 500_000_000,
    gap: 1_000,
    groupMinute: 30,
  },
  mark: "!",
  api: "https://discord.com/api/v10",
  identify,
  reach({ id }, isGroup) {
    const join = `https://discord.com/oauth2/authorize?client_id=${id}&scope=bot&permissions=${permissions}`;
    return isGroup
      ? ["add the bot to the channel's server, if it isn't there yet, by", join, "open the channel"]
      : ["add the bot to a server, if it is in none of yours, by", join, `open https://discord.com/users/${id}, press Message`];
  },
  // Without Discord's approval to read everything, a bot gets the words only of messages that mention it.
  groupCode: (code, { id }) => `<@${id}> ${code}`,
  keepsEvents: false,
  postsOnce: true,
  send: (access, chat, message, once) => {
    const { signal } = new AbortController();
    return post(discordRest(access, signal), access.clock, signal, chat, message, once);
  },
  connect,
};

function connect(options: ConnectOptions): ChatConnection {
  const { secrets, clock, log, openSocket, onReady, onEvent, confirm } = options;
  const end = new AbortController();
  const rest = discordRest(options, end.signal);
  let position = positionSchema.safeParse(parsed(options.cursor ?? "")).data;
  /** Whether the place where the session goes on could be reached last. */
  let isKnown = true;
  let begun = Number.NEGATIVE_INFINITY;
  const inHand = new Set<Promise<void>>();

  const session = async ({ signal, works }: Session): Promise<Ended> => {
    let url = isKnown ? position?.url : undefined;
    if (url === undefined) {
      const found = await findGateway(rest);
      if ("ended" in found) return found.ended;
      const wait = position === undefined ? Math.max(found.pause, begun + found.gap - clock.monotonic()) : 0;
      if (wait > 0) return { why: "the bot has logged in too often today", after: wait };
      url = found.url;
    }
    if (position === undefined) begun = clock.monotonic();
    isKnown = false;
    const result = await readGateway({
      url,
      token: secrets["token"] ?? "",
      position,
      clock,
      openSocket,
      signal,
      onEvent: onDispatch,
      onReady(present) {
        isKnown = true;
        works();
        void confirm(JSON.stringify(present)).catch(() => {});
      },
    });
    position = result.position;
    return result.ended;
  };
  const onDispatch = (type: string, data: unknown, at: Position) => {
    if (type === "MESSAGE_CREATE") {
      const message = messageSchema.safeParse(data).data;
      const event = message && eventOfMessage(message);
      if (event !== undefined) take(event, at, ({ tell }) => reply(event, tell));
    } else if (type === "INTERACTION_CREATE") {
      const interaction = interactionSchema.safeParse(data).data;
      const event = interaction && eventOfInteraction(interaction);
      if (interaction !== undefined && event !== undefined) take(event, at, (reaction) => answer(rest, interaction, reaction));
    }
  };
  /** Takes an event, and confirms it before its person is told. */
  const take = (event: ChatEvent, at: Position, tell: (reaction: Reaction) => Promise<unknown>) => {
    const taken = (async () => {
      const reaction = await onEvent(event);
      // Where that can't be stored, it comes again after a restart, and has no effect then.
      await confirm(JSON.stringify(at)).catch(() => {});
      await tell(reaction);
    })().finally(() => inHand.delete(taken));
    inHand.add(taken);
  };
  const reply = async ({ id, chat, own }: ChatEvent, tell: string | undefined) => {
    if (tell === undefined) return;
    const message: ChatMessage = { parts: [{ as: "text", text: tell }], rows: [], replyTo: own };
    await post(rest, clock, end.signal, chat, message, `tell-${id}`);
  };

  const reading = keepReading({ meaning: `${discord.title} is not read for now`, clock, log, onReady, session });
  return {
    post: (chat, message, once) => post(rest, clock, end.signal, chat, message, once),
    async edit(chat, id, message) {
      const change = () => rest({ method: "PATCH", path: `/channels/${chat}/messages/${id}`, body: bodyOf(message), file: message.file });
      const answered = await change();
      if (refusal(answered).code !== archivedThread) return sentOf(answered);
      // A new message opens the thread again by itself, a changed one doesn't.
      await rest({ method: "PATCH", path: `/channels/${chat}`, body: { archived: false } });
      return sentOf(await change());
    },
    // Without the token: the address is signed.
    fetchFile: async ({ ref }, most) =>
      isFileAddress(ref, options.api) ? fetchFile(ref, { clock, fetch: options.fetch, most }) : { failure: "lost" },
    async named(event) {
      const { body } = await rest({ method: "GET", path: `/channels/${event.chat}` });
      const { data } = z.object({ name: z.string() }).safeParse(body);
      return data === undefined ? event : { ...event, chatTitle: data.name };
    },
    trouble: reading.trouble,
    async close() {
      end.abort();
      await reading.close();
      await Promise.all(inHand);
    },
  };
}

/** Where Discord keeps files. */
function isFileAddress(address: string, api: string): boolean {
  const origin = URL.canParse(address) ? new URL(address).origin : "";
  return (
    /^https:\/\/(?:cdn\.discordapp\.com|media\.discordapp\.net)$/.test(origin) || (api !== discord.api && origin === new URL(api).origin)
  );
}

const gatewaySchema = z.object({
  url: z.url({ protocol: /^wss?$/ }),
  session_start_limit: z.object({ remaining: z.number(), reset_after: z.number().max(86_400_000) }),
});

interface Gateway {
  url: string;
  /** Milliseconds until a session may begin, and between two of them. */
  pause: number;
  gap: number;
}

/** Where the gateway is, or why that isn't known. */
async function findGateway(rest: Rest): Promise<Gateway | { ended: Ended }> {
  const answered = await rest({ method: "GET", path: "/gateway/bot" });
  const read = gatewaySchema.safeParse(answered.status === 200 ? answered.body : undefined);
  if (answered.status === 401) return { ended: { why: unknownToken, isRefused: true } };
  if (!read.success) return { ended: { why: refusal(answered).why, after: answered.retryAfter } };
  const { remaining, reset_after } = read.data.session_start_limit;
  // The last session of a day would make Discord reset the token.
  const isOver = remaining <= 1;
  return { url: read.data.url, pause: isOver ? reset_after : 0, gap: !isOver && remaining < fewSessions ? reset_after / remaining : 0 };
}

/** Posts a message; again with the same mark if it may have arrived, so that there is one. */
async function post(rest: Rest, clock: Clock, signal: AbortSignal, chat: string, message: ChatMessage, once: string): Promise<Sent> {
  const body = {
    ...bodyOf(message),
    nonce: createHash("sha256").update(once).digest("base64url").slice(0, 25),
    enforce_nonce: true,
    ...(message.replyTo !== undefined && { message_reference: { message_id: message.replyTo, fail_if_not_exists: false } }),
  };
  const until = clock.monotonic() + doubt;
  let isDoubtful = false;
  for (let delay = delays.first; ; delay = Math.min(delay * 2, delays.max)) {
    const sent = sentOf(await rest({ method: "POST", path: `/channels/${chat}/messages`, body, file: message.file }));
    if (sent.ok || sent.kind === "never") return sent;
    isDoubtful ||= sent.kind === "unknown";
    if (!isDoubtful) return sent;
    if (signal.aborted || clock.monotonic() + delay > until) return { ...sent, kind: "unknown" };
    await pause(clock, delay, signal);
  }
}

/** What a press or a form can be answered with (docs.discord.com/developers/interactions/receiving-and-responding). */
const kinds = { message: 4, nothing: 6, form: 9 };

/** Answers a press or a form, for which Discord waits three seconds: with what only that person reads, with a form, or just so. */
async function answer(rest: Rest, { id, token, type }: Interaction, { tell, isShown, ask }: Reaction): Promise<void> {
  const body =
    ask !== undefined && type === 3
      ? { type: kinds.form, data: formOf(ask) }
      : tell !== undefined && !isShown
        ? { type: kinds.message, data: whisper(tell) }
        : { type: kinds.nothing };
  await rest({ method: "POST", path: `/interactions/${id}/${token}/callback`, body });
}
