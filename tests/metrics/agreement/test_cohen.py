"""Cohen's kappa of two raters, of all pairs of them, and of anyone against the majority of the others."""

from __future__ import annotations

import time
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa

from paraloom.errors import InputError
from paraloom.metrics.agreement import cohen
from paraloom.metrics.agreement.cohen import Confusions, answer_confusion, cohen_kappa, pair_kappas
from paraloom.metrics.agreement.majority import ALONE, TIED, against_others, majority, others_majority
from paraloom.metrics.agreement.ratings import Ratings
from paraloom.metrics.agreement.scale import Scale

PAIRS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=40)


def of_two(pairs: list[tuple[int, int]], level="nominal", values: str = "0123") -> Confusions:
    one, other = (np.array(side) for side in zip(*pairs, strict=True))
    return Confusions.of(Scale.of([], level, list(values)), np.zeros(len(pairs), dtype=int), one, other, 1)


@pytest.mark.parametrize(("weights", "theirs"), [("none", None), ("linear", "linear"), ("quadratic", "quadratic")])
@given(pairs=PAIRS)
def test_two_raters_have_sklearns_and_statsmodels_kappa(weights, theirs, pairs) -> None:
    kappa = cohen_kappa(of_two(pairs, "ordinal"), weights).kappa[0]
    one, other = zip(*pairs, strict=True)
    if len({*one, *other}) == 1:
        assert np.isnan(kappa)
        return
    assert kappa == pytest.approx(cohen_kappa_score(one, other, labels=range(4), weights=theirs), abs=1e-9)
    table = np.zeros((4, 4))
    np.add.at(table, (np.array(one), np.array(other)), 1)
    statsmodels_name = {"none": None, "linear": "linear", "quadratic": "quadratic"}[weights]
    assert kappa == pytest.approx(cohens_kappa(table, wt=statsmodels_name, return_results=False), abs=1e-9)


@given(pairs=PAIRS, weights=st.sampled_from(["none", "linear", "quadratic"]))
def test_kappa_does_not_care_who_is_first(pairs, weights) -> None:
    there, back = (of_two(side, "ordinal") for side in (pairs, [(other, one) for one, other in pairs]))
    assert cohen_kappa(there, weights).kappa == pytest.approx(cohen_kappa(back, weights).kappa, abs=1e-12, nan_ok=True)


def test_weights_go_by_the_numbers_of_an_interval_scale() -> None:
    pairs = [(0, 0), (0, 1), (1, 1), (2, 3), (3, 3), (2, 2)]
    scale = np.array([1.0, 2.0, 4.0, 9.0])
    disagreement = np.square(scale[:, None] - scale[None, :])
    table = np.zeros((4, 4))
    for one, other in pairs:
        table[one, other] += 1
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / len(pairs)
    by_hand = 1 - (table * disagreement).sum() / (expected * disagreement).sum()
    found = cohen_kappa(
        Confusions.of(
            Scale.of([], "interval", ["1", "2", "4", "9"]),
            np.zeros(6, dtype=int),
            np.array([one for one, _ in pairs]),
            np.array([other for _, other in pairs]),
            1,
        ),
        "quadratic",
    )
    assert found.kappa[0] == pytest.approx(by_hand)


def test_two_who_never_met_have_no_kappa() -> None:
    found = cohen_kappa(Confusions.of(Scale.of(["a"]), *(np.empty(0, dtype=int) for _ in range(3)), 1))  # type: ignore[misc]
    assert found.shared.tolist() == [0]
    assert np.isnan(found.agreement[0])
    assert np.isnan(found.kappa[0])


def test_one_who_always_says_the_same_agrees_by_chance_alone() -> None:
    found = cohen_kappa(of_two([(0, 0), (0, 1), (0, 0)]))
    assert found.kappa[0] == pytest.approx(0, abs=1e-12)
    assert found.agreement[0] == pytest.approx(2 / 3)


def test_weights_by_another_name_are_refused() -> None:
    with pytest.raises(InputError, match="no weights called 'cubic'"):
        cohen_kappa(of_two([(0, 1)]), "cubic")  # type: ignore[arg-type]


TABLES = st.integers(2, 5).flatmap(
    lambda raters: st.lists(
        st.lists(st.sampled_from([None, "a", "b", "c"]), min_size=raters, max_size=raters), min_size=1, max_size=14
    )
)


def made(table) -> Ratings:
    rows = [(f"{item}", f"{rater}", answer) for item, row in enumerate(table) for rater, answer in enumerate(row)]
    return Ratings.of(*zip(*rows, strict=True), order=("a", "b", "c"))


@given(TABLES)
def test_all_pairs_are_each_pair_alone(table) -> None:
    ratings = made(table)
    pairs = pair_kappas(ratings)
    found = {
        (int(ratings.annotators[one]), int(ratings.annotators[other])): (shared, kappa)
        for one, other, shared, kappa in zip(
            pairs.one, pairs.other, pairs.kappas.shared.tolist(), pairs.kappas.kappa.tolist(), strict=True
        )
    }
    for one, other in combinations(range(len(table[0])), 2):
        both = [(row[one], row[other]) for row in table if row[one] and row[other]]
        assert ((one, other) in found) == bool(both)
        if not both:
            continue
        shared, kappa = found[one, other]
        assert shared == len(both)
        left, right = zip(*both, strict=True)
        if len({*left, *right}) == 1:
            assert np.isnan(kappa)
        else:
            assert kappa == pytest.approx(cohen_kappa_score(left, right), abs=1e-9)


