/** A short list that is kept somewhere. */
export interface KeptList<Item> {
  read(): Promise<Item[]>;
  /** Writes what `next` makes of the list, unless it is undefined, which leaves it. `next` may be called again, where another process has changed the list meanwhile. */
  change(next: (items: readonly Item[]) => readonly Item[] | undefined): Promise<Item[]>;
}

/** A list in memory. With `save`, which is given all of it before a change counts, it outlives the process. */
export function memoryList<Item extends object>(
  items: readonly Item[] = [],
  save: (items: Item[]) => Promise<void> = async () => {},
): KeptList<Item> {
  let known = [...items];
  /** Changes are made one after the other, so that none is saved over another. */
  let last: Promise<unknown> = Promise.resolve();
  return {
    read: async () => known.map((item) => ({ ...item })),
    change(next) {
      const done = last.then(async () => {
        const changed = next(known);
        if (changed === undefined) return [...known];
        await save([...changed]);
        known = [...changed];
        return [...known];
      });
      last = done.catch(() => {});
      return done;
    },
  };
}
