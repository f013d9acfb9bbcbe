import { AskboxError } from "@askbox/core";
import { sharedMemory } from "@askbox/core/stores";
import { fakeClock } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";

function someMemory() {
  const clock = fakeClock();
  const memory = sharedMemory(clock);
  return { clock, memory, shared: memory.open() };
}

describe("a shared value", () => {
  test("exists until its time is over, and no longer at that moment", async () => {
    const { clock, shared } = someMemory();
    expect(await shared.swap("k", undefined, "v", 100)).toBe(true);
    await clock.advance(99);
    expect(await shared.get("k")).toBe("v");
    await clock.advance(1);
    expect(await shared.get("k")).toBeUndefined();
    expect(await shared.swap("k", "v", "w", 100)).toBe(false);
    expect(await shared.swap("k", undefined, "w", null)).toBe(true);
    await clock.advance(1e12);
    expect(await shared.get("k")).toBe("w");
  });

  test("is gone at once when removed", async () => {
    const { shared } = someMemory();
    await shared.swap("k", undefined, "v", null);
    expect(await shared.swap("k", "other", undefined, null)).toBe(false);
    expect(await shared.swap("k", "v", undefined, null)).toBe(true);
    expect(await shared.get("k")).toBeUndefined();
    expect(await shared.swap("k", undefined, "", null)).toBe(true);
    expect(await shared.get("k")).toBe("");
  });
});

describe("a shared counter", () => {
  test("reports how long until it can be increased again, at least a whole millisecond", async () => {
    const { clock, shared } = someMemory();
    expect(await shared.take("k", 2, 1_000)).toBe(0);
    await clock.advance(300);
    expect(await shared.take("k", 2, 1_000)).toBe(0);
    await clock.advance(100);
    expect([await shared.take("k", 2, 1_000), await shared.take("other", 2, 1_000)]).toEqual([600, 0]);
    await clock.advance(599.5);
    expect(await shared.take("k", 2, 1_000)).toBe(1);
    await clock.advance(0.5);
    expect([await shared.take("k", 2, 1_000), await shared.take("k", 2, 1_000)]).toEqual([0, 300]);
  });
});

test("expired entries are removed in time, and others kept", async () => {
  const { clock, memory, shared } = someMemory();
  const reads: string[] = [];
  await shared.swap("short", undefined, "v", 100);
  await shared.swap("long", undefined, "v", 100_000);
  await shared.take("few", 1, 100);
  await shared.take("many", 1, 100_000);
  await clock.advance(100);
  for (let change = 0; change < 2_000; change += 1) await shared.take(`k${change}`, 1, 1);
  reads.push((await shared.get("short")) ?? "gone", (await shared.get("long")) ?? "gone");
  expect(reads).toEqual(["gone", "v"]);
  expect([await shared.take("few", 1, 100), await shared.take("many", 1, 100_000)]).toEqual([0, 99_900]);
  expect(memory.open()).not.toBe(shared);
});

describe("shared messages", () => {
  test("are delivered in order, even if a listener publishes its own", async () => {
    const { memory, shared } = someMemory();
    const told: string[] = [];
    await shared.subscribe("t", (message) => {
      told.push(`first ${message}`);
      if (message === "a") void shared.publish("t", "b");
    });
    await memory.open().subscribe("t", (message) => void told.push(`second ${message}`));
    await shared.publish("t", "a");
    await shared.publish("nobody's", "c");
    expect(told).toEqual(["first a", "second a", "first b", "second b"]);
  });

  test("no longer reach a listener that stopped, but still the others", async () => {
    const { shared } = someMemory();
    const told: string[] = [];
    const stop = await shared.subscribe("t", (message) => void told.push(`first ${message}`));
    await shared.subscribe("t", (message) => void told.push(`second ${message}`));
    stop();
    await shared.publish("t", "a");
    expect(told).toEqual(["second a"]);
  });
});

test("a closed handle does nothing more, and its listeners get nothing; others continue", async () => {
  const { memory, shared } = someMemory();
  const other = memory.open();
  const told: string[] = [];
  await shared.subscribe("t", (message) => void told.push(`closed ${message}`));
  await other.subscribe("t", (message) => void told.push(`open ${message}`));
  await shared.close();
  const refused = [
    () => shared.get("k"),
    () => shared.swap("k", undefined, "v", null),
    () => shared.take("k", 1, 1),
    () => shared.publish("t", "a"),
    () => shared.subscribe("t", () => {}),
  ];
  for (const work of refused) {
    await expect(work()).rejects.toThrow(new AskboxError("STORE_UNAVAILABLE", "The shared state is closed; open it again."));
    await expect(work()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  }
  await other.publish("t", "b");
  expect([told, await other.get("k"), await other.take("k", 1, 1)]).toEqual([["open b"], undefined, 0]);
});
