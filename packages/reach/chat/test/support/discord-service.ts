import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { discordGateway } from "./discord-gateway.ts";
import { discordLooks } from "./discord-markdown.ts";
import { afterwards } from "./network.ts";
import { type Account, formOf, type Member, type Seen, type Service, type TestedChat } from "./service.ts";

const token = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDE.abcdefghijklmnopqrstuvwxyz0123456789AB";
const bot = { id: "123456789012345678", name: "ada-askbox" };
const ada: Member = { id: "400000000000004711", name: "Ada", chat: "500000000000004711" };
const grace: Member = { id: "400000000000000815", name: "Grace", chat: "500000000000000815" };
const mallory: Member = { id: "400000000000000666", name: "Mallory", chat: "500000000000000666" };
const team = { chat: "600000000000000200", title: "team" };
const guild = "700000000000000001";

interface Component {
  type: number;
  style?: number;
  label?: string;
  custom_id?: string;
  url?: string;
  description?: string;
  options?: { label: string; value: string }[];
  component?: Component;
  components?: Component[];
}
interface Sending {
  content?: string;
  components?: Component[];
  allowed_mentions?: { parse?: string[]; users?: string[]; replied_user?: boolean };
  flags?: number;
  nonce?: string;
  enforce_nonce?: boolean;
  attachments?: { id: number; filename: string }[];
  message_reference?: { message_id: string; fail_if_not_exists?: boolean };
}
interface Pressed {
  id: string;
  chat: string;
  message: string;
  from: Account;
  isAnswered: boolean;
  isLate: boolean;
}

/** What the API says about a message. */
function problemOf({ content = "", components = [], nonce = "" }: Sending): string | undefined {
  const parts = components.flatMap((row) => row.components ?? []);
  const ids = parts.flatMap(({ custom_id }) => (custom_id === undefined ? [] : [custom_id]));
  const isRow = ({ type, components: inside = [] }: Component) =>
    type === 1 &&
    inside.length > 0 &&
    (inside[0]?.type === 3 ? inside.length === 1 : inside.length <= 5 && inside.every((each) => each.type === 2));
  const isButton = ({ style, label = "", custom_id, url }: Component) =>
    label.length > 0 && label.length <= 80 && (style === 5 ? custom_id === undefined && /^https?:/.test(url ?? "") : url === undefined);
  const isMenu = ({ options = [] }: Component) =>
    options.length > 0 &&
    options.length <= 25 &&
    new Set(options.map(({ value }) => value)).size === options.length &&
    options.every(({ label, value }) => label !== "" && label.length <= 100 && value !== "" && value.length <= 100);
  if (content.trim() === "") return "Cannot send an empty message";
  if (content.length > 2_000) return "content: Must be 2000 or fewer in length.";
  if (nonce.length > 25) return "nonce: Must be 25 or fewer in length.";
  if (components.length > 5 || !components.every(isRow)) return "components: Invalid Form Body";
  if (!parts.every((part) => (part.type === 2 ? isButton(part) : isMenu(part)))) return "components: Invalid component";
  if (new Set(ids).size < ids.length) return "components: Component custom id cannot be duplicated";
  return ids.some((id) => id === "" || id.length > 100) ? "custom_id: Must be between 1 and 100 in length." : undefined;
}

/** What the API says about a form. */
function problemOfForm({ custom_id = "", title = "", components = [] }: { custom_id?: string; title?: string; components?: Component[] }) {
  const isField = ({ type, label = "", description = "", component }: Component) =>
    type === 18 &&
    label !== "" &&
    label.length <= 45 &&
    description.length <= 100 &&
    component?.type === 4 &&
    component.label === undefined;
  const isForm = custom_id !== "" && custom_id.length <= 100 && title !== "" && title.length <= 45;
  return isForm && components.length > 0 && components.every(isField) ? undefined : "Invalid Form Body";
}

