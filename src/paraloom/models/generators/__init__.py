"""A name or a folder in, a generator out: what says the same thing in other words.

Every system, from the parrot to a language model, implements `Generator`; nothing else in Paraloom knows more about
it. Importing this module loads no model library: a system's module is imported when it is asked for.

What a generator says to a source depends on the source, on `n` and on the state of `rng` alone, never on the sources
beside it: a run that was cut off goes on with the same outputs, whatever its batches are. On a GPU, where sources go on
side by side, that holds but for rounding, and a run that goes on keeps its batches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One text that a generator proposes for a source."""

    text: str
    score: float
    """How good its generator holds it to be: the higher the better, and comparable within a source only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What has been used up since a generator was loaded."""

    requests: int = 0
    tokens_read: int = 0
    tokens_written: int = 0
    cost: float = 0.0
    """In the currency of the prices that were given; 0 where none were."""


@runtime_checkable
class Generator(Protocol):
    """Proposes paraphrases of texts."""

    @property
    def name(self) -> str:
        """As it stands in tables; a key of `systems.SYSTEMS` where it is one of those."""

    @property
    def signature(self) -> str:
        """All that decides an output, in the manner of sacrebleu: `name|setting:value|…|weights:ab12cd34`."""

    def generate(self, sources: Sequence[str], n: int, rng: np.random.Generator) -> list[list[Candidate]]:
        """Up to `n` different candidates for each source, best first; none where it has nothing to say."""


@runtime_checkable
class Draws(Protocol):
    """A generator that may say something else when it is asked again."""

    @property
    def draws(self) -> bool:
        """Whether chance decides what it says."""


def streams(sources: Sequence[str], rng: np.random.Generator) -> list[np.random.Generator]:
    """One source of chance for each text: the same for a text and a state of `rng`, wherever the text stands.

    >>> import numpy as np
    >>> first = streams(["a", "b"], np.random.default_rng(1))[1].integers(1000)
    >>> int(first) == int(streams(["b"], np.random.default_rng(1))[0].integers(1000))
    True
    """
    import numpy as np

    salt = int(rng.integers(2**63)).to_bytes(16, "big")
    return [
        np.random.default_rng(
            int.from_bytes(blake2b(source.encode("utf-8", "surrogatepass"), digest_size=16, salt=salt).digest())
        )
        for source in sources
    ]
