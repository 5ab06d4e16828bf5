"""Figures of corpora in, the rows of their tables out: one cell a corpus, and the paper's figure beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from paraloom.metrics.corpus_figures import BINS, CorpusFigures, Part
from paraloom.reports import papers_turku as papers
from paraloom.reports.pages import decimal, number, percent

PATTERN_NAMES = {
    "same_words": "the same words",
    "word_reordering": "words in another order",
    "inflection": "inflection alone",
    "lemma_reordering": "inflected, in another order",
    "function_words": "function words besides",
    "synonyms": "synonyms",
    "function_words_and_synonyms": "function words and synonyms",
}
"""What a pattern is called where people read it."""

MAPPING_NAMES = {
    "phrase": "phrase, or not well-formed",
    "1": "one well-formed sentence",
    "2": "two sentences",
    "3+": "more than two",
    "1-1": "sentence – sentence",
    "1-2": "sentence – two",
    "1-phrase": "sentence – phrase",
    "phrase-phrase": "phrase – phrase",
    "2-2": "two – two",
    "2-phrase": "two – phrase",
    "1-3+": "sentence – more",
    "2-3+": "two – more",
    "3+-phrase": "more – phrase",
    "3+-3+": "more – more",
}

NOT_LOOKED_FOR = "not looked for"


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureRow:
    """One figure of every corpus, as it is shown, with the paper's."""

    name: str
    cells: tuple[str, ...]
    paper: str = ""


def overview(corpora: Sequence[CorpusFigures]) -> list[FigureRow]:
    """The figures that one number tells."""
    turku = f"{papers.TOKENS['Turku']}"
    rows: list[tuple[str, Callable[[CorpusFigures], str], str]] = [
        ("mean tokens of a statement", lambda one: decimal(one.lengths.mean, 1), turku),
        ("median tokens", lambda one: number(one.lengths.median), ""),
        ("longest statement", lambda one: number(one.lengths.longest), ""),
        ("mean lexical similarity", lambda one: decimal(one.similarity.measured.mean, 3), ""),
    ]
    return [FigureRow(name=name, cells=tuple(map(told, corpora)), paper=paper) for name, told, paper in rows]


def statement_rows(corpora: Sequence[CorpusFigures]) -> list[FigureRow]:
    """Statements by their sentences."""
    return _share_rows([corpus.mapping.statements for corpus in corpora], papers.TURKU_STATEMENTS)


def mapping_rows(corpora: Sequence[CorpusFigures]) -> list[FigureRow]:
    """Pairs by the sentences on their sides."""
    return _share_rows([corpus.mapping.pairs for corpus in corpora], papers.TURKU_MAPPINGS)


def _share_rows(of_corpora: Sequence[tuple[Part, ...]], paper: Mapping[str, float]) -> list[FigureRow]:
    return [
        FigureRow(
            name=MAPPING_NAMES[parts[0].name],
            cells=tuple(percent(part.share) for part in parts),
            paper=f"{paper[parts[0].name]:.0%}" if parts[0].name in paper else "",
        )
        for parts in zip(*of_corpora, strict=True)
    ]


def pattern_rows(corpora: Sequence[CorpusFigures]) -> list[FigureRow]:
    """Pairs by their pattern, and all that some pattern explains."""
    shares = [{part.name: percent(part.share) for part in corpus.patterns.patterns} for corpus in corpora]
    rows = [
        FigureRow(
            name=PATTERN_NAMES[pattern],
            cells=tuple(of.get(pattern, NOT_LOOKED_FOR) for of in shares),
            paper=papers.TURKU_PATTERNS.get(pattern, ""),
        )
        for pattern in PATTERN_NAMES
    ]
    return [*rows, FigureRow(name="any of these", cells=tuple(map(trivial_share, corpora)))]


def why_not(corpora: Sequence[CorpusFigures]) -> list[str]:
    """Why patterns were not looked for, in sentences."""
    told: dict[str, list[str]] = {}
    for corpus in corpora:
        reasons: dict[str, list[str]] = {}
        for pattern, why in corpus.patterns.not_looked_for.items():
            reasons.setdefault(why, []).append(PATTERN_NAMES[pattern])
        for why, names in reasons.items():
            told.setdefault(f"not looked for: {', '.join(names)}, since {why}.", []).append(corpus.name)
    return [f"{', '.join(names)}: {sentence}" for sentence, names in told.items()]


def bin_rows(corpora: Sequence[CorpusFigures]) -> list[FigureRow]:
    """Pairs of every bin of similarity."""
    return [
        FigureRow(
            name=f"{place / BINS:.2f} – {(place + 1) / BINS:.2f}",
            cells=tuple(number(corpus.similarity.measured.counts[place]) for corpus in corpora),
        )
        for place in range(BINS)
    ]


def trivial_share(corpus: CorpusFigures) -> str:
    """How many pairs some pattern explains; where patterns were not looked for, it may be more."""
    return f"{'at least ' if corpus.patterns.not_looked_for else ''}{percent(corpus.patterns.trivial.share)}"
