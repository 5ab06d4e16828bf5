"""Outputs and references in, METEOR out: version 1.5 by its jar, and NLTK's."""
