import type { SharedState } from "@askbox/core";
import { sharedMemory } from "@askbox/core/stores";
import { ada, fakeClock } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { type PeerMessage, Peers, type PresenceFacts, readPeerMessage } from "../../src/broker/several-hubs.ts";

const attached: PresenceFacts = { asker: "attached", isWaiting: true, openIn: [] };
const open: PresenceFacts = { asker: "away", isWaiting: false, openIn: [ada] };
const start = 1_700_000_000_000;

/** The messages between hubs, and a fake peer that sends whatever a test wants. */
async function aTable() {
  const clock = fakeClock({ now: start });
  const memory = sharedMemory(clock);
  const shared = memory.open();
  const said: PeerMessage[] = [];
  await shared.subscribe("hubs", (text) => {
    const message = readPeerMessage(text);
    if (message !== undefined) said.push(message);
  });
  const logged: unknown[][] = [];
  const seqs = new Map<string, number>();
  async function say(from: string, body: PeerMessage["body"], seq = (seqs.get(from) ?? 0) + 1) {
    seqs.set(from, seq);
    await shared.publish("hubs", JSON.stringify({ from, seq, body }));
    await clock.advance(0);
  }
  /** What `from` has sent since the last call. */
  const received = (from: string) => {
    const own = said.filter((message) => message.from === from);
    said.splice(0);
    return own.map(({ body }) => body);
  };
  function hub(self: string, state: SharedState = memory.open()) {
    const facts = new Map<string, PresenceFacts>();
    const told: unknown[] = [];
    const peers = new Peers({
      shared: state,
      clock,
      log: (...entry) => void logged.push(entry),
      self,
      about: () => ({ url: `http://${self}` }),
      factsOf: (id) => facts.get(id),
      sessions: () => facts.keys(),
      onPresence: (ids) => void told.push(["presence", ...ids]),
      onDrafts: (ids) => void told.push(["drafts", ...ids]),
      onUncertain: () => void told.push("doubt"),
      onExpired: () => void told.push("lapse"),
      onBeat: (isRenewal) => void told.push(isRenewal ? "renewal" : "beat"),
    });
    return { peers, facts, events: () => told.splice(0) };
  }
  return { clock, hub, shared, memory, said, say, received, logged };
}

/** A hub `a` that has met `b`, the fake peer. */
async function aPair() {
  const table = await aTable();
  const a = table.hub("a");
  await a.peers.start();
  await table.say("b", { type: "hello" });
  a.events();
  table.received("a");
  return { ...table, ...a };
}

