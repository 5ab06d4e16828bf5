"""Pairs of texts in, how few edits turn one into the other out.

Levenshtein (1966): the least number of insertions, deletions and replacements, of words or of characters. Lan et al.
(2017) report the row "Edit Distance" without saying which. Counted in words and not divided by the length of the
texts, we get what they print (weighed to the base rates of their test sets, max F1 .526, .351 and .799 on Twitter-URL,
PIT-2015 and MSRP, beside .526, .363 and .799), so that is the default; `normalised=True` is the better system
(.673, .431, .800).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.signatures import paraloom_version
from paraloom.errors import InputError
from paraloom.models.identifiers import CARD, Examples
from paraloom.models.identifiers.refusals import check_definition, check_pairs, with_held_out
from paraloom.models.identifiers.thresholds import Threshold, place_threshold
from paraloom.text.tokenise import tokenise, words

NAME = "edit-distance"
UNITS = ("words", "characters")

LONGEST_TEXT = 50_000
"""Of a longer text only so many characters are compared: the cost grows by the square."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditDistance:
    """Texts that few edits turn into each other are paraphrases; where "few" ends is all that is learned.

    >>> EditDistance().similarities(["the storm hit", "the storm hit"], ["the storm hit", "a storm hits"]).tolist()
    [0.0, -2.0]
    """

    unit: Literal["words", "characters"] = "words"
    """What is inserted, deleted or replaced; either is compared in lower case."""
    normalised: bool = False
    """Whether edits are divided by the length of the longer text."""
    thresholds: Mapping[str, Threshold] = field(default_factory=dict)
    """Where .5 lies, by definition. Empty before `fit`."""

    def __post_init__(self) -> None:
        if self.unit not in UNITS:
            raise InputError(f"Edits of {self.unit!r} cannot be counted. Choose one of: {', '.join(UNITS)}.")

    @property
    def name(self) -> str:
        return NAME

    @property
    def definitions(self) -> tuple[str, ...]:
        return tuple(sorted(self.thresholds))

    @property
    def parameters(self) -> int:
        return 2 * len(self.thresholds)

    @property
    def signature(self) -> str:
        numbers = json.dumps(self._as_json()["definitions"], sort_keys=True)
        weights = blake2b(numbers.encode(), digest_size=4).hexdigest()
        normalised = "yes" if self.normalised else "no"
        return f"{NAME}|unit:{self.unit}|normalised:{normalised}|paraloom:{paraloom_version()}|weights:{weights}"

    def similarities(self, left: Sequence[str], right: Sequence[str]) -> NDArray[np.float64]:
        """The negative number of edits of each pair; from 0 to 1 where it is normalised."""
        check_pairs(left, right)
        if not len(left):
            return np.zeros(0)
        from rapidfuzz.distance import Levenshtein
        from rapidfuzz.process import cpdist

        count = Levenshtein.normalized_similarity if self.normalised else Levenshtein.distance
        counted = cpdist(self._units(left), self._units(right), scorer=count, dtype=np.float64)
        return np.asarray(counted if self.normalised else 0.0 - counted, np.float64)

    def _units(self, texts: Sequence[str]) -> list[Any]:
        shown = [text[:LONGEST_TEXT] for text in texts]
        if self.unit == "characters":
            return [text.lower() for text in shown]
        return [words(text) or tokenise(text) for text in shown]

    def score(self, left: Sequence[str], right: Sequence[str], definition: str = "loose") -> NDArray[np.float64]:
        """One number from 0 to 1 for each pair, rounded to 6 decimals; above .5 the pair is a paraphrase."""
        check_definition(NAME, definition, self.definitions)
        return self.thresholds[definition].apply(self.similarities(left, right))

    def fit(self, examples: Sequence[Examples], held_out: Sequence[Examples], seed: int = 1) -> EditDistance:
        """The same settings with .5 at the best F1 of the held-out pairs.

        The examples themselves teach it nothing; `seed` is accepted because every identifier's `fit` takes one.
        """
        thresholds = {
            kept.definition: place_threshold(self.similarities(kept.left, kept.right), np.asarray(kept.targets))
            for _, kept in with_held_out(examples, held_out)
        }
        return EditDistance(unit=self.unit, normalised=self.normalised, thresholds=thresholds)

    def _as_json(self) -> dict[str, Any]:
        return {
            "name": NAME,
            "unit": self.unit,
            "normalised": self.normalised,
            "definitions": {definition: asdict(one) for definition, one in sorted(self.thresholds.items())},
        }

    def save(self, folder: Path) -> None:
        """Write the settings and thresholds into a folder as JSON."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / CARD).write_text(json.dumps(self._as_json(), indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> EditDistance:
        """What was saved into a folder."""
        written = json.loads((folder / CARD).read_text(encoding="utf-8"))
        return cls(
            unit=written["unit"],
            normalised=written["normalised"],
            thresholds={definition: Threshold(**one) for definition, one in written["definitions"].items()},
        )
