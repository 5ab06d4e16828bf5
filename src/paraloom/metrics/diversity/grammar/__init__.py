"""English words in, what grammar may do to them out: the knowledge behind small changes."""
