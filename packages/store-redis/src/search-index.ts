import { setTimeout as pass } from "node:timers/promises";
import type { Log, SessionRecord } from "@askbox/core";
import {
  blockSize,
  numbersIn,
  partOf,
  readRecord,
  recordSchemaVersion,
  SearchBlockBuilder,
  searchGrams,
  searchText,
  searchWords,
} from "@askbox/core/stores";
import type { Link } from "./link.ts";
import { inTime, type Script, script } from "./scripts.ts";
import { jsonOf, type Keys, newWrite, storedSession } from "./values.ts";
import type { Writer } from "./writer.ts";

/**
 * The index of a search: how candidates are found with it, the scripts that build it, and the hub that builds, in small steps. It may be
 * behind, but never wrong: a session that isn't in a block waits, and those that wait are always among the candidates. If a hub dies while
 * it builds, its claim ends, and what it left is removed.
 */

/** More candidates than this are so frequent that reading sessions in order soon fills the page. */
const mostCandidates = 20_000;
/** The maximum number of waiting sessions among the candidates. */
const mostWaiting = 3 * blockSize;
/** How many blocks' parts are read at once: some hundred kilobytes. */
const blocksAtOnce = 20;
/** How often it begins again if blocks are removed meanwhile. */
const tries = 3;

/**
 * Every session that a search for this text can find, and some others, each as time and id; undefined if they are too many, or if the index
 * can't say. `isBehind` says that it should be continued.
 */
export async function candidatesFor(
  link: Pick<Link, "send" | "run">,
  keys: Keys,
  text: string,
  isBehind: () => void,
): Promise<string[] | undefined> {
  const grams = searchGrams(searchWords(text));
  if (grams === undefined) return undefined;
  for (let tried = 0; tried < tries; tried += 1) {
    const [waiting, list] = await link.run<[string[]?, string[]?]>(searchScripts.state, [String(mostWaiting)]);
    if (waiting === undefined || list === undefined) {
      isBehind();
      return undefined;
    }
    const blocks = list.flatMap((block, at) => (at % 2 === 0 ? [{ block, always: list[at + 1] ?? "" }] : []));
    const candidates = new Set(waiting);
    for (let from = 0; from < blocks.length; from += blocksAtOnce) {
      for (const candidate of await candidatesIn(link, keys, grams, blocks.slice(from, from + blocksAtOnce))) candidates.add(candidate);
      if (candidates.size > mostCandidates) return undefined;
    }
    // A block that was removed meanwhile has put its sessions among those that wait.
    const still = blocks.length === 0 ? [] : await link.send<unknown[]>(["HMGET", keys.searchBlocks, ...blocks.map(({ block }) => block)]);
    if (!still.includes(null)) return [...candidates];
  }
  return undefined;
}

async function candidatesIn(
  link: Pick<Link, "send">,
  keys: Keys,
  grams: readonly number[],
  blocks: readonly { block: string; always: string }[],
): Promise<string[]> {
  const wanted = [...new Set(grams.map(partOf))];
  const fields = blocks.flatMap(({ block }) => wanted.map((part) => `${block}.${part}`));
  const read = await link.send<(string | null)[]>(["HMGET", keys.searchParts, ...fields]);
  const found = blocks.flatMap(({ block, always }, nth) => {
    const numbers = numbersIn(grams, (part) => {
      const bytes = read[nth * wanted.length + wanted.indexOf(part)] ?? null;
      return bytes === null ? undefined : Buffer.from(bytes, "base64");
    });
    if (always !== "") numbers.push(...always.split(",").map(Number));
    return numbers.length === 0 ? [] : [{ block, numbers }];
  });
  if (found.length === 0) return [];
  const members = await link.send<(string | null)[]>(["HMGET", keys.searchParts, ...found.map(({ block }) => block)]);
  return found.flatMap(({ numbers }, nth) => {
    const all = members[nth]?.split("\n") ?? [];
    return numbers.flatMap((number) => all[number] ?? []);
  });
}

/** For how long one hub makes blocks alone, in ms, unless it renews it. */
const claimedFor = 30_000;
/** How many sessions from before the index one script makes wait: a millisecond. */
const atOnce = 128;
/** Of the index. A new one is made if this changes, as it must with `searchText`, its blocks and its keys. */
export const version = 2;

