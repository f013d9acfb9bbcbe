import { AskboxError } from "@askbox/core";
import { type Ended, keepReading, type Session } from "@askbox/notify";
import * as z from "zod";
import { type Answered, call, fetchFile, parsed } from "../http.ts";
import type { ChatAccess, ChatConnection, ChatEvent, ChatIdentity, ChatMessage, ChatPlatform, ConnectOptions, Sent } from "../port.ts";
import { openWatched } from "../socket.ts";
import { bodyOf, envelopeSchema, formOf, type Interaction, interactionOf, messageId, moveIn, threadOf, tsOf } from "./messages.ts";

/** Milliseconds between signs of life. A silent connection is noticed after twice that. */
const pingEvery = 5_000;

/** Slack, by Socket Mode (docs.slack.dev/apis/events-api/using-socket-mode). */
export const slack: ChatPlatform = {
  title: "Slack",
  secrets: [
    { name: "botToken", ask: "The bot's token (xoxb-…), from OAuth & Permissions", form: /^xoxb-[\w-]{10,300}$/ },
    { name: "appToken", ask: "The app-level token (xapp-…), from Basic Information", form: /^xapp-[\w-]{10,300}$/ },
  ],
  limits: {
    // Some 13,200 characters of blocks fail, which counts the buttons, too.
    text: 8_000,
    measure: (text) => Buffer.byteLength(JSON.stringify(text)),
    label: 30,
    buttons: 10,
    row: 5,
    menu: 100,
    file: 1_000_000_000,
    gap: 1_000,
    groupMinute: 60,
  },
  // Slack keeps what begins with a slash for itself.
  mark: "!",
  api: "https://slack.com/api",
  identify,
  reach: ({ name }, isGroup) => [
    isGroup ? `add the bot to the channel with /invite @${name}` : `open a direct message with ${name} in Slack`,
  ],
  groupCode: (code) => code,
  // Messages come again a few times, presses do not.
  keepsEvents: false,
  postsOnce: false,
  send: (access, chat, message) => post(webApi(access), access, chat, message),
  connect,
};

const urlSchema = z.object({ url: z.url({ protocol: /^wss?$/ }) });

function connect(options: ConnectOptions): ChatConnection {
  const { clock, log, onReady, openSocket } = options;
  const method = webApi(options);

  /** One connection, until it ends or Slack asks for the next one; the old one is then read until Slack closes it. */
  const session = async ({ signal, works }: Session): Promise<Ended> => {
    const answered = await method("apps.connections.open", {}, { token: "appToken", signal });
    const read = urlSchema.safeParse(answered.body);
    if (signal.aborted) return {};
    if (!read.success) return refusal(answered) ?? { why: "it named no address to connect to" };
    const ended = Promise.withResolvers<Ended>();
    const onText = (text: string) => {
      const { data: envelope } = envelopeSchema.safeParse(parsed(text));
      if (envelope?.type === "hello") works();
      else if (envelope?.type === "disconnect" && envelope.reason === "link_disabled") {
        ended.resolve(reasonOf(envelope.reason));
        watched?.socket.end();
      } else if (envelope?.type === "disconnect") ended.resolve({});
      else if (envelope?.envelope_id !== undefined) {
        const acknowledgement = JSON.stringify({ envelope_id: envelope.envelope_id });
        const acknowledge = () => watched?.socket.send(acknowledgement);
        const move = moveIn(envelope);
        if (move === undefined) void take(interactionOf(envelope), method, options, acknowledge);
        // Without an acknowledgement, Slack tells of it again.
        else options.onMoved(move.from, move.to, true).then(acknowledge, () => {});
      }
    };
    const watched = await openWatched(read.data.url, { openSocket, clock, every: pingEvery, signal, onText }).catch(() => undefined);
    if (watched === undefined) return { why: "its socket cannot be reached" };
    void watched.ended.then(() => ended.resolve({}));
    return ended.promise;
  };

  return {
    post: (chat, message) => post(method, options, chat, message),
    async edit(chat, id, message) {
      const answered = await method("chat.update", { channel: chat, ts: tsOf(id), ...bodyOf(message) });
      return sentOf(answered, () => id);
    },
    fetchFile: async ({ ref }, most) =>
      isFileAddress(ref, options.api)
        ? fetchFile(ref, { clock, fetch: options.fetch, most, headers: { authorization: `Bearer ${options.secrets["botToken"]}` } })
        : { failure: "lost" },
    named: (event) => named(event, method),
    ...keepReading({ meaning: `${slack.title} is not read for now`, clock, log, onReady, session }),
  };
}

