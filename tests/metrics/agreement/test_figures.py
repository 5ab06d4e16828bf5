"""All figures together: the crowd apart from its expert, each annotator, each pair, each item."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from paraloom.errors import InputError
from paraloom.metrics.agreement import figures as figures_module
from paraloom.metrics.agreement.cohen import Confusions, kappa_intervals
from paraloom.metrics.agreement.figures import measure_agreement
from paraloom.metrics.agreement.items import answers_by_item, most_disputed
from paraloom.metrics.agreement.krippendorff import krippendorff_alpha
from paraloom.metrics.agreement.ratings import Ratings
from paraloom.metrics.agreement.scale import Scale


def crowd(seed: int = 1, items: int = 150) -> Ratings:
    """Four careful people, one who guesses, and an expert on the first 60 items."""
    random = np.random.default_rng(seed)
    rows = []
    for item, truth in enumerate(random.integers(0, 2, items)):
        for name in ("ann", "bob", "cem", "dia"):
            rows.append((f"{item}", name, ["no", "yes"][truth ^ (random.random() < 0.1)]))
        rows.append((f"{item}", "gus", ["no", "yes"][random.integers(2)]))
        if item < 60:
            rows.append((f"{item}", "expert", ["no", "yes"][truth]))
    return Ratings.of(*zip(*rows, strict=True))


def values(found) -> dict[str, float | None]:
    return {one.name: one.value for one in found.coefficients}


def test_the_expert_is_no_part_of_the_crowd() -> None:
    with_expert, without = measure_agreement(crowd(), expert="expert"), measure_agreement(crowd().without("expert"))
    assert with_expert.coefficients == without.coefficients
    assert (with_expert.annotators, with_expert.ratings) == (5, 750)
    assert without.expert is None
    assert with_expert.expert.compared + with_expert.expert.tied == 60


def test_who_guesses_is_found_and_alpha_without_them_is_told() -> None:
    found = measure_agreement(crowd(), expert="expert")
    assert [person.name for person in found.people if person.is_low] == ["gus"]
    assert found.people[0].name == "gus"
    assert found.people[0].interval.high < 0.4
    assert found.alpha_of_kept.value == pytest.approx(
        krippendorff_alpha(crowd().without("expert", "gus").counts()).value
    )
    assert found.alpha_of_kept.value > values(found)["krippendorff-alpha"]
    careful = [person.expert_kappa for person in found.people if person.name != "gus"]
    assert min(careful) > 0.6 > found.people[0].expert_kappa


def test_nobody_below_the_cut_leaves_nothing_to_leave_out() -> None:
    found = measure_agreement(crowd(), min_kappa=-1)
    assert found.alpha_of_kept is None
    assert not any(person.is_low for person in found.people)


def test_a_cut_that_no_kappa_can_have_is_refused() -> None:
    with pytest.raises(InputError, match="kappa of 40 does not exist"):
        measure_agreement(crowd(), min_kappa=40)


def test_an_annotators_kappa_against_the_expert_is_sklearns() -> None:
    ratings = crowd()
    (ann,) = (person for person in measure_agreement(ratings, expert="expert").people if person.name == "ann")
    answers = {name: ratings.only(name) for name in ("ann", "expert")}
    both = np.isin(answers["ann"].item, answers["expert"].item)
    assert ann.expert_compared == both.sum() == 60
    assert ann.expert_kappa == pytest.approx(cohen_kappa_score(answers["ann"].answer[both], answers["expert"].answer))


def test_votes_without_names_compare_nobody() -> None:
    found = measure_agreement(crowd(), nameless=True)
    assert (found.annotators, found.people, found.pairs, found.pair_count) == (None, (), (), 0)
    assert not any(name.startswith("cohen") for name in values(found))
    assert values(found)["krippendorff-alpha"] is not None
    assert found.confusion is not None


def test_numbers_add_weighted_kappas_and_ac2() -> None:
    rows = [("a", "x", "1"), ("a", "y", "2"), ("b", "x", "5"), ("b", "y", "5"), ("c", "x", "3"), ("c", "y", "1")]
    ordinal = Ratings.of(*zip(*rows, strict=True), level="ordinal")
    found = values(measure_agreement(ordinal))
    one, other = zip(("1", "2"), ("5", "5"), ("3", "1"), strict=True)
    for kind in ("linear", "quadratic"):
        expected = cohen_kappa_score(one, other, labels=["1", "2", "3", "5"], weights=kind)
        assert found[f"cohen-kappa-{kind}-mean"] == pytest.approx(expected)
    assert found["gwet-ac2"] is not None
    assert "gwet-ac2" not in values(measure_agreement(Ratings.of(*zip(*rows, strict=True))))


NO_MEAN = [
    ([("a", "x", "yes"), ("b", "x", "no")], "there is only one annotator"),
    ([("a", "x", "yes"), ("b", "y", "no")], "no item has answers of two people"),
    ([("a", "x", "yes"), ("a", "y", "yes")], "all answers are the same"),
]


@pytest.mark.parametrize(("rows", "reason"), NO_MEAN)
def test_why_pairs_have_no_mean_is_told(rows, reason: str) -> None:
    found = {one.name: one for one in measure_agreement(Ratings.of(*zip(*rows, strict=True))).coefficients}
    assert found["cohen-kappa-mean"].value is None
    assert reason in found["cohen-kappa-mean"].why_none


def test_no_answers_at_all_are_no_error_but_no_value() -> None:
    found = measure_agreement(Ratings.of(["a", "b"], ["x", "y"], [None, None]))
    assert set(values(found).values()) == {None}
    assert all(one.why_none for one in found.coefficients)
    assert (found.items, found.ratings, found.unanimous, found.people) == (0, 0, None, ())


def test_only_the_pairs_that_share_most_are_told_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures_module, "MOST_PAIRS", 3)
    found = measure_agreement(crowd().without("gus"))
    assert found.pair_count == 10
    assert [(pair.one, pair.other, pair.shared) for pair in found.pairs] == [
        ("ann", "bob", 150),
        ("ann", "cem", 150),
        ("ann", "dia", 150),
    ]


@pytest.mark.parametrize("items", [40, 200])
def test_an_annotators_interval_is_that_of_drawing_their_items_again(items: int) -> None:
    random = np.random.default_rng(items)
    one = random.integers(0, 3, items)
    other = np.where(random.random(items) < 0.6, one, random.integers(0, 3, items))
    confusions = Confusions.of(Scale.of(["a", "b", "c"]), np.zeros(items, dtype=int), one, other, 1)
    (interval,) = kappa_intervals(confusions)
    drawn = [
        cohen_kappa_score(one[rows], other[rows]) for rows in (random.integers(items, size=items) for _ in range(400))
    ]
    assert (interval.low, interval.high) == pytest.approx(tuple(np.quantile(drawn, [0.025, 0.975])), abs=0.05)


def test_a_table_of_one_cell_has_no_interval_and_changes_no_other() -> None:
    scale = Scale.of(["a", "b"])
    table, one, other = np.array([0, 0, 1, 1, 1]), np.array([0, 0, 0, 1, 1]), np.array([0, 0, 0, 1, 0])
    same, differing = kappa_intervals(Confusions.of(scale, table, one, other, 2))
    assert same is None
    assert [differing] == kappa_intervals(Confusions.of(scale, table[2:] - 1, one[2:], other[2:], 1))


def test_items_tell_their_answers_counted() -> None:
    rows = [("a", "x", "yes"), ("a", "y", "no"), ("b", "x", "no"), ("b", "y", "no"), ("c", "x", "yes"), ("d", "x", "")]
    found = {one.item: one for one in answers_by_item(Ratings.of(*zip(*rows, strict=True)))}
    assert list(found) == ["a", "b", "c"]
    assert (found["a"].majority, found["a"].agreement, found["a"].counts) == (None, 0.0, {"no": 1, "yes": 1})
    assert (found["b"].majority, found["b"].agreement, found["b"].counts) == ("no", 1.0, {"no": 2})
    assert (found["c"].majority, found["c"].agreement, found["c"].answers) == ("yes", None, 1)


def test_the_most_disputed_items_come_first_and_unanimous_ones_not_at_all() -> None:
    rows = [
        *(("calm", name, "no") for name in "wxyz"),
        *(("split", name, answer) for name, answer in zip("wxyz", ["no", "no", "yes", "yes"], strict=True)),
        *(("torn", name, answer) for name, answer in zip("wx", ["no", "yes"], strict=True)),
        *(("leaning", name, answer) for name, answer in zip("wxyz", ["no", "no", "no", "yes"], strict=True)),
    ]
    assert [one.item for one in most_disputed(Ratings.of(*zip(*rows, strict=True)))] == ["torn", "split", "leaning"]
