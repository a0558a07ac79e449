return { marked and seen or 0, held and tonumber(since) or 0 }
