"""Predicted grades are measured as the Turku paper's Table 4 does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, precision_recall_fscore_support

from paraloom.errors import InputError
from paraloom.metrics.identification.graded_figures import graded_figures

LABELS = ["1", "2", "3", "4", "4<", "4>", "4i", "4s", "4is", "4<i", "4>i", "4<s", "4>s", "4<is", "4>is"]


def test_figures_by_hand() -> None:
    truth = ["2", "3", "3", "4<", "4>", "4>i", "4", "4s"]
    said = ["3", "3", "4", "4<", "4<", "4>", "4", "4s"]
    figures = graded_figures(truth, said)
    rows = {one.label: (one.precision, one.recall, one.support) for one in figures.labels}
    assert rows == {
        "2": (0.0, 0.0, 1),
        "3": (0.5, 0.5, 2),
        "4<": (0.5, 1.0, 1),
        "4>": (1.0, 0.5, 2),  # 4>i counts as 4>, whatever its other flag
        "4": (pytest.approx(2 / 3), 1.0, 2),
        "i": (0.0, 0.0, 1),
        "s": (1.0, 1.0, 1),
    }
    assert list(rows) == ["2", "3", "4<", "4>", "4", "i", "s"]
    # Complete labels right: one 3, 4<, 4 and 4s, of eight.
    assert figures.accuracy == 0.5
    # Precision: 3 .5 (twice), 4< .5, 4> 0, 4 .5, 4s 1; recall: 3 .5 (twice), 4< 1, 4> 0, 4 1, 4s 1.
    assert figures.precision == pytest.approx((0.5 * 2 + 0.5 + 0 + 0.5 + 1) / 8)
    assert figures.recall == pytest.approx((0.5 * 2 + 1 + 0 + 1 + 1) / 8)


@given(st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), min_size=1, max_size=60))
def test_complete_labels_are_measured_as_scikit_learn_does(pairs: list[tuple[str, str]]) -> None:
    truth, said = [one for one, _ in pairs], [other for _, other in pairs]
    figures = graded_figures(truth, said)
    expected = precision_recall_fscore_support(truth, said, average="weighted", zero_division=0)
    assert (figures.precision, figures.recall, figures.f1) == pytest.approx(expected[:3])
    assert figures.accuracy == pytest.approx(accuracy_score(truth, said))


def test_labels_that_do_not_pair_up_are_refused() -> None:
    with pytest.raises(InputError, match="2 true labels and 1 predicted"):
        graded_figures(["4", "3"], ["4"])
    with pytest.raises(InputError, match="no label to measure"):
        graded_figures([], [])
