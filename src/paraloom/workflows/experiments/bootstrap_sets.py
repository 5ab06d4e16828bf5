"""A corpus that people made and judged candidates in, all sets of the bootstrapping experiment out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.corpus.known import KnownCorpus, KnownPairs, joined, read_corpus, split_by_group, without_texts_of
from paraloom.corpus.known.division import at_most
from paraloom.corpus.leakage import without_leaks
from paraloom.errors import InputError
from paraloom.metrics.identification.graded import SKIP
from paraloom.models.identifiers import Examples
from paraloom.models.identifiers.graded_heads import GradedExamples
from paraloom.reports.pages import number
from paraloom.workflows.bench.graded_labels import NEGATIVE, as_taught
from paraloom.workflows.experiments.options import BootstrapExperimentOptions, ExperimentOptions
from paraloom.workflows.experiments.parts import SPLIT_SEED, Parts
from paraloom.workflows.mine.candidates import Candidates

POSITIVE = "4"
WAYS = ("train", "train+neg", "train+neg+pos", "neg+pos")
"""The four trainings of figure 8 of the paper."""
MEASURED_SHARE = 0.2
"""Share of the corpus that is measured on, where no test or dev set is there beside a train set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sets:
    """All pairs of the experiment. No text is in two of them."""

    corpus: Parts
    judged: KnownPairs
    """Candidates that choose bounds."""
    pool: KnownPairs
    """Candidates whose labels are hidden, and tell afterwards how many of those taken are right; then mined ones."""
    found: Parts
    """Candidates that are measured on; nothing else of them is used."""

    @property
    def all_parts(self) -> tuple[Parts, ...]:
        """What the results are made from."""
        hidden = replace(self.found, name=f"{self.found.name} candidates", train=self.pool, dev=self.judged)
        return self.corpus, hidden


def read_sets(data: Path, options: ExperimentOptions, settings: BootstrapExperimentOptions) -> Sets:
    """The corpora of a folder, parted so that nothing that is measured on is learned from."""
    corpus, candidates = read_corpus(settings.corpus, data), read_corpus(settings.candidates, data)
    train, dev, test, told = _parted(corpus, options.held_out_share)
    thirds = split_by_group(
        _limited(joined([pairs.labelled() for pairs in candidates.splits.values()]), 3 * options.limit),
        {"judged": 1 / 3, "pool": 1 / 3, "test": 1 / 3},
        SPLIT_SEED,
    )
    dev, test = without_texts_of(dev, thirds["test"]), _limited(test, options.limit)
    dev = _thinned(_limited(dev, options.limit), settings.most_negatives)
    train = without_texts_of(train, dev, test, thirds["judged"], thirds["test"])
    train = _thinned(_limited(train, options.limit), settings.most_negatives)
    pool = without_texts_of(thirds["pool"], dev, test, train, thirds["judged"], thirds["test"])
    judged = without_texts_of(thirds["judged"], test, thirds["test"])
    mined = _mined(settings.mined, train, without=(dev, test, judged, thirds["test"]))
    for name, pairs in (("learn from", train), ("seek in", pool), ("choose bounds by", judged)):
        if not len(pairs):
            raise InputError(f"There are no pairs left to {name}. Give larger corpora, or a larger --limit.")
    definition, groups = corpus.definition, len(set(train.groups))
    return Sets(
        corpus=Parts(
            name=corpus.name,
            title=corpus.title,
            definition=definition,
            train=train,
            dev=dev,
            test=test,
            measured="own",
            told=told,
            groups=groups,
        ),
        judged=judged,
        pool=joined([pool, mined]) if len(mined) else pool,
        found=Parts(
            name=candidates.name,
            title=candidates.title,
            definition=definition,
            train=train.chosen([]),
            dev=judged,
            test=thirds["test"],
            measured="a third",
            told=f"{candidates.title}: {number(len(judged))} candidates choose bounds, {number(len(pool))} are sought "
            f"in with their labels hidden, {number(len(thirds['test']))} are measured on."
            + (f" {number(len(mined))} mined pairs are sought in too." if settings.mined else ""),
            groups=groups,
        ),
    )


