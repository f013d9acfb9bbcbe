import { backOff } from "@askbox/core/transport";
import { expect, test } from "vitest";

test("the pause doubles with each failure up to the longest, however many there are", () => {
  const pauses = [0, 1, 2, 5, 6, 100_000].map((failures) => backOff({ first: 100, max: 5_000 }, failures));
  expect(pauses).toEqual([100, 200, 400, 3_200, 5_000, 5_000]);
});
