import { AskboxError, type SharedState } from "@askbox/core";
import type * as z from "zod";
import { listen } from "./listen.ts";

/** Far more attempts than there can be hubs writing at once. */
const maxTries = 100;

/** A short list that several hubs share under one key. Entries that this version cannot read are kept, but not returned. */
export interface SharedList<Item> {
  read(): Promise<Item[]>;
  /**
   * Writes what `next` returns for the list; undefined leaves it unchanged. `next` may be called again if another hub has changed the list.
   */
  change(next: (items: readonly Item[]) => readonly Item[] | undefined): Promise<Item[]>;
  /** Called after any hub has changed it; an event may be lost with a connection. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
}

export function sharedList<Schema extends z.ZodType>(shared: SharedState, key: string, schema: Schema): SharedList<z.output<Schema>> {
  type Item = z.output<Schema>;
  const parse = (text: string | undefined) => {
    const stored: unknown = text === undefined ? [] : JSON.parse(text);
    const items: Item[] = [];
    const strange: unknown[] = [];
    for (const entry of Array.isArray(stored) ? stored : []) {
      const read = schema.safeParse(entry);
      if (read.success) items.push(read.data);
      else strange.push(entry);
    }
    return { items, strange };
  };
  return {
    read: async () => parse(await shared.get(key)).items,
    async change(next) {
      for (let tries = 0; tries < maxTries; tries += 1) {
        const present = await shared.get(key);
        const { items, strange } = parse(present);
        const changed = next(items);
        if (changed === undefined) return items;
        if (!(await shared.swap(key, present, JSON.stringify([...strange, ...changed]), null))) continue;
        // A hub that misses the event reads the list again later.
        await shared.publish(key, "").catch(() => {});
        return [...changed];
      }
      throw new AskboxError("CONFLICT", "Other hubs kept changing the shared state at the same time; try again.");
    },
    subscribe: (listener) => listen(shared, key, () => listener()),
  };
}
