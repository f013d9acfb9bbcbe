import { createBroker, memoryStore } from "@askbox/core";
import { keptRan, sharedMemory } from "@askbox/core/stores";
import { aGrant, anAsk, anAsker, aRan, fakeClock, ranContract, testPlatform } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";

const day = 86_400_000;

describe("what ran, over values in memory", () => {
  const open = async () => {
    const clock = fakeClock();
    const memory = sharedMemory(clock);
    const another = async () => keptRan(memory.open(), { now: () => clock.now(), keep: day });
    return { ran: await another(), another, now: () => clock.now(), pass: (ms: number) => clock.advance(ms), close: async () => {} };
  };
  for (const promise of ranContract) test(promise.name, () => promise.run({ open }));

  test("goes on after a hub was killed between beginning a block and writing it", async () => {
    const clock = fakeClock();
    const values = sharedMemory(clock).open();
    const ran = keptRan(values, { now: () => clock.now(), keep: day });
    await ran.add(Array.from({ length: 50 }, (_, at) => aRan(clock.now(), { what: `${at}` })));
    expect(await values.swap("ran", undefined, "1", null)).toBe(true);
    expect((await ran.list({ limit: 2 })).items.map(({ what }) => what)).toEqual(["49", "48"]);
    await ran.add([aRan(clock.now(), { what: "50" })]);
    expect((await ran.list({ limit: 2 })).items.map(({ what }) => what)).toEqual(["50", "49"]);
  });

  test("keeps what a newer hub wrote, and lists the rest", async () => {
    const clock = fakeClock();
    const values = sharedMemory(clock).open();
    await values.swap("ran:0", undefined, '{"at":1}\nnot JSON', day);
    const ran = keptRan(values, { now: () => clock.now(), keep: day });
    await ran.add([aRan(clock.now())]);
    expect((await ran.list()).items).toHaveLength(1);
    expect(await values.get("ran:0")).toContain("not JSON\n");
  });

  test("a store that can't be reached loses what was added then, and nothing later", async () => {
    const clock = fakeClock();
    const values = sharedMemory(clock).open();
    let isAway = true;
    const get = async (key: string) => {
      if (isAway) throw new Error("away");
      return values.get(key);
    };
    const ran = keptRan({ ...values, get }, { now: () => clock.now(), keep: day });
    await expect(ran.add([aRan(clock.now(), { what: "lost" })])).rejects.toThrow("away");
    isAway = false;
    await ran.add([aRan(clock.now(), { what: "kept" })]);
    expect((await ran.list()).items.map(({ what }) => what)).toEqual(["kept"]);
  });
});

test("what a grant allows is listed with the grant, and what a person decides is not", async () => {
  const platform = testPlatform();
  const ran = keptRan(sharedMemory(platform.clock).open(), { now: () => platform.clock.now(), keep: day });
  const broker = await createBroker({ ...platform, store: memoryStore(), ran });
  const asker = anAsker({ project: "/home/ada/engine", conversation: "c-1" });
  await broker.grants.add(aGrant({ client: asker.client.name, createdAt: platform.clock.now(), expiresAt: platform.clock.now() + day }));
  const askFor = (command: string) =>
    broker.asker("owner-1").ask(
      anAsk({
        questions: [
          {
            id: "q-1",
            required: true,
            type: "approval",
            question: "May I?",
            action: { kind: "command", tool: "Bash", command, cwd: "/home/ada/engine" },
          },
        ],
      }),
      { asker, maxWait: 0 },
    );
  await askFor("npm test && rm -rf build");
  expect((await ran.list()).items).toEqual([]);
  await askFor("npm test -- core");
  expect((await broker.ran.list()).items).toMatchObject([
    { by: { kind: "grant", name: "grant-1" }, what: "npm test -- core", project: "/home/ada/engine", conversation: "c-1", kind: "command" },
  ]);
});
