"""A source and an output in, out comes how far the wording changed."""
