"""A folder of published corpora in, their pairs out: one reader a corpus."""
