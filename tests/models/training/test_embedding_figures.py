"""What is measured while an embedder is trained: by brute force, and as scikit-learn has it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from paraloom.errors import InputError
from paraloom.models.training.embedding_figures import HeldOutTexts


@given(st.integers(2, 12), st.integers(0, 500))
def test_figures_are_those_of_brute_force(pairs: int, seed: int) -> None:
    draw = np.random.default_rng(seed)
    left, right = [f"left {one}" for one in range(pairs)], [f"right {one}" for one in range(pairs)]
    truth = [True, False, *(draw.random(pairs - 2) < 0.5).tolist()]
    held_out = HeldOutTexts.of(left, right, truth)
    vectors = draw.standard_normal((len(held_out.texts), 5)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    of = dict(zip(held_out.texts, vectors.astype(np.float64), strict=True))
    ranks = [
        1 + sum(of[one] @ of[other] > of[one] @ of[answer] for other in of if other not in (one, answer))
        for one, answer, is_same in zip(left, right, truth, strict=True)
        if is_same
    ]
    found = held_out.figures(vectors)
    assert found["top-1"] == pytest.approx(np.mean([rank == 1 for rank in ranks]), abs=1e-6)
    assert found["mrr"] == pytest.approx(np.mean([1 / rank for rank in ranks]), abs=1e-6)
    cosines = [of[one] @ of[other] for one, other in zip(left, right, strict=True)]
    assert found["roc-auc"] == pytest.approx(roc_auc_score(truth, cosines), abs=1e-6)


def test_pairs_of_one_text_are_left_out_and_without_others_there_is_no_area() -> None:
    held_out = HeldOutTexts.of(["a", "b", "c"], ["a", "x", "y"], [True, True, True])
    assert list(held_out.texts) == ["b", "c", "x", "y"]
    assert set(held_out.figures(np.eye(4, dtype=np.float32))) == {"top-1", "mrr"}


def test_without_a_paraphrase_nothing_can_be_looked_for() -> None:
    with pytest.raises(InputError, match="no paraphrase among the held-out pairs"):
        HeldOutTexts.of(["a"], ["b"], [False])
