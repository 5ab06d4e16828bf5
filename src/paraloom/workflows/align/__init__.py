"""Whole documents in, pairs of them and what both say out."""
