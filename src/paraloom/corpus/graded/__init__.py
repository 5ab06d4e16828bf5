"""Pairs that people graded in, a graded corpus as it is released out (Kanerva et al., 2023, sections 5 and 6)."""
