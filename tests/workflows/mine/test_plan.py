"""A plan grows with what is to be done, and is near to what a small run takes."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.sentences.line_options import LineOptions
from paraloom.workflows.mine import plan_calibration, plan_look
from paraloom.workflows.mine.input_files import given_files
from paraloom.workflows.mine.plan import plan_by, plan_mining
from paraloom.workflows.mine.plan_calibration import calibrate, calibrated, kept_in, shares_of
from paraloom.workflows.mine.plan_look import Look, candidates_at, look_at, look_at_size, probes_at
from paraloom.workflows.mine.plan_options import PlanOptions, read_bytes, read_count, read_seconds
from paraloom.workflows.mine.plan_runs import MeasuredRun, small_run
from paraloom.workflows.mine.vectors_step import read_coder
from tests.workflows.mine.conftest import TOLD
from tests.workflows.mine.made_up_machine import MEASURED
from tests.workflows.mine.small_runs import FEW_QUERIES, SMALL

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


@settings(max_examples=30)  # each makes three plans
@given(st.integers(100, 10**9), st.floats(1.01, 100), st.sampled_from([1, 3, 8]), st.sampled_from([2, 64]))
def test_more_sentences_take_no_less_and_more_machines_no_longer(
    count: int, times: float, machines: int, cores: int
) -> None:
    # What is free here may change from one plan to the next while other tests run.
    options = PlanOptions(sentences=str(count), cores=cores, machines=machines, memory="16GB", disk="1TB")
    fewer = {way.name: way for way in plan_by(MEASURED, None, options).ways}
    more = {way.name: way for way in plan_by(MEASURED, None, replace(options, sentences=str(int(count * times)))).ways}
    on_more = {way.name: way for way in plan_by(MEASURED, None, replace(options, machines=machines + 1)).ways}
    for name, way in fewer.items():
        if name in more and way.cost.choice.kind == "exact":
            assert more[name].cost.total(1) >= way.cost.total(1)
            assert more[name].disk.most >= way.disk.most
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
    plenty, short = (
        plan_by(MEASURED, None, PlanOptions(sentences="10M", disk=disk)).ways[0].cost.choice for disk in ("1TB", "8GB")
    )
    assert (plenty.codes, short.codes) == ("int8", "pq")
    assert "disk is short" in short.reason


def test_memory_that_does_not_hold_the_index_packs_the_vectors() -> None:
    plenty, short = (
        plan_by(MEASURED, None, PlanOptions(sentences="400M", disk="100TB", memory=memory)).ways[0].cost.choice
        for memory in ("256GB", "64GB")
    )
    assert (plenty.codes, short.codes) == ("int8", "pq")
    assert "memory is short" in short.reason


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
        assert way["peak_disk_bytes"] >= way["disk_bytes"]
        assert list(way["machines_within"]) == ["24h"]


def test_a_small_size_was_measured() -> None:
    assert "(about as measured)" in plan_by(MEASURED, None, PlanOptions(sentences="4000")).as_text()


def test_a_file_tells_how_many_sentences_there_are(tmp_path: Path) -> None:
    file = tmp_path / "sentences.txt"
    file.write_bytes(b"x" * 50_000)
    assert plan_by(MEASURED, given_files([file]), PlanOptions()).sentences == 500


REFUSED = [
    (PlanOptions(), "Say how many sentences"),
    (PlanOptions(sentences="1M", machines=0), "--machines 0"),
    (PlanOptions(sentences="1M", pairs_each=-1), "--pairs-each -1"),
    (PlanOptions(sentences="1M", probes=-1), "--probes -1"),
    (PlanOptions(sentences="1M", recall=1.5), "--recall 1.5: give a share"),
    (PlanOptions(sentences="1M", min_similarity=1.1), "--min-similarity 1.1: give a cosine"),
]


@pytest.mark.parametrize(("options", "why"), REFUSED)
def test_what_cannot_be_planned_is_refused_before_anything_is_measured(options: PlanOptions, why: str) -> None:
    with pytest.raises(InputError, match=why):
        plan_mining((), options)


def test_a_plan_is_near_to_what_a_run_takes_and_what_was_measured_is_kept(
    tmp_path: Path, embedder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(plan_calibration, "COMPARED", ())
    (tmp_path / "told.txt").write_text("\n".join(TOLD) + "\n", encoding="utf-8")
    told = given_files([tmp_path / "told.txt"])
    options = PlanOptions(
        embedder=embedder,
        sentences=str(len(TOLD)),
        identify=False,
        identifier="ngram-regression",
    )
    monkeypatch.setattr(plan_calibration, "SENTENCES", 200)
    measured = calibrated(told, options)
    assert measured.sentences == len(TOLD)
    assert measured.look.sentences == len(TOLD)
    assert measured.look.nearby > measured.look.nearby_in_quarter
    assert 0 < measured.mutual_share <= 1
    assert 0 < measured.kept_share <= 1
    assert 0 <= measured.true_share <= 1
    assert min(measured.memory_main, measured.judging.memory, measured.embedders[embedder].memory) > 10**7
    monkeypatch.setattr(plan_calibration, "calibrate", None)  # it is not asked again
    assert calibrated(told, options) == measured
    whole = small_run(TOLD, tmp_path / "whole", options)
    took = sum(whole.seconds.values())
    (planned,) = [
        way
        for way in plan_by(measured, told, replace(options, probes=8)).ways
        if (way.cost.choice.kind, way.cost.choice.codes, way.cost.choice.dims) == ("ivf", "int8", measured.dims)
    ]
    assert took / 8 < sum(work.seconds for work in planned.cost.rounds) < took * 8
    kept = sum(file.stat().st_size for file in whole.run.rglob("*") if file.is_file())
    assert kept / 8 < planned.disk.kept < kept * 8
    assert max(whole.most.values()) / 8 < planned.disk.most < max(whole.most.values()) * 8


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


@pytest.fixture(scope="module")
def looked(embedder: str, tmp_path_factory: pytest.TempPathFactory) -> MeasuredRun:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (SMALL | FEW_QUERIES).items():
            patch.setattr(name, value)
        folder = tmp_path_factory.mktemp("planned") / "looked"
        return MeasuredRun.made(TOLD, folder, PlanOptions(embedder=embedder, min_similarity=0.4))


def test_tables_take_what_they_take_and_what_lies_beside_them_until_they_are_finished(looked: MeasuredRun) -> None:
    tables, run, size = looked.tables(), looked.folder, looked.size
    for name, unit in {"sentences": size.sentences, "candidates": size.candidates, "pairs": size.candidates}.items():
        files = [file.stat().st_size for file in (run / name).iterdir()]
        assert tables[name].kept * unit == pytest.approx(sum(files))
    assert tables["file"].kept * size.written == pytest.approx((run / "pairs.tsv").stat().st_size)
    assert tables["pairs"].aside > tables["pairs"].kept  # its passes have written the pairs more than once
    assert tables["sentences"].aside > 0
    assert tables["file"].aside > 0
    assert size.candidates >= size.written > 100


SHARES = [
    (PlanOptions(), (0.5, 0.75)),
    (PlanOptions(mutual=True), (0.5, 0.5)),
    (PlanOptions(lexical_band=(0.3, 1.0)), (0.5, 0.5)),
    (PlanOptions(lexical_band=(0.3, 0.5), mutual=True), (0.5, 0.0)),
]


@pytest.mark.parametrize(("options", "shares"), SHARES)
def test_the_shares_of_pairs_are_those_that_a_run_would_have(options: PlanOptions, shares: tuple[float, float]) -> None:
    pairs = pa.table(
        {
            "is_mutual": [True, True, False, False],
            "lexical": [0.8, 0.4, 0.3, 0.2],
            "dropped_for": [None, "trivial: digits", None, None],
        }
    )
    assert shares_of(pairs, options) == shares


def test_a_look_counts_near_neighbours_and_what_lists_hold(looked: MeasuredRun) -> None:
    run = looked.folder
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


def test_other_dimensions_are_looked_at_with_the_same_sentences(embedder: str) -> None:
    options = PlanOptions(embedder=embedder, min_similarity=0.9)
    whole, few = (look_at_size(TOLD, embedder, dims, LOOK, options) for dims in (64, 2))
    assert 8 >= few.nearby > whole.nearby > whole.nearby_in_quarter > 0  # fewer numbers tell less apart
    assert (few.sentences, few.probes) == (LOOK.sentences, LOOK.probes)


def test_too_few_sentences_to_plan_by_are_an_error(tmp_path: Path) -> None:
    file = tmp_path / "few.txt"
    file.write_text("one sentence here\nand another one\n", encoding="utf-8")
    with pytest.raises(InputError, match="too few to plan by"):
        calibrate(given_files([file]), PlanOptions())


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


def test_the_command_takes_files_and_folders_and_their_columns_as_mining_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from paraloom.cli import app

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for number in range(3):
        (tmp_path / "shards" / str(number)).mkdir(parents=True)
        (tmp_path / "shards" / str(number) / "a.jsonl").write_text('{"body": "It rained"}\n' * 1000)
    (tmp_path / "shards" / "a.md").write_text("notes")
    options, lines = PlanOptions(min_similarity=0.0, identify=False), LineOptions(columns=("text=body",))
    kept = kept_in(given_files([tmp_path / "shards"], lines), options, lines)
    kept.parent.mkdir(parents=True)
    kept.write_text(json.dumps(asdict(MEASURED)), encoding="utf-8")
    words = ["--columns", "text=body", "--min-similarity", "0", "--no-identify", "--json"]
    app(["mine", "plan", str(tmp_path / "shards"), *words], result_action="return_value")
    told = json.loads(capsys.readouterr().out)
    assert told["sentences"] == 3 * 22_000 / MEASURED.bytes_a_sentence
    assert told["notes"][0].startswith("Passed over: 1 file (1 .md)")
    with pytest.raises(InputError, match="has no column 'boddy'"):
        plan_mining([tmp_path / "shards"], options, LineOptions(columns=("text=boddy",)))
