"""Finished tables in, pages and numbers for people out: self-contained HTML, and JSON with the same figures."""
