import { AskboxError, type Draft, type Log, type SessionStore, silentLog } from "@askbox/core";
import { entryConflict } from "@askbox/core/audit";
import { createChangeFeed, type InsertResult, removalTimes, type StoreQuery } from "@askbox/core/stores";
import { RedisFeed } from "./feed.ts";
import type { RedisMeter } from "./link.ts";
import { Lister } from "./lister.ts";
import { storeError } from "./redis-error.ts";
import { type RedisTarget, readRedisUrl } from "./redis-url.ts";
import { scripts } from "./scripts.ts";
import { SearchIndexer } from "./search-index.ts";
import { RedisServer } from "./server.ts";
import {
  draftOf,
  entriesOf,
  entryArguments,
  exact,
  factsOf,
  fromExact,
  keyList,
  keysOf,
  newWrite,
  recordOf,
  storedSession,
} from "./values.ts";
import type { RedisDurability } from "./writer.ts";

/** Options of the Redis store. */
export interface RedisStoreOptions {
  /** Such as `redis://user:password@host:6379/0?prefix=team-a`; see `readRedisUrl`. */
  url: string;
  log?: Log | undefined;
  /** Told of its connections and commands. */
  meter?: RedisMeter | undefined;
}

export interface RedisStore extends SessionStore, AsyncDisposable {
  /** According to the server's current settings, which are read on each new connection. */
  readonly durability: RedisDurability;
  /** The server's address without secrets. */
  readonly label: string;
  check(): Promise<void>;
}

/** How many sessions one script removes, so that a long cleanup does not block other work. */
const removedAtOnce = 200;

type Made = ["done", number] | ["present", string] | ["no"] | ["stale"];

/**
 * Opens a store on Redis (6.2 or newer) or Valkey. Any number of processes may open the same space; each receives the changes of the
 * others. Throws `VALIDATION` for an invalid URL, and `STORE_UNAVAILABLE` if the server is not usable now. After that it reconnects by
 * itself.
 *
 * @example
 * ```ts
 * import { createBroker, standardPlatform } from "@askbox/core";
 * import { openRedisStore } from "@askbox/store-redis";
 *
 * const store = await openRedisStore({ url: "redis://127.0.0.1:6379/0?prefix=my-app" });
 * const broker = await createBroker({ store, ...standardPlatform(globalThis) });
 * ```
 */
export async function openRedisStore(options: RedisStoreOptions): Promise<RedisStore> {
  return openStoreAt(readRedisUrl(options.url), options.log ?? silentLog, options.meter);
}

/** Reads a server's persistence settings without opening a store. Throws like `openRedisStore`. */
export async function inspectRedis({ url }: Pick<RedisStoreOptions, "url">): Promise<RedisDurability> {
  const target = readRedisUrl(url);
  const server = new RedisServer({ target, keys: keyList(keysOf(target.prefix)), log: silentLog });
  try {
    return await server.inspect();
  } catch (thrown) {
    throw storeError(thrown, target.label);
  } finally {
    await server.close();
  }
}

