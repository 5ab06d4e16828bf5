"""Paraloom: the whole life of a paraphrase corpus."""
