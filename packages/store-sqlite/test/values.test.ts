import { existsSync, writeFileSync } from "node:fs";
import type { SharedState } from "@askbox/core";
import { keptRan, sharedMemory } from "@askbox/core/stores";
import { fakeClock, ranContract, sharedContract } from "@askbox/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { openSqliteValues } from "../src/index.ts";
import { freshPath } from "./temp-folder.ts";

/** The other half of the contract, counters and messages, uses shared memory here. */
function harness() {
  const clock = fakeClock();
  const path = freshPath();
  const memory = sharedMemory(clock);
  return {
    async open(): Promise<SharedState> {
      const { take, publish, subscribe, close } = memory.open();
      const values = await openSqliteValues({ path, now: clock.now });
      return { ...values, take, publish, subscribe, close: async () => void (await Promise.all([close(), values.close()])) };
    },
    pass: (ms: number) => clock.advance(ms),
    async until(condition: () => boolean | Promise<boolean>) {
      if (!(await condition())) throw new Error("It does not hold.");
    },
  };
}

for (const promise of sharedContract) test(`values on SQLite: ${promise.name}`, () => promise.run(harness()));

const openRan = async () => {
  const clock = fakeClock();
  const path = freshPath();
  const opened: { close(): Promise<void> }[] = [];
  const another = async () => {
    const values = await openSqliteValues({ path, now: clock.now });
    opened.push(values);
    return keptRan(values, { now: clock.now, keep: 86_400_000 });
  };
  const close = async () => void (await Promise.all(opened.map((values) => values.close())));
  return { ran: await another(), another, now: clock.now, pass: (ms: number) => clock.advance(ms), close };
};
for (const promise of ranContract) test(`what ran, over values on SQLite: ${promise.name}`, () => promise.run({ open: openRan }));

test("values are available to the next process that opens the file, until they expire", async () => {
  let now = 1_000;
  const path = freshPath();
  const one = await openSqliteValues({ path, now: () => now });
  await one.swap("key", undefined, "value", 1_000);
  // Opened while the first still has it open, as by a process that follows a killed one.
  const other = await openSqliteValues({ path, now: () => now });
  onTestFinished(() => other.close());
  expect(await other.get("key")).toBe("value");
  await one.close();
  await expect(one.get("key")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  now = 2_000;
  expect(await other.get("key")).toBeUndefined();
});

test("values that expire first are removed when the file is too large", async () => {
  const values = await openSqliteValues({ path: freshPath() });
  onTestFinished(() => values.close());
  const large = "x".repeat(1_048_576);
  for (let number = 0; number < 100; number += 1) await values.swap(`key ${number}`, undefined, large, 1_000_000 + number);
  expect(await values.get("key 0")).toBeUndefined();
  expect(await values.get("key 99")).toBe(large);
});

test("a damaged file is replaced, and an unwritable one is reported", async () => {
  const path = freshPath();
  writeFileSync(path, "this is no database at all, and was never one".repeat(100));
  const values = await openSqliteValues({ path });
  onTestFinished(() => values.close());
  expect(await values.swap("key", undefined, "value", null)).toBe(true);
  const nowhere = `${path}-folder/values.db`;
  await expect(openSqliteValues({ path: nowhere })).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  expect(existsSync(nowhere)).toBe(false);
});
