"""A BERT model's 8-bit weights in, an ONNX graph out that multiplies whole numbers: twice as fast as in 32 bits.

Weights stay as they are stored. The vector of every token is rounded too, by its own largest number (Yao et al., 2022,
*ZeroQuant*), just before it is multiplied; all else is computed in 32 bits. What a token is rounded to depends on
itself alone and sums of whole numbers are exact, so a pair's answers are the same whatever else is in its batch.
"""

from __future__ import annotations

import numpy as np

from paraloom.models.encoders.bert_graph import RUNTIMES_OWN, BertGraph, BertShape
from paraloom.models.int8 import Int8File

LEVELS = 63
"""A token's numbers become whole ones from -63 to 63: seven bits, as processors without instructions for 8-bit sums add
two products up in 16 bits, which eight would overflow. Others are fastest where the numbers have no sign: 64 is added,
and taken away again by the operator that multiplies."""
ZERO = LEVELS + 1
SMALLEST = 1e-12
"""The largest number of a token is taken to be at least this: zeros are divided too."""
ROUNDED = "encoder.layer."
"""How the names of weights begin that are multiplied in 8 bits. Heads, which see a pair once, are not."""


class Int8Graph(BertGraph):
    """As its parent, but layers multiply in 8 bits."""

    def __init__(self, tensors: Int8File, shape: BertShape) -> None:
        super().__init__(tensors, shape)
        self.file = tensors
        self.rounded: dict[str, tuple[str, str]] = {}
        """For states that were rounded once: the whole numbers, and what a token's are to be multiplied by."""
        for name, value in (("step", 1 / LEVELS), ("unscaled", 1), ("smallest", SMALLEST)):
            self.constant(name, np.array(value, np.float32))
        self.constant("zero_at", np.array(ZERO, np.uint8))
        self.constant("of_a_token", np.array([-1], np.int64))

    def product(self, states: str, name: str, factor: np.float32) -> str:
        if not name.startswith(ROUNDED):
            return super().product(states, name, factor)
        numbers, scale = self.file.whole_numbers(name)
        whole, of_tokens = self.whole(states)
        given = [self.constant(name, numbers.T), self.constant(f"{name}.scale", scale[:, 0] * factor)]
        summed = self.add(
            "MatMulIntegerToFloat", [whole, given[0], "unscaled", given[1], "zero_at"], domain=RUNTIMES_OWN
        )
        return self.add("Mul", [summed, of_tokens])

    def whole(self, states: str) -> tuple[str, str]:
        """States as whole numbers, and the scale of each token."""
        if states not in self.rounded:
            largest = self.add("ReduceMax", [self.add("Abs", [states]), "of_a_token"], keepdims=1)
            scale = self.add("Mul", [self.add("Max", [largest, "smallest"]), "step"])
            numbers = self.add("QuantizeLinear", [self.add("Div", [states, scale]), "unscaled", "zero_at"])
            self.rounded[states] = numbers, scale
        return self.rounded[states]
