"""Pairs in, out comes how likely each is a paraphrase: a file of them, or one pair with the words behind its score."""
