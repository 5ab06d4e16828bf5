"""A folder of word alignments that people made in, how well and how fast every aligner finds them out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from hashlib import blake2b
from pathlib import Path

import numpy as np

from paraloom.corpus.known.alignments import AlignedCorpus, read_alignments
from paraloom.engine.given_blocks import read_blocks, survey_pairs
from paraloom.errors import InputError, ParaloomError
from paraloom.metrics.word_links import LinkCounts
from paraloom.models.aligners import Aligner, LearnsFromPairs, TokenPair
from paraloom.models.aligners.learned import read_card
from paraloom.models.aligners.loading import has_learned, load_aligner, system_of
from paraloom.models.aligners.loading_options import AlignerOptions
from paraloom.models.identifiers import SHIPPED
from paraloom.reports.bench_alignment import AlignmentBench, AlignmentRow, AlignmentSet
from paraloom.text.tokenise import tokenise
from paraloom.workflows.bench.alignment_options import AlignmentBenchOptions
from paraloom.workflows.bench.machine import this_machine

Tell = Callable[[str], None]
F1S = ("f1", "macro_f1")
LEVEL = 0.95
ROWS_AT_ONCE = 10_000


def bench_alignment(
    data: Path, options: AlignmentBenchOptions = AlignmentBenchOptions(), *, tell: Tell | None = None
) -> AlignmentBench:
    """Let every aligner align every set that lies in the folder, and measure its links against those of people."""
    sets = [half_of(one) if options.half else one for one in read_alignments(data)]
    asked = {name: _asked(name) for name in options.aligners}
    for one_asked in asked.values():
        system_of(one_asked)  # a name that nobody has is refused before any work begins
    texts = _Texts(sets, options)
    rows: list[AlignmentRow] = []
    not_run: dict[str, str] = {}
    for name, aligner_options in asked.items():
        if tell:
            tell(name)
        try:
            aligner = load_aligner(aligner_options)
            seconds = _learn(aligner, aligner_options, texts)
            rows += [_row(name, aligner, one, seconds, options) for one in sets]
        except ParaloomError as error:
            not_run[name] = str(error)
    if not rows:
        raise InputError(f"No aligner could be run. {next(iter(not_run.values()))}")
    return AlignmentBench(
        rows=tuple(rows),
        sets=tuple(
            AlignmentSet(
                name=f"{one.name}/{one.split}",
                title=f"{one.title}, the half that the recipe holds out" if options.half else one.title,
                pairs=len(one.pairs),
                links=sum(len(gold.sure) for gold in one.gold),
                is_learned_from=_learned_from(one),
            )
            for one in sets
        ),
        learned_from=len(texts.pairs) if any(not has_learned(one) for one in asked.values()) else 0,
        not_run=not_run,
        machine=f"{this_machine().processor}, {this_machine().cores} cores",
        held_out=read_card(SHIPPED / "aligner")["figures"]["learned"],
    )


def _asked(written: str) -> AlignerOptions:
    """`NAME` or `NAME:SETTING=VALUE,SETTING=VALUE`."""
    name, _, settings = written.partition(":")
    return AlignerOptions(aligner=name, settings=tuple(filter(None, settings.split(","))))


def half_of(one: AlignedCorpus) -> AlignedCorpus:
    """The pairs that the recipe of the learned aligner holds out."""
    kept = [place for place, its_id in enumerate(one.ids) if blake2b(its_id.encode(), digest_size=4).digest()[0] % 2]
    if not kept:
        raise InputError(f"No pair of {one.path} is in its half. Measure all of it: leave out --half.")
    return AlignedCorpus(
        name=one.name,
        title=one.title,
        split=one.split,
        path=one.path,
        ids=tuple(one.ids[place] for place in kept),
        pairs=tuple(one.pairs[place] for place in kept),
        gold=tuple(one.gold[place] for place in kept),
    )


def _learned_from(one: AlignedCorpus) -> bool:
    """Whether the shipped learned aligner has learned from the alignments of this set."""
    return one.split in ("train", "dev")


class _Texts:
    """Pairs for aligners that learn from texts: those of the sets and of files that were named; read when needed."""

    def __init__(self, sets: list[AlignedCorpus], options: AlignmentBenchOptions) -> None:
        self._sets, self._options = sets, options
        self._read: list[TokenPair] | None = None

    @property
    def pairs(self) -> list[TokenPair]:
        if self._read is None:
            own = [pair for one in self._sets for pair in one.pairs if all(pair)]
            self._read = [*own, *(pair for file in self._options.learn_from for pair in self._of_file(file))]
        return self._read

    def _of_file(self, file: Path) -> Iterator[TokenPair]:
        rows = [
            (left, right)
            for block in read_blocks(survey_pairs(file), ROWS_AT_ONCE)
            for left, right, trouble in zip(block.left, block.right, block.troubles, strict=True)
            if trouble is None
        ]
        most = self._options.learn_most
        if most and len(rows) > most:
            rows = sorted(rows, key=lambda row: blake2b("\t".join(row).encode("utf-8", "replace")).digest())[:most]
        for texts in rows:
            left, right = ([part for token in tokenise(text) for part in token.split()] for text in texts)
            if left and right:
                yield left, right


def _learn(aligner: Aligner, options: AlignerOptions, texts: _Texts) -> float | None:
    """How many seconds learning took; None where nothing had to be learned."""
    if has_learned(options):
        return None
    assert isinstance(aligner, LearnsFromPairs)
    pairs = texts.pairs
    begun = time.perf_counter()
    aligner.learn(pairs)
    return time.perf_counter() - begun


def _row(
    name: str, aligner: Aligner, one: AlignedCorpus, learned: float | None, options: AlignmentBenchOptions
) -> AlignmentRow:
    aligner.align(one.pairs[:8])  # loops are compiled, weights are read
    begun = time.perf_counter()
    found = aligner.align(one.pairs)
    seconds = time.perf_counter() - begun
    counts = LinkCounts.of(one.gold, found)
    return AlignmentRow(
        aligner=name,
        set=f"{one.name}/{one.split}",
        figures=counts.figures(),
        intervals=_intervals(counts, options),
        pairs_per_second=len(one.pairs) / seconds,
        seconds_to_learn=learned,
        signature=aligner.signature,
    )


def _intervals(counts: LinkCounts, options: AlignmentBenchOptions) -> dict[str, tuple[float, float]]:
    """The middle of what draws of the pairs give, with replacement."""
    rng = np.random.default_rng(options.seed)
    size = len(counts.found)
    drawn = [counts.figures(rng.integers(size, size=size)) for _ in range(options.resamples)]
    edges = ((1 - LEVEL) / 2, (1 + LEVEL) / 2)
    found = {}
    for name in F1S:
        low, high = np.quantile([getattr(one, name) for one in drawn], edges).round(6).tolist()
        found[name] = low, high
    return found
