"""Votes become rows of the table `labels`."""

from __future__ import annotations

from typing import Any

import pytest

from paraloom.errors import InputError
from paraloom.labels.label_votes import label_votes
from paraloom.metrics.agreement.ratings import Ratings
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
    (["4>", "4"], None, True, 1.0, 2, 2),
    (["4", "2"], None, None, 0.5, 1, 2),
    (["4", "3", "2"], None, True, 0.666667, 2, 3),
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
