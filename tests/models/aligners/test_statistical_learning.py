"""Learning by expectation maximisation: what rises, what sums to one, and what must not matter."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.models.aligners import TokenPair
from paraloom.models.aligners.statistical import cells as cells_module
from paraloom.models.aligners.statistical import direction_learning
from paraloom.models.aligners.statistical.cells import find_meetings
from paraloom.models.aligners.statistical.direction_learning import PARTS, DirectionLearner
from paraloom.models.aligners.statistical.learning import learn_words, meeting_words
from paraloom.models.aligners.statistical.options import StatisticalOptions
from paraloom.models.aligners.statistical.spelling import spelling_likenesses
from paraloom.models.aligners.statistical.vocabulary import code_pairs

TOKENS = ["storm", "storms", "stormy", "gale", "hit", "hits", "the", "coast", "2015", "2016", "10,000", "#storm"]
TEXT = st.lists(st.sampled_from(TOKENS), max_size=6)
PAIRS = st.lists(st.tuples(TEXT, TEXT), max_size=12)
OPTIONS = [
    StatisticalOptions(),
    StatisticalOptions(smoothing=0.01, same_word=0, alike_words=0, null_probability=0.2),
    StatisticalOptions(largest_jump=1, uniform_jumps=0.5, alike_words=0, hmm_iterations=8),
]


def some_pairs(count: int, seed: int = 3) -> list[TokenPair]:
    """Pairs of texts by lot, of 0 to 9 words."""
    generator = np.random.default_rng(seed)
    texts = [
        [TOKENS[code] for code in generator.integers(0, len(TOKENS), generator.integers(0, 10))]
        for _ in range(2 * count)
    ]
    return list(zip(texts[:count], texts[count:], strict=True))


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("is_turned", [False, True])
def test_every_round_makes_the_pairs_and_the_prior_likelier(options: StatisticalOptions, is_turned: bool) -> None:
    learner = DirectionLearner(meeting_words(some_pairs(60), options, 1), options, is_turned=is_turned, threads=1)
    rounds = [learner.model_one_round] * 6 + [learner.hmm_round] * 8
    curve = [learner.log_prior() + one() for one in rounds]
    # The first round of the HMM takes any place for as near as any other: it begins where model 1 has ended.
    assert all(after >= before - 1e-6 for before, after in pairwise(curve))
    assert curve[5] > curve[0]
    assert curve[-1] > curve[6]


def test_without_a_prior_to_speak_of_the_pairs_themselves_become_likelier() -> None:
    options = StatisticalOptions(smoothing=1e-9, same_word=0, alike_words=0, hmm_iterations=10)
    for curve in learn_words(some_pairs(60), options, 1).log_likelihoods:
        assert len(curve) == 15
        assert all(after >= before - 1e-6 for before, after in pairwise(curve))


def test_a_round_of_model_one_is_what_a_plain_count_gives() -> None:
    pairs = some_pairs(20)
    options = StatisticalOptions(same_word=2, alike_words=0, smoothing=0.5, null_probability=0.25)
    learner = DirectionLearner(meeting_words(pairs, options, 1), options, is_turned=False, threads=1)
    plain = [([_plain(word) for word in one], [_plain(word) for word in other]) for one, other in pairs]
    words = sorted({word for pair in plain for side in pair for word in side})
    seen = Counter(word for _, right in plain for word in right)
    share = {word: (seen[word] + 1) / (seen.total() + len(words) + 1) for word in words}
    counts: dict[tuple[str, str], float] = defaultdict(float)
    for _ in range(3):
        totals = Counter[str]()
        for (source, _), count in counts.items():
            totals[source] += count  # type: ignore[assignment]
        chance = {
            (source, target): (counts[source, target] + 0.5 * share[target] + 2 * (source == target))
            / (totals[source] + 0.5 + 2)
            for source in words
            for target in words
        }
        counts = defaultdict(float)
        for left, right in plain:
            real = 0.75 * min(1, len(left) / len(right)) if right else 0
            for target in right:
                likely = [real / len(left) * chance[source, target] for source in left]
                total = sum(likely) + (1 - real) * share[target]
                for source, one in zip(left, likely, strict=True):
                    counts[source, target] += one / total
        learner.model_one_round()
    cells = learner.cells
    found = {
        (words[row], words[column]): count / PARTS
        for row, column, count in zip(cells.rows(), cells.columns, learner.counts, strict=True)
    }
    assert found == pytest.approx({cell: counts[cell] for cell in found}, abs=1e-8)
    assert found.keys() == {(one, other) for left, right in plain for one in left for other in right}


def _plain(word: str) -> str:
    return word.replace(",", "")


@settings(max_examples=30)
@given(pairs=PAIRS, order=st.randoms(use_true_random=False))
def test_the_order_of_the_pairs_does_not_matter_to_the_last_bit(pairs: list[TokenPair], order: object) -> None:
    options = StatisticalOptions(model_one_iterations=2, hmm_iterations=3)
    shuffled = list(pairs)
    order.shuffle(shuffled)  # type: ignore[attr-defined]
    one, other = learn_words(pairs, options, 1), learn_words(shuffled, options, 1)
    assert one.table.digest == other.table.digest
    assert one.log_likelihoods == other.log_likelihoods


def test_the_number_of_threads_does_not_matter_to_the_last_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(direction_learning, "TOKEN_PAIRS_AT_ONCE", 700)
    monkeypatch.setattr(direction_learning, "TOKEN_PAIRS_OF_PART", 90)
    pairs = some_pairs(200)
    learned = [learn_words(pairs, StatisticalOptions(), threads) for threads in (1, 2, 5)]
    assert len({one.table.digest for one in learned}) == 1
    assert len({one.log_likelihoods for one in learned}) == 1


def test_how_many_pairs_are_counted_at_a_time_does_not_matter_either(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = some_pairs(50)
    at_once = learn_words(pairs, StatisticalOptions(), 1)
    monkeypatch.setattr(direction_learning, "TOKEN_PAIRS_AT_ONCE", 1)
    assert learn_words(pairs, StatisticalOptions(), 1).table.digest == at_once.table.digest


@given(pairs=PAIRS, threads=st.integers(1, 3))
def test_the_cells_are_the_words_that_meet(pairs: list[TokenPair], threads: int) -> None:
    coded = code_pairs(pairs, lower_case=True, most_words=5)
    cells = find_meetings(coded, threads)
    met = sorted(
        {
            (coded.words.index(_plain(one)), coded.words.index(_plain(other)))
            for left, right in pairs
            for one in left[:5]
            for other in right[:5]
        }
    )
    assert list(zip(cells.rows().tolist(), cells.columns.tolist(), strict=True)) == met
    token_pairs = [(_plain(one), _plain(other)) for left, right in pairs for one in left[:5] for other in right[:5]]
    assert [
        (coded.words[cells.rows()[place]], coded.words[cells.columns[place]]) for place in cells.places.tolist()
    ] == token_pairs


def test_too_many_cells_are_refused_with_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells_module, "MOST_CELLS", 3)
    with pytest.raises(cells_module.InputError, match="Learn from fewer pairs"):
        learn_words([(["a", "storm"], ["the", "gale"])], StatisticalOptions(), 1)


ALIKE = [
    ("report", "reported", 0.75),
    ("colour", "color", 5 / 6),
    ("#storms", "storm", 5 / 6),
    ("#storm", "storm", 1.0),
    ("storm", "storm", 0.0),
    ("2015-11", "2016-11", 0.0),
    ("cat", "cats", 0.0),
    ("storm", "gale", 0.0),
    ("größer", "große", 4 / 6),
]


@pytest.mark.parametrize(("one", "other", "likeness"), ALIKE)
def test_words_are_alike_in_spelling(one: str, other: str, likeness: float) -> None:
    words = sorted({one, other})
    rows, columns = (np.array([words.index(word)], np.int32) for word in (one, other))
    assert spelling_likenesses(words, rows, columns, 0.65, 1).tolist() == pytest.approx([likeness])
