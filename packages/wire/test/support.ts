import { type Answerer, type Broker, createBroker, memoryStore, type SessionStore, silentLog } from "@askbox/core";
import { type FakeClock, type InboxOptions, seededIds, testPlatform } from "@askbox/core/testing";
import {
  type Channel,
  type ClientHello,
  channelPair,
  createWireClient,
  serveWire,
  type WireClient,
  type WireClientOptions,
  type WireConnection,
  type WireHandlerOptions,
} from "@askbox/wire";

export const agent = { name: "wire-test", version: "0.0.0" };

/** A hub in this process: a broker behind the handler, for any number of channels. */
export interface TestHub {
  readonly clock: FakeClock;
  readonly store: SessionStore;
  broker(): Broker;
  /** The options for channels from now on. */
  options: WireHandlerOptions;
  serve(channel: Channel): WireConnection;
  connections: Set<WireConnection>;
  /** Ends the broker and all channels, and starts a new one on the same store, as after a crash. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Tokens are `asker:OWNER`, `desk:OWNER` or `both:OWNER`. */
export async function testHub(
  overrides: Partial<WireHandlerOptions> = {},
  wireClock?: FakeClock,
  inbox: InboxOptions = {},
): Promise<TestHub> {
  // The clock waits for promises, not for a file that is loaded with the first ask.
  await import("../src/handler/ask-input.ts");
  const platform = testPlatform();
  const store = memoryStore();
  let broker = await createBroker({ store, ...platform, ...inbox });
  let starting: Promise<void> = Promise.resolve();
  const clock = wireClock ?? platform.clock;
  const connections = new Set<WireConnection>();
  const hub: TestHub = {
    clock: platform.clock,
    store,
    connections,
    broker: () => broker,
    options: {
      hub: { version: "0.1.0", instance: "run-1" },
      async authenticate(token) {
        await starting;
        const [kind, owner] = token.split(":");
        if (owner === undefined) return undefined;
        if (kind === "both") return { owner, scopes: ["asker", "desk"] };
        return kind === "asker" || kind === "desk" ? { owner, scopes: [kind] } : undefined;
      },
      asker: (owner) => broker.asker(owner),
      desk: (by) => broker.desk(by),
      agents: { list: () => broker.agents.list(), add: (agent) => broker.agents.add(agent), remove: (id) => broker.agents.remove(id) },
      grants: { list: () => broker.grants.list(), remove: (id) => broker.grants.remove(id) },
      control: { status: async () => ({ pending: broker.stats().pending }), stop: async () => {} },
      ids: platform.ids,
      clock,
      log: silentLog,
      ...overrides,
    },
    serve(channel) {
      const connection = serveWire(channel, hub.options);
      connections.add(connection);
      void connection.closed.then(() => connections.delete(connection));
      return connection;
    },
    restart() {
      const old = broker;
      starting = (async () => {
        await old.close();
        broker = await createBroker({ store, ...platform, ...inbox });
        hub.options = { ...hub.options, hub: { version: "0.1.0", instance: "run-2" } };
      })();
      return starting;
    },
    async close() {
      await Promise.all([...connections].map((connection) => connection.bye("The test is over.")));
      await broker.close();
      await store.close();
    },
  };
  return hub;
}

export const askerHello = (owner = "owner-1"): ClientHello & { token: string } => ({ token: `asker:${owner}`, role: "asker", agent });
export const deskHello = ({ surface, name }: Answerer = { surface: "terminal" }): ClientHello & { token: string } => ({
  token: "desk:people",
  role: "desk",
  surface,
  name,
  agent,
});

let seed = 100;

/** A client of the hub over a pair of channels, each passed through `through` if given. */
export function pairClient(
  hub: TestHub,
  hello: WireClientOptions["hello"],
  options: Partial<WireClientOptions> & { through?: (channel: Channel) => Channel } = {},
): WireClient {
  const { through = (channel) => channel, ...rest } = options;
  seed += 1;
  return createWireClient({
    connect: async () => {
      const [near, far] = channelPair();
      hub.serve(far);
      return through(near);
    },
    hello,
    clock: hub.clock,
    random: () => 0.5,
    ids: seededIds(seed),
    ...rest,
  });
}

/** A relay between two channels that can be cut in both directions at once. */
export function relay(channel: Channel, onFrame: (cut: () => void) => boolean = () => true): { near: Channel; cut(): void } {
  const [near, inner] = channelPair();
  const cut = () => {
    inner.close(4999, "cut");
    channel.close(4999, "cut");
  };
  inner.onMessage((text) => onFrame(cut) && channel.send(text));
  channel.onMessage((text) => onFrame(cut) && inner.send(text));
  inner.onClose(({ code, reason }) => channel.close(code, reason));
  channel.onClose(({ code, reason }) => inner.close(code, reason));
  return { near, cut };
}

/** Advances the clock in small steps until the promise settles. */
export async function drive<T>(clock: FakeClock, promise: Promise<T>, limit = 120_000): Promise<T> {
  let settled = false;
  const done = () => {
    settled = true;
  };
  promise.then(done, done);
  for (let passed = 0; passed < limit; passed += 50) {
    await clock.advance(0);
    if (settled) return promise;
    await clock.advance(50);
  }
  throw new Error("What was waited for never happened.");
}

/** A channel whose other side is the test: messages are recorded and can be awaited. */
export function rawPeer(channel: Channel) {
  const frames: Record<string, unknown>[] = [];
  let end: { code?: number; reason?: string } | undefined;
  channel.onMessage((text) => frames.push(JSON.parse(text)));
  channel.onClose((how) => {
    end = how;
  });
  return {
    frames,
    end: () => end,
    send: (message: unknown) => channel.send(typeof message === "string" ? message : JSON.stringify(message)),
    close: () => channel.close(),
  };
}

/** A raw peer that has received the welcome. */
export async function welcomedPeer(hub: TestHub, hello: ClientHello, wrap: (channel: Channel) => Channel = (channel) => channel) {
  const [near, far] = channelPair();
  const connection = hub.serve(wrap(far));
  const peer = rawPeer(near);
  peer.send({ hello: { protocol: 2, ...hello } });
  await hub.clock.advance(0);
  return { ...peer, connection };
}

/** A `through` whose connections can all be cut, and whose frames can be dropped. */
export function fragile() {
  const cuts = new Set<() => void>();
  let made = 0;
  const state = { isMute: false };
  return {
    state,
    made: () => made,
    cutAll() {
      for (const cut of [...cuts]) cut();
      cuts.clear();
    },
    through(channel: Channel) {
      made += 1;
      const { near, cut } = relay(channel, () => !state.isMute);
      cuts.add(cut);
      return near;
    },
  };
}
