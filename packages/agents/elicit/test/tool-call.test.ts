import { fakeClock } from "@askbox/core/testing";
import { expect, test } from "vitest";
import { heartbeatOf } from "../src/tool-call/tool-call.ts";

test("a heartbeat is sent at once, with every new message, then every 10 s, and progress always increases", async () => {
  const clock = fakeClock();
  const sent: [number, string][] = [];
  const heartbeat = heartbeatOf({ progressToken: 1, progress: async (...beat) => void sent.push(beat) }, clock, "one");
  expect(sent).toEqual([[1, "one"]]);
  await clock.advance(9_000);
  heartbeat.say("two");
  expect(sent).toEqual([
    [1, "one"],
    [2, "two"],
  ]);
  await clock.advance(10_000);
  expect(sent.at(-1)).toEqual([3, "two"]);
  heartbeat.stop();
  await clock.advance(100_000);
  expect(sent).toHaveLength(3);
  expect(clock.pendingTimers()).toBe(0);
});
