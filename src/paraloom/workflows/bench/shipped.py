"""An identifier that comes trained in, the split of a corpus it may be measured on out: one it has not learned from."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from paraloom.corpus.known.pairs import KnownCorpus
from paraloom.errors import InputError
from paraloom.models.identifiers import Identifier, load

SPLITS = ("test", "dev", "train")
"""Where an identifier is measured as it is: the first that is there and that it has not seen."""


BUILT_ON = {"mutual-implication": "paraloom"}
"""Systems that, without a base of their own, ask the shipped network."""


def unseen_split(identifier: Identifier, corpus: KnownCorpus) -> str:
    """The split to measure on; an error says why there is none."""
    seen: frozenset[str] = frozenset()
    for one in (identifier, _weights_behind(identifier)):
        told = seen_splits(one) if one is not None else frozenset()
        if told is None:
            raise InputError(f"the card of {identifier.name} does not say what it was trained on")
        seen |= told
    there = [split for split in SPLITS if split in corpus.splits]
    for split in there:
        if not has_seen(seen, corpus.name, split):
            return split
    raise InputError(f"trained on it ({', '.join(there)})")


def check_unseen(system: Identifier, corpus: str, split: str) -> None:
    """Refuse to fit and measure a system that is built on shipped weights, on pairs which these have learned from."""
    asked = _weights_behind(system)
    if asked is None:
        return
    seen = seen_splits(asked)
    if seen is None:
        raise InputError(f"the card of the weights of {asked.name} does not say what they were trained on")
    if any(has_seen(seen, corpus, one) for one in (SPLITS if split == "all" else (split,))):
        raise InputError(f"the weights of {asked.name} were trained on it ({split})")


def _weights_behind(system: Identifier) -> Identifier | None:
    """The identifier that comes trained and that a system asks, or is; None where it learns all by itself."""
    behind: Any = getattr(system, "behind", None)
    if callable(behind):
        asked: Identifier = behind()
        return asked
    if system.name in BUILT_ON and not getattr(system, "base", ""):
        return load(BUILT_ON[system.name])
    return system if hasattr(system, "trained_on") else None


def seen_splits(identifier: Identifier) -> frozenset[str] | None:
    """What an identifier learned from, as its card names it; None where the card does not say.

    >>> from paraloom.models.identifiers import load
    >>> sorted(seen_splits(load("ngram-regression")))
    ['twitterurltrain']
    """
    told: Any = getattr(identifier, "trained_on", None)
    if told is None:
        trained = getattr(identifier, "trained", None)
        told = trained.get("trained_on", trained.get("on")) if isinstance(trained, Mapping) else None
    if told is None or isinstance(told, str) or not isinstance(told, Iterable):
        return None
    return frozenset(_plain(str(name)) for name in told)


def has_seen(seen: Collection[str], corpus: str, split: str) -> bool:
    """Whether a split is among them; a corpus that is named without a split counts with all of them.

    >>> has_seen({"twitterurltrain"}, "twitter-url", "train"), has_seen({"twitterurltrain"}, "twitter-url", "dev")
    (True, False)
    >>> has_seen({"pit2015"}, "pit-2015", "dev")
    True
    """
    return _plain(corpus) in seen or _plain(f"{corpus} {split}") in seen


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()
