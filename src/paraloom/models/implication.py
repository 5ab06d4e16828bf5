"""Pairs of texts in, out come whether each implies the other and how alike they are worded.

Two of the shipped network's questions. It learned them from the adversarial paraphrases of Nighojkar and Licato (2021),
whose answers came from a RoBERTa-large NLI model (mutual implication) and from BLEURT (similarity), and from a larger
model of ours: `recipes/identifier`. English.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from paraloom.errors import InputError
from paraloom.metrics.meaning.adversarial import Answers
from paraloom.models.identifiers import SHIPPED
from paraloom.models.pair_model import FOLDER, MAX_TOKENS, FilesState, PairModel, load_pair_model, state_of_files

HEADS = ("implication", "similarity")
REMEMBERED = 200_000
"""Pairs whose answers are kept: several metrics ask about the same ones."""


class Implication:
    """Mutual implication as a probability, similarity on BLEURT's scale (about -2 to 1).

    The network reads the longer text first, so `answer(a, b)` equals `answer(b, a)`. Every pair is read to its end.
    """

    def __init__(self, folder: Path, *, max_tokens: int = MAX_TOKENS) -> None:
        self.model = load_pair_model(folder) if max_tokens == MAX_TOKENS else PairModel(folder, max_tokens=max_tokens)
        self.signature = self.model.signature
        self._known: dict[tuple[str, ...], tuple[float, float]] = {}

    def answer(self, left: Sequence[str], right: Sequence[str]) -> Answers:
        """Both answers for each pair, rounded to 6 decimals."""
        if len(left) != len(right):
            raise InputError(f"There are {len(left)} left texts and {len(right)} right texts; give as many of each.")
        asked = [tuple(sorted(pair)) for pair in zip(left, right, strict=True)]
        new = [pair for pair in dict.fromkeys(asked) if pair not in self._known]
        if len(self._known) + len(new) > REMEMBERED:
            self._known.clear()
            new = list(dict.fromkeys(asked))
        found = dict(zip(new, self._computed(new), strict=True))
        answers = np.array([found[pair] if pair in found else self._known[pair] for pair in asked], np.float64).reshape(
            -1, 2
        )
        self._known |= found
        return Answers(implication=answers[:, 0], similarity=answers[:, 1])

    def _computed(self, pairs: Sequence[tuple[str, ...]]) -> list[tuple[float, float]]:
        if not pairs:
            return []
        answers, _ = self.model.answers([pair[0] for pair in pairs], [pair[1] for pair in pairs], HEADS)
        implication = 1 / (1 + np.exp(-answers[:, 0]))
        return list(zip(implication.round(6).tolist(), answers[:, 1].round(6).tolist(), strict=True))


def load(folder: str | Path | None = None) -> Implication:
    """The shipped model, or one that the recipe packed into a folder; loaded anew when its files change."""
    place = Path(folder) if folder else SHIPPED / FOLDER
    return _loaded(place.resolve(), state_of_files(place))


@lru_cache(maxsize=2)
def _loaded(folder: Path, state: FilesState) -> Implication:
    return Implication(folder)
