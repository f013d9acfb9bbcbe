import { fakeClock } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { InFlight } from "../../src/broker/waits.ts";

function aFlight() {
  const clock = fakeClock();
  const ended: string[] = [];
  const inFlight = new InFlight(clock, (id) => void ended.push(id));
  return { clock, ended, inFlight, ours: {}, theirs: {} };
}

describe("an outcome being delivered to a call", () => {
  test("is reserved for 5 s, and then available again", async () => {
    const { clock, ended, inFlight, ours } = aFlight();
    inFlight.begin("a", ours);
    await clock.advance(4_999);
    expect([inFlight.has("a"), inFlight.has("b"), ended]).toEqual([true, false, []]);
    await clock.advance(1);
    expect([inFlight.has("a"), ended]).toEqual([false, ["a"]]);
  });

  test("is reserved for 5 s from the latest handover", async () => {
    const { clock, ended, inFlight, ours } = aFlight();
    inFlight.begin("a", ours);
    await clock.advance(3_000);
    inFlight.begin("a", ours);
    await clock.advance(4_999);
    expect([inFlight.has("a"), clock.pendingTimers()]).toEqual([true, 1]);
    await clock.advance(1);
    expect(ended).toEqual(["a"]);
  });

  test("ends once, and clears its timer", () => {
    const { clock, ended, inFlight, ours } = aFlight();
    inFlight.begin("a", ours);
    inFlight.end("a");
    inFlight.end("a");
    inFlight.end("never begun");
    expect([ended, clock.pendingTimers(), inFlight.has("a")]).toEqual([["a"], 0, false]);
  });

  test("can only be returned by the call that has it", () => {
    const { ended, inFlight, ours, theirs } = aFlight();
    inFlight.begin("a", ours);
    inFlight.release("a", theirs);
    inFlight.release("b", ours);
    expect(ended).toEqual([]);
    inFlight.release("a", ours);
    expect(ended).toEqual(["a"]);
  });

  test("is available again when its holder leaves, and all are on close", () => {
    const { clock, ended, inFlight, ours, theirs } = aFlight();
    inFlight.begin("a", ours);
    inFlight.begin("b", theirs);
    inFlight.begin("c", ours);
    inFlight.endAllOf(ours);
    expect(ended).toEqual(["a", "c"]);
    inFlight.close();
    expect([ended, clock.pendingTimers()]).toEqual([["a", "c", "b"], 0]);
  });
});
