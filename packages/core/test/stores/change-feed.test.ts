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

test("every listener gets every change in the order of publishing, even if a listener publishes the next", () => {
  const { listen, publish, told } = aFeed();
  listen("first", ({ id }) => id === "a" && publish("b"));
  listen("second");
  publish("a");
  publish("c");
  expect(told).toEqual(["first a", "second a", "first b", "second b", "first c", "second c"]);
});

test("each gets its own copy of the record, which is only created for listeners", () => {
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

test("a listener that unsubscribes during a change gets no more, and one that fails does not affect the others", () => {
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

test("nobody is notified after it is closed, or later of what was published without listeners", () => {
  const { feed, listen, publish, told } = aFeed();
  publish("a");
  listen("first");
  feed.close();
  publish("b");
  expect(told).toEqual([]);
});
