"""MultiP: its word pairs and their features, its perceptron, its topics."""

from __future__ import annotations

import json
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest

from paraloom.errors import InputError
from paraloom.metrics.identification.decisions import best_f1
from paraloom.models.identifiers import CARD, Examples, load
from paraloom.models.identifiers.anchor_loops import learn_weights
from paraloom.models.identifiers.anchors import LIKENESSES, SIZE, TEMPLATES, AnchorCandidates, candidate_pairs
from paraloom.models.identifiers.multip import MultiP
from paraloom.models.identifiers.seen_words import SeenWords

NAMES = ["Ann Lee", "Coach Carter", "Rome", "Miss Brown", "Mount Etna", "Lake Garda"]
CONTENT = [f"word{letter}{other}" for letter, other in product("abcdefgh", "klmnopqr")]


def posts(seed: int, size: int = 300, *, with_topics: bool = False) -> Examples:
    """Pairs on one name: paraphrases have a rare word in common, others only the name and the commonest words."""
    random = np.random.default_rng(seed)
    left, right, targets, topics = [], [], [], []
    for _ in range(size):
        name = str(random.choice(NAMES))
        is_paraphrase = random.random() < 0.4
        one, other = (random.choice(CONTENT[:8], 2).tolist() for _ in range(2))
        rare = random.choice(CONTENT[8:], 2, replace=False)
        left.append(f"{name} {one[0]} the {one[1]} {rare[0]}")
        right.append(f"so {other[0]} {rare[0] if is_paraphrase else rare[1]} {other[1]} {name}")
        targets.append(float(is_paraphrase))
        topics.append(name)
    return Examples(left=left, right=right, targets=targets, topics=topics if with_topics else None)


@pytest.fixture(scope="module")
def fitted() -> MultiP:
    return MultiP().fit([posts(1)], [posts(2)])


def test_one_rare_word_in_common_is_an_anchor(fitted: MultiP) -> None:
    asked = posts(3)
    assert best_f1(fitted.score(asked.left, asked.right), np.asarray(asked.targets) > 0.5).f1 > 0.95
    high, low = fitted.score(["Ann Lee sings wordgk"] * 2, ["wordgk by Ann Lee", "wordhr by Ann Lee"])
    assert high > 0.5 > low


def likenesses(pairs: AnchorCandidates) -> list[int]:
    """The first feature of a word pair is its likeness alone."""
    return pairs.features[:, 0].tolist()


def paired(left: str, right: str, topic: str | None = None, seen: SeenWords | None = None) -> AnchorCandidates:
    topics = None if topic is None else [topic]
    return candidate_pairs([left], [right], topics, seen or SeenWords(), language="en", longest_phrase=3)


ALIKE = [
    ("storm", "storm", 0),
    ("storm", "storms", 1),
    ("sooo", "so", 2),
    ("goood", "god", 2),
    ("shutdown", "shutdowned", 3),
    ("colour", "coloration", 4),
    ("magnet", "planet", 5),
    ("market", "zoo", 6),
]


@pytest.mark.parametrize(("one", "other", "likeness"), ALIKE)
def test_words_are_alike_in_seven_ways(one: str, other: str, likeness: int) -> None:
    pairs = paired(f"Rome {one}", f"Rome {other}", "Rome")
    assert likenesses(pairs) == [likeness]


def test_a_word_that_both_have_is_paired_with_itself_alone() -> None:
    pairs = paired("Rome storm coast", "Rome storms market price", "Rome")
    assert sorted(likenesses(pairs)) == [1, 6, 6]  # storm with storms; coast with market and with price


def test_function_words_are_paired_only_where_there_is_nothing_else() -> None:
    assert likenesses(paired("Rome is the storm", "Rome has a storm", "Rome")) == [0]
    assert likenesses(paired("Rome is", "is Rome", "Rome")) == [0]
    assert likenesses(paired("Rome", "Rome", "Rome")) == [0]


def test_texts_without_a_word_have_no_word_pair() -> None:
    assert paired("", "storm").starts.tolist() == [0, 0]
    assert paired("", "storm").margins(np.zeros(SIZE), -7.0).tolist() == [-7.0]


def test_feature_numbers_stay_within_their_templates() -> None:
    pairs = paired("Rome running #tag 5 @ann quickly wanted xx storms", "Rome #other 6 walks sadly yes", "Rome")
    borders = np.concatenate([[0], LIKENESSES * np.cumsum(TEMPLATES)])
    numbers = np.column_stack([pairs.features, pairs.topical[1]])
    assert ((numbers >= borders[:-1]) & (numbers < borders[1:])).all()
    assert borders[-1] == SIZE


def test_a_batch_is_its_pairs_one_by_one() -> None:
    asked = posts(4, 30)
    together = candidate_pairs(asked.left, asked.right, None, SeenWords(), language="en", longest_phrase=3)
    alone = AnchorCandidates.joined([paired(left, right) for left, right in zip(asked.left, asked.right, strict=True)])
    assert together.starts.tolist() == alone.starts.tolist()
    assert together.features.tolist() == alone.features.tolist()


