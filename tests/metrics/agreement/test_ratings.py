"""Rows become ratings, answers a scale; what cannot be is refused with its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.metrics.agreement.ratings import Ratings
from paraloom.metrics.agreement.scale import Scale

SCALES = [
    (["yes", "no"], "nominal", (), ("no", "yes"), [0, 1]),
    (["10", "9", "b"], "nominal", (), ("9", "10", "b"), [0, 1, 2]),
    (["3", "1"], "ordinal", (), ("1", "3"), [0, 1]),
    (["low", "high"], "ordinal", ("low", "middle", "high"), ("low", "middle", "high"), [0, 1, 2]),
    (["3", "1", "1.0", "1e0"], "interval", (), ("1", "3"), [1, 3]),
    (["0.5", "-2"], "interval", (), ("-2", "0.5"), [-2, 0.5]),
    (["4", "2.0"], "interval", ("1", "2", "4"), ("1", "2", "4"), [1, 2, 4]),
    (["0", "2.5"], "ratio", (), ("0", "2.5"), [0, 2.5]),
    ([], "nominal", (), (), []),
]


@pytest.mark.parametrize(("met", "level", "order", "answers", "values"), SCALES)
def test_a_scale_knows_its_answers_and_where_they_lie(met, level, order, answers, values) -> None:
    scale = Scale.of(met, level, order)
    assert scale.answers == answers
    assert scale.values.tolist() == values


REFUSED = [
    (["low", "high"], "ordinal", (), "'low' is no number.*--order"),
    (["1", "x"], "interval", (), "'x' is no number"),
    (["1", "nan"], "interval", (), "'nan' is no number"),
    (["1", "-1"], "ratio", (), "'-1' is below 0"),
    (["yes", "perhaps"], "nominal", ("no", "yes"), "'perhaps' is not in the order no yes"),
    (["yes"], "nominal", ("yes", "yes"), "names 'yes' twice"),
    (["1"], "logarithmic", (), "no level called 'logarithmic'"),
]


@pytest.mark.parametrize(("met", "level", "order", "message"), REFUSED)
def test_answers_that_fit_no_scale_are_refused(met, level, order, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Scale.of(met, level, order)


@given(st.lists(st.sampled_from(["1", "1.0", "2", " 2", "3e0"]), min_size=1))
def test_a_number_is_the_same_however_it_is_written(answers: list[str]) -> None:
    ratings = Ratings.of([str(place) for place in range(len(answers))], ["a"] * len(answers), answers, level="interval")
    assert [ratings.scale.values[code] for code in ratings.answer] == [float(answer) for answer in answers]


def test_an_answer_given_twice_is_refused_with_item_annotator_and_rows() -> None:
    with pytest.raises(InputError) as refused:
        Ratings.of(["a", "b", "a", "a"], ["ann", "ann", "bob", "ann"], ["yes", "no", "no", "no"])
    assert str(refused.value) == (
        "ann answered item a twice: 'yes' in row 1 and 'no' in row 4. Leave one out, or let the last answer count "
        "(--repeated last)."
    )


def test_the_last_answer_counts_if_told() -> None:
    ratings = Ratings.of(["a", "a", "a"], ["ann", "bob", "ann"], ["yes", "no", "no"], last_counts=True)
    assert [ratings.scale.answers[code] for code in ratings.answer] == ["no", "no"]


def test_an_answer_taken_back_does_not_count_as_given_twice() -> None:
    assert len(Ratings.of(["a", "a"], ["ann", "ann"], ["yes", ""]).answer) == 1


ROWS = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from("xyz"), st.sampled_from(["yes", "no", None, " "])),
    unique_by=lambda row: row[:2],
)


@given(ROWS, st.randoms(use_true_random=False))
def test_ratings_hold_every_answer_once_whatever_the_order(rows, random) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)
    given = {(item, person, answer) for item, person, answer in rows if answer and answer.strip()}
    for some in (rows, shuffled):
        items, people, answers = zip(*some, strict=True) if some else ((), (), ())
        ratings = Ratings.of(items, people, answers)
        held = {
            (ratings.items[item], ratings.annotators[person], ratings.scale.answers[answer])
            for item, person, answer in zip(ratings.item, ratings.annotator, ratings.answer, strict=True)
        }
        assert held == given
        counts = ratings.counts()
        assert counts.count.sum() == len(given)
        assert counts.items == len({item for item, _, _ in rows})


def test_one_annotator_can_be_taken_out() -> None:
    ratings = Ratings.of(["a", "a", "b"], ["ann", "eve", "ann"], ["yes", "no", "no"])
    assert (len(ratings.without("eve").answer), len(ratings.only("eve").answer)) == (2, 1)
    assert ratings.without("eve").items == ("a", "b")
    with pytest.raises(InputError, match="no annotator 'zoe'; there are ann, eve"):
        ratings.without("zoe")


def test_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(InputError, match="2 items, 1 annotators and 1 answers"):
        Ratings.of(["a", "b"], ["x"], ["yes"])


@given(
    rows=st.lists(st.sampled_from(["4>", "4", "2", "x"]), max_size=8),
    views=st.fixed_dictionaries({name: st.sampled_from(["a", "b", None]) for name in ("4>", "4", "2", "x")}),
    named=st.booleans(),
)
def test_ratings_seen_otherwise_are_those_of_the_other_answers(rows, views, named: bool) -> None:
    items, people = [str(place // 2) for place in range(len(rows))], ["ann", "bob"] * (len(rows) // 2 + 1)
    order = ("b", "a") if named else ()
    found = Ratings.of(items, people[: len(rows)], rows).seen_as(views, order=order)
    expected = Ratings.of(items, people[: len(rows)], [views[answer] for answer in rows], order=order)
    assert (found.items, found.annotators, found.scale.answers) == (
        expected.items,
        expected.annotators,
        expected.scale.answers,
    )
    for name in ("item", "annotator", "answer"):
        assert getattr(found, name).tolist() == getattr(expected, name).tolist()
