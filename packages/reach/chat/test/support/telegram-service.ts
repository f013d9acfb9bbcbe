import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterwards } from "./network.ts";
import { type Account, formOf, type Seen, type Service, type TestedChat } from "./service.ts";

const token = "123456:AAbbCCddEEffGGhhIIjjKKllMMnnOOppQQ";
const bot = { id: "123456", name: "ada_askbox_bot" };
const ada = { id: "4711", name: "Ada", chat: "4711" };
const grace = { id: "815", name: "Grace", chat: "815" };
const mallory = { id: "666", name: "Mallory", chat: "666" };
const team = { chat: "-100200", title: "Team" };

interface Entity {
  type: string;
  offset: number;
  length: number;
}
interface Sending {
  chat_id: number;
  message_thread_id?: number;
  message_id?: number;
  text: string;
  entities?: Entity[];
  parse_mode?: string;
  link_preview_options?: { is_disabled: boolean };
  reply_parameters?: { message_id: number };
  reply_markup?: { inline_keyboard?: { text: string; callback_data?: string; url?: string }[][]; force_reply?: boolean };
}

/** What Telegram finds by itself in a text, outside code: addresses, mentions, tags and commands. */
const found: readonly [kind: string, form: RegExp][] = [
  ["url", /\b[a-z]+:\/\/[^\s]+/giu],
  ["url", /(?<![\p{L}\p{N}@.])[\p{L}\p{N}-]+\.\p{L}{2,}\b/giu],
  ["email", /[\w.]+@[\w.]+\.\w+/giu],
  ["mention", /@\w{2,}/giu],
  ["hashtag", /#\p{L}\w*/giu],
  ["command", /(?<![\w/])\/[a-z]\w*/giu],
];

function marksOf({ text, entities = [] }: Sending): Seen["marks"] {
  const isCode = (at: number) => entities.some(({ type, offset, length }) => /pre|code/.test(type) && at >= offset && at < offset + length);
  return [
    ...entities.map(({ type, offset, length }) => ({ kind: type, text: text.slice(offset, offset + length) })),
    ...found.flatMap(([kind, form]) =>
      [...text.matchAll(form)].filter(({ index }) => !isCode(index)).map(([whole]) => ({ kind, text: whole })),
    ),
  ];
}

const start: TestedChat["start"] = async (clock, network) => {
  const messages: Seen[] = [];
  const told: string[] = [];
  const refused: string[] = [];
  const updates: { update_id: number; callback_query?: object }[] = [];
  const held = new Map<ServerResponse, () => void>();
  const files = new Map<string, Buffer<ArrayBuffer>>();
  const state = {
    reads: 0,
    next: 1,
    silent: false,
    own: "",
    prompt: undefined as Seen | undefined,
    reading: undefined as string | undefined,
    /** The group's other id, once it is a supergroup. */
    supergroup: undefined as number | undefined,
    lose: false,
    limit: 0,
    onTaken: () => {},
  };
  let update = 100;
  let last: object | undefined;

  const send = (response: ServerResponse, status: number, body: object) => {
    if (status !== 200) refused.push(JSON.stringify(body));
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
  const ok = (response: ServerResponse, result: unknown) => send(response, 200, { ok: true, result });
  const refuse = (response: ServerResponse, status: number, description: string, parameters?: object) =>
    send(response, status, { ok: false, error_code: status, description, ...(parameters && { parameters }) });
  const release = (response: ServerResponse) => {
    held.get(response)?.();
    if (held.delete(response)) network.counts.held -= 1;
  };
  const deliver = (offset: number) => {
    while (updates[0] !== undefined && updates[0].update_id < offset) {
      if (updates.shift()?.callback_query !== undefined) state.onTaken();
    }
    return updates;
  };
  const refuseReading = (response: ServerResponse, reason: string) =>
    reason === "revoked"
      ? refuse(response, 401, "Unauthorized")
      : refuse(response, 409, "Conflict: terminated by other getUpdates request");
  const poll = (response: ServerResponse, { offset = 0, timeout = 0 }: { offset?: number; timeout?: number }) => {
    state.reads += 1;
    if (state.reading !== undefined) return refuseReading(response, state.reading);
    const news = deliver(offset);
    if (!state.silent && (news.length > 0 || timeout === 0)) return ok(response, news);
    network.counts.held += 1;
    const cancel = state.silent
      ? () => {}
      : clock.setTimer(timeout * 1_000, () => {
          release(response);
          ok(response, deliver(offset));
        });
    held.set(response, cancel);
    response.on("close", () => release(response));
  };
  const wake = () => {
    if (state.silent) return;
    for (const response of [...held.keys()]) {
      release(response);
      ok(response, updates);
    }
  };
  const add = (what: object) => {
    update += 1;
    last = what;
    updates.push({ update_id: update, ...what });
    wake();
  };
  /** What the Bot API says about a text and its buttons. */
  const problemOf = ({ text, reply_markup, parse_mode }: Sending): string | undefined => {
    const buttons = reply_markup?.inline_keyboard?.flat() ?? [];
    if (text === "") return "Bad Request: message text is empty";
    if (text.length > 4_096) return "Bad Request: message is too long";
    if (parse_mode !== undefined) return "Bad Request: can't parse entities";
    if (buttons.length > 100) return "Bad Request: too many buttons";
    if (buttons.some(({ callback_data = "" }) => Buffer.byteLength(callback_data) > 64)) return "Bad Request: BUTTON_DATA_INVALID";
    if (buttons.some((button) => button.text === "")) return "Bad Request: BUTTON_TEXT_EMPTY";
    return undefined;
  };
  /** A topic is named behind its group. */
  const chatOf = ({ chat_id, message_thread_id: topic }: Sending) => (topic === undefined ? String(chat_id) : `${chat_id}:${topic}`);
  const isGone = ({ chat_id }: Sending) => state.supergroup !== undefined && String(chat_id) === team.chat;
  const refuseGone = (response: ServerResponse) =>
    refuse(response, 400, "Bad Request: group chat was upgraded to a supergroup chat", { migrate_to_chat_id: state.supergroup });
  const looks = (sending: Sending): Omit<Seen, "id" | "chat" | "edits"> => ({
    text: sending.text,
    buttons: (sending.reply_markup?.inline_keyboard?.flat() ?? []).map(({ text, callback_data = "", url }) => ({
      id: callback_data,
      label: text,
      ...(url !== undefined && { link: url }),
    })),
    ...(sending.reply_parameters && { replyTo: String(sending.reply_parameters.message_id) }),
    marks: [...marksOf(sending), ...(sending.link_preview_options?.is_disabled ? [] : [{ kind: "preview", text: "" }])],
  });
  const methods: Record<string, (response: ServerResponse, body: never, form: FormData) => void | Promise<void>> = {
    getMe: (response) => ok(response, { id: Number(bot.id), is_bot: true, username: bot.name }),
    deleteWebhook: (response) => ok(response, true),
    getUpdates: poll,
    getFile: (response, { file_id }: { file_id: string }) =>
      files.has(file_id)
        ? ok(response, { file_id, file_path: `documents/${file_id}` })
        : refuse(response, 400, "Bad Request: invalid file_id"),
    sendMessage(response, body: Sending) {
      if (isGone(body)) return refuseGone(response);
      if (state.limit > 0) {
        const seconds = state.limit;
        state.limit = 0;
        return refuse(response, 429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds });
      }
      const problem = problemOf(body);
      if (problem !== undefined) return refuse(response, 400, problem);
      const message: Seen = { id: String(state.next++), chat: chatOf(body), edits: 0, ...looks(body) };
      messages.push(message);
      // A person's client opens a reply to it.
      if (body.reply_markup?.force_reply === true) state.prompt = message;
      if (!state.lose) return ok(response, { message_id: Number(message.id) });
      state.lose = false;
      response.destroy();
    },
    editMessageText(response, body: Sending) {
      if (isGone(body)) return refuseGone(response);
      const message = messages.find(({ id, chat }) => id === String(body.message_id) && chat.split(":")[0] === String(body.chat_id));
      const problem = message === undefined ? "Bad Request: message to edit not found" : problemOf(body);
      if (message === undefined || problem !== undefined) return refuse(response, 400, problem ?? "");
      const next = looks(body);
      if (message.text === next.text && JSON.stringify(message.buttons) === JSON.stringify(next.buttons))
        return refuse(response, 400, "Bad Request: message is not modified");
      Object.assign(message, { ...next, replyTo: message.replyTo, edits: message.edits + 1 });
      ok(response, { message_id: Number(message.id) });
    },
    answerCallbackQuery(response, { text }: { text?: string }) {
      if (text !== undefined) told.push(text);
      ok(response, true);
    },
    async sendDocument(response, _body, form) {
      // The field is the file, or names the field with it.
      const named = form.get("document");
      const file = typeof named === "string" ? form.get(named.replace("attach://", "")) : named;
      const replyTo = JSON.parse(String(form.get("reply_parameters") ?? "{}")).message_id;
      const message = messages.find(({ id }) => id === String(replyTo));
      if (!(file instanceof File)) return refuse(response, 400, "Bad Request: there is no document in the request");
      if (message !== undefined) message.file = { name: file.name, text: await file.text() };
      ok(response, { message_id: state.next++ });
    },
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, auth, name = ""] = (request.url ?? "").split("/");
    const raw = await buffer(request);
    const file = files.get((request.url ?? "").split("/").at(-1) ?? "");
    if (auth === "file" && name === `bot${token}` && file !== undefined) return void response.end(file);
    if (auth !== `bot${token}`) return refuse(response, 401, "Unauthorized");
    const type = request.headers["content-type"] ?? "";
    const body = type === "application/json" ? JSON.parse(raw.toString("utf8")) : {};
    const form = (await formOf(request, raw)) ?? new FormData();
    const method = methods[name];
    if (method === undefined) return refuse(response, 404, "Not Found");
    await method(response, body as never, form);
  };
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterwards(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const user = ({ id, name }: Account) => ({ id: Number(id), is_bot: false, first_name: name });
  const place = (chat: string, group?: string) =>
    group === undefined
      ? { id: Number(chat), type: "private" }
      : { id: Number(chat.split(":")[0]), type: chat === team.chat ? "group" : "supergroup", title: group };
  /** In a topic, what is no reply is one to the message that began it. */
  const topicOf = (chat: string) => {
    const [group = "", topic] = chat.split(":");
    if (topic === undefined) return {};
    const began = { message_id: Number(topic), chat: place(group, team.title), forum_topic_created: { name: "Deploys", icon_color: 0 } };
    return { message_thread_id: Number(topic), is_topic_message: true, reply_to_message: began };
  };
  const isPrivate = (chat: string) => !chat.startsWith("-");
  const press = (chat: string, message: string, id: string, from: Account) => {
    const about = { message_id: Number(message), chat: place(chat, isPrivate(chat) ? undefined : "Team"), ...topicOf(chat) };
    // A message that was shared by way of a bot has another kind of id.
    const where = message === "" ? { inline_message_id: "BAAAAA" } : { message: about };
    add({ callback_query: { id: `q${update}`, from: user(from), ...where, data: id } });
  };
  const write: Service["write"] = (text, { chat = ada.chat, from = ada, group, replyTo, files: sent = [] } = {}) => {
    const [first] = sent;
    const message_id = state.next++;
    state.own = String(message_id);
    const reply = replyTo && { reply_to_message: { message_id: Number(replyTo.id), chat: place(chat, group) } };
    const about = { message_id, chat: place(chat, group), from: user(from), ...topicOf(chat), ...reply };
    if (first === undefined) return add({ message: { ...about, text } });
    const together = sent.length > 1 ? { media_group_id: `g${message_id}` } : {};
    for (const [index, { name, bytes, size = bytes?.byteLength ?? 0 }] of sent.entries()) {
      const file_id = `F${state.next++}`;
      if (bytes !== undefined) files.set(file_id, bytes);
      const file = name.endsWith(".jpg")
        ? { photo: [{ file_id: "small" }, { file_id, file_size: size }] }
        : { document: { file_id, file_name: name, file_size: size } };
      add({
        message: { ...about, message_id: message_id + index, ...file, ...together, ...(index === 0 && text !== "" && { caption: text }) },
      });
    }
  };
  return {
    name: "telegram",
    secrets: { token },
    bot,
    ada,
    grace,
    mallory,
    team,
    messages,
    told,
    refused,
    write,
    url: `http://127.0.0.1:${port}`,
    moveTeam({ isTold }) {
      state.supergroup = -100_500_200;
      const about = { message_id: 1, from: user(ada) };
      if (isTold) {
        add({ message: { ...about, chat: place(team.chat, team.title), migrate_to_chat_id: state.supergroup } });
        add({ message: { ...about, chat: place(`${state.supergroup}`, team.title), migrate_from_chat_id: Number(team.chat) } });
      }
      return String(state.supergroup);
    },
    press(message, label, by = ada) {
      const button = message.buttons.find((each) => each.label === label);
      if (button === undefined)
        throw new Error(`There is no button ${label}, but ${message.buttons.map((each) => each.label).join(", ")}.`);
      press(message.chat, message.id, button.id, by);
    },
    forge: ({ chat, message, id, from }) => press(chat, message, id, from),
    asked: () => state.prompt !== undefined,
    fill(text, files) {
      write(text, { replyTo: state.prompt, files });
      state.prompt = undefined;
    },
    repeat: () => add(last ?? {}),
    faults: {
      drop: () => {
        for (const response of [...held.keys()]) {
          release(response);
          response.destroy();
        }
      },
      halfOpen(isOn) {
        state.silent = isOn;
        if (isOn) for (const cancel of held.values()) cancel();
      },
      refuseReading(reason) {
        state.reading = reason;
        if (reason === undefined) return;
        for (const response of [...held.keys()]) {
          release(response);
          refuseReading(response, reason);
        }
      },
      outage(isOn) {
        if (!isOn) return void server.listen(port, "127.0.0.1");
        for (const response of [...held.keys()]) release(response);
        server.close().closeAllConnections();
      },
      loseAnswer() {
        state.lose = true;
      },
      limitRate(seconds) {
        state.limit = seconds;
      },
    },
    own: () => state.own,
    onTaken(listener) {
      state.onTaken = listener;
    },
    reads: () => state.reads,
    isRead: () => held.size > 0,
  };
};

export const telegramChat: TestedChat = {
  title: "Telegram",
  start,
  keepsPresses: true,
  refusals: [
    ["another program reads", "conflict", "another program reads this bot's messages"],
    ["the token was revoked", "revoked", "Unauthorized"],
  ],
};
