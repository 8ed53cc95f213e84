"""Where and why coders differ: the same measures on other counts, and what they advise."""