/**
 * The index of a search, in blocks of `@askbox/core/stores`. Each session that is written waits; once a block's worth waits, it becomes the
 * next block. So every session is in a block with its present text, or waits. Sessions are named as in the index of times, without the letter.
 *
 * Of a hub that doesn't know the index, changes are counted and noted nowhere. It makes the index invalid, and a new one is made.
 */
const shared = `${inTime}
local index, meta, waiting, blocks, parts, places = KEYS[2], KEYS[8], KEYS[10], KEYS[11], KEYS[12], KEYS[13]

-- How many changes were made by hubs that don't know the index: an index is valid as long as there are no more.
local function basis()
  local counts = redis.call('HMGET', meta, 'changes', 'noted')
  return string.format('${version} %d', (tonumber(counts[1]) or 0) - (tonumber(counts[2]) or 0))
end

local function isValid()
  return redis.call('HGET', meta, 'search-basis') == basis()
end

-- The hub that makes blocks. A clock that was set back must not keep others away.
local function holder()
  local by, untilTime = string.match(redis.call('HGET', meta, 'search-by') or '', '^(%S+) (%S+)$')
  local now = redis.call('TIME')
  local time = now[1] * 1000 + now[2] / 1000
  local rest = by and untilTime - time or 0
  return rest > 0 and rest <= ${claimedFor + 1} and by or nil, time
end`;

/**
 * The hub, not after. Starts again with an index that isn't valid; what was there before waits, some at a time. Returns `done`, `more` if it
 * must be called again, `held` if another hub makes blocks, or `no` if too few sessions wait.
 */
const claim = script(
  "searchClaim",
  shared,
  `
if late(ARGV[2]) then return { 'late' } end
local by, time = holder()
if by and by ~= ARGV[1] then return { 'held' } end
if redis.call('HLEN', KEYS[1]) < ${2 * blockSize} then return { 'no' } end
if not isValid() then
  redis.call('UNLINK', waiting, blocks, parts, places)
  redis.call('HSET', meta, 'search-basis', basis(), 'search-from', '[a')
end
redis.call('HSET', meta, 'search-by', string.format('%s %d', ARGV[1], time + ${claimedFor}))
if redis.call('HLEN', waiting) >= ${blockSize} then return { 'done' } end
local from = redis.call('HGET', meta, 'search-from')
if from ~= 'end' then
  local some = redis.call('ZRANGEBYLEX', index, from, '(b', 'LIMIT', 0, ${atOnce})
  for _, member in ipairs(some) do
    local session = string.sub(member, 2)
    if redis.call('HEXISTS', places, session) == 0 then redis.call('HSETNX', waiting, session, '-') end
  end
  redis.call('HSET', meta, 'search-from', #some < ${atOnce} and 'end' or '(' .. some[#some])
  return { 'more' }
end
redis.call('HDEL', meta, 'search-by')
return { 'no' }`,
);

/** The hub, block, those that every search compares, its sessions, not after. Begins a block. Returns `done` or `no`. */
const begin = script(
  "searchBegin",
  shared,
  `
local by, block, always, members, notAfter = unpack(ARGV)
if late(notAfter) then return { 'late' } end
if holder() ~= by or not isValid() then return { 'no' } end
redis.call('HSET', blocks, block, always)
redis.call('HSET', parts, block, members)
return { 'done' }`,
);

/** The hub, block, parts and their bytes, not after. Returns `done`, or `no` if the block is gone. */
const fill = script(
  "searchFill",
  shared,
  `
if late(ARGV[#ARGV]) then return { 'late' } end
if holder() ~= ARGV[1] or redis.call('HEXISTS', blocks, ARGV[2]) == 0 then return { 'no' } end
for at = 3, #ARGV - 1, 2 do redis.call('HSET', parts, ARGV[2] .. '.' .. ARGV[at], ARGV[at + 1]) end
return { 'done' }`,
);

/**
 * The hub, a block that is filled, its sessions and the writes that they waited for, not after. These sessions no longer wait; one that was
 * written again does, and one that was removed is nowhere. Returns `done`, or `no` if the block is gone.
 */
