import { createHash } from "node:crypto";
import { resolve } from "node:path";
import {
  type Answerer,
  type AskInput,
  type Broker,
  createBroker,
  type Desk,
  memoryStore,
  parseAsk,
  type SessionStore,
  type SessionView,
  standardPlatform,
} from "@askbox/core";
import { keptRan, sharedMemory } from "@askbox/core/stores";
import { hubFiles, memoryBlobs } from "@askbox/files";
import { createHub, createToken, type DeviceStorage, type Hub, hashToken, type MountService, tokenVerifier } from "@askbox/hub";
import { skippingClock } from "./skipping-clock.ts";

/** The page as last built by `pnpm build`. */
export const builtPage = resolve(import.meta.dirname, "../../../apps/web/dist");

export interface WebHub {
  readonly url: string;
  /** The store of the sessions, for adding past ones. */
  readonly store: SessionStore;
  readonly broker: Broker;
  /** Creates a one-time login link. */
  loginUrl(): string;
  /** Opens a session like an agent, and keeps waiting for it; `leave` is for an agent that leaves at once and gave no key. */
  ask(
    input: AskInput,
    asker?: { project?: string; branch?: string; agentId?: string; client?: string; tool?: string; inlineReply?: boolean; leave?: boolean },
  ): Promise<string>;
  desk(by?: Answerer): Desk;
  /** Lets a machine of this name join, and returns its token. */
  joined(name: string): Promise<string>;
  view(id: string): Promise<SessionView>;
  /** The time of the sessions, in ms since the epoch. */
  now(): number;
  /** Advances the clock by `ms` for the sessions, but not for the connections. */
  skip(ms: number): void;
  /** From now on, the sessions' clock only moves when it is advanced. */
  hold(): void;
  /** Stops the hub, keeping sessions and logins; `up` starts another at the same address. `bye`: the reason that its clients get. */
  down(bye?: string): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

/** The real hub with the built page and a memory store. `now` is the wall time of its sessions. */
export async function startWebHub({
  now,
  page = builtPage,
  mounts = [],
}: {
  now?: () => number;
  page?: string;
  mounts?: readonly MountService[];
} = {}): Promise<WebHub> {
  const platform = standardPlatform(globalThis);
  const clock = skippingClock(now === undefined ? platform.clock : { ...platform.clock, now });
  const store: SessionStore = memoryStore();
  const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
  const files = hubFiles({ blobs: memoryBlobs({ now: clock.now, sha256 }), store, clock: platform.clock });
  const waits = new AbortController();
  let kept: Parameters<DeviceStorage["save"]>[0] = [];
  const devices: DeviceStorage = {
    load: () => kept,
    save: (all) => {
      kept = all;
    },
  };
  const deskToken = createToken();
  const start = async (port: number) => {
    const ran = keptRan(sharedMemory(clock).open(), { now: clock.now, keep: 7 * 86_400_000 });
    const broker = await createBroker({ ...platform, clock, store, ran, files: files.check, images: files.images });
    const hub = createHub({
      broker,
      platform,
      devices,
      web: page,
      locked: "askbox open",
      mounts: [files.mount, ...mounts],
      version: "0.0.0",
      instance: platform.ids.session(),
      identity: "web-hub",
      tokens: tokenVerifier([{ hash: hashToken(deskToken), access: { owner: "desk", scopes: ["desk"] } }]),
      control: { status: async () => ({}), stop: async () => {} },
    });
    const url = await hub.listen({ port });
    return { broker, hub, asker: broker.asker("agents"), url };
  };
  let running: { broker: Broker; hub: Hub; asker: ReturnType<Broker["asker"]>; url: string } = await start(0);
  const down = async (bye?: string) => {
    await running.hub.close(bye);
    await running.broker.close();
  };

  return {
    store,
    get url() {
      return running.url;
    },
    get broker() {
      return running.broker;
    },
    loginUrl: () => running.hub.createLogin().url,
    async ask(
      input,
      { project = "/home/ada/engine", branch = "main", agentId, client = "claude-code", tool, inlineReply, leave = false } = {},
    ) {
      const { session } = await running.asker.ask(parseAsk(input, { ids: platform.ids }), {
        asker: {
          client: { name: client, version: "2.1.0" },
          project,
          branch,
          agentId,
          tool,
          inlineReply,
        },
        ...(leave ? {} : { key: platform.ids.session() }),
        maxWait: 0,
        earlier: false,
      });
      running.asker.resume(session.id, { earlier: false, signal: leave ? AbortSignal.abort() : waits.signal }).catch(() => {});
      return session.id;
    },
    desk: (by = { surface: "terminal", name: "Ada" }) => running.broker.desk(by),
    async joined(name) {
      const post = async (path: string, body: object, headers = {}) =>
        (
          await fetch(`${running.url}${path}`, {
            method: "POST",
            headers: { "content-type": "application/json", ...headers },
            body: JSON.stringify(body),
          })
        ).json();
      const { code } = await post("/auth/invites", { name }, { authorization: `Bearer ${deskToken}` });
      return (await post("/auth/join", { code, name })).token;
    },
    now: clock.now,
    skip: clock.skip,
    hold: clock.hold,
    view: (id) => running.broker.desk({ surface: "api" }).get(id),
    down,
    async up() {
      running = await start(Number(new URL(running.url).port));
    },
    async close() {
      waits.abort();
      await down();
      files.close();
      await store.close();
    },
  };
}
