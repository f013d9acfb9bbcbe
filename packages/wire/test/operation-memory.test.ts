import { fakeClock } from "@askbox/core/testing";
import { createOperationMemory } from "@askbox/wire";
import { describe, expect, test } from "vitest";

/** A memory, and how often each operation was run. */
function counted(options: { maxEntries?: number; maxSize?: number; ttl?: number } = {}) {
  const clock = fakeClock();
  const memory = createOperationMemory({ clock, ...options });
  const runs = new Map<string, number>();
  const run = (owner: string, op: string, reply = `{"result":"${op}"}`) =>
    memory.run(owner, op, async () => {
      runs.set(op, (runs.get(op) ?? 0) + 1);
      return reply;
    });
  return { clock, memory, run, times: (op: string) => runs.get(op) ?? 0 };
}

describe("what a hub remembers of operations", () => {
  // promise: operation-over-crash
  test("one that is repeated is carried out once, also while it still runs", async () => {
    const { run, times } = counted();
    expect(await Promise.all([run("o", "a"), run("o", "a")])).toEqual(['{"result":"a"}', '{"result":"a"}']);
    expect(await run("o", "a")).toBe('{"result":"a"}');
    expect(times("a")).toBe(1);
  });

  test("each owner has its own", async () => {
    const { run, times } = counted();
    await run("o", "a");
    await run("p", "a");
    expect(times("a")).toBe(2);
  });

  test("the oldest are forgotten when there are too many, or too much was said", async () => {
    const many = counted({ maxEntries: 2 });
    for (const op of ["a", "b", "c", "b", "a"]) await many.run("o", op);
    expect(["a", "b", "c"].map(many.times)).toEqual([2, 1, 1]);

    const much = counted({ maxSize: 10 });
    for (const op of ["a", "b", "a"]) await much.run("o", op, "12345678");
    expect(["a", "b"].map(much.times)).toEqual([2, 1]);
  });

  test("one owner cannot push out another's", async () => {
    const { run, times } = counted({ maxEntries: 2 });
    await run("o", "a");
    for (let n = 0; n < 10; n += 1) await run("p", `other-${n}`);
    await run("o", "a");
    expect(times("a")).toBe(1);
  });

  test("each is forgotten in time", async () => {
    const { clock, run, times } = counted({ ttl: 1_000 });
    await run("o", "a");
    await clock.advance(1_000);
    await run("o", "b");
    await run("o", "a");
    expect(times("a")).toBe(2);
  });

  test("one that runs is never forgotten, however many come after it", async () => {
    const { memory, run } = counted({ maxEntries: 1 });
    const slow = Promise.withResolvers<string>();
    const first = memory.run("o", "slow", () => slow.promise);
    for (const op of ["a", "b", "c"]) await run("o", op);
    const second = memory.run("o", "slow", async () => "again");
    slow.resolve("once");
    expect(await Promise.all([first, second])).toEqual(["once", "once"]);
  });
});
