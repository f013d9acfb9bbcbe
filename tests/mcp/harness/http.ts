import { standardPlatform } from "@askbox/core";
import { StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport as OldHttpClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Harness, ServerSettings } from "../../requirements/requirement.ts";
import { skippingClock } from "../../web/support/skipping-clock.ts";
import { type ClientKind, connectClient } from "./clients.ts";
import { openHub } from "./hub.ts";
import { pendingSessions } from "./inbox.ts";
import { rawHttpAgent } from "./raw-agent.ts";

/** A hub with `/mcp`, and `/sse` for the oldest clients, over real connections. Its clock runs, and can be made to jump. */
export function overHttp(kind: ClientKind, path: "/mcp" | "/sse" = "/mcp"): Harness {
  const closing: (() => Promise<void>)[] = [];
  const platform = standardPlatform(globalThis);
  const clock = skippingClock(platform.clock);

  return {
    name: `HTTP at ${path}, ${kind}`,
    fakeTime: false,
    letPass: async (ms) => clock.skip(ms),
    async connect(settings = {}) {
      const { broker, origin, token, close } = await openHub({ platform: { ...platform, clock } });
      const address = (source: ServerSettings, at: string) => {
        const url = new URL(at, origin);
        for (const [name, value] of queryOf(source)) url.searchParams.set(name, value);
        return url;
      };
      const connectAgent = async ({ clientName = "some-client", ...source }: ServerSettings) => {
        const url = address(source, path);
        const agent = await connectClient(kind, clientName, transportOf(kind, url, token));
        closing.unshift(() => agent.close());
        return agent;
      };
      const raw = async ({ clientName = "some-client", ...source }: ServerSettings = settings) => {
        const agent = rawHttpAgent(address(source, "/mcp"), token, clientName);
        closing.unshift(() => agent.close());
        return agent;
      };
      closing.push(close);
      const desk = broker.desk({ surface: "cli", name: "ada" });
      const agent = await connectAgent(settings);
      return {
        agent,
        desk,
        agents: broker.agents,
        nextSession: await pendingSessions(desk),
        another: (other = settings) => connectAgent(other),
        raw,
      };
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

function queryOf({ tools, name, timeout, maxWait, onCancel }: ServerSettings): [string, string][] {
  const fields = {
    project: "/home/ada/engine",
    tools: tools?.join(","),
    name,
    timeout: timeout?.toString(),
    "max-wait": maxWait?.toString(),
    "on-cancel": onCancel,
  };
  return Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}
