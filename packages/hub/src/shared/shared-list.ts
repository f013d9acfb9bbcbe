import { AskboxError, type SharedState } from "@askbox/core";
import type * as z from "zod";
import { listen } from "./listen.ts";

/** Far more attempts than there can be hubs writing at once. */
const maxTries = 100;

/** A short list that several hubs share under one key. Entries that this version cannot read are kept, but not returned. */
export interface SharedList<Item> {
  read(): Promise<Item[]>;
  /** The list itself, not to be changed: the same array until any hub has changed the list. Always current, and fast enough for each request. */
  current(): Promise<readonly Item[]>;
  /**
   * Writes what `next` returns for the list; undefined leaves it unchanged. `next` may be called again if another hub has changed the list.
   */
  change(next: (items: readonly Item[]) => readonly Item[] | undefined): Promise<Item[]>;
  /** Called after any hub has changed it; an event may be lost with a connection. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
}

export function sharedList<Schema extends z.ZodType>(shared: SharedState, key: string, schema: Schema): SharedList<z.output<Schema>> {
  type Item = z.output<Schema>;
  interface Parsed {
    version: string | undefined;
    text: string | undefined;
    items: Item[];
    strange: unknown[];
  }
  let last: Parsed | undefined;
  const parse = (text: string | undefined, version?: string): Parsed => {
    const stored: unknown = text === undefined ? [] : JSON.parse(text);
    const items: Item[] = [];
    const strange: unknown[] = [];
    for (const entry of Array.isArray(stored) ? stored : []) {
      const read = schema.safeParse(entry);
      if (read.success) items.push(read.data);
      else strange.push(entry);
    }
    return { version, text, items, strange };
  };
  /** Asks each time whether it has changed, so that a revoked token is rejected even if the event was lost; parses only what is new. */
  const load = async (): Promise<Parsed> => {
    const known = last;
    if (shared.getNewer === undefined) {
      const text = await shared.get(key);
      last = known !== undefined && known.text === text ? known : parse(text);
      return last;
    }
    const newer = await shared.getNewer(key, known?.version);
    if (newer === undefined && known !== undefined) return known;
    const isKnown = known !== undefined && known.text === newer?.value;
    last = isKnown ? { ...known, version: newer?.version } : parse(newer?.value, newer?.version);
    return last;
  };
  /** A hub that misses the event reads the list again later. */
  const tell = () => shared.publish(key, "").catch(() => {});
  return {
    read: async () => structuredClone((await load()).items),
    current: async () => (await load()).items,
    async change(next) {
      for (let tries = 0; tries < maxTries; tries += 1) {
        const { text: present, items, strange } = await load();
        const changed = next(items);
        if (changed === undefined) return structuredClone(items);
        const text = JSON.stringify([...strange, ...changed]);
        const isMade = await shared.swap(key, present, text, null).catch(async (error: unknown) => {
          // It may have been made without being confirmed.
          await tell();
          throw error;
        });
        if (!isMade) continue;
        // Its version is found out with the next read, which needs not parse it.
        last = { version: undefined, text, items: [...changed], strange };
        await tell();
        return [...changed];
      }
      throw new AskboxError("CONFLICT", "Other hubs kept changing the shared state at the same time; try again.");
    },
    subscribe: (listener) => listen(shared, key, () => listener()),
  };
}
