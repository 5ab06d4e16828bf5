"""Ratings in, how far people agree out: one coefficient a module, each with its citation."""