/** Where Slack keeps files: the token goes nowhere else. */
function isFileAddress(address: string, api: string): boolean {
  const origin = URL.canParse(address) ? new URL(address).origin : undefined;
  return origin === "https://files.slack.com" || (api !== slack.api && origin === new URL(api).origin);
}

async function post(method: Method, access: ChatAccess, chat: string, message: ChatMessage): Promise<Sent> {
  const thread = message.replyTo === undefined ? undefined : threadOf(message.replyTo);
  // An answer in a thread alone would notify nobody who hasn't written there.
  const place = { channel: chat, ...(thread !== undefined && { thread_ts: thread, reply_broadcast: true }) };
  const sent = sentOf(await method("chat.postMessage", { ...place, ...bodyOf(message) }), (ts) => messageId(ts, thread));
  if (sent.ok && message.file !== undefined) await attach(method, access, chat, threadOf(sent.id), message.file);
  return sent;
}

const uploadSchema = z.object({ upload_url: z.url({ protocol: /^https?$/ }), file_id: z.string() });

/** Puts a file in the thread of a message. */
async function attach(method: Method, { clock, fetch }: ChatAccess, chat: string, thread: string, file: { name: string; text: string }) {
  const content = Buffer.from(file.text, "utf8");
  const place = await method("files.getUploadURLExternal", { filename: file.name, length: content.byteLength });
  const { data } = uploadSchema.safeParse(place.body);
  if (data === undefined) return;
  const uploaded = await call(data.upload_url, { method: "POST", body: content }, { clock, fetch, timeout: 60_000 });
  if (uploaded.status !== 200) return;
  const files = [{ id: data.file_id, title: file.name }];
  await method("files.completeUploadExternal", { files, channel_id: chat, thread_ts: thread });
}

/** Takes what a person did, acknowledges it within three seconds, and tells them what came of it. */
async function take(
  interaction: Interaction | undefined,
  method: Method,
  { onEvent }: ConnectOptions,
  acknowledge: () => void,
): Promise<void> {
  if (interaction === undefined) return acknowledge();
  const { event, trigger } = interaction;
  const { ask, tell, isShown } = await onEvent(event);
  let told = isShown ? undefined : tell;
  if (ask !== undefined) {
    const view = formOf(ask, { action: ask.action, chat: event.chat, message: event.message });
    const opened = await method("views.open", { trigger_id: trigger, view });
    if (refusal(opened) !== undefined) told = "The form could not be opened; press the button again, or reply in the message's thread.";
  }
  acknowledge();
  if (told !== undefined) await answer(event, told, method);
}

/** To a press, where only its person sees it; to a text, below it. */
async function answer({ chat, from, action, message, replyTo }: ChatEvent, text: string, method: Method): Promise<void> {
  const body = { channel: chat, ...bodyOf({ parts: [{ as: "text", text }], rows: [] }) };
  if (action === undefined) await method("chat.postMessage", { ...body, thread_ts: replyTo });
  else {
    const thread = message?.includes(":") ? threadOf(message) : undefined;
    await method("chat.postEphemeral", { ...body, user: from.id, thread_ts: thread });
  }
}

const userSchema = z.object({
  user: z.object({
    name: z.string().catch(""),
    profile: z.object({ display_name: z.string().catch(""), real_name: z.string().catch("") }).catch({ display_name: "", real_name: "" }),
  }),
});
const channelSchema = z.object({ channel: z.object({ name: z.string() }) });

/** Events carry ids only. */
async function named(event: ChatEvent, method: Method): Promise<ChatEvent> {
  const [user, channel] = await Promise.all([
    method("users.info", { user: event.from.id }),
    event.isGroup ? method("conversations.info", { channel: event.chat }) : undefined,
  ]);
  const { name = "", profile } = userSchema.safeParse(user.body).data?.user ?? {};
  const title = channelSchema.safeParse(channel?.body).data?.channel.name;
  return {
    ...event,
    from: { id: event.from.id, name: profile?.display_name || profile?.real_name || name },
    ...(title !== undefined && { chatTitle: title }),
  };
}

/** Milliseconds until a request counts as failed. */
const timeout = 15_000;

