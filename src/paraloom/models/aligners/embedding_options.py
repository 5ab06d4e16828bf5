"""How tokens are compared and linked by their vectors, and what was found best for each encoder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from paraloom.errors import InputError

Method = Literal["argmax", "itermax", "mwmf"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingOptions:
    """What links of tokens by their vectors depend on. What is None is the encoder's own: see `TUNED`."""

    encoder: str = "good"
    """`pairs` (the shipped network, which reads both texts at once), `good` or `fast` (shipped), a model that was
    fetched (all-MiniLM-L6-v2), or the folder of an embedder or a BERT model."""
    layer: int | None = None
    """The network's layer whose states are compared; 0 is the embeddings. A table of words has none."""
    method: Method = "argmax"
    """argmax: each token is the other's best. itermax: then again among what is left. mwmf: the matching that is worth
    most in sum."""
    rounds: int = 2
    """How often itermax looks."""
    again: float = 0.9
    """What itermax multiplies a token's worth by once it has a link; with 0 it gets no second one."""
    threshold: float | None = None
    """Two tokens worth less are not linked. Worth is the cosine and what is below."""
    neighbours: float | None = None
    """How much the cosines of the two tokens before, and of the two behind, count beside the tokens' own."""
    distortion: float | None = None
    """What worth is lessened by, as a share, where a token at the start meets one at the end; between, by the square
    of how far apart they are in their texts."""

    def __post_init__(self) -> None:
        shares = {"again": self.again, "neighbours": self.neighbours, "distortion": self.distortion}
        for name, value in shares.items():
            if value is not None and not 0 <= value <= 1:
                raise InputError(f"{name} is {value}. Give a number from 0 to 1.")
        if self.method not in get_args(Method):
            raise InputError(f"{self.method!r} is no method. Choose: {', '.join(get_args(Method))}.")
        if self.rounds < 1:
            raise InputError(f"rounds is {self.rounds}. itermax looks at least once.")
        if self.threshold is not None and not self.threshold >= 0:
            raise InputError(f"threshold is {self.threshold}. Give 0 or more.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuned:
    """An encoder's own settings."""

    layer: int | None = None
    threshold: float
    neighbours: float
    distortion: float


TUNED = {
    "pairs": Tuned(layer=4, threshold=0.6, neighbours=0.15, distortion=0.15),
    "good": Tuned(layer=3, threshold=0.7, neighbours=0.15, distortion=0.15),
    "fast": Tuned(threshold=0.6, neighbours=0.3, distortion=0.3),
    "all-MiniLM-L6-v2": Tuned(layer=3, threshold=0.7, neighbours=0.1, distortion=0.0),
}
"""Best for argmax on half of the training pairs of Edinburgh++ and of the development pairs of MSR RTE2."""
OTHERS = Tuned(threshold=0.7, neighbours=0.15, distortion=0.15)
"""For encoders that were not tuned: two thirds up their layers."""
