import { type Broker, createBroker, memoryStore, type Platform, type SessionStore, type SharedState, standardPlatform } from "@askbox/core";
import { severalHubs } from "@askbox/core/hubs";
import { createHub, createToken, type HubOptions, hashToken, type Scope, tokenVerifier } from "@askbox/hub";
import { type MountMcpOptions, mountMcp } from "@askbox/mcp-http";

export interface TestHub {
  broker: Broker;
  origin: string;
  /** May ask. */
  token: string;
  /** How many agents are connected. */
  askers(): number;
  /** Requests in progress. */
  requests(): number;
  close(): Promise<void>;
}

export interface TestHubOptions {
  /** Default: real time. */
  platform?: Platform;
  store?: SessionStore;
  shared?: SharedState | undefined;
  clientForms?: boolean;
  /** Who may do what with which token, besides the asker whose token the hub makes. */
  tokens?: readonly { token: string; owner: string; scope: Scope }[];
  mcp?: Partial<MountMcpOptions>;
  /** Default: a free one. */
  port?: number;
  hub?: Partial<HubOptions>;
}

/** A hub in this process with MCP mounted, on a loopback port. */
export async function openHub({
  platform = standardPlatform(globalThis),
  store = memoryStore(),
  shared,
  clientForms = false,
  tokens = [],
  mcp,
  port = 0,
  hub: more,
}: TestHubOptions = {}): Promise<TestHub> {
  const token = createToken();
  const broker = await createBroker({ store, ...platform, hubs: shared && severalHubs(shared), clientForms });
  const hub = createHub({
    broker,
    platform,
    tokens: tokenVerifier(
      [{ token, owner: "token-1", scope: "asker" as const }, ...tokens].map((one) => ({
        hash: hashToken(one.token),
        access: { owner: one.owner, scopes: [one.scope] },
      })),
    ),
    version: "1.2.3",
    instance: platform.ids.session(),
    control: { status: async () => ({}), stop: async () => {} },
    mounts: [mountMcp({ version: "1.2.3", defaultTimeout: 300_000, ...mcp })],
    cluster: shared && { shared, name: "team" },
    ...more,
  });
  const origin = await hub.listen({ port });
  return {
    broker,
    origin,
    token,
    askers: () => hub.connections.askers,
    requests: () => hub.connections.requests,
    async close() {
      await hub.close();
      await broker.close();
    },
  };
}
