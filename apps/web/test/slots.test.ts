import { expect, it } from "vitest";
import { placed } from "../src/session/slots.ts";

it("keeps each in its place until it goes, and gives a new one the lowest that is free", () => {
  const steps = [["a"], ["a", "b"], ["a", "b", "c"], ["b", "c"], ["b", "c", "d"], ["d", "c"], []];
  let places: ReadonlyMap<string, number> = new Map();
  const seen = steps.map((keys) => {
    places = placed(keys, places);
    return Object.fromEntries(places);
  });
  expect(seen).toEqual([{ a: 0 }, { a: 0, b: 1 }, { a: 0, b: 1, c: 2 }, { b: 1, c: 2 }, { b: 1, c: 2, d: 0 }, { c: 2, d: 0 }, {}]);
});
