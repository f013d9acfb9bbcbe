import { inTime, script } from "../scripts.ts";

/** How long the writer of a removal is remembered, in case its reply was lost, in ms. */
const removalsKept = 15_000;

/**
 * One key; expected, next (both as JSON, or empty for none), ttl (empty for no expiry), the name of this write, not after. A value is
 * stored with the name of the write that made it, so that a writer whose reply was lost recognizes its own. Returns `done`, `no` or `late`.
 */
const swap = script(
  "swap",
  inTime,
  `
local expected, following, ttl, write, notAfter = unpack(ARGV)
if late(notAfter) then return { 'late' } end
local stored = redis.call('GET', KEYS[1])
local by, present = '', ''
if stored then by, present = string.match(stored, '^(%S+)\\n(.*)$') end
if by == write then return { 'done' } end
if present ~= expected then return { 'no' } end
if following == '' then
  if present ~= '' then redis.call('SET', KEYS[1], write .. '\\n', 'PX', ${removalsKept}) end
elseif ttl == '' then redis.call('SET', KEYS[1], write .. '\\n' .. following)
else redis.call('SET', KEYS[1], write .. '\\n' .. following, 'PX', ttl) end
return { 'done' }`,
);

/**
 * One key; maximum number, window in ms, the name of this write, not after. Returns `done` and the ms until one more fits, 0 if it was
 * counted.
 */
const take = script(
  "take",
  inTime,
  `
local most, window, write, notAfter = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4]
if late(notAfter) then return { 'late' } end
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.3f', now - window))
if redis.call('ZSCORE', KEYS[1], write) then return { 'done', 0 } end
if redis.call('ZCARD', KEYS[1]) >= most then
  local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
  local wait = oldest[2] and tonumber(oldest[2]) + window - now or window
  return { 'done', math.max(1, math.ceil(wait)) }
end
redis.call('ZADD', KEYS[1], string.format('%.3f', now), write)
redis.call('PEXPIRE', KEYS[1], math.ceil(window))
return { 'done', 0 }`,
);

export const sharedScripts = Object.freeze({ swap, take });
