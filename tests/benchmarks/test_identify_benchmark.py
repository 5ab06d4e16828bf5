"""The speed benchmark of identifiers tells what was promised, and passes nothing that it could not compare."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from paraloom.errors import InputError
from paraloom.models.identifiers import Examples, untrained
from paraloom.models.identifiers.thresholds import Threshold
from paraloom.models.training.plan import TrainingPlan

FOLDER = Path(__file__).parents[2] / "benchmarks"
SIZES = (10, 100, 1000)
LEFT = ["a storm hit the coast", "the storm", "a coast", "hit the coast!"]
RIGHT = ["the coast was hit", "a storm hit", "the storm hit a coast", "a storm"]


@pytest.fixture(autouse=True)
def _beside_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))


@pytest.fixture
def identify_bars(_beside_each_other: None) -> ModuleType:
    import identify_bars

    return identify_bars


def speeds(bars: ModuleType, *, ours: float | None = 1.6, cascade: float | None = 11.0, **f1: float | None) -> list:
    """Rows of the shipped model, the cascade and the peer; without times the peer was not run."""

    def row(contender: str, times: float | None, found: float | None):
        return bars.SpeedRow(
            contender=contender,
            pairs_per_second=100.0,
            repeats=[100.0],
            parameters=1,
            times_as_fast=times,
            f1=found,
            max_f1=found,
            no_f1="" if found is not None else "it has learned from these pairs",
        )

    rows = [
        row(bars.SHIPPED, ours, f1.get("ours_f1", 0.8)),
        row(bars.CASCADE, cascade, f1.get("cascade_f1", 0.798)),
    ]
    peer = [row(f"{bars.PEER}, batch {size}", 1.0, f1.get("peer_f1", 0.79)) for size in (32, 128)]
    return rows if ours is None else rows + peer


def memory(bars: ModuleType, *megabytes: float | None, failed: bool = False) -> list:
    return [
        bars.MemoryRow(model=bars.SHIPPED, pairs=size, megabytes=held, not_run="" if held else "why", failed=failed)
        for size, held in zip(SIZES, megabytes, strict=False)
    ]


def judged(bars: ModuleType, rows: list, held: list, **asked: bool) -> str | None:
    asked = {"with_labels": True, "with_trained_peer": True, **asked}
    return bars.why_it_failed(bars.bars(rows, held, SIZES, **asked))


def test_all_bars_met_and_compared_is_no_failure(identify_bars) -> None:
    rows, held = speeds(identify_bars), memory(identify_bars, 100.0, 110.0, 124.0)
    assert judged(identify_bars, rows, held) is None
    told = identify_bars.bars(rows, held, SIZES, with_labels=True, with_trained_peer=True)
    assert len(told) == 5
    assert all(identify_bars.shown_bar(bar).endswith(", met") for bar in told)


FAILURES = [
    ({"ours": 1.4}, "Not as promised: paraloom is at least 1.5 times as fast as the peer (1.40 times)."),
    ({"cascade": 9.9}, "Not as promised: cascade is at least 10 times as fast as the peer (9.90 times)."),
    ({"ours_f1": 0.5, "cascade_f1": 0.5}, "Not as promised: paraloom has at least the F1 of the peer (0.500 against"),
    ({"cascade_f1": 0.79}, "Not as promised: cascade loses at most 0.005 F1 against paraloom (0.0100)."),
    ({"ours": None, "cascade": None}, "Not compared: paraloom is at least 1.5 times as fast as the peer (the peer was"),
    ({"ours_f1": None}, "Not compared: paraloom has at least the F1 of the peer (no F1 of paraloom: it has learned"),
    ({"peer_f1": None}, "Not compared: paraloom has at least the F1 of the peer (no F1 of the peer: "),
]


@pytest.mark.parametrize(("measured", "failure"), FAILURES)
def test_what_is_missed_or_could_not_be_compared_fails_the_run(identify_bars, measured, failure: str) -> None:
    told = judged(identify_bars, speeds(identify_bars, **measured), memory(identify_bars, 100.0, 110.0, 124.0))
    assert told is not None
    assert told.startswith(failure)


MEMORY_FAILURES = [
    ((100.0, 110.0, 126.0), False, "Not as promised: memory of paraloom grows at most 1.25 times (1.26 times)."),
    ((100.0, 101.0, None), False, "Not compared: memory of paraloom grows at most 1.25 times (1,000 pairs were not"),
    ((None, 100.0, 101.0), False, "Not compared: memory of paraloom grows at most 1.25 times (10 pairs were not"),
    ((100.0,), False, "Not compared: memory of paraloom grows at most 1.25 times"),
    ((None, None, None), True, "Not as promised: memory of paraloom grows at most 1.25 times (with 10 pairs it why)."),
    ((), False, "Not compared: memory of paraloom grows at most 1.25 times"),
]


@pytest.mark.parametrize(("held", "failed", "failure"), MEMORY_FAILURES)
def test_memory_is_flat_from_the_smallest_to_the_largest_file_that_was_asked_for(
    identify_bars, held, failed: bool, failure: str
) -> None:
    told = judged(identify_bars, speeds(identify_bars), memory(identify_bars, *held, failed=failed))
    assert told is not None
    assert told.startswith(failure)


def test_f1_that_was_not_to_be_compared_is_told_and_fails_nothing(identify_bars) -> None:
    rows = speeds(identify_bars, ours_f1=None, cascade_f1=None, peer_f1=None)
    held = memory(identify_bars, 100.0, 100.0, 100.0)
    assert judged(identify_bars, rows, held, with_labels=False, with_trained_peer=False) is None
    bars = identify_bars.bars(rows, held, SIZES, with_labels=False, with_trained_peer=False)
    assert sum("NOT COMPARED" in identify_bars.shown_bar(bar) for bar in bars) == 2
    assert all("F1 not told" in identify_bars.shown(row) for row in rows)


def test_a_command_that_fails_is_a_failed_row_with_its_last_words(tmp_path: Path) -> None:
    from identify_bars import shown_memory
    from identify_memory import measured, not_worth_running

    row = measured("no-such-model", 3, tmp_path)
    assert row.failed
    assert "failed with exit code 1" in row.not_run
    assert "no-such-model" in row.not_run
    assert "FAILED" in shown_memory(row)
    assert not_worth_running(30, row, patience=600) == "as the smaller file failed"


def test_a_file_that_takes_too_long_is_not_run(identify_bars) -> None:
    from identify_memory import not_worth_running

    last = identify_bars.MemoryRow(model="paraloom", pairs=10, megabytes=1.0, seconds=60.0)
    assert not_worth_running(100, last, patience=600) == ""
    assert not_worth_running(1000, last, patience=600) == "as it would take about 100 min"


def test_an_untrained_head_and_seen_pairs_have_no_f1() -> None:
    from identify_bars import PEER
    from identify_speed import reasons_against_f1, speed_rows
    from pairs_to_identify import Pairs

    pairs = Pairs(left=LEFT, right=RIGHT, labels=[1, 0, 1, 0], about="ours")
    speeds_of = {"paraloom": [150.0], f"{PEER}, batch 32": [90.0], f"{PEER}, batch 128": [100.0]}
    scores = {name: [np.array([0.9, 0.2, 0.8, 0.7])] for name in speeds_of}
    parameters = dict.fromkeys(speeds_of, 1)
    for is_trained in (False, True):
        reasons = reasons_against_f1(list(speeds_of), pairs, is_peer_trained=is_trained)
        ours, peer, _ = speed_rows(speeds_of, scores, parameters, pairs, reasons)
        assert ours.times_as_fast == 1.5
        assert ours.f1 == pytest.approx(0.8)
        assert (peer.f1 is not None) == is_trained
        assert peer.no_f1 == ("" if is_trained else "its head is untrained")


@pytest.fixture(scope="module")
def trained(tiny_bert: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small cross-encoder for two definitions, as `paraloom train identifier` saves it."""
    plan = TrainingPlan(epochs=1, learning_rates=(1e-3,), max_tokens=32, device="cpu")
    sets = [Examples(left=LEFT, right=RIGHT, targets=[1, 0, 1, 0], definition=name) for name in ("loose", "strict")]
    folder = tmp_path_factory.mktemp("trained")
    untrained("cross-encoder", base=str(tiny_bert), plan=plan).fit(sets, sets).save(folder)
    return folder


