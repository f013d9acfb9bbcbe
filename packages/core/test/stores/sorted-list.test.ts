import fc from "fast-check";
import { expect, test } from "vitest";
import { SortedList } from "../../src/stores/memory-index.ts";

interface Item {
  key: number;
  mark: string;
}

const work = fc.array(fc.record({ what: fc.constantFrom("add", "remove", "replace"), key: fc.nat(15) }), { maxLength: 60 });

test("a sorted list behaves like a sorted array, after any operations", () => {
  fc.assert(
    fc.property(work, (steps) => {
      const list = new SortedList<Item>((left, right) => left.key - right.key);
      const model = new Map<number, Item>();
      for (const [index, { what, key }] of steps.entries()) {
        const item = { key, mark: `${index}` };
        const isThere = model.has(key);
        if (what === "add" && !isThere) list.add(item);
        if (what === "remove") list.remove(item);
        if (what === "replace") list.replace({ key, mark: "" }, item);
        if (what === "remove") model.delete(key);
        else if (isThere === (what === "replace")) model.set(key, item);
        const expected = [...model.values()].sort((left, right) => left.key - right.key);
        expect(Array.from({ length: list.size }, (_, place) => list.at(place))).toEqual(expected);
        expect(list.at(list.size)).toBeUndefined();
        for (let bound = -1; bound <= 16; bound += 1) {
          expect(list.countWhile((other) => other.key < bound)).toBe(expected.filter((other) => other.key < bound).length);
        }
      }
    }),
  );
});

test("adding in order compares each new item only with the last one, and finding a position takes few comparisons", () => {
  let compared = 0;
  const list = new SortedList<number>((left, right) => {
    compared += 1;
    return left - right;
  });
  for (let item = 0; item < 1_000; item += 1) list.add(item);
  expect(compared).toBe(999);
  compared = 0;
  list.remove(500);
  expect(compared).toBeLessThan(15);
});
