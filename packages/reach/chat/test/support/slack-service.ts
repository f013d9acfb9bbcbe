import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { type WebSocket, WebSocketServer } from "ws";
import { afterwards, type Line } from "./network.ts";
import { type Account, formOf, type Seen, type TestedChat, type Upload } from "./service.ts";

const secrets = { botToken: "xoxb-1111-2222-abcdefghijkl", appToken: "xapp-1-A111-3333-abcdefghijkl" };
const bot = { id: "U0BOT", name: "askbox" };
const ada = { id: "U0ADA", name: "Ada", chat: "D0ADA" };
const grace = { id: "U0GRACE", name: "Grace", chat: "D0GRACE" };
const mallory = { id: "U0MALLORY", name: "Mallory", chat: "D0MALLORY" };
const team = { chat: "C0TEAM", title: "team" };
const people = [ada, grace, mallory];

interface TextObject {
  type: string;
  text: string;
  emoji?: boolean;
}
interface Element {
  type: string;
  action_id?: string;
  text?: TextObject;
  value?: string;
  url?: string;
  options?: { text: TextObject; value: string }[];
}
interface RichText {
  type: string;
  elements?: { type: string; text: string; style?: { bold?: boolean } }[];
}
interface Block {
  type: string;
  text?: TextObject;
  elements?: (Element & RichText)[];
}
/** The parameters of a method, of a form: texts and JSON. */
type Params = Record<string, string | undefined>;

