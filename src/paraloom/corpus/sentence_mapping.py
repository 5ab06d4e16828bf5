"""Pairs in, what stands on their two sides out: phrases, sentences, or several (Kanerva et al., 2023, section 6.2).

The paper calls a sentence well-formed that begins with a capital, ends with punctuation and has a main verb, which it
knows from a parser. Without one the verb is not asked for: so a verbless "No, thank you." is a sentence here, and a
phrase there.
"""

from __future__ import annotations

import re
from collections import Counter

from paraloom.metrics.corpus_figures import MappingFigures, parts_of
from paraloom.text.split import split

KINDS = ("phrase", "1", "2", "3+")
"""What a statement can be: a phrase or a sentence that is not well-formed, one well-formed sentence, two, more."""

MAPPINGS = ("1-1", "1-2", "1-phrase", "phrase-phrase", "2-2", "2-phrase", "1-3+", "2-3+", "3+-phrase", "3+-3+")
"""What a pair can be, in the order of the paper, then all others."""

_CLOSED = re.compile(r"[.!?…‼⁇⁈⁉。！？｡।॥؟۔։።፧။។][\"'”’“»›)\]}*_）」』】》〉\ufe0f]*\Z")
"""The end of a sentence: a stop of any script, and what may close behind it."""
_BEGUN = re.compile(r"[^\W_]")


def statement_kind(text: str) -> str:
    """One of `KINDS`.

    >>> [statement_kind(text) for text in ("a storm", "A storm hit.", "It blew. It rained.", "雨が降った。")]
    ['phrase', '1', '2', '1']
    """
    sentences = len(split(text))
    if sentences > 1:
        return "2" if sentences == 2 else "3+"
    return "1" if is_well_formed(text) else "phrase"


def is_well_formed(text: str) -> bool:
    """Whether a sentence begins with a capital, or in a script that has none, and ends with a stop.

    >>> is_well_formed("“Come in!”"), is_well_formed("come in!"), is_well_formed("Come in"), is_well_formed("3 men.")
    (True, False, False, False)
    """
    text = text.strip()
    first = _BEGUN.search(text)
    if first is None or not _CLOSED.search(text):
        return False
    return first[0].isalpha() and not first[0].islower()


class MappingCounter:
    """Statements and pairs by their sentences, in the making."""

    def __init__(self) -> None:
        self._statements: Counter[str] = Counter()
        self._pairs: Counter[str] = Counter()

    def add(self, left: str, right: str) -> None:
        """Count one pair and its two statements."""
        kinds = sorted((statement_kind(left), statement_kind(right)))  # digits before letters: 1-phrase
        self._statements.update(kinds)
        self._pairs["-".join(kinds)] += 1

    def result(self) -> MappingFigures:
        """What was counted."""
        return MappingFigures(
            statements=parts_of({kind: self._statements[kind] for kind in KINDS}),
            pairs=parts_of({mapping: self._pairs[mapping] for mapping in MAPPINGS}),
        )
