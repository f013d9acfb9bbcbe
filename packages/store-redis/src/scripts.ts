import { createHash } from "node:crypto";

/**
 * What happens on the server. Each script below is one step that nothing comes between: it looks, decides and writes. What they read and write:
 *
 * | key | what |
 * |---|---|
 * | `sessions` | id → the record, as `values.ts` writes it: a line of facts, then JSON, which scripts that write don't read |
 * | `index` | one sorted set of texts for all lists: a letter for the list, what it is filtered by, time, id |
 * | `deadlines`, `closings` | ids by the deadline while pending, and by the time of settling after that |
 * | `names` | an asker's key → the pending session that has it |
 * | `drafts` | id → the draft of a pending session |
 * | `changes`, `meta` | a stream that tells all hubs what has changed, and the number of the last change |
 * | `audit` | the record of approvals: a stream whose entries each name the hash of the one before |
 * | `searchWaiting`, … | what waits for the index of the search (`search-index.ts`) |
 *
 * Four things can go wrong between a hub and the server, and each is answered here, since only the server sees everything:
 * - Two hubs change the same session. A change names the revision that its writer has read; whoever comes second gets `no`.
 * - A write arrives after its writer has given up and reported a failure. It says until when it may be made; later it is `late`, by the server's
 *   own clock.
 * - A reply is lost and the write comes again. It has a name, and a session remembers the names of its last four writes, so it is made once.
 * - The record of approvals has moved on. An entry that doesn't follow the last one is `stale`, and nothing of the write is made.
 */

/** A Lua script, run by its digest if the server has it. All scripts of the store get the keys of `keyList`, in its order. */
export interface Script {
  name: string;
  source: string;
  sha: string;
}

export function script(name: string, ...parts: readonly string[]): Script {
  const source = parts.join("\n");
  return { name, source, sha: createHash("sha1").update(source).digest("hex") };
}

/** Newer changes replace the oldest; a process that was disconnected for longer reads everything again. */
const changesKept = 4_096;
/** A record up to this many bytes is included in the event of its change. */
const carriedBytes = 4_096;
/** Changes help hubs that were disconnected briefly; after this many ms they only repeat what sessions contain. */
const changesKeptFor = 600_000;

/** Rejects a write that arrives too late: its writer has already reported a failure. */
export const inTime = `
local function late(notAfter)
  local now = redis.call('TIME')
  return now[1] * 1000 + now[2] / 1000 > tonumber(notAfter)
end`;

const keys = `
local sessions, index, deadlines, closings, names, drafts, changes, meta, audit, searchWaiting, searchBlocks, searchParts, searchPlaces = unpack(KEYS)`;

/** The first line of a session's value, and whether a write is among those that it remembers. */
const reading = `
local function facts(value)
  local line = string.sub(value, 1, string.find(value, '\\n', 1, true) - 1)
  local found = {}
  for word in string.gmatch(line, '%S+') do found[#found + 1] = word end
  local rev, writes, state, time, owner, agent, ask, scope, undelivered, name, deadline, closed = unpack(found)
  return { rev = rev, writes = writes, state = state, time = time, owner = owner, agent = agent, ask = ask, scope = scope,
    undelivered = undelivered, name = name, deadline = deadline, closed = closed }
end

local function made(writes, write)
  return string.find('.' .. writes .. '.', '.' .. write .. '.', 1, true) ~= nil
end

-- A write that was made on a lost connection is counted on this one, so that WAIT and WAITAOF on it cover it.
local function again()
  redis.call('HINCRBY', meta, 'repeated', 1)
  return { 'done', 0 }
end`;

/**
 * Where a session stands in the index: among all (`a`) and by its id (`i`); while it is pending among those (`p`), those of its agent (`o`) and
 * equal asks (`d`); and among those of its scope whose outcome was not delivered (`u`). `page` below reads the same texts.
 */
