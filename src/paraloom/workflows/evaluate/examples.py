"""Outputs in, some of every sort out, for a person to look at: copies, small changes, near copies, the rest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from paraloom.metrics.diversity.copying import is_copy
from paraloom.metrics.diversity.edit_ratio import edit_ratio
from paraloom.metrics.diversity.small_changes import kinds_of_change
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.overlap.bleu import Bleu
from paraloom.metrics.overlap.self_bleu import SelfBleu
from paraloom.reports.generation_summary import Example
from paraloom.workflows.evaluate.near_copies import is_near_copy

SHOWN = 12
"""Examples of a system; each sort has its share of the outputs among them, and at least one."""


def pick_examples(
    evaluation_set: EvaluationSet,
    outputs: Sequence[str],
    *,
    seed: int,
    language: str = "en",
    bleu: Bleu = Bleu(),
) -> tuple[Example, ...]:
    """Drawn at random within each sort, the sorts in the order from copies to what was changed most."""
    order = np.random.default_rng(seed).permutation(len(outputs)).tolist()[:500]
    by_kind: dict[str, list[int]] = {"copy": [], "small change": [], "near copy": [], "changed": []}
    for row in order:
        by_kind[kind_of_output(evaluation_set.sources[row], outputs[row], language)].append(row)
    chosen = [
        (kind, row) for kind, rows in by_kind.items() for row in rows[: max(1, round(SHOWN * len(rows) / len(order)))]
    ]
    own = SelfBleu(bleu=bleu).prepare(part := evaluation_set.chosen([row for _, row in chosen]))
    against = bleu.prepare(part)
    texts = [outputs[row] for _, row in chosen]
    return tuple(
        Example(
            kind=kind,
            source=evaluation_set.sources[row],
            output=outputs[row],
            reference=nearest(outputs[row], evaluation_set.references[row]),
            bleu=float(score),
            self_bleu=float(copied),
        )
        for (kind, row), score, copied in zip(chosen, against(texts).items, own(texts).items, strict=True)
    )


def nearest(output: str, references: Sequence[str]) -> str:
    """The reference that the fewest edits of words lead to.

    >>> nearest("a storm hit the coast", ["the coast was hit", "a gale hit the coast"])
    'a gale hit the coast'
    """
    return min(references, key=lambda reference: edit_ratio(output, reference))


def kind_of_output(source: str, output: str, language: str) -> str:
    """What sort of output this is: `copy`, `small change`, `near copy`, or `changed`.

    >>> kind_of_output("a storm hit", "A storm hit!", "en"), kind_of_output("a storm hit", "gales blew", "en")
    ('copy', 'changed')
    """
    if is_copy(source, output):
        return "copy"
    if kinds_of_change(source, output, language):
        return "small change"
    return "near copy" if is_near_copy(source, output) else "changed"
