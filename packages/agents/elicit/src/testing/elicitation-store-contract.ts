import { assert, assertEqual, type ContractCase } from "@askbox/core/testing";
import type { ElicitationStore } from "../store/store.ts";

/** What the contract suite for `ElicitationStore` runs on. */
export interface ElicitationStoreHarness {
  /** A fresh, empty store. */
  open(): Promise<{
    store: ElicitationStore;
    /** The same store in another process; omitted if it cannot be shared. */
    another?: ElicitationStore;
    /** Advances the store's own clock by `ms`. */
    advance(ms: number): Promise<void>;
    close?(): Promise<void>;
  }>;
}

type Opened = Awaited<ReturnType<ElicitationStoreHarness["open"]>>;

const hour = 3_600_000;

const on = (name: string, run: (opened: Opened) => Promise<void>): ContractCase<ElicitationStoreHarness> => ({
  name,
  async run(harness) {
    const opened = await harness.open();
    try {
      await run(opened);
    } finally {
      await opened.close?.();
    }
  },
});

/** The contract of `ElicitationStore`, for any test framework. */
export const elicitationStoreContract: readonly ContractCase<ElicitationStoreHarness>[] = [
  on("returns undefined for an unknown key", async ({ store }) => {
    assertEqual(await store.get("a"), undefined, "an unknown key");
  }),
  on("returns exactly what was stored, including emoji and line breaks", async ({ store }) => {
    const value = `{"a":"\\u0000 ${"🦊".repeat(2_000)}\r\n\\"}`;
    assert(await store.replace("a", undefined, value, hour), "the first value must be taken");
    assertEqual(await store.get("a"), value, "the value");
    assertEqual(await store.get("b"), undefined, "another key");
  }),
  on("stores a first value only if there is none", async ({ store }) => {
    assert(await store.replace("a", undefined, "1", hour), "the first value must be taken");
    assert(!(await store.replace("a", undefined, "2", hour)), "a value that is there must not be overwritten by a first one");
    assertEqual(await store.get("a"), "1", "the value that stands");
  }),
  on("replaces a value only if the expected one is right", async ({ store }) => {
    await store.replace("a", undefined, "1", hour);
    assert(!(await store.replace("a", "0", "2", hour)), "a value that is not there must not be replaced");
    assert(await store.replace("a", "1", "2", hour), "the value that is there must be replaced");
    assert(!(await store.replace("a", "1", "3", hour)), "the value of before must not be replaced again");
    assertEqual(await store.get("a"), "2", "the value that stands");
  }),
  on("replaces nothing if there is no value", async ({ store }) => {
    assert(!(await store.replace("a", "1", "2", hour)), "an unknown key must not be replaced");
    assertEqual(await store.get("a"), undefined, "the key");
  }),
  on("lets exactly one of many concurrent replacements win", async ({ store, another = store }) => {
    await store.replace("a", undefined, "open", hour);
    const racers = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? store : another).replace("a", "open", `by ${index}`, hour));
    const won = (await Promise.all(racers)).flatMap((did, index) => (did ? [`by ${index}`] : []));
    assertEqual(won.length, 1, "the number of winners");
    assertEqual(await store.get("a"), won[0], "the value that stands");
  }),
  on("lets exactly one of many concurrent first values win", async ({ store, another = store }) => {
    const racers = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? store : another).replace("a", undefined, `${index}`, hour));
    assertEqual((await Promise.all(racers)).filter(Boolean).length, 1, "the number of winners");
  }),
  on("expires a value, and accepts a first one again", async ({ store, advance }) => {
    await store.replace("a", undefined, "1", 2_000);
    await advance(1_000);
    assertEqual(await store.get("a"), "1", "before its time is over");
    await advance(1_500);
    assertEqual(await store.get("a"), undefined, "after it");
    assert(!(await store.replace("a", "1", "2", hour)), "what is over must not be replaced");
    assert(await store.replace("a", undefined, "3", hour), "a first value must be taken again");
  }),
  on("restarts the time with each value", async ({ store, advance }) => {
    await store.replace("a", undefined, "1", 2_000);
    await advance(1_500);
    await store.replace("a", "1", "2", 2_000);
    await advance(1_500);
    assertEqual(await store.get("a"), "2", "within the time of the second");
  }),
  on("returns what another process has stored", async ({ store, another = store }) => {
    await store.replace("a", undefined, "1", hour);
    assertEqual(await another.get("a"), "1", "seen from the other");
    assert(await another.replace("a", "1", "2", hour), "the other must be able to replace it");
    assertEqual(await store.get("a"), "2", "seen from here");
  }),
];
