"""Sentences of a group in, pairs worth judging out."""