@given(TABLES)
def test_how_many_meetings_are_held_at_once_does_not_matter(table) -> None:
    whole = pair_kappas(made(table))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cohen, "_HELD", 2)
        pieces = pair_kappas(made(table))
    assert pieces.kappas.kappa == pytest.approx(whole.kappas.kappa, abs=1e-12, nan_ok=True)
    assert pieces.kappas.shared.tolist() == whole.kappas.shared.tolist()


@given(
    st.lists(st.lists(st.sampled_from("ab"), min_size=4, max_size=4), min_size=3, max_size=20).filter(
        lambda table: all(len(set(column)) == 2 for column in zip(*table, strict=True))
    )
)
def test_without_gaps_the_mean_of_pairs_is_nltks_kappa(table) -> None:
    task = AnnotationTask([(str(r), str(i), answer) for i, row in enumerate(table) for r, answer in enumerate(row)])
    pairs = pair_kappas(made(table))
    assert pairs.mean() == pytest.approx(task.kappa(), abs=1e-9)
    assert pairs.mean_by_items() == pytest.approx(task.kappa(), abs=1e-9)


def test_a_pair_that_shares_more_weighs_more(ratings) -> None:
    agreeing = [["a", "a", None], ["b", "b", None], ["a", "a", None], ["b", "b", None]]
    disagreeing = [["a", None, "b"], ["b", None, "a"]]
    pairs = pair_kappas(ratings(agreeing + disagreeing))
    assert pairs.mean() == pytest.approx((1 + -1) / 2)
    assert pairs.mean_by_items() == pytest.approx((4 * 1 + 2 * -1) / 6)


def test_pairs_without_a_kappa_are_left_out_of_the_mean(ratings) -> None:
    pairs = pair_kappas(ratings([["a", "a", None], ["a", "a", None], [None, "a", "b"], [None, "b", "b"]]))
    assert pairs.defined.tolist() == [False, True]
    assert pairs.mean() == 0.0
    assert pair_kappas(ratings([["a", "a"]])).mean() is None
    assert pair_kappas(ratings([["a", "a"]])).mean_by_items() is None


@given(TABLES)
def test_the_confusion_of_answers_counts_every_two_people(table) -> None:
    expected = np.zeros((3, 3), dtype=int)
    for row in table:
        for one, other in combinations([answer for answer in row if answer], 2):
            expected["abc".index(one), "abc".index(other)] += 1
    assert answer_confusion(pair_kappas(made(table)).confusions).tolist() == (expected + expected.T).tolist()


def plain_majority(answers: list[str]) -> str | int:
    if not answers:
        return ALONE
    first, *rest = Counter(answers).most_common()
    return TIED if rest and rest[0][1] == first[1] else first[0]


@given(TABLES)
def test_the_majority_is_the_most_frequent_answer_or_tied(table) -> None:
    found = [place if place < 0 else "abc"[place] for place in majority(made(table).counts())]
    assert found == [plain_majority([answer for answer in row if answer]) for row in table]


@given(TABLES)
def test_the_others_majority_leaves_ones_own_answer_out(table) -> None:
    ratings = made(table)
    found = others_majority(ratings)
    for item, rater, said in zip(ratings.item, ratings.annotator, found, strict=True):
        row = table[int(ratings.items[item])]
        others = [answer for place, answer in enumerate(row) if answer and place != int(ratings.annotators[rater])]
        assert (said if said < 0 else "abc"[said]) == plain_majority(others)


@given(TABLES)
def test_kappa_against_the_others_is_sklearns_on_the_items_that_are_not_tied(table) -> None:
    ratings = made(table)
    found = against_others(ratings)
    for place, name in enumerate(ratings.annotators):
        own, others = [], []
        counted = Counter()
        for row in table:
            if row[int(name)] is None:
                continue
            said = plain_majority([answer for rater, answer in enumerate(row) if answer and rater != int(name)])
            counted[said if isinstance(said, int) else "compared"] += 1
            if not isinstance(said, int):
                own.append(row[int(name)])
                others.append(said)
        assert found.answers[place] == sum(counted.values())
        assert (found.tied[place], found.alone[place]) == (counted[TIED], counted[ALONE])
        assert found.kappas.shared[place] == len(own)
        if len({*own, *others}) > 1:
            assert found.kappas.kappa[place] == pytest.approx(cohen_kappa_score(own, others), abs=1e-9)
        else:
            assert np.isnan(found.kappas.kappa[place])


def test_whoever_guesses_falls_below_the_cut_and_whoever_does_not_stays_above() -> None:
    random = np.random.default_rng(1)
    truth = random.integers(0, 2, 400)
    table = [
        ["ab"[answer ^ (random.random() < 0.08)] for _ in range(6)] + ["ab"[random.integers(2)]] for answer in truth
    ]
    kappas = against_others(made(table)).kappas.kappa
    assert (kappas[:6] > 0.7).all()
    assert abs(kappas[6]) < 0.2


def test_a_crowd_of_thousands_takes_seconds() -> None:
    random = np.random.default_rng(1)
    items = np.repeat(np.arange(40_000), 6)
    people = np.concatenate([random.choice(876, 6, replace=False) for _ in range(40_000)])
    scale = Scale.of(["no", "yes"])
    order = np.lexsort((people, items))
    ratings = Ratings(
        scale=scale,
        items=tuple(str(item) for item in range(40_000)),
        annotators=tuple(f"worker {worker}" for worker in range(876)),
        item=items[order],
        annotator=people[order],
        answer=random.integers(0, 2, len(items)),
    )
    started = time.perf_counter()
    pairs, others = pair_kappas(ratings), against_others(ratings)
    seconds = time.perf_counter() - started
    print(f"{len(ratings.item)} ratings of 876 people: {len(pairs.one)} pairs in {seconds:.1f} s")
    assert abs(pairs.mean_by_items() or 1) < 0.01
    assert len(others.answers) == 876
    assert seconds < 30
