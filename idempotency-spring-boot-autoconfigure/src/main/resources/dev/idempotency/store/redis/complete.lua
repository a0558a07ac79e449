-- A client sends a command again whose answer was lost: then the mark is this owner's own.
if marked and marker == ARGV[1] then
  return 1
end
local mine = held and owner == ARGV[1]
local first = not marked
if mine then
  held = false
end
if first then
  mark_by(ARGV[1], tonumber(ARGV[2]))
end
if mine or first then
  save()
end
return mine and first and 1 or 0
