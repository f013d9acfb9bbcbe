import { type Asker, createBroker, type Log, memoryStore } from "@askbox/core";
import { testPlatform } from "@askbox/core/testing";
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { onTestFinished } from "vitest";
import { type AskServerOptions, type Caller, createAskServer } from "../src/index.ts";

interface Logged {
  level: string;
  message: string;
  data: Record<string, unknown> | undefined;
}

/** Turns of the event loop, for messages over a transport. */
export const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** A broker and an MCP client connected to a server on it; everything ends with the test. */
export async function connected(
  options: { clientName?: string; asker?: (port: Asker, caller: Caller) => Promise<Asker> } & Partial<Omit<AskServerOptions, "asker">> = {},
) {
  const { clientName = "some-client", asker: wrap = async (port: Asker) => port, ...rest } = options;
  const platform = testPlatform({ settle: () => turns(20) });
  const broker = await createBroker({ store: memoryStore(), ...platform, files: async (_session, answers) => answers });
  const desk = broker.desk({ surface: "cli" });
  const logged: Logged[] = [];
  const log: Log = (level, message, data) => void logged.push({ level, message, data });
  const port = broker.asker("token-1");
  const server = createAskServer({
    ...rest,
    asker: (caller) => wrap(port, caller),
    identity: rest.identity ?? (async () => ({})),
    platform,
    version: "0.0.0",
    log,
  });
  await server.warmUp();
  const [near, far] = InMemoryTransport.createLinkedPair();
  const handle = serveStdio(server.factory, { transport: far });
  const client = new Client({ name: clientName, version: "1" }, { capabilities: { roots: { listChanged: true } } });
  onTestFinished(async () => {
    await client.close();
    await handle.close();
    await server.whenIdle();
    await broker.close();
  });
  return { broker, desk, logged, platform, server, client, port, connect: () => client.connect(near) };
}

export const textOf = (result: { content: unknown }) => (result.content as { text: string }[])[0]?.text;
