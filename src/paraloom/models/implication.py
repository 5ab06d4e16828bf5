"""Pairs of texts in, out come whether each implies the other and how alike they are worded.

One small encoder reads both texts; each question is a head on what it read. It was distilled from a larger model and
from the adversarial paraphrases of Nighojkar and Licato (2021), whose answers came from a RoBERTa-large NLI model
(mutual implication) and from BLEURT (similarity): `recipes/implication`. English.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.signatures import hash_of_file
from paraloom.errors import InputError
from paraloom.metrics.meaning.adversarial import Answers
from paraloom.models.encoders.bert_graph import BertShape
from paraloom.models.encoders.pair_encoder import PairEncoder
from paraloom.models.identifiers import SHIPPED
from paraloom.models.int8 import read_int8

FOLDER = "implication"
WEIGHTS = "model.safetensors"
HEADS = ("implication", "similarity")
MAX_TOKENS = 256
REMEMBERED = 200_000
"""Pairs whose answers are kept: several metrics ask about the same ones."""


class Implication:
    """Mutual implication as a probability, similarity on BLEURT's scale (about -2 to 1).

    Both answers are the mean over both orders of the texts, so `answer(a, b)` equals `answer(b, a)`.
    """

    def __init__(self, folder: Path, *, max_tokens: int = MAX_TOKENS) -> None:
        shape = BertShape.read(folder)
        if shape is None:
            raise InputError(f"{folder} holds no implication model. Save the model anew.")
        tensors = read_int8(folder / WEIGHTS)
        missing = [head for head in HEADS if f"heads.{head}.weight" not in tensors]
        if missing:
            raise InputError(f"{folder / WEIGHTS} has no head {missing[0]!r}. Save the model anew.")
        self.heads = {
            head: (tensors[f"heads.{head}.weight"][0], float(tensors[f"heads.{head}.bias"][0])) for head in HEADS
        }
        self.encode = PairEncoder(shape, tensors, folder / "tokenizer.json", max_tokens=max_tokens)
        self.signature = f"model:{folder.name}|max-tokens:{max_tokens}|weights:{hash_of_file(folder / WEIGHTS)[:8]}"
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
        first, second = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        forwards, backwards = self.encode(first, second), self.encode(second, first)
        # Rounded last: the sum of two 32-bit numbers differs a little with the other pairs of their batches.
        asked = {
            head: (forwards @ weight + backwards @ weight).astype(np.float64) / 2 + bias
            for head, (weight, bias) in self.heads.items()
        }
        implication: NDArray[np.float64] = 1 / (1 + np.exp(-asked["implication"]))
        return list(zip(implication.round(6).tolist(), asked["similarity"].round(6).tolist(), strict=True))


@lru_cache(maxsize=2)
def load(folder: str | Path | None = None) -> Implication:
    """The shipped model, or one that the recipe packed into a folder."""
    return Implication(Path(folder) if folder else SHIPPED / FOLDER)


def card(folder: Path | None = None) -> dict[str, object]:
    """How the model was made and what was measured."""
    told: dict[str, object] = json.loads(((folder or SHIPPED / FOLDER) / "card.json").read_text(encoding="utf-8"))
    return told