async function openStoreAt(target: RedisTarget, log: Log, meter: RedisMeter | undefined): Promise<RedisStore> {
  const { label } = target;
  const keys = keysOf(target.prefix);
  const server = new RedisServer({ target, keys: keyList(keys), log, meter });
  const { reader, writer, hastyWriter, feedLink } = server;
  const feed = createChangeFeed();
  const indexer = new SearchIndexer({ link: reader, writer: hastyWriter, keys, log });
  const changes = new RedisFeed({
    link: feedLink,
    changesKey: keys.changes,
    sessionsKey: keys.sessions,
    closingsKey: keys.closings,
    feed: {
      publish(...change) {
        indexer.noted();
        feed.publish(...change);
      },
    },
    log,
  });
  const lister = new Lister({ link: reader, keys, log, isBehind: () => indexer.start() });
  let closed = false;

  const inStore = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (closed) throw new AskboxError("STORE_UNAVAILABLE", `The store at ${label} is closed; open it again.`);
    try {
      return await work();
    } catch (thrown) {
      throw storeError(thrown, label);
    }
  };
  const told = (id: string, change: number, write: string, record: { revision: number; state: string }, body: string) => {
    // If it turned out to have been made before, the stream publishes it.
    if (change > 0) changes.apply(id, change, { revision: record.revision, write, isPending: record.state === "pending", body });
  };

  try {
    await server.start(() => changes.connected());
    await changes.start();
    indexer.start();
  } catch (thrown) {
    await server.close();
    throw storeError(thrown, label);
  }

  return {
    label,

    get durability() {
      return server.durability;
    },

    insert: (record, { entry } = {}) =>
      inStore(async (): Promise<InsertResult> => {
        const { id, revision } = record;
        const write = newWrite();
        const body = JSON.stringify(record);
        const told_ = { revision, state: record.state };
        const reply = await writer.run<Made>(scripts.insert, [
          exact(id),
          String(revision),
          write,
          factsOf(record),
          body,
          ...entryArguments(entry),
        ]);
        if (reply[0] === "stale") throw entryConflict();
        if (reply[0] === "present") return { inserted: false, existing: recordOf(storedSession(reply[1]).body) };
        told(id, Number(reply[1]), write, told_, body);
        return { inserted: true };
      }),

    get: (id) =>
      inStore(async () => {
        const value = await reader.send<string | null>(["HGET", keys.sessions, exact(id)]);
        return value === null ? undefined : recordOf(storedSession(value).body);
      }),

    replace: (record, expectedRevision, { entry } = {}) =>
      inStore(async () => {
        const { id, revision, state } = record;
        const write = newWrite();
        const body = JSON.stringify(record);
        const args = [exact(id), String(expectedRevision), String(revision), write, factsOf(record), body, ...entryArguments(entry)];
        const reply = await writer.run<Made>(scripts.replace, args);
        if (reply[0] === "stale") throw entryConflict();
        if (reply[0] !== "done") return false;
        told(id, reply[1], write, { revision, state }, body);
        return true;
      }),

    list: (query: StoreQuery) => inStore(() => lister.list(query)),

    count: (query) => inStore(() => lister.count(query)),

    tally: (days) => inStore(() => lister.tally(days)),

    due: (until, limit) =>
      inStore(async () => {
        if (limit <= 0) return [];
        const reply = await reader.send<string[]>([
          ...["ZRANGEBYSCORE", keys.deadlines, "-inf", score(until), "WITHSCORES", "LIMIT", "0", String(Math.floor(limit))],
        ]);
        const due: { id: string; deadlineAt: number }[] = [];
        for (let at = 0; at + 1 < reply.length; at += 2) due.push({ id: fromExact(String(reply[at])), deadlineAt: Number(reply[at + 1]) });
        return due;
      }),

    remove: (filter) =>
      inStore(async () => {
        const { delivered, undelivered, unseen } = removalTimes(filter);
        const times = [unseen, undelivered, delivered, unseen].map(score);
        let removed = 0;
        let kept = 0;
        for (;;) {
          const [, keptNow, ...gone] = await writer.run<["done", number, ...(string | number)[]]>(scripts.remove, [
            ...times,
            ...[kept, removedAtOnce].map(String),
          ]);
          kept += keptNow;
          for (let at = 0; at + 1 < gone.length; at += 2) {
            changes.apply(fromExact(String(gone[at + 1])), Number(gone[at]), { revision: 0, write: "-", isPending: false });
            removed += 1;
          }
          if (keptNow + gone.length / 2 < removedAtOnce) return removed;
        }
      }),

    audit: {
      last: () => inStore(async () => entriesOf(await reader.send(["XREVRANGE", keys.audit, "+", "-", "COUNT", "1"]))[0]),
      list: (after, limit) =>
        inStore(async () => entriesOf(await reader.send(["XRANGE", keys.audit, `(${after}-0`, "+", "COUNT", String(limit)]))),
    },

    getDraft: (sessionId) =>
      inStore(async () => {
        const value = await reader.send<string | null>(["HGET", keys.drafts, exact(sessionId)]);
        return value === null ? undefined : draftOf(value);
      }),

    putDraft: (draft: Draft, expectedRevision) =>
      inStore(async () => {
        const args = [exact(draft.sessionId), String(expectedRevision), String(draft.revision), newWrite(), JSON.stringify(draft)];
        const [verdict] = await writer.run<["done"] | ["no"]>(scripts.putDraft, args);
        return verdict === "done";
      }),

    removeDraft: (sessionId) =>
      inStore(async () => {
        await writer.run<["done"]>(scripts.removeDraft, [exact(sessionId)]);
      }),

    listDrafts: () =>
      inStore(async () => {
        const values = await reader.send<string[]>(["HVALS", keys.drafts]);
        const drafts = values.flatMap((value) => {
          try {
            return [draftOf(value)];
          } catch (error) {
            log("warn", "A stored record cannot be read and is left out.", { store: label, reason: String(error) });
            return [];
          }
        });
        return drafts.sort((left, right) => left.updatedAt - right.updatedAt);
      }),

    subscribe: feed.subscribe,

    check: () => inStore(() => server.check()),

    async close() {
      if (closed) return;
      closed = true;
      await indexer.stop();
      await server.writesFinished();
      feed.close();
      await changes.close();
      await server.close();
    },
    [Symbol.asyncDispose](this: RedisStore) {
      return this.close();
    },
  };
}

function score(time: number): string {
  if (Number.isNaN(time)) throw new AskboxError("VALIDATION", "A time is not a number.");
  return time === Number.POSITIVE_INFINITY ? "+inf" : time === Number.NEGATIVE_INFINITY ? "-inf" : String(time);
}
