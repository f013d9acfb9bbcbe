import { createChangeFeed, type StoreChange } from "@askbox/core/stores";
import { aRecord } from "@askbox/core/testing";
import { expect, test } from "vitest";

function aFeed() {
  const feed = createChangeFeed();
  const told: string[] = [];
  const listen = (name: string, then: (change: StoreChange) => void = () => {}) =>
    feed.subscribe((change) => {
      told.push(`${name} ${change.id}`);
      then(change);
    });
  return { feed, listen, told, publish: (id: string) => feed.publish({ id, revision: 1 }) };
}

test("every listener is told every change, in the order of publishing, also where a listener makes the next", () => {
  const { listen, publish, told } = aFeed();
  listen("first", ({ id }) => id === "a" && publish("b"));
  listen("second");
  publish("a");
  publish("c");
  expect(told).toEqual(["first a", "second a", "first b", "second b", "first c", "second c"]);
});

test("each is told of a record of its own, which is made only where somebody listens", () => {
  const { feed } = aFeed();
  let made = 0;
  const make = () => {
    made += 1;
    return aRecord();
  };
  feed.publish({ id: "a", revision: 1 }, make);
  expect(made).toBe(0);
  const seen: StoreChange[] = [];
  for (let listener = 0; listener < 2; listener += 1) feed.subscribe((change) => void seen.push(change));
  feed.publish({ id: "a", revision: 1 }, make);
  expect([made, seen]).toEqual([2, [1, 2].map(() => ({ id: "a", revision: 1, record: aRecord() }))]);
  expect(seen[0]?.record).not.toBe(seen[1]?.record);
  feed.publish({ id: "a", revision: 0 });
  expect(seen[2]).toStrictEqual({ id: "a", revision: 0 });
});

test("who unsubscribes while a change is told is told no more, and who fails keeps it from nobody", () => {
  const { listen, publish, told } = aFeed();
  listen("first", () => {
    stop();
    throw new Error("broken");
  });
  const stop = listen("second");
  listen("third");
  publish("a");
  expect(told).toEqual(["first a", "third a"]);
  publish("b");
  expect(told.slice(2)).toEqual(["first b", "third b"]);
});

test("nobody is told anything once it is closed, and what was published with nobody there is not told later", () => {
  const { feed, listen, publish, told } = aFeed();
  publish("a");
  listen("first");
  feed.close();
  publish("b");
  expect(told).toEqual([]);
});