describe("a hub with peers", () => {
  test("announces itself and its liveness every two seconds", async () => {
    const { clock, hub, received, shared } = await aTable();
    const { peers, events } = hub("a");
    await peers.start();
    expect(received("a")).toEqual([{ type: "hello" }]);
    expect(await shared.get("hub:a")).toBe("alive");
    await clock.advance(1_999);
    expect([received("a"), events()]).toEqual([[], []]);
    await clock.advance(1);
    expect(received("a")).toEqual([{ type: "alive", about: { url: "http://a" }, now: start + 2_000 }]);
    expect(events()).toEqual(["beat"]);
  });

  test("numbers its messages, and renews its leases every hour", async () => {
    const { clock, hub, said } = await aTable();
    const { peers, events } = hub("a");
    await peers.start();
    await clock.advance(3_600_000);
    expect(said.map(({ seq }) => seq)).toEqual(Array.from({ length: 1_801 }, (_, index) => index + 1));
    expect(events().flatMap((entry, index) => (entry === "renewal" ? [index + 1] : []))).toEqual([1_800]);
  });

  test("answers a greeting with its own identity and everything it knows", async () => {
    const { hub, say, received } = await aTable();
    const { peers, facts } = hub("a");
    await peers.start();
    received("a");
    await say("b", { type: "hello" });
    expect(received("a")).toEqual([
      { type: "alive", about: { url: "http://a" }, now: start },
      { type: "all", isFirst: true, presence: [] },
    ]);
    facts.set("s", attached).set("t", open);
    await say("c", { type: "hello" });
    expect(received("a").at(-1)).toEqual({
      type: "all",
      isFirst: true,
      presence: [
        ["s", attached],
        ["t", open],
      ],
    });
  });

  test("sends everything it knows in parts of 2,000", async () => {
    const { facts, say, received } = await aPair();
    for (let number = 0; number < 4_001; number += 1) facts.set(`s${number}`, attached);
    await say("b", { type: "ask", of: "a" });
    const parts = received("a").map((body) => (body.type === "all" ? [body.isFirst, body.presence.length, body.presence[0]?.[0]] : body));
    expect(parts).toEqual([
      [true, 2_000, "s0"],
      [false, 2_000, "s2000"],
      [false, 1, "s4000"],
    ]);
    await say("b", { type: "ask", of: "c" });
    expect(received("a")).toEqual([]);
  });

  test("reports all changes of one step, and who left, in one message", async () => {
    const { clock, facts, received, peers } = await aPair();
    facts.set("s", attached);
    for (const id of ["s", "t", "s"]) peers.presenceChanged(id);
    peers.draftChanged("s");
    await clock.advance(0);
    expect(received("a")).toEqual([
      {
        type: "news",
        presence: [
          ["s", attached],
          ["t", null],
        ],
        drafts: ["s"],
      },
    ]);
    peers.draftChanged("t");
    await clock.advance(0);
    expect(received("a")).toEqual([{ type: "news", presence: [], drafts: ["t"] }]);
  });

  test("sends nothing while no peer is there, or after it has closed", async () => {
    const { clock, hub, received } = await aTable();
    const { peers } = hub("a");
    await peers.start();
    received("a");
    peers.presenceChanged("s");
    await clock.advance(0);
    expect(received("a")).toEqual([]);
    const pair = await aPair();
    pair.peers.presenceChanged("s");
    await pair.peers.close();
    pair.peers.presenceChanged("s");
    await pair.clock.advance(10_000);
    expect(pair.received("a")).toEqual([{ type: "bye" }]);
  });

  test("is no longer alive after closing, and forgets its peers", async () => {
    const { clock, peers, say, shared } = await aPair();
    expect(peers.list()).toHaveLength(1);
    await peers.close();
    expect([await shared.get("hub:a"), peers.list(), clock.pendingTimers()]).toEqual([undefined, [], 0]);
    await say("c", { type: "hello" });
    expect(peers.list()).toEqual([]);
  });
});

