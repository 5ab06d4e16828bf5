"""Near texts that are no paraphrases: found by cosine, doubted by a judge or for being too near."""

from __future__ import annotations

import numpy as np

from paraloom.models.training.embedding_lessons import NONE
from paraloom.models.training.embedding_negatives import hard_texts, near_texts

TEXTS = ["storm", "gale", "storms", "rain", "market"]
ANGLES = np.deg2rad([0, 30, 5, 40, 90])
VECTORS = np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1).astype(np.float32)
GROUPS = np.array([0, 0, 1, 2, 3])
"""A storm is a gale."""
STORM = np.array([0])


def test_near_texts_are_the_nearest_of_other_groups_and_never_the_text_itself() -> None:
    near = near_texts(VECTORS, TEXTS, STORM, GROUPS, 2)
    assert near.numbers.tolist() == [[2, 3]]
    assert np.allclose(near.cosines, [np.cos(np.deg2rad([5, 40]))], atol=0.01)


def test_where_there_are_fewer_the_row_ends() -> None:
    near = near_texts(VECTORS, TEXTS, STORM, GROUPS, 9)
    assert near.numbers[0, :2].tolist() == [2, 3]
    assert (near.numbers[0, 2:] == NONE).all(), "what is at a right angle is no neighbour"


def test_without_a_judge_what_is_nearer_than_the_paraphrase_is_doubted() -> None:
    near = near_texts(VECTORS, TEXTS, STORM, GROUPS, 2)
    found = hard_texts(near, TEXTS, STORM, np.array([np.cos(np.deg2rad(30))]), wanted=2)
    assert found.hard.tolist() == [[3, NONE]]
    assert found.counts == {"looked at": 2, "too near to be sure": 1, "used": 1}


def test_a_judge_says_which_are_none() -> None:
    near = near_texts(VECTORS, TEXTS, STORM, GROUPS, 2)

    def judge(left: list[str], right: list[str]) -> np.ndarray:
        assert left == ["storm", "storm"]
        return np.array([0.1 if one == "storms" else 0.9 for one in right])

    found = hard_texts(near, TEXTS, STORM, np.array([0.5]), wanted=1, judge=judge)
    assert found.hard.tolist() == [[2]]
    assert found.counts == {"looked at": 2, "held for paraphrases by the teacher": 1, "used": 1}
