import { AskboxError, createBroker, memoryStore, parseAsk, type SessionStore } from "@askbox/core";
import { ChainCheck } from "@askbox/core/audit";
import { anAsk, anAsker, testDigest, testPlatform, validSet } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";

async function inbox(store: SessionStore = memoryStore(), seed = 1) {
  const platform = testPlatform({ seed });
  const broker = await createBroker({ store, ...platform });
  const desk = broker.desk({ surface: "web", name: "ada" });
  const port = broker.asker("one");
  let asked = 0;
  const may = async () => {
    asked += 1;
    const action = { kind: "command", command: `make ${asked}`, cwd: "/srv/engine" };
    const request = parseAsk(
      { title: "Build", questions: [{ question: "May it?", type: "approval", action, grants: ["project"] }] },
      platform,
    );
    return (await port.ask(request, { asker: anAsker(), maxWait: 0 })).session;
  };
  const decide = async (value: string, options = {}) => {
    const session = await may();
    const questionId = session.request.questions[0]?.id ?? "";
    await desk.answer(session.id, { answers: [{ questionId, values: [value] }] }, options);
    return session;
  };
  const entries = async () => (await store.audit.list(0, 1_000)).map(({ line }) => JSON.parse(line) as Record<string, unknown>);
  return { broker, clock: platform.clock, desk, port, may, decide, entries };
}

async function isWhole(store: SessionStore): Promise<boolean> {
  const check = new ChainCheck(testDigest);
  for (const { line } of await store.audit.list(0, 1_000)) if ((await check.add(line)) !== undefined) return false;
  return true;
}

describe("the audit log of approvals", () => {
  test("contains each decision, with who, where and when, and what was shown", async () => {
    const { decide, entries, clock } = await inbox();
    const allowed = await decide("allow");
    const denied = await decide("deny");
    const by = { surface: "web", name: "ada" };
    const { asker } = allowed;
    expect(await entries()).toMatchObject([
      {
        number: 1,
        at: clock.now(),
        event: "decided",
        session: allowed.id,
        asker,
        title: "Build",
        questions: [{ type: "approval", action: { kind: "command", command: "make 1", cwd: "/srv/engine" } }],
        outcome: { kind: "answered", answers: [{ values: ["allow"] }], by },
      },
      { number: 2, session: denied.id, outcome: { answers: [{ values: ["deny"] }], by } },
    ]);
  });

  test("contains a declined approval, and one that was sent with a delay", async () => {
    const { desk, may, decide, entries, clock } = await inbox();
    await desk.cancel((await may()).id, { reason: "not now" });
    const { id } = await decide("allow", { delay: 5_000 });
    expect(await entries()).toMatchObject([{ outcome: { kind: "cancelled", reason: "not now" } }]);
    clock.advance(5_000);
    await expect.poll(entries).toMatchObject([{ number: 1 }, { number: 2, session: id }]);
  });

  test("contains each use of a grant, by its id", async () => {
    const store = memoryStore();
    const { broker, port, decide, entries } = await inbox(store);
    const { id, request } = await decide("project");
    const { session } = await port.ask(request, { asker: anAsker(), maxWait: 0 });
    expect(await entries()).toMatchObject([
      { session: id },
      { session: session.id, outcome: { by: { surface: "grant", name: (await broker.grants.list())[0]?.id } } },
    ]);
    expect(await isWhole(store)).toBe(true);
  });

  test("contains no question, withdrawal or timeout, since nobody decided those", async () => {
    const { desk, port, may, entries, clock } = await inbox();
    const { session } = await port.ask(anAsk(), { asker: anAsker(), maxWait: 0 });
    await desk.answer(session.id, validSet());
    await port.withdraw((await may()).id);
    const { id } = await may();
    clock.advance(86_400_000);
    await expect.poll(async () => (await desk.get(id)).status).toBe("timed_out");
    expect(await entries()).toEqual([]);
  });

  test("stays a single chain if several hubs decide at the same moment", async () => {
    const store = memoryStore();
    const hubs = [await inbox(store, 1), await inbox(store, 2), await inbox(store, 3)];
    await Promise.all(hubs.flatMap(({ decide }) => Array.from({ length: 10 }, () => decide("allow"))));
    expect((await store.audit.list(0, 1_000)).map(({ number }) => number)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
    expect(await isWhole(store)).toBe(true);
  });

  test("needs no read once the newest entry is known, and is read again after a failed write", async () => {
    const memory = memoryStore();
    let reads = 0;
    let isAway = false;
    const store: SessionStore = {
      ...memory,
      audit: {
        ...memory.audit,
        last: () => {
          reads += 1;
          return memory.audit.last();
        },
      },
      replace: async (record, revision, options) => {
        const isDone = await memory.replace(record, revision, options);
        // Written, but the response was lost.
        if (isAway && options?.entry !== undefined) throw new AskboxError("STORE_UNAVAILABLE", "The store is away.");
        return isDone;
      },
    };
    const { decide } = await inbox(store);
    for (let count = 0; count < 3; count += 1) await decide("allow");
    expect(reads).toBe(1);
    isAway = true;
    await expect(decide("allow")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    isAway = false;
    await decide("allow");
    expect([reads, (await memory.audit.last())?.number, await isWhole(memory)]).toEqual([2, 5, true]);
  });
});
