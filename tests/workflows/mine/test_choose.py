"""Which index a run gets where disk or memory is short."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from paraloom.errors import InputError
from paraloom.models.neighbours.choice import choose_index, room_needed, rooms_of
from paraloom.workflows.mine import index_step
from paraloom.workflows.mine.index_step import read_choice
from paraloom.workflows.mine.mine import mine
from paraloom.workflows.mine.options import JudgeOptions, MineOptions
from tests.workflows.mine.conftest import TOLD
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
    choice = read_choice(tmp_path / "run")
    assert (choice.codes, choice.width) == ("pq", DIMS // 4)
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
    choice = read_choice(tmp_path / "run")
    assert choice.codes == "pq"
    assert "for memory is short" in choice.reason
