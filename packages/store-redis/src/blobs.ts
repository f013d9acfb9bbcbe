import { createHash, randomBytes } from "node:crypto";
import { AskboxError, type Log, silentLog } from "@askbox/core";
import type { BlobKey, Blobs, StoredBlob } from "@askbox/core/stores";
import { checkUpload, isBlobKey, isUploadId, uploadGap, uploadOver } from "@askbox/core/stores";
import type { RedisMeter } from "./link.ts";
import { storeError } from "./redis-error.ts";
import { readRedisUrl } from "./redis-url.ts";
import { inTime, type Script, script } from "./scripts.ts";
import { RedisServer } from "./server.ts";

/** Options of the files in Redis. */
export interface RedisBlobsOptions {
  /** The same as the store's. */
  url: string;
  log?: Log | undefined;
  /** Told of its connections and commands. */
  meter?: RedisMeter | undefined;
}

const maxPiece = 65_536;

/** Two keys: the index, and the pieces of one file. An entry of the index is its size, its number of pieces and the time, in ms. */
const common = `${inTime}
local index, pieces = KEYS[1], KEYS[2]
local function entry(name)
  local size, count, at = string.match(redis.call('HGET', index, name) or '', '^(%d+) (%d+) (%d+)$')
  return tonumber(size), tonumber(count), tonumber(at)
end
local function keep(name, size, count)
  local time = redis.call('TIME')
  redis.call('HSET', index, name, string.format('%.0f %.0f %.0f', size, count, math.floor(time[1] * 1000 + time[2] / 1000)))
end`;

/** Name, offset, bytes, the piece as base64, not after. Returns `done` or `no`, and the size, -1 without an upload. */
const append = script(
  "append",
  common,
  `
local name, offset, bytes, piece = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
if late(ARGV[5]) then return { 'late' } end
local size, count = entry(name)
if (size or 0) ~= offset then return { 'no', size or -1 } end
if bytes > 0 then redis.call('HSET', pieces, count or 0, piece) end
keep(name, offset + bytes, (count or 0) + (bytes > 0 and 1 or 0))
return { 'done', offset + bytes }`,
);

/** Also the key of the new pieces; name, new name, not after. Repeating it changes nothing. */
const move = script(
  "move",
  common,
  `
if late(ARGV[3]) then return { 'late' } end
local size, count = entry(ARGV[1])
if not size then return { 'done' } end
redis.call('DEL', KEYS[3])
if count > 0 then redis.call('RENAME', pieces, KEYS[3]) end
redis.call('HDEL', index, ARGV[1])
keep(ARGV[2], size, count)
return { 'done' }`,
);

/** Name, not after. */
const touch = script(
  "touch",
  common,
  `
if late(ARGV[2]) then return { 'late' } end
local size, count = entry(ARGV[1])
if size then keep(ARGV[1], size, count) end
return { 'done' }`,
);

/** Name, the time before which it was stored or an empty string, not after. Returns `done` and whether it was removed. */
const remove = script(
  "remove",
  common,
  `
if late(ARGV[3]) then return { 'late' } end
local size, _, at = entry(ARGV[1])
if not size or (ARGV[2] ~= '' and at >= tonumber(ARGV[2])) then return { 'done', 0 } end
redis.call('HDEL', index, ARGV[1])
redis.call('UNLINK', pieces)
return { 'done', 1 }`,
);

/**
 * Files on Redis or Valkey, in pieces of 64 KB, as durable as the sessions there. Throws `VALIDATION` and `STORE_UNAVAILABLE` like
 * `openRedisStore`.
 *
 * @example
 * ```ts
 * import { openRedisBlobs } from "@askbox/store-redis/blobs";
 *
 * const blobs = await openRedisBlobs({ url: "redis://127.0.0.1:6379" });
 * ```
 */
