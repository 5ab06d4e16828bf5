"""Which index a run gets where disk or memory is short."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from paraloom.errors import InputError
from paraloom.models.neighbours import choice
from paraloom.models.neighbours.choice import choose_index, room_needed, rooms_of
from paraloom.reports.mining import SearchTold
from paraloom.workflows.mine import index_step
from paraloom.workflows.mine.index_step import read_choice
from paraloom.workflows.mine.mine import mine
from paraloom.workflows.mine.options import JudgeOptions, MineOptions, SearchOptions
from paraloom.workflows.mine.plan import plan_by
from paraloom.workflows.mine.plan_options import PlanOptions
from paraloom.workflows.mine.publish import how_to_find_more
from tests.workflows.mine.conftest import TOLD
from tests.workflows.mine.made_up_machine import MEASURED
from tests.workflows.mine.small_runs import small_options

K = 5
DIMS = 64


@pytest.fixture
def told(tmp_path: Path) -> Path:
    file = tmp_path / "told.txt"
    file.write_text("\n".join(TOLD) + "\n", encoding="utf-8")
    return file


def options(embedder: str) -> MineOptions:
    return replace(small_options(embedder, "ivf"), judge=JudgeOptions(identify=False))


def needed(codes: str) -> int:
    return room_needed(choose_index(len(TOLD), DIMS, speed=1.0, kind="ivf", codes=codes), K)


def leave_free(monkeypatch: pytest.MonkeyPatch, free: int) -> None:
    usage = shutil.disk_usage("/")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=free))


def test_vectors_are_packed_where_whole_ones_do_not_fit_on_the_disk(
    small: None, told: Path, embedder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave_free(monkeypatch, needed("int8") - 1)
    mined = mine([told], tmp_path / "run", options(embedder))
    chosen = read_choice(tmp_path / "run")
    assert (chosen.codes, chosen.width) == ("pq", DIMS // 4)
    assert any("for disk is short" in line for line in mined.told)


def test_whole_vectors_are_kept_where_they_just_fit_and_neither_where_packed_ones_do_not(
    small: None, told: Path, embedder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert needed("pq") < needed("int8")
    leave_free(monkeypatch, needed("pq") - 1)
    with pytest.raises(InputError, match=r"GB are free\. Make room, or give fewer --dims or --neighbours\.$"):
        mine([told], tmp_path / "run", options(embedder))
    leave_free(monkeypatch, needed("int8"))
    mine([told], tmp_path / "run", options(embedder))  # the same run goes on when there is room
    assert read_choice(tmp_path / "run").codes == "int8"


def test_vectors_are_packed_where_memory_does_not_hold_whole_ones(
    small: None, told: Path, embedder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = rooms_of(choose_index(len(TOLD), DIMS, speed=1.0, kind="ivf"), K)["index"].kept
    monkeypatch.setattr(index_step, "available_memory", lambda: index - 1)
    mine([told], tmp_path / "run", options(embedder))
    chosen = read_choice(tmp_path / "run")
    assert chosen.codes == "pq"
    assert "for memory is short" in chosen.reason


def test_the_memory_that_is_allowed_packs_vectors_whatever_is_free_and_a_plan_says_so(
    small: None, told: Path, embedder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = rooms_of(choose_index(len(TOLD), DIMS, speed=1.0, kind="ivf"), K)["index"].kept
    monkeypatch.setattr(choice, "EXACT_SECONDS", 0.0)
    asked = replace(options(embedder), search=SearchOptions(neighbours=K))
    planned = PlanOptions(sentences=str(len(TOLD)), dims=DIMS, neighbours=K, disk="1TB")
    for memory, codes in ((index - 1, "pq"), (index, "int8")):
        run = mine([told], tmp_path / codes, replace(asked, memory=f"{memory} B")).run
        chosen = plan_by(MEASURED, None, replace(planned, memory=f"{memory} B")).ways[0].cost.choice
        assert read_choice(run).codes == chosen.codes == codes


MORE = [
    (8, 8, "give more --probes, or leave them out, and another --out."),
    (0, 8, "let this run grow into another --out, with --probes above 8."),
    (0, 64, "give --codes int8 and another --out."),
]


@pytest.mark.parametrize(("asked", "probes", "told"), MORE)
def test_what_finds_more_is_told_by_what_was_asked_for(asked: int, probes: int, told: str) -> None:
    search = SearchTold(
        embedder="fast", dims=256, neighbours=8, kind="ivf", reason="", lists=64, probes=probes, asked_probes=asked
    )
    assert how_to_find_more(search) == told


def test_a_search_that_was_asked_for_is_not_said_to_take_a_time_that_nobody_measured(
    small: None, told: Path, embedder: str, tmp_path: Path
) -> None:
    mined = mine([told], tmp_path / "run", replace(options(embedder), search=SearchOptions(index="exact")))
    assert "All 800 sentences are compared with all, as was asked for: the search is exact." in mined.told
