if marked then
  marked = false
  save()
end
return 1
