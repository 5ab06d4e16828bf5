"""What holds for every way to join votes."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.labels.aggregate.methods import METHODS, aggregate
from paraloom.metrics.agreement.ratings import Ratings

VOTES = st.dictionaries(
    st.tuples(st.integers(0, 7), st.integers(0, 5)), st.sampled_from(["a", "b", "c"]), min_size=1, max_size=40
)
METHOD = pytest.mark.parametrize("method", METHODS)


def ratings(votes: dict[tuple[int, int], str], order: list[tuple[int, int]] | None = None) -> Ratings:
    keys = list(votes) if order is None else order
    return Ratings.of([f"i{item}" for item, _ in keys], [f"w{who}" for _, who in keys], [votes[key] for key in keys])


@METHOD
@settings(max_examples=40, deadline=None)
@given(votes=VOTES, data=st.data())
def test_the_order_of_rows_does_not_matter_to_the_last_digit(method: str, votes, data) -> None:
    one = aggregate(ratings(votes), method)
    other = aggregate(ratings(votes, data.draw(st.permutations(list(votes)))), method)
    by_item = dict(zip(other.items, zip(other.labels, other.probabilities.tolist(), strict=True), strict=True))
    assert {
        item: (label, row) for item, label, row in zip(one.items, one.labels, one.probabilities.tolist(), strict=True)
    } == by_item
    skills = dict(zip(other.annotators, other.competence, strict=True))
    assert all(
        np.array_equal(skill, skills[name], equal_nan=True)
        for name, skill in zip(one.annotators, one.competence, strict=True)
    )


@pytest.mark.parametrize("method", ["majority", "dawid-skene"])
@settings(max_examples=40, deadline=None)
@given(votes=VOTES, names=st.permutations(range(6)))
def test_what_annotators_are_called_does_not_matter(method: str, votes, names) -> None:
    one = aggregate(ratings(votes), method)
    other = aggregate(ratings({(item, names[who]): answer for (item, who), answer in votes.items()}), method)
    assert one.items == other.items
    np.testing.assert_allclose(one.probabilities, other.probabilities, atol=1e-6)


@METHOD
@settings(max_examples=40, deadline=None)
@given(votes=VOTES)
def test_probabilities_are_probabilities_and_a_label_is_the_most_probable_answer(method: str, votes) -> None:
    found = aggregate(ratings(votes), method)
    np.testing.assert_allclose(found.probabilities.sum(axis=1), 1)
    assert ((found.competence >= 0) & (found.competence <= 1) | np.isnan(found.competence)).all()
    for label, row in zip(found.labels, found.probabilities, strict=True):
        leads = [answer for answer, share in zip(found.answers, row, strict=True) if share >= row.max() - 1e-9]
        assert label == (leads[0] if len(leads) == 1 else None)
    assert (found.entropy >= 0).all()
    assert (found.entropy <= math.log(len(found.answers)) + 1e-9).all()


@METHOD
@settings(max_examples=40, deadline=None)
@given(answers=st.lists(st.sampled_from(["yes", "no"]), min_size=1, max_size=12), people=st.integers(1, 6))
def test_where_all_agree_on_every_item_everyone_keeps_their_answer(
    method: str, answers: list[str], people: int
) -> None:
    rows = {(item, who): answer for item, answer in enumerate(answers) for who in range(people)}
    found = aggregate(ratings(rows), method)
    if method == "mace" and people == 1:
        return  # nobody confirms what one person alone says: the model is free to call it a habit
    assert dict(zip(found.items, found.labels, strict=True)) == {f"i{n}": answer for n, answer in enumerate(answers)}


@METHOD
def test_unanimous_items_of_a_good_crowd_keep_their_answer(method: str, crowd, rated) -> None:
    rows, _ = crowd(7, 150, [0.85] * 8, 5)
    found = aggregate(rated(rows), method)
    said: dict[str, set[str]] = {}
    for item, _, answer in rows:
        said.setdefault(item, set()).add(answer)
    labels = dict(zip(found.items, found.labels, strict=True))
    unanimous = {item: next(iter(answers)) for item, answers in said.items() if len(answers) == 1}
    assert len(unanimous) > 30
    assert {item: labels[item] for item in unanimous} == unanimous


@METHOD
def test_an_item_nobody_voted_on_has_no_label_and_changes_nothing(method: str) -> None:
    rows = ["a", "a", "b", "b"], ["1", "2", "1", "2"], ["yes", "yes", "no", "no"]
    plain = aggregate(Ratings.of(*rows), method)
    more = aggregate(Ratings.of([*rows[0], "c"], [*rows[1], "3"], [*rows[2], None]), method)
    assert more.labels == (*plain.labels, None)
    assert np.isnan(more.probabilities[2]).all()
    assert np.isnan(more.competence[2])
    assert np.array_equal(more.probabilities[:2], plain.probabilities)


@METHOD
def test_one_answer_alone_is_certain(method: str) -> None:
    found = aggregate(Ratings.of(["a", "a", "b"], ["1", "2", "1"], ["yes"] * 3), method)
    assert found.labels == ("yes", "yes")
    assert found.probabilities.tolist() == [[1.0], [1.0]]
    assert found.entropy.tolist() == [0, 0]


@METHOD
@pytest.mark.parametrize("rows", [([], [], []), (["a"], ["1"], [None])])
def test_without_votes_there_is_nothing_to_join(method: str, rows) -> None:
    with pytest.raises(InputError, match="no votes to join"):
        aggregate(Ratings.of(*rows), method)


def test_a_method_that_is_not_known_is_an_error() -> None:
    with pytest.raises(InputError, match=r"no way 'median'.*majority, dawid-skene, mace"):
        aggregate(Ratings.of(["a"], ["1"], ["yes"]), "median")


def test_nothing_of_it_needs_crowd_kit_scipy_or_pandas(child_environment: dict[str, str]) -> None:
    code = (
        "import sys; import paraloom.labels.aggregate.methods, paraloom.labels.label_votes, paraloom.labels.graded;"
        "print(sorted({'crowdkit', 'scipy', 'pandas', 'sklearn', 'torch'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=child_environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