@pytest.mark.parametrize("definition", ["loose", "strict"])
def test_the_peer_answers_as_the_trained_network_does(trained: Path, definition: str) -> None:
    from cross_encoder_peer import Peer

    from paraloom.models.identifiers import load

    peer, ours = Peer(trained, definition), load(trained)
    # Ours is the mean of both orders' logits; at a slope of 1 and a middle of 0 the peer's scores are its logits.
    thresholds = ours.fitted.thresholds[definition]
    peer.threshold = None
    logits = (peer.score(LEFT, RIGHT, 2) + peer.score(RIGHT, LEFT, 3)) / 2
    assert thresholds.apply(logits) == pytest.approx(ours.score(LEFT, RIGHT, definition), abs=2e-5)
    assert peer.parameters == ours.parameters
    peer.threshold = Threshold(middle=0.0, slope=1.0)
    assert ((peer.score(LEFT, RIGHT, 2) >= 0) & (peer.score(LEFT, RIGHT, 2) <= 1)).all()


def test_a_folder_without_a_trained_cross_encoder_is_an_error(tiny_bert: Path, trained: Path) -> None:
    from cross_encoder_peer import Peer

    with pytest.raises(InputError, match="holds no trained cross-encoder"):
        Peer(tiny_bert)
    with pytest.raises(InputError, match="no cross-encoder for the definition graded"):
        Peer(trained, "graded")


def test_cores_are_counted_before_anything_that_makes_threads_is_imported(child_environment: dict[str, str]) -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(FOLDER)!r})\n"
        "import os, identify\n"
        "before = [name for name in ('numpy', 'torch', 'numba', 'onnxruntime') if name in sys.modules]\n"
        "identify.use_two_cores()\n"
        "print(before, os.environ['OMP_NUM_THREADS'], len(os.sched_getaffinity(0)) <= 2)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=child_environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["[]", "2", "True"]
