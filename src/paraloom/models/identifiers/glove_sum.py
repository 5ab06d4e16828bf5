"""Pairs of texts in, the cosine of their summed word vectors out.

Lan et al. (2017, §4.2.1) sum the GloVe vectors (Pennington et al., 2014) of each sentence and compare the sums: their
row "GloVe", with 300 dimensions from Common Crawl and Twitter. Here any table of word vectors will do; those that
install as packages have 50 or 100 dimensions. Needs no torch.

**Texts without a known word.** A sum of nothing has no direction: such a text is like one of the same words and
like no other.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.signatures import paraloom_version
from paraloom.models.identifiers import CARD, Examples
from paraloom.models.identifiers.refusals import check_definition, check_pairs, with_held_out
from paraloom.models.identifiers.thresholds import Threshold, place_threshold
from paraloom.models.word_vectors import WordVectors, load_word_vectors

NAME = "glove"

TEXTS_AT_ONCE = 4096
"""The word vectors of so many texts are in memory at a time."""
LONGEST_TEXT = 50_000
"""Of a longer text only so many characters are read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GloveSum:
    """Texts whose words have like vectors in sum are paraphrases; where "like" begins is all that is learned."""

    vectors: str = "glove-50d"
    """Word vectors: a name (`glove-50d`, `glove-100d`), a folder, or a GloVe text file."""
    thresholds: Mapping[str, Threshold] = field(default_factory=dict)
    """Where .5 lies, by definition. Empty before `fit`."""
    table: WordVectors | None = field(default=None, repr=False, compare=False)
    """The vectors themselves, where they are at hand; else they are loaded at first use."""

    @property
    def name(self) -> str:
        return NAME

    @property
    def definitions(self) -> tuple[str, ...]:
        return tuple(sorted(self.thresholds))

    @property
    def parameters(self) -> int:
        return self._table().table.size + 2 * len(self.thresholds)

    @property
    def signature(self) -> str:
        table = self._table()
        numbers = json.dumps(self._as_json()["definitions"], sort_keys=True)
        weights = blake2b(f"{numbers}{table.digest}".encode(), digest_size=4).hexdigest()
        return f"{NAME}|vectors:{table.name}|width:{table.width}|paraloom:{paraloom_version()}|weights:{weights}"

    def _table(self) -> WordVectors:
        return self.table if self.table is not None else load_word_vectors(self.vectors)

    def similarities(self, left: Sequence[str], right: Sequence[str]) -> NDArray[np.float64]:
        """The cosine of the two sums for each pair.

        >>> table = WordVectors.of(["storm", "gale", "market"], np.array([[1, 0.1], [1, 0.2], [0, 1]]))
        >>> GloveSum(table=table).similarities(["a storm", "a storm"], ["the gale", "the market"]).round(2).tolist()
        [1.0, 0.1]
        """
        check_pairs(left, right)
        place: dict[str, int] = {}
        pairs = np.array([[place.setdefault(text, len(place)) for text in side] for side in (left, right)], np.int64)
        words, sums = self._summed(list(place))
        lengths = np.sqrt((sums * sums).sum(axis=1))
        ours, theirs = pairs
        both = lengths[ours] * lengths[theirs]
        # Term by term: a matrix product may add in another order for another number of rows.
        products = (sums[ours] * sums[theirs]).sum(axis=1)
        cosines = np.divide(products, both, out=np.zeros(len(both)), where=both > 0)
        for row in np.flatnonzero(both == 0):
            cosines[row] = float(bool(words[ours[row]]) and words[ours[row]] == words[theirs[row]])
        return np.asarray(cosines.clip(-1, 1))

    def _summed(self, texts: Sequence[str]) -> tuple[list[tuple[str, ...]], NDArray[np.float64]]:
        """Of each text its words, where none has a vector, and the sum of its words' vectors."""
        table = self._table()
        sums = np.zeros((len(texts), table.width))
        strange: list[tuple[str, ...]] = [()] * len(texts)
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            words = [table.words(text[:LONGEST_TEXT]) for text in texts[start : start + TEXTS_AT_ONCE]]
            rows = table.rows(chain.from_iterable(words))
            text_of = np.repeat(np.arange(start, start + len(words)), [len(one) for one in words])[rows >= 0]
            np.add.at(sums, text_of, table.table[rows[rows >= 0]].astype(np.float64))
            for number in set(range(start, start + len(words))) - set(text_of.tolist()):
                strange[number] = tuple(words[number - start])
        return strange, sums

    def score(self, left: Sequence[str], right: Sequence[str], definition: str = "loose") -> NDArray[np.float64]:
        """One number from 0 to 1 for each pair, rounded to 6 decimals; above .5 the pair is a paraphrase."""
        check_definition(NAME, definition, self.definitions)
        return self.thresholds[definition].apply(self.similarities(left, right))

    def fit(self, examples: Sequence[Examples], held_out: Sequence[Examples], seed: int = 1) -> GloveSum:
        """The same vectors with .5 at the best F1 of the held-out pairs.

        The examples themselves teach it nothing; `seed` is accepted because every identifier's `fit` takes one.
        """
        thresholds = {
            kept.definition: place_threshold(self.similarities(kept.left, kept.right), np.asarray(kept.targets))
            for _, kept in with_held_out(examples, held_out)
        }
        return GloveSum(vectors=self.vectors, thresholds=thresholds, table=self._table())

    def _as_json(self) -> dict[str, Any]:
        return {
            "name": NAME,
            "vectors": self._table().name,
            "definitions": {definition: asdict(one) for definition, one in sorted(self.thresholds.items())},
        }

    def save(self, folder: Path) -> None:
        """Write the thresholds into a folder as JSON, the word vectors beside them."""
        self._table().write(folder)
        (folder / CARD).write_text(json.dumps(self._as_json(), indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> GloveSum:
        """What was saved into a folder."""
        written = json.loads((folder / CARD).read_text(encoding="utf-8"))
        return cls(
            vectors=str(folder),
            thresholds={definition: Threshold(**one) for definition, one in written["definitions"].items()},
            table=WordVectors.read(folder, written["vectors"]),
        )
