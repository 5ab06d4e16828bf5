"""A plan grows with what is to be done, and is near to what a small run takes."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.workflows.mine import plan_calibration, plan_look
from paraloom.workflows.mine.plan import plan_by, plan_mining
from paraloom.workflows.mine.plan_calibration import calibrate, calibrated, kept_in, small_run
from paraloom.workflows.mine.plan_costs import Calibration, RoundCost, Size, cost_of, machines_for, workers_that_fit
from paraloom.workflows.mine.plan_look import Look, candidates_at, look_at, probes_at
from paraloom.workflows.mine.plan_options import PlanOptions, read_bytes, read_count, read_seconds
from paraloom.workflows.mine.vectors_step import read_coder
from tests.workflows.mine.conftest import TOLD

MEASURED = Calibration(
    machine="a made-up machine",
    cores=4,
    embedder="fast",
    dims=256,
    sentences=4000,
    sample="made up",
    bytes_a_sentence=100.0,
    look=Look(sentences=4000, probes=8, unevenness=1.3, nearby=2.0, nearby_in_quarter=1.0),
    kept_share=0.5,
    rounds={
        "sentences/read": RoundCost(each=2e-5, fixed=0.1),
        "vectors/coder": RoundCost(each=3e-5),
        "vectors/embedded": RoundCost(each=5e-6),
        "index/centroids": RoundCost(each=1e-5),
        "index/laid": RoundCost(each=1e-6),
        "index/compared": RoundCost(each=1e-6),
        "neighbours/searched": RoundCost(each=1e-6),
        "candidates/paired": RoundCost(each=2e-7),
        "pairs/proposed": RoundCost(each=1e-4),
        "labels/identified": RoundCost(each=1e-3, fixed=0.5),
        "report/written": RoundCost(each=1e-7, fixed=0.2),
    },
    speeds={"64": 70.0, "128": 80.0, "256": 90.0},
    in_lists={"128": 0.7, "512": 0.9},
    together=0.9,
    embedding={"fast": 2e-6, "good": 4e-3},
    embedder_dims={"fast": 256, "good": 384},
    memory_main=1_000_000_000,
    memory_helper=300_000_000,
    start_seconds=1.0,
    write_speed=1e9,
    read_speed=2e9,
    disk_sentence=60.0,
    disk_candidate=140.0,
)
READ = [("400M", 400_000_000), ("10m", 10_000_000), ("1e6", 1_000_000), ("250,000", 250_000), ("1.5B", 1_500_000_000)]


@pytest.mark.parametrize(("text", "count"), READ)
def test_a_number_of_sentences_is_read_as_people_write_it(text: str, count: int) -> None:
    assert read_count(text) == count


@pytest.mark.parametrize("text", ["", "many", "4X", "-3", "0", "1e", "M"])
def test_what_is_no_number_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(InputError, match=r"such as 400M"):
        read_count(text)


def test_memory_and_times_have_units() -> None:
    assert (read_bytes("8GB"), read_bytes("2 GiB"), read_seconds("24h")) == (8 * 10**9, 2 * 2**30, 86_400.0)
    with pytest.raises(InputError, match="a time such as"):
        read_seconds("24")


@given(st.integers(100, 10**9), st.floats(1.01, 100), st.sampled_from([1, 3, 8]), st.sampled_from([2, 64]))
def test_more_sentences_take_no_less_and_more_machines_no_longer(
    count: int, times: float, machines: int, cores: int
) -> None:
    options = PlanOptions(sentences=str(count), cores=cores, machines=machines)
    fewer = {way.name: way for way in plan_by(MEASURED, None, options).ways}
    more = {way.name: way for way in plan_by(MEASURED, None, replace(options, sentences=str(int(count * times)))).ways}
    on_more = {way.name: way for way in plan_by(MEASURED, None, replace(options, machines=machines + 1)).ways}
    for name, way in fewer.items():
        if name in more and way.cost.choice.kind == "exact":
            assert more[name].seconds >= way.seconds
            assert more[name].cost.disk >= way.cost.disk
        assert name not in on_more or on_more[name].seconds <= way.seconds


def test_a_slower_embedder_and_more_dimensions_take_longer() -> None:
    ways = {way.name: way.seconds for way in plan_by(MEASURED, None, PlanOptions(sentences="10M")).ways}
    assert ways["fast 64 ivf int8"] < ways["fast 128 ivf int8"] < ways["fast 256 ivf int8"] < ways["fast 256 exact"]
    assert ways["fast 256 ivf int8"] < ways["good 256 ivf int8"] < ways["good 384 ivf int8"]


def test_the_way_that_a_run_would_choose_comes_first_and_is_there_once() -> None:
    for sentences, kind in (("20k", "exact"), ("10M", "ivf")):
        plan = plan_by(MEASURED, None, PlanOptions(sentences=sentences, disk="10TB"))
        assert plan.ways[0].is_chosen
        assert plan.ways[0].cost.choice.kind == kind
        assert len({way.name for way in plan.ways}) == len(plan.ways)


def test_short_disk_packs_the_vectors() -> None:
    assert plan_by(MEASURED, None, PlanOptions(sentences="10M", disk="1GB")).ways[0].cost.choice.codes == "pq"


def test_judging_fewer_pairs_is_quicker_and_judging_none_is_no_step() -> None:
    whole, some, none = (
        plan_by(MEASURED, None, PlanOptions(sentences="1M", **asked)).ways[0]  # type: ignore[arg-type]
        for asked in ({}, {"judge_most": 10_000}, {"identify": False})
    )
    assert whole.seconds > some.seconds > none.seconds
    assert "labels" not in none.steps


def test_memory_bounds_the_workers() -> None:
    plenty, little, none = (
        plan_by(MEASURED, None, PlanOptions(sentences="1M", cores=16, memory=memory)).ways[0]
        for memory in ("1TB", "6GB", "500MB")
    )
    assert (plenty.workers, none.workers) == (16, 0)
    assert 0 < little.workers < 16
    assert little.memory <= 6e9
    assert "no room" in plan_by(MEASURED, None, PlanOptions(sentences="1M", memory="500MB")).as_text()


def test_the_machines_needed_end_in_time_and_one_fewer_does_not() -> None:
    size = Size(sentences=400_000_000, neighbours=8, candidates=8e8, judged=1e6)
    choice = plan_by(MEASURED, None, PlanOptions(sentences="400M")).ways[0].cost.choice
    cost = cost_of(MEASURED, choice, "fast", size, 32)
    needed = machines_for(cost, 6 * 3600, 3.6)
    assert needed is not None
    assert needed > 1
    assert cost.total(3.6 * needed, needed) <= 6 * 3600 < cost.total(3.6 * (needed - 1), needed - 1)
    assert machines_for(cost, 1.0, 3.6) is None
    assert workers_that_fit(cost, 10**15, 7) == 7


def test_a_plan_says_that_it_is_estimated_and_is_plain_json() -> None:
    plan = plan_by(MEASURED, None, PlanOptions(sentences="400M", machines=8, cores=32, within="24h"))
    assert "estimated" in plan.as_text().splitlines()[0]
    told = json.loads(plan.as_json())
    assert (told["sentences"], told["is_estimated"], told["machines"]) == (400_000_000, True, 8)
    assert told["ways"][0]["is_chosen"]
    assert not any(way["is_chosen"] for way in told["ways"][1:])
    for way in told["ways"]:
        assert way["seconds"] == pytest.approx(sum(way["steps"].values()), abs=1.0)
        assert min(way["memory_bytes"], way["disk_bytes"], way["workers"]) > 0


def test_a_small_size_was_measured() -> None:
    assert "(about as measured)" in plan_by(MEASURED, None, PlanOptions(sentences="4000")).as_text()


def test_a_file_tells_how_many_sentences_there_are(tmp_path: Path) -> None:
    file = tmp_path / "sentences.txt"
    file.write_bytes(b"x" * 50_000)
    assert plan_by(MEASURED, file, PlanOptions()).sentences == 500


REFUSED = [
    (PlanOptions(), "Say how many sentences"),
    (PlanOptions(sentences="1M", machines=0), "--machines 0"),
    (PlanOptions(sentences="1M", pairs_each=-1), "--pairs-each -1"),
    (PlanOptions(sentences="1M", probes=-1), "--probes -1"),
    (PlanOptions(sentences="1M", recall=1.5), "--recall 1.5: give a share"),
    (PlanOptions(sentences="1M", min_similarity=0), "--min-similarity 0: give a share"),
]


@pytest.mark.parametrize(("options", "why"), REFUSED)
def test_what_cannot_be_planned_is_refused_before_anything_is_measured(options: PlanOptions, why: str) -> None:
    with pytest.raises(InputError, match=why):
        plan_mining(None, options)


def test_a_plan_is_near_to_what_a_run_takes_and_what_was_measured_is_kept(
    tmp_path: Path, embedder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(plan_calibration, "COMPARED", ())
    file = tmp_path / "told.txt"
    file.write_text("\n".join(TOLD) + "\n", encoding="utf-8")
    options = PlanOptions(embedder=embedder, sentences=str(len(TOLD)), identify=False)
    monkeypatch.setattr(plan_calibration, "SENTENCES", 200)
    measured = calibrated(file, options)
    assert measured.sentences == 200
    assert measured.look.sentences == len(TOLD)
    assert measured.look.nearby > measured.look.nearby_in_quarter
    monkeypatch.setattr(plan_calibration, "calibrate", None)  # it is not asked again
    assert calibrated(file, options) == measured
    seconds, _ = small_run(TOLD, tmp_path / "whole", options, 1)
    took = sum(seconds[name] for name in seconds if not name.startswith("labels/"))
    size = Size(
        sentences=len(TOLD), neighbours=8, candidates=len(TOLD) * candidates_at(measured.look, len(TOLD), 8), judged=0
    )
    (planned,) = {
        sum(cost.serial.values()) + sum(cost.shared.values())
        for way in plan_by(measured, file, options).ways
        for cost in [cost_of(measured, way.cost.choice, embedder, size, 8)]
        if (way.cost.choice.kind, way.cost.choice.codes, way.cost.choice.dims) == ("ivf", "int8", measured.dims)
    }
    assert took / 8 < planned < took * 8


LOOK = Look(sentences=10_000, probes=20, unevenness=1.2, nearby=3.0, nearby_in_quarter=1.5)


@given(st.integers(1, 10**9), st.floats(1.0, 1000), st.floats(0, 8), st.floats(0, 8))
def test_more_sentences_have_no_fewer_lists_and_neighbours_and_never_more_than_are_looked_for(
    sentences: int, times: float, nearby: float, in_quarter: float
) -> None:
    look = replace(LOOK, nearby=nearby, nearby_in_quarter=min(in_quarter, nearby))
    more = int(sentences * times)
    assert probes_at(look, sentences) <= probes_at(look, more)
    assert 0 <= candidates_at(look, sentences, 8) <= candidates_at(look, more, 8) <= 8


def test_what_is_carried_on_goes_through_what_was_seen() -> None:
    assert probes_at(LOOK, LOOK.sentences) == LOOK.probes
    assert candidates_at(LOOK, LOOK.sentences, 8) == pytest.approx(plan_look.PROPOSED * LOOK.nearby)
    assert candidates_at(LOOK, LOOK.sentences // 4, 8) == pytest.approx(plan_look.PROPOSED * LOOK.nearby_in_quarter)


def test_a_look_counts_near_neighbours_and_what_lists_hold(small: None, embedder: str, tmp_path: Path) -> None:
    _, run = small_run(TOLD, tmp_path / "looked", PlanOptions(embedder=embedder))
    assert not (run / "neighbours").exists()
    look = look_at(run, 8, 0.6)
    vectors = np.concatenate([np.load(file) for file in sorted((run / "vectors").rglob("part-*.npy"))]).astype(int)
    products = vectors @ vectors.T
    np.fill_diagonal(products, -1)
    near = products >= round(0.6 * read_coder(run / "vectors").scale ** 2)
    asked = near[-plan_look.QUERIES :]
    assert look.sentences == len(vectors)
    assert look.nearby == pytest.approx(np.minimum(asked.sum(axis=1), 8).mean())
    quarter = np.minimum(asked[:, : len(vectors) // 4].sum(axis=1), 8).mean()
    assert look.nearby_in_quarter == pytest.approx(quarter)
    assert look.unevenness >= 1


def test_too_few_sentences_to_plan_by_are_an_error(tmp_path: Path) -> None:
    file = tmp_path / "few.txt"
    file.write_text("one sentence here\nand another one\n", encoding="utf-8")
    with pytest.raises(InputError, match="too few to plan by"):
        calibrate(file, PlanOptions())


def test_the_command_plans_by_what_was_measured_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from paraloom.cli import app

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    kept = kept_in(None, PlanOptions())
    kept.parent.mkdir(parents=True)
    kept.write_text(json.dumps(asdict(MEASURED)), encoding="utf-8")
    app(
        ["mine", "plan", "--sentences", "400M", "--machines", "8", "--no-identify", "--json"],
        result_action="return_value",
    )
    told = json.loads(capsys.readouterr().out)
    assert (told["sentences"], told["measured_on"]["machine"]) == (400_000_000, "a made-up machine")
    app(["mine", "plan", "--sentences", "2k", "--no-identify"], result_action="return_value")
    assert capsys.readouterr().out.startswith("2,000 sentences on 1 machine of 4 cores")
