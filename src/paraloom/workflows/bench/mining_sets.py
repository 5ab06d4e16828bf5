"""A folder of published corpora in, the pairs that mining is measured on out: what must be found among strangers.

Nothing that is shipped has learned from a text of these pairs: recipes leave out `measured_texts`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

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


FINNISH = ("turku", "opus-parsebank")
"""Sets in Finnish; the others are in English."""


def measured_texts(data: Path) -> set[str]:
    """The keys of all texts that are measured on: a recipe learns from none of them."""
    return {text_key(text) for read in SETS.values() for pairs in [read(data)] for text in (*pairs.left, *pairs.right)}
