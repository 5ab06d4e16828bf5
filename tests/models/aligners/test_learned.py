"""The learned aligner: what its shipped weights link, that it is symmetric, that pairs mind no company; its parts."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.models.aligners import Aligner, KnowsLikeness, Links, written
from paraloom.models.aligners.learned import CARD, FOLDER, MOST_TOKENS, WEIGHTS, LearnedAligner, open_reader
from paraloom.models.aligners.learned_features import agreed, names_of, second_features, shifted
from paraloom.models.aligners.learned_network import Network, Pass, probabilities, read_passes, write_passes
from paraloom.models.aligners.learned_states import TokenStates
from paraloom.models.embedders.shared_parts import pairs_folder
from paraloom.models.encoders.pair_states import PairStates
from paraloom.models.identifiers import SHIPPED
from paraloom.models.shelf import show_model

SHIPPED_FOLDER = SHIPPED / FOLDER
LARGEST = 100_000
"""Bytes its weights may take in the package."""

READ = [
    (
        "The storm hit the coast on Monday .",
        "The coast was struck by a storm on Monday .",
        "1-6 2-3 3-0 4-1 5-7 6-8 7-9",
    ),
    ("He did n't buy the car .", "He did not purchase the automobile .", "0-0 1-1 2-2 3-3 4-4 5-5 6-6"),
    ("the ECB met in Paris", "the European Central Bank met in Paris", "0-0 1-1 1-2 1-3 2-4 3-5 4-6"),
    ("`` We lost , '' she said .", '" We lost , " she said .', "0-0 1-1 2-2 3-3 4-4 5-5 6-6 7-7"),
    (
        "Ann Reed , who runs the mill in Dover , said on Friday that 200 people had lost their jobs .",
        "Reed runs a mill in Dover .",
        "1-0 4-1 6-3 7-4 8-5 20-6",
    ),
]
"""The gate: what these weights link. It moves when they are trained anew; then a line under Numbers says so."""


@cache
def aligner() -> LearnedAligner:
    return LearnedAligner.load()


def turned(links: Links) -> Links:
    return tuple(sorted((other, one) for one, other in links))


@pytest.mark.parametrize(("left", "right", "expected"), READ)
def test_the_shipped_weights_link_as_they_did(left: str, right: str, expected: str) -> None:
    forth, back = aligner().align([(left.split(), right.split()), (right.split(), left.split())])
    assert written(forth) == expected
    assert back == turned(forth)


TOKEN = st.text(min_size=1, max_size=8)
KNOWN = ["the", "storm", "storms", "hit", "U.S.", "United", "States", "#", ",", ".", "20", "n't"]
SIDE = st.lists(TOKEN | st.sampled_from(KNOWN), max_size=9)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(SIDE, SIDE), max_size=4))
def test_any_pairs_are_linked_in_bounds_and_alone_as_in_company(pairs: list[tuple[list[str], list[str]]]) -> None:
    found, likeness = aligner().align(pairs), aligner().likeness(pairs)
    for pair, links, likely in zip(pairs, found, likeness, strict=True):
        assert likely.shape == (len(pair[0]), len(pair[1]))
        assert ((likely >= 0) & (likely <= 1)).all()
        assert links == tuple(map(tuple, np.argwhere(likely >= aligner().threshold).tolist()))
        assert np.array_equal(aligner().likeness([pair])[0], likely)
        assert np.array_equal(aligner().likeness([pair[::-1]])[0], likely.T)


@pytest.mark.parametrize("pair", [([], []), (["a"], []), ([], ["a"])])
def test_nothing_is_linked_with_nothing(pair: tuple[list[str], list[str]]) -> None:
    assert aligner().align([pair]) == [()]
    assert aligner().likeness([pair])[0].shape == (len(pair[0]), len(pair[1]))


def test_one_token_is_linked_with_itself() -> None:
    assert aligner().align([(["storm"], ["storm"])]) == [((0, 0),)]


def test_tokens_beyond_what_is_read_have_no_link() -> None:
    words = ["storm", "coast", "town"] * 200
    (likely,) = aligner().likeness([(words, words[:300])])
    assert likely.shape == (600, 300)
    assert likely[:MOST_TOKENS].max() > 0
    assert not likely[MOST_TOKENS:].any()


def test_a_lower_threshold_links_no_less() -> None:
    pairs = [(left.split(), right.split()) for left, right, _ in READ]
    more, less = LearnedAligner.load(threshold=0.1), LearnedAligner.load(threshold=0.9)
    many, few = more.align(pairs), less.align(pairs)
    assert all(set(surest) <= set(all_of_them) for surest, all_of_them in zip(few, many, strict=True))
    assert few != many
    assert "threshold:0.1|" in more.signature
    assert more.signature != less.signature


def test_it_keeps_the_protocols() -> None:
    assert isinstance(aligner(), Aligner)
    assert isinstance(aligner(), KnowsLikeness)


def test_its_weights_are_small_and_listed_with_what_they_learned_from() -> None:
    assert sum(file.stat().st_size for file in SHIPPED_FOLDER.iterdir()) < LARGEST
    listed = show_model(FOLDER)
    assert (listed.kind, listed.state) == ("aligner", "shipped")
    assert set(listed.card()) >= {"trained_on", "held_out", "figures", "recipe"}


@pytest.mark.parametrize("threshold", [0.0, 1.0, -1.0, float("nan")])
def test_a_threshold_that_is_no_probability_is_refused(threshold: float) -> None:
    with pytest.raises(InputError, match="probability between 0 and 1"):
        LearnedAligner.load(threshold=threshold)


def test_a_folder_without_an_aligner_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"recipes/aligner\.py"):
        LearnedAligner.load(tmp_path)
    (tmp_path / CARD).write_text(json.dumps({"layers": [3], "threshold": 0.4}))
    with pytest.raises(InputError, match="There are no weights"):
        LearnedAligner.load(tmp_path)
    (tmp_path / WEIGHTS).write_bytes(b"no tensors")
    with pytest.raises(InputError, match="cannot be read"):
        LearnedAligner.load(tmp_path)


def test_a_folder_whose_weights_were_made_for_other_layers_is_refused(tmp_path: Path) -> None:
    (tmp_path / WEIGHTS).write_bytes((SHIPPED_FOLDER / WEIGHTS).read_bytes())
    (tmp_path / CARD).write_text(json.dumps({"layers": [3], "threshold": 0.4}))
    with pytest.raises(InputError, match="features"):
        LearnedAligner.load(tmp_path)


def random_pass(features: int, seed: int) -> Pass:
    random = np.random.default_rng(seed)

    def layer(wide: int, size: int) -> tuple[np.ndarray, np.ndarray]:
        return tuple(random.normal(size=shape).astype(np.float16).astype(np.float32) for shape in ((wide, size), wide))  # type: ignore[return-value]

    networks = tuple(Network(layers=(layer(5, features), layer(3, 5), layer(1, 3))) for _ in range(2))
    return Pass(
        mean=random.normal(size=features).astype(np.float32), scale=np.ones(features, np.float32), networks=networks
    )


def test_a_network_says_what_torch_says() -> None:
    network = random_pass(4, 1).networks[0]
    inputs = np.random.default_rng(2).normal(size=(50, 4)).astype(np.float32)
    states = torch.from_numpy(inputs)
    for number, (weights, biases) in enumerate(network.layers):
        states = torch.nn.functional.linear(states, torch.from_numpy(weights), torch.from_numpy(biases))
        states = states if number == 2 else torch.relu(states)
    assert np.allclose(network(inputs), torch.sigmoid(states)[:, 0].numpy(), atol=1e-6)


def test_passes_are_read_back_as_they_were_written(tmp_path: Path) -> None:
    features = np.random.default_rng(3).normal(size=(4, 3, 6)).astype(np.float32)
    more = second_features(features, np.zeros((4, 3))).shape[-1]
    passes = [random_pass(6, 1), random_pass(more, 2)]
    write_passes(passes, tmp_path / WEIGHTS)
    assert np.array_equal(probabilities(read_passes(tmp_path / WEIGHTS), features), probabilities(passes, features))


def test_features_are_as_many_as_their_names_and_none_is_no_number() -> None:
    read = open_reader((3, 6))
    pairs = [(["a"], ["b"]), (["It", "sold", "20", "%", "."], ["twenty", "percent"])]
    for (left, right), features in zip(pairs, read(pairs), strict=True):
        assert features.shape == (len(left), len(right), len(names_of((3, 6))))
        assert np.isfinite(features).all()
    assert len(set(names_of((3, 6)))) == len(names_of((3, 6)))


@given(st.integers(-3, 3), st.integers(-3, 3), st.integers(1, 5), st.integers(1, 5))
def test_shifting_looks_at_the_cell_so_far_away(down: int, across: int, rows: int, columns: int) -> None:
    if (down, across) == (0, 0):
        return
    score = np.random.default_rng(1).random((rows, columns))
    found = shifted(score, down, across, edge=0.0)
    for row in range(rows):
        for column in range(columns):
            there = 0 <= row - down < rows and 0 <= column - across < columns
            assert found[row, column] == (score[row - down, column - across] if there else 0)


def test_two_tokens_that_choose_each_other_are_agreed_most() -> None:
    found = agreed(np.array([[0.9, 0.2], [0.8, 0.1]]))
    assert found[0, 0] > max(found[1, 0], found[0, 1])


def test_states_are_those_of_the_model_but_for_rounding() -> None:
    left, right = "the storm hit the coast", "the wind hit the town"
    ((ours, theirs),) = TokenStates(pairs_folder(), (2, 4))([(left.split(), right.split())])
    first, second = PairStates(pairs_folder(), 4)(left, right)
    for side, expected in ((ours, first), (theirs, second)):
        assert len(expected.states) == 5  # each word is one piece
        unit = expected.states / np.linalg.norm(expected.states, axis=1, keepdims=True)
        assert (np.sum(side.states[1] * unit, axis=1) > 0.99).all()


def test_a_model_has_no_layer_beyond_its_last() -> None:
    with pytest.raises(InputError, match="layers"):
        TokenStates(pairs_folder(), (3, 99))