def _parted(corpus: KnownCorpus, share: float) -> tuple[KnownPairs, KnownPairs, KnownPairs, str]:
    splits = {name: pairs.labelled() for name, pairs in corpus.splits.items()}
    measured = splits.get("test", splits.get("dev")) if "train" in splits else None
    if measured is not None:
        parts = split_by_group(
            without_texts_of(splits["train"], measured), {"train": 1 - share, "dev": share}, SPLIT_SEED
        )
        which = "test" if "test" in splits else "dev"
        return parts["train"], parts["dev"], measured, f"{corpus.title}: measured on its {which} set."
    whole = joined(list(splits.values()))
    shares = {"train": 1 - share - MEASURED_SHARE, "dev": share, "test": MEASURED_SHARE}
    parts = split_by_group(whole, shares, SPLIT_SEED)
    told = f"{corpus.title}: of the pairs here, {MEASURED_SHARE:.0%} are measured on and {share:.0%} place .5."
    return parts["train"], parts["dev"], parts["test"], told


def _mined(sources: Sequence[Path], train: KnownPairs, without: Sequence[KnownPairs]) -> KnownPairs:
    """Pairs that nobody judged, without those that people gave as training pairs, or that have a held-out text."""
    if not sources:
        return train.chosen([])
    blocks = list(Candidates(sources=sources))
    left, right = ([text for block in blocks for text in getattr(block, side)] for side in ("left", "right"))
    pairs = KnownPairs(
        left=left,
        right=right,
        targets=np.full(len(left), np.nan),
        groups=[f"mined {key}" for block in blocks for key in block.text_keys()],
        grades=None if train.grades is None else [SKIP] * len(left),
    )
    return without_texts_of(pairs.chosen(without_leaks(pairs, [train])), *without)


def _limited(pairs: KnownPairs, most: int) -> KnownPairs:
    return at_most(pairs, most, SPLIT_SEED)


def _thinned(pairs: KnownPairs, share: float) -> KnownPairs:
    """The pairs with so few negatives that they are at most this share of all; at least one stays."""
    is_negative = pairs.targets < 0.5
    wanted = max(1, int((~is_negative).sum() * share / (1 - share))) if share < 1 else len(pairs)
    drawn = np.random.default_rng(SPLIT_SEED).permutation(np.flatnonzero(is_negative))[:wanted]
    return pairs.chosen(np.sort(np.concatenate([np.flatnonzero(~is_negative), drawn])))


def labelled_as(pairs: KnownPairs, rows: Sequence[int], *, is_paraphrase: bool) -> KnownPairs:
    """Candidates that are held for safe, with the label that they are held for."""
    chosen = pairs.chosen(np.asarray(rows, np.int64))
    grade = POSITIVE if is_paraphrase else NEGATIVE
    return replace(chosen, targets=np.full(len(rows), float(is_paraphrase)), grades=[grade] * len(rows), votes=None)


def safe_pairs(sets: Sets, selected: Mapping[str, Any], most: int | str = 0) -> dict[str, KnownPairs]:
    """What the first classifier selected of the candidates, by the part of a way's name that stands for it.

    `most`: so many of each kind, drawn by lot; "equal": as many as there are pairs of the corpus; 0: all.
    """
    wanted = len(sets.corpus.train) if most == "equal" else int(most)
    return {
        "neg": labelled_as(sets.pool, _drawn(selected["negatives"], wanted), is_paraphrase=False),
        "pos": labelled_as(sets.pool, _drawn(selected["positives"], wanted), is_paraphrase=True),
    }


def _drawn(rows: Sequence[int], most: int) -> list[int]:
    """At most so many of the rows, in their order; 0: all."""
    if not most or len(rows) <= most:
        return list(rows)
    places = np.random.default_rng(SPLIT_SEED).permutation(len(rows))[:most]
    return [rows[place] for place in np.sort(places).tolist()]


def trainings(
    train: KnownPairs, safe: Mapping[str, KnownPairs]
) -> Iterator[tuple[str, KnownPairs | None, KnownPairs | None]]:
    """By way: what is learned from of the corpus, and of the safe pairs. A way that lacks safe pairs is left out."""
    for way in WAYS:
        parts = way.split("+")
        more = [safe[part] for part in parts if part in safe]
        if all(len(one) for one in more):
            yield way, train if "train" in parts else None, joined(more) if more else None


def examples_of(pairs: KnownPairs, definition: str, *, graded: bool) -> Examples:
    """What a system learns from: with grades where it gives grades."""
    if graded and pairs.grades is not None:
        return GradedExamples.of(pairs.left, pairs.right, [as_taught(grade) for grade in pairs.grades])
    return replace(pairs.examples(definition), topics=None)


def held_back(pairs: KnownPairs, share: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The numbers of pairs to learn from, and of those that help to place .5."""
    drawn = np.random.default_rng(SPLIT_SEED).permutation(len(pairs))
    kept = round(share * len(pairs))
    return np.sort(drawn[kept:]), np.sort(drawn[:kept])
