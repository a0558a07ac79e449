if held and owner == ARGV[1] then
  held = false
  save()
end
return 1
