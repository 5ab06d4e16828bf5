"""A published corpus in, the pairs to learn from, to choose by and to measure on out."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import numpy as np

from paraloom.corpus.known import KnownCorpus, KnownPairs, read_corpus, split_by_group
from paraloom.corpus.leakage import without_leaks
from paraloom.errors import InputError
from paraloom.workflows.experiments.options import ExperimentOptions

SPLIT_SEED = 1
"""Parts of our own are drawn once, whatever seeds the trainings have: figures of all seeds are on the same pairs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """One corpus, parted for an experiment; undecided pairs are left out."""

    name: str
    title: str
    definition: str
    train: KnownPairs
    dev: KnownPairs
    """Chooses settings and where .5 lies."""
    test: KnownPairs
    told: str
    """Which pairs these are, in words."""

    @property
    def fingerprint(self) -> str:
        """What changes where any text, label or part does."""
        hashed = blake2b(digest_size=8)
        for pairs in (self.train, self.dev, self.test):
            for row in zip(pairs.left, pairs.right, pairs.targets.tolist(), strict=True):
                hashed.update(repr(row).encode("utf-8", "surrogatepass"))
        return hashed.hexdigest()


def read_parts(name: str, data: Path, options: ExperimentOptions, *, measured: bool = True) -> Parts:
    """A corpus of a folder, parted: official parts where they are there, else parts of train, by group.

    Where nothing is measured on it there is no test part.
    """
    corpus = read_corpus(name, data)
    share = options.held_out_share
    if not 0 < share <= 0.4:
        raise InputError(f"--held-out-share is {share}, but must be above 0 and at most .4.")
    train, dev, test, told = _parted(corpus, share) if measured else _parted_to_learn(corpus, share)
    kept = without_leaks(train, [dev, test])
    if (leaked := len(train) - len(kept)) > 0:
        train = train.chosen(kept)
        told += f"; {leaked} training pairs that are also in one of them were left out"
    return Parts(
        name=name,
        title=corpus.title,
        definition=corpus.definition,
        train=limited(train, options.limit),
        dev=limited(dev, options.limit),
        test=limited(test, options.limit),
        told=f"{corpus.title}: {told}.",
    )


def _splits(corpus: KnownCorpus) -> tuple[KnownPairs, KnownPairs | None, KnownPairs | None]:
    splits = {name: pairs.labelled() for name, pairs in corpus.splits.items()}
    if "train" not in splits:
        raise InputError(f"{corpus.title} has no train split in this folder: {' '.join(corpus.notes)}")
    return splits["train"], splits.get("dev"), splits.get("test")


def _parted_to_learn(corpus: KnownCorpus, share: float) -> tuple[KnownPairs, KnownPairs, KnownPairs, str]:
    train, dev, _ = _splits(corpus)
    if dev is not None:
        return train, dev, train.chosen([]), "its training pairs are learned from"
    parts = split_by_group(train, {"train": 1 - share, "dev": share}, SPLIT_SEED)
    told = f"its training pairs are learned from, but for {share:.0%} that are held out"
    return parts["train"], parts["dev"], train.chosen([]), told


def _parted(corpus: KnownCorpus, share: float) -> tuple[KnownPairs, KnownPairs, KnownPairs, str]:
    train, dev, test = _splits(corpus)
    if test is not None and dev is not None:
        return train, dev, test, "measured on its test set, chosen by its dev set"
    measured = test if test is not None else dev
    if measured is None:
        parts = split_by_group(train, {"train": 1 - 2 * share, "dev": share, "test": share}, SPLIT_SEED)
        told = f"no test set is there, so measured on {share:.0%} of its training pairs and chosen by as many"
        return parts["train"], parts["dev"], parts["test"], told
    parts = split_by_group(train, {"train": 1 - share, "dev": share}, SPLIT_SEED)
    which = "test set" if test is not None else "dev set (no test set is there)"
    return (
        parts["train"],
        parts["dev"],
        measured,
        f"measured on its {which}, chosen by {share:.0%} of its training pairs",
    )


def limited(pairs: KnownPairs, limit: int, seed: int = SPLIT_SEED) -> KnownPairs:
    """About so many pairs, in whole groups as they are drawn; the last group may be cut. All where the limit is 0."""
    if limit <= 0 or len(pairs) <= limit:
        return pairs
    rows = [row for group in drawn_groups(pairs, seed) for row in group]
    return pairs.chosen(sorted(rows[:limit]))


def drawn_groups(pairs: KnownPairs, seed: int) -> list[list[int]]:
    """The numbers of the pairs of each group, groups in drawn order."""
    rows_of: dict[str, list[int]] = {}
    for row, group in enumerate(pairs.groups):
        rows_of.setdefault(group, []).append(row)
    names = sorted(rows_of)
    return [rows_of[names[place]] for place in np.random.default_rng(seed).permutation(len(names))]
