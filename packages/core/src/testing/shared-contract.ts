import type { SharedState } from "../ports/shared.ts";
import { assert, assertEqual, type ContractCase } from "./contract.ts";

/** What the author of a `SharedState` passes to `sharedContract`. */
export interface SharedHarness {
  /** Opens the same shared state again, like another hub; empty at first. The case closes what it opened. */
  open(): Promise<SharedState>;
  /** Waits `ms` milliseconds. */
  pass(ms: number): Promise<void>;
  /** Resolves once the condition holds; rejects if it never does. */
  until(condition: () => boolean | Promise<boolean>): Promise<void>;
}

const sharedCase = (name: string, run: (one: SharedState, other: SharedState, harness: SharedHarness) => Promise<void>) => ({
  name,
  async run(harness: SharedHarness) {
    const one = await harness.open();
    const other = await harness.open();
    try {
      await run(one, other, harness);
    } finally {
      await one.close();
      await other.close();
    }
  },
});

const hostile = `\u0000\u001b]0;\u0007{}[] *?"'\u202e${"😀".repeat(5_000)}`;

/** The contract of every shared state. Times are in the order of seconds, so that a real one can be tested too. */
export const sharedContract: readonly ContractCase<SharedHarness>[] = [
  sharedCase("a key has no value until it is set, and everybody then reads it", async (one, other) => {
    assertEqual(await one.get("key"), undefined, "what is there at first");
    assert(await one.swap("key", undefined, hostile, null), "it is given a value");
    assertEqual(await other.get("key"), hostile, "what another reads");
    assertEqual(await other.get("KEY"), undefined, "what another key has");
    assert(await one.swap("empty", undefined, "", null), "an empty text is a value");
    assertEqual([await other.get("empty"), await other.swap("empty", undefined, "x", null)], ["", false], "the empty value");
  }),

  sharedCase("a value is replaced or removed only if the expected value is right", async (one, other) => {
    await one.swap("key", undefined, "first", null);
    assertEqual(await other.swap("key", undefined, "mine", null), false, "for one who thinks that there is none");
    assertEqual(await other.swap("key", "second", "mine", null), false, "for one who thinks that it is another");
    assertEqual(await other.swap("key", "second", undefined, null), false, "removing what is not there");
    assertEqual(await other.swap("key", "first", "second", null), true, "for one who knows it");
    assertEqual(await one.get("key"), "second", "what is there then");
    assertEqual(await one.swap("key", "second", undefined, null), true, "removing it");
    assertEqual(await other.get("key"), undefined, "what is there after that");
  }),

  sharedCase("a value is read again only after a change, if the shared state knows its values' versions", async (one, other) => {
    if (one.getNewer === undefined) return;
    const none = await one.getNewer("key", undefined);
    assertEqual(none?.value, undefined, "what is there at first");
    assertEqual(await one.getNewer("key", none?.version), undefined, "nothing, still");
    await other.swap("key", undefined, hostile, null);
    const first = await one.getNewer("key", none?.version);
    assertEqual(first?.value, hostile, "a value that another has set");
    assertEqual(await one.getNewer("key", first?.version), undefined, "the same value");
    await other.swap("key", hostile, "second", null);
    await other.swap("key", "second", hostile, null);
    const again = await one.getNewer("key", first?.version);
    assertEqual(again?.value, hostile, "an equal value that was set later");
    await other.swap("key", hostile, undefined, null);
    const removed = await one.getNewer("key", again?.version);
    assertEqual([removed !== undefined, removed?.value], [true, undefined], "after it is removed");
  }),

  sharedCase("of many concurrent first values for a key, one succeeds", async (one, other) => {
    const tries = Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? one : other).swap("key", undefined, `${index}`, null));
    const won = (await Promise.all(tries)).flatMap((isFirst, index) => (isFirst ? [`${index}`] : []));
    assertEqual(won.length, 1, "how many succeeded");
    assertEqual(await one.get("key"), won[0], "whose value is there");
  }),

  sharedCase("a value expires, and lives on if it is replaced with itself", async (one, other, { pass }) => {
    await one.swap("short", undefined, "here", 1_500);
    await one.swap("renewed", undefined, "here", 1_500);
    assertEqual(await one.swap("renewed", "here", "here", 60_000), true, "renewing it");
    await pass(1_600);
    assertEqual([await other.get("short"), await other.get("renewed")], [undefined, "here"], "what is there when the first's time is over");
    assertEqual(await other.swap("short", "here", "again", null), false, "replacing what has ended");
    assertEqual(await other.swap("short", undefined, "again", null), true, "beginning again");
    assertEqual(await one.swap("renewed", "here", "kept", null), true, "keeping it for ever");
    assertEqual(await other.get("renewed"), "kept", "what is kept for ever");
  }),

  sharedCase("counts up to a limit in any window, across all handles", async (one, other, { pass }) => {
    const taken = [await one.take("asks", 3, 2_000), await other.take("asks", 3, 2_000), await one.take("asks", 3, 2_000)];
    assertEqual(taken, [0, 0, 0], "what fits");
    const rest = await other.take("asks", 3, 2_000);
    assert(rest >= 1 && rest <= 2_000, `how long it takes until one more fits: ${rest} ms`);
    assertEqual(await one.take("other", 3, 600), 0, "another key");
    await pass(2_100);
    assertEqual(await one.take("asks", 3, 2_000), 0, "after the window");
    const many = await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? one : other).take("race", 5, 60_000)));
    assertEqual(many.filter((wait) => wait === 0).length, 5, "how many of a race fit");
  }),

  sharedCase("messages reach every listener of their channel, in order, and no others", async (one, other, { until }) => {
    const received: string[][] = [[], [], []];
    await one.subscribe("topic", (message) => void received[0]?.push(message));
    const stop = await other.subscribe("topic", (message) => void received[1]?.push(message));
    await other.subscribe("elsewhere", (message) => void received[2]?.push(message));
    const said = [hostile, ...Array.from({ length: 50 }, (_, index) => `news ${index}`)];
    for (const message of said) await one.publish("topic", message);
    await until(() => received[0]?.length === said.length && received[1]?.length === said.length);
    assertEqual(received, [said, said, []], "what each hears");
    stop();
    await one.publish("topic", "last");
    await until(() => received[0]?.length === said.length + 1);
    assertEqual(received[1]?.length, said.length, "what one hears that has stopped");
  }),

  sharedCase("a failing listener does not keep a message from the others", async (one, other, { until }) => {
    const received: string[] = [];
    await one.subscribe("topic", () => {
      throw new Error("no");
    });
    await one.subscribe("topic", (message) => void received.push(message));
    await other.publish("topic", "first");
    await other.publish("topic", "second");
    await until(() => received.length === 2);
    assertEqual(received, ["first", "second"], "what is heard");
  }),
];
