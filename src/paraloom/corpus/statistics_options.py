"""What is counted of a corpus, and how it is read. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class StatisticsOptions:
    """What is counted of a corpus."""

    language: str = ""
    """Two-letter code of the texts' language, for the patterns; empty: the one that most of the first texts are in."""
    synonyms: Path | None = None
    """File of synonyms, words of one meaning a line; without it English is looked up in WordNet, where it is here."""
    columns: tuple[str, ...] = ()
    """Where `left`, `right`, `label` and `source` lie in files with other names for them: `label=gold source=4`."""
    with_rewrites: bool = False
    """Take rewritten pairs (`rewrites` of the Turku corpus) for pairs of their own, with the label 4."""
    with_negatives: bool = False
    """Measure all pairs, not only those that are labelled as paraphrases."""
