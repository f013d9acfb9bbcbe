import { timingSafeEqual } from "node:crypto";
import type { SharedState } from "@askbox/core";
import { type TokenStore, tokenRecordSchema } from "../auth/token-record.ts";
import { listen } from "./listen.ts";
import { sharedList } from "./shared-list.ts";

/** The named tokens of several hubs, which all of them take, and none once it is revoked: they are looked up with each request. */
export function sharedTokens(shared: SharedState): TokenStore {
  const list = sharedList(shared, "named-tokens", tokenRecordSchema);
  /** Removed, by whichever hub; the id is the message. */
  const removals = "removed-tokens";
  return {
    async find(hash) {
      const given = Buffer.from(hash);
      let found: Awaited<ReturnType<typeof list.read>>[number] | undefined;
      // No early end: how long it takes must not tell which token came close.
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
      // The news may be lost with a connection, so what is there is looked at as well whenever the list has changed.
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
