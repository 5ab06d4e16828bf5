"""Outputs in, out comes how much of the meaning they keep, as far as a model can tell."""
