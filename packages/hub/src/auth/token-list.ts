import { timingSafeEqual } from "node:crypto";
import { type TokenRecord, type TokenStore, tokenRecordSchema } from "./token-record.ts";
import { touchTogether } from "./touch-together.ts";

/** Stores the tokens of one hub between its runs. */
export interface TokenStorage {
  /** The last saved entries; the reader skips invalid ones. */
  load(): readonly unknown[];
  /** Stores them where only the hub's owner can read them. Throws `STORE_UNAVAILABLE`. */
  save(tokens: readonly TokenRecord[]): void;
}

/** The tokens of one hub, in memory and, if given, in a storage. */
export function tokenList(storage: TokenStorage = { load: () => [], save: () => {} }): TokenStore {
  let tokens: readonly TokenRecord[] = storage.load().flatMap((stored) => tokenRecordSchema.safeParse(stored).data ?? []);
  const listeners = new Set<(id: string) => void>();
  /** Memory is updated only after saving, so that a failed save changes nothing. */
  const change = (changed: readonly TokenRecord[]) => {
    storage.save(changed);
    tokens = changed;
  };
  return {
    async find(hash) {
      const hashed = Buffer.from(hash);
      let found: TokenRecord | undefined;
      // No early return: the duration must not reveal which token nearly matched.
      for (const token of tokens) if (isEqual(Buffer.from(token.hash), hashed)) found = token;
      return found && { ...found };
    },
    list: async () => tokens.map((token) => ({ ...token })),
    async insert(record) {
      if (tokens.some(({ id, name, hash }) => id === record.id || name === record.name || hash === record.hash)) return false;
      change([...tokens, { ...record }]);
      return true;
    },
    async remove(id) {
      const left = tokens.filter((token) => token.id !== id);
      if (left.length === tokens.length) return false;
      change(left);
      for (const listener of [...listeners]) listener(id);
      return true;
    },
    touch: touchTogether(async (uses) => {
      if (!tokens.some(({ id }) => uses.has(id))) return;
      change(tokens.map((token) => (uses.has(token.id) ? { ...token, lastUsedAt: uses.get(token.id) ?? null } : token)));
    }),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const isEqual = (one: Buffer, other: Buffer) => one.length === other.length && timingSafeEqual(one, other);
