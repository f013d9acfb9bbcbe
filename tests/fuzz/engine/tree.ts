/** JSON as a tree that can also represent what JavaScript objects can't: duplicate keys, numbers out of range. */
export type Tree = { json: string } | { items: Tree[] } | { entries: [key: string, value: Tree][] };

export function treeOf(value: unknown): Tree {
  if (Array.isArray(value)) return { items: value.map(treeOf) };
  if (typeof value !== "object" || value === null) return { json: JSON.stringify(value ?? null) };
  return { entries: Object.entries(value).map(([key, inner]) => [key, treeOf(inner)]) };
}

export function textOf(tree: Tree): string {
  if ("json" in tree) return tree.json;
  if ("items" in tree) return `[${tree.items.map(textOf).join(",")}]`;
  return `{${tree.entries.map(([key, value]) => `${JSON.stringify(key)}:${textOf(value)}`).join(",")}}`;
}

export function copyOf(tree: Tree): Tree {
  if ("json" in tree) return { ...tree };
  if ("items" in tree) return { items: tree.items.map(copyOf) };
  return { entries: tree.entries.map(([key, value]) => [key, copyOf(value)]) };
}

/** A place in a tree that can be changed. */
export interface Slot {
  value: Tree;
  set(value: Tree): void;
  /** Changes the key; undefined if there is none. */
  rename(key: string): void;
  /** Replaces it with these: none, or itself twice. */
  splice(...values: Tree[]): void;
}

/** Every place in the tree except its root. */
export function slotsOf(tree: Tree): Slot[] {
  if ("json" in tree) return [];
  const own = "items" in tree ? tree.items.map(itemSlot(tree.items)) : tree.entries.map(entrySlot(tree.entries));
  return own.flatMap((slot) => [slot, ...slotsOf(slot.value)]);
}

const itemSlot =
  (items: Tree[]) =>
  (value: Tree, index: number): Slot => ({
    value,
    set(next) {
      items[index] = next;
    },
    rename() {},
    splice: (...values) => void items.splice(index, 1, ...values),
  });

const entrySlot =
  (entries: [string, Tree][]) =>
  ([key, value]: [string, Tree], index: number): Slot => ({
    value,
    set(next) {
      entries[index] = [key, next];
    },
    rename(next) {
      entries[index] = [next, value];
    },
    splice: (...values) => void entries.splice(index, 1, ...values.map((next): [string, Tree] => [key, next])),
  });
