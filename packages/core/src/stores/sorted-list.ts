/** Items in ascending order. Appending, as for new sessions, is cheap; finding a position is logarithmic. */
export class SortedList<Item> {
  readonly #compare: (left: Item, right: Item) => number;
  #items: Item[] = [];

  /** `compare` must distinguish any two different items. */
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

  /** Replaces `before` with `after`, which must compare as equal; returns undefined if it is not there. */
  replace(before: Item, after: Item): void {
    const index = this.countWhile((other) => this.#compare(other, before) < 0);
    const found = this.#items[index];
    if (found !== undefined && this.#compare(found, before) === 0) this.#items[index] = after;
  }

  /** How many leading items satisfy a condition that, in this order, is first true and then false. */
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
