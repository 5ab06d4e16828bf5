"""Dawid and Skene's model: the paper's figures, an oracle, and crowds whose skills are known."""

from __future__ import annotations

import time

import numpy as np
import pandas as pd
import pytest
from crowdkit.aggregation import DawidSkene

from paraloom.errors import InputError
from paraloom.labels.aggregate.dawid_skene import dawid_skene
from paraloom.labels.aggregate.majority import plurality
from paraloom.metrics.agreement.ratings import Ratings
from paraloom.metrics.agreement.scale import Scale


def right(labels, items, truth: dict[str, str]) -> float:
    return float(np.mean([label == truth[item] for item, label in zip(items, labels, strict=True)]))


@pytest.mark.filterwarnings("ignore:The (inplace|copy) keyword")  # crowd-kit is older than pandas
@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("iterations", [1, 3, 10])
def test_without_smoothing_it_is_crowd_kits_after_as_many_iterations(
    classes: int, iterations: int, crowd, rated
) -> None:
    rows, _ = crowd(classes, 120, [0.5, 0.6, 0.7, 0.8, 0.9, 0.95], 4, classes=classes)
    found = dawid_skene(rated(rows), smoothing=0, max_iterations=iterations, tolerance=-1)
    theirs = DawidSkene(n_iter=iterations, tol=-np.inf).fit(pd.DataFrame(rows, columns=["task", "worker", "label"]))
    expected = theirs.probas_.loc[list(found.items), list(found.answers)].to_numpy()
    np.testing.assert_allclose(found.probabilities, expected, atol=1e-6)
    np.testing.assert_allclose(found.prior, theirs.priors_[list(found.answers)], atol=1e-6)
    errors = theirs.errors_.reindex(
        pd.MultiIndex.from_product([found.annotators, found.answers], names=["worker", "label"]), fill_value=0
    )[list(found.answers)].to_numpy()
    expected = errors.reshape(len(found.annotators), classes, classes).transpose(0, 2, 1)
    np.testing.assert_allclose(found.confusion, expected, atol=1e-6)
    assert (found.iterations, found.converged) == (iterations, False)


def test_a_hand_example_after_one_iteration() -> None:
    """Two items, three annotators; `p1` is yes by two of three, `p2` is no by all.

    Shares are (2/3, 1/3) and (0, 1), so yes has the prior 1/3. If yes is true, ann and bob say yes for certain and eve
    says no; if no is true, ann and bob say yes with (1/3) / (4/3) = 1/4, and eve never. So p1 is yes against no as
    1/3 · 1 · 1 · 1 to 2/3 · 1/4 · 1/4 · 1 = 8 to 1, and p2 is no.
    """
    ratings = Ratings.of(["p1"] * 3 + ["p2"] * 3, ["ann", "bob", "eve"] * 2, ["yes", "yes", "no", "no", "no", "no"])
    found = dawid_skene(ratings, smoothing=0, max_iterations=1)
    assert found.probabilities[0].tolist() == pytest.approx([1 / 9, 8 / 9], abs=1e-6)
    assert found.probabilities[1].tolist() == pytest.approx([1, 0], abs=1e-6)
    assert found.log_likelihood == pytest.approx(np.log(3 / 8) + np.log(2 / 3 * 9 / 16), abs=1e-6)


def test_the_log_likelihood_never_falls(crowd, rated) -> None:
    rows, _ = crowd(3, 100, [0.4, 0.6, 0.7, 0.8, 0.9], 3, classes=3)
    told = [
        dawid_skene(rated(rows), smoothing=0, max_iterations=count, tolerance=-1).log_likelihood
        for count in range(1, 30)
    ]
    assert (np.diff(told) > -1e-6).all()


def test_it_ends_where_nothing_changes_any_more(crowd, rated) -> None:
    rows, _ = crowd(4, 200, [0.6, 0.7, 0.8, 0.9], 4)
    found = dawid_skene(rated(rows))
    assert found.converged
    assert found.iterations < 500
    again = dawid_skene(rated(rows), max_iterations=found.iterations + 50, tolerance=-1)
    assert not again.converged
    np.testing.assert_allclose(again.probabilities, found.probabilities, atol=0.005)


