import { blockSize } from "@askbox/core/stores";
import { inTime, script } from "./scripts.ts";

/** For how long one hub makes blocks alone, in ms, unless it renews it. */
export const claimedFor = 30_000;
/** How many sessions from before the index one script makes wait: a millisecond. */
const atOnce = 128;
/** Of the index. A new one is made if this changes, as it must with `searchText`, its blocks and its keys. */
export const version = 1;

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

export const searchScripts = { claim, begin, fill, place, displace, drop, state };
