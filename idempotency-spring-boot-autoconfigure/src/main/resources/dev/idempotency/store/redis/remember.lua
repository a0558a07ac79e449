if marked then
  return 0
end
mark_by('-', tonumber(ARGV[1]))
save()
return 1
