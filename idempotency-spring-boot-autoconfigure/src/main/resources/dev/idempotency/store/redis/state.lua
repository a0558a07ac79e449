return { marked and text(seen) or '0', held and since or '0' }
