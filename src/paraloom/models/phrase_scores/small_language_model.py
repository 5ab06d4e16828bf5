"""Texts in, how likely SmolLM2 finds them out: the language model of the shipped generator, without its adapter."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.signatures import hash_of_file
from paraloom.models.generators.shipped import BASE, base_file


class SmallLanguageModel:
    """SmolLM2 as it was published, where it was fetched: a `Fluency`."""

    def __init__(self) -> None:
        from paraloom.models.generators.llama_generator import LlamaGenerator

        file = base_file()
        self._network = LlamaGenerator(file, None, name=BASE)
        self.signature = f"{BASE}|weights:{hash_of_file(file)[:8]}"

    def log_probabilities(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """The mean logarithm of the probability of a piece of each text."""
        return self._network.log_probabilities(texts)