export async function openRedisBlobs({ url, log = silentLog, meter }: RedisBlobsOptions): Promise<Blobs> {
  const target = readRedisUrl(url);
  const { label, prefix } = target;
  const index = `{${prefix}}:blobs`;
  const nameOf = ({ sessionId, id }: BlobKey) => `${sessionId} ${id}`;
  const piecesOf = (name: string) => `{${prefix}}:blob:${name}`;
  const server = new RedisServer({ target, keys: [index], log, meter });
  const { reader, writer } = server;
  let closed = false;

  const inStore = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (closed) throw new AskboxError("STORE_UNAVAILABLE", `The files at ${label} are closed; open them again.`);
    try {
      return await work();
    } catch (thrown) {
      throw storeError(thrown, label);
    }
  };
  const run = <Reply extends readonly [string, ...unknown[]]>(what: Script, name: string, args: readonly string[], ...more: string[]) =>
    inStore(() => writer.run<Reply>(what, [name, ...args], [index, piecesOf(name), ...more]));
  const entryOf = (key: BlobKey) =>
    isBlobKey(key) ? inStore(() => reader.send<string | null>(["HGET", index, nameOf(key)])) : Promise.resolve(null);
  const stat = async (key: BlobKey): Promise<StoredBlob | undefined> => factsOf(key, await entryOf(key));

  try {
    await server.startWithoutFeed();
  } catch (thrown) {
    await server.close();
    throw storeError(thrown, label);
  }

  const blobs: Blobs = {
    async append(upload, offset, bytes) {
      checkUpload(upload);
      const name = nameOf(upload);
      const write = async (at: number, piece: Uint8Array): Promise<void> => {
        const args = [String(at), String(piece.length), Buffer.from(piece).toString("base64")];
        const [verdict, size = -1] = await run<[string, number?]>(append, name, args);
        if (verdict === "done" || size >= at + piece.length) return;
        if (size < at) throw uploadOver();
        await write(size, piece.subarray(size - at));
      };
      const present = (await stat(upload))?.size;
      if (offset > (present ?? 0)) throw uploadGap(present ?? 0);
      if (present === undefined) await write(0, new Uint8Array());
      let at = offset;
      for await (const piece of bytes) {
        for (let from = 0; from < piece.length; from += maxPiece) await write(at + from, piece.subarray(from, from + maxPiece));
        at += piece.length;
      }
      const after = await stat(upload);
      if (after === undefined) throw uploadOver();
      return after.size;
    },
    async finish(upload) {
      if (!isUploadId(upload.id) || (await stat(upload)) === undefined) return undefined;
      // First a name that no stream writes to. If this hub is killed, it is an unfinished upload.
      const closing = { sessionId: upload.sessionId, id: `closing-${randomBytes(12).toString("base64url")}` };
      await run(move, nameOf(upload), [nameOf(closing)], piecesOf(nameOf(closing)));
      const content = await blobs.read(closing);
      if (content === undefined) return undefined;
      const hash = createHash("sha256");
      for await (const piece of content) hash.update(piece);
      const file = { sessionId: upload.sessionId, id: hash.digest("hex") };
      await run(move, nameOf(closing), [nameOf(file)], piecesOf(nameOf(file)));
      return stat(file);
    },
    stat,
    async touch(key) {
      if (isBlobKey(key)) await run(touch, nameOf(key), []);
      return stat(key);
    },
    async read(key, { start = 0, end = Number.POSITIVE_INFINITY } = {}) {
      const [, count] = entry(await entryOf(key)) ?? [];
      if (count === undefined) return undefined;
      return (async function* () {
        let at = 0;
        for (let number = 0; number < count && at < end; number += 1) {
          const text = await inStore(() => reader.send<string | null>(["HGET", piecesOf(nameOf(key)), String(number)]));
          if (text === null) throw new AskboxError("STORE_UNAVAILABLE", "The file was removed while it was read.");
          const piece = Buffer.from(text, "base64");
          const wanted = piece.subarray(Math.max(0, start - at), Math.max(0, end - at));
          at += piece.length;
          if (wanted.length > 0) yield wanted;
        }
      })();
    },
    async remove(key, { storedBefore } = {}) {
      if (!isBlobKey(key)) return false;
      const before = storedBefore === undefined ? "" : String(Math.ceil(storedBefore));
      const [, removed] = await run<[string, number?]>(remove, nameOf(key), [before]);
      return removed === 1;
    },
    async list(sessionId) {
      const reply = await inStore(() => reader.send<string[]>(["HGETALL", index]));
      const found: StoredBlob[] = [];
      for (let at = 0; at + 1 < reply.length; at += 2) {
        const [owner = "", id = ""] = (reply[at] ?? "").split(" ");
        const facts = sessionId === undefined || owner === sessionId ? factsOf({ sessionId: owner, id }, reply[at + 1] ?? null) : undefined;
        if (facts !== undefined) found.push(facts);
      }
      return found;
    },
    async close() {
      if (closed) return;
      closed = true;
      await server.writesFinished();
      await server.close();
    },
  };
  return blobs;
}

function entry(text: string | null): [size: number, count: number, at: number] | undefined {
  const [size, count, at] = text?.split(" ").map(Number) ?? [];
  return size === undefined || count === undefined || at === undefined ? undefined : [size, count, at];
}

function factsOf({ sessionId, id }: BlobKey, text: string | null): StoredBlob | undefined {
  const found = entry(text);
  return found && { sessionId, id, size: found[0], storedAt: found[2] };
}
