"""Texts in, numbers out: how far two texts differ, how good an output is, how well people agree."""
