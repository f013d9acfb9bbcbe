import { fakeClock } from "@askbox/core/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Deadlines } from "../../src/broker/deadlines.ts";

function someDeadlines() {
  const clock = fakeClock({ now: 1_000_000 });
  const due: [id: string, overdue: number, at: number][] = [];
  const deadlines = new Deadlines(clock, (id, overdue) => void due.push([id, overdue, clock.monotonic()]));
  const set = (id: string, ms: number | null) => deadlines.set(id, ms === null ? null : clock.now() + ms);
  return { clock, deadlines, due, set, dueIds: () => due.map(([id]) => id) };
}

describe("deadlines", () => {
  test("expire in order, each at its time, whatever the order in which they were added", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ id: fc.nat(12), ms: fc.option(fc.integer({ min: -50, max: 900 })), isRemoved: fc.boolean() }), {
          maxLength: 40,
        }),
        async (told) => {
          const { clock, deadlines, due, set } = someDeadlines();
          const expected = new Map<string, number>();
          for (const { id, ms, isRemoved } of told) {
            if (isRemoved) deadlines.remove(`${id}`);
            else set(`${id}`, ms);
            if (isRemoved || ms === null) expected.delete(`${id}`);
            else expected.set(`${id}`, Math.max(0, ms));
          }
          await clock.advance(999);
          expect(new Map(due.map(([id, , at]) => [id, at]))).toEqual(expected);
          expect(due.map(([, , at]) => at)).toEqual([...expected.values()].sort((one, other) => one - other));
        },
      ),
    );
  });

  test("that have already passed expire at once, and report how long ago", async () => {
    const { clock, due, set } = someDeadlines();
    set("a", -250);
    await clock.advance(0);
    expect(due).toEqual([["a", 250, 0]]);
  });

  test("share one timer, and use none if there is nothing to wait for", () => {
    const { clock, deadlines, set } = someDeadlines();
    set("never", null);
    expect(clock.pendingTimers()).toBe(0);
    for (const [id, ms] of [
      ["c", 300],
      ["a", 100],
      ["b", 200],
    ] as const)
      set(id, ms);
    expect(clock.pendingTimers()).toBe(1);
    deadlines.remove("a");
    deadlines.remove("nobody");
    expect(clock.pendingTimers()).toBe(1);
    deadlines.remove("b");
    deadlines.remove("c");
    expect([clock.pendingTimers(), deadlines.size, deadlines.has("never")]).toEqual([0, 1, true]);
  });

  test("that could not be written expire again every second, and report how long ago they first passed", async () => {
    const { clock, deadlines, due, set } = someDeadlines();
    set("a", 100);
    await clock.advance(2_200);
    expect(due).toEqual([
      ["a", 0, 100],
      ["a", 1_000, 1_100],
      ["a", 2_000, 2_100],
    ]);
    deadlines.remove("a");
    await clock.advance(5_000);
    expect(due).toHaveLength(3);
  });

  test("that were moved start over, without the time since the old one passed", async () => {
    const { clock, due, set } = someDeadlines();
    set("a", 100);
    await clock.advance(100);
    set("a", 50);
    await clock.advance(50);
    expect(due).toEqual([
      ["a", 0, 100],
      ["a", 0, 150],
    ]);
  });

  test("that are postponed expire later, and still report how long ago they first passed", async () => {
    const { clock, deadlines, due, set } = someDeadlines();
    set("a", 100);
    await clock.advance(100);
    deadlines.defer("a", 300);
    deadlines.defer("nobody", 300);
    expect([deadlines.size, deadlines.remaining("a")]).toEqual([1, 300]);
    await clock.advance(400);
    expect(due).toEqual([
      ["a", 0, 100],
      ["a", 300, 400],
    ]);
  });

  test("that are added again unchanged stay where they are, even if the wall clock has jumped", async () => {
    const { clock, deadlines, due } = someDeadlines();
    const deadlineAt = clock.now() + 100;
    deadlines.set("a", deadlineAt);
    clock.jumpWall(60_000);
    deadlines.set("a", deadlineAt);
    expect(deadlines.remaining("a")).toBe(100);
    await clock.advance(100);
    expect(due).toEqual([["a", 0, 100]]);
  });

  test("report the time left: undefined if unknown, negative if they have passed", async () => {
    const { clock, deadlines, set } = someDeadlines();
    set("never", null);
    set("a", 100);
    expect([deadlines.remaining("nobody"), deadlines.remaining("never"), deadlines.remaining("a")]).toEqual([undefined, Infinity, 100]);
    deadlines.defer("a", -20);
    expect(deadlines.remaining("a")).toBe(-20);
    await clock.advance(0);
    expect(deadlines.remaining("a")).toBe(1_000);
  });

  test("postponed by another hub are taken over when they are seen", () => {
    const { clock, deadlines, set } = someDeadlines();
    set("a", 100);
    const now = clock.now();
    expect(deadlines.isPutOff("nobody", now + 500)).toBe(false);
    expect(deadlines.isPutOff("a", now + 100)).toBe(false);
    expect(deadlines.isPutOff("a", now)).toBe(false);
    expect(deadlines.isPutOff("a", now + 500)).toBe(true);
    expect(deadlines.remaining("a")).toBe(500);
    expect(deadlines.isPutOff("a", null)).toBe(true);
    expect(deadlines.remaining("a")).toBe(Infinity);
  });

  test("are all released on close", async () => {
    const { clock, deadlines, dueIds, set } = someDeadlines();
    set("a", 100);
    deadlines.close();
    expect([clock.pendingTimers(), deadlines.size, deadlines.has("a")]).toEqual([0, 0, false]);
    await clock.advance(1_000);
    expect(dueIds()).toEqual([]);
  });
});
