import { AskboxError } from "@askbox/core";
import { cut } from "@askbox/core/questions";
import { type Ended, keepReading, type Session } from "@askbox/notify";
import * as z from "zod";
import { type Answered, call, fetchFile } from "../http.ts";
import type { ChatAccess, ChatConnection, ChatMessage, ChatPlatform, ConnectOptions, Reaction, Sent } from "../port.ts";
import { otherMessage } from "../words.ts";
import { bodyOf, chatOf, eventOfUpdate, moveIn, type Update, updateSchema } from "./messages.ts";

/** Seconds of a poll without news; and milliseconds after which a poll without any answer counts as dead. */
const [pollSeconds, pollTimeout] = [5, 6_000];
/** How many updates before the last one may come again after a restart. */
const maxUnconfirmed = 1_000;

/** Telegram, by long polling (core.telegram.org/bots/api). */
export const telegram: ChatPlatform = {
  title: "Telegram",
  secrets: [{ name: "token", ask: "The bot's token, from @BotFather", form: /^\d{4,20}:[\w-]{20,100}$/ }],
  limits: {
    text: 4_096,
    measure: (text) => text.length,
    label: 28,
    buttons: 60,
    row: 8,
    menu: 0,
    file: 20_000_000,
    gap: 1_000,
    groupMinute: 20,
  },
  mark: "/",
  api: "https://api.telegram.org",
  identify: getMe,
  reach: ({ name }, isGroup) => [isGroup ? `add ${name} to the group` : `open https://t.me/${name}`],
  // With privacy mode on, which is the default, a bot sees only commands and replies in a group.
  groupCode: (code) => `/pair ${code}`,
  keepsEvents: true,
  postsOnce: false,
  send: (access, chat, message) => post(botApi(access), chat, message),
  connect,
};

const updatesSchema = z.object({ result: z.array(z.unknown()) });

function connect(options: ConnectOptions): ChatConnection {
  const { clock, log, onReady } = options;
  const method = botApi(options);
  /** What was taken before this hub ran may not have been confirmed. */
  const taken = options.cursor === undefined ? undefined : Number(options.cursor);
  /** What is confirmed with the next poll. Ids start over after a week without updates, so it is named only once. */
  let offset: number | undefined;

  const poll = async ({ signal, works }: Session): Promise<Ended> => {
    const answered = await method(
      "getUpdates",
      { offset, timeout: pollSeconds, limit: 20, allowed_updates: ["message", "callback_query"] },
      { timeout: pollTimeout, signal },
    );
    if (signal.aborted) return {};
    const read = updatesSchema.safeParse(answered.status === 200 ? answered.body : undefined);
    if (!read.success) {
      const { why, after } = refusal(answered);
      const isRefused = answered.status === 401 || answered.status === 404;
      return { why: answered.status === 409 ? "another program reads this bot's messages" : why, after, isRefused };
    }
    works();
    for (const each of read.data.result) {
      const id = z.object({ update_id: z.number() }).safeParse(each).data?.update_id;
      // It can't be confirmed by itself.
      if (id === undefined) continue;
      const update = updateSchema.safeParse(each);
      const isTaken = taken !== undefined && id < taken && id >= taken - maxUnconfirmed;
      if (update.success && !isTaken) await take(update.data, method, options);
      offset = id + 1;
      if (!isTaken) await options.confirm(String(offset));
    }
    if (read.data.result.length === 0) offset = undefined;
    return { isDone: true };
  };
  const reading = keepReading({ meaning: `${telegram.title} is not read for now`, clock, log, onReady, session: poll });
  return {
    post: (chat, message) => post(method, chat, message, options),
    async edit(chat, id, message) {
      const { chat_id } = chatOf(chat);
      const answered = await method("editMessageText", { chat_id, message_id: Number(id), ...bodyOf(message) });
      await follow(chat, answered, options);
      const isSame = answered.status === 400 && refusal(answered).why.includes("not modified");
      return isSame ? { ok: true, id } : sentOf(answered);
    },
    async fetchFile({ ref }, most) {
      const answered = await method("getFile", { file_id: ref });
      const path = pathSchema.safeParse(answered.status === 200 ? answered.body : undefined).data?.result.file_path;
      if (path === undefined) return { failure: refusal(answered).why.includes("too big") ? "large" : "lost" };
      return fetchFile(fileAddress(options, path), { clock, fetch: options.fetch, most });
    },
    ...reading,
  };
}

/** Where a file is: below the bot's own address, without leaving it. */
const pathSchema = z.object({
  result: z.object({
    file_path: z
      .string()
      .regex(/^[\w./-]{1,500}$/)
      .refine((path) => !path.includes("..")),
  }),
});

/** Without its connection, nobody is told that a group has another id. */
async function post(method: Method, chat: string, message: ChatMessage, options?: ConnectOptions): Promise<Sent> {
  const replyTo =
    message.replyTo === undefined ? {} : { reply_parameters: { message_id: Number(message.replyTo), allow_sending_without_reply: true } };
  const answered = await method("sendMessage", { ...chatOf(chat), ...bodyOf(message), ...replyTo });
  if (options !== undefined) await follow(chat, answered, options);
  const sent = sentOf(answered);
  if (!sent.ok || message.file === undefined) return sent;
  const form = new FormData();
  for (const [field, id] of Object.entries(chatOf(chat))) form.set(field, String(id));
  form.set("reply_parameters", JSON.stringify({ message_id: Number(sent.id), allow_sending_without_reply: true }));
  form.set("document", new Blob([message.file.text], { type: "text/plain" }), message.file.name);
  await method("sendDocument", form, { timeout: 60_000 });
  return sent;
}

