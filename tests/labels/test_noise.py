"""Noisy labels: what a teacher doubts is left out or turned; confident learning agrees with a plain writing of it."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.labels.noise import METHODS, clean_labels, confident_joint, confidently_wrong, unlikely
from paraloom.labels.noise_options import LIMITS, NoiseOptions

LABELLED = st.lists(
    st.tuples(st.sampled_from([0.0, 1.0]), st.integers(0, 20).map(lambda n: n / 20)), min_size=1, max_size=40
)


def arrays(rows: list[tuple[float, float]]) -> tuple[np.ndarray, np.ndarray]:
    table = np.array(rows, np.float64)
    return table[:, 0], table[:, 1]


UNLIKELY = [
    (1.0, 0.25, 0.25, True),
    (1.0, 0.26, 0.25, False),
    (0.0, 0.75, 0.25, True),
    (0.0, 0.74, 0.25, False),
    (0.0, 0.95, 0.05, True),
    (1.0, 0.9, 0.45, False),
]


@pytest.mark.parametrize(("label", "teacher", "limit", "expected"), UNLIKELY)
def test_a_label_is_unlikely_at_the_limit_or_below(label: float, teacher: float, limit: float, expected: bool) -> None:
    assert unlikely(np.array([label]), np.array([teacher]), limit).tolist() == [expected]


@given(rows=LABELLED, limit=st.sampled_from(LIMITS))
def test_filtering_and_flipping_touch_the_same_labels_and_no_others(
    rows: list[tuple[float, float]], limit: float
) -> None:
    targets, teacher = arrays(rows)
    doubted = unlikely(targets, teacher, limit)
    filtered = clean_labels(targets, teacher, NoiseOptions(method="filter", limit=limit))
    turned = clean_labels(targets, teacher, NoiseOptions(method="flip", limit=limit))
    assert filtered.kept.tolist() == np.flatnonzero(~doubted).tolist()
    assert filtered.dropped == doubted.sum()
    assert np.array_equal(filtered.targets, targets)
    assert turned.flipped.tolist() == doubted.tolist()
    assert np.array_equal(turned.targets, np.where(doubted, 1 - targets, targets))
    assert turned.dropped == 0
    # What was turned is likely now, so that a second pass changes nothing.
    again = clean_labels(turned.targets, teacher, NoiseOptions(method="flip", limit=limit))
    assert not again.flipped.any()


@given(rows=LABELLED)
def test_a_higher_limit_doubts_all_that_a_lower_one_does(rows: list[tuple[float, float]]) -> None:
    targets, teacher = arrays(rows)
    doubted = [unlikely(targets, teacher, limit) for limit in LIMITS]
    assert all((more | ~fewer).all() for fewer, more in itertools.pairwise(doubted))


def test_nothing_is_done_where_nothing_is_asked() -> None:
    kept = clean_labels(np.array([1.0, 0.0]), np.array([0.0, 1.0]), NoiseOptions(method="none"))
    assert kept.targets.tolist() == [1, 0]
    assert kept.dropped_for == (None, None)


def joint_in_plain_loops(labels: list[int], probabilities: list[list[float]]) -> list[list[int]]:
    """Equation 1 of Northcutt et al. (2021), as it is written there."""
    classes = len(probabilities[0])
    thresholds = []
    for one in range(classes):
        own = [row[one] for label, row in zip(labels, probabilities, strict=True) if label == one]
        thresholds.append(sum(own) / len(own) if own else float("inf"))
    joint = [[0] * classes for _ in range(classes)]
    for label, row in zip(labels, probabilities, strict=True):
        above = [one for one in range(classes) if row[one] >= thresholds[one] - 1e-9]
        if above:
            best = above[0]
            for one in above:
                if row[one] > row[best]:
                    best = one
            joint[label][best] += 1
    return joint


def pruned_in_plain_loops(labels: list[int], probabilities: list[list[float]]) -> set[int]:
    """Prune by noise rate: of label i, as many as are estimated to be j, with the largest margin of j over i."""
    joint = joint_in_plain_loops(labels, probabilities)
    pruned = set()
    for given_label, row in enumerate(joint):
        members = [place for place, label in enumerate(labels) if label == given_label]
        for other, count in enumerate(row):
            if other == given_label or sum(row) == 0:
                continue
            wanted = round(len(members) * count / sum(row))
            ranked = sorted(
                members, key=lambda place: (probabilities[place][given_label] - probabilities[place][other], place)
            )
            pruned |= set(ranked[:wanted])
    return pruned


@st.composite
def labelled_by_a_teacher(draw: st.DrawFn) -> tuple[list[int], list[list[float]]]:
    classes = draw(st.integers(2, 4))
    count = draw(st.integers(1, 40))
    labels = draw(st.lists(st.integers(0, classes - 1), min_size=count, max_size=count))
    # Sixteenths are exact in a float: ties are ties, in either writing.
    weights = st.lists(st.integers(0, 16), min_size=classes, max_size=classes)
    rows = draw(st.lists(weights, min_size=count, max_size=count))
    return labels, [[weight / 16 for weight in row] for row in rows]


@given(labelled=labelled_by_a_teacher())
def test_confident_learning_is_what_plain_loops_compute(labelled: tuple[list[int], list[list[float]]]) -> None:
    labels, probabilities = labelled
    table = np.array(probabilities)
    assert confident_joint(np.array(labels), table).tolist() == joint_in_plain_loops(labels, probabilities)
    assert set(np.flatnonzero(confidently_wrong(np.array(labels), table)).tolist()) == pruned_in_plain_loops(
        labels, probabilities
    )


def test_confident_learning_finds_most_labels_that_were_turned_by_chance() -> None:
    random = np.random.default_rng(1)
    truth = random.random(2000) < 0.4
    teacher = np.clip(np.where(truth, 0.8, 0.2) + random.normal(0, 0.12, 2000), 0, 1)
    wrong = random.random(2000) < 0.15
    cleaned = clean_labels((truth ^ wrong).astype(float), teacher, NoiseOptions(method="confident"))
    dropped = np.array([reason is not None for reason in cleaned.dropped_for])
    assert (dropped & wrong).sum() / wrong.sum() > 0.9
    assert (dropped & wrong).sum() / dropped.sum() > 0.9
    assert {reason for reason in cleaned.dropped_for if reason} == {"noise: confidently another label"}


def test_a_teacher_without_doubt_changes_nothing() -> None:
    targets = np.array([1.0, 0.0, 1.0])
    for method in METHODS:
        cleaned = clean_labels(targets, targets, NoiseOptions(method=method, limit=0.25))  # type: ignore[arg-type]
        assert cleaned.dropped == 0
        assert cleaned.targets.tolist() == targets.tolist()


REFUSED = [
    ([1.0], [0.5, 0.5], {}, "1 labels and 2 probabilities"),
    ([float("nan")], [0.5], {}, "must be 1 or 0"),
    ([0.5], [0.5], {}, "must be 1 or 0"),
    ([1.0], [1.5], {}, "from 0 to 1"),
    ([1.0], [float("nan")], {}, "from 0 to 1"),
    ([1.0], [0.5], {"limit": 0.5}, "less than .5"),
    ([1.0], [0.5], {"method": "guess"}, "no way 'guess'.*flip"),
]


@pytest.mark.parametrize(("targets", "teacher", "options", "complaint"), REFUSED)
def test_what_cannot_be_cleaned_is_an_error(
    targets: list[float], teacher: list[float], options: dict, complaint: str
) -> None:
    with pytest.raises(InputError, match=complaint):
        clean_labels(np.array(targets), np.array(teacher), NoiseOptions(**options))
