"""Sources in, paraphrases out that a generator has written: of a file, of a few texts, or of a run's sentences."""
