/** A short stored list. */
export interface KeptList<Item> {
  read(): Promise<Item[]>;
  /**
   * Stores what `next` returns for the list; undefined leaves it unchanged. `next` may be called again if another process has changed the
   * list.
   */
  change(next: (items: readonly Item[]) => readonly Item[] | undefined): Promise<Item[]>;
}

/** A list in memory. With `save`, which receives the whole list before a change takes effect, it outlives the process. */
export function memoryList<Item extends object>(
  items: readonly Item[] = [],
  save: (items: Item[]) => Promise<void> = async () => {},
): KeptList<Item> {
  let known = [...items];
  /** Changes are sequential, so that none overwrites another. */
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