describe("another hub", () => {
  test("is known by what it announces, and by how far its clock is ahead", async () => {
    const { peers, say } = await aPair();
    expect(peers.list()).toEqual([{ id: "b", about: {}, clockAhead: 0 }]);
    await say("b", { type: "alive", about: { url: "http://b" }, now: start + 700 });
    expect(peers.list()).toEqual([{ id: "b", about: { url: "http://b" }, clockAhead: 700 }]);
  });

  test("is logged if its clock differs by more than two seconds, once each time that starts", async () => {
    const { logged, say } = await aPair();
    for (const ahead of [2_000, -2_000, 2_001, 5_000, 0, -2_001]) await say("b", { type: "alive", about: {}, now: start + ahead });
    const sentence = "The wall clocks of two hubs differ; synchronize them with NTP, since deadlines between hubs use wall time";
    expect(logged).toEqual([
      ["warn", sentence, { hub: "b", ahead: 2_001 }],
      ["warn", sentence, { hub: "b", ahead: -2_001 }],
    ]);
  });

  test("reports who is where; known facts are not repeated", async () => {
    const { events, peers, say } = await aPair();
    await say("b", { type: "all", isFirst: true, presence: [["s", attached]] });
    expect([events(), peers.of("s"), peers.of("t")]).toEqual([[["presence", "s"]], [attached], []]);
    await say("b", { type: "news", presence: [["s", attached]], drafts: [] });
    expect(events()).toEqual([]);
    await say("b", { type: "all", isFirst: false, presence: [["t", open]] });
    await say("b", {
      type: "news",
      presence: [
        ["s", null],
        ["t", open],
      ],
      drafts: ["t"],
    });
    expect(events()).toEqual([
      ["presence", "t"],
      ["presence", "s"],
      ["drafts", "t"],
    ]);
    expect([peers.of("s"), peers.of("t")]).toEqual([[], [open]]);
  });

  test("that reports everything replaces what was known: anyone not included has left", async () => {
    const { events, peers, say } = await aPair();
    await say("b", {
      type: "all",
      isFirst: true,
      presence: [
        ["s", attached],
        ["t", open],
        ["u", open],
      ],
    });
    events();
    await say("b", {
      type: "all",
      isFirst: true,
      presence: [
        ["s", open],
        ["t", open],
        ["v", null],
      ],
    });
    expect(events()).toEqual([["presence", "s", "u"]]);
    expect([peers.of("s"), peers.of("u"), peers.of("v")]).toEqual([[open], [], []]);
  });

  test("that restarts has nobody present", async () => {
    const { events, peers, say } = await aPair();
    await say("b", { type: "all", isFirst: true, presence: [["s", attached]] });
    events();
    await say("b", { type: "hello" });
    expect([events(), peers.of("s")]).toEqual([[["presence", "s"]], []]);
  });

  test("is asked for everything if a message was missed, at most once a second, and its drafts are checked", async () => {
    const { clock, received, events, say } = await aPair();
    await say("b", { type: "news", presence: [], drafts: [] }, 5);
    expect([received("a"), events()]).toEqual([[{ type: "ask", of: "b" }], ["doubt"]]);
    await say("b", { type: "news", presence: [], drafts: [] });
    await clock.advance(999);
    await say("b", { type: "news", presence: [], drafts: [] });
    expect([received("a"), events()]).toEqual([[], []]);
    await clock.advance(1);
    await say("b", { type: "news", presence: [], drafts: [] });
    expect(received("a")).toEqual([{ type: "ask", of: "b" }]);
    await say("b", { type: "all", isFirst: true, presence: [] });
    await clock.advance(1_000);
    received("a");
    await say("b", { type: "news", presence: [], drafts: [] });
    expect(received("a")).toEqual([]);
  });

  test("is not believed twice, nor after something newer: what was overtaken is asked for", async () => {
    const { say, events, peers, received } = await aPair();
    await say("b", { type: "news", presence: [["s", attached]], drafts: ["s"] }, 3);
    expect(events()).toEqual(["doubt", ["presence", "s"], ["drafts", "s"]]);
    expect(received("a").filter(({ type }) => type === "ask")).toEqual([{ type: "ask", of: "b" }]);
    await say("b", { type: "news", presence: [["s", null]], drafts: ["t"] }, 2);
    await say("b", { type: "news", presence: [["s", open]], drafts: ["s"] }, 3);
    expect([events(), peers.of("s")]).toEqual([[], [attached]]);
  });

  test("that was unknown so far is asked for everything", async () => {
    const { received, peers, say } = await aPair();
    await say("c", { type: "alive", about: {}, now: start }, 77);
    expect([received("a"), peers.list().map(({ id }) => id)]).toEqual([[{ type: "ask", of: "c" }], ["b", "c"]]);
  });

  test("that says goodbye is forgotten at once, with everybody present there", async () => {
    const { events, peers, say } = await aPair();
    await say("b", { type: "all", isFirst: true, presence: [["s", attached]] });
    events();
    await say("b", { type: "bye" });
    expect([events(), peers.list(), peers.of("s")]).toEqual([[["presence", "s"], "doubt"], [], []]);
    await say("nobody", { type: "bye" });
    expect([events(), peers.list()]).toEqual([[], []]);
  });

  test("that is silent for eight seconds is forgotten at the next heartbeat", async () => {
    const { clock, events, peers, say } = await aPair();
    await clock.advance(1_000);
    await say("b", { type: "all", isFirst: true, presence: [["s", attached]] });
    await clock.advance(7_999);
    expect(peers.list()).toHaveLength(1);
    events();
    await clock.advance(1_001);
    expect([peers.list(), events()]).toEqual([[], ["beat", ["presence", "s"], "doubt"]]);
  });

  test("is alive for as long as it announces, plus eight seconds", async () => {
    const { clock, hub, peers } = await aPair();
    const other = hub("c");
    await other.peers.start();
    expect([await peers.isAlive("c"), await peers.isAlive("nobody")]).toEqual([true, false]);
    await clock.advance(60_000);
    expect(await peers.isAlive("c")).toBe(true);
  });

  test("is ignored if its message is invalid, and a hub ignores its own messages", async () => {
    const { received, events, peers, say, shared } = await aPair();
    await shared.publish("hubs", "{");
    await shared.publish("hubs", JSON.stringify({ from: "b", seq: 2, body: { type: "song" } }));
    await say("a", { type: "bye" }, 99);
    expect([events(), peers.list().length]).toEqual([[], 1]);
    received("a");
    await say("b", { type: "alive", about: {}, now: start });
    expect(received("a")).toEqual([]);
  });
});

