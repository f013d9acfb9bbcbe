import { cut } from "@askbox/core/questions";
import { expect, test } from "vitest";

test.each([
  ["whole", 5, "…", "whole"],
  ["a long text", 6, "…", "a lon…"],
  ["a long text", 6, "", "a long"],
  ["a😀b", 3, "", "a😀"],
  ["a😀b", 2, "", "a"],
  ["a😀b", 3, "…", "a…"],
  ["😀😀", 3, "…", "😀…"],
  ["photo😀s.png", 10, ".png", "photo.png"],
  ["text", 0, "…", "…"],
])("%j has at most %i units, with %j at its end and no half character before it", (text, max, ending, kept) => {
  expect(cut(text, max, ending)).toBe(kept);
});
