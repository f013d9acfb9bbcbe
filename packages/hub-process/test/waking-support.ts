import type { WakeWay } from "@askbox/clients/wake";
import { type Asker, type AskRequest, type Broker, createBroker, type Desk, type SessionRecord, type SessionStore } from "@askbox/core";
import { ada, anAsk, anAsker, type FakeClock, type testPlatform, validSet } from "@askbox/core/testing";
import { fetchWords } from "@askbox/mcp";
import { Waking, type WakingOptions } from "../src/waking/waking.ts";

/** A conversation of a stand-in client. */
export interface StandIn {
  state: "idle" | "busy" | "gone" | "unknown";
  /** Messages of its user that it got. */
  got: string[];
  /** Where its client has recorded it. */
  folder?: string | undefined;
  /** Commands that resumed it. */
  resumed: string[];
  /** What `continueOpen` does besides. */
  fails?: string | undefined;
  before?: (() => Promise<void>) | undefined;
}

export const standIn = (overrides: Partial<StandIn> = {}): StandIn => ({
  state: "idle",
  folder: "/work/shop",
  got: [],
  resumed: [],
  ...overrides,
});

export const conversation = "0197f000-0000-7000-8000-000000000001";
export const codex = { client: { name: "codex-mcp-client" }, project: "/work/shop", conversation };

export const wayOf = (client: StandIn): WakeWay => ({
  client: "codex",
  state: async () => client.state,
  async continueOpen(_conversation, { text }) {
    await client.before?.();
    if (client.fails !== undefined) throw new Error(client.fails);
    client.got.push(text);
  },
  folderOf: async () => client.folder,
  resumeGone: (id, text) => ({ argv: ["codex", "exec", "resume", id, "-"], input: text }),
  risk: "",
});

export interface StandInHub {
  broker: Broker;
  waking: Waking;
  asker: Asker;
  desk: Desk;
}

export interface HubOptions extends Partial<WakingOptions> {
  store: SessionStore;
  platform: ReturnType<typeof testPlatform>;
  client: StandIn;
}

/** A hub's broker with its waking service, over a stand-in client. */
export async function hubWith({ store, platform, client, ...options }: HubOptions): Promise<StandInHub> {
  const broker = await createBroker({
    ...platform,
    store,
    waker: { outlook: (session) => waking.outlook(session), wake: (session) => waking.wake(session), output: (id) => waking.output(id) },
  });
  const waking: Waking = new Waking({
    store,
    broker,
    clock: platform.clock,
    log: () => {},
    ways: { codex: wayOf(client) },
    machine: { env: {}, version: "1", run: async () => "" },
    owner: "local",
    heldTools: ["approval", "elicitation"],
    levelFor: () => "open",
    words: async ({ id, context }) => ({ text: `${id} ${JSON.stringify(context.outcome?.kind ?? "message")}`, isWhole: true }),
    runAway: async ({ argv }) => {
      client.resumed.push(argv.join(" "));
      return undefined;
    },
    ...options,
  });
  // Loads what is loaded late, which the fake clock doesn't wait for.
  await broker.beginWaking("none", "open").catch(() => {});
  await waking.start();
  return { broker, waking, asker: broker.asker("local"), desk: broker.desk(ada) };
}

let count = 0;

/** Asks, and leaves with a ticket. */
export async function askAndLeave(
  asker: Asker,
  clock: FakeClock,
  overrides: Partial<typeof codex> & { tool?: string } = {},
  request?: AskRequest,
): Promise<SessionRecord> {
  count += 1;
  const how = { asker: anAsker({ ...codex, ...overrides }), earlier: false };
  const [{ session }] = await Promise.all([
    asker.ask(request ?? anAsk({ title: `Question ${count}` }), { ...how, maxWait: 1 }),
    clock.advance(1),
  ]);
  return session;
}

/** What a conversation is told. An asker names its conversation itself, so nothing of what it wrote is in it. */
export const newsOf = ({ id }: { id: string }): string => fetchWords([id]);

export const answer = (desk: Desk, { id }: { id: string }) => desk.answer(id, validSet());

/** Lets what follows from a change happen. */
export const settle = (clock: FakeClock, ms = 0) => clock.advance(ms);
