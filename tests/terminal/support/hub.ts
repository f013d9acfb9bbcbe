import {
  type AskerInfo,
  type AskRequest,
  type Broker,
  type BrokerOptions,
  createBroker,
  type Desk,
  type Grants,
  memoryStore,
  type Surface,
  standardPlatform,
} from "@askbox/core";
import { anAsk, anAsker, resumed } from "@askbox/core/testing";
import { createHub, createToken, type Hub, hashToken, tokenVerifier } from "@askbox/hub";
import { freePort } from "@askbox/store-redis/testing";

/** A real hub with a memory store in the test's process: agents and other people use its broker directly. */
export interface TestHub {
  readonly env: Record<string, string>;
  /** Opens a session and waits for its outcome like an agent, unless it should leave; resolves with its id. */
  ask(request?: Partial<AskRequest>, asker?: Partial<AskerInfo>, options?: { leave: boolean }): Promise<string>;
  desk(surface?: Surface, name?: string): Desk;
  readonly grants: Grants;
  /** Replies to what was asked back, as the agent. */
  reply(id: string, text: string): Promise<void>;
  /** Stops, like a hub that is replaced; sessions are kept. */
  stop(): Promise<void>;
  /** Restarts at the same address. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export async function startHub(): Promise<TestHub> {
  const platform = standardPlatform(globalThis);
  const store = memoryStore();
  // Pictures are kept nowhere: a test's terminal gets its own.
  const images: BrokerOptions["images"] = async (_owner, asked) => ({
    images: asked.map(({ src: name }) => ({ name, mimeType: "image/png", size: 60, sha256: "0".repeat(64), width: 200, height: 200 })),
    keep: async () => {},
  });
  const broker: Broker = await createBroker({ ...platform, store, images });
  const token = createToken();
  const waits = new AbortController();
  const asker = broker.asker("tests");
  let hub: Hub | undefined;
  const port = await freePort();
  const start = async () => {
    hub = createHub({
      broker,
      platform,
      version: "0.0.0",
      instance: "tests",
      tokens: tokenVerifier([{ hash: hashToken(token), access: { owner: "desk", scopes: ["desk"] } }]),
      control: { status: async () => ({}), stop: async () => {} },
    });
    await hub.listen({ port });
  };
  await start();
  return {
    env: { ASKBOX_HUB: `http://127.0.0.1:${port}`, ASKBOX_TOKEN: token },
    async ask(request = {}, info = {}, { leave } = { leave: false }) {
      const { session } = await asker.ask(anAsk(request), { asker: anAsker(info), maxWait: 0 });
      const signal = leave ? AbortSignal.abort() : waits.signal;
      resumed(asker, session.id, { signal }).catch(() => {});
      return session.id;
    },
    grants: broker.grants,
    desk: (surface = "web", name) => broker.desk(name === undefined ? { surface } : { surface, name }),
    async reply(id, text) {
      await asker.resume(id, { reply: text, maxWait: 0 });
    },
    stop: async () => hub?.close(),
    start,
    async close() {
      waits.abort();
      await hub?.close();
      await broker.close();
      await store.close();
    },
  };
}
