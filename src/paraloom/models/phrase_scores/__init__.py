"""Phrase pairs in, what models say of each out: how alike the two are, how well one reads in the other's place."""
