"""Corpora and systems in, what definitions, noisy labels and the amount of data do to them out: one module each."""
