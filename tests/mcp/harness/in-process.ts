import { createBroker, memoryStore } from "@askbox/core";
import { testPlatform } from "@askbox/core/testing";
import { createAskServer, takeListens } from "@askbox/mcp";
import { InMemoryTransport, type Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Harness, ServerSettings } from "../../requirements/requirement.ts";
import { type ClientKind, connectClient } from "./clients.ts";
import { pendingSessions } from "./inbox.ts";
import { rawAgent } from "./raw-agent.ts";

/** Enough turns of the event loop for a message to cross a pair of transports and the response to return. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Server and client in this process, connected by a pair of transports, with a fake clock. */
export function inProcess(kind: ClientKind): Harness {
  const platform = testPlatform({ settle });
  const closing: (() => Promise<void>)[] = [];

  return {
    name: `in process, ${kind}`,
    fakeTime: true,
    letPass: (milliseconds) => platform.clock.advance(milliseconds),
    async connect(settings = {}) {
      const broker = await createBroker({ store: memoryStore(), ...platform });
      const desk = broker.desk({ surface: "cli", name: "ada" });
      const another = (other: ServerSettings = settings) => connectAgent(other);
      const serve = async ({ tools, name, timeout, maxWait, onCancel }: ServerSettings) => {
        const asker = broker.asker("token-1");
        const server = createAskServer({
          asker: async () => asker,
          identity: async () => ({ project: "/home/ada/engine", branch: "main" }),
          platform,
          version: "0.0.0",
          files: { picture: async () => "There are no pictures in this test." },
          tools,
          name,
          timeout,
          maxWait: maxWait === undefined ? undefined : maxWait * 1_000,
          onCancel,
        });
        await server.warmUp();
        const [near, far] = linkedPair();
        const handle = serveStdio(server.factory, { transport: far });
        takeListens(far);
        const end = async () => {
          await handle.close();
          asker.close();
        };
        return { near, end };
      };
      const connectAgent = async (agentSettings: ServerSettings) => {
        const { near, end } = await serve(agentSettings);
        const agent = await connectClient(kind, agentSettings.clientName ?? "some-client", near);
        closing.push(() => agent.close().then(end));
        return agent;
      };
      const raw = async (agentSettings: ServerSettings = settings) => {
        const { near, end } = await serve(agentSettings);
        const agent = await rawAgent(near, agentSettings.clientName ?? "some-client");
        closing.push(() => agent.close().then(end));
        return agent;
      };
      const agent = await connectAgent(settings);
      closing.push(() => broker.close());
      return { agent, desk, agents: broker.agents, nextSession: await pendingSessions(desk), another, raw };
    },
    async close() {
      for (const close of closing.splice(0)) await close();
    },
  };
}

/** A pair that serialises JSON like a real transport, so that no object is shared. */
function linkedPair(): [Transport, Transport] {
  const pair = InMemoryTransport.createLinkedPair();
  for (const end of pair) {
    const send = end.send.bind(end);
    end.send = (message, options) => send(JSON.parse(JSON.stringify(message)), options);
  }
  return pair;
}
