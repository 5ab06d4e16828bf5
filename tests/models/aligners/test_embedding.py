"""Tokens are linked by their vectors, whatever they are, alone as in company, and the same from either side."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.models.aligners import Aligner, KnowsLikeness, LearnsFromPairs, Links, TokenPair
from paraloom.models.aligners.embedding import METHODS, EmbeddingAligner
from paraloom.models.aligners.embedding_loading import load_reader
from paraloom.models.aligners.embedding_options import TUNED, EmbeddingOptions
from paraloom.models.aligners.embedding_readers import Reader
from paraloom.models.encoders.onnx_bert import OnnxBert
from paraloom.models.encoders.pair_states import PairStates
from paraloom.models.identifiers import SHIPPED

SHIPPED_ENCODERS = ["pairs", "good", "fast"]
LIMITS = {"pairs": 256, "good": 128}


@cache
def reader_of(encoder: str) -> Reader:
    return load_reader(encoder, TUNED[encoder].layer)


def aligner_of(encoder: str, **options) -> EmbeddingAligner:
    return EmbeddingAligner(EmbeddingOptions(encoder=encoder, **options), reader=reader_of(encoder))


def pair_of(left: str, right: str) -> TokenPair:
    return tuple(left.split()), tuple(right.split())


def linked_words(pair: TokenPair, links: Links) -> set[tuple[str, str]]:
    return {(pair[0][left], pair[1][right]) for left, right in links}


GALE = pair_of("Lt. Ann Green said the storm had hit the coast .", "'' A gale struck the shore , '' said Lt. Green .")

PAIRS: list[TokenPair] = [
    GALE,
    pair_of("", "a gale"),
    pair_of("", ""),
    pair_of("storm", "gale"),
    pair_of("she did n't go , did she ?", "did n't she go ?"),
    pair_of("嵐 が 来 た", "嵐 が 去 っ た"),
    pair_of("🙂 🌧 storm", "🌧 gale 🙂 🙂"),
    pair_of("буря ударила", "на берег обрушилась буря"),
    (("New York", "", "\t", "storm"), ("york", "New", "a storm")),
    (("storm", "\ud83d"), ("[SEP]", "\u200d", "storm")),
    (tuple(f"storm{number}" for number in range(500)), tuple(f"gale{number}" for number in range(300))),
    (("x" * 5000, "storm"), ("storm", "x" * 5000)),
]


@pytest.mark.parametrize("encoder", SHIPPED_ENCODERS)
def test_words_of_one_meaning_are_linked(encoder: str) -> None:
    aligner = aligner_of(encoder)
    (links,) = aligner.align([GALE])
    assert {("Lt.", "Lt."), ("Green", "Green"), ("hit", "struck"), ("coast", "shore")} <= linked_words(GALE, links)
    assert isinstance(aligner, Aligner)
    assert isinstance(aligner, KnowsLikeness)
    assert not isinstance(aligner, LearnsFromPairs)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("encoder", SHIPPED_ENCODERS)
def test_a_pair_alone_is_aligned_as_in_company(encoder: str, method: str) -> None:
    aligner = aligner_of(encoder, method=method)
    together = aligner.align(PAIRS)
    assert together == [links for pair in PAIRS for links in aligner.align([pair])]
    assert together == aligner.align(PAIRS[::-1])[::-1]
    for one, pair in zip(aligner.likeness(PAIRS), PAIRS, strict=True):
        (alone,) = aligner.likeness([pair])
        np.testing.assert_array_equal(one, alone)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("encoder", SHIPPED_ENCODERS)
def test_turned_sides_turn_the_links(encoder: str, method: str) -> None:
    aligner = aligner_of(encoder, method=method)
    turned = [(right, left) for left, right in PAIRS]
    for links, back in zip(aligner.align(PAIRS), aligner.align(turned), strict=True):
        assert links == tuple(sorted((left, right) for right, left in back))
    for one, other in zip(aligner.likeness(PAIRS), aligner.likeness(turned), strict=True):
        np.testing.assert_array_equal(one, other.T)


@pytest.mark.parametrize("method", ["argmax", "mwmf"])
@pytest.mark.parametrize("encoder", SHIPPED_ENCODERS)
@pytest.mark.parametrize(
    "text",
    ["storm", "the dog bit the man and the man bit the dog .", "the the the the", "did n't he ? 🙂 🙂", "嵐 が 来 た"],
)
def test_a_text_and_itself_are_linked_word_by_word(encoder: str, method: str, text: str) -> None:
    pair = pair_of(text, text)
    assert aligner_of(encoder, method=method).align([pair]) == [tuple((place, place) for place in range(len(pair[0])))]


WORDS = st.lists(st.sampled_from(["the", "storm", "gale", "n't", "''", "🙂", "嵐", "Lt.", "5"]), max_size=7)


@settings(max_examples=30)
@given(st.lists(st.tuples(WORDS, WORDS), max_size=4), st.sampled_from(list(METHODS)))
def test_links_lie_within_their_texts_and_no_side_matters_more(pairs: list[TokenPair], method: str) -> None:
    aligner = aligner_of("good", method=method)
    found = aligner.align(pairs)
    back = aligner.align([(right, left) for left, right in pairs])
    for (left, right), links, turned in zip(pairs, found, back, strict=True):
        assert list(links) == sorted(set(links))
        assert all(0 <= one < len(left) and 0 <= other < len(right) for one, other in links)
        assert set(links) == {(one, other) for other, one in turned}
        if left == right and method != "itermax":
            assert links == tuple((place, place) for place in range(len(left)))


@pytest.mark.parametrize("encoder", SHIPPED_ENCODERS)
def test_likeness_has_a_number_from_0_to_1_for_any_two_tokens(encoder: str) -> None:
    for likeness, (left, right) in zip(aligner_of(encoder).likeness(PAIRS), PAIRS, strict=True):
        assert likeness.shape == (len(left), len(right))
        assert likeness.dtype == np.float64
        assert not likeness.size or 0 <= likeness.min() <= likeness.max() <= 1


@pytest.mark.parametrize("encoder", LIMITS)
def test_words_beyond_the_limit_have_no_link_and_are_counted(encoder: str) -> None:
    words = tuple(["storm", "coast"] * 250)
    aligner = aligner_of(encoder, method="mwmf")
    (links,) = aligner.align([(words, words)])
    read = len(links)
    marks, sides = (3, 2) if encoder == "pairs" else (2, 1)  # [CLS] and [SEP]; of each text one half is read
    assert read == (LIMITS[encoder] - marks) // sides
    unread = aligner.unread([(words, words), GALE, ((), ())])
    assert unread[1:] == [0, 0]
    assert abs(unread[0] - 2 * (500 - read)) <= 1
    assert f"max-tokens:{LIMITS[encoder]}" in aligner.signature


def test_what_a_table_does_not_know_is_like_itself_alone() -> None:
    (likeness,) = aligner_of("fast").likeness([(("嵐",), ("嵐", "来"))])
    same, other = likeness[0]
    assert same == pytest.approx(1)
    assert other < 0.3


def test_a_table_of_words_has_no_limit() -> None:
    words = tuple(f"storm{number}" for number in range(500))
    assert aligner_of("fast", method="mwmf").align([(words, words)]) == [tuple((place, place) for place in range(500))]
    assert aligner_of("fast").unread([(words, words), (("storm", "\u200d"), ("storm",))]) == [0, 0]


def test_the_vector_of_a_token_is_the_mean_of_its_pieces(tiny_bert: Path) -> None:
    tokens = ("the", "storms", "coast", "'s")
    ((vectors, _),) = load_reader(str(tiny_bert), 2)([(tokens, ("storm",))])
    encoder = OnnxBert(tiny_bert, 2)
    (states,) = encoder.encode([" ".join(tokens)])
    offsets = encoder.pieces.tokeniser.encode(" ".join(tokens)).offsets
    place = 0
    for token, vector in zip(tokens, vectors, strict=True):
        rows = [
            row for row, (first, last) in enumerate(offsets) if first < last and place <= first < place + len(token)
        ]
        mean = states.vectors[rows].mean(axis=0)
        np.testing.assert_allclose(vector, mean / np.linalg.norm(mean), atol=1e-5)
        place += len(token) + 1


def test_the_network_of_pairs_reads_both_texts_in_either_order() -> None:
    left, right = ("storms", "hit"), ("a", "gale", "struck")
    (cosines,) = EmbeddingAligner(EmbeddingOptions(encoder="pairs", layer=3)).likeness([(left, right)])
    states = PairStates(SHIPPED / "pairs", 3)

    def directions(words: tuple[str, ...], side) -> np.ndarray:
        starts = np.cumsum([0, *(len(word) + 1 for word in words)])
        means = [
            side.states[[low <= first < high for first, _ in side.spans]].mean(axis=0) for low, high in pairwise(starts)
        ]
        return np.array([mean / np.linalg.norm(mean) for mean in means])

    ahead, back = states(" ".join(left), " ".join(right)), states(" ".join(right), " ".join(left))
    expected = directions(left, ahead[0]) @ directions(right, ahead[1]).T
    expected = (expected + directions(left, back[1]) @ directions(right, back[0]).T) / 2
    np.testing.assert_allclose(cosines, expected.clip(0), atol=0.02)  # one multiplies in 8 bits, the other in 32


@pytest.mark.parametrize("layer", [0, 1, 3])
def test_any_bert_model_aligns_the_same_alone_as_in_company(tiny_bert: Path, layer: int) -> None:
    aligner = EmbeddingAligner(EmbeddingOptions(encoder=str(tiny_bert), layer=layer, threshold=0.0))
    for one, pair in zip(aligner.likeness(PAIRS), PAIRS, strict=True):
        (alone,) = aligner.likeness([pair])
        np.testing.assert_array_equal(one, alone)
    assert aligner.align([GALE])[0]


def test_the_layer_of_embeddings_is_there_too(capfd: pytest.CaptureFixture[str]) -> None:
    for encoder in ("good", "pairs"):
        assert EmbeddingAligner(EmbeddingOptions(encoder=encoder, layer=0)).align([GALE])[0]
    assert capfd.readouterr().err == ""  # onnxruntime warns of what a graph does not need


def test_what_decides_a_link_is_in_the_signature() -> None:
    plain = aligner_of("good").signature
    others = [
        aligner_of("good", method="mwmf"),
        aligner_of("good", method="itermax"),
        aligner_of("good", method="itermax", again=0.0),
        aligner_of("good", threshold=0.1),
        aligner_of("good", neighbours=0.0),
        aligner_of("good", distortion=0.5),
        aligner_of("fast"),
        aligner_of("pairs"),
        EmbeddingAligner(EmbeddingOptions(encoder="good", layer=1)),
    ]
    assert len({plain, *(other.signature for other in others)}) == 1 + len(others)
    assert plain.startswith("aligner:embedding|method:argmax|threshold:")
    assert "|weights:" in plain


def test_a_threshold_leaves_out_what_is_less_alike() -> None:
    pairs = [GALE]
    found = [set(aligner_of("good", threshold=threshold).align(pairs)[0]) for threshold in (0.0, 0.5, 0.8, 2.0)]
    assert found[0] > found[2] > found[3] == set()
    assert found[1] >= found[2]


def test_distortion_and_neighbours_draw_links_to_their_own_place() -> None:
    pair = pair_of("storm one the gale", "the storm two the")
    far = aligner_of("fast", threshold=0.9, neighbours=0.0, distortion=0.0).align([pair])[0]
    assert (2, 3) in far  # of equals the nearer one
    beside = pair_of("a the storm x x x x x", "x x x x x a the storm the")
    assert (1, 6) in aligner_of("fast", threshold=0.9, neighbours=0.3, distortion=0.0).align([beside])[0]


REFUSED = [
    ({"encoder": "no-such-model"}, "no-such-model"),
    ({"encoder": "characters"}, "no vectors of single tokens"),
    ({"encoder": "fast", "layer": 2}, "no layer 2"),
    ({"encoder": "good", "layer": 9}, "no layer 9"),
    ({"again": 2.0}, "again is 2.0"),
    ({"neighbours": -0.1}, "neighbours is -0.1"),
    ({"distortion": 1.5}, "distortion is 1.5"),
    ({"distortion": float("nan")}, "distortion is nan"),
    ({"threshold": -1.0}, "threshold is -1"),
    ({"rounds": 0}, "rounds is 0"),
    ({"method": "magic"}, "magic"),
]


@pytest.mark.parametrize(("options", "told"), REFUSED)
def test_what_cannot_be_is_refused(options: dict, told: str) -> None:
    with pytest.raises(InputError, match=told):
        EmbeddingAligner(EmbeddingOptions(**options))
