"""A corpus in, what is fitted on, held out and measured on out: its test split, or folds of our own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from paraloom.corpus.known.division import at_most, folds_by_group, split_by_group, without_texts_of
from paraloom.corpus.known.groups import regrouped
from paraloom.corpus.known.pairs import KnownCorpus, KnownPairs, hash_of_pairs, joined
from paraloom.errors import InputError
from paraloom.text.counted import counted
from paraloom.workflows.bench.identification_options import BenchOptions
from paraloom.workflows.bench.published import Measured

HELD_OUT = 0.1
"""Share of the pairs to fit on that choose the learning rate, when to stop, and where .5 lies."""

ONE_SPLIT = 5
"""With one fold, the first of so many is measured on: 20% of the pairs."""

SPLIT_ONCE = ("graded",)
"""Definitions of corpora that are always split in 80% and 20%: what is measured there is a table of its own."""

SEED = 1
"""Decides the parts. Seeds of trainings are others: every training is measured on the same pairs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What one training sees and is measured on. No group is in two of the three.

    Nor is a text of one split or corpus in the pairs of another that are fitted on.
    """

    fit: KnownPairs
    held_out: KnownPairs
    measured: KnownPairs

    def digest(self) -> str:
        """A short name for all pairs and targets of the three."""
        return hash_of_pairs((self.fit, self.held_out, self.measured))


@dataclass(frozen=True, slots=True, kw_only=True)
class Division:
    """One way to measure on a corpus."""

    protocol: str
    """In words, as the tables say it."""
    split: str
    """The one that is measured on; `all` where it is every one."""
    parts: tuple[Part, ...]


def divide(corpus: KnownCorpus, options: BenchOptions) -> Division:
    """The test split, or dev, or folds: whichever is asked for and there."""
    splits = {name: pairs.labelled() for name, pairs in corpus.splits.items()}
    if options.on == "dev":
        return _by_split(corpus, splits, "dev")
    if options.on == "auto" and "test" in splits:
        return _by_split(corpus, splits, "test")
    name = next((name for name in ("train", "dev", "test") if name in splits), None)
    if name is None:
        raise InputError(f"{corpus.title} has no split with labels.")
    return _by_folds(splits[name], name, 1 if corpus.definition in SPLIT_ONCE else options.folds)


def _by_split(corpus: KnownCorpus, splits: Mapping[str, KnownPairs], name: str) -> Division:
    missing = [split for split in ("train", name) if split not in splits]
    if missing:
        folds = " --on folds divides what is there." if missing == ["train"] else ""
        raise InputError(f"{corpus.title}: its {missing[0]} split is not in the folder.{folds}")
    measured = splits[name]
    if name == "test" and "dev" in splits:
        held_out = _apart(splits["dev"], measured)
        fit = _apart(splits["train"], splits["dev"], measured)
        left_out = len(splits["train"]) - len(fit) + len(splits["dev"]) - len(held_out)
        protocol = "test split; .5 by dev"
    else:
        apart = _apart(splits["train"], measured)
        left_out = len(splits["train"]) - len(apart)
        fit, held_out = with_held_out(apart)
        protocol = f"{name} split"
    if left_out:
        pairs = counted(left_out, "pair that shares", "pairs that share")
        protocol += f"; left out of training: {pairs} a text with it"
    part = Part(fit=fit, held_out=held_out, measured=measured)
    return Division(protocol=protocol, split=name, parts=(part,))


def _apart(pairs: KnownPairs, *others: KnownPairs) -> KnownPairs:
    """The pairs that have neither a text nor a group of the others."""
    kept = without_texts_of(pairs, *others)
    known = {group for other in others for group in other.groups}
    return kept.chosen([row for row, group in enumerate(kept.groups) if group not in known])


def _by_folds(pairs: KnownPairs, name: str, folds: int) -> Division:
    rows = folds_by_group(pairs, folds if folds > 1 else ONE_SPLIT, SEED)
    every = np.arange(len(pairs))
    parts = []
    for measured in rows[:1] if folds == 1 else rows:
        fit, held_out = with_held_out(pairs.chosen(np.setdiff1d(every, measured)))
        parts.append(Part(fit=fit, held_out=held_out, measured=pairs.chosen(measured)))
    protocol = f"own 80/20 split of {name}" if folds == 1 else f"{folds} folds of {name}"
    return Division(protocol=protocol, split=name, parts=tuple(parts))


def with_held_out(pairs: KnownPairs) -> tuple[KnownPairs, KnownPairs]:
    """Pairs to learn from and those held out of them, in whole groups."""
    parted = split_by_group(pairs, {"fit": 1 - HELD_OUT, "held_out": HELD_OUT}, SEED + 1)
    return parted["fit"], parted["held_out"]


def divide_with_others(
    corpus: KnownCorpus, others: Sequence[KnownCorpus], measured: Measured, options: BenchOptions
) -> Division:
    """Fitted on other corpora too (`measured` is `own`), or on them alone and measured on a split of this one.

    No text that is measured on or held out is in a pair of another corpus that is fitted on.
    """
    names = " + ".join(other.title for other in others)
    if measured == "own":
        division = divide(corpus, options)
        parts = tuple(replace(part, fit=joined([part.fit, *_strangers(others, part)])) for part in division.parts)
        return replace(division, protocol=f"{division.protocol}, with {names}", parts=parts)
    pairs = _split_or_all(corpus, measured)
    nothing = pairs.chosen([])
    strangers = list(_strangers(others, Part(fit=nothing, held_out=nothing, measured=pairs)))
    fit, held_out = with_held_out(regrouped(joined(strangers)))
    where = "all pairs here" if measured == "all" else f"the {measured} split"
    part = Part(fit=fit, held_out=held_out, measured=pairs)
    return Division(protocol=f"fitted on {names}, measured on {where}", split=measured, parts=(part,))


def _split_or_all(corpus: KnownCorpus, measured: Measured) -> KnownPairs:
    if measured == "all":
        return joined([pairs.labelled() for pairs in corpus.splits.values()])
    if measured not in corpus.splits:
        raise InputError(f"{corpus.title}: its {measured} split is not in the folder.")
    return corpus.splits[measured].labelled()


def _strangers(others: Sequence[KnownCorpus], part: Part) -> Iterator[KnownPairs]:
    """The train (or dev) splits of others, without pairs that have a text of what is measured on or held out."""
    for other in others:
        name = next((name for name in ("train", "dev") if name in other.splits), None)
        if name is None:
            raise InputError(f"{other.title}: neither its train nor its dev split is in the folder.")
        yield _apart(other.splits[name].labelled(), part.held_out, part.measured)


def measured_sets(corpus: KnownCorpus, folds: int) -> Iterator[KnownPairs]:
    """Every set of pairs that is measured on some way: each split, all of them at once, and the folds of each."""
    splits = [pairs.labelled() for pairs in corpus.splits.values()]
    yield from splits
    yield joined(splits)
    many = folds if folds > 1 else ONE_SPLIT
    for pairs in splits:
        if len(set(pairs.groups)) >= many:
            yield from (pairs.chosen(rows) for rows in folds_by_group(pairs, many, SEED))


def limited(corpus: KnownCorpus, most: int) -> KnownCorpus:
    """The corpus with at most about so many labelled pairs a split, in whole groups; 0 leaves it whole."""
    if not most:
        return corpus
    return replace(
        corpus, splits={name: at_most(pairs.labelled(), most, SEED) for name, pairs in corpus.splits.items()}
    )


def hash_of_corpus(corpus: KnownCorpus) -> str:
    """A short name for all pairs and targets of a corpus, as it was read."""
    return hash_of_pairs([corpus.splits[name] for name in sorted(corpus.splits)])
