"""Whole files in, the documents that are in them out: subtitles, feeds, web pages, plain texts."""
