import { createHash, createHmac, randomBytes } from "node:crypto";
import { type IncomingHttpHeaders, type RequestOptions, request } from "node:http";
import { type Broker, createBroker, memoryStore, type SessionStore, silentLog } from "@askbox/core";
import { type FakeClock, testPlatform } from "@askbox/core/testing";
import { type BrowserLogin, createWireClient, loginKeyText, openWebSocket, type WireClient } from "@askbox/wire";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { createHub, createToken, type Hub, type HubOptions, hashToken, pendingLedger, tokenVerifier } from "../src/index.ts";

export interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests check what they read from a response.
  body: any;
}

export interface TestHub {
  hub: Hub;
  url: string;
  broker: Broker;
  store: SessionStore;
  clock: FakeClock;
  tokens: { asker: string; otherAsker: string; desk: string; metrics: string };
  /** How often stopping the hub was requested. */
  stops(): number;
  /** An HTTP request with one of these tokens, and a body that is text or is serialised as JSON. */
  call(method: string, path: string, options?: CallOptions): Promise<Answered>;
  connect(
    role: "asker" | "desk",
    options?: { token?: string; headers?: Record<string, string>; login?: BrowserLogin; name?: string },
  ): WireClient;
}

interface CallOptions {
  as?: "asker" | "otherAsker" | "desk" | "metrics" | undefined;
  headers?: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal;
}

/** A hub on a memory store, with a stopped clock. */
export async function startHub({
  store = memoryStore(),
  port = 0,
  ...options
}: Partial<HubOptions> & { store?: SessionStore; port?: number } = {}): Promise<TestHub> {
  const platform = testPlatform();
  const broker = await createBroker({ ...platform, store, log: silentLog });
  const tokens = { asker: createToken(), otherAsker: createToken(), desk: createToken(), metrics: createToken() };
  let stops = 0;
  const hub = createHub({
    broker,
    platform,
    version: "1.2.3",
    instance: "run-1",
    tokens: tokenVerifier([
      { hash: hashToken(tokens.asker), access: { owner: "one", scopes: ["asker"] } },
      { hash: hashToken(tokens.otherAsker), access: { owner: "two", scopes: ["asker"] } },
      { hash: hashToken(tokens.desk), access: { owner: "desk", scopes: ["desk"] } },
      { hash: hashToken(tokens.metrics), access: { owner: "metrics", scopes: ["metrics"] } },
    ]),
    pending: await pendingLedger(store),
    control: {
      status: async () => ({ well: true }),
      stop: async () => {
        stops += 1;
      },
    },
    ...options,
  });
  const url = await hub.listen({ port });
  onTestFinished(async () => {
    await hub.close();
    await broker.close();
  });
  return {
    hub,
    url,
    broker,
    store,
    tokens,
    clock: platform.clock,
    stops: () => stops,
    async call(method, path, { as, headers = {}, body, signal } = {}) {
      let isOver = false;
      const answer = send(new URL(path, url), {
        method,
        headers: { ...(as && { authorization: `Bearer ${tokens[as]}` }), ...headers },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
        ...(signal && { signal }),
      }).finally(() => {
        isOver = true;
      });
      answer.catch(() => {});
      // Timers without a delay are due without any time passing.
      while (!isOver) {
        await turn();
        await platform.clock.advance(0);
      }
      return answer;
    },
    connect(role, { token = tokens[role], headers = {}, login, name } = {}) {
      const client = createWireClient({
        connect: () => openWebSocket(new WebSocket(`${url.replace("http", "ws")}/ws`, { headers })),
        hello: {
          ...(login === undefined ? { token } : { login }),
          role,
          name,
          agent: { name: "test", version: "1" },
          ...(role === "desk" && { surface: "cli" as const }),
        },
        clock: platform.clock,
        ids: platform.ids,
        random: () => 0.5,
        timeout: 0,
      });
      onTestFinished(() => client.close());
      return client;
    },
  };
}

/** `node:http` and not `fetch`, which cannot set the Host header. */
export function send(url: URL, { body, ...options }: RequestOptions & { body?: string }): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent: false, ...options }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (piece: string) => {
        text += piece;
      });
      response.on("end", () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) });
      });
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** A text question, a choice and a yes-or-no question. */
export const ask = {
  title: "Before I go on",
  questions: [
    { id: "name", question: "What should it be called?" },
    { id: "base", question: "Which base?", type: "select", options: ["a", "b"] },
    { id: "sure", question: "Sure?", type: "confirm", required: false },
  ],
};

export const answers = [
  { questionId: "name", values: ["Ada"] },
  { questionId: "base", values: ["a"] },
];

/** What a page of this origin receives over the wire before it is disconnected. */
export function pageRefusal({ url }: Pick<TestHub, "url">, headers: Record<string, string>): Promise<{ error: unknown; code: number }> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace("http", "ws")}/ws`, { headers });
    let error: unknown;
    socket.on("message", (text) => {
      error = JSON.parse(String(text)).error;
    });
    socket.on("close", (code) => resolve({ error, code }));
    socket.on("error", reject);
  });
}

/** Asks over REST and returns the session's id. */
export async function askOne(hub: TestHub, input: object = ask, as: "asker" | "otherAsker" = "asker"): Promise<string> {
  const { status, body } = await hub.call("POST", "/api/sessions", { as, body: input });
  if (status !== 201) throw new Error(`The ask failed with ${status}: ${JSON.stringify(body)}`);
  return body.id;
}

export { untilHolds as until } from "../../../tests/support/until.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A login as stored by a page, from the hub's response. */
export function browserLogin({ secret, hub, id }: { secret: string; hub: string; id: string }, origin: string): BrowserLogin {
  const key = createHash("sha256").update(loginKeyText(hub, secret)).digest();
  return {
    id,
    hub,
    origin,
    nonce: () => randomBytes(16).toString("hex"),
    mac: async (text) => createHmac("sha256", key).update(text).digest("hex"),
  };
}
