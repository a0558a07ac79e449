if not held or owner ~= ARGV[1] then
  return 0
end
claim_for(ARGV[1], tonumber(ARGV[2]))
save()
return 1
