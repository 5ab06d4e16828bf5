"""The shipped implication model: symmetric, independent of its batch, and pinned where it must not get worse."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from paraloom.engine.signatures import hash_of_file
from paraloom.errors import InputError
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.meaning.adversarial import AptPass
from paraloom.models.identifiers import SHIPPED
from paraloom.models.implication import Implication, load
from paraloom.models.pair_model import FOLDER, card

SAME = [
    ("The storm destroyed hundreds of houses.", "Hundreds of houses were destroyed by the storm."),
    ("The company's profit rose by a third last year.", "Last year the profits of the company went up by one third."),
    ("He was arrested on Monday after a short chase.", "After a brief chase, police took him into custody Monday."),
    ("The mayor refused to resign.", "The mayor would not step down."),
    ("She sold the house she grew up in.", "She sold her childhood home."),
    ("Prices doubled within a year.", "It took less than a year for prices to double."),
]
OTHER = [
    ("The storm destroyed hundreds of houses.", "The storm spared hundreds of houses."),
    ("The company's profit rose by a third last year.", "The company's profit fell by a third last year."),
    ("He was arrested on Monday after a short chase.", "He was arrested on Monday."),
    ("The mayor refused to resign.", "The mayor agreed to resign."),
    ("She sold the house she grew up in.", "She bought a house in the town she grew up in."),
    ("Prices doubled within a year.", "A cat sat on the window sill."),
]


def sides(pairs: list[tuple[str, str]]) -> tuple[list[str], list[str]]:
    return [left for left, _ in pairs], [right for _, right in pairs]


def test_what_means_the_same_implies_each_other_more_than_what_does_not() -> None:
    """A gate on pairs it never saw, as it stands: ten of twelve are right, opposites of single words among them."""
    same, other = load().answer(*sides(SAME)), load().answer(*sides(OTHER))
    assert (same.implication > 0.5).sum() >= 4
    assert (other.implication <= 0.5).all()
    assert same.implication.mean() - other.implication.mean() > 0.3


PINNED = [
    *[(0.997, 0.667), (0.995, 0.622), (0.112, 0.421), (0.995, 0.750), (0.942, 0.604), (0.648, 0.361)],
    *[(0.338, 0.534), (0.056, 0.527), (0.002, -0.046), (0.041, 0.067), (0.022, 0.485), (0.006, -1.092)],
]
"""What the shipped weights answered on SAME and OTHER: another tokeniser, graph or runtime must not move it."""
ELSEWHERE = 0.03
"""Another processor may: rounding to 8 bits magnifies last digits (docs/decisions/006), up to about .015."""


def test_the_shipped_weights_answer_as_they_did_when_they_were_measured() -> None:
    answers = load().answer(*sides(SAME + OTHER))
    np.testing.assert_allclose(answers.implication, [implication for implication, _ in PINNED], atol=ELSEWHERE)
    np.testing.assert_allclose(answers.similarity, [similarity for _, similarity in PINNED], atol=ELSEWHERE)


def test_wording_decides_similarity() -> None:
    copies = load().answer(*sides([(left, left) for left, _ in SAME]))
    strangers = load().answer(*sides([(SAME[0][0], SAME[1][0]), (SAME[2][0], SAME[4][0])]))
    assert copies.similarity.min() > 0.7
    assert copies.implication.min() > 0.9
    assert strangers.similarity.max() < -0.5
    assert strangers.implication.max() < 0.1


def test_the_order_of_the_two_texts_makes_no_difference() -> None:
    left, right = sides(SAME + OTHER)
    one_way, other_way = load().answer(left, right), load().answer(right, left)
    np.testing.assert_array_equal(one_way.implication, other_way.implication)
    np.testing.assert_array_equal(one_way.similarity, other_way.similarity)


def test_a_pair_is_answered_alike_alone_and_among_others() -> None:
    folder = SHIPPED / FOLDER
    together = Implication(folder).answer(*sides(SAME + OTHER))  # a new one each: a loaded one remembers
    fresh = Implication(folder)
    alone = [fresh.answer([left], [right]) for left, right in SAME + OTHER]
    np.testing.assert_allclose([one.implication[0] for one in alone], together.implication, atol=1e-5)
    np.testing.assert_allclose([one.similarity[0] for one in alone], together.similarity, atol=1e-5)


STRANGE = ["", "a", "🙂🙂", "嵐が海岸を襲った", "[SEP] [CLS]", "word " * 10_000, "\ud800", "\x00\n\t"]


@pytest.mark.parametrize("text", STRANGE, ids=range(len(STRANGE)))
def test_any_text_gets_an_answer(text: str) -> None:
    answers = load().answer([text, text], ["The storm hit the coast.", text])
    assert np.isfinite(answers.implication).all()
    assert np.isfinite(answers.similarity).all()
    assert (answers.implication >= 0).all()
    assert (answers.implication <= 1).all()


def test_no_pairs_give_no_answers_and_unequal_lists_are_refused() -> None:
    assert len(load().answer([], []).implication) == 0
    with pytest.raises(InputError, match="2 left texts and 1 right"):
        load().answer(["a", "b"], ["c"])


def test_the_metrics_run_on_the_shipped_model() -> None:
    left, right = sides(SAME)
    evaluation_set = EvaluationSet.of(left, [[text] for text in right])
    copied = AptPass(load()).prepare(evaluation_set)(left)
    assert copied.value == 0
    assert "model:pairs" in copied.signature
    assert "weights:" in copied.signature


def test_the_card_holds_the_figures_that_were_measured() -> None:
    """A gate: the weights may be replaced, but not by worse ones, nor without measuring them."""
    assert card()["weights"] == hash_of_file(SHIPPED / FOLDER / "model.safetensors")
    held_out = card()["figures"]["10"]
    assert min(held_out["t5-msrp MCC"], held_out["t5-twitterppdb MCC"]) >= 0.86
    assert min(held_out["t5-msrp near MCC"], held_out["t5-twitterppdb near MCC"]) >= 0.69
    assert held_out["people best MCC"] >= 0.43  # by this head alone; identification asks the strict one beside it
    assert min(held_out["t5-msrp similarity"], held_out["t5-twitterppdb similarity"]) >= 0.93


def test_a_folder_that_is_no_model_is_an_error(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(SHIPPED / FOLDER, folder)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"model_type": "mpnet"}))
    with pytest.raises(InputError, match="holds no model of pairs"):
        Implication(folder)
