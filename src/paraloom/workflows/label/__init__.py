"""Judgments of several people in, a label for each pair out, and how far the people agree."""
