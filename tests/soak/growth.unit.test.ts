import { expect, test } from "vitest";
import { growthOf, type Point } from "./growth.ts";

const bound = { perThousand: 10, least: 5 };

/** Points every 100 calls. */
const series = (count: number, value: (index: number) => number): Point[] =>
  Array.from({ length: count }, (_, index) => ({ calls: index * 100, value: value(index) }));

/** Up to 1 in either direction, the same in every run. */
const noise = (index: number) => Math.sin(index * 12.9898) * Math.cos(index * 78.233);

test("fluctuation around a constant does not count as growth", () => {
  const { isGrowing, perThousand } = growthOf(
    series(30, (index) => 500 + 50 * noise(index)),
    bound,
  );
  expect(isGrowing).toBe(false);
  expect(Math.abs(perThousand)).toBeLessThan(10);
});

test("a leak hidden in noise is found, with its size", () => {
  const { isGrowing, perThousand, steadiness } = growthOf(
    series(30, (index) => 500 + 2 * index + 10 * noise(index)),
    bound,
  );
  expect(isGrowing).toBe(true);
  expect(perThousand).toBeGreaterThan(17);
  expect(perThousand).toBeLessThan(23);
  expect(steadiness).toBeGreaterThan(0.5);
});

test("a single burst, at either end, does not matter", () => {
  for (const at of [0, 15, 29]) {
    expect(
      growthOf(
        series(30, (index) => (index === at ? 5_000 : 500 + noise(index))),
        bound,
      ).isGrowing,
    ).toBe(false);
  }
});

test("a single step does not count as growth, such as a pool that was enlarged once", () => {
  expect(
    growthOf(
      series(30, (index) => (index < 8 ? 500 : 520) + noise(index)),
      bound,
    ).isGrowing,
  ).toBe(false);
});

test("steady growth within the limit, or of a negligible amount, is accepted", () => {
  expect(
    growthOf(
      series(30, (index) => 0.9 * index),
      bound,
    ).isGrowing,
  ).toBe(false);
  expect(
    growthOf(
      series(30, (index) => 1.1 * index),
      bound,
    ).isGrowing,
  ).toBe(true);
  expect(
    growthOf(
      series(30, (index) => 1.1 * index),
      { ...bound, least: 50 },
    ).isGrowing,
  ).toBe(false);
});

test("shrinking does not count as growth", () => {
  expect(
    growthOf(
      series(30, (index) => 500 - 3 * index),
      bound,
    ),
  ).toMatchObject({ isGrowing: false, steadiness: -1 });
});

test("too few points, or points without calls, prove nothing", () => {
  expect(() =>
    growthOf(
      series(9, () => 1),
      bound,
    ),
  ).toThrow("here are 9");
  expect(() =>
    growthOf(
      Array.from({ length: 12 }, () => ({ calls: 5, value: 1 })),
      bound,
    ),
  ).toThrow("there were none");
});
