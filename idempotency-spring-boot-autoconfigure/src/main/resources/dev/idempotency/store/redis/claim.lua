if marked then
  return 2
end
if held and owner ~= ARGV[1] then
  return 1
end
claim_for(ARGV[1], tonumber(ARGV[2]))
save()
return 0
