import { AskboxError, type SharedState } from "@askbox/core";
import type * as z from "zod";
import { listen } from "./listen.ts";

/** Far more tries than hubs that could be writing at once. */
const maxTries = 100;

/** A short list that several hubs keep together, under one key. Entries that this version cannot read are left as they are, and out. */
export interface SharedList<Item> {
  read(): Promise<Item[]>;
  /** Writes what `next` makes of the list, unless it is nothing, which leaves it. `next` may be called again, with what another hub has made of the list. */
  change(next: (items: readonly Item[]) => readonly Item[] | undefined): Promise<Item[]>;
  /** Told after another hub, or this one, has changed it; a message may be lost with a connection. Returns how to stop. */
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
        // Whoever misses it looks again by itself.
        await shared.publish(key, "").catch(() => {});
        return [...changed];
      }
      throw new AskboxError("CONFLICT", "What the hubs share kept changing while it was being written; try again.");
    },
    subscribe: (listener) => listen(shared, key, () => listener()),
  };
}
