import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { extname, join, resolve } from "node:path";
import {
  type Answerer,
  type AskInput,
  type Broker,
  createBroker,
  type Desk,
  memoryStore,
  parseAsk,
  type SessionStore,
  type SessionView,
  standardPlatform,
} from "@askbox/core";
import { createOperationMemory, serveWire, type WireConnection, webSocketChannel } from "@askbox/wire";
import { WebSocketServer } from "ws";
import { skippingClock } from "./skipping-clock.ts";

const dist = resolve(import.meta.dirname, "../../../apps/web/dist");
const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};
/** What the real hub sends with the page. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export interface WebHub {
  readonly url: string;
  readonly broker: Broker;
  /** Makes a one-time login link. */
  loginUrl(): string;
  /** Opens a session as an agent does, and goes on waiting for it. */
  ask(input: AskInput, asker?: { project?: string; branch?: string; agentId?: string; client?: string }): Promise<string>;
  desk(by?: Answerer): Desk;
  view(id: string): Promise<SessionView>;
  /** Lets `ms` pass for the sessions, but not for the connections. */
  skip(ms: number): void;
  /** Cuts every connection and takes no more, with the sessions kept; `up` serves again at the same address. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

/** A hub over a real broker and the real wire, with the login's contract and the built page. */
export async function startWebHub(): Promise<WebHub> {
  const platform = standardPlatform(globalThis);
  const clock = skippingClock(platform.clock);
  const store: SessionStore = memoryStore();
  const codes = new Set<string>();
  const devices = new Map<string, { cookie: string; name: string }>();
  const waits = new AbortController();
  let broker = await createBroker({ ...platform, clock, store });
  let asker = broker.asker("agents");
  let running: { server: Server; sockets: Set<Socket>; connections: Set<WireConnection> } | undefined;
  let port = 0;

  const login = (body: string, response: ServerResponse) => {
    const { code, device } = JSON.parse(body) as { code: string; device: string };
    if (!codes.delete(code)) return void response.writeHead(401).end();
    const [secret, cookie] = [randomBytes(32).toString("hex"), randomBytes(32).toString("hex")];
    devices.set(secret, { cookie, name: device });
    response.writeHead(200, { "content-type": "application/json", "set-cookie": `askbox=${cookie}; HttpOnly; SameSite=Strict; Path=/` });
    response.end(JSON.stringify({ secret, device }));
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = new URL(request.url ?? "/", "http://hub").pathname;
    if (request.method === "POST" && path === "/auth/login") return login(await bodyOf(request), response);
    const isFile = extname(path) !== "";
    const type = types[isFile ? extname(path) : ".html"];
    try {
      if (type === undefined || path.includes("..")) throw new Error("not served");
      const content = await readFile(join(dist, isFile ? path : "index.html"));
      response
        .writeHead(200, { "content-type": type, "content-security-policy": policy, "x-content-type-options": "nosniff" })
        .end(content);
    } catch {
      response.writeHead(404).end();
    }
  };

  const up = async () => {
    const sockets = new Set<Socket>();
    const connections = new Set<WireConnection>();
    const server = createServer((request, response) => void answer(request, response));
    const upgrades = new WebSocketServer({ noServer: true });
    server.on("connection", (socket) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    });
    const memory = createOperationMemory({ clock: platform.clock });
    server.on("upgrade", (request, socket, head) => {
      const cookie = /(?:^|; )askbox=([0-9a-f]+)/.exec(request.headers.cookie ?? "")?.[1];
      upgrades.handleUpgrade(request, socket, head, (webSocket) => {
        const connection = serveWire(webSocketChannel(webSocket), {
          hub: { version: "0.0.0", instance: "test" },
          authenticate: async (token) => {
            const device = devices.get(token);
            return device !== undefined && device.cookie === cookie ? { owner: "desk", scopes: ["desk"], name: device.name } : undefined;
          },
          asker: (owner) => broker.asker(owner),
          desk: (by) => broker.desk(by),
          control: { status: async () => ({}), stop: async () => {} },
          ids: platform.ids,
          clock: platform.clock,
          memory,
        });
        connections.add(connection);
      });
    });
    await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
    port = (server.address() as AddressInfo).port;
    running = { server, sockets, connections };
  };
  const down = async () => {
    const ended = running;
    running = undefined;
    if (ended === undefined) return;
    const closed = new Promise<void>((done) => ended.server.close(() => done()));
    for (const socket of ended.sockets) socket.destroy();
    await closed;
  };
  await up();

  return {
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    get broker() {
      return broker;
    },
    loginUrl() {
      const code = randomBytes(16).toString("hex");
      codes.add(code);
      return `http://127.0.0.1:${port}/#login=${code}`;
    },
    async ask(input, { project = "/home/ada/engine", branch = "main", agentId, client = "claude-code" } = {}) {
      const { session } = await asker.open(parseAsk(input, { ids: platform.ids }), {
        asker: { client: { name: client, version: "2.1.0" }, project, branch, ...(agentId === undefined ? {} : { agentId }) },
        key: platform.ids.session(),
      });
      asker.wait(session.id, { signal: waits.signal }).catch(() => {});
      return session.id;
    },
    desk: (by = { surface: "terminal", name: "Ada" }) => broker.desk(by),
    skip: clock.skip,
    view: (id) => broker.desk({ surface: "api" }).get(id),
    down: async () => {
      await down();
      await broker.close();
    },
    up: async () => {
      broker = await createBroker({ ...platform, clock, store });
      asker = broker.asker("agents");
      await up();
    },
    async close() {
      waits.abort();
      await down();
      await broker.close();
      await store.close();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  return body;
}
