"""Votes become rows of the table `labels`."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.labels.label_votes import label_votes
from paraloom.metrics.agreement.ratings import Ratings
from paraloom.metrics.identification.graded import is_paraphrase
from paraloom.tables import Label, check


def rated(said: dict[str, str | list[str]], **settings: Any) -> Ratings:
    rows = [(item, f"w{who}", vote) for item, votes in said.items() for who, vote in enumerate(votes)]
    return Ratings.of(*map(list, zip(*rows, strict=True)), **settings)


def labels(said: dict[str, str | list[str]], **settings: Any) -> dict[str, dict[str, Any]]:
    order = () if settings.get("definition") == "graded" else ("0", "1")
    table = check(label_votes(rated(said, order=order), **settings).table, Label)
    assert table.column("pair_id").to_pylist() == sorted(said)
    return {row["pair_id"]: row for row in table.to_pylist()}


CASES = [
    ("111000", {}, None),
    ("111100", {}, True),
    ("111000", {"definition": "strict"}, False),
    ("111100", {"definition": "strict"}, None),
    ("11000", {}, None),
    ("11100", {}, True),
    ("11100", {"definition": "strict"}, None),
    ("110", {}, True),
    ("110", {"definition": "strict"}, None),
    ("110", {"definition": "implication"}, True),
    ("1100", {"threshold": 1}, True),
    ("1000", {"threshold": 1}, None),
    ("0000", {"threshold": 1}, False),
    ("1100", {"threshold": 0.6}, False),
]


@pytest.mark.parametrize(("votes", "settings", "expected"), CASES)
def test_a_vote_is_decided_by_the_threshold_of_its_definition(votes: str, settings, expected: bool | None) -> None:
    row = labels({"p": votes}, **settings)["p"]
    assert row["is_paraphrase"] is expected
    assert (row["votes_for"], row["votes"]) == (votes.count("1"), len(votes))
    assert row["score"] == pytest.approx(votes.count("1") / len(votes), abs=1e-6)
    assert row["grade"] is None
    assert row["definition"] == settings.get("definition", "loose")


GRADES = [
    (["4>", "4>"], "4>", True, 1.0, 2, 2),
    (["4>", "4"], "4", True, 1.0, 2, 2),
    (["4", "2"], None, None, 0.5, 1, 2),
    (["4", "3", "2"], "3", True, 0.666667, 2, 3),
    (["3", "4", "4>", "2", "2"], "4", True, 0.6, 3, 5),
    (["2", "2", "3"], "2", False, 0.333333, 1, 3),
    (["x", "x", "4"], "x", None, 1.0, 1, 1),
    (["x", "4"], None, None, 1.0, 1, 1),
    (["x", "4", "4"], "4", True, 1.0, 2, 2),
    (["x", "x"], "x", None, None, 0, 0),
]


@pytest.mark.parametrize(("grades", "grade", "decided", "score", "votes_for", "votes"), GRADES)
def test_grades_have_a_label_and_a_yes_or_no(grades, grade, decided, score, votes_for: int, votes: int) -> None:
    row = labels({"p": grades, "q": ["1", "2", "3", "4", "x"]}, definition="graded")["p"]
    assert (row["grade"], row["is_paraphrase"], row["score"]) == (grade, decided, score)
    assert (row["votes_for"], row["votes"]) == (votes_for, votes)


@pytest.mark.parametrize("method", ["dawid-skene", "mace"])
def test_a_models_score_is_its_probability(method: str) -> None:
    found_votes = rated({"a": "111", "b": "000", "c": "110", "d": "001", "e": "110", "f": "100"}, order=("0", "1"))
    found = label_votes(found_votes, method=method)
    rows = {row["pair_id"]: row for row in found.table.to_pylist()}
    yes = dict(zip(found.aggregated.items, found.aggregated.share_of("1"), strict=True))
    assert all(row["score"] == pytest.approx(yes[item], abs=1e-6) for item, row in rows.items())
    assert all(row["is_paraphrase"] is (row["score"] > 0.5) for row in rows.values())
    assert rows["c"]["votes_for"] == 2
    assert found.labelled_by.startswith(f"{method}|definition:loose|threshold:0.5|")
    above, below = (
        label_votes(found_votes, method=method, threshold=rows["c"]["score"] + apart).table.column("is_paraphrase")[2]
        for apart in (-1e-3, 1e-3)
    )
    assert (above.as_py(), below.as_py()) == (True, False)


def test_where_all_say_the_same_there_are_labels_too() -> None:
    for method in ("majority", "dawid-skene", "mace"):
        assert [row["is_paraphrase"] for row in labels({"a": "11", "b": "11"}, method=method).values()] == [True, True]


def test_a_number_of_votes_is_no_threshold_for_probabilities() -> None:
    with pytest.raises(InputError, match="mace gives probabilities"):
        label_votes(rated({"a": "11"}, order=("0", "1")), method="mace", threshold=2)


ANY = st.sampled_from(["1", "2", "3", "4", "4<", "4>", "4i", "4>s", "4<is", "x"])
VOTES = st.dictionaries(st.sampled_from("pqrst"), st.lists(ANY, min_size=1, max_size=6), min_size=1)


@settings(max_examples=60, deadline=None)
@given(
    said=VOTES,
    method=st.sampled_from(["majority", "dawid-skene", "mace"]),
    threshold=st.sampled_from([None, 0.0, 0.3, 0.5, 0.8]),
)
def test_a_grade_never_contradicts_what_is_said_of_the_pair(said, method: str, threshold: float | None) -> None:
    for row in labels(said, definition="graded", method=method, threshold=threshold).values():
        if row["grade"] is not None:
            assert is_paraphrase(row["grade"]) is row["is_paraphrase"]
        if row["is_paraphrase"] is not None:
            assert row["grade"] is not None


@given(said=VOTES, threshold=st.integers(1, 7))
def test_nor_where_a_number_of_votes_is_asked_for(said, threshold: int) -> None:
    for row in labels(said, definition="graded", threshold=threshold).values():
        assert row["grade"] is None or is_paraphrase(row["grade"]) is row["is_paraphrase"]


def test_competence_is_how_often_somebody_says_what_the_grade_is() -> None:
    ratings = rated({"p": ["4>i", "4>s", "4is"], "q": ["2", "2", "4"]})
    found = label_votes(ratings, definition="graded")
    assert found.table["grade"].to_pylist() == ["4>is", "2"]
    assert found.aggregated.competence.tolist() == [0.5, 0.5, 0]


def test_competence_is_told_by_the_threshold_and_by_decisions_too() -> None:
    ratings = rated({"p": "110", "q": "110"}, order=("0", "1"))
    assert label_votes(ratings).aggregated.competence.tolist() == [1, 1, 0]
    assert label_votes(ratings, threshold=0.9).aggregated.competence.tolist() == [0, 0, 1]
    assert label_votes(ratings, decisions={"p": "0"}).aggregated.competence.tolist() == [0.5, 0.5, 0.5]


def decided(answers: dict[str, str | None], **more: Any) -> dict[str, dict[str, Any]]:
    said = {"p": ["4>", "2"], "q": ["3", "3"], "r": ["2", "4"]}
    return labels(said, definition="graded", decisions=answers, **more)


@pytest.mark.parametrize("method", ["majority", "dawid-skene", "mace"])
def test_a_decision_stands_in_place_of_the_votes_which_are_still_told(method: str) -> None:
    votes, rows = decided({}, method=method), decided({"p": "4>", "q": "x"}, method=method)
    assert (rows["p"]["grade"], rows["p"]["is_paraphrase"]) == ("4>", True)
    assert (rows["q"]["grade"], rows["q"]["is_paraphrase"]) == ("x", None)
    for item in "pq":
        assert [rows[item][name] for name in ("score", "votes_for", "votes")] == [
            votes[item][name] for name in ("score", "votes_for", "votes")
        ]
        assert rows[item]["labelled_by"] == "decision|definition:graded"
    assert rows["r"]["labelled_by"].startswith(f"{method}|definition:graded|threshold:0.5|")
    assert rows["r"]["labelled_by"].endswith("|decisions:2")
    assert {name: rows["r"][name] for name in ("grade", "is_paraphrase", "score")} == {
        name: votes["r"][name] for name in ("grade", "is_paraphrase", "score")
    }


@pytest.mark.parametrize(("answer", "said"), [("1", True), ("0", False), (None, None)])
def test_a_decision_may_be_yes_or_no_or_neither(answer: str | None, said: bool | None) -> None:
    row = labels({"p": "111"}, decisions={"p": answer})["p"]
    assert (row["is_paraphrase"], row["grade"], row["score"]) == (said, None, 1.0)


@pytest.mark.parametrize("method", ["majority", "dawid-skene", "mace"])
@pytest.mark.parametrize("definition", ["graded", "loose"])
def test_a_pair_has_a_label_even_if_nobody_but_an_expert_said_anything(method: str, definition: str) -> None:
    order = () if definition == "graded" else ("0", "1")
    ratings = Ratings.of(["p", "q"], ["eve", "eve"], [None, None], order=order)
    answer = "4<" if definition == "graded" else "1"
    table = label_votes(ratings, definition=definition, method=method, decisions={"p": answer}).table
    p, q = check(table, Label).to_pylist()
    assert (p["is_paraphrase"], p["votes"], p["votes_for"], p["score"]) == (True, 0, 0, None)
    assert (q["is_paraphrase"], q["grade"], q["score"]) == (None, None, None)


def test_a_decision_on_something_else_is_refused() -> None:
    with pytest.raises(InputError, match="a decision on 'z'"):
        label_votes(rated({"p": "11"}, order=("0", "1")), decisions={"z": "1"})


def test_a_grade_tells_which_sentence_was_on_the_left() -> None:
    rows = labels(
        {"p": ["4>", "4>"], "q": ["4", "2"], "r": ["3"]}, definition="graded", left_ids={"p": "storm", "q": "gale"}
    )
    assert {item: row["left_id"] for item, row in rows.items()} == {"p": "storm", "q": None, "r": None}
    assert labels({"p": "11"}, left_ids={"p": "storm"})["p"]["left_id"] is None
