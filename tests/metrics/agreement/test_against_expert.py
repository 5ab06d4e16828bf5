"""A crowd's majority against an expert: sklearn's values, with what was left out counted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, cohen_kappa_score, precision_recall_fscore_support

from paraloom.errors import InputError
from paraloom.metrics.agreement.against_expert import NOTHING_SHARED, crowd_against_expert
from paraloom.metrics.agreement.majority import ALONE, TIED
from paraloom.metrics.agreement.scale import Scale

SCALE = Scale.of(["no", "yes"])
THREE = Scale.of(["a", "b", "c"])


def values(found) -> dict[str, float | None]:
    return {one.name: one.value for one in found.coefficients}


@given(st.lists(st.tuples(st.integers(-2, 2), st.integers(-1, 2)), max_size=40))
def test_kappa_precision_recall_and_f1_are_sklearns(rows) -> None:
    crowd, expert = (np.array(side, dtype=int) for side in (zip(*rows, strict=True) if rows else ((), ())))
    found = crowd_against_expert(THREE, crowd, expert, positive="b", resamples=5)
    both = [(said, right) for said, right in rows if said >= 0 and right >= 0]
    assert found.compared == len(both)
    assert found.tied == sum(said == TIED and right >= 0 for said, right in rows)
    assert found.unanswered == sum(said == ALONE and right >= 0 for said, right in rows)
    if not both:
        assert set(values(found).values()) == {None}
        assert {one.why_none for one in found.coefficients} == {NOTHING_SHARED}
        return
    said, right = zip(*both, strict=True)
    told = values(found)
    assert told["expert-accuracy"] == pytest.approx(accuracy_score(right, said))
    if len({*said, *right}) > 1:
        assert told["expert-kappa"] == pytest.approx(cohen_kappa_score(said, right), abs=1e-9)
    else:
        assert told["expert-kappa"] is None
    precision, recall, f1, _ = precision_recall_fscore_support(
        np.array(right) == 1, np.array(said) == 1, average="binary", zero_division=np.nan
    )
    for name, theirs in (("expert-precision", precision), ("expert-recall", recall), ("expert-f1", f1)):
        if np.isnan(theirs):
            assert told[name] is None
        else:
            assert told[name] == pytest.approx(theirs)


def test_a_crowd_like_the_papers() -> None:
    """Three hundred pairs with precision .871 and recall .787 have the paper's F1 of .827 and a kappa near its .739."""
    right, wrong, missed = 74, 11, 20
    crowd = np.repeat([1, 1, 0, 0], [right, wrong, missed, 300 - right - wrong - missed])
    expert = np.repeat([1, 0, 1, 0], [right, wrong, missed, 300 - right - wrong - missed])
    told = values(crowd_against_expert(SCALE, crowd, expert, positive="yes"))
    assert round(told["expert-precision"], 3) == 0.871
    assert told["expert-recall"] == pytest.approx(0.787, abs=1e-3)
    assert round(told["expert-f1"], 3) == 0.827
    assert told["expert-kappa"] == pytest.approx(0.739, abs=0.02)


def test_intervals_hold_their_values_and_shrink_with_more_items() -> None:
    random = np.random.default_rng(1)
    widths = []
    for items in (50, 800):
        expert = random.integers(0, 2, items)
        crowd = np.where(random.random(items) < 0.85, expert, 1 - expert)
        found = crowd_against_expert(SCALE, crowd, expert, positive="yes")
        for one in found.coefficients:
            assert one.interval is not None
            assert one.interval.low < one.value < one.interval.high
        widths.append(found.coefficients[0].interval.high - found.coefficients[0].interval.low)
    assert widths[1] < widths[0] / 2


def test_why_there_is_no_value_is_told_of_each() -> None:
    found = crowd_against_expert(SCALE, np.array([0, 0]), np.array([0, 0]), positive="yes")
    told = {one.name: one.why_none for one in found.coefficients}
    assert told == {
        "expert-kappa": "the crowd and the expert always gave the same one answer",
        "expert-accuracy": None,
        "expert-precision": "the crowd never said yes",
        "expert-recall": "the expert never said yes",
        "expert-f1": "neither ever said yes",
    }


def test_without_a_positive_answer_there_is_no_precision() -> None:
    found = crowd_against_expert(THREE, np.array([0, 1]), np.array([0, 2]))
    assert list(values(found)) == ["expert-kappa", "expert-accuracy"]
    assert found.confusion.tolist() == [[1, 0, 0], [0, 0, 1], [0, 0, 0]]


def test_a_positive_answer_that_nobody_could_give_is_refused() -> None:
    with pytest.raises(InputError, match="Nobody could answer 'maybe'; the answers are no, yes"):
        crowd_against_expert(SCALE, np.array([0]), np.array([0]), positive="maybe")
