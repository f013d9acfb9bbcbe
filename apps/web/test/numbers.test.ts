import { describe, expect, it } from "vitest";
import { dayStarts } from "../src/numbers/numbers-page.tsx";
import { countTicks, labelled } from "../src/numbers/plots.tsx";

const now = new Date(2026, 2, 31, 15, 0).getTime();

describe("the statistics", () => {
  it("count days by the calendar, even when clocks change", () => {
    const starts = dayStarts(7, now);
    expect(starts.map((start) => new Date(start).getDate())).toEqual([25, 26, 27, 28, 29, 30, 31]);
    expect(starts.every((start) => new Date(start).getHours() === 0)).toBe(true);
  });
});

describe("the scale of a plot", () => {
  it("has round steps up to the highest value", () => {
    expect(countTicks(1, 4)).toEqual([0, 1]);
    expect(countTicks(10, 4)).toEqual([0, 5, 10]);
    expect(countTicks(37, 4)).toEqual([0, 10, 20, 30, 40]);
  });

  it("labels only as many positions as fit, including the last", () => {
    expect(labelled(30, 4)).toEqual([5, 13, 21, 29]);
    expect(labelled(7, 10)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(labelled(7, 0)).toEqual([6]);
  });
});
