"""Curves of parrots: every point is what sacrebleu gives for that parrot's outputs."""

from __future__ import annotations

import pytest
import sacrebleu

from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.overlap.bleu import Bleu
from paraloom.metrics.overlap.self_bleu import SelfBleu
from paraloom.metrics.overlap.ter import Ter
from paraloom.models.generators.parrots import KINDS, POSITIONS, Parrot, Parroting
from paraloom.workflows.evaluate.sweep import sweep

TEXTS = EvaluationSet.of(
    [
        f"the {thing} in {town} was {done} on {day} by the old council"
        for thing, done in (("bridge", "closed"), ("market", "opened"), ("museum", "painted"))
        for town in ("Arden", "Norland", "Riverside")
        for day in ("Monday", "Friday")
    ],
    [
        [f"on {day} the council of {town} {done} its {thing}"]
        + [f"{town}: {thing} {done} by council"] * (day == "Friday")
        for thing, done in (("bridge", "shut"), ("market", "opened"), ("museum", "painted"))
        for town in ("Arden", "Norland", "Riverside")
        for day in ("Monday", "Friday")
    ],
)


def streams(evaluation_set: EvaluationSet) -> list[list[str | None]]:
    most = max(evaluation_set.reference_counts)
    return [[texts[n] if n < len(texts) else None for texts in evaluation_set.references] for n in range(most)]


def test_every_point_is_what_sacrebleu_gives_for_those_outputs() -> None:
    found = sweep(TEXTS, [Bleu(), Ter()], [0.2, 0.5], sample={}, seed=3)
    parroting = Parroting(TEXTS, seed=3)
    oracle = {"bleu": sacrebleu.corpus_bleu, "ter": sacrebleu.corpus_ter}
    assert len(found.points) == 2 * 6 * 3
    for point in found.points:
        outputs = parroting.outputs(Parrot(kind=point.kind, position=point.position, ratio=point.ratio))  # type: ignore[arg-type]
        assert point.value == pytest.approx(oracle[point.metric](outputs, streams(TEXTS)).score, abs=1e-9)


def test_every_curve_begins_at_the_full_parrot() -> None:
    found = sweep(TEXTS, [SelfBleu()], [0.3, 0.6, 0.9], sample={}, seed=1)
    for kind in KINDS:
        for position in POSITIONS:
            curve = [point for point in found.points if (point.kind, point.position) == (kind, position)]
            assert [point.ratio for point in curve] == [0, 0.3, 0.6, 0.9]
            assert curve[0].value == pytest.approx(100)
            assert [point.value for point in curve] == sorted((point.value for point in curve), reverse=True)


def test_a_metric_is_measured_on_as_many_sources_as_it_may_be() -> None:
    told: list[tuple[str, int, int]] = []
    found = sweep(TEXTS, [Bleu(), Ter()], [0.5], sample={"ter": 5}, seed=1, step=lambda *news: told.append(news))
    assert found.sources == {"bleu": 18, "ter": 5}
    assert told[-1] == ("sweep", 14, 14)
