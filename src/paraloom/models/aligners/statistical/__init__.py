"""Pairs of token lists in, a model of which words stand for which out, and by it links: word alignment by EM.

Nothing is needed but the pairs: no dictionary, no alignments made by people, no network.
"""
