"""Pairs in, labels out: what is held true of each pair under one definition of paraphrase."""
