import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBroker, memoryStore, standardPlatform } from "@askbox/core";
import { createHub, createToken, hashToken, tokenVerifier } from "@askbox/hub";
import type { Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { StdioClientTransport as OldStdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { Harness, ServerSettings } from "../../requirements/requirement.ts";
import { type ClientKind, connectClient } from "./clients.ts";
import { pendingSessions } from "./inbox.ts";

/** The stdio server as a process of its own, with a hub in this one; time is real. */
export function overStdio(kind: ClientKind, command: string): Harness {
  const platform = standardPlatform(globalThis);
  const closing: (() => Promise<void>)[] = [];

  return {
    name: `stdio, ${kind}`,
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
      });
      const url = await hub.listen();
      const home = await mkdtemp(join(tmpdir(), "askbox-home-"));
      const env = { PATH: process.env["PATH"] ?? "", ASKBOX_HOME: home, ASKBOX_HUB: url, ASKBOX_TOKEN: token };
      const connectAgent = async ({ clientName = "some-client", ...flags }: ServerSettings) => {
        const server = { command: process.execPath, args: [command, JSON.stringify(flags)], env, cwd: home, stderr: "ignore" as const };
        const transport: Transport =
          kind === "SDK v1" ? (new OldStdioClientTransport(server) as Transport) : new StdioClientTransport(server);
        const agent = await connectClient(kind, clientName, transport);
        closing.unshift(() => agent.close());
        return agent;
      };
      closing.push(async () => {
        await hub.close();
        await broker.close();
        await rm(home, { recursive: true, force: true });
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
