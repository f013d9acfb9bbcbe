/** Items in ascending order. Adding at the end, where new sessions go, costs nothing; finding a place is logarithmic. */
export class SortedList<Item> {
  readonly #compare: (left: Item, right: Item) => number;
  #items: Item[] = [];

  /** `compare` must tell any two different items apart. */
  constructor(compare: (left: Item, right: Item) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#items.length;
  }

  at(index: number): Item | undefined {
    return this.#items[index];
  }

  add(item: Item): void {
    this.#items.splice(
      this.countWhile((other) => this.#compare(other, item) < 0),
      0,
      item,
    );
  }

  remove(item: Item): void {
    const index = this.countWhile((other) => this.#compare(other, item) < 0);
    const found = this.#items[index];
    if (found !== undefined && this.#compare(found, item) === 0) this.#items.splice(index, 1);
  }

  /** Puts `after` in the place of `before`, to which it must compare as equal; undefined if that is not there. */
  replace(before: Item, after: Item): void {
    const index = this.countWhile((other) => this.#compare(other, before) < 0);
    const found = this.#items[index];
    if (found !== undefined && this.#compare(found, before) === 0) this.#items[index] = after;
  }

  /** How many items from the start satisfy a condition that, in this order, first holds and then never again. */
  countWhile(holds: (item: Item) => boolean): number {
    const last = this.#items.at(-1);
    if (last === undefined || holds(last)) return this.#items.length;
    let low = 0;
    let high = this.#items.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (holds(this.#items[middle] as Item)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