const place = script(
  "searchPlace",
  shared,
  `
local block = ARGV[2]
if late(ARGV[#ARGV]) then return { 'late' } end
if holder() ~= ARGV[1] or redis.call('HEXISTS', blocks, block) == 0 then return { 'no' } end
for at = 3, #ARGV - 1, 2 do
  if redis.call('HGET', waiting, ARGV[at]) == ARGV[at + 1] then
    redis.call('HDEL', waiting, ARGV[at])
    redis.call('HSET', places, ARGV[at], block)
  end
end
return { 'done' }`,
);

/** The hub, block, sessions whose place it is, not after. These wait again. Returns `done` or `no`. */
const displace = script(
  "searchDisplace",
  shared,
  `
if late(ARGV[#ARGV]) then return { 'late' } end
if holder() ~= ARGV[1] then return { 'no' } end
for at = 3, #ARGV - 1 do
  if redis.call('HGET', places, ARGV[at]) == ARGV[2] then
    redis.call('HSETNX', waiting, ARGV[at], '-')
    redis.call('HDEL', places, ARGV[at])
  end
end
return { 'done' }`,
);

/** The hub, a block that is no session's place, not after. Removes it: only the hub that makes blocks gives sessions a place. */
const drop = script(
  "searchDrop",
  shared,
  `
if late(ARGV[3]) then return { 'late' } end
if holder() ~= ARGV[1] then return { 'no' } end
local fields = { ARGV[2] }
for part = 0, 255 do fields[#fields + 1] = ARGV[2] .. '.' .. part end
redis.call('HDEL', blocks, ARGV[2])
redis.call('HDEL', parts, unpack(fields))
return { 'done' }`,
);

/**
 * The maximum number of waiting sessions. Returns these, and the blocks with those that every search compares; nothing if the index can't
 * be used.
 */
const state = script(
  "searchState",
  shared,
  `
if not isValid() or redis.call('HGET', meta, 'search-from') ~= 'end' then return {} end
if redis.call('HLEN', waiting) > tonumber(ARGV[1]) then return {} end
return { redis.call('HKEYS', waiting), redis.call('HGETALL', blocks) }`,
);

const searchScripts = { claim, begin, fill, place, displace, drop, state };

/** How many sessions are read, or parts encoded, before other work can run: 1 to 3 ms. */
const indexedAtOnce = 32;
/** How many sessions one script or command moves: less than a millisecond. */
const movedAtOnce = 128;

export interface SearchIndexerOptions {
  link: Pick<Link, "send">;
  writer: Pick<Writer, "run">;
  keys: Keys;
  log: Log;
  /** How long other work has between two steps, in ms; default 15. */
  pause?: number | undefined;
}

/**
 * Makes blocks of the sessions that wait, in the background and in small steps; one hub at a time does it. What it hasn't stored when it is
 * stopped, it or another hub does again.
 */
export class SearchIndexer {
  readonly #options: SearchIndexerOptions;
  readonly #name = newWrite();
  readonly #stop = new AbortController();
  /** How many changes there have been since it last looked. */
  #changes = 0;
  /** How many blocks it has checked for sessions that are gone. */
  #checked = 0;
  #working: Promise<void> | undefined;

  constructor(options: SearchIndexerOptions) {
    this.#options = options;
  }

