import fc from "fast-check";
import { oddText, oddTree } from "./odd.ts";
import { copyOf, type Slot, slotsOf, type Tree, textOf, treeOf } from "./tree.ts";

/** A relative position in a sample. `fc.double` won't do: it treats all exponents alike, so nearly all of its numbers are close to 0. */
export const place = fc.noBias(fc.integer({ min: 0, max: 9_999 })).map((part) => part / 10_000);

type Change = (slot: Slot, tree: Tree) => void;

/** Mutations of one place in a valid sample. */
const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 6,
    arbitrary: oddTree.map(
      (value): Change =>
        (slot) =>
          slot.set(copyOf(value)),
    ),
  },
  { weight: 3, arbitrary: fc.constant<Change>((slot) => slot.splice()) },
  { weight: 2, arbitrary: fc.constant<Change>((slot) => slot.splice(slot.value, copyOf(slot.value))) },
  {
    weight: 2,
    arbitrary: oddText.map(
      (key): Change =>
        (slot) =>
          slot.rename(key),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(oddText, oddTree).map(
      ([key, value]): Change =>
        (slot) =>
          add(slot, key, value),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Change>((slot) => slot.set({ items: [slot.value] })) },
  { weight: 1, arbitrary: fc.constant<Change>((slot) => slot.set({ entries: [["value", slot.value]] })) },
  {
    weight: 2,
    arbitrary: place.map(
      (place): Change =>
        (slot, tree) => {
          const other = pick(slotsOf(tree), place);
          if (other !== undefined) slot.set(copyOf(other.value));
        },
    ),
  },
);

function add({ value }: Slot, key: string, added: Tree): void {
  if ("items" in value) value.items.push(copyOf(added));
  else if ("entries" in value) value.entries.push([key, copyOf(added)]);
}

const pick = <Item>(items: readonly Item[], place: number): Item | undefined =>
  items[Math.min(items.length - 1, Math.floor(place * items.length))];

const changes = fc.array(fc.tuple(place, change), { minLength: 0, maxLength: 4 });

/** Mutations of the text itself: something removed, something inserted. */
const edits = fc.array(
  fc.record({
    place,
    cut: fc.nat(12),
    put: fc.oneof(oddText, fc.constantFrom("{", "}", "[", "]", '"', ",", ":", "\\", "\\ud800", "//", "/*", "#", "=", "\u0000")),
  }),
  { maxLength: 2 },
);

/** A mutation may have made a value huge by nesting it in itself, which can't be shrunk. */
const maxTextLength = 200_000;

/** One of the valid samples as JSON text, with some mutations. Placeholders in it must be expanded (see `writeOut`). */
export function mutated(samples: readonly unknown[], { damage = 0.2 }: { damage?: number } = {}): fc.Arbitrary<string> {
  const trees = samples.map(treeOf);
  const structured = fc.tuple(fc.nat(trees.length - 1), changes).map(([index, made]) => {
    const root: Tree = { items: [copyOf(trees[index] ?? { json: "null" })] };
    for (const [place, apply] of made) {
      const slot = pick(slotsOf(root), place);
      if (slot !== undefined) apply(slot, root);
    }
    const text = textOf(root.items[0] ?? { json: "null" });
    return text.length > maxTextLength ? textOf(trees[index] ?? { json: "null" }) : text;
  });
  const broken = fc.tuple(structured, edits).map(([text, made]) => made.reduce(edited, text));
  return fc.oneof({ weight: 10 - damage * 10, arbitrary: structured }, { weight: damage * 10, arbitrary: broken });
}

/** A valid message in which only one part is mutated, the one that its reader checks last. `place` marks the part's position. */
export function mutatedPart(message: unknown, part: unknown, place = "@@part@@"): fc.Arbitrary<string> {
  const text = JSON.stringify(message);
  return mutated([part], { damage: 0 }).map((changed) => text.replace(JSON.stringify(place), () => changed));
}

/** Text that is not JSON, with pieces removed and inserted. */
export function mutatedText(samples: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    {
      weight: 5,
      arbitrary: fc.tuple(fc.constantFrom(...samples), edits, edits).map(([text, one, other]) => [...one, ...other].reduce(edited, text)),
    },
    { weight: 1, arbitrary: oddText },
  );
}

function edited(text: string, { place, cut, put }: { place: number; cut: number; put: string }): string {
  const at = Math.floor(place * (text.length + 1));
  return text.slice(0, at) + put + text.slice(at + cut);
}
