import type { Server } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";
import { afterwards, type Network } from "./network.ts";
import type { Account } from "./service.ts";

interface Frame {
  op: number;
  d?: unknown;
}
/** A session lives on without a connection, and remembers what it could not deliver. */
interface Session {
  id: string;
  sent: { s: number; text: string }[];
  seq: number;
  socket: WebSocket | undefined;
}
interface Connected {
  url: string;
  isSilent: boolean;
  session: Session | undefined;
}

/** Reading messages in servers needs no approval, but their words would. */
const allowedIntents = (1 << 9) | (1 << 12);

/** Discord's gateway, by its public documentation. */
export function discordGateway(options: {
  server: Server;
  port: number;
  network: Network;
  token: string;
  bot: Account;
  /** Why nobody can read now. */
  refusal(): string | undefined;
}) {
  const { server, port, network, token, bot, refusal } = options;
  const sockets = new Map<WebSocket, Connected>();
  const sessions: Session[] = [];
  const state = { reads: 0, silent: false, addresses: 0, early: [] as [type: string, data: object][] };
  const newAddress = (path: string) => `ws://127.0.0.1:${port}/${path}${++state.addresses}`;

  const put = (socket: WebSocket, text: string) => {
    const its = sockets.get(socket);
    if (its === undefined || its.isSilent) return;
    network.lineOf(its.url).sends();
    socket.send(text);
  };
  const frame = (op: number, d: unknown = null) => JSON.stringify({ op, d, s: null, t: null });
  const end = (socket: WebSocket, code?: number) => {
    const its = sockets.get(socket);
    if (its === undefined) return;
    network.lineOf(its.url).sends();
    if (code === undefined) socket.terminate();
    else socket.close(code);
  };
  const deliver = (session: Session, t: string, d: object) => {
    session.seq += 1;
    const text = JSON.stringify({ op: 0, t, s: session.seq, d });
    session.sent.push({ s: session.seq, text });
    if (session.socket !== undefined) put(session.socket, text);
  };
  const identify = (socket: WebSocket, { token: sent, intents }: { token?: string; intents?: number }) => {
    if (sent !== token || refusal() === "revoked") return end(socket, 4004);
    if (intents === undefined) return end(socket, 4013);
    if (refusal() === "intents" || (intents & ~allowedIntents) !== 0) return end(socket, 4014);
    const session: Session = { id: `session${sessions.length}`, sent: [], seq: 0, socket };
    sessions.push(session);
    const its = sockets.get(socket);
    if (its !== undefined) its.session = session;
    const ready = {
      v: 10,
      user: { id: bot.id, username: bot.name, bot: true },
      session_id: session.id,
      resume_gateway_url: newAddress("resume"),
    };
    deliver(session, "READY", ready);
    for (const [type, data] of state.early.splice(0)) deliver(session, type, data);
  };
  const resume = (socket: WebSocket, { token: sent, session_id, seq = 0 }: { token?: string; session_id?: string; seq?: number }) => {
    if (sent !== token || refusal() === "revoked") return end(socket, 4004);
    if (refusal() === "intents") return end(socket, 4014);
    const session = sessions.find(({ id }) => id === session_id);
    if (session === undefined || seq > session.seq) return put(socket, frame(9, false));
    session.socket = socket;
    const its = sockets.get(socket);
    if (its !== undefined) its.session = session;
    for (const each of session.sent) if (each.s > seq) put(socket, each.text);
    deliver(session, "RESUMED", {});
  };
  const accept = (socket: WebSocket, url: string) => {
    const its: Connected = { url, isSilent: state.silent, session: undefined };
    const line = network.lineOf(url);
    sockets.set(socket, its);
    state.reads += 1;
    socket.on("message", (data) => {
      line.gets();
      const { op, d } = JSON.parse(data.toString()) as Frame;
      if (op === 1) put(socket, frame(11));
      else if (op === 2) identify(socket, d as object);
      else if (op === 6) resume(socket, d as object);
      else end(socket, 4001);
    });
    socket.on("close", () => {
      line.gets();
      sockets.delete(socket);
      if (its.session?.socket === socket) its.session.socket = undefined;
    });
    put(socket, frame(10, { heartbeat_interval: 41_250 }));
  };
  const upgrader = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request, socket, head) => {
    const url = request.url ?? "";
    if (!/\/?\?v=10&encoding=json$/.test(url)) socket.destroy();
    else upgrader.handleUpgrade(request, socket, head, (opened) => accept(opened, `ws://127.0.0.1:${port}${url}`));
  });
  const all = () => [...sockets.keys()];
  afterwards(() => {
    for (const socket of all()) socket.terminate();
  });

  return {
    address: () => newAddress("gateway"),
    /** How many sessions can begin today. */
    left: () => (refusal() === "sessions" ? 0 : 1_000 - sessions.length),
    reads: () => state.reads,
    isRead: () => sessions.some(({ socket }) => socket !== undefined),
    dispatch(type: string, data: object) {
      // A person does it as soon as the bot is there.
      if (sessions.length === 0) state.early.push([type, data]);
      for (const session of sessions) deliver(session, type, data);
    },
    drop() {
      for (const socket of all()) end(socket);
    },
    halfOpen(isOn: boolean) {
      state.silent = isOn;
      if (isOn) for (const its of sockets.values()) its.isSilent = true;
    },
    /** Ends what is read, for the reason why nobody can read now. */
    refuse() {
      if (refusal() === "sessions") sessions.length = 0;
      const code = { revoked: 4004, intents: 4014, sessions: 4009 }[refusal() ?? ""];
      for (const socket of all()) end(socket, code);
    },
  };
}
