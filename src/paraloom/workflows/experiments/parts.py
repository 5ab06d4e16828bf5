"""Published corpora in, the pairs to learn from, to choose by and to measure on out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from paraloom.corpus.known import KnownCorpus, KnownPairs, check_name, read_corpus, split_by_group, without_texts_of
from paraloom.corpus.known.division import at_most
from paraloom.corpus.known.pairs import hash_of_pairs
from paraloom.errors import InputError
from paraloom.reports.pages import number
from paraloom.workflows.experiments.options import ExperimentOptions

SPLIT_SEED = 1
"""Parts of our own are drawn once, whatever seeds the trainings have: figures of all seeds are on the same pairs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """One corpus, parted for an experiment."""

    name: str
    title: str
    definition: str
    train: KnownPairs
    """With undecided pairs, which another threshold of votes may decide; a system learns from the others."""
    dev: KnownPairs
    """Chooses settings and where .5 lies; decided pairs alone."""
    test: KnownPairs
    measured: str
    """What `test` really is, in a word or two: the dev set, where there is no test set. Empty where it is nothing."""
    told: str
    """Which pairs these are, in words."""
    groups: int
    """Of decided pairs to learn from, before any limit."""

    @property
    def fingerprint(self) -> str:
        """What changes where any text, label, vote or part does."""
        votes = self.train.votes
        by_votes = [] if votes is None else [self.train.with_targets(votes[:, 0].astype(float))]
        return hash_of_pairs([self.train, self.dev, self.test, *by_votes])


def read_parts(
    names: Sequence[str], data: Path, options: ExperimentOptions, *, only_learned: Sequence[str] = ()
) -> list[Parts]:
    """Corpora of a folder, parted: official parts where they are there, else parts of train, by group.

    Nothing is measured on those that are `only_learned` from: they have no test part. No text that one of them holds
    out is learned from, in whichever corpus.
    """
    for name in names:
        check_name(name)  # before any of them is read
    share = options.held_out_share
    read = [(_parted_to_learn if name in only_learned else _parted)(read_corpus(name, data), share) for name in names]
    return [_limited(parts, options.limit) for parts in _kept_apart(read)]


def _parts(
    corpus: KnownCorpus, train: KnownPairs, dev: KnownPairs, test: KnownPairs, *, measured: str, told: str
) -> Parts:
    return Parts(
        name=corpus.name,
        title=corpus.title,
        definition=corpus.definition,
        train=train,
        dev=dev.labelled(),
        test=test.labelled(),
        measured=measured,
        told=f"{corpus.title}: {told}.",
        groups=_groups(train),
    )


def _splits(corpus: KnownCorpus) -> tuple[KnownPairs, KnownPairs | None, KnownPairs | None]:
    splits = corpus.splits
    if "train" not in splits:
        raise InputError(f"{corpus.title} has no train split in this folder: {' '.join(corpus.notes)}")
    return splits["train"], splits.get("dev"), splits.get("test")


def _parted_to_learn(corpus: KnownCorpus, share: float) -> Parts:
    train, dev, _ = _splits(corpus)
    told = "its training pairs are learned from"
    if dev is None:
        parts = split_by_group(train, {"train": 1 - share, "dev": share}, SPLIT_SEED)
        train, dev = parts["train"], parts["dev"]
        told += f", but for {share:.0%} that are held out"
    return _parts(corpus, train, dev, train.chosen([]), measured="", told=told)


def _parted(corpus: KnownCorpus, share: float) -> Parts:
    train, dev, test = _splits(corpus)
    if test is not None and dev is not None:
        told = "measured on its test set, chosen by its dev set"
        return _parts(corpus, train, dev, test, measured="test set", told=told)
    measured = test if test is not None else dev
    if measured is None:
        parts = split_by_group(train, {"train": 1 - 2 * share, "dev": share, "test": share}, SPLIT_SEED)
        told = f"no test set is there, so measured on {share:.0%} of its training pairs and chosen by as many"
        return _parts(corpus, parts["train"], parts["dev"], parts["test"], measured=f"{share:.0%} of train", told=told)
    parts = split_by_group(train, {"train": 1 - share, "dev": share}, SPLIT_SEED)
    which = "test set" if test is not None else "dev set"
    there = which if test is not None else f"{which} (no test set is there)"
    told = f"measured on its {there}, chosen by {share:.0%} of its training pairs"
    return _parts(corpus, parts["train"], parts["dev"], measured, measured=which, told=told)


def _kept_apart(parts: Sequence[Parts]) -> Iterator[Parts]:
    """The same without pairs to learn from that have a held-out text, and to choose by that have one measured on."""
    measured = [one.test for one in parts]
    chosen_by = [without_texts_of(one.dev, *measured) for one in parts]
    for one, dev in zip(parts, chosen_by, strict=True):
        train = without_texts_of(one.train, *measured, *chosen_by)
        lost = {"to learn from": len(one.train) - len(train), "to choose by": len(one.dev) - len(dev)}
        counts = " and ".join(f"{number(count)} {what}" for what, count in lost.items() if count)
        told = f"{one.told} Pairs left out, as one of their texts is held out: {counts}."
        yield replace(one, train=train, dev=dev, told=told if counts else one.told, groups=_groups(train))


def _limited(parts: Parts, limit: int) -> Parts:
    if not limit:
        return parts
    train, dev, test = (at_most(pairs, limit, SPLIT_SEED) for pairs in (parts.train, parts.dev, parts.test))
    told = f"{parts.told} At most about {number(limit)} pairs of each set were taken."
    return replace(parts, train=train, dev=dev, test=test, told=told)


def _groups(train: KnownPairs) -> int:
    return len(set(train.labelled().groups))
