"""An identifier that comes trained in, the split of a corpus it may be measured on out: one it has not learned from.

Its card names what it learned from (`trained_on`), and what nothing was learned from but where .5 was placed, or which
of several trainings to keep (`chosen_on`). Figures on the latter are not those of unseen pairs, and are said not to be.
"""

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


def split_to_measure(identifier: Identifier, corpus: KnownCorpus) -> str:
    """One that it has not learned from, and nothing was chosen on if there is such; an error says why there is none."""
    seen: frozenset[str] = frozenset()
    for one in (identifier, _weights_behind(identifier)):
        told = seen_splits(one) if one is not None else frozenset()
        if told is None:
            raise InputError(f"the card of {identifier.name} does not say what it was trained on")
        seen |= told
    there = [split for split in SPLITS if split in corpus.splits]
    not_seen = [split for split in there if not has_seen(seen, corpus.name, split)]
    if not not_seen:
        raise InputError(f"trained on it ({', '.join(there)})")
    return min(not_seen, key=lambda split: was_chosen_on(identifier, corpus.name, split))


def was_chosen_on(identifier: Identifier, corpus: str, split: str) -> bool:
    """Whether .5, or what to keep, was chosen on a split: by the identifier, or by the weights that it asks."""
    asked = (identifier, _weights_behind(identifier))
    chosen = frozenset[str]().union(*(_told(one, "chosen_on") or () for one in asked if one is not None))
    return any(has_seen(chosen, corpus, one) for one in (SPLITS if split == "all" else (split,)))


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
    told = _told(identifier, "trained_on")
    return _told(identifier, "on") if told is None else told


def _told(identifier: Identifier, what: str) -> frozenset[str] | None:
    """Corpora and splits that a card names under a word, wherever the identifier keeps its card."""
    told: Any = getattr(identifier, what, None)
    trained = getattr(identifier, "trained", None)
    if told is None and isinstance(trained, Mapping):
        told = trained.get(what)
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