/** What Slack does with a text that has markup: links, mentions, emoji and formatting. */
const markup: readonly [kind: string, form: RegExp][] = [
  ["mention", /<[@!#][^>]*>/g],
  ["url", /<[a-z]+:[^>]*>/g],
  ["url", /\b[a-z]+:\/\/[^\s<>]+/g],
  ["mention", /(?<![\w@])@(?:channel|here|everyone)\b/g],
  ["emoji", /:[a-z_]+:/g],
];
const formatting: readonly [kind: string, form: RegExp][] = [
  ["bold", /\*[^*\n]+\*/g],
  ["italic", /_[^_\n]+_/g],
  ["code", /`[^`\n]+`/g],
];
const marksIn = (text: string, forms: readonly (readonly [string, RegExp])[]) =>
  forms.flatMap(([kind, form]) => [...text.matchAll(form)].map(([whole]) => ({ kind, text: whole })));

const blocksOf = ({ blocks }: Params): Block[] => JSON.parse(blocks ?? "[]");
const richOf = (blocks: readonly Block[]): RichText[] =>
  blocks.filter(({ type }) => type === "rich_text").flatMap((each) => each.elements ?? []);
const buttonsOf = (blocks: readonly Block[]): Element[] =>
  blocks.filter(({ type }) => type === "actions").flatMap((each) => each.elements ?? []);

function looksOf(params: Params): Pick<Seen, "text" | "buttons" | "marks"> {
  const blocks = blocksOf(params);
  const rich = richOf(blocks);
  return {
    text: rich.map(({ elements = [] }) => elements.map(({ text }) => text).join("")).join("\n"),
    buttons: buttonsOf(blocks).flatMap(({ type, text, value = "", url, options = [] }) =>
      type === "static_select"
        ? options.map((option) => ({ id: option.value, label: option.text.text }))
        : [{ id: value, label: text?.text ?? "", ...(url !== undefined && { link: url }) }],
    ),
    marks: [
      ...rich.flatMap(({ type, elements = [] }) => [
        ...(type === "rich_text_preformatted" ? elements.map(({ text }) => ({ kind: "pre", text })) : []),
        ...elements.flatMap(({ style, text }) => (style?.bold ? [{ kind: "bold", text }] : [])),
      ]),
      // What a notification shows.
      ...marksIn(params["text"] ?? "", params["mrkdwn"] === "false" ? markup : [...markup, ...formatting]),
      ...(params["unfurl_links"] === "false" && params["unfurl_media"] === "false" ? [] : [{ kind: "preview", text: "" }]),
    ],
  };
}

/** What Slack says of blocks (docs.slack.dev/reference/block-kit). */
function problemOf(params: Params): string | undefined {
  const blocks = blocksOf(params);
  const elements = buttonsOf(blocks);
  const texts = richOf(blocks).flatMap((each) => each.elements ?? []);
  const labels = elements.flatMap(({ text, options = [] }) => [...(text === undefined ? [] : [text]), ...options.map((each) => each.text)]);
  if (blocks.length === 0 && (params["text"] ?? "") === "") return "no_text";
  if ((params["blocks"] ?? "").length > 13_200) return "msg_blocks_too_long";
  const isWrong =
    blocks.length > 50 ||
    texts.some(({ text }) => text === "") ||
    labels.some(({ type, text }) => type !== "plain_text" || text.length < 1 || text.length > 75) ||
    elements.some(
      ({ value = "", action_id = "", options }) => value.length > 2_000 || action_id.length > 255 || (options?.length ?? 1) > 100,
    ) ||
    new Set(elements.map(({ action_id }) => action_id)).size !== elements.length ||
    blocks.some((block) => block.type === "actions" && ((block.elements?.length ?? 0) < 1 || (block.elements?.length ?? 0) > 25));
  return isWrong ? "invalid_blocks" : undefined;
}

interface Connection {
  socket: WebSocket;
  line: Line;
}
/** What waits for its acknowledgement. */
interface Sent {
  type: string;
  payload: object;
  cancel(): void;
}

const start: TestedChat["start"] = async (clock, network) => {
  const messages: Seen[] = [];
  const told: string[] = [];
  const refused: string[] = [];
  const connections = new Set<Connection>();
  const unacknowledged = new Map<string, Sent>();
  /** Until when a press can open a form, once. */
  const triggers = new Map<string, number>();
  const uploads = new Map<string, Buffer<ArrayBuffer>>();
  const menuOptions = new Set<string>();
  const files = new Map<string, { name: string; text: string }>();
  const state = { reads: 0, next: 1, silent: false, refusal: undefined as string | undefined, lose: false, limit: 0, onTaken: () => {} };
  let own: string | undefined;
  let form: { view: { private_metadata: string }; from: Account } | undefined;
  let last: (() => void) | undefined;
  let pressedBy: Account = ada;

  const send = (response: ServerResponse, status: number, body: object, headers = {}) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  const ok = (response: ServerResponse, result: object = {}) => send(response, 200, { ok: true, ...result });
  const refuse = (response: ServerResponse, error: string) => {
    refused.push(error);
    send(response, 200, { ok: false, error });
  };
  /** What a message looks like; its menu's options are pressed in another way than its buttons. */
  const looks = (params: Params) => {
    for (const { options = [] } of buttonsOf(blocksOf(params))) for (const { value } of options) menuOptions.add(value);
    return looksOf(params);
  };
  const ts = () => `17000000${String(state.next++).padStart(2, "0")}.000100`;

  const deliver = ({ socket, line }: Connection, body: object) => {
    if (state.silent) return;
    line.sends();
    socket.send(JSON.stringify(body));
  };
  /** A message comes again after a minute, a press does not: its person is told that it has failed. */
  const emit = (type: "events_api" | "interactive", payload: object, attempt = 0): void => {
    const envelope_id = `e${state.next++}`;
    const [connection] = connections;
    const fail = () => {
      unacknowledged.delete(envelope_id);
      if (type === "interactive") told.push("Slack: this didn't work.");
      else if (attempt < 3) emit(type, payload, attempt + 1);
    };
    const cancel = clock.setTimer(type === "interactive" ? 3_000 : 60_000, fail);
    unacknowledged.set(envelope_id, { type, payload, cancel });
    if (connection !== undefined) deliver(connection, { envelope_id, type, payload, accepts_response_payload: type === "interactive" });
  };
  const done = (what: () => void) => {
    last = what;
    what();
  };

  const methods: Record<string, (response: ServerResponse, params: Params) => void> = {
    "auth.test": (response) => ok(response, { user_id: bot.id, user: bot.name, team: "Engines", bot_id: "B0BOT" }),
    "apps.connections.open"(response) {
      state.reads += 1;
      if (state.refusal !== undefined) return refuse(response, state.refusal);
      ok(response, { url: `${url.replace("http", "ws")}/link?ticket=${state.next++}` });
    },
    "chat.postMessage"(response, params) {
      if (state.limit > 0) {
        const seconds = state.limit;
        state.limit = 0;
        refused.push("ratelimited");
        return send(response, 429, { ok: false, error: "ratelimited" }, { "retry-after": String(seconds) });
      }
      const problem = problemOf(params);
      if (problem !== undefined) return refuse(response, problem);
      const { channel = "", thread_ts } = params;
      const message: Seen = { id: ts(), chat: channel, edits: 0, ...looks(params), ...(thread_ts !== undefined && { replyTo: thread_ts }) };
      messages.push(message);
      // An app gets its own messages, too.
      emit("events_api", {
        event: {
          type: "message",
          bot_id: "B0BOT",
          user: bot.id,
          channel,
          ts: message.id,
          text: params["text"],
          ...(thread_ts && { thread_ts }),
        },
      });
      if (!state.lose) return ok(response, { ts: message.id, channel });
      state.lose = false;
      response.destroy();
    },
    "chat.update"(response, params) {
      const message = messages.find(({ id, chat }) => id === params["ts"] && chat === params["channel"]);
      const problem = message === undefined ? "message_not_found" : problemOf(params);
      if (message === undefined || problem !== undefined) return refuse(response, problem ?? "");
      Object.assign(message, { ...looks(params), edits: message.edits + 1 });
      ok(response, { ts: message.id });
    },
    "chat.postEphemeral"(response, params) {
      told.push(looksOf(params).text);
      ok(response, { message_ts: ts() });
    },
    "views.open"(response, params) {
      const view = JSON.parse(params["view"] ?? "{}");
      const { trigger_id = "" } = params;
      const isGood = (triggers.get(trigger_id) ?? 0) > clock.monotonic();
      if (!isGood) return refuse(response, triggers.has(trigger_id) ? "expired_trigger_id" : "invalid_trigger_id");
      triggers.set(trigger_id, 0);
      if (view.title.text.length > 24 || view.private_metadata.length > 3_000) return refuse(response, "invalid_arguments");
      form = { view, from: pressedBy };
      ok(response, { view: { id: "V1" } });
    },
    "users.info"(response, { user }) {
      const person = people.find(({ id }) => id === user);
      if (person === undefined) return refuse(response, "user_not_found");
      ok(response, { user: { id: user, name: person.name.toLowerCase(), profile: { display_name: person.name, real_name: "" } } });
    },
    "conversations.info": (response, { channel }) =>
      channel === team.chat ? ok(response, { channel: { id: channel, name: team.title } }) : refuse(response, "channel_not_found"),
    "files.getUploadURLExternal"(response, { filename = "" }) {
      const id = `F${state.next++}`;
      files.set(id, { name: filename, text: "" });
      ok(response, { upload_url: `${url}/upload/${id}`, file_id: id });
    },
    "files.completeUploadExternal"(response, params) {
      const [file] = JSON.parse(params["files"] ?? "[]");
      const message = messages.find(({ id }) => id === params["thread_ts"]);
      const uploaded = files.get(file.id);
      if (message !== undefined && uploaded !== undefined) message.file = uploaded;
      ok(response, { files: [file] });
    },
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const raw = await buffer(request);
    const [, name = "", id = ""] = (request.url ?? "").split("/");
    const file = files.get(id);
    if (name === "upload" && file !== undefined) {
      const form = await formOf(request, raw);
      const [sent] = [...(form?.values() ?? [])].filter((value) => value instanceof File);
      file.text = form === undefined ? raw.toString("utf8") : ((await sent?.text()) ?? "");
      return void response.writeHead(200).end(`OK - ${raw.byteLength}`);
    }
    const token = name === "apps.connections.open" ? secrets.appToken : secrets.botToken;
    if (request.headers.authorization !== `Bearer ${token}`) return refuse(response, "invalid_auth");
    const sent = uploads.get(id);
    if (name === "files-pri") return sent === undefined ? void response.writeHead(404).end() : void response.end(sent);
    const method = methods[name];
    if (method === undefined) return refuse(response, "unknown_method");
    method(response, Object.fromEntries(new URLSearchParams(raw.toString("utf8"))));
  };
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  const sockets = new WebSocketServer({ server, autoPong: false });
  sockets.on("connection", (socket, request) => {
    const connection: Connection = { socket, line: network.lineOf(`${url.replace("http", "ws")}${request.url}`) };
    const { line } = connection;
    connections.add(connection);
    socket.on("close", () => {
      connections.delete(connection);
    });
    socket.on("ping", () => {
      line.gets();
      if (state.silent) return;
      line.sends();
      socket.pong();
    });
    socket.on("message", (data) => {
      line.gets();
      const { envelope_id } = JSON.parse(String(data));
      const taken = unacknowledged.get(envelope_id);
      taken?.cancel();
      unacknowledged.delete(envelope_id);
      if (taken?.type === "interactive") state.onTaken();
    });
    deliver(connection, { type: "hello", num_connections: connections.size, connection_info: { app_id: "A111" } });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterwards(() => {
    for (const { socket } of connections) socket.terminate();
    for (const { cancel } of unacknowledged.values()) cancel();
    server.close().closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const drop = () => {
    for (const { socket, line } of connections) {
      line.sends();
      socket.terminate();
    }
    connections.clear();
  };

  const press = (chat: string, message: string, value: string, from: Account) => {
    pressedBy = from;
    const trigger_id = `t${state.next}`;
    triggers.set(trigger_id, clock.monotonic() + 3_000);
    const thread = messages.find(({ id }) => id === message)?.replyTo;
    const payload = {
      type: "block_actions",
      trigger_id,
      user: { id: from.id, username: from.name.toLowerCase() },
      channel: { id: chat },
      container: { type: "message", message_ts: message, channel_id: chat },
      message: { ts: message, ...(thread !== undefined && { thread_ts: thread }) },
      actions: [
        menuOptions.has(value)
          ? { type: "static_select", action_id: "menu", action_ts: ts(), selected_option: { value } }
          : { type: "button", action_id: value, action_ts: ts(), value },
      ],
    };
    done(() => emit("interactive", payload));
  };
  const shared = (sent: readonly Upload[]) => {
    if (sent.length === 0) return {};
    const list = sent.map(({ name, bytes, size = bytes?.byteLength ?? 0 }) => {
      const id = `F${state.next++}`;
      if (bytes !== undefined) uploads.set(id, bytes);
      return { id, name, size, url_private_download: `${url}/files-pri/${id}` };
    });
    return { subtype: "file_share", files: list };
  };
  const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return {
    name: "slack",
    url,
    secrets,
    bot,
    ada,
    grace,
    mallory,
    team,
    messages,
    told,
    refused,
    moveTeam() {
      const to = "C0SHARED";
      for (const message of messages) if (message.chat === team.chat) message.chat = to;
      const event = { type: "channel_id_changed", old_channel_id: team.chat, new_channel_id: to };
      emit("events_api", { event_id: `Ev${ts()}`, event });
      return to;
    },
    press(message, label, by = ada) {
      const button = message.buttons.find((each) => each.label === label);
      if (button === undefined)
        throw new Error(`There is no button ${label}, but ${message.buttons.map((each) => each.label).join(", ")}.`);
      press(message.chat, message.id, button.id, by);
    },
    forge: ({ chat, message, id, from }) => press(chat, message, id, from),
    write(text, { chat = ada.chat, from = ada, replyTo, files: sent = [] } = {}) {
      const id = ts();
      const thread = replyTo && (replyTo.replyTo ?? replyTo.id);
      own = id;
      const event = {
        type: "message",
        channel: chat,
        user: from.id,
        ts: id,
        text: escaped(text),
        ...(thread && { thread_ts: thread }),
        ...shared(sent),
      };
      done(() => emit("events_api", { event_id: `Ev${id}`, event }));
    },
    asked: () => form !== undefined,
    fill(text) {
      const { view, from } = form ?? { view: { private_metadata: "" }, from: ada };
      form = undefined;
      own = undefined;
      const payload = {
        type: "view_submission",
        user: { id: from.id },
        view: { id: `V${state.next++}`, private_metadata: view.private_metadata, state: { values: { text: { text: { value: text } } } } },
      };
      done(() => emit("interactive", payload));
    },
    repeat: () => last?.(),
    faults: {
      drop,
      halfOpen(isOn) {
        state.silent = isOn;
      },
      refuseReading(reason) {
        state.refusal = reason;
        if (reason === "link_disabled") for (const connection of connections) deliver(connection, { type: "disconnect", reason });
        else if (reason !== undefined) drop();
      },
      outage(isOn) {
        if (!isOn) return void server.listen(port, "127.0.0.1");
        drop();
        server.close().closeAllConnections();
      },
      loseAnswer() {
        state.lose = true;
      },
      refresh() {
        const [old] = connections;
        if (old !== undefined) deliver(old, { type: "disconnect", reason: "warning", debug_info: { approximate_connection_time: 360 } });
        return {
          connections: () => connections.size,
          end() {
            old?.line.sends();
            old?.socket.close();
          },
        };
      },
      limitRate(seconds) {
        state.limit = seconds;
      },
    },
    own: () => own,
    onTaken(listener) {
      state.onTaken = listener;
    },
    reads: () => state.reads,
    isRead: () => connections.size > 0,
  };
};

export const slackChat: TestedChat = {
  title: "Slack",
  start,
  keepsPresses: false,
  refusals: [
    ["Socket Mode is turned off", "link_disabled", "Socket Mode is turned off for the app"],
    ["the token was revoked", "token_revoked", "its token was revoked"],
  ],
};
