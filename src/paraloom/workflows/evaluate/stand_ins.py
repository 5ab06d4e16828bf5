"""A set in, out come outputs that no generator wrote, to stand beside those of one: parrots, people, strangers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from paraloom.corpus.system_outputs import SystemOutputs
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.models.generators.parrots import Parrot

PARROTS = (
    Parrot(),
    Parrot(kind="cut", position="tail", ratio=0.1),
    Parrot(kind="cut", position="tail", ratio=0.3),
    Parrot(kind="replace", position="tail", ratio=0.1),
    Parrot(kind="replace", position="tail", ratio=0.3),
)
"""Those that stand beside every system; changed at the tail, where a parrot loses least."""

HUMAN, STRANGER = "human", "stranger"
MATCHED = "matched parrots"
_OURS = re.compile(rf"parrot(-[a-z]+-[a-z]+-[0-9.]+)?|{HUMAN}|{STRANGER}|{MATCHED}", re.IGNORECASE)


def named_apart(systems: Sequence[SystemOutputs]) -> tuple[SystemOutputs, ...]:
    """A system that is called as one of ours gets another name, so that neither is taken for the other.

    >>> [system.name for system in named_apart([SystemOutputs(name="human", outputs=())])]
    ['human (given)']
    """
    taken = {system.name for system in systems}
    apart = []
    for system in systems:
        name = system.name
        while _OURS.fullmatch(name) or (name != system.name and name in taken):
            name += " (given)"
        taken.add(name)
        apart.append(replace(system, name=name))
    return tuple(apart)


def drawn_references(evaluation_set: EvaluationSet, seed: int) -> list[str]:
    """One reference a source, drawn at random: people, as if they were a system."""
    drawn = np.random.default_rng(seed).random(len(evaluation_set.sources))
    return [
        texts[int(share * len(texts))] for share, texts in zip(drawn.tolist(), evaluation_set.references, strict=True)
    ]


def references_of_others(evaluation_set: EvaluationSet, seed: int) -> list[str]:
    """To every source the first reference of another one: fluent sentences that have nothing to do with it.

    >>> references_of_others(EvaluationSet.of(["a", "b"], [["a a"], ["b b"]]), seed=1)
    ['b b', 'a a']
    """
    total = len(evaluation_set.sources)
    shift = 1 + int(np.random.default_rng(seed).integers(total - 1)) if total > 2 else 1
    return [evaluation_set.references[(place + shift) % total][0] for place in range(total)]
