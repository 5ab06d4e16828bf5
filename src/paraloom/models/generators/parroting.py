"""Sources in, parrots' candidates out: each source again with ever more of its words cut or replaced.

It shows what a file looks like and what copying scores, and it needs nothing installed. What is a mere copy is left to
the one who asked to refuse.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from paraloom.errors import InputError
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.models.generators import Candidate, streams
from paraloom.models.generators.parrots import KINDS, Kind, Parrot, Parroting

if TYPE_CHECKING:
    import numpy as np

RATIOS = (0.1, 0.2, 0.3, 0.4, 0.5)
SEEDS = 2**62


@dataclass(frozen=True, slots=True, kw_only=True)
class ParrotGenerator:
    """Repeats a source, first whole, then with a share of its words changed at places that chance draws.

    >>> import numpy as np
    >>> said = ParrotGenerator().generate(["a storm hit the coast on monday"], 3, np.random.default_rng(1))[0]
    >>> said[0].text, len(said[1].text.split()), said[1].score
    ('a storm hit the coast on monday', 6, 0.9)
    """

    kinds: tuple[Kind, ...] = KINDS
    ratios: tuple[float, ...] = RATIOS

    def __post_init__(self) -> None:
        if unknown := next((kind for kind in self.kinds if kind not in KINDS), None):
            raise InputError(f"A parrot does not {unknown} words. It can: {', '.join(KINDS)}.")
        if strange := [ratio for ratio in self.ratios if not 0 <= ratio <= 1]:
            raise InputError(f"A parrot cannot change {strange[0]} of its words. Give ratios from 0 to 1.")

    @property
    def name(self) -> str:
        """`parrot`."""
        return "parrot"

    @property
    def signature(self) -> str:
        """Kinds of changes and their shares."""
        return f"parrot|kinds:{','.join(self.kinds)}|ratios:{','.join(f'{ratio:g}' for ratio in self.ratios)}"

    def generate(self, sources: Sequence[str], n: int, rng: np.random.Generator) -> list[list[Candidate]]:
        """Up to `n` different texts for each source, those with the fewest changes first."""
        return [
            _candidates(source, n, int(stream.integers(SEEDS)), self._parrots())
            for source, stream in zip(sources, streams(sources, rng), strict=True)
        ]

    def _parrots(self) -> Iterator[Parrot]:
        yield Parrot()
        for ratio in self.ratios:
            for position in ("random", "tail", "head"):
                for kind in self.kinds:
                    yield Parrot(kind=kind, position=position, ratio=ratio)


def _candidates(source: str, n: int, seed: int, parrots: Iterator[Parrot]) -> list[Candidate]:
    if not source.strip():
        return []
    parroting = Parroting(EvaluationSet.of([source], [[source]]), seed)
    found: dict[str, Candidate] = {}
    for parrot in parrots:
        text = parroting.outputs(parrot)[0]
        if len(found) == n:
            break
        if text.strip():
            found.setdefault(text, Candidate(text=text, score=1 - parrot.ratio))
    return list(found.values())
