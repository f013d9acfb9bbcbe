import { timingSafeEqual } from "node:crypto";
import type { SharedState } from "@askbox/core";
import { type TokenStore, tokenRecordSchema } from "../auth/token-record.ts";
import { listen } from "./listen.ts";
import { sharedList } from "./shared-list.ts";

/** Named tokens shared by several hubs. They are looked up with each request, so a revoked token is rejected by all of them. */
export function sharedTokens(shared: SharedState): TokenStore {
  const list = sharedList(shared, "named-tokens", tokenRecordSchema);
  /** Removed by any hub; the message is the id. */
  const removals = "removed-tokens";
  return {
    async find(hash) {
      const given = Buffer.from(hash);
      let found: Awaited<ReturnType<typeof list.read>>[number] | undefined;
      // No early return: the timing must not reveal which token nearly matched.
      for (const token of await list.read()) if (isEqual(Buffer.from(token.hash), given)) found = token;
      return found;
    },
    list: () => list.read(),
    async insert(record) {
      let isNew = true;
      await list.change((tokens) => {
        isNew = !tokens.some(({ id, name, hash }) => id === record.id || name === record.name || hash === record.hash);
        return isNew ? [...tokens, record] : undefined;
      });
      return isNew;
    },
    async remove(id) {
      let isThere = false;
      await list.change((tokens) => {
        isThere = tokens.some((token) => token.id === id);
        return isThere ? tokens.filter((token) => token.id !== id) : undefined;
      });
      if (isThere) await shared.publish(removals, id).catch(() => {});
      return isThere;
    },
    async touch(id, at) {
      await list.change((tokens) =>
        tokens.some((token) => token.id === id && (token.lastUsedAt ?? 0) < at)
          ? tokens.map((token) => (token.id === id ? { ...token, lastUsedAt: at } : token))
          : undefined,
      );
    },
    subscribe(listener) {
      let isOver = false;
      let known: ReadonlySet<string> = new Set();
      // The event may be lost with a connection, so tokens are checked whenever the list changes, too.
      const compare = async () => {
        const present = new Set((await list.read()).map(({ id }) => id));
        for (const id of known) if (!present.has(id) && !isOver) listener(id);
        known = present;
      };
      const look = () => void compare().catch(() => {});
      const stopList = list.subscribe(look);
      look();
      const stopRemovals = listen(shared, removals, listener);
      return () => {
        isOver = true;
        stopList();
        stopRemovals();
      };
    },
  };
}

const isEqual = (one: Buffer, other: Buffer) => one.length === other.length && timingSafeEqual(one, other);