const members = `
local function members(f, id)
  local all = { 'a' .. f.time .. id, 'i' .. id .. ' ' .. f.time }
  if f.state == 'P' then
    all[#all + 1] = 'p' .. f.time .. id
    all[#all + 1] = 'o' .. f.owner .. f.agent .. f.time .. id
    all[#all + 1] = 'd' .. f.ask .. f.time .. id
  end
  if f.undelivered == '1' then all[#all + 1] = 'u' .. f.scope .. f.time .. id end
  return all
end`;

/** Tells all hubs of a change, with the record if it is small. Revision `0` is a removal. Returns the change's number, which has no gaps. */
const telling = `
local function tell(id, rev, write, value)
  local number = redis.call('HINCRBY', meta, 'changes', 1)
  -- A hub that doesn't know the search's index doesn't count here: so the index is known to miss its changes.
  redis.call('HINCRBY', meta, 'noted', 1)
  if value and #value <= ${carriedBytes} then
    redis.call('XADD', changes, 'MAXLEN', '~', ${changesKept}, '*', 'n', number, 'i', id, 'r', rev, 'w', write, 'v', value)
  else
    redis.call('XADD', changes, 'MAXLEN', '~', ${changesKept}, '*', 'n', number, 'i', id, 'r', rev, 'w', write)
  end
  return number
end`;

/** Stores a session, brings everything that points to it from what it was before (nil if it is new) to what it is now, and tells. */
const keeping = `
local function keep(before, id, rev, write, writes, rest, body)
  local value = rev .. ' ' .. writes .. ' ' .. rest .. '\\n' .. body
  local after = facts(value)
  redis.call('HSET', sessions, id, value)
  redis.call('HSET', searchWaiting, after.time .. id, write)

  -- The index: only what is new is added, and only what is over is removed.
  local over, new = {}, {}
  for _, member in ipairs(before and members(before, id) or {}) do over[member] = true end
  for _, member in ipairs(members(after, id)) do
    if over[member] then over[member] = nil
    else
      new[#new + 1] = '0'
      new[#new + 1] = member
    end
  end
  local gone = {}
  for member in pairs(over) do gone[#gone + 1] = member end
  if #gone > 0 then redis.call('ZREM', index, unpack(gone)) end
  if #new > 0 then redis.call('ZADD', index, unpack(new)) end

  -- Its times.
  if after.deadline ~= '-' then redis.call('ZADD', deadlines, after.deadline, id)
  elseif before then redis.call('ZREM', deadlines, id) end
  if after.closed ~= '-' then redis.call('ZADD', closings, after.closed, id)
  elseif before then redis.call('ZREM', closings, id) end

  -- Its asker's key, which only a pending session holds.
  local held = before and before.state == 'P' and before.name or '-'
  local holds = after.state == 'P' and after.name or '-'
  if held ~= holds and held ~= '-' and redis.call('HGET', names, held) == id then redis.call('HDEL', names, held) end
  if holds ~= '-' then redis.call('HSET', names, holds, id) end

  return tell(id, rev, write, value)
end`;

/** The record of approvals: an entry is written with the change that it is about, or neither is. */
const recording = `
local function entryAt(reply)
  local entry = reply[1]
  if not entry then return nil end
  local fields = entry[2]
  return { id = entry[1], at = fields[2], hash = fields[6] }
end

-- Whether an entry, if there is one, is the next of the record.
local function follows(number, previous)
  if number == '' then return true end
  local last = entryAt(redis.call('XREVRANGE', audit, '+', '-', 'COUNT', 1))
  if not last then return number == '1' and previous == string.rep('0', 64) end
  return last.id == string.format('%d-0', tonumber(number) - 1) and last.hash == previous
end

local function record(number, at, previous, hash, line)
  if number ~= '' then redis.call('XADD', audit, number .. '-0', 'at', at, 'previous', previous, 'hash', hash, 'line', line) end
end`;

/** What inserting and replacing a session need. */
const changing = [keys, inTime, reading, members, telling, keeping, recording];

/**
 * Adds a session, unless there is one with its id or, pending, with its asker's key.
 *
 * Gets the id, revision, write, facts, body, the entry for the record (number, time, hash before, hash, line; or five empty texts), not after.
 * Returns `done` and the change's number, `present` and the existing session, `stale` if the entry is not the next, or `late`.
 */
