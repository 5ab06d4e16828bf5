"""Sentences in, the pairs of them that say the same out: nearest neighbours, candidates, labels, clusters."""
