"""Corpora in, how many paraphrase phenomena a pair of each has out: Table 7 of Lan et al. (2017), by word links."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.signatures import paraloom_version
from paraloom.errors import InputError
from paraloom.metrics.measured import Measured, mean_of
from paraloom.metrics.significance import Interval, bootstrap_intervals, group_numbers
from paraloom.models.aligners import Aligner, TokenPair
from paraloom.models.aligners.loading import has_learned, load_aligner, system_of
from paraloom.models.aligners.loading_options import AlignerOptions
from paraloom.phrases.phenomena import KINDS, Kind, Phenomenon, phenomena
from paraloom.phrases.phenomena_names import NamesOfTexts
from paraloom.workflows.phrases.phenomena_corpora import Paraphrases, Step, known_names, read_paraphrases
from paraloom.workflows.phrases.phenomena_options import PhenomenaOptions
from paraloom.workflows.phrases.phenomena_table import (
    PAPER,
    CorpusPhenomena,
    Example,
    KindFigures,
    Mean,
    PhenomenaTable,
)

PAIRS_AT_ONCE = 1024
REFERENCE = "twitter-url"
"""The corpus that the paper adjusts the length of the others to."""

Floats = NDArray[np.float64]


def corpus_phenomena(
    files: Sequence[str | Path] = (),
    options: PhenomenaOptions = PhenomenaOptions(),
    *,
    aligner: AlignerOptions = AlignerOptions(),
    step: Step | None = None,
) -> PhenomenaTable:
    """The phenomena of every corpus, published or in files and runs."""
    if not has_learned(aligner):
        what = "give --settings folder=DIR" if "folder" in system_of(aligner).setting_kinds() else "choose another one"
        raise InputError(f"{aligner.aligner} has to learn from pairs first: {what}.")
    corpora = read_paraphrases(files, options)
    reference = _reference(corpora, options)
    names = known_names(corpora, options)
    asked = load_aligner(aligner)
    seen = [_Seen(corpus, asked, names, options, step) for corpus in corpora]
    length = seen[corpora.index(reference)].length
    return PhenomenaTable(
        corpora=tuple(one.figures(length) for one in seen),
        reference=reference.name,
        signature=f"phenomena|limit:{options.limit or 'no'}|names:{names.signature}|aligner:{{{asked.signature}}}"
        f"|paraloom:{paraloom_version()}",
        notes=tuple(note for corpus in corpora for note in corpus.notes),
    )


def pair_phenomena(
    pairs: Sequence[TokenPair], aligner: Aligner, names: NamesOfTexts | None = None
) -> list[tuple[Phenomenon, ...]]:
    """The phenomena of pairs of tokens.

    >>> aligner = load_aligner("lexical")
    >>> pair = "On Monday the storm hit the U.S. coast".split(), "The storm hit the US coast on Monday".split()
    >>> [found.kind for found in pair_phenomena([pair], aligner)[0]]
    ['reordering', 'spelling']
    """
    return [
        phenomena(left, right, links, is_known_name=names)
        for (left, right), links in zip(pairs, aligner.align(pairs), strict=True)
    ]


def _reference(corpora: Sequence[Paraphrases], options: PhenomenaOptions) -> Paraphrases:
    by_name = {corpus.name: corpus for corpus in corpora}
    if options.reference and options.reference not in by_name:
        raise InputError(f"--reference {options.reference} is none of the corpora: {', '.join(by_name)}.")
    return by_name.get(options.reference or REFERENCE, corpora[-1])


class _Seen:
    """What was found in one corpus."""

    def __init__(
        self,
        corpus: Paraphrases,
        aligner: Aligner,
        names: NamesOfTexts,
        options: PhenomenaOptions,
        step: Step | None,
    ) -> None:
        self.corpus, self.options = corpus, options
        self.counts = np.zeros((len(corpus.pairs), len(KINDS)))
        self.tokens = np.array([len(left) + len(right) for left, right in corpus.pairs], np.float64)
        self.examples: dict[Kind, list[Example]] = {kind: [] for kind in KINDS}
        for start in range(0, len(corpus.pairs), PAIRS_AT_ONCE):
            block = corpus.pairs[start : start + PAIRS_AT_ONCE]
            for place, found in enumerate(pair_phenomena(block, aligner, names)):
                self._add(start + place, found)
            if step is not None:
                step(corpus.title, start + len(block), len(corpus.pairs))

    @property
    def length(self) -> float:
        """Tokens of a sentence, on average."""
        return float(self.tokens.mean()) / 2

    def figures(self, length: float) -> CorpusPhenomena:
        """All figures; adjusted ones for sentences of that many tokens."""
        measured = [
            one
            for place, kind in enumerate(KINDS)
            for one in (
                self._per_pair(kind, self.counts[:, place]),
                self._adjusted(kind, self.counts[:, place], length),
            )
        ]
        intervals = bootstrap_intervals(
            measured,
            groups=group_numbers(self.corpus.groups),
            resamples=self.options.resamples,
            seed=self.options.seed,
        )
        means = [_mean(one.value, interval) for one, interval in zip(measured, intervals, strict=True)]
        paper = PAPER.get(self.corpus.name, {})
        return CorpusPhenomena(
            name=self.corpus.name,
            title=self.corpus.title,
            pairs=len(self.corpus.pairs),
            of=self.corpus.of,
            tokens=round(self.length, 6),
            kinds=tuple(
                KindFigures(
                    kind=kind,
                    per_pair=means[2 * place],
                    adjusted=means[2 * place + 1],
                    share=round(float((self.counts[:, place] > 0).mean()), 6),
                    paper=paper.get(kind),
                    examples=tuple(self.examples[kind]),
                )
                for place, kind in enumerate(KINDS)
            ),
        )

    def _add(self, row: int, found: Sequence[Phenomenon]) -> None:
        counts = Counter(one.kind for one in found)
        self.counts[row] = [counts[kind] for kind in KINDS]
        for one in found:
            if len(self.examples[one.kind]) < self.options.examples:
                self.examples[one.kind].append(_example(self.corpus.pairs[row], one))

    def _per_pair(self, kind: Kind, counts: Floats) -> Measured:
        return mean_of(kind, counts, kind, "neither")

    def _adjusted(self, kind: Kind, counts: Floats, length: float) -> Measured:
        """The same at that length: as many a token as there are, for two sentences of so many tokens."""
        return Measured(
            name=f"{kind}-adjusted",
            value=float(2 * length * counts.sum() / self.tokens.sum()),
            items=np.empty(0),
            signature=kind,
            better="neither",
            statistics=np.column_stack([counts, self.tokens]),
            combine=lambda sums: np.asarray(2 * length * sums[..., 0] / sums[..., 1]),
        )


def _mean(value: float, interval: Interval | None) -> Mean:
    low, high = (None, None) if interval is None else (round(interval.low, 6), round(interval.high, 6))
    return Mean(value=round(value, 6), low=low, high=high)


def _example(pair: TokenPair, found: Phenomenon) -> Example:
    left, right = pair
    return Example(
        left=" ".join(left),
        right=" ".join(right),
        left_words=" ".join(left[place] for place in found.left),
        right_words=" ".join(right[place] for place in found.right),
    )
