import { aRecord, fakeClock, settled } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { Handovers } from "../../src/broker/handover.ts";

function someHandovers() {
  const clock = fakeClock();
  const ended: string[] = [];
  const handovers = new Handovers(clock, (id) => void ended.push(id));
  const record = (id: string) => settled(aRecord({ id }));
  return { clock, ended, handovers, record, ours: {}, theirs: {} };
}

describe("an outcome on its way to a call", () => {
  test("is kept from others for 5 s, and is then free again", async () => {
    const { clock, ended, handovers, record, ours } = someHandovers();
    handovers.begin(record("a"), ours);
    await clock.advance(4_999);
    expect([handovers.has("a"), handovers.has("b"), ended]).toEqual([true, false, []]);
    await clock.advance(1);
    expect([handovers.has("a"), ended]).toEqual([false, ["a"]]);
  });

  test("has its 5 s from when it was last handed over", async () => {
    const { clock, ended, handovers, record, ours } = someHandovers();
    handovers.reserve("a", ours);
    await clock.advance(3_000);
    handovers.begin(record("a"), ours);
    await clock.advance(4_999);
    expect([handovers.has("a"), clock.pendingTimers()]).toEqual([true, 1]);
    await clock.advance(1);
    expect(ended).toEqual(["a"]);
  });

  test("is known to have its reply with it, or not, once it has begun", () => {
    const { handovers, record, ours } = someHandovers();
    expect(handovers.hasReply("a")).toBeUndefined();
    handovers.reserve("a", ours);
    expect(handovers.hasReply("a")).toBeUndefined();
    handovers.begin(record("a"), ours);
    expect(handovers.hasReply("a")).toBe(false);
    handovers.begin({ ...record("a"), reply: { answers: [], by: { surface: "web" }, at: 1 } }, ours);
    expect(handovers.hasReply("a")).toBe(true);
  });

  test("ends once, and takes its timer with it", async () => {
    const { clock, ended, handovers, record, ours } = someHandovers();
    handovers.begin(record("a"), ours);
    handovers.end("a");
    handovers.end("a");
    handovers.end("never begun");
    expect([ended, clock.pendingTimers(), handovers.has("a")]).toEqual([["a"], 0, false]);
  });

  test("is given back by the call that has it, and by no other", () => {
    const { ended, handovers, record, ours, theirs } = someHandovers();
    handovers.begin(record("a"), ours);
    handovers.release("a", theirs);
    handovers.release("b", ours);
    expect(ended).toEqual([]);
    handovers.release("a", ours);
    expect(ended).toEqual(["a"]);
  });

  test("is free again when whoever has it goes, and all of them are at the end", () => {
    const { clock, ended, handovers, record, ours, theirs } = someHandovers();
    handovers.begin(record("a"), ours);
    handovers.begin(record("b"), theirs);
    handovers.begin(record("c"), ours);
    handovers.endAllOf(ours);
    expect(ended).toEqual(["a", "c"]);
    handovers.close();
    expect([ended, clock.pendingTimers()]).toEqual([["a", "c", "b"], 0]);
  });
});