def slow_weights(
    pairs: list[list[list[int]]], truth: list[bool], orders: list[list[int]], topical: list[list[list[int]]]
) -> np.ndarray:
    """The perceptron with its sum of all weights ever held, written down step by step."""
    weights, total, steps = np.zeros(10), np.zeros(10), 0
    for turn, order in enumerate(orders):
        for pair in order:
            anchors = [[*one, of_topic] for one, of_topic in zip(pairs[pair], topical[turn % 2][pair], strict=True)]
            margins = [weights[one].sum() for one in anchors]
            if truth[pair] and anchors and max(margins) <= 0:
                for number in anchors[int(np.argmax(margins))]:
                    weights[number] += 1
            if not truth[pair]:
                for one in anchors:
                    if weights[one].sum() > 0:
                        for number in one:
                            weights[number] -= 1
            total += weights
            steps += 1
    return total / (steps + 1)


@pytest.mark.parametrize("seed", range(5))
def test_the_perceptron_is_as_it_is_defined(seed: int) -> None:
    random = np.random.default_rng(seed)
    counts = random.integers(0, 5, 30)
    starts = np.concatenate([[0], np.cumsum(counts)])
    features = random.integers(0, 8, (starts[-1], 3)).astype(np.int32)
    topical = random.integers(8, 10, (2, starts[-1])).astype(np.int32)
    truth = random.random(30) < 0.5
    orders = np.stack([random.permutation(30) for _ in range(6)])
    fast = learn_weights(starts, features, topical, truth, orders, 10)
    ranges = [range(begin, end) for begin, end in pairwise(starts)]
    slow = slow_weights(
        [[features[one].tolist() for one in these] for these in ranges],
        truth.tolist(),
        orders.tolist(),
        [[[int(row[one]) for one in these] for these in ranges] for row in topical],
    )
    np.testing.assert_allclose(fast, slow)
    assert np.abs(fast).max() > 0


def test_a_given_topic_is_left_out_where_a_guess_would_miss_it(fitted: MultiP) -> None:
    left, right = ["watching wordbl wordgk now"], ["wordbl wordgk again"]
    guessed, given = fitted.score(left, right), fitted.score(left, right, topics=["wordgk"])
    assert guessed.tolist() != given.tolist()
    assert fitted.score(left, right, topics=[""]).tolist() == guessed.tolist()


def test_words_are_significant_where_a_topic_has_them_more_often() -> None:
    texts = [f"storm in Rome number{number}" for number in range(8)] + [f"sun in Bern number{n}" for n in range(24)]
    seen = SeenWords.counted(texts, {"rome": set(texts[:8]), "bern": set(texts[8:])}, "en")
    assert seen.topics["rome"] == {"rome": 3, "storm": 3}  # four times as often as elsewhere
    assert seen.topics["bern"] == {}
    known = paired("Rome storm", "Rome storm", "Rome", seen)
    assert (known.topical[1] - known.topical[0]).tolist() == [3]
    new = paired("Oslo storm", "Oslo storm", "Oslo", seen)
    assert (new.topical[1] - new.topical[0]).tolist() == [0]


def test_topics_of_the_examples_are_learned(fitted: MultiP) -> None:
    taught = MultiP().fit([posts(1, with_topics=True)], [posts(2, with_topics=True)])
    assert set(taught.seen.topics) == {name.lower() for name in NAMES}
    assert fitted.seen.topics == {}


def test_common_words_of_other_languages_count_as_function_words() -> None:
    texts = [f"la tormenta {number}" for number in range(30)]
    assert SeenWords.counted(texts, {}, "es").function_words == {"la", "tormenta"}


def test_as_many_topics_as_pairs_are_wanted(fitted: MultiP) -> None:
    with pytest.raises(InputError, match="1 topics for 2 pairs"):
        fitted.score(["a", "b"], ["a", "b"], topics=["a"])


def test_another_seed_goes_through_the_examples_in_another_order(fitted: MultiP) -> None:
    assert MultiP().fit([posts(1)], [posts(2)], seed=2).signature != fitted.signature
    assert MultiP().fit([posts(1)], [posts(2)], seed=1) == fitted


def test_weights_for_other_features_are_refused(fitted: MultiP, tmp_path: Path) -> None:
    fitted.save(tmp_path)
    card = json.loads((tmp_path / CARD).read_text())
    card["definitions"]["loose"]["weights"].pop()
    (tmp_path / CARD).write_text(json.dumps(card))
    with pytest.raises(InputError, match="other features"):
        load(tmp_path)


def test_counts_below_one_are_refused() -> None:
    with pytest.raises(InputError, match="at least 1"):
        MultiP(rounds=0)
