"""A system's outputs in, out come the parrots that stay as close to the sources as they do.

BLEU against references falls with every word that is changed, so a system that changes much can only lose to the full
parrot. The fair opponents are the parrots that have changed as much: the matched parrots. A paraphraser agrees with the
references better than parrots whose words were merely cut or spoiled to the same self-BLEU; a parrot does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.overlap.bleu import Bleu
from paraloom.metrics.overlap.self_bleu import SelfBleu
from paraloom.models.generators.parrots import ALL_KINDS, POSITIONS, Parrot, Parroting

RATIOS = tuple(round(step / 20, 2) for step in range(20))
"""From the full parrot to one with 95% of its words changed."""
MOST_SOURCES = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class ParrotPoint:
    """One parrot's likeness to sources and to references."""

    parrot: Parrot
    self_bleu: float
    bleu: float


class ParrotScale:
    """Parrots of all kinds and ratios, measured once on a set (or on 2,000 of its sources), to hold systems against."""

    def __init__(self, evaluation_set: EvaluationSet, *, bleu: Bleu = Bleu(), seed: int = 1) -> None:
        total = len(evaluation_set.sources)
        rows = np.random.default_rng(seed).permutation(total)[:MOST_SOURCES]
        self.rows: list[int] = sorted(rows.tolist())
        part = evaluation_set if len(self.rows) == total else evaluation_set.chosen(self.rows)
        parroting = Parroting(part, seed)
        self._self_bleu = SelfBleu(bleu=bleu).prepare(part)
        against_references = bleu.prepare(part)
        points = []
        for kind, position in product(ALL_KINDS, POSITIONS):
            for ratio in RATIOS:
                outputs = parroting.outputs(parrot := Parrot(kind=kind, position=position, ratio=ratio))
                points.append(
                    ParrotPoint(
                        parrot=parrot,
                        self_bleu=self._self_bleu(outputs).value,
                        bleu=against_references(outputs).value,
                    )
                )
        self.points: tuple[ParrotPoint, ...] = tuple(points)

    def self_bleu(self, outputs: Sequence[str]) -> float:
        """Of a system's outputs (one a source of the whole set), on the sources of this scale."""
        return self._self_bleu([outputs[row] for row in self.rows]).value

    def matched(self, outputs: Sequence[str]) -> tuple[Parrot, ...]:
        """The parrots that changed about as much, one of each kind and position; that with the best BLEU comes first.

        The one with the largest ratio is taken that is still at least as close to the sources as the outputs are: in
        doubt the parrot has the advantage.
        """
        ours = self.self_bleu(outputs)
        found: dict[Parrot, float] = {}
        for kind, position in product(ALL_KINDS, POSITIONS):
            curve = [point for point in self.points if (point.parrot.kind, point.parrot.position) == (kind, position)]
            close = [point for point in curve if point.self_bleu >= ours] or curve[:1]
            last = max(close, key=lambda point: point.parrot.ratio)
            found[last.parrot if last.parrot.ratio else Parrot()] = last.bleu
        return tuple(sorted(found, key=lambda parrot: -found[parrot]))

    def share_replaced(self, outputs: Sequence[str]) -> float:
        """The share of words that a parrot must replace at random to be as far from the sources as the outputs are."""
        curve = [point for point in self.points if (point.parrot.kind, point.parrot.position) == ("replace", "random")]
        falling = sorted(curve, key=lambda point: point.self_bleu)
        return float(
            np.interp(
                self.self_bleu(outputs),
                [point.self_bleu for point in falling],
                [point.parrot.ratio for point in falling],
            )
        )
