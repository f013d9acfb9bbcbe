import { createBroker, memoryStore, standardPlatform } from "@askbox/core";
import { createHub, createToken, hashToken, tokenVerifier } from "@askbox/hub";
import { mountMcp } from "@askbox/mcp-http";
import { StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport as OldHttpClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Harness, ServerSettings } from "../../requirements/requirement.ts";
import { type ClientKind, connectClient } from "./clients.ts";
import { pendingSessions } from "./inbox.ts";

/** A hub with `/mcp`, and `/sse` for the oldest clients, reached over real connections; time is real. */
export function overHttp(kind: ClientKind, path: "/mcp" | "/sse" = "/mcp"): Harness {
  const platform = standardPlatform(globalThis);
  const closing: (() => Promise<void>)[] = [];

  return {
    name: `HTTP at ${path}, ${kind}`,
    fakeTime: false,
    letPass: async () => {},
    async connect(settings = {}) {
      const token = createToken();
      const broker = await createBroker({ store: memoryStore(), ...platform });
      const hub = createHub({
        broker,
        platform,
        tokens: tokenVerifier([{ hash: hashToken(token), grant: { owner: "token-1", scopes: ["asker"] } }]),
        version: "0.0.0",
        instance: "test",
        control: { status: async () => ({}), stop: async () => {} },
        mounts: [mountMcp({ version: "0.0.0", defaultTimeout: 300_000 })],
      });
      const origin = await hub.listen();
      const connectAgent = async ({ clientName = "some-client", ...source }: ServerSettings) => {
        const url = new URL(path, origin);
        for (const [name, value] of queryOf(source)) url.searchParams.set(name, value);
        const agent = await connectClient(kind, clientName, transportOf(kind, url, token));
        closing.unshift(() => agent.close());
        return agent;
      };
      closing.push(async () => {
        await hub.close();
        await broker.close();
      });
      const desk = broker.desk({ surface: "cli", name: "ada" });
      const agent = await connectAgent(settings);
      return { agent, desk, nextSession: await pendingSessions(desk), another: (other = settings) => connectAgent(other) };
    },
    async close() {
      for (const close of closing.splice(0)) await close();
    },
  };
}

function transportOf(kind: ClientKind, url: URL, token: string): Transport {
  const options = { requestInit: { headers: { authorization: `Bearer ${token}` } } };
  if (url.pathname === "/sse") return new SSEClientTransport(url, options) as Transport;
  return kind === "SDK v1" ? (new OldHttpClientTransport(url, options) as Transport) : new StreamableHTTPClientTransport(url, options);
}

function queryOf({ tools, maxWait, onCancel }: ServerSettings): [string, string][] {
  const given = { project: "/home/ada/engine", tools: tools?.join(","), "max-wait": maxWait?.toString(), "on-cancel": onCancel };
  return Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}
