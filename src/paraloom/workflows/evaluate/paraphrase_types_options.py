"""How the types of outputs are found. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeOptions:
    """What types are decided by, and how many examples are shown."""

    embedder: str = "fast"
    """Whose vectors say which words and phrases mean the same; empty: none."""
    wordnet: bool = True
    """Take synonyms from WordNet too, where it was fetched; the signature says whether it was."""
    meaning: bool = True
    """Ask the shipped network whether an output says what its source says; else only the amount of change decides."""
    every_output: bool = False
    """Look at all outputs of a source, not at the first alone."""
    language: str = "en"
    """Two-letter code. In languages other than English, structure and grammar are not looked at."""
    examples: int = 3
    """Outputs shown for each type."""
