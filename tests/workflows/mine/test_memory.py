"""No more helper processes are started than there is memory for, and a person is told why."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.engine.places import PlaceOptions
from paraloom.engine.steps import Place
from paraloom.errors import InputError
from paraloom.workflows.mine.memory import fitting, fitting_pairs, memory_of_run
from paraloom.workflows.mine.mine import mine
from paraloom.workflows.mine.options import EmbedOptions, JudgeOptions, MineOptions, SearchOptions, check_ranges
from tests.workflows.mine.conftest import TOLD
from tests.workflows.mine.small_runs import small_options

MANY = Place(run=Path("run"), buckets=1, workers=16)
UNJUDGED = JudgeOptions(identify=False)


def workers(memory: int, text_bytes: int = 60 * 10**6, **changed: object) -> int:
    options = MineOptions(judge=UNJUDGED, memory=f"{memory}MB", **changed)  # type: ignore[arg-type]
    return fitting(options, MANY, text_bytes, None).workers


@given(memory=st.integers(1, 40_000), more=st.integers(0, 40_000))
def test_more_memory_never_means_fewer_workers(memory: int, more: int) -> None:
    assert 1 <= workers(memory) <= workers(memory + more) <= MANY.workers
    assert workers(10**6) == MANY.workers


@pytest.mark.parametrize("memory", [2000, 4000, 8000])
def test_what_takes_more_memory_has_fewer_workers(memory: int) -> None:
    usual = workers(memory)
    assert 1 <= usual < MANY.workers
    assert workers(memory, 60 * 10**9) <= usual
    assert workers(memory, search=SearchOptions(index="ivf"), embed=EmbedOptions(embedder="good")) <= usual


def test_the_workers_that_fit_hold_no_more_than_the_memory_and_one_more_would() -> None:
    options = MineOptions(memory="6GB")
    held, count = memory_of_run(options, 60 * 10**6), fitting(options, MANY, 60 * 10**6, None).workers
    assert held.main + count * held.worker <= 6e9 < held.main + (count + 1) * held.worker


def test_a_person_is_told_where_fewer_workers_fit() -> None:
    told: list[str] = []
    fitting(MineOptions(memory="4GB"), MANY, 1000, told.append)
    (line,) = told
    assert "of 16 workers: each may hold" in line
    assert "there are 4.0 GB. --memory says" in line
    fitting(MineOptions(memory="1TB"), MANY, 1000, told.append)
    assert told == [line]


def test_workers_that_were_asked_for_are_there_unless_memory_is_said_too() -> None:
    asked = PlaceOptions(workers=4000)
    place = Place(run=Path("run"), buckets=1, workers=4000)
    assert fitting(MineOptions(place=asked), place, 1000, None) is place
    assert fitting(MineOptions(place=asked, memory="3GB"), place, 1000, None).workers < 10
    assert fitting(MineOptions(), place, 1000, None).workers < 4000  # nobody has so much


@pytest.mark.usefixtures("small")
def test_where_there_are_very_many_pairs_fewer_workers_put_them_in_order(tmp_path: Path, embedder: str) -> None:
    (tmp_path / "sentences.txt").write_text("\n".join(TOLD[:200]) + "\n")
    told: list[str] = []
    run = mine([tmp_path / "sentences.txt"], tmp_path / "run", small_options(embedder), tell=told.append).run
    assert told == []  # one worker is no news
    many = Place(run=run, buckets=1, workers=16)
    assert fitting_pairs(MineOptions(memory="64GB"), many, None) is many
    assert fitting_pairs(MineOptions(memory="1GB"), many, None).workers == 2


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (MineOptions(memory="8 sacks"), "'8 sacks' cannot be read"),
        (MineOptions(memory="8GB", place=PlaceOptions(engine="ray")), "--workers"),
    ],
)
def test_memory_that_says_nothing_is_refused_at_once(options: MineOptions, told: str) -> None:
    with pytest.raises(InputError, match=told):
        check_ranges(options)
