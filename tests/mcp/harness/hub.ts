import { type Broker, createBroker, memoryStore, standardPlatform } from "@askbox/core";
import { createHub, createToken, hashToken, tokenVerifier } from "@askbox/hub";
import { mountMcp } from "@askbox/mcp-http";

export interface TestHub {
  broker: Broker;
  origin: string;
  /** May ask. */
  token: string;
  /** How many agents are connected. */
  askers(): number;
  close(): Promise<void>;
}

/** A hub in this process with one asker's token, on a free loopback port, in real time. */
export async function openHub({ clientForms = false }: { clientForms?: boolean } = {}): Promise<TestHub> {
  const platform = standardPlatform(globalThis);
  const token = createToken();
  const broker = await createBroker({ store: memoryStore(), ...platform, clientForms });
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
  return {
    broker,
    origin,
    token,
    askers: () => hub.connections.askers,
    async close() {
      await hub.close();
      await broker.close();
    },
  };
}