const insert = script(
  "insert",
  ...changing,
  `
local id, rev, write, rest, body, number, at, previous, hash, line, notAfter = unpack(ARGV)
if late(notAfter) then return { 'late' } end
local present = redis.call('HGET', sessions, id)
if present then
  if made(facts(present).writes, write) then return again() end
  return { 'present', present }
end
local new = facts('0 - ' .. rest .. '\\n')
if new.state == 'P' and new.name ~= '-' then
  local holder = redis.call('HGET', names, new.name)
  local held = holder and redis.call('HGET', sessions, holder)
  if held then return { 'present', held } end
end
if not follows(number, previous) then return { 'stale' } end
record(number, at, previous, hash, line)
return { 'done', keep(nil, id, rev, write, write, rest, body) }`,
);

/**
 * Replaces a session that still has the expected revision. Of one that is no longer pending, the draft goes.
 *
 * Gets the id, expected revision, revision, write, facts, body, the entry as for `insert`, not after. Returns `done` and the change's number,
 * `no`, `stale` or `late`.
 */
const replace = script(
  "replace",
  ...changing,
  `
local id, expected, rev, write, rest, body, number, at, previous, hash, line, notAfter = unpack(ARGV)
if late(notAfter) then return { 'late' } end
local present = redis.call('HGET', sessions, id)
if not present then return { 'no' } end
local before = facts(present)
if made(before.writes, write) then return again() end
if before.rev ~= expected then return { 'no' } end
if not follows(number, previous) then return { 'stale' } end
record(number, at, previous, hash, line)
local writes = { write }
for name in string.gmatch(before.writes, '[^.]+') do
  if #writes < 4 then writes[#writes + 1] = name end
end
local number = keep(before, id, rev, write, table.concat(writes, '.'), rest, body)
if string.sub(rest, 1, 1) ~= 'P' then redis.call('HDEL', drafts, id) end
return { 'done', number }`,
);

/**
 * Removes old sessions, some at a time, and old entries of the record of approvals, but never its last.
 *
 * Gets before which time it must be closed: any session; undelivered ones; delivered ones; ones that were withdrawn unseen. Then how many to
 * skip, how many to read, not after. Returns `done` and how many are kept, then the number of each change and the id.
 */
const remove = script(
  "remove",
  keys,
  inTime,
  reading,
  members,
  telling,
  recording,
  `
local most, undelivered, delivered, unseen = tonumber(ARGV[6]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local before, offset, notAfter = ARGV[1], ARGV[5], ARGV[7]

local function withdrawn(body)
  local readable, record = pcall(cjson.decode, body)
  if not readable or record.seenAt then return false end
  local outcome = record.context.outcome
  return outcome.kind == 'cancelled' and outcome.by.surface == 'asker'
end

local function forget(f, id)
  redis.call('ZREM', index, unpack(members(f, id)))
  redis.call('ZREM', deadlines, id)
  redis.call('ZREM', closings, id)
  if f.state == 'P' and f.name ~= '-' and redis.call('HGET', names, f.name) == id then redis.call('HDEL', names, f.name) end
end

local function removable(value)
  local f = facts(value)
  local closed = tonumber(f.closed)
  if closed < (f.undelivered == '1' and undelivered or delivered) then return true end
  return closed < unseen and withdrawn(string.sub(value, string.find(value, '\\n', 1, true) + 1))
end

if late(notAfter) then return { 'late' } end
local now = redis.call('TIME')
redis.call('XTRIM', changes, 'MINID', '~', string.format('%d', math.max(0, now[1] * 1000 - ${changesKeptFor})))
for _ = 1, most do
  local oldest = entryAt(redis.call('XRANGE', audit, '-', '+', 'COUNT', 1))
  if not oldest or tonumber(oldest.at) >= undelivered or redis.call('XLEN', audit) == 1 then break end
  redis.call('XDEL', audit, oldest.id)
end
local reply = { 'done', 0 }
for _, id in ipairs(redis.call('ZRANGEBYSCORE', closings, '-inf', '(' .. before, 'LIMIT', offset, most)) do
  local value = redis.call('HGET', sessions, id)
  if value and not removable(value) then
    reply[2] = reply[2] + 1
  else
    if value then
      local f = facts(value)
      forget(f, id)
      redis.call('HDEL', sessions, id)
      redis.call('HDEL', searchWaiting, f.time .. id)
      redis.call('HDEL', searchPlaces, f.time .. id)
    end
    redis.call('ZREM', closings, id)
    redis.call('HDEL', drafts, id)
    reply[#reply + 1] = tell(id, '0', '-', nil)
    reply[#reply + 1] = id
  end
end
return reply`,
);