/** What only a person can change, at Slack. */
const refused: Readonly<Record<string, string>> = {
  invalid_auth: "its token is wrong",
  not_authed: "its token is wrong",
  token_revoked: "its token was revoked",
  token_expired: "its token has expired",
  account_inactive: "the app was removed from the workspace",
  not_allowed_token_type: "the two tokens are mixed up",
  missing_scope: "the app lacks a permission",
  link_disabled: "Socket Mode is turned off for the app",
};
/** What it may have done before it failed. */
const unsure = new Set(["fatal_error", "internal_error"]);
const passing = new Set(["ratelimited", "rate_limited", "service_unavailable", "request_timeout"]);

const answerSchema = z.object({
  ok: z.boolean(),
  error: z.string().max(200).optional().catch(undefined),
  needed: z.string().max(200).optional().catch(undefined),
});

/** One method of the Web API (docs.slack.dev/reference/methods), as a form, which every method takes. */
type Method = (
  name: string,
  params: Readonly<Record<string, unknown>>,
  options?: { token?: "appToken" | "botToken"; signal?: AbortSignal },
) => Promise<Answered>;

function webApi({ secrets, api, clock, fetch }: ChatAccess): Method {
  return (name, params, { token = "botToken", signal } = {}) => {
    const body = new URLSearchParams();
    for (const [key, value] of Object.entries(params))
      if (value !== undefined) body.set(key, typeof value === "string" ? value : JSON.stringify(value));
    const init = { method: "POST", headers: { authorization: `Bearer ${secrets[token]}` }, body };
    return call(`${api.replace(/\/$/, "")}/${name}`, init, { clock, fetch, timeout, signal });
  };
}

/** Why a method has failed: a clause, and what is to be done about it. */
interface Refusal {
  why: string;
  /** Slack's name of the error. */
  error: string | undefined;
  after: number | undefined;
  isRefused: boolean;
}

/** Undefined if the method has worked. */
function refusal({ status, body, failure, retryAfter: after }: Answered): Refusal | undefined {
  if (failure !== undefined) return { why: failure.why, error: undefined, after: undefined, isRefused: false };
  const { data } = answerSchema.safeParse(body);
  if (status === 200 && data?.ok) return undefined;
  const error = data?.error;
  if (error === undefined) return { why: `it answered ${status}`, error, after, isRefused: false };
  return { ...reasonOf(error, data?.needed), error, after };
}

function reasonOf(error: string, needed?: string): { why: string; isRefused: boolean } {
  const words = Object.hasOwn(refused, error) ? refused[error] : undefined;
  return {
    why: words === undefined ? `it answered "${error}"` : `${words} (${needed ?? error})`,
    isRefused: words !== undefined,
  };
}

/** What came of a message. A post is not repeated if it may have arrived. */
function sentOf(answered: Answered, idOf: (ts: string) => string): Sent {
  const { status, body, failure } = answered;
  const refusedAs = refusal(answered);
  if (refusedAs === undefined) return { ok: true, id: idOf(z.object({ ts: z.string() }).catch({ ts: "" }).parse(body).ts) };
  const { why, error = "", after, isRefused } = refusedAs;
  if (failure !== undefined) return { ok: false, kind: failure.mayHaveArrived ? "unknown" : "later", why };
  if (status === 429 || status === 503 || isRefused || passing.has(error)) return { ok: false, kind: "later", why, after };
  return { ok: false, kind: status >= 500 || error === "" || unsure.has(error) ? "unknown" : "never", why };
}

/** The bot that the tokens belong to. */
async function identify(access: ChatAccess): Promise<ChatIdentity> {
  const method = webApi(access);
  const bot = await method("auth.test", {});
  check(bot, "the bot's token again from OAuth & Permissions");
  check(await method("apps.connections.open", {}, { token: "appToken" }), "the app-level token again from Basic Information");
  const { user_id, user } = z.object({ user_id: z.string(), user: z.string().max(200) }).parse(bot.body);
  return { id: user_id, name: user };
}

function check(answered: Answered, token: string): void {
  const failed = refusal(answered);
  if (failed === undefined) return;
  if (failed.error === "missing_scope") throw new AskboxError("VALIDATION", `Slack refuses a token: ${failed.why}.`);
  if (failed.isRefused) throw new AskboxError("VALIDATION", `Slack does not know this token; copy ${token}.`);
  throw new AskboxError("HUB_UNREACHABLE", `Slack can't be asked about the bot: ${failed.why}.`);
}
