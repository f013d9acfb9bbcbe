import { expect, test } from "vitest";
import { wrap } from "../src/text/layout.ts";

test("no wrapped row starts with the space at which it was broken", () => {
  const full = "x".repeat(20);
  expect(wrap(`${full} tail`, 20, 0)).toBe(`${full}\ntail`);
  expect(wrap(`${full} tail`, 24, 4)).toBe(`${full}\n    tail`);
});

test("a line keeps its own indent", () => {
  expect(wrap("if (a)\n  b()", 40, 2)).toBe("if (a)\n    b()");
});
