"""Figures over folds and seeds: those of scikit-learn on the pooled scores, and what differs between two systems."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn import metrics

from paraloom.corpus.known.pairs import KnownCorpus, KnownPairs
from paraloom.engine.signatures import paraloom_version
from paraloom.errors import InputError
from paraloom.workflows.bench.collected import collect
from paraloom.workflows.bench.division import divide
from paraloom.workflows.bench.identification_options import BenchOptions
from paraloom.workflows.bench.measured_groups import MeasuredGroups, truth_letters
from paraloom.workflows.bench.pooling import Pooled, pool
from paraloom.workflows.bench.results import Result, has_result, read_results, result_file, save_result
from paraloom.workflows.bench.tables import cost_of, measured_on

RANDOM = np.random.default_rng(7)
TRUTH = RANDOM.random((3, 80)) < 0.3


def result(fold: int, seed: int, noise: float = 0.6, **given: object) -> Result:
    truth = TRUTH[fold]
    random = np.random.default_rng([fold, seed, round(noise * 100)])
    scores = np.clip(truth * 0.5 + random.normal(0.25, noise / 3, len(truth)), 0, 1).round(6)
    made = Result(
        contender="esim glove-100d",
        system="esim",
        base="glove-100d",
        corpus="msrp",
        corpus_hash="c0ffee",
        protocol="3 folds of train",
        fold=fold,
        folds=3,
        seed=seed,
        plan="plan",
        settings={"vectors": "glove-100d"},
        identifier="esim|weights:1",
        parameters=1000,
        fit_pairs=140,
        fit_seconds=2.0,
        score_seconds=0.5,
        device="cpu",
        processor="a processor",
        cores=2,
        paraloom=paraloom_version(),
        truth="".join("1" if one else "0" for one in truth),
        scores=scores.tolist(),
        groups=[pair // 4 for pair in range(len(truth))],
    )
    return replace(made, **given)


def every(seeds: int = 1, noise: float = 0.6) -> list[Result]:
    return [result(fold, seed, noise) for seed in range(1, seeds + 1) for fold in range(3)]


def test_pooled_figures_are_those_of_sklearn() -> None:
    pooled = pool(every(), resamples=200)
    scores, truth = pooled.scores[0], TRUTH.ravel()
    figures = pooled.figures()
    taken = scores > 0.5
    assert figures["f1"].value == pytest.approx(metrics.f1_score(truth, taken))
    assert figures["mcc"].value == pytest.approx(metrics.matthews_corrcoef(truth, taken))
    assert figures["accuracy"].value == pytest.approx(metrics.accuracy_score(truth, taken))
    assert figures["average-precision"].value == pytest.approx(metrics.average_precision_score(truth, scores))
    precision, recall, _ = metrics.precision_recall_curve(truth, scores)
    best = (2 * precision * recall / np.maximum(precision + recall, 1e-12)).argmax()
    assert figures["max-f1"].value == pytest.approx(
        2 * precision[best] * recall[best] / (precision[best] + recall[best])
    )
    assert figures["max-f1-precision"].value == pytest.approx(precision[best])
    assert figures["max-f1"].low < figures["max-f1"].value < figures["max-f1"].high
    assert "pairs:240" in figures["max-f1"].signature


def test_groups_are_drawn_whole_over_all_folds() -> None:
    """Every pair of a fold four times: as sure as the pairs were before they were repeated, not surer."""
    once = [replace(one, groups=list(range(80))) for one in every()]
    repeated = [
        replace(
            one,
            truth="".join(letter * 4 for letter in one.truth),
            scores=[score for score in one.scores for _ in range(4)],
            groups=[pair for pair in range(80) for _ in range(4)],
        )
        for one in every()
    ]
    wanted, found = pool(once, 60).figures(), pool(repeated, 60).figures()
    alone = pool([replace(one, groups=[]) for one in repeated], 60).figures()
    for name in ("f1", "mcc", "max-f1", "average-precision"):
        assert (found[name].low, found[name].high) == pytest.approx((wanted[name].low, wanted[name].high), abs=1e-8)
        assert alone[name].high - alone[name].low < 0.7 * (found[name].high - found[name].low)
    assert "|draws:groups|groups:240|bootstrap:60|seed:1" in found["f1"].signature
    assert "|draws:pairs|bootstrap:60|seed:1" in alone["f1"].signature


def test_results_that_do_not_tell_their_groups_are_drawn_by_pairs_and_that_is_said() -> None:
    without = [replace(one, groups=[]) for one in every()]
    assert measured_on(pool(without, 20)) == "3 folds of train, intervals as if pairs were independent"
    assert measured_on(pool(every(), 20)) == "3 folds of train"
    assert pool(every(), 20).compared_with(pool(without, 20)) is None  # not the same draws


def test_several_seeds_give_their_mean() -> None:
    alone = [pool([one for one in every(3) if one.seed == seed], 50).figures()["max-f1"].value for seed in (1, 2, 3)]
    together = pool(every(3), 50)
    assert together.seeds == (1, 2, 3)
    assert together.figures()["max-f1"].value == pytest.approx(np.mean(alone))
    assert together.figures()["max-f1"].seeds == pytest.approx(tuple(alone))


def test_a_seed_with_fewer_folds_is_left_aside_and_a_run_that_was_stopped_is_not_whole() -> None:
    some = [one for one in every(2) if (one.fold, one.seed) != (2, 2)]
    assert pool(some, 20).seeds == (1,)
    stopped = pool(every()[:2], 20)
    assert not stopped.is_whole
    assert stopped.folds == (0, 1)


def test_another_share_of_paraphrases_is_as_if_pairs_were_repeated() -> None:
    pooled = pool(every(), 20)
    scores, truth = pooled.scores[0], pooled.truth
    positives, negatives = int(truth.sum()), int((~truth).sum())
    thrice = np.concatenate([scores, *[scores[~truth]] * 2])
    of_thrice = np.concatenate([truth, np.zeros(2 * negatives, np.bool_)])
    precision, recall, _ = metrics.precision_recall_curve(of_thrice, thrice)
    best = (2 * precision * recall / np.maximum(precision + recall, 1e-12)).max()
    assert pooled.at_base_rate(positives / (positives + 3 * negatives)) == pytest.approx(best)


def test_a_better_system_is_told_from_a_poorer_one_on_the_same_pairs_only() -> None:
    good, poor = pool(every(noise=0.3), 300), pool(every(noise=1.5), 300)
    compared = good.compared_with(poor)
    assert compared is not None
    assert compared.difference > 0.1
    assert compared.p_value < 0.01
    same = good.compared_with(good)
    assert same is not None
    assert (same.difference, same.p_value) == (0, 1)
    elsewhere = pool([replace(one, truth=one.truth[::-1]) for one in every()], 20)
    assert good.compared_with(elsewhere) is None


def test_one_fold_is_compared_with_the_same_fold_of_five() -> None:
    once = pool([replace(result(0, 1, 0.3), folds=1, protocol="own 80/20 split of train")], 100)
    every_fold, first = pool(every(noise=1.5), 100), pool([result(0, 1, 1.5)], 100)
    compared, expected = once.compared_with(every_fold), once.compared_with(first)
    assert compared is not None
    assert compared == expected
    assert every_fold.compared_with(once) is None


def test_pairs_of_one_kind_cannot_be_measured() -> None:
    with pytest.raises(InputError, match="all 80 pairs are of one kind"):
        pool([replace(result(0, 1), truth="1" * 80)], 20)


def saved(folder: Path, results: list[Result]) -> None:
    for one in results:
        save_result(one, result_file(folder, one.corpus, one.contender, one.fold, one.seed, f"{one.plan}-{one.fold}"))


def test_results_are_read_as_they_were_saved(tmp_path: Path) -> None:
    saved(tmp_path, every())
    assert list(read_results(tmp_path)) == every()


def test_a_broken_or_foreign_file_is_no_result(tmp_path: Path) -> None:
    saved(tmp_path, every())
    first, second, third = sorted(tmp_path.rglob("*.json"))
    first.write_text(first.read_text(encoding="utf-8")[:100], encoding="utf-8")
    second.write_text(json.dumps({"something": "else"}), encoding="utf-8")
    assert len(list(read_results(tmp_path))) == 1
    assert [has_result(file) for file in (first, second, third)] == [False, False, True]


def test_a_result_of_an_earlier_version_has_no_groups(tmp_path: Path) -> None:
    saved(tmp_path, every())
    for file in tmp_path.rglob("*.json"):
        written = json.loads(file.read_text(encoding="utf-8"))
        del written["groups"]
        file.write_text(json.dumps(written), encoding="utf-8")
    assert list(read_results(tmp_path)) == [replace(one, groups=[]) for one in every()]


def test_groups_that_a_result_does_not_tell_are_those_of_the_corpus(tmp_path: Path) -> None:
    texts = [f"text {row}" for row in range(90)]
    targets = (np.random.default_rng(5).random(90) < 0.4).astype(float)
    pairs = KnownPairs(left=texts, right=texts, targets=targets, groups=[f"trend {row // 6}" for row in range(90)])
    corpus = KnownCorpus(name="msrp", title="MSRP", definition="loose", splits={"train": pairs})
    parts = [part.measured for part in divide(corpus, BenchOptions(folds=3)).parts]
    told = [
        replace(result(fold, 1), truth=truth_letters(part), scores=np.linspace(0, 1, len(part)).tolist(), groups=[])
        for fold, part in enumerate(parts)
    ]
    saved(tmp_path, told)
    [pooled] = collect(tmp_path, {}, {}, 20, MeasuredGroups({"msrp": corpus})).pooled.values()
    names = [group for part in parts for group in part.groups]
    assert pooled.groups is not None
    assert len(set(zip(pooled.groups.tolist(), names, strict=True))) == len(set(names)) == 15
    [elsewhere] = collect(tmp_path, {}, {}, 20).pooled.values()
    assert elsewhere.groups is None


def test_labels_that_fit_two_sets_of_pairs_tell_no_groups() -> None:
    texts = [f"text {row}" for row in range(40)]
    alike = KnownPairs(left=texts, right=texts, targets=np.ones(40), groups=[f"{row // 4}" for row in range(40)])
    other = replace(alike, groups=texts)
    corpus = KnownCorpus(name="msrp", title="MSRP", definition="loose", splits={"train": alike, "dev": other})
    assert not MeasuredGroups({"msrp": corpus}).of(result(0, 1, folds=1, truth="1" * 40, groups=[]))


def test_a_fold_that_was_divided_anew_counts_once(tmp_path: Path) -> None:
    before = [replace(one, groups=[], scores=one.scores[::-1]) for one in every()]
    saved(tmp_path, every())
    for one in before:
        save_result(one, result_file(tmp_path, one.corpus, one.contender, one.fold, one.seed, f"before-{one.fold}"))
    assert len(list(read_results(tmp_path))) == 6
    [pooled] = collect(tmp_path, {}, {}, 20).pooled.values()
    assert list(pooled.results) == every()


def test_the_plan_asked_for_is_taken_else_the_fullest(tmp_path: Path) -> None:
    once = replace(result(0, 1), plan="once", folds=1, protocol="own 80/20 split of train")
    saved(tmp_path, [*every(), once])
    place = ("msrp", "esim glove-100d")

    def chosen(plans: dict[tuple[str, str], str]) -> Pooled:
        return collect(tmp_path, {"msrp": "c0ffee"}, plans, 20).pooled[place]

    assert chosen({}).first.plan == "plan"
    assert chosen({place: "once"}).first.plan == "once"
    assert chosen({place: "not there"}).first.plan == "plan"


def test_results_on_other_pairs_or_of_another_version_are_left_aside_with_a_note(tmp_path: Path) -> None:
    other = replace(result(1, 1), paraloom="0.0.1", plan="old")
    unknown = replace(result(2, 1), paraloom="source", contender="random", system="random", plan="source")
    saved(tmp_path, [result(0, 1), other, unknown])
    found = collect(tmp_path, {"msrp": "c0ffee"}, {}, 20)
    assert [len(one.results) for one in found.pooled.values()] == [1, 1]
    assert found.notes == ("1 result in the folder is of another version of Paraloom: left aside.",)
    moved = collect(tmp_path, {"msrp": "decade"}, {}, 20)
    assert not moved.pooled
    assert moved.notes[0] == "2 results in the folder are on other pairs than the corpora hold now: left aside."


def test_what_was_drawn_is_kept_and_read_back_the_same(tmp_path: Path) -> None:
    fresh, kept = pool(every(), 60), pool(every(), 60, tmp_path)
    assert kept.figures() == fresh.figures()
    [file] = tmp_path.glob("*.json")
    again = pool(every(), 60, tmp_path)
    assert again.figures() == fresh.figures()
    np.testing.assert_array_equal(again.resampled, fresh.resampled)
    file.write_text("broken", encoding="utf-8")
    assert pool(every(), 60, tmp_path).figures() == fresh.figures()
    pool(every(noise=0.5), 60, tmp_path).figures()
    assert len(list(tmp_path.glob("*.json"))) == 2


def test_a_speed_is_that_of_one_machine() -> None:
    elsewhere = {"device": "NVIDIA H200", "score_seconds": 0.001, "fit_seconds": 0.1}
    mixed = pool([result(0, 1), result(1, 1), result(2, 1, **elsewhere)], resamples=10)
    found = cost_of(mixed)
    assert found.timed_on == "2 cores"
    assert found.pairs_per_second == pytest.approx(160)  # of two folds of 80 pairs, half a second each
    assert found.fit_seconds == 2.0
