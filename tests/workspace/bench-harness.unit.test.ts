import { describe, expect, test } from "vitest";
import { againstFloor, atMost, atMostBeyond, interleave, median, percentile } from "../../bench/harness.ts";

describe("the benchmark harness", () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);

  test("calculates percentiles by nearest rank, whatever the order", () => {
    expect([percentile(hundred, 0), median(hundred), percentile(hundred, 0.99), percentile(hundred, 1)]).toEqual([1, 50, 99, 100]);
    expect(() => median([])).toThrow("no values");
  });

  test("measures floor and askbox in turns, and discards the warm-up rounds", async () => {
    const turns: string[] = [];
    const turn = (who: string) => async () => turns.push(who);
    const measured = await interleave(2, { floor: turn("floor"), askbox: turn("askbox") }, 1);
    expect(turns).toEqual(["floor", "askbox", "floor", "askbox", "floor", "askbox"]);
    expect(measured).toEqual({ floor: [3, 5], askbox: [4, 6] });
  });

  test("reports a missed limit, in either direction", () => {
    const row = { id: "a-row", name: "a row", floor: 2, unit: "ms" };
    expect(againstFloor({ ...row, askbox: 3 }, { atMost: 1.5 })).toMatchObject({ ratio: 1.5, ok: true });
    expect(againstFloor({ ...row, askbox: 3.1 }, { atMost: 1.5 })).toMatchObject({ ok: false });
    expect(againstFloor({ ...row, askbox: 1.2 }, { atLeast: 0.6 })).toMatchObject({ ok: true });
    expect(againstFloor({ ...row, askbox: 1.1 }, { atLeast: 0.6 })).toMatchObject({ ok: false });
    expect(atMost({ ...row, askbox: 25 }, 25)).toMatchObject({ ratio: 12.5, ok: true });
    expect([atMostBeyond({ ...row, askbox: 4 }, 2).ok, atMostBeyond({ ...row, askbox: 4.1 }, 2).ok]).toEqual([true, false]);
    expect([atMost({ ...row, askbox: 25 }, 25).ok, atMost({ ...row, askbox: 26 }, 25).ok]).toEqual([true, false]);
  });
});
