"""Ratings by people in, out come their summaries and which metrics go with them."""
