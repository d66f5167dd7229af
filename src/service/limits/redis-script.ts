/**
 * Counts a request under several rates, one after the other up to the first that refuses it; the same as `window.ts`,
 * in one step of the server's. KEYS: a window each. ARGV: the time in microseconds, or '' for the server's own; then
 * for each window its kind, how many it allows, and in how many microseconds. Gives for each that was asked whether it
 * allows it (1 or 0), how many more it would, and how many microseconds until that is more.
 */
export const take = `
local function text(number) return string.format('%.0f', number) end
local now = tonumber(ARGV[1])
if now == nil then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000000 + tonumber(time[2])
end
local function ttl(key, micro) redis.call('PEXPIRE', key, math.ceil(micro / 1000)) end
local windows = {}

function windows.fixed(key, allow, every)
  local kept = redis.call('HMGET', key, 'start', 'used')
  local start, used = tonumber(kept[1]), tonumber(kept[2])
  if start == nil or now - start >= every then start, used = now, 0 end
  local allowed = used < allow
  if allowed then
    used = used + 1
    redis.call('HSET', key, 'start', text(start), 'used', text(used))
    if used == 1 then ttl(key, every) end
  end
  return allowed, allow - used, start + every - now
end

function windows.sliding(key, allow, every)
  local first = tonumber(redis.call('LINDEX', key, 0))
  while first ~= nil and now - first >= every do
    redis.call('LPOP', key)
    first = tonumber(redis.call('LINDEX', key, 0))
  end
  local used = redis.call('LLEN', key)
  local allowed = used < allow
  if allowed then
    redis.call('RPUSH', key, text(now))
    ttl(key, every)
    used = used + 1
    first = first or now
  end
  return allowed, allow - used, first + every - now
end

function windows.bucket(key, allow, every)
  local kept = redis.call('HMGET', key, 'owed', 'at')
  local owed = math.max(0, (tonumber(kept[1]) or 0) - (now - (tonumber(kept[2]) or now)) * allow)
  local allowed = owed + every <= every * allow
  if allowed then
    owed = owed + every
    redis.call('HSET', key, 'owed', text(owed), 'at', text(now))
    ttl(key, owed / allow)
  end
  local used = math.ceil(owed / every)
  return allowed, allow - used, (owed - (used - 1) * every) / allow
end

local found = {}
for index, key in ipairs(KEYS) do
  local at = index * 3 - 1
  local allow, every = tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  local allowed, remaining, reset = windows[ARGV[at]](key, allow, every)
  found[#found + 1] = allowed and 1 or 0
  found[#found + 1] = remaining
  found[#found + 1] = math.ceil(reset)
  if not allowed then break end
end
return found
`;

/**
 * Lets a request in among those that run, each for a lease that has to be renewed. KEYS: those that run. ARGV: its
 * name, how many may run, and the lease in microseconds. Gives 1 where it was let in, or 0.
 */
export const enter = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now))
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
local lease = tonumber(ARGV[3])
redis.call('ZADD', KEYS[1], string.format('%.0f', now + lease), ARGV[1])
redis.call('PEXPIRE', KEYS[1], math.ceil(lease / 1000))
return 1
`;

/** Renews the lease of one that still runs: as `enter`, but that it is there already, or is no more. */
export const renew = `
local time = redis.call('TIME')
local until_ = tonumber(time[1]) * 1000000 + tonumber(time[2]) + tonumber(ARGV[2])
redis.call('ZADD', KEYS[1], 'XX', string.format('%.0f', until_), ARGV[1])
redis.call('PEXPIRE', KEYS[1], math.ceil(tonumber(ARGV[2]) / 1000))
return 1
`;
