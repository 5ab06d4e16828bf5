"""Search: beams find what is likeliest, groups differ, chance is as likely as the model says, and rules hold."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.models.generators.decoding_options import BEAM, MIXED, Decoding
from paraloom.models.generators.scores import Likeliest, Scores, log_probabilities
from paraloom.models.generators.search import Rules, Sequenced, _Group, draw, search

END, PAD = 0, 1
WORDS = 5
LONGEST = 4


class Chain:
    """A model whose next token depends on the last two; it counts how often it is asked."""

    def __init__(self, seed: int, words: int = WORDS) -> None:
        self.logits = np.random.default_rng(seed).normal(size=(words, words, words)).astype(np.float32) * 2
        self.begun: list[tuple[int, ...]] = []

    def first(self):
        self.begun = [(1, 1)]
        return self.logits[1, 1][None]

    def after(self, parents, tokens):
        self.begun = [(*self.begun[parent], token) for parent, token in zip(parents, tokens, strict=True)]
        return np.array([self.logits[one[-2], one[-1]] for one in self.begun])

    def log_probability(self, tokens) -> float:
        before = [1, 1, *tokens]
        return sum(
            float(log_probabilities(self.logits[before[place], before[place + 1]][None])[0, token])
            for place, token in enumerate(tokens)
        )


RULES = Rules(stops=frozenset({END}), most=LONGEST, never=(PAD,))


def every_sequence():
    for length in range(1, LONGEST + 1):
        for beginning in product([2, 3, 4], repeat=length - 1):
            yield (*beginning, END)


def found_by(seed: int, n: int, rules: Rules = RULES, **options) -> list[Sequenced]:
    found, _ = search(Chain(seed), rules, Decoding(**options), n, np.random.default_rng(seed))
    return found


@pytest.mark.parametrize("length_penalty", [0.0, 1.0])
@pytest.mark.parametrize("seed", range(6))
def test_with_beams_enough_the_best_of_all_sequences_are_found(seed: int, length_penalty: float) -> None:
    model = Chain(seed)
    every = [Sequenced(tokens, model.log_probability(tokens), has_ended=True) for tokens in every_sequence()]
    every.sort(key=lambda one: -one.score(length_penalty))
    found = found_by(seed, 5, beams=100, length_penalty=length_penalty)
    assert [one.tokens for one in found[:5]] == [one.tokens for one in every[:5]]
    for one, other in zip(found[:5], every[:5], strict=True):
        assert one.log_probability == pytest.approx(other.log_probability, abs=1e-5)


@given(
    st.integers(0, 10_000),
    st.sampled_from(["beam", "sample", "mixed", "diverse"]),
    st.integers(1, 5),
    st.integers(0, 3),
)
@settings(max_examples=60)
def test_rules_hold_whatever_the_method(seed: int, method, n: int, fewest: int) -> None:
    rules = Rules(
        stops=frozenset({END}),
        most=LONGEST,
        fewest=fewest,
        never=(PAD,),
        blocked=lambda tokens: tokens[-1:],  # nothing twice in a row
    )
    for one in found_by(seed, n, rules, method=method, beams=3, groups=2):
        assert PAD not in one.tokens
        assert fewest <= len(one.tokens) <= LONGEST
        assert END not in one.tokens[:-1]
        assert one.has_ended == (one.tokens[-1] == END)
        assert all(before != after for before, after in zip(one.tokens, one.tokens[1:], strict=False))
        assert one.log_probability == pytest.approx(Chain(seed).log_probability(one.tokens), abs=1e-4)


class Narrow:
    """The same model, which says of each row no more than the likeliest tokens."""

    def __init__(self, model: Chain, most: int) -> None:
        self.model, self.most = model, most

    def first(self):
        return self._likeliest(self.model.first())

    def after(self, parents, tokens):
        return self._likeliest(self.model.after(parents, tokens))

    def _likeliest(self, logits) -> Likeliest:
        scores = log_probabilities(logits)
        tokens = np.argsort(-scores, axis=1, kind="stable")[:, : self.most]
        return Likeliest(tokens, np.take_along_axis(scores, tokens, 1).astype(np.float32))


@given(
    st.integers(0, 10_000),
    st.sampled_from([{"method": "beam"}, {"method": "mixed", "top_p": 0.9}, {"method": "diverse"}, {"top_k": 3}]),
    st.integers(1, 5),
    st.integers(0, 3),
)
@settings(max_examples=60)
def test_of_the_likeliest_tokens_alone_a_search_makes_the_same(seed: int, options, n: int, fewest: int) -> None:
    rules = Rules(
        stops=frozenset({END}),
        most=9,
        fewest=fewest,
        never=(PAD,),
        blocked=lambda tokens: [2] if tokens[-1:] == (3,) else [],
    )
    decoding = Decoding(**{"method": "sample", "beams": 3, "groups": 2, "diversity": 1.5, **options})
    words, most = (40, 30) if decoding.method in ("beam", "diverse") else (9, 9)
    whole, narrow = (
        search(model, rules, decoding, n, np.random.default_rng(seed))
        for model in (Chain(seed, words), Narrow(Chain(seed, words), most))
    )
    assert [one.tokens for one in narrow[0]] == [one.tokens for one in whole[0]]
    assert [one.has_ended for one in narrow[0]] == [one.has_ended for one in whole[0]]
    for ours, theirs in zip(narrow[0], whole[0], strict=True):
        assert ours.log_probability == pytest.approx(theirs.log_probability, abs=1e-4)
    assert narrow[1] == whole[1]


def test_a_token_that_is_not_among_the_likeliest_is_not_taken() -> None:
    decoding = Decoding(method="sample", temperature=50.0)
    model = Narrow(Chain(3, 40), 4)
    found, _ = search(model, Rules(stops=frozenset({END}), most=1), decoding, 60, np.random.default_rng(1))
    assert {one.tokens[0] for one in found} == set(model.first().tokens[0].tolist())


def test_what_is_no_number_is_an_error_however_little_a_model_says() -> None:
    for logits in (np.full((1, 3), np.nan, np.float32), Likeliest(np.array([[0, 2]]), np.array([[np.nan, -1]]))):
        with pytest.raises(InputError, match="gives no numbers"):
            Scores.of(logits)


def test_what_is_drawn_is_as_frequent_as_it_is_likely() -> None:
    rng = np.random.default_rng(1)
    scores = np.log([0.5, 0.3, 0.2])
    drawn = Counter(draw(scores, Decoding(method="sample"), rng) for _ in range(4000))
    assert [drawn[token] / 4000 for token in range(3)] == pytest.approx([0.5, 0.3, 0.2], abs=0.03)


ALLOWED = [
    ({}, {0, 1, 2, 3}),
    ({"top_k": 2}, {0, 1}),
    ({"top_p": 0.5}, {0}),
    ({"top_p": 0.51}, {0, 1}),
    ({"top_p": 0.95}, {0, 1, 2}),
    ({"top_k": 3, "top_p": 0.3}, {0}),
    ({"temperature": 0.01}, {0}),
]


@pytest.mark.parametrize(("options", "tokens"), ALLOWED)
def test_top_k_and_top_p_leave_only_so_many_tokens(options, tokens) -> None:
    rng = np.random.default_rng(2)
    scores = np.log([0.5, 0.3, 0.15, 0.05])
    assert {draw(scores, Decoding(method="sample", **options), rng) for _ in range(400)} == tokens


def test_where_nothing_is_allowed_nothing_is_drawn() -> None:
    assert draw(np.full(3, -np.inf), Decoding(method="sample"), np.random.default_rng(1)) is None


def test_groups_begin_with_different_words() -> None:
    rules = Rules(stops=frozenset({END}), most=40, never=(PAD,))
    alike = found_by(5, 3, rules, method="diverse", beams=3, groups=3, diversity=0.0)
    apart = found_by(5, 3, rules, method="diverse", beams=3, groups=3, diversity=50.0)
    assert len({one.tokens[0] for one in alike}) == 1  # three searches of one beam each: all the same
    assert len({one.tokens[0] for one in apart}) == 3


def test_a_group_goes_on_as_long_as_any_of_its_beams_is_better_than_what_it_keeps() -> None:
    ended = [Sequenced((word, END), -2.0, has_ended=True) for word in (2, 3)]
    group = _Group(2, 1.0, alive=[Sequenced((2,), -0.5)], rows=[0], ended=ended)
    scores = Scores(np.array([[-50.0, -50.0, -0.1, -3.0, -50.0]]))
    gone_on = group.step(scores, 2, {2: 10.0}, RULES)  # another group took the likelier token, so it comes second here
    assert gone_on == [(0, 3), (0, 2)]


def test_a_very_low_temperature_draws_the_likeliest() -> None:
    decoding = Decoding(method="sample", temperature=1e-320)
    assert draw(np.log([0.2, 0.5, 0.3]), decoding, np.random.default_rng(1)) == 1


def test_sequences_that_do_not_end_are_left_out_unless_none_does() -> None:
    unending = Rules(stops=frozenset({END}), most=3, never=(END, PAD))
    found = found_by(1, 2, unending)
    assert found
    assert not any(one.has_ended for one in found)
    assert all(one.has_ended for one in found_by(1, 2))


def test_chance_comes_from_what_is_given_alone() -> None:
    np.random.seed(0)
    first = found_by(5, 4, method="sample")
    assert first == found_by(5, 4, method="sample")
    others, _ = search(Chain(5), RULES, Decoding(method="sample"), 4, np.random.default_rng(99))
    assert first != others


REFUSED = [
    ({"beams": 0}, "beams is 0, and must be 1 or more. Choose another --beams"),
    ({"top_p": 0.0}, "--top-p"),
    ({"top_p": float("nan")}, "--top-p"),
    ({"temperature": 0.0}, "--temperature"),
    ({"temperature": float("inf")}, "--temperature"),
    ({"diversity": float("inf")}, "--diversity"),
    ({"longest": float("inf")}, "--longest"),
    ({"length_penalty": float("nan")}, "from -20 to 20. Choose another --length-penalty"),
    ({"length_penalty": 1e6}, "--length-penalty"),
    ({"length_penalty": -5e3}, "--length-penalty"),
    ({"copy_block": -1}, "--copy-block"),
    ({"shortest": 2.0, "longest": 1.0}, "--shortest or --longest"),
    ({"method": "greedy"}, "Choose one of: usual, beam, sample, mixed"),
]


@pytest.mark.parametrize(("options", "told"), REFUSED)
def test_options_that_cannot_be_are_refused(options, told: str) -> None:
    with pytest.raises(InputError, match=told):
        Decoding(**options)


def test_the_signature_has_what_the_method_reads() -> None:
    beam, sample = Decoding(method="beam").signature, Decoding(method="sample").signature
    assert "beams:4" in beam
    assert "top_p" not in beam
    assert "top_p:1" in sample
    assert "beams" not in sample
    assert Decoding(copy_block=4).signature != beam


def test_mixed_has_the_best_beams_and_as_many_that_were_drawn() -> None:
    beams = {one.tokens for one in found_by(1, 3, method="beam", beams=3)[:3]}
    mixed = [{one.tokens for one in found_by(seed, 6, method="mixed", beams=1)} for seed in range(1, 9)]
    assert beams <= mixed[0]
    assert max(map(len, mixed)) > 3
    assert all(len(found) <= 6 for found in mixed)


def test_usual_is_what_suits_the_generator_with_what_was_said() -> None:
    asked = Decoding(temperature=0.5, copy_block=4)
    assert asked.or_usual(MIXED) == Decoding(method="mixed", top_p=0.9, temperature=0.5, copy_block=4)
    assert Decoding(method="beam").or_usual(MIXED) == BEAM
    assert [Decoding(method=method).draws for method in ("usual", "beam", "sample", "mixed")] == [
        False,
        False,
        True,
        True,
    ]
