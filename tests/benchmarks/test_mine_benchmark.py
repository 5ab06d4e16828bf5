"""The benchmarks of mining plant what they say, count what was found, and search on a GPU as a run does."""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

FOLDER = Path(__file__).parents[2] / "benchmarks"
REAL = [
    "the ferry to the island was late because of the storm",
    "many people said that the new bridge is very big",
    "a baker from the old town won the prize for rye bread",
    "the council will vote about the school on monday evening",
    "two foxes were seen near the station before sunrise",
    "nobody could say where the lost letters had been found",
]


@pytest.fixture(scope="module")
def benchmark() -> Any:
    """Modules of the folder of benchmarks, by name."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(FOLDER))
        yield import_module


@pytest.fixture
def texts(benchmark: Any) -> ModuleType:
    module: ModuleType = benchmark("mine_texts")
    return module


@settings(max_examples=30, deadline=None)
@given(count=st.integers(0, 3000), seed=st.integers(0, 5))
def test_as_many_sentences_are_made_as_asked_for_and_each_pair_is_there_twice(count: int, seed: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(FOLDER))
        made = list(import_module("mine_texts").made_up(REAL, count, seed))
    assert len(made) == count
    assert {*Counter(pair for _, pair in made if pair is not None).values()} <= {2}
    assert all(text == " ".join(text.split()) != "" for text, _ in made)


def test_few_made_up_sentences_are_the_same_and_one_in_twenty_has_a_pair(texts: ModuleType) -> None:
    made = list(texts.made_up(REAL, 4000))
    assert len({text for text, _ in made}) > 0.97 * len(made)
    assert 0.08 < sum(pair is not None for _, pair in made) / len(made) < 0.11
    assert made == list(texts.made_up(REAL, 4000))
    assert made != list(texts.made_up(REAL, 4000, seed=2))


def test_planted_pairs_are_written_as_they_stand_in_the_file(texts: ModuleType, tmp_path: Path) -> None:
    file, planted = texts.write_made_up(tmp_path, REAL, 500)
    lines, pairs = file.read_text().splitlines(), texts.read_pairs(planted)
    assert len(lines) == 500
    assert len(pairs) > 20
    assert {text for pair in pairs for text in pair} <= {*lines}
    file.write_text("kept")
    assert texts.write_made_up(tmp_path, REAL, 500) == (file, planted)
    assert file.read_text() == "kept"


def test_the_recall_of_known_pairs_is_what_the_candidates_of_a_run_say(
    benchmark: Any, texts: ModuleType, tmp_path: Path
) -> None:
    from paraloom.engine.places import PlaceOptions
    from paraloom.workflows.mine.mine import mine
    from paraloom.workflows.mine.options import EmbedOptions, JudgeOptions, MineOptions

    mined = benchmark("mined")
    file, planted = texts.write_made_up(tmp_path, REAL, 400)
    options = MineOptions(
        embed=EmbedOptions(embedder="fast", dims=64),
        judge=JudgeOptions(identify=False),
        place=PlaceOptions(workers=1),
    )
    mine([file], tmp_path / "run", options)
    ordered = mined.texts_in_order(tmp_path / "run")
    found = {
        frozenset((ordered[row["low"]], ordered[row["high"]]))
        for part in (tmp_path / "run" / "candidates").glob("*.parquet")
        for row in pq.read_table(part, partitioning=None).to_pylist()
    }
    known = [*texts.read_pairs(planted), (REAL[0], "a sentence that is not there"), (ordered[0], ordered[-1])]
    there = [pair for pair in known if {*pair} <= {*ordered} and len({*pair}) == 2]
    share, could = mined.recall_of_pairs(tmp_path / "run", known)
    assert could == len(there) > 10
    assert share == pytest.approx(sum(frozenset(pair) in found for pair in there) / len(there))
    assert 0.5 < share <= 1


def test_a_power_is_fitted_to_runs_with_lists_alone(benchmark: Any) -> None:
    scale = benchmark("mine_scale")
    rows = [
        {"sentences_given": count, "seconds": count * 1e-4, "index": {"kind": kind}}
        for count, kind in ((10**6, "ivf"), (3 * 10**6, "ivf"), (10**7, "ivf"), (10**4, "exact"))
    ]
    said = scale.fitted(rows, [400_000_000])
    assert said[0].startswith("Time grows with sentences to the power of 1.00; the fit is off by up to 0%")
    assert said[1] == "400,000,000 sentences: 11 h, estimated, on this machine"
    assert "Three sizes or more" in scale.fitted(rows[1:], [10**8])[0]
    slow_to_start = [{**row, "seconds": 60 + row["seconds"] / 100} for row in rows]
    assert "nothing is said of larger ones" in scale.fitted(slow_to_start, [10**8])[-1]


GOALS = [
    ((4.0, 0.99, 0.98), "goal of the search: met"),
    ((4.0, 0.9, 0.99), "not met"),
    ((4.0, 0.99, 0.9), "not met"),
    ((2.0, 1.0, 1.0), "not met"),
]


@pytest.mark.parametrize(("measured", "said"), GOALS)
def test_a_goal_is_met_by_speed_and_recall_together(
    benchmark: Any, measured: tuple[float, float, float], said: str
) -> None:
    each = {"seconds": 1.0, "megabytes": 1.0, "recall_of_exact": measured[1], "recall_of_known": 0.5}
    each |= {"recall_of_peer": measured[2]}
    ours = {**each, "times_as_fast": measured[0]}
    row = {"sentences": 100_000, "known_pairs": 1, "sentence_transformers": each, "exact": ours, "ivf": ours}
    assert said in benchmark("mine").shown_search(row)


@pytest.fixture
def gpu(benchmark: Any) -> ModuleType:
    pytest.importorskip("torch")
    module: ModuleType = benchmark("mine_gpu")
    return module


def test_the_check_of_a_device_passes_where_it_counts_right_and_stops_where_not(
    gpu: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = gpu.Results(tmp_path / "told.json")
    gpu.check("cpu", results)
    assert results.told["check"][0]["same_as_plain_arithmetic"]

    def wrong(*given: Any) -> Any:
        found = right(*given)
        found.dots[-1, 0] += 1
        return found

    right = gpu.plain
    monkeypatch.setattr(gpu, "plain", wrong)
    with pytest.raises(SystemExit, match="differs from plain arithmetic"):
        gpu.check("cpu", results)


def test_a_trial_on_the_cpu_measures_all_against_all(gpu: ModuleType, tmp_path: Path) -> None:
    results = gpu.Results(tmp_path / "told.json")
    asked = Namespace(device="cpu", dims=16, largest=4000, sentences=100)
    gpu.measure_all(asked, gpu.Clock(gpu.time.perf_counter() + 600), results)
    (told,) = results.told["all"]
    assert (told["sentences"], told["is_estimated"]) == (4000, False)
    assert told["products_a_second"] == pytest.approx(4000**2 / told["all_seconds"])
