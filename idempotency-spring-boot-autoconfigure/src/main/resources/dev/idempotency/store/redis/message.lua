-- One message, under one key: until when it is marked and by whom, and by whom it is claimed, since when and until when.
-- Both can be there at once. Times are milliseconds of this server's clock.
local key = KEYS[1]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local value = redis.call('GET', key) or ''

local seen, marker, rest = string.match(value, '^seen (%d+) (%S+)(.*)$')
local claimed, since, owner = string.match(rest or value, '^ ?claimed (%d+) (%d+) (%S+)$')
seen = tonumber(seen) or 0
claimed = tonumber(claimed) or 0
local marked = seen > now
local held = claimed > now

local function text(number)
  return string.format('%.0f', number)
end

local function claim_for(who, lease)
  since = held and since or text(now)
  owner = who
  claimed = now + lease
  held = true
end

local function mark_by(who, retention)
  marker = who
  seen = now + retention
  marked = true
end

local function save()
  local parts = {}
  local last = 0
  if marked then
    parts[#parts + 1] = 'seen ' .. text(seen) .. ' ' .. marker
    last = seen
  end
  if held then
    parts[#parts + 1] = 'claimed ' .. text(claimed) .. ' ' .. since .. ' ' .. owner
    last = math.max(last, claimed)
  end
  if last > 0 then
    redis.call('SET', key, table.concat(parts, ' '), 'PX', text(last - now))
  else
    redis.call('DEL', key)
  end
end
