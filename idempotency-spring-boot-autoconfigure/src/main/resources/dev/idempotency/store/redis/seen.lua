return marked and 1 or 0
