"""A source and an output in, out comes whether the output keeps to the facts of its source."""