/** A group that became a supergroup has another id, which what is sent to the former one is refused with. */
async function follow(chat: string, answered: Answered, { onMoved }: ConnectOptions): Promise<void> {
  const movedTo = answered.status === 200 ? undefined : refusal(answered).movedTo;
  if (movedTo !== undefined) await onMoved(chat, movedTo, false);
}

/** Takes what a person did, and tells them what came of it. */
async function take(update: Update, method: Method, options: ConnectOptions): Promise<void> {
  const { callback_query: query } = update;
  const move = moveIn(update);
  // If it can't be stored, what is sent to the former id is refused, which tells of it again.
  if (move !== undefined) return options.onMoved(move.from, move.to, false).catch(() => {});
  const event = eventOfUpdate(update);
  if (event === undefined) {
    // Of a message that was shared by way of a bot, which is none that was posted here.
    if (query !== undefined) await method("answerCallbackQuery", { callback_query_id: query.id, text: otherMessage });
    return;
  }
  const reaction = await options.onEvent(event);
  const { chat, own, message } = event;
  if (query !== undefined)
    await method("answerCallbackQuery", {
      callback_query_id: query.id,
      ...(reaction.tell !== undefined && { text: cut(reaction.tell, 200) }),
    });
  else if (reaction.tell !== undefined) await post(method, chat, { parts: [{ as: "text", text: reaction.tell }], rows: [], replyTo: own });
  await ask(chat, Number(own ?? message), reaction, method, options);
}

/** Asks for a text by a message that the person's client opens a reply to. */
async function ask(chat: string, about: number, { ask: request }: Reaction, method: Method, { onPrompt }: ConnectOptions): Promise<void> {
  if (request === undefined) return;
  const params = {
    ...chatOf(chat),
    text: request.title,
    link_preview_options: { is_disabled: true },
    reply_parameters: { message_id: about, allow_sending_without_reply: true },
    reply_markup: { force_reply: true, selective: true },
  };
  const sent = sentOf(await method("sendMessage", params));
  if (sent.ok) onPrompt(chat, sent.id, request.action);
}

/** Milliseconds until a request counts as failed. */
const timeout = 15_000;

const refusedSchema = z.object({
  description: z.string().max(2_000).catch("it refused").default("it refused"),
  parameters: z.object({ retry_after: z.number().optional(), migrate_to_chat_id: z.number().optional() }).optional().catch(undefined),
});
const messageSchema = z.object({ message_id: z.number() });

/** One method of the Bot API (core.telegram.org/bots/api), as JSON, or as a form with a file. */
type Method = (name: string, params: object, options?: { timeout?: number; signal?: AbortSignal }) => Promise<Answered>;

function botApi({ secrets, api, clock, fetch }: ChatAccess): Method {
  const base = `${api.replace(/\/$/, "")}/bot${secrets["token"]}`;
  return (name, params, options = {}) => {
    const init: RequestInit =
      params instanceof FormData
        ? { method: "POST", body: params }
        : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(params) };
    return call(`${base}/${name}`, init, { clock, fetch, timeout, ...options });
  };
}

/** The address of a file, which contains the token. */
const fileAddress = ({ secrets, api }: ChatAccess, path: string): string => `${api.replace(/\/$/, "")}/file/bot${secrets["token"]}/${path}`;

/** Why a request was refused, and after how many ms it may be made again, or in which chat, since the group has another id. */
function refusal(answered: Answered): { why: string; after: number | undefined; movedTo?: string } {
  if (answered.failure !== undefined) return { why: answered.failure.why, after: undefined };
  const read = refusedSchema.safeParse(answered.body);
  const { description, parameters } = read.success ? read.data : { description: `it answered ${answered.status}`, parameters: undefined };
  const { retry_after: seconds, migrate_to_chat_id: to } = parameters ?? {};
  const after = seconds === undefined ? answered.retryAfter : Math.min(seconds, 3_600) * 1_000;
  return { why: description, after, ...(to !== undefined && { movedTo: String(to) }) };
}

/** What came of a message. A post is not repeated if it may have arrived. */
function sentOf(answered: Answered): Sent {
  if (answered.status === 200) {
    const { data } = z.object({ result: messageSchema }).safeParse(answered.body);
    return { ok: true, id: String(data?.result.message_id ?? "") };
  }
  const { why, after, movedTo } = refusal(answered);
  if (answered.failure !== undefined) return { ok: false, kind: answered.failure.mayHaveArrived ? "unknown" : "later", why };
  const mayWorkLater =
    movedTo !== undefined || answered.status === 429 || answered.status === 401 || answered.status === 404 || answered.status >= 500;
  return { ok: false, kind: mayWorkLater ? "later" : "never", why, after };
}

/** The bot that a token belongs to. */
async function getMe(access: ChatAccess): Promise<{ id: string; name: string }> {
  const answered = await botApi(access)("getMe", {});
  const read = z.object({ result: z.object({ id: z.number(), username: z.string() }) }).safeParse(answered.body);
  if (read.success) return { id: String(read.data.result.id), name: read.data.result.username };
  if (answered.status === 401 || answered.status === 404)
    throw new AskboxError("VALIDATION", "Telegram does not know this token; copy it again from @BotFather.");
  throw new AskboxError("HUB_UNREACHABLE", `Telegram can't be asked about the bot: ${refusal(answered).why}.`);
}
