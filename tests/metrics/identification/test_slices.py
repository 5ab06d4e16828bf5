"""Slices: every pair is in one part, and a part is measured as if it were all there is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.metrics.diversity.jaccard import jaccard
from paraloom.metrics.identification.decisions import measure_decisions
from paraloom.metrics.identification.slices import (
    FEW,
    MOST_PARTS,
    OTHERS,
    by_length,
    by_overlap,
    by_value,
    measure_slices,
)

WORDS = ("the", "storm", "hit", "coast", "!", "😀", "")
TEXTS = st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join)


@settings(deadline=None)
@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=20))
def test_a_pair_is_in_the_part_that_its_overlap_says(pairs: list[tuple[str, str]]) -> None:
    left, right = [one for one, _ in pairs], [other for _, other in pairs]
    slicing = by_overlap(left, right)
    bounds = [0.0, 0.2, 0.4, 0.6, 0.8, 1.01]
    for place, one, other in zip(slicing.part_of, left, right, strict=True):
        assert bounds[place] <= jaccard(one, other) < bounds[place + 1]


LENGTHS = [(0, 0), (5, 0), (6, 1), (10, 1), (11, 2), (15, 2), (16, 3), (20, 3), (21, 4), (400, 4)]


@pytest.mark.parametrize(("count", "part"), LENGTHS)
def test_the_longer_text_decides_the_length(count: int, part: int) -> None:
    long = " ".join(["storm"] * count)
    slicing = by_length(["", long], [long, "storm" if count else ""])
    assert slicing.part_of.tolist() == [part, part]


def test_a_column_of_many_values_keeps_the_frequent_ones() -> None:
    values = [f"topic {number}" for number in range(40) for _ in range(40 - number)]
    slicing = by_value("topic", values)
    assert len(slicing.parts) == MOST_PARTS
    assert slicing.parts[0] == "topic 0"
    assert slicing.parts[-1] == OTHERS
    assert np.bincount(slicing.part_of).sum() == len(values)
    assert (slicing.part_of == MOST_PARTS - 1).sum() == sum(40 - number for number in range(MOST_PARTS - 1, 40))


def test_parts_are_measured_as_if_they_were_alone_and_hold_every_pair_once() -> None:
    random = np.random.default_rng(1)
    scores, truth = random.random(300), random.random(300) < 0.4
    values = random.choice(["a", "b", "c"], 300)
    slicing = by_value("topic", values.tolist())
    parts = measure_slices(slicing, scores, truth, 0.3, resamples=50)
    assert sum(part.pairs for part in parts) == 300
    for part in parts:
        rows = values == part.name
        alone = measure_decisions(scores[rows], truth[rows], 0.3)
        assert (part.f1, part.mcc, part.accuracy) == (alone["f1"].value, alone["mcc"].value, alone["accuracy"].value)
        assert part.f1_interval is not None
        assert part.f1_interval.low <= alone["f1"].value <= part.f1_interval.high
        assert part.note is None


NOTES = [
    (0, 5, "no paraphrase"),
    (5, 0, "only paraphrases"),
    (3, 50, "few paraphrases (3)"),
    (50, 3, "few other pairs (3)"),
    (FEW, FEW, None),
]


@pytest.mark.parametrize(("paraphrases", "others", "told"), NOTES)
def test_a_part_that_says_little_is_said_to(paraphrases: int, others: int, told: str | None) -> None:
    truth = np.array([True] * paraphrases + [False] * others)
    [part] = measure_slices(by_value("topic", ["a"] * len(truth)), np.where(truth, 0.9, 0.1), truth, resamples=20)
    assert (part.note or "").startswith(told or "")
    assert told is not None or part.note is None
    assert (part.f1 is None) == (paraphrases == 0)
    assert (part.mcc is None) == (paraphrases == 0 or others == 0)


CALLED = [(0.9, "every pair was called a paraphrase"), (0.1, "no pair was called a paraphrase")]


@pytest.mark.parametrize(("score", "told"), CALLED)
def test_a_part_in_which_nothing_was_told_apart_is_said_to_be_one(score: float, told: str) -> None:
    truth = np.arange(40) % 2 == 0
    [part] = measure_slices(by_value("topic", ["a"] * 40), np.full(40, score), truth, resamples=20)
    assert (part.note, part.mcc) == (told, 0.0)


def test_a_slicing_of_other_pairs_is_refused() -> None:
    with pytest.raises(InputError, match="2 pairs, but there are 1"):
        measure_slices(by_value("topic", ["a", "b"]), np.array([0.5]), np.array([True]))
