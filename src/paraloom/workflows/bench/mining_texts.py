"""A folder of published corpora in, the texts of a benchmark of mining out: those of the pairs, and strangers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraloom.corpus.known import CORPORA, read_corpus
from paraloom.corpus.known.division import at_most
from paraloom.corpus.text_key import text_key
from paraloom.errors import InputError
from paraloom.models.embedders.samples import sample_of
from paraloom.workflows.bench.division import SEED
from paraloom.workflows.bench.mining_options import MiningBenchOptions
from paraloom.workflows.bench.mining_sets import SETS
from paraloom.workflows.evaluate.retrieval_sets import RetrievalSet, hash_of_key, set_of_known

Integers = NDArray[np.int64]

NO_STRANGERS = ("turku-with-rewrites",)
"""Corpora whose texts were written as paraphrases of those that are looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MiningTexts:
    """All texts of a benchmark, each once as it is written, and what is looked for among them."""

    texts: Sequence[str]
    keys: NDArray[np.uint64]
    """A hash of the key of each text, as `text_key` compares them."""
    sets: Sequence[RetrievalSet]
    strangers: int
    """How many of the texts, the last ones, are of no set."""
    skipped: Sequence[str]
    """A line for each set that is not in the folder."""

    def own(self, one: RetrievalSet) -> Integers:
        """The numbers of a set's texts, in its order."""
        number_of = {text: number for number, text in enumerate(self.texts)}
        return np.array([number_of[text] for text in one.texts], np.int64)

    def others(self, one: RetrievalSet) -> Integers:
        """The numbers of all texts that are none of a set's, and of each key one."""
        rows = np.sort(np.unique(self.keys, return_index=True)[1])
        return np.asarray(rows[~np.isin(self.keys[rows], one.keys)], np.int64)

    def digest(self) -> str:
        """A short name for all texts in their order."""
        whole = blake2b(digest_size=8)
        for text in self.texts:
            whole.update(text.encode("utf-8", "surrogatepass") + b"\n")
        return whole.hexdigest()


def read_mining_texts(data: Path, options: MiningBenchOptions = MiningBenchOptions()) -> MiningTexts:
    """The sets that are asked for and there, and as many strangers as are asked for, or as there are."""
    if not data.is_dir():
        raise InputError(f"--data {data} is no folder. Give the one that holds the corpora.")
    unknown = next((name for name in options.sets if name not in SETS), None)
    if unknown is not None:
        raise InputError(f"There is no set {unknown!r}. Choose from: {', '.join(SETS)}.")
    sets, skipped = [], []
    for name in options.sets or SETS:
        try:
            pairs = SETS[name](data).labelled()
        except InputError as error:
            skipped.append(f"{name} is skipped: {error}")
        else:
            sets.append(set_of_known(name, at_most(pairs, options.limit, SEED)))
    if not sets:
        raise InputError(f"--data {data} holds none of {', '.join(options.sets or SETS)}. " + skipped[0])
    texts = list(dict.fromkeys(text for one in sets for text in one.texts))
    known = {int(key) for one in sets for key in one.keys}
    most = options.most_distractors
    drawn = sample_of(_strangers(data, known), most, options.seed) if most else []  # of none, a sample would be all
    texts += drawn
    return MiningTexts(
        texts=texts,
        keys=np.array([hash_of_key(text_key(text)) for text in texts], np.uint64),
        sets=sets,
        strangers=len(drawn),
        skipped=skipped,
    )


def _strangers(data: Path, known: set[int]) -> Iterator[str]:
    """Every text of the corpora in a folder whose key is not known; one text a key, the first."""
    met = set(known)
    for name in CORPORA:
        if name in NO_STRANGERS:
            continue
        try:
            splits = read_corpus(name, data).splits
        except InputError:
            continue  # it is not in the folder: only sets are missed
        for pairs in splits.values():
            for text in (*pairs.left, *pairs.right):
                key = text_key(text)
                hashed = hash_of_key(key)
                if key and hashed not in met:
                    met.add(hashed)
                    yield text