/**
 * Replaces the draft of a pending session, if it still has the expected revision; `0` is none.
 *
 * Gets the id, expected revision, revision, write, body, not after. Returns `done`, `no` or `late`.
 */
const putDraft = script(
  "putDraft",
  keys,
  inTime,
  reading,
  `
local id, expected, rev, write, body, notAfter = unpack(ARGV)
if late(notAfter) then return { 'late' } end
local session = redis.call('HGET', sessions, id)
if not session or facts(session).state ~= 'P' then return { 'no' } end
local present = redis.call('HGET', drafts, id)
local have, by = '0', ''
if present then have, by = string.match(present, '^(%S+) (%S+)') end
if by == write then return again() end
if have ~= expected then return { 'no' } end
redis.call('HSET', drafts, id, rev .. ' ' .. write .. '\\n' .. body)
return { 'done' }`,
);

/** Gets the id, not after. */
const removeDraft = script(
  "removeDraft",
  keys,
  inTime,
  `
if late(ARGV[2]) then return { 'late' } end
redis.call('HDEL', drafts, ARGV[1])
return { 'done' }`,
);

/**
 * A part of a list. The id begins where the letter and what it is filtered by end.
 *
 * Gets from, to, maximum number, `1` for backwards. Returns each member and its session's value, which may be missing.
 */
const page = script(
  "page",
  `
local sessions, index = KEYS[1], KEYS[2]
local from, to, most, backwards = unpack(ARGV)
local found
if backwards == '1' then found = redis.call('ZREVRANGEBYLEX', index, to, from, 'LIMIT', 0, most)
else found = redis.call('ZRANGEBYLEX', index, from, to, 'LIMIT', 0, most) end
local reply = {}
for _, member in ipairs(found) do
  local head = string.sub(member, 1, 1)
  local id
  if head == 'i' then id = string.sub(member, 2, -18)
  elseif head == 'o' then id = string.sub(member, 40)
  elseif head == 'd' or head == 'u' then id = string.sub(member, 29)
  else id = string.sub(member, 18) end
  reply[#reply + 1] = member
  reply[#reply + 1] = redis.call('HGET', sessions, id)
end
return reply`,
);

/**
 * What is pending, without the records, for a hub that compares it with what it knows.
 *
 * Gets from (`[p` at first, then `(` and the last member), maximum number. Returns the member, revision and writes of each pending session.
 */
const heads = script(
  "heads",
  `
local reply = {}
for _, member in ipairs(redis.call('ZRANGEBYLEX', KEYS[2], ARGV[1], '(q', 'LIMIT', 0, ARGV[2])) do
  local value = redis.call('HGET', KEYS[1], string.sub(member, 18))
  reply[#reply + 1] = member
  reply[#reply + 1] = value and string.match(value, '^(%S+ %S+)') or '0 -'
end
return reply`,
);

/** The position of the feed: the last change's id in the stream, or `0-0`. */
const feedEnd = script(
  "feedEnd",
  `
local last = redis.call('XREVRANGE', KEYS[7], '+', '-', 'COUNT', 1)
return { last[1] and last[1][1] or '0-0', redis.call('HGET', KEYS[8], 'changes') or '0' }`,
);

export const scripts = { insert, replace, remove, putDraft, removeDraft, page, heads, feedEnd };