describe("a hub that cannot reach its peers", () => {
  async function cutOff() {
    const table = await aTable();
    let isAway = false;
    const own = table.memory.open();
    const away = () => Promise.reject(new Error("away"));
    const a = table.hub("a", {
      ...own,
      swap: (...args) => (isAway ? away() : own.swap(...args)),
      publish: (...args) => (isAway ? away() : own.publish(...args)),
    });
    await a.peers.start();
    await table.say("b", { type: "hello" });
    a.events();
    return {
      ...table,
      ...a,
      lose: () => {
        isAway = true;
      },
      find: () => {
        isAway = false;
      },
    };
  }

  test("logs this once, and once more when it can again", async () => {
    const { clock, find, logged, lose, events } = await cutOff();
    lose();
    await clock.advance(4_000);
    expect(logged).toEqual([["warn", "The hubs' shared state cannot be reached; trying again", { error: "Error: away" }]]);
    expect(events()).toEqual([]);
    find();
    await clock.advance(4_000);
    expect(logged.slice(1)).toEqual([["info", "The other hubs can be reached again"]]);
  });

  test("learns that it was considered dead, and recovers", async () => {
    const { clock, find, lose, events, shared } = await cutOff();
    lose();
    await clock.advance(8_000);
    expect(await shared.get("hub:a")).toBeUndefined();
    events();
    find();
    await clock.advance(2_000);
    expect([events(), await shared.get("hub:a")]).toEqual([["lapse", "beat"], "alive"]);
  });

  test("uses up the number of a message it could not send, so that its peers notice", async () => {
    const { clock, find, logged, lose, peers, said } = await cutOff();
    const last = said.filter(({ from }) => from === "a").at(-1)?.seq ?? 0;
    lose();
    peers.draftChanged("s");
    await clock.advance(0);
    expect(logged).toEqual([["debug", "The other hubs could not be notified", { error: "Error: away" }]]);
    find();
    peers.draftChanged("s");
    await clock.advance(0);
    expect(said.at(-1)?.seq).toBe(last + 2);
  });

  test("refuses to start if another hub has its id", async () => {
    const { hub, shared } = await aTable();
    await shared.swap("hub:a", undefined, "somebody", null);
    await expect(hub("a").peers.start()).rejects.toMatchObject({ code: "CONFLICT", message: "Another hub has this hub's id." });
  });

  test("that restarts while it still counts as alive has not lapsed", async () => {
    const { clock, hub, shared } = await aTable();
    await shared.swap("hub:a", undefined, "alive", null);
    const { peers, events } = hub("a");
    await peers.start();
    await clock.advance(2_000);
    expect(events()).toEqual(["beat"]);
  });
});
