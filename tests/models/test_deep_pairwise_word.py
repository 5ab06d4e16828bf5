"""The cube of word interactions has its 13 features, and the focus layer chooses what a plain loop chooses."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.models.identifiers.deep_pairwise_word import DeepPairwiseWord
from paraloom.models.identifiers.networks.pairwise_words import (
    DIMMED,
    FEATURE_NAMES,
    PairwiseWordsNetwork,
    best_matches,
    focused,
    interaction_cube,
)

torch.set_num_threads(1)


def test_the_cube_of_two_words_is_as_by_hand() -> None:
    left = torch.tensor([[[3.0, 0.0, 0.0, 4.0]]])  # forwards (3, 0), backwards (0, 4)
    right = torch.tensor([[[1.0, 0.0, 1.0, 0.0]]])
    cube = interaction_cube(left, right, torch.ones(1, 1, 1, dtype=torch.bool))
    by_hand = {
        "both_cosine": 3 / (5 * sqrt(2)),
        "both_l2": sqrt(4 + 0 + 1 + 16),
        "both_dot": 3.0,
        "forward_cosine": 1.0,
        "forward_l2": 2.0,
        "forward_dot": 3.0,
        "backward_cosine": 0.0,
        "backward_l2": sqrt(17),
        "backward_dot": 0.0,
        "sum_cosine": 6 / (5 * 2),
        "sum_l2": sqrt(1 + 16),
        "sum_dot": 6.0,
        "is_word": 1.0,
    }
    assert by_hand.keys() == set(FEATURE_NAMES)
    found = dict(zip(FEATURE_NAMES, cube[0, :, 0, 0].tolist(), strict=True))
    assert found == pytest.approx(by_hand | {"sum_cosine": 6 / (5 * 2)}, abs=1e-6)


def test_where_there_is_no_word_the_cube_is_empty() -> None:
    states = torch.randn(2, 3, 8)
    is_word = torch.zeros(2, 3, 3, dtype=torch.bool)
    is_word[0, :2, :1] = True
    is_word[1] = True
    cube = interaction_cube(states, states, is_word)
    assert cube.shape == (2, 13, 3, 3)
    assert not cube[0, :, 2].any()
    assert not cube[0, :, :, 1:].any()
    assert cube[1, -1].all()
    alone = interaction_cube(states[:1, :2], states[:1, :1], torch.ones(1, 2, 1, dtype=torch.bool))
    torch.testing.assert_close(cube[:1, :, :2, :1], alone)


def test_equal_words_have_a_distance_that_can_be_learned_from() -> None:
    states = torch.randn(1, 2, 6, requires_grad=True)
    cube = interaction_cube(states, states, torch.ones(1, 2, 2, dtype=torch.bool))
    cube.sum().backward()
    assert torch.isfinite(states.grad).all()
    assert cube[0, FEATURE_NAMES.index("both_l2"), 0, 0] < 1e-5


def by_plain_loop(likeness: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """As the paper has it: go through all cells from the best on, and take those whose row and column are free."""
    rows, columns = likeness.shape
    chosen = np.zeros_like(allowed)
    cells = sorted(
        ((row, column) for row in range(rows) for column in range(columns) if allowed[row, column]),
        key=lambda cell: (-likeness[cell], cell),
    )
    for row, column in cells:
        if not chosen[row].any() and not chosen[:, column].any():
            chosen[row, column] = True
    return chosen


@settings(deadline=None)
@given(st.integers(1, 7), st.integers(1, 7), st.integers(1, 7), st.integers(0, 10**6), st.booleans())
def test_the_focus_is_on_what_a_plain_loop_chooses(left: int, right: int, longest: int, seed: int, ties: bool) -> None:
    draw = np.random.default_rng(seed)
    likeness = draw.normal(size=(3, left, right)).astype(np.float32)
    if ties:
        likeness = likeness.round()
    allowed = np.zeros((3, left, right), np.bool_)
    allowed[0] = True
    allowed[1, : min(left, longest), : max(1, right - 2)] = True
    found = best_matches(torch.from_numpy(likeness), torch.from_numpy(allowed)).numpy()
    for one in range(3):
        np.testing.assert_array_equal(found[one], by_plain_loop(likeness[one], allowed[one]))


def test_the_focus_layer_dims_what_is_out_of_focus_and_nothing_else() -> None:
    torch.manual_seed(3)
    left, right = torch.randn(2, 5, 8), torch.randn(2, 4, 8)
    is_word = torch.ones(2, 5, 4, dtype=torch.bool)
    is_word[1, 3:] = False
    cube = interaction_cube(left, right, is_word)
    seen = focused(cube, is_word)
    for one in range(2):
        cosine = by_plain_loop(cube[one, 9].numpy(), is_word[one].numpy())
        distance = by_plain_loop(-cube[one, 10].numpy(), is_word[one].numpy())
        weights = torch.from_numpy(np.where(cosine | distance, 1.0, DIMMED)).float()
        torch.testing.assert_close(seen[one, :12], cube[one, :12] * weights)
        torch.testing.assert_close(seen[one, 12], cube[one, 12])
        assert cosine.sum() == min(3 if one else 5, 4)


@pytest.mark.parametrize("side", [32, 48])
def test_the_network_has_nineteen_layers_for_images_of_either_side(side: int) -> None:
    network = PairwiseWordsNetwork(width=6, hidden=5, side=side, heads=2).eval()
    layers = [type(layer).__name__ for layer in network.convolutions]
    assert layers[:15] == ["Conv2d", "ReLU", "MaxPool2d"] * 5
    assert layers[15:] == ["Flatten", "Linear", "ReLU", "Linear"]  # flattening computes nothing; softmax is the 19th
    vectors, lengths = torch.randn(4, side, 6), torch.tensor([side, 3, 1, side])
    mask = torch.arange(side) < lengths[:, None]
    with torch.no_grad():
        answers = network(vectors, lengths, mask)
        turned = network(vectors.roll(2, 0), lengths.roll(2), mask.roll(2, 0))
    assert answers.shape == (2, 2)
    torch.testing.assert_close(answers, turned)


def test_an_image_of_another_side_is_refused() -> None:
    with pytest.raises(InputError, match="An image of 40 words a side is not known"):
        DeepPairwiseWord(side=40)
