"""The statistical aligner as others use it: learn, align, tell, save and load."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import InputError, TargetTaken
from paraloom.models.aligners import Aligner, KnowsLikeness, LearnsFromPairs, TokenPair
from paraloom.models.aligners.statistical.aligner import StatisticalAligner
from paraloom.models.aligners.statistical.asked_pairs import AskedPairs
from paraloom.models.aligners.statistical.options import StatisticalOptions
from paraloom.models.aligners.symmetrise import METHODS

INVENTED = {
    "storm": "brakka",
    "coast": "lonu",
    "hits": "vem",
    "the": "ta",
    "people": "osiri",
    "flee": "dug",
    "big": "ro",
}
TWO_LANGUAGES = StatisticalOptions(same_word=0, alike_words=0, smoothing=0.1, null_probability=0.2)


def invented_pairs(count: int = 120) -> tuple[list[TokenPair], list[tuple[tuple[int, int], ...]]]:
    """Texts of an invented language, its words in an order of their own by lot, and how they must be linked."""
    generator = np.random.default_rng(11)
    pairs: list[TokenPair] = []
    links = []
    for _ in range(count):
        left = generator.choice(list(INVENTED), generator.integers(2, 6), replace=False).tolist()
        order = generator.permutation(len(left)).tolist()
        pairs.append((left, [INVENTED[left[place]] for place in order]))
        links.append(tuple(sorted((left_place, right_place) for right_place, left_place in enumerate(order))))
    return pairs, links


def english() -> list[TokenPair]:
    """Paraphrases that say the same of storms."""
    texts = [
        ("the storm hit the coast on monday", "on monday a storm hit the coast"),
        ("Thousands fled the storm", "thousands of people fled"),
        ("the gale struck the shore", "the storm hit the shore"),
        ("people fled from the coast", "people left the coast in 2015"),
        ("power was cut in 10,000 homes", "10000 homes had no power"),
    ]
    return [(left.split(), right.split()) for left, right in texts] * 4


@pytest.fixture(scope="module")
def learned() -> StatisticalAligner:
    aligner = StatisticalAligner(threads=1)
    aligner.learn(english())
    return aligner


@pytest.mark.parametrize("linked_by", ["likeness", "best-paths"])
def test_an_invented_language_is_learned_from_its_texts_alone(linked_by: Any) -> None:
    pairs, links = invented_pairs()
    aligner = StatisticalAligner(dataclasses.replace(TWO_LANGUAGES, linked_by=linked_by), threads=2)
    aligner.learn(pairs)
    assert aligner.align(pairs) == links
    forward, backward = aligner.word_probabilities(list(INVENTED), list(INVENTED.values()))
    assert forward.min() > 0.9
    assert backward.min() > 0.9


@pytest.mark.parametrize("method", METHODS)
def test_every_symmetrisation_solves_it(method: Any) -> None:
    pairs, links = invented_pairs()
    aligner = StatisticalAligner(dataclasses.replace(TWO_LANGUAGES, linked_by="best-paths", symmetrised=method))
    aligner.learn(pairs)
    assert aligner.align(pairs) == links


def test_it_fulfils_the_protocols(learned: StatisticalAligner) -> None:
    assert isinstance(learned, Aligner)
    assert isinstance(learned, KnowsLikeness)
    assert isinstance(learned, LearnsFromPairs)
    assert learned.name == "statistical"


def test_the_same_word_and_the_same_number_are_linked(learned: StatisticalAligner) -> None:
    pair = (["the", "Storm", "hit", "12,500", "homes"], ["12500", "homes", "the", "storm", "hit"])
    assert learned.align([pair]) == [((0, 2), (1, 3), (2, 4), (3, 0), (4, 1))]


def test_words_that_were_never_seen_are_linked_by_spelling(learned: StatisticalAligner) -> None:
    [links] = learned.align([(["zorblax", "quivering"], ["quivered", "zorblax"])])
    assert links == ((0, 1), (1, 0))


def test_numbers_that_differ_are_not_linked(learned: StatisticalAligner) -> None:
    [links] = learned.align([(["the", "storm", "of", "1987"], ["the", "storm", "of", "1988"])])
    assert (3, 3) not in links


@pytest.mark.parametrize("pair", [([], ["storm"]), (["storm"], []), ([], [])])
@pytest.mark.parametrize("linked_by", ["likeness", "best-paths"])
def test_an_empty_side_has_no_links(learned: StatisticalAligner, pair: TokenPair, linked_by: Any) -> None:
    aligner = StatisticalAligner(StatisticalOptions(linked_by=linked_by))
    aligner.learn([pair, *english()])
    assert aligner.align([pair]) == [()]
    assert aligner.likeness([pair])[0].shape == (len(pair[0]), len(pair[1]))


def test_nothing_at_all_can_be_learned_and_aligned() -> None:
    aligner = StatisticalAligner()
    aligner.learn([])
    assert aligner.align([]) == []
    assert aligner.align([(["storm"], ["storm"])]) == [((0, 0),)]
    assert len(aligner.lexical_probabilities().left) == 0


def test_of_very_long_texts_the_first_words_are_linked() -> None:
    aligner = StatisticalAligner(StatisticalOptions(most_words=3))
    aligner.learn(english())
    long = ["the", "storm", "hit", "the", "coast"]
    assert aligner.align([(long, long)]) == [((0, 0), (1, 1), (2, 2))]
    [likeness] = aligner.likeness([(long, long)])
    assert likeness.shape == (5, 5)
    assert not likeness[3:].any()
    assert not likeness[:, 3:].any()


def test_posteriors_of_each_word_sum_to_at_most_one(learned: StatisticalAligner) -> None:
    table = learned._table
    assert table is not None
    asked = AskedPairs.of(english(), table, learned.options, 1)
    forward, backward = asked.posteriors()
    for one, other in zip(forward, backward, strict=True):
        assert one.min() >= 0
        assert other.min() >= 0
        assert one.sum(axis=0).max() <= 1 + 1e-9  # the rest stands for none
        assert other.sum(axis=1).max() <= 1 + 1e-9


def test_likeness_is_the_geometric_mean_of_both_directions(learned: StatisticalAligner) -> None:
    table = learned._table
    assert table is not None
    forward, backward = AskedPairs.of(english(), table, learned.options, 1).posteriors()
    for likeness, one, other in zip(learned.likeness(english()), forward, backward, strict=True):
        assert likeness == pytest.approx(np.sqrt(one * other))


WORDS = st.lists(st.sampled_from([*"abc", "storm", "storms", "gale", "coast", "the"]), max_size=7)


@given(pairs=st.lists(st.tuples(WORDS, WORDS), max_size=6))
def test_links_of_a_pair_do_not_depend_on_the_others(learned: StatisticalAligner, pairs: list[TokenPair]) -> None:
    assert learned.align(pairs) == [learned.align([pair])[0] for pair in pairs]


def test_what_is_saved_aligns_as_before(learned: StatisticalAligner, tmp_path: Path) -> None:
    learned.save(tmp_path / "model")
    loaded = StatisticalAligner.load(tmp_path / "model", threads=2)
    others = [*english(), (["unseen", "gales"], ["gale", "#unseen"])]
    assert loaded.options == learned.options
    assert loaded.signature == learned.signature
    assert loaded.align(others) == learned.align(others)
    for one, other in zip(loaded.likeness(others), learned.likeness(others), strict=True):
        assert np.array_equal(one, other)
    assert [file.name for file in tmp_path.iterdir()] == ["model"]


def test_a_folder_that_is_there_is_not_written_over(learned: StatisticalAligner, tmp_path: Path) -> None:
    with pytest.raises(TargetTaken, match="Choose another folder"):
        learned.save(tmp_path)


def _another_name(folder: Path) -> None:
    card = json.loads((folder / "aligner.json").read_text())
    (folder / "aligner.json").write_text(json.dumps({**card, "name": "lexical"}))


def _other_words(folder: Path) -> None:
    words = json.loads((folder / "words.json").read_text())
    (folder / "words.json").write_text(json.dumps(words[::-1]))


BROKEN = [
    (lambda folder: (folder / "aligner.json").unlink(), "no whole statistical aligner"),
    (lambda folder: (folder / "words.json").write_text("[", encoding="utf-8"), "no whole statistical aligner"),
    (lambda folder: (folder / "word_table.safetensors").write_bytes(b"half"), "no whole statistical aligner"),
    (_another_name, "holds the aligner 'lexical'"),
    (_other_words, "do not belong to"),
]


@pytest.mark.parametrize(("harm", "message"), BROKEN)
def test_a_broken_folder_is_refused(learned: StatisticalAligner, tmp_path: Path, harm: Any, message: str) -> None:
    learned.save(tmp_path / "model")
    harm(tmp_path / "model")
    with pytest.raises(InputError, match=message):
        StatisticalAligner.load(tmp_path / "model")


def test_an_aligner_that_has_learned_nothing_says_so() -> None:
    with pytest.raises(InputError, match="learned nothing yet"):
        StatisticalAligner().align(english())


def test_learning_again_forgets_what_was_learned_before(learned: StatisticalAligner) -> None:
    aligner = StatisticalAligner()
    aligner.learn(invented_pairs()[0])
    aligner.learn(english())
    assert aligner.signature == learned.signature


def test_the_signature_tells_options_and_weights(learned: StatisticalAligner) -> None:
    assert learned.signature.startswith("statistical|linked-by:likeness|least-likeness:0.2|symmetrised:grow-diag|")
    other = StatisticalAligner(StatisticalOptions(hmm_iterations=1))
    assert other.signature.endswith("weights:none")
    other.learn(english())
    assert other.signature.rpartition(":")[2] != learned.signature.rpartition(":")[2]


def test_lexical_probabilities_are_those_of_the_words(learned: StatisticalAligner) -> None:
    told = learned.lexical_probabilities()
    cells = list(zip(told.left, told.right, strict=True))
    assert cells == sorted(set(cells))
    assert ("storm", "storm") in cells
    forward, backward = learned.word_probabilities(told.left, told.right)
    assert np.array_equal(forward, told.right_given_left)
    assert np.array_equal(backward, told.left_given_right)
    for source, chances in ((told.left, told.right_given_left), (told.right, told.left_given_right)):
        totals: dict[str, float] = {}
        for word, chance in zip(source, chances.tolist(), strict=True):
            totals[word] = totals.get(word, 0.0) + chance
        assert max(totals.values()) <= 1 + 1e-6
    assert learned.word_probabilities(["Storm"], ["storm"])[0] > learned.word_probabilities(["storm"], ["coast"])[0]


REFUSED = [
    ({"symmetrised": "shrink"}, "Choose one of: intersection"),
    ({"linked_by": "chance"}, "Choose one of: likeness"),
    ({"model_one_iterations": -1}, "counts"),
    ({"null_probability": 1.0}, "null_probability"),
    ({"uniform_jumps": 0.0}, "uniform_jumps"),
    ({"largest_jump": 0}, "largest_jump"),
    ({"smoothing": 0.0}, "smoothing"),
    ({"same_word": 1.0, "alike_words": 2.0}, "alike_words"),
    ({"least_spelling": 1.5}, "least_spelling"),
]


@pytest.mark.parametrize(("options", "message"), REFUSED)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        StatisticalOptions(**options)


def test_every_symmetrisation_can_be_chosen() -> None:
    assert [StatisticalOptions(symmetrised=method).symmetrised for method in METHODS] == list(METHODS)  # type: ignore[arg-type]
