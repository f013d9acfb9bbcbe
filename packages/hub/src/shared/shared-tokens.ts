import type { SharedState } from "@askbox/core";
import { type TokenRecord, type TokenStore, tokenRecordSchema } from "../auth/token-record.ts";
import { touchTogether } from "../auth/touch-together.ts";
import { listen } from "./listen.ts";
import { sharedList } from "./shared-list.ts";

/**
 * Named tokens shared by several hubs. Each request asks whether the list has changed, so a revoked token is rejected by all hubs at once;
 * the list is read and parsed only after a change.
 */
export function sharedTokens(shared: SharedState): TokenStore {
  const list = sharedList(shared, "named-tokens", tokenRecordSchema);
  /** Removed by any hub; the message is the id. */
  const removals = "removed-tokens";
  /** The records by hash, of this list. A hash reveals nothing of its token, however long finding it takes. */
  let indexed: { of: readonly TokenRecord[]; byHash: ReadonlyMap<string, TokenRecord> } | undefined;
  return {
    async find(hash) {
      const records = await list.current();
      if (indexed?.of !== records) indexed = { of: records, byHash: new Map(records.map((record) => [record.hash, record])) };
      const found = indexed.byHash.get(hash);
      return found && { ...found };
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
    touch: touchTogether(async (uses) => {
      await list.change((tokens) => {
        const isLater = ({ id, lastUsedAt }: TokenRecord) => (uses.get(id) ?? 0) > (lastUsedAt ?? 0);
        if (!tokens.some(isLater)) return undefined;
        return tokens.map((token) => (isLater(token) ? { ...token, lastUsedAt: uses.get(token.id) ?? null } : token));
      });
    }),
    subscribe(listener) {
      let isOver = false;
      let known: ReadonlySet<string> = new Set();
      // The event may be lost with a connection, so tokens are checked whenever the list changes, too.
      const compare = async () => {
        const present = new Set((await list.current()).map(({ id }) => id));
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
