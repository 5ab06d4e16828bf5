"""A corpus in, what is fitted on, held out and measured on out: its test split, or folds of our own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

import numpy as np

from paraloom.corpus.known.division import folds_by_group, split_by_group
from paraloom.corpus.known.pairs import KnownCorpus, KnownPairs, joined
from paraloom.corpus.text_key import text_key
from paraloom.errors import InputError
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
    """What one training sees and is measured on. No group is in two of the three."""

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
        raise InputError(f"{corpus.title}: its {missing[0]} split is not in the folder.")
    if name == "test" and "dev" in splits:
        part = Part(fit=splits["train"], held_out=splits["dev"], measured=splits[name])
        return Division(protocol="test split; .5 by dev", split=name, parts=(part,))
    fit, held_out = _with_held_out(splits["train"])
    part = Part(fit=fit, held_out=held_out, measured=splits[name])
    return Division(protocol=f"{name} split", split=name, parts=(part,))


def _by_folds(pairs: KnownPairs, name: str, folds: int) -> Division:
    rows = folds_by_group(pairs, folds if folds > 1 else ONE_SPLIT, SEED)
    every = np.arange(len(pairs))
    parts = []
    for measured in rows[:1] if folds == 1 else rows:
        fit, held_out = _with_held_out(pairs.chosen(np.setdiff1d(every, measured)))
        parts.append(Part(fit=fit, held_out=held_out, measured=pairs.chosen(measured)))
    protocol = f"own 80/20 split of {name}" if folds == 1 else f"{folds} folds of {name}"
    return Division(protocol=protocol, split=name, parts=tuple(parts))


def _with_held_out(pairs: KnownPairs) -> tuple[KnownPairs, KnownPairs]:
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
    fit, held_out = _with_held_out(
        joined(list(_strangers(others, Part(fit=nothing, held_out=nothing, measured=pairs))))
    )
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
    known = {text_key(text) for pairs in (part.held_out, part.measured) for text in (*pairs.left, *pairs.right)}
    for other in others:
        name = next((name for name in ("train", "dev") if name in other.splits), None)
        if name is None:
            raise InputError(f"{other.title}: neither its train nor its dev split is in the folder.")
        pairs = other.splits[name].labelled()
        keys = zip(map(text_key, pairs.left), map(text_key, pairs.right), strict=True)
        yield pairs.chosen([row for row, pair in enumerate(keys) if known.isdisjoint(pair)])


def limited(corpus: KnownCorpus, most: int) -> KnownCorpus:
    """The corpus with at most about so many labelled pairs a split, in whole groups; 0 leaves it whole."""
    if not most:
        return corpus
    return replace(corpus, splits={name: _at_most(pairs.labelled(), most) for name, pairs in corpus.splits.items()})


def _at_most(pairs: KnownPairs, most: int) -> KnownPairs:
    if len(pairs) <= most:
        return pairs
    shares = {"kept": most / len(pairs), "left out": 1 - most / len(pairs)}
    return split_by_group(pairs, shares, SEED)["kept"]


def hash_of_corpus(corpus: KnownCorpus) -> str:
    """A short name for all pairs and targets of a corpus, as it was read."""
    return hash_of_pairs([corpus.splits[name] for name in sorted(corpus.splits)])


def hash_of_pairs(parts: Sequence[KnownPairs]) -> str:
    """A short name for pairs, targets and grades.

    >>> one = KnownPairs(left=["a"], right=["b"], targets=np.ones(1), groups=["1"])
    >>> hash_of_pairs([one]) == hash_of_pairs([one]), hash_of_pairs([one]) == hash_of_pairs([one, one])
    (True, False)
    """
    digest = blake2b(digest_size=8)
    for part in parts:
        digest.update(f"{len(part)} pairs\n".encode())
        grades = part.grades or [""] * len(part)
        for left, right, target, grade in zip(part.left, part.right, part.targets.tolist(), grades, strict=True):
            digest.update(f"{left}\t{right}\t{target:g}\t{grade}\n".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