@pytest.mark.parametrize("smoothing", [0.0, 5.0])
def test_adversaries_are_learned_and_count_for_the_opposite(smoothing: float, crowd, rated) -> None:
    accuracies = [0.85] * 7 + [0.2] * 4
    rows, truth = crowd(5, 400, accuracies, 7)
    ratings = rated(rows)
    found, plain = dawid_skene(ratings, smoothing=smoothing), plurality(ratings)
    assert right(found.labels, found.items, truth) > 0.93
    assert right(found.labels, found.items, truth) > right(plain.labels, plain.items, truth) + 0.05
    skills = dict(zip(found.annotators, found.competence, strict=True))
    learned = [skills[f"w{place:02d}"] for place in range(len(accuracies))]
    assert np.abs(np.array(learned) - accuracies).max() < 0.1
    without = [row for row in rows if int(row[1][1:]) < 7]
    honest = dawid_skene(rated(without), smoothing=smoothing)
    assert right(found.labels, found.items, truth) > right(honest.labels, honest.items, truth)


def test_a_confusion_matrix_tells_which_way_somebody_errs() -> None:
    random = np.random.default_rng(2)
    rows = []
    for item in range(300):
        true = int(random.integers(2))
        rows += [(str(item), f"good{n}", str(true if random.random() < 0.9 else 1 - true)) for n in range(4)]
        rows.append((str(item), "generous", "1" if true or random.random() < 0.6 else "0"))
    found = dawid_skene(Ratings.of(*map(list, zip(*rows, strict=True))))
    assert found.confusion is not None
    generous = found.confusion[found.annotators.index("generous")]
    np.testing.assert_allclose(generous, [[0.4, 0.6], [0, 1]], atol=0.07)


def test_who_gave_one_vote_is_taken_for_an_average_annotator(crowd, rated) -> None:
    rows, _ = crowd(6, 200, [0.9] * 6, 5)
    rows = [*rows, ("i0000", "zoe", "1")]
    found = dawid_skene(rated(rows))
    skills = dict(zip(found.annotators, found.competence, strict=True))
    assert skills["zoe"] == pytest.approx(0.9, abs=0.1)


def test_smoothing_helps_where_people_have_few_votes(crowd, rated) -> None:
    def mean(smoothing: float) -> float:
        found = []
        for seed in range(8):
            accuracies = np.random.default_rng(seed).uniform(0.6, 0.9, 90)
            rows, truth = crowd(seed, 120, accuracies, 5)
            joined = dawid_skene(rated(rows), smoothing=smoothing)
            found.append(right(joined.labels, joined.items, truth))
        return float(np.mean(found))

    assert mean(5.0) > mean(0.0) + 0.02


@pytest.mark.parametrize(("settings", "message"), [({"smoothing": -1}, "0 or more"), ({"max_iterations": 0}, "none")])
def test_settings_that_make_no_sense_are_errors(settings, message: str) -> None:
    with pytest.raises(InputError, match=message):
        dawid_skene(Ratings.of(["a"], ["1"], ["yes"]), **settings)


def test_a_million_votes_take_seconds() -> None:
    random = np.random.default_rng(1)
    items, people, votes = 200_000, 2_000, 1_000_000
    truth, skills = random.integers(2, size=items), random.uniform(0.55, 0.95, people)
    item, annotator = np.repeat(np.arange(items), 5), random.integers(people, size=votes)
    answer = np.where(random.random(votes) < skills[annotator], truth[item], 1 - truth[item])
    order = np.lexsort((annotator, item))
    ratings = Ratings(
        scale=Scale.of(["0", "1"]),
        items=tuple(map(str, range(items))),
        annotators=tuple(map(str, range(people))),
        item=item,
        annotator=annotator[order],
        answer=answer[order],
    )
    begun = time.perf_counter()
    found = dawid_skene(ratings)
    seconds = time.perf_counter() - begun
    print(f"a million votes: {seconds:.2f} s, {found.iterations} iterations")
    assert seconds < 15  # 0.5 s on a machine that is not busy
    assert np.corrcoef(found.competence, skills)[0, 1] > 0.95