const start: TestedChat["start"] = async (clock, network) => {
  const messages: Seen[] = [];
  const told: string[] = [];
  const refused: string[] = [];
  const presses = new Map<string, Pressed>();
  const uploads = new Map<string, Buffer<ArrayBuffer>>();
  const nonces = new Map<string, string>();
  /** What is an option of a menu, not a button. */
  const options = new Set<string>();
  const state = {
    next: 1,
    own: undefined as string | undefined,
    /** Threads that nobody has written in for days. */
    archived: new Set<string>(),
    form: undefined as { custom_id: string; press: Pressed } | undefined,
    reading: undefined as string | undefined,
    lose: false,
    limit: 0,
    onTaken: () => {},
  };
  let last: { type: string; data: object } | undefined;
  const newId = () => String(900_000_000_000_000_000n + BigInt(state.next++));

  const send = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) => {
    if (status >= 400) refused.push(JSON.stringify(body));
    if (status === 204) return void response.writeHead(204).end();
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  };
  const refuse = (response: ServerResponse, status: number, message: string, code = 50_035) => send(response, status, { message, code });

  const looks = ({ content = "", components = [], allowed_mentions, flags = 0 }: Sending): Pick<Seen, "text" | "marks" | "buttons"> => {
    const { text, marks } = discordLooks(content);
    for (const { options: offered = [] } of components.flatMap((row) => row.components ?? []))
      for (const { value } of offered) options.add(value);
    const isSilent = allowed_mentions?.parse?.length === 0 && !allowed_mentions.users && allowed_mentions.replied_user === false;
    return {
      text,
      marks: [...marks, ...(flags & 4 ? [] : [{ kind: "preview", text: "" }]), ...(isSilent ? [] : [{ kind: "ping", text: "" }])],
      buttons: components
        .flatMap((row) => row.components ?? [])
        .flatMap(
          ({ label = "", custom_id = "", url, options: offered }) =>
            offered?.map((option) => ({ id: option.value, label: option.label })) ?? [{ id: custom_id, label, ...(url && { link: url }) }],
        ),
    };
  };
  const post = (response: ServerResponse, chat: string, body: Sending, file: Seen["file"]) => {
    if (state.limit > 0) {
      const seconds = state.limit;
      state.limit = 0;
      const headers = { "retry-after": String(seconds), "x-ratelimit-scope": "user" };
      return send(response, 429, { message: "You are being rate limited.", retry_after: seconds, global: false }, headers);
    }
    const known = body.enforce_nonce && body.nonce !== undefined ? nonces.get(body.nonce) : undefined;
    if (known !== undefined) return send(response, 200, { id: known });
    const problem = problemOf(body);
    if (problem !== undefined) return refuse(response, 400, problem);
    const replyTo = body.message_reference?.message_id;
    const message: Seen = { id: newId(), chat, edits: 0, ...looks(body), ...(file && { file }), ...(replyTo && { replyTo }) };
    messages.push(message);
    if (body.nonce !== undefined) nonces.set(body.nonce, message.id);
    state.archived.delete(chat);
    if (!state.lose)
      return send(
        response,
        200,
        { id: message.id },
        { "x-ratelimit-bucket": "post", "x-ratelimit-remaining": "4", "x-ratelimit-reset-after": "1" },
      );
    state.lose = false;
    response.destroy();
  };
  const edit = (response: ServerResponse, chat: string, id: string, body: Sending, file: Seen["file"]) => {
    const message = messages.find((each) => each.id === id && each.chat === chat);
    if (message === undefined) return refuse(response, 404, "Unknown Message", 10_008);
    if (state.archived.has(chat)) return refuse(response, 400, "Thread is archived", 50_083);
    const problem = problemOf(body);
    if (problem !== undefined) return refuse(response, 400, problem);
    Object.assign(message, { ...looks(body), ...(file && { file }), edits: message.edits + 1 });
    send(response, 200, { id });
  };
  const answerPress = (response: ServerResponse, id: string, { type, data }: { type: number; data?: Sending & { custom_id?: string } }) => {
    const press = presses.get(id);
    if (press === undefined || press.isLate) return refuse(response, 404, "Unknown interaction", 10_062);
    if (press.isAnswered) return refuse(response, 400, "Interaction has already been acknowledged.", 40_060);
    const problem =
      type === 9 ? problemOfForm(data ?? {}) : type === 4 ? problemOf(data ?? {}) : type === 6 ? undefined : "Invalid Form Body";
    if (problem !== undefined) return refuse(response, 400, problem);
    press.isAnswered = true;
    state.onTaken();
    if (type === 9) state.form = { custom_id: data?.custom_id ?? "", press };
    if (type === 4) {
      if (((data?.flags ?? 0) & 64) === 0) throw new Error("Everybody could read this.");
      told.push(discordLooks(data?.content ?? "").text);
    }
    send(response, 204, undefined);
  };
  const route = (response: ServerResponse, method: string, path: readonly string[], body: never, file: Seen["file"]) => {
    const [kind, id = "", what, which = ""] = path;
    const name = `${method} ${[kind, kind === "channels" ? ":id" : id, what].filter(Boolean).join("/")}`;
    if (name === "GET users/@me") return send(response, 200, { id: bot.id, username: bot.name, bot: true });
    if (name === "GET gateway/bot") {
      const left = { total: 1_000, remaining: gateway.left(), reset_after: 30_000, max_concurrency: 1 };
      return send(response, 200, { url: gateway.address(), shards: 1, session_start_limit: left });
    }
    if (name === "GET channels/:id") return send(response, 200, id === team.chat ? { id, name: team.title } : { id });
    if (name === "POST channels/:id/messages") return post(response, id, body, file);
    if (name === "PATCH channels/:id") {
      if ((body as { archived?: boolean }).archived === false) state.archived.delete(id);
      return send(response, 200, { id });
    }
    if (name === "PATCH channels/:id/messages") return edit(response, id, which, body, file);
    if (kind === "interactions" && path[3] === "callback") return answerPress(response, id, body);
    refuse(response, 404, "404: Not Found", 0);
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const raw = await buffer(request);
    const path = (request.url ?? "")
      .replace(/^\/v10(?=\/)/, "")
      .split("/")
      .slice(1);
    const [kind, sent = ""] = path;
    if (kind === "attachments") {
      if (request.headers.authorization !== undefined) throw new Error("The token was sent where files are.");
      const bytes = uploads.get(sent);
      return bytes === undefined ? void response.writeHead(404).end() : void response.end(bytes);
    }
    const { authorization, "user-agent": agent = "" } = request.headers;
    if (!/^DiscordBot \(https?:\/\/.+, .+\)/.test(agent)) return refuse(response, 403, "Cloudflare", 40_333);
    // A press is answered with a token of its own.
    const isBot = authorization === `Bot ${token}` && state.reading !== "revoked";
    if (!isBot && kind !== "interactions") return refuse(response, 401, "401: Unauthorized", 0);
    let body: unknown = {};
    let file: Seen["file"];
    const form = await formOf(request, raw);
    if (form !== undefined) {
      body = JSON.parse(String(form.get("payload_json")));
      const sent = form.get("files[0]");
      const [named] = (body as Sending).attachments ?? [];
      if (sent instanceof File && named?.id === 0) file = { name: named.filename, text: await sent.text() };
    } else if (raw.length > 0) body = JSON.parse(raw.toString("utf8"));
    route(response, request.method ?? "", path, body as never, file);
  };
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterwards(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const gateway = discordGateway({ server, port, network, token, bot, refusal: () => state.reading });

  const add = (type: string, data: object) => {
    last = { type, data };
    gateway.dispatch(type, data);
  };
  const user = ({ id, name }: Account) => ({ id, username: name.toLowerCase(), global_name: name, bot: false });
  const place = (chat: string, from: Account) =>
    chat === team.chat ? { channel_id: chat, guild_id: guild, member: { user: user(from) } } : { channel_id: chat, user: user(from) };
  const interact = (type: number, chat: string, message: string, from: Account, data: object) => {
    const press: Pressed = { id: newId(), chat, message, from, isAnswered: false, isLate: false };
    presses.set(press.id, press);
    clock.setTimer(3_000, () => {
      press.isLate = true;
      if (!press.isAnswered) told.push("This interaction failed");
    });
    add("INTERACTION_CREATE", {
      id: press.id,
      application_id: bot.id,
      token: `aW50${press.id}`,
      type,
      version: 1,
      ...place(chat, from),
      message: { id: message },
      data,
    });
  };
  const press = (chat: string, message: string, id: string, from: Account) => {
    const isOption =
      messages.some((each) => each.id === message && each.buttons.some((button) => button.id === id)) && state.next % 2 === 0;
    interact(
      3,
      chat,
      message,
      from,
      isOption ? { component_type: 3, custom_id: "menu0", values: [id] } : { component_type: 2, custom_id: id },
    );
  };
  const write: Service["write"] = (text, { chat = ada.chat, from = ada, replyTo, files = [] } = {}) => {
    const id = newId();
    const attachments = files.map(({ name, bytes, size = bytes?.byteLength ?? 0 }) => {
      const file = newId();
      if (bytes !== undefined) uploads.set(file, bytes);
      return { id: file, filename: name, size, url: `http://127.0.0.1:${port}/attachments/${file}` };
    });
    state.own = id;
    const isGroup = chat === team.chat;
    // A reply mentions whose message it answers.
    const isSeen = !isGroup || text.includes(`<@${bot.id}>`) || replyTo !== undefined;
    add("MESSAGE_CREATE", {
      id,
      channel_id: chat,
      author: user(from),
      content: isSeen ? text : "",
      attachments: isSeen ? attachments : [],
      ...(isGroup && { guild_id: guild }),
      ...(replyTo && { message_reference: { message_id: replyTo.id, channel_id: chat } }),
    });
  };
  return {
    name: "discord",
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
    archiveTeam: () => void state.archived.add(team.chat),
    press(message, label, by = ada) {
      const button = message.buttons.find((each) => each.label === label);
      if (button === undefined)
        throw new Error(`There is no button ${label}, but ${message.buttons.map((each) => each.label).join(", ")}.`);
      press(message.chat, message.id, button.id, by);
    },
    forge: ({ chat, message, id, from }) => press(chat, message, id, from),
    asked: () => state.form !== undefined,
    fill(text) {
      if (state.form === undefined) throw new Error("There is no form.");
      const { custom_id, press: its } = state.form;
      state.form = undefined;
      state.own = undefined;
      const components = [{ type: 18, id: 1, component: { type: 4, id: 2, custom_id: "text", value: text } }];
      interact(5, its.chat, its.message, its.from, { custom_id, components });
    },
    repeat: () => last && gateway.dispatch(last.type, last.data),
    faults: {
      drop: gateway.drop,
      halfOpen: gateway.halfOpen,
      refuseReading(reason) {
        state.reading = reason;
        if (reason !== undefined) gateway.refuse();
      },
      outage(isOn) {
        if (!isOn) return void server.listen(port, "127.0.0.1");
        gateway.drop();
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
    reads: gateway.reads,
    isRead: gateway.isRead,
  };
};

export const discordChat: TestedChat = {
  title: "Discord",
  start,
  keepsPresses: true,
  refusals: [
    ["the token was revoked", "revoked", "it does not know the bot's token"],
    ["the bot may not read messages", "intents", "it does not let the bot read messages"],
    ["the bot has logged in too often", "sessions", "the bot has logged in too often today"],
  ],
};
