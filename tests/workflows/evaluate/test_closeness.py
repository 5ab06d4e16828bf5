"""The scale of parrots: a parrot's own place on it, and the opponents it finds for a system."""

from __future__ import annotations

import pytest

from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.models.generators.parrots import KINDS, POSITIONS, Parrot, Parroting
from paraloom.workflows.evaluate.closeness import ParrotScale

TEXTS = EvaluationSet.of(
    [
        f"the {size} {thing} near {town} was closed by the council after the {size} storm of last {month}"
        for size in ("old", "large", "famous")
        for thing in ("bridge", "market", "museum", "harbour")
        for town in ("Arden", "Norland", "Riverside")
        for month in ("March", "June")
    ],
    [
        [f"last {month} a storm made the council close the {thing} near {town}"]
        for _ in range(3)
        for thing in ("bridge", "market", "museum", "harbour")
        for town in ("Arden", "Norland", "Riverside")
        for month in ("March", "June")
    ],
)
SCALE = ParrotScale(TEXTS)
PARROTING = Parroting(TEXTS)


@pytest.mark.parametrize("ratio", [0.1, 0.25, 0.4, 0.7])
def test_a_parrot_that_replaces_words_finds_its_own_ratio(ratio: float) -> None:
    outputs = PARROTING.outputs(Parrot(kind="replace", position="random", ratio=ratio))
    assert SCALE.share_replaced(outputs) == pytest.approx(ratio, abs=0.02)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("position", POSITIONS)
def test_a_parrot_meets_itself_among_its_opponents(kind, position) -> None:
    own = Parrot(kind=kind, position=position, ratio=0.3)
    assert own in SCALE.matched(PARROTING.outputs(own))


def test_opponents_are_at_least_as_close_to_the_sources_and_the_best_comes_first() -> None:
    outputs = [references[0] for references in TEXTS.references]
    matched = SCALE.matched(outputs)
    ours = SCALE.self_bleu(outputs)
    place = {point.parrot: point for point in SCALE.points}
    assert len(matched) == 9
    assert all(place[parrot].self_bleu >= ours for parrot in matched)
    assert [place[parrot].bleu for parrot in matched] == sorted(
        (place[parrot].bleu for parrot in matched), reverse=True
    )


def test_a_copy_meets_the_full_parrot_alone() -> None:
    assert SCALE.matched(TEXTS.sources) == (Parrot(),)
    assert SCALE.share_replaced(TEXTS.sources) == 0
