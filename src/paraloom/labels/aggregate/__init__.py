"""Votes of several people in, one answer an item out: one way to join them a module, each with its citation."""
