"""Which votes follow from a judgment, and which judgments count."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.labels.votes_of_answer import votes_of_answer
from paraloom.labels.votes_of_judgments import GivenJudgment, Vote, votes_of_judgments
from paraloom.metrics.identification.graded import turned

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)


def judged(
    item: str, annotator: str, answer: object, *, task: str = "pair", minute: int = 0, test: bool = False, id: str = ""
) -> GivenJudgment:
    return GivenJudgment(
        judgment_id=id or f"{item}-{annotator}-{minute}",
        campaign="c",
        task=task,
        item_id=item,
        annotator=annotator,
        answer=json.dumps(answer),
        created_at=NOON + timedelta(minutes=minute),
        is_test=test,
    )


def yes(said: bool) -> dict[str, bool]:
    return {"is_paraphrase": said}


ANSWERS = [
    ("pair", {"is_paraphrase": True}, {"p": "1"}),
    ("pair", '{"is_paraphrase": false}', {"p": "0"}),
    ("choose", {"chosen": [], "shown": ["a", "b"]}, {"a": "0", "b": "0"}),
    ("choose", {"chosen": ["b", "a"], "shown": ["a", "b", "c"]}, {"a": "1", "b": "1", "c": "0"}),
    ("grade", {"label": "4s>", "rewrite_left": None, "rewrite_right": "so", "unsure": True}, {"p": "4>s"}),
    ("grade", {"label": "x"}, {"p": "x"}),
]


@pytest.mark.parametrize(("task", "answer", "votes"), ANSWERS)
def test_an_answer_is_votes_on_pairs(task: str, answer, votes: dict[str, str]) -> None:
    assert votes_of_answer(task, "p", answer) == votes


REASONS = [
    ("pair", "{", "bad_row: answer is not JSON"),
    ("pair", "[true]", "bad_row: answer is no object"),
    ("pair", {"is_paraphrase": 1}, "bad_row: is_paraphrase is neither true nor false"),
    ("pair", {}, "bad_row: is_paraphrase is neither true nor false"),
    ("choose", {"chosen": ["z"], "shown": ["a"]}, "bad_row: a chosen pair was not shown"),
    ("choose", {"chosen": [], "shown": []}, "bad_row: no pair was shown"),
    ("choose", {"chosen": ["a"]}, "bad_row: shown is no list of pair ids"),
    ("choose", {"chosen": [1], "shown": ["a"]}, "bad_row: chosen is no list of pair ids"),
    ("grade", {"label": "5"}, "bad_row: label is no graded label"),
    ("grade", {"label": 4}, "bad_row: label is no graded label"),
    ("rate", {"fluency": 5}, "task rate has no label"),
]


@pytest.mark.parametrize(("task", "answer", "reason"), REASONS)
def test_what_cannot_be_counted_has_a_reason(task: str, answer, reason: str) -> None:
    with pytest.raises(InputError) as refused:
        votes_of_answer(task, "p", answer)
    assert str(refused.value) == reason


def test_a_change_of_mind_counts_and_the_order_of_rows_does_not() -> None:
    rows = [
        judged("p", "ann", yes(True), minute=0),
        judged("p", "ann", yes(False), minute=2),
        judged("p", "ann", yes(True), minute=1),
        judged("p", "bob", yes(True), minute=0),
    ]
    expected = (Vote("p", "ann", "0"), Vote("p", "bob", "1"))
    for order in (rows, rows[::-1], rows[1:] + rows[:1]):
        found = votes_of_judgments(order)
        assert found.votes == expected
        assert found.superseded == 2


def test_of_two_answers_at_one_moment_the_later_id_counts() -> None:
    rows = [judged("p", "ann", yes(True), id="01"), judged("p", "ann", yes(False), id="02")]
    assert votes_of_judgments(rows).votes == votes_of_judgments(rows[::-1]).votes == (Vote("p", "ann", "0"),)


def test_who_answers_a_choice_again_takes_back_the_whole_of_it() -> None:
    rows = [
        judged("s", "ann", {"chosen": ["a"], "shown": ["a", "b"]}, task="choose", minute=0),
        judged("s", "ann", {"chosen": ["b"], "shown": ["b", "c"]}, task="choose", minute=1),
    ]
    assert votes_of_judgments(rows).votes == (Vote("b", "ann", "1"), Vote("c", "ann", "0"))


def test_of_two_tasks_on_one_pair_the_newer_answer_counts() -> None:
    rows = [
        judged("a", "ann", yes(False), minute=3),
        judged("s", "ann", {"chosen": ["a"], "shown": ["a", "b"]}, task="choose", minute=1),
    ]
    found = votes_of_judgments(rows)
    assert found.votes == (Vote("a", "ann", "0"), Vote("b", "ann", "0"))
    assert found.superseded == 0
    assert found.tasks == {"choose": 1, "pair": 1}


def test_test_questions_are_left_out_unless_asked_for() -> None:
    rows = [judged("p", "ann", yes(True), test=True), judged("q", "ann", yes(False))]
    found = votes_of_judgments(rows)
    assert (found.votes, found.tests) == ((Vote("q", "ann", "0"),), 1)
    assert len(votes_of_judgments(rows, tests=True).votes) == 2


def test_work_that_was_set_aside_does_not_count() -> None:
    good, bad = judged("p", "ann", yes(True)), judged("p", "bob", yes(False))
    found = votes_of_judgments([good, replace(bad, not_counted_for="set_aside")])
    assert found.votes == (Vote("p", "ann", "1"),)
    assert found.dropped_for == {"set_aside": 1}


def test_the_service_knows_which_answer_is_the_later_one_when_a_clock_was_set_back() -> None:
    first = replace(judged("p", "ann", yes(True), minute=9), not_counted_for="superseded")
    later = judged("p", "ann", yes(False), minute=2)
    for rows in ([first, later], [later, first]):
        found = votes_of_judgments(rows)
        assert (found.votes, found.superseded) == ((Vote("p", "ann", "0"),), 1)


def test_grades_count_as_they_are_or_as_yes_and_no() -> None:
    rows = [
        judged(item, "ann", {"label": label}, task="grade") for item, label in (("a", "4>"), ("b", "2"), ("c", "x"))
    ]
    rows.append(judged("d", "ann", yes(True)))
    graded = votes_of_judgments(rows, graded=True)
    assert [vote.answer for vote in graded.votes] == ["4>", "2", "x"]
    assert graded.dropped_for == {"task pair has no grade": 1}
    assert [vote.answer for vote in votes_of_judgments(rows).votes] == ["1", "0", None, "1"]


def test_bad_answers_are_counted_by_their_reason() -> None:
    rows = [judged("a", "ann", {}), judged("b", "ann", {}), judged("c", "ann", {"fluency": 3}, task="rate")]
    found = votes_of_judgments(rows)
    assert found.votes == ()
    assert found.dropped_for == {
        "bad_row: is_paraphrase is neither true nor false": 2,
        "task rate has no label": 1,
    }


@given(
    rows=st.lists(
        st.tuples(st.sampled_from("pq"), st.sampled_from(["ann", "bob"]), st.booleans(), st.integers(0, 3)),
        unique_by=lambda row: (row[0], row[1], row[3]),
        max_size=12,
    ),
    data=st.data(),
)
def test_everybody_has_one_vote_a_pair_and_every_judgment_is_accounted_for(rows, data) -> None:
    judgments = [judged(item, who, yes(said), minute=minute) for item, who, said, minute in rows]
    found = votes_of_judgments(judgments)
    assert len({(vote.pair_id, vote.annotator) for vote in found.votes}) == len(found.votes)
    assert len(found.votes) + found.superseded == len(judgments)
    assert votes_of_judgments(data.draw(st.permutations(judgments))) == found


def graded(annotator: str, label: str, left_id: str | None, *, minute: int = 0, **more) -> GivenJudgment:
    return replace(judged("p", annotator, {"label": label}, task="grade", minute=minute), left_id=left_id, **more)


TURNED = [
    ((("4>s", "a"), ("4<s", "b")), ["4>s", "4>s"], "a"),
    ((("4>", "a"), ("4>", "b"), ("4>", "a")), ["4>", "4<", "4>"], "a"),
    ((("4<i", "b"), ("4>i", "a"), ("3", "a")), ["4<i", "4<i", "3"], "b"),
    ((("4>", None), ("4>", "b"), ("4>", "a")), ["4>", "4>", "4<"], "b"),  # unknown: as it stands
    ((("4>", None), ("4<", None)), ["4>", "4<"], None),
    ((("x", "a"), ("2", "b"), ("4is", "b")), ["x", "2", "4is"], "a"),
]


@pytest.mark.parametrize(("said", "labels", "left"), TURNED)
def test_grades_of_a_pair_that_was_shown_both_ways_are_turned_to_one_side(said, labels, left: str | None) -> None:
    rows = [
        graded(f"w{place}", label, left_id, minute=place, campaign=left_id or "c")
        for place, (label, left_id) in enumerate(said)
    ]
    for order in (rows, rows[::-1]):
        found = votes_of_judgments(order, graded=True)
        assert [vote.answer for vote in found.votes] == labels
        assert found.left_ids == ({} if left is None else {"p": left})


def test_a_grade_counts_as_yes_or_no_whatever_was_on_the_left() -> None:
    found = votes_of_judgments([graded("ann", "4>", "a"), graded("bob", "2", "b", minute=1)])
    assert [vote.answer for vote in found.votes] == ["1", "0"]
    assert found.left_ids == {}


def test_a_pair_has_no_third_sentence() -> None:
    rows = [graded(who, "4>", left, minute=place) for place, (who, left) in enumerate(zip("xyz", "abc", strict=True))]
    found = votes_of_judgments(rows, graded=True)
    assert [vote.answer for vote in found.votes] == ["4>", "4<"]
    assert found.dropped_for == {"bad_row: left_id is a third sentence of the pair": 1}


def test_the_latest_decision_holds_and_is_no_vote() -> None:
    rows = [
        graded("ann", "4>", "a"),
        graded("bob", "2", "b", minute=1),
        graded("eve", "2", "b", minute=2, is_decision=True),
        graded("zoe", "4<", "b", minute=3, is_decision=True),
    ]
    for order in (rows, rows[::-1]):
        found = votes_of_judgments(order, graded=True)
        assert found.votes == (Vote("p", "ann", "4>"), Vote("p", "bob", "2"))
        assert found.decisions == (Vote("p", "zoe", "4>"),)  # turned to the side that ann saw on the left
        assert (found.left_ids, found.superseded, found.tasks) == ({"p": "a"}, 1, {"grade": 3})


def test_an_expert_may_vote_and_decide() -> None:
    rows = [judged("p", "eve", yes(False)), replace(judged("p", "eve", yes(True), minute=1), is_decision=True)]
    found = votes_of_judgments(rows)
    assert found.votes == (Vote("p", "eve", "0"),)
    assert found.decisions == (Vote("p", "eve", "1"),)
    assert found.superseded == 0


def test_a_decision_on_a_choice_decides_on_each_of_its_pairs() -> None:
    rows = [
        judged("s", "ann", {"chosen": ["a"], "shown": ["a", "b"]}, task="choose"),
        replace(judged("s", "eve", {"chosen": ["b"], "shown": ["a", "b"]}, task="choose", minute=1), is_decision=True),
        replace(judged("b", "eve", yes(False), minute=2), is_decision=True),
    ]
    assert votes_of_judgments(rows).decisions == (Vote("a", "eve", "0"), Vote("b", "eve", "0"))


DECISIONS_THAT_DO_NOT_COUNT = [
    ({"not_counted_for": "superseded"}, 1, {}),
    ({"not_counted_for": "set_aside"}, 0, {"set_aside": 1}),
    ({"is_test": True}, 0, {}),
    ({"answer": "{"}, 0, {"bad_row: answer is not JSON": 1}),
]


@pytest.mark.parametrize(("more", "superseded", "dropped"), DECISIONS_THAT_DO_NOT_COUNT)
def test_a_decision_that_does_not_count_is_accounted_for(more, superseded: int, dropped: dict[str, int]) -> None:
    found = votes_of_judgments([graded("eve", "4", None, is_decision=True, **more)], graded=True)
    assert (found.decisions, found.votes) == ((), ())
    assert (found.superseded, found.dropped_for) == (superseded, dropped)


@given(
    said=st.lists(
        st.tuples(st.sampled_from(["4>", "4<s", "4", "3", "x"]), st.sampled_from("ab"), st.booleans()),
        min_size=1,
        max_size=6,
    ),
    data=st.data(),
)
def test_swapping_the_sides_of_some_judgments_changes_no_vote(said, data) -> None:
    """What one person says is the same statement when the pair is shown the other way round and the label is turned."""
    rows = [graded(f"w{n}", label, left, minute=n) for n, (label, left, _) in enumerate(said)]
    swapped = [
        graded(f"w{n}", turned(label), "b" if left == "a" else "a", minute=n) if swap and n else rows[n]
        for n, (label, left, swap) in enumerate(said)
    ]
    found = votes_of_judgments(rows, graded=True)
    assert votes_of_judgments(data.draw(st.permutations(swapped)), graded=True) == found