  /** A session was changed, by this hub or another. */
  noted(): void {
    this.#changes += 1;
    if (this.#changes >= blockSize) this.start();
  }

  start(): void {
    this.#changes = 0;
    const { signal } = this.#stop;
    if (signal.aborted) return;
    this.#working ??= this.#work()
      .catch((error: unknown) => {
        // Searches read what is waiting; the next changes, or a search that this makes slow, start it again.
        if (!signal.aborted) this.#options.log("warn", "The index of the search could not be continued.", { error: String(error) });
      })
      .finally(() => {
        this.#working = undefined;
      });
  }

  /** Resolves when it sends no more. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#working;
  }

  async #work(): Promise<void> {
    for (;;) {
      const claimed = await this.#run<"done" | "more" | "held" | "no">(searchScripts.claim);
      if (claimed === "no") return;
      // The other may stop before it is done.
      if (claimed === "held") await this.#pause(claimedFor);
      if (claimed === "more") await this.#pause();
      if (claimed !== "done") continue;
      if (!(await this.#addBlock())) return;
      // Two for one, so that blocks whose sessions are gone or in later blocks don't become many.
      const blocks = await this.#options.link.send<string[]>(["HKEYS", this.#options.keys.searchBlocks]);
      for (let count = 0; count < Math.min(2, blocks.length); count += 1) {
        this.#checked += 1;
        await this.#check(blocks[this.#checked % blocks.length] ?? "");
      }
    }
  }

  /** Resolves with whether it was stored. */
  async #addBlock(): Promise<boolean> {
    const { link, keys } = this.#options;
    const waiting = await this.#waiting();
    const builder = new SearchBlockBuilder();
    for (const some of chunks(waiting, indexedAtOnce)) {
      await this.#pause();
      const values = await link.send<(string | null)[]>(["HMGET", keys.sessions, ...some.map(([member]) => member.slice(16))]);
      for (const value of values) builder.add(textOf(value));
    }
    const block = newWrite();
    const members = waiting.map(([member]) => member).join("\n");
    // Searches look into it from now on; they also compare its sessions as long as these wait.
    if ((await this.#run(searchScripts.begin, block, builder.always.join(","), members)) === "no") return false;
    let parts: string[] = [];
    for (const { part, bytes } of builder.parts()) {
      parts.push(String(part), Buffer.from(bytes).toString("base64"));
      if (parts.length < 2 * indexedAtOnce) continue;
      if ((await this.#run(searchScripts.fill, block, ...parts)) === "no") return false;
      parts = [];
      await this.#pause();
    }
    if ((await this.#run(searchScripts.fill, block, ...parts)) === "no") return false;
    for (const some of chunks(waiting, movedAtOnce)) {
      if ((await this.#run(searchScripts.place, block, ...some.flat())) === "no") return false;
    }
    return true;
  }

  /** Sessions for a block, and the write that each waits for. Any will do. */
  async #waiting(): Promise<[member: string, write: string][]> {
    const { link, keys } = this.#options;
    const found = new Map<string, string>();
    let cursor = "0";
    do {
      const [next, fields] = await link.send<[string, string[]]>(["HSCAN", keys.searchWaiting, cursor, "COUNT", String(movedAtOnce)]);
      for (let at = 0; at + 1 < fields.length; at += 2) found.set(String(fields[at]), String(fields[at + 1]));
      cursor = next;
    } while (cursor !== "0" && found.size < blockSize);
    return [...found].slice(0, blockSize);
  }

  /** Removes a block if most of its sessions are gone or in a later one; the others wait again. */
  async #check(block: string): Promise<void> {
    const { link, keys } = this.#options;
    await this.#pause();
    const members = (await link.send<string | null>(["HGET", keys.searchParts, block]))?.split("\n") ?? [];
    const present: string[] = [];
    for (const some of chunks(members, movedAtOnce)) {
      const places = await link.send<(string | null)[]>(["HMGET", keys.searchPlaces, ...some]);
      present.push(...some.filter((_, nth) => places[nth] === block));
    }
    if (present.length * 2 >= members.length) return;
    for (const some of chunks(present, movedAtOnce)) {
      if ((await this.#run(searchScripts.displace, block, ...some)) === "no") return;
    }
    await this.#run(searchScripts.drop, block);
  }

  async #run<Verdict extends string = "done" | "no">(script: Script, ...args: readonly string[]): Promise<Verdict> {
    const [verdict] = await this.#options.writer.run<[Verdict]>(script, [this.#name, ...args]);
    return verdict;
  }

  /** Lets other work run; throws if it is stopped. */
  #pause(time = this.#options.pause ?? 15): Promise<void> {
    return pass(time, undefined, { signal: this.#stop.signal, ref: false });
  }
}

function* chunks<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}

/** What a search compares; undefined if this askbox can't read the session, but another may. */
function textOf(value: string | null): string | undefined {
  if (value === null) return "";
  try {
    const stored = jsonOf(storedSession(value).body) as SessionRecord;
    // Checking a whole record takes many times as long as reading its text.
    return searchText(stored.schema === recordSchemaVersion ? stored : readRecord(stored));
  } catch {
    return undefined;
  }
}
