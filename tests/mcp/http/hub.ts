import type { Desk, SessionStore, SessionView, SharedState } from "@askbox/core";
import { type FakeClock, testPlatform } from "@askbox/core/testing";
import { createToken, type HubOptions } from "@askbox/hub";
import type { MountMcpOptions } from "@askbox/mcp-http";
import { onTestFinished } from "vitest";
import { eventually } from "../../requirements/requirement.ts";
import { openHub } from "../harness/hub.ts";
import { type SseStream, sseStream } from "./sse-stream.ts";

export interface McpHub {
  url: string;
  clock: FakeClock;
  desk: Desk;
  tokens: { asker: string; otherAsker: string; desk: string };
  close(): Promise<void>;
  /** Requests in progress. */
  requests(): number;
  /** POSTs a message to `/mcp`; text is sent as it is. */
  post(message: unknown, options?: RequestOptions): Promise<Response>;
  /** The only pending session, once there is one. */
  pending(): Promise<SessionView>;
}

export interface RequestOptions {
  path?: string;
  method?: string;
  as?: keyof McpHub["tokens"] | "nobody";
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** The state of several hubs, and one hub's access to it. */
export interface HubParts {
  platform?: ReturnType<typeof testPlatform>;
  store?: SessionStore;
  tokens?: McpHub["tokens"];
  shared?: SharedState;
  mcp?: Partial<MountMcpOptions>;
}

/** A hub with `/mcp` on a memory store, with a stopped clock. */
export async function startMcpHub(options: Partial<HubOptions> = {}, parts: HubParts = {}): Promise<McpHub> {
  const { platform = testPlatform(), tokens = { asker: createToken(), otherAsker: createToken(), desk: createToken() } } = parts;
  const {
    broker,
    origin: url,
    requests,
    close,
  } = await openHub({
    ...parts,
    platform,
    tokens: [
      { token: tokens.asker, owner: "one", scope: "asker" },
      { token: tokens.otherAsker, owner: "two", scope: "asker" },
      { token: tokens.desk, owner: "desk", scope: "desk" },
    ],
    hub: options,
  });
  const desk = broker.desk({ surface: "cli", name: "ada" });
  onTestFinished(close);
  return {
    url,
    desk,
    tokens,
    clock: platform.clock,
    close,
    requests,
    post(message, { path = "/mcp", method = "POST", as = "asker", headers = {}, signal } = {}) {
      return fetch(new URL(path, url), {
        method,
        headers: {
          ...(as !== "nobody" && { authorization: `Bearer ${tokens[as]}` }),
          accept: "application/json, text/event-stream",
          "content-type": "application/json",
          ...headers,
        },
        ...(method === "POST" && { body: typeof message === "string" ? message : JSON.stringify(message) }),
        ...(signal !== undefined && { signal }),
      });
    },
    pending: () => eventually(async () => (await desk.list({ statuses: ["pending"] })).items[0], "a session is pending"),
  };
}

export const question = { questions: [{ id: "a", question: "Shall we?" }] };
export const yes = { answers: [{ questionId: "a", values: ["yes"] }] };

/** A call of `ask_user` as a message. */
export const call = (id: number, meta?: Record<string, unknown>) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "ask_user", arguments: question, _meta: meta },
});

/** The headers that revision 2026-07-28 requires for each request. */
export const modern = (id: number, method: string, params: Record<string, unknown> = {}, meta: Record<string, unknown> = {}) => ({
  message: {
    jsonrpc: "2.0",
    id,
    method,
    params: {
      ...params,
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
        ...meta,
      },
    },
  },
  headers: {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(typeof params["name"] === "string" && { "mcp-name": params["name"] }),
  },
});

/** Starts an MCP session of an older revision; resolves with the headers of its requests. */
export async function initialize(
  hub: McpHub,
  revision: string,
  options: RequestOptions = {},
  client = "raw",
): Promise<Record<string, string>> {
  const response = await hub.post(
    {
      jsonrpc: "2.0",
      id: "init",
      method: "initialize",
      params: { protocolVersion: revision, capabilities: {}, clientInfo: { name: client, version: "1" } },
    },
    options,
  );
  const { result } = await sseStream(response).message();
  const headers = { "mcp-session-id": response.headers.get("mcp-session-id") ?? "", "mcp-protocol-version": result.protocolVersion };
  await hub.post({ jsonrpc: "2.0", method: "notifications/initialized" }, { ...options, headers: { ...options.headers, ...headers } });
  return headers;
}

/** Asks in a session of revision 2025-11-25 and reads the event that opens the stream. */
export async function askResumably(
  hub: McpHub,
): Promise<{ stream: SseStream; cut: AbortController; headers: Record<string, string>; eventId: string; session: SessionView }> {
  const headers = await initialize(hub, "2025-11-25");
  const cut = new AbortController();
  const stream = sseStream(await hub.post(call(1), { headers, signal: cut.signal }));
  const { id: eventId = "" } = await stream.event();
  return { stream, cut, headers, eventId, session: await hub.pending() };
}
