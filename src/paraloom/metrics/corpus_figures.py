"""What is told of a corpus of pairs, as values: labels, similarity, lengths, sentences, patterns, extraction.

The figures of Kanerva et al. (2023, sections 4.2 and 6.2). `paraloom.corpus` counts, `paraloom.reports` shows them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

BINS = 20
"""Bins of similarity, each .05 wide, as in the paper."""

Scheme = Literal["graded", "yes-no", "other", "none"]
"""What the labels of a corpus are: those of the Turku scheme, two answers, something else, or there are none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """How often something was met, and its share of all that was counted with it."""

    name: str
    count: int
    share: float


def parts_of(counts: Mapping[str, int], whole: int | None = None) -> tuple[Part, ...]:
    """Counts with their shares, in the order given.

    >>> parts_of({"yes": 3, "no": 1})
    (Part(name='yes', count=3, share=0.75), Part(name='no', count=1, share=0.25))
    """
    total = sum(counts.values()) if whole is None else whole
    return tuple(
        Part(name=name, count=count, share=round(count / total, 6) if total else 0.0) for name, count in counts.items()
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelFigures:
    """How the labels of a corpus are distributed (figure 1 of the paper)."""

    scheme: Scheme
    full: tuple[Part, ...]
    """Every label as it is written; shares are of all labelled pairs."""
    merged: tuple[Part, ...]
    """The same by number and direction, without the flags `i` and `s`."""
    flags: tuple[Part, ...]
    """How many labels have each flag."""
    paraphrases: int | None
    """Pairs whose label says that they are; None where labels do not say it."""
    labelled: int
    unlabelled: int
    unreadable: int
    """Labels that are none of the scheme that the others follow."""
    rewrites: int
    """Pairs that people have rewritten until they were paraphrases in every context."""
    rewritten: int
    """Pairs that such a rewrite belongs to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarityHistogram:
    """Pairs by how alike their texts look, from 0 to 1 in bins of equal width; 1 itself falls into the last."""

    name: str
    """The label that the pairs have, or what they are."""
    counts: tuple[int, ...]
    pairs: int
    mean: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarityFigures:
    """Cosine of TF-IDF over character n-grams (figures 2 and 4 of the paper)."""

    measured: SimilarityHistogram
    """Of the pairs that are measured."""
    by_label: tuple[SimilarityHistogram, ...]
    """Of all pairs, for each label apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthFigures:
    """Tokens in a statement, one side of a pair (figure 3 of the paper)."""

    statements: int
    mean: float | None
    median: int | None
    longest: int
    counts: tuple[int, ...]
    """Statements with 0, 1, 2 … tokens; the last one has those that are longer too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MappingFigures:
    """Statements by the sentences they hold, and pairs by what is on their two sides (section 6.2)."""

    statements: tuple[Part, ...]
    """`phrase`, `1`, `2`, `3+`."""
    pairs: tuple[Part, ...]
    """`1-1`, `1-2`, `1-phrase` …, the order of the sides aside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternFigures:
    """Pairs by the systematic pattern that explains their difference (figure 5 of the paper)."""

    patterns: tuple[Part, ...]
    """Those that were looked for, in their order of precedence, then `others`."""
    not_looked_for: Mapping[str, str]
    """The other patterns, and why."""
    trivial: Part
    """All pairs that some pattern explains."""
    examples: Mapping[str, tuple[tuple[str, str], ...]]
    """The first pairs of each pattern."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusFigures:
    """All that is told of one corpus."""

    name: str
    pairs: int
    measured: int
    """Pairs that similarity, lengths, sentences and patterns are told of."""
    measured_on: Literal["paraphrases", "all pairs"]
    language: str | None
    """Two-letter code; None where it cannot be told."""
    labels: LabelFigures
    similarity: SimilarityFigures
    lengths: LengthFigures
    mapping: MappingFigures
    patterns: PatternFigures
    sources: tuple[Part, ...]
    """Pairs by where their texts come from, where the corpus says so (Table 2 of the paper)."""
    signature: Mapping[str, str]
    """What decides each kind of figure."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionFigures:
    """What people, or a program, took out of document pairs of one kind: a line of Table 1 of the paper."""

    kind: str
    candidates: int
    """Document pairs that were looked through."""
    documents: int
    """Those from which something was taken; all that follows but `empty` is about these."""
    empty: float | None
    """The share of candidates from which nothing was taken."""
    extracted: int
    """Pairs of passages that were taken."""
    extracted_per_document: float | None
    """The same for one document pair: the paper's yield."""
    coverage: float | None
    """Share of the letters and digits of both documents that lie in some passage."""
    length: float | None
    """Letters and digits of a document, on average."""
