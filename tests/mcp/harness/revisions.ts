import { testPlatform } from "@askbox/core/testing";
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport as OldHttpTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { openHub } from "./hub.ts";
import { pendingSessions } from "./inbox.ts";

/** A client SDK and its protocol revision. */
export interface Way {
  sdk: "v1" | "v2";
  revision: "2024-11-05" | "2025-03-26" | "2025-06-18" | "2025-11-25" | "2026-07-28";
}

/** Each revision with each SDK that supports it. */
export const ways: readonly Way[] = [
  { sdk: "v1", revision: "2024-11-05" },
  ...(["2025-03-26", "2025-06-18", "2025-11-25"] as const).flatMap((revision) => [
    { sdk: "v1" as const, revision },
    { sdk: "v2" as const, revision },
  ]),
  { sdk: "v2", revision: "2026-07-28" },
];

/** Cleanup after the test; vitest's own hook cannot distinguish tests that run concurrently. */
export type OnFinished = (end: () => Promise<void>) => void;

/** A hub with a fake clock and real connections. */
export async function startHub(onFinished: OnFinished) {
  const platform = testPlatform();
  const { broker, origin, token, close } = await openHub({ platform });
  onFinished(close);
  const desk = broker.desk({ surface: "cli" });
  return { origin, token, desk, onFinished, clock: platform.clock, nextSession: await pendingSessions(desk) };
}

/** The address at which MCP is served over HTTP. */
export type McpPlace = Pick<Awaited<ReturnType<typeof startHub>>, "origin" | "token" | "onFinished">;

export interface CallSettings {
  timeout?: number;
  signal?: AbortSignal;
  onprogress?: () => void;
}

const question = { questions: [{ id: "a", question: "Shall we?" }], timeout: 1_800_000 };
export const yes = { answers: [{ questionId: "a", values: ["yes"] }] };

/** How a client asks. The `cut` signal cuts the streams of its calls, like a lost connection. */
export async function connect({ sdk, revision }: Way, hub: McpPlace, cut?: AbortSignal) {
  const { origin, token, onFinished } = hub;
  const cutFetch = (input: string | URL | Request, init: RequestInit = {}) => {
    const isCall = String(init.body ?? "").includes("tools/call");
    const signals = [init.signal, isCall ? cut : undefined].filter((signal) => signal instanceof AbortSignal);
    return fetch(input, { ...init, signal: AbortSignal.any(signals) });
  };
  const options = { requestInit: { headers: { authorization: `Bearer ${token}` } }, fetch: cutFetch };
  const url = new URL(revision === "2024-11-05" ? "sse?max-wait=0" : "mcp?max-wait=0", origin);
  const info = { name: "some-client", version: "1" };
  const call = { name: "ask_user", arguments: question };
  if (sdk === "v1") {
    const client = new OldClient(info);
    const transport = revision === "2024-11-05" ? new SSEClientTransport(url, options) : new OldHttpTransport(url, options);
    await client.connect(speaking(revision, transport as Transport) as Parameters<OldClient["connect"]>[0]);
    onFinished(() => client.close());
    return async (settings: CallSettings) =>
      (await client.callTool(call, undefined, { ...settings, resetTimeoutOnProgress: true })).structuredContent;
  }
  const isModern = revision === "2026-07-28";
  const client = new Client(info, isModern ? { versionNegotiation: { mode: { pin: revision } } } : {});
  const transport = new StreamableHTTPClientTransport(url, options);
  await client.connect(isModern ? transport : speaking(revision, transport));
  onFinished(() => client.close());
  return async (settings: CallSettings) => (await client.callTool(call, { ...settings, resetTimeoutOnProgress: true })).structuredContent;
}

/** Makes a client request this revision rather than the newest it knows, and checks that it gets it. */
function speaking(revision: string, transport: Transport): Transport {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if ("method" in message && message.method === "initialize" && message.params !== undefined) {
      message.params["protocolVersion"] = revision;
    }
    return send(message, options);
  };
  const set = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = (version) => {
    if (version !== revision) throw new Error(`The hub chose ${version}, where ${revision} was asked for.`);
    set?.(version);
  };
  return transport;
}
