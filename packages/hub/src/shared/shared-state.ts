// What several hubs over one store share: lists under one key that any of them may write, and over them agents, grants, login codes, browsers
// and tokens. A writer that was slower than another reads the list again and repeats its change; entries of a newer hub are kept unread.

import { randomBytes } from "node:crypto";
import { type Agents, AskboxError, type Clock, type Grants, type SharedState } from "@askbox/core";
import { grantSchema, registeredAgentSchema } from "@askbox/core/schemas";
import { keptAgents, keptGrants } from "@askbox/core/stores";
import * as z from "zod";
import { hashToken } from "../auth/access.ts";
import { type DeviceStorage, deviceRecordSchema } from "../auth/devices.ts";
import { inviteLifetime, type LoginCodes, lifetimeOf, useOf } from "../auth/login-codes.ts";
import { type TokenRecord, type TokenStore, tokenRecordSchema, touchTogether } from "../auth/named-tokens.ts";
import { listen } from "./listen.ts";

/** Far more attempts than there can be hubs writing at once. */
const maxTries = 100;

/** A short list that several hubs share under one key. Entries that this version cannot read are kept, but not returned. */
interface SharedList<Item> {
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

function sharedList<Schema extends z.ZodType>(shared: SharedState, key: string, schema: Schema): SharedList<z.output<Schema>> {
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

/** Registered agents shared by several hubs. */
export const sharedAgents = (shared: SharedState): Agents => keptAgents(sharedList(shared, "agents", registeredAgentSchema));

/** Grants shared by several hubs. */
export const sharedGrants = (shared: SharedState): Grants => keptGrants(sharedList(shared, "grants", grantSchema));

/** How long a code is remembered, in ms, so that the error can say what happened to it. */
const remembered = 3 * inviteLifetime;

const codeSchema = z.object({
  /** Wall time, ms since the epoch. */
  until: z.number(),
  used: z.boolean(),
  guarantor: z.object({ owner: z.string(), expiresAt: z.number().optional() }).optional(),
  person: z.string().optional(),
  machine: z.object({ scope: z.enum(["asker", "desk"]), name: z.string().optional() }).optional(),
});

/** Login codes created by one of several hubs and accepted by any of them, once. Stored as hashes. */
export function sharedCodes(shared: SharedState, clock: Clock): LoginCodes {
  /** Codes created here, by their owner. */
  const made = new Map<string, string>();
  const keyOf = (hash: string) => `login:${hash}`;
  return {
    create(login = {}) {
      const { guarantor } = login;
      const lifetime = lifetimeOf(login);
      const code = randomBytes(16).toString("base64url");
      const hash = hashToken(code);
      const expiresAt = clock.now() + lifetime;
      const value = JSON.stringify({ until: expiresAt, used: false, ...login });
      if (guarantor !== undefined) {
        made.set(hash, guarantor.owner);
        clock.setTimer(lifetime, () => made.delete(hash));
      }
      return { code, expiresAt, kept: shared.swap(keyOf(hash), undefined, value, remembered).then(() => {}) };
    },
    async redeem(code, use = "login") {
      const key = keyOf(hashToken(code));
      const present = await shared.get(key);
      if (present === undefined) return { verdict: "unknown" };
      const { until, used, ...login } = codeSchema.parse(JSON.parse(present));
      const { guarantor } = login;
      if (useOf(login) !== use) return { verdict: "unknown" };
      if (used) return { verdict: "used" };
      const end = Math.min(until, guarantor?.expiresAt ?? Number.POSITIVE_INFINITY);
      if (clock.now() >= end) return { verdict: "expired" };
      const isFirst = await shared.swap(key, present, JSON.stringify({ until, used: true, ...login }), remembered);
      return isFirst ? { verdict: "good", ...login } : { verdict: "used" };
    },
    forget(owner) {
      for (const [hash, by] of [...made]) {
        if (by !== owner) continue;
        made.delete(hash);
        const key = keyOf(hash);
        shared
          .get(key)
          .then((present) => present !== undefined && shared.swap(key, present, undefined, null))
          .catch(() => {});
      }
    },
  };
}

/** Logged-in browsers shared by several hubs. */
export function sharedDevices(shared: SharedState): DeviceStorage {
  const list = sharedList(shared, "devices", deviceRecordSchema);
  return {
    load: () => [],
    save: () => {},
    exchange({ put, removed, seen = [], kept = [] }) {
      if (put.length + removed.length + seen.length + kept.length === 0) return list.current();
      const changed = new Set([...removed, ...put.map(({ id }) => id)]);
      const seenAt = new Map(seen.map(({ id, lastSeenAt }) => [id, lastSeenAt]));
      return list.change((devices) => [
        ...devices
          .filter(({ id }) => !changed.has(id))
          .map((device) => ({
            ...device,
            lastSeenAt: Math.max(device.lastSeenAt, seenAt.get(device.id) ?? 0),
            ...kept.find(({ id }) => id === device.id),
          })),
        ...put,
      ]);
    },
    subscribe: (listener) => list.subscribe(listener),
  };
}

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
    async rename(id, name) {
      let isRenamed = false;
      await list.change((tokens) => {
        isRenamed = tokens.some((token) => token.id === id) && !tokens.some((token) => token.name === name && token.id !== id);
        return isRenamed ? tokens.map((token) => (token.id === id ? { ...token, name } : token)) : undefined;
      });
      return isRenamed;
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
