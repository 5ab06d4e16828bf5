"""Labelled pairs in, a corpus with clusters, splits and multi-reference sets out."""
