"""A folder of published corpora in, the pairs that mining is measured on out: what must be found among strangers.

The recipe of the shipped embedders leaves out `measured_texts`: none has learned from a text of these pairs. But the
word vectors of `good`, which are frozen, are those of the shipped model of pairs, and that network has learned from
most English ones: `seen_by_shared_parts` tells of which sets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from paraloom.corpus.known import KnownPairs, read_corpus
from paraloom.corpus.text_key import text_key
from paraloom.errors import InputError
from paraloom.workflows.bench.division import divide
from paraloom.workflows.bench.identification_options import BenchOptions


def _split(corpus: str, split: str) -> Callable[[Path], KnownPairs]:
    def read(data: Path) -> KnownPairs:
        splits = read_corpus(corpus, data).splits
        if split not in splits:
            raise InputError(f"The {split} split of {corpus} is not in {data}.")
        return splits[split]

    return read


def _fifth_of_train(data: Path) -> KnownPairs:
    """The part of Twitter-URL's train split that `bench identification --folds 1` measures on."""
    return divide(read_corpus("twitter-url", data), BenchOptions(on="folds", folds=1)).parts[0].measured


SETS: dict[str, Callable[[Path], KnownPairs]] = {
    "turku": _split("turku", "dev"),
    "opus-parsebank": _split("turku-opus-parsebank", "dev"),
    "twitter-url": _fifth_of_train,
    "pit2015": _split("pit2015", "dev"),
    "multipit-auto": _split("multipit-auto", "dev"),
}
"""Each set by its name: the splits that are for development, and a fifth of Twitter-URL's train split."""


DRAWN_FROM = {
    "turku": "turku dev",
    "opus-parsebank": "turku-opus-parsebank dev",
    "twitter-url": "twitter-url train",
    "pit2015": "pit2015 dev",
    "multipit-auto": "multipit-auto dev",
}
"""What each set is a part of, as cards name what was learned from."""


FINNISH = ("turku", "opus-parsebank")
"""Sets in Finnish; the others are in English."""


def seen_by_shared_parts(card: Mapping[str, Any]) -> list[str]:
    """Sets whose texts an embedder's shared parts have learned from, as its card says; it has not itself.

    >>> seen_by_shared_parts({"shared": {"words": {"of": "pairs", "trained_on": ["pit2015 dev", "rte dev"]}}})
    ['pit2015']
    """
    seen = {name for part in card.get("shared", {}).values() for name in part.get("trained_on", ())}
    return [name for name, drawn_from in DRAWN_FROM.items() if drawn_from in seen]


def measured_texts(data: Path) -> set[str]:
    """The keys of all texts that are measured on: the recipe of an embedder learns from none of them."""
    return {text_key(text) for read in SETS.values() for pairs in [read(data)] for text in (*pairs.left, *pairs.right)}
