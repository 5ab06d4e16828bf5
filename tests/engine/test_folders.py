"""Folders of files, made in rounds of tasks: whole or absent, resumed, refused where they were made another way."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tally_rows import constantly, cores_told, doubled, no_room_for, squared

from paraloom.engine import store
from paraloom.engine.folders import ASIDE, WHOLE, FileJob, FileWorker, FolderStep, Round, make_folder
from paraloom.engine.places import PlaceOptions, at
from paraloom.engine.steps import Place
from paraloom.errors import EngineError, InputError, TargetTaken
from paraloom.metrics.parts import cores

COUNT = 5


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with at(PlaceOptions()):
        yield Place(run=tmp_path, buckets=4, workers=1)


def squares(folder: Path) -> Round:
    files = tuple(f"squares/{number}.txt" for number in range(COUNT))
    return Round(name="squares", files=files, work=partial(constantly, squared), is_kept=False)


def doubles(folder: Path) -> Round:
    files = tuple(f"{number}.txt" for number in range(COUNT))
    return Round(name="doubles", files=files, work=partial(partial, doubled, folder / ASIDE / "squares"))


def numbers_step(**changed: object) -> FolderStep:
    given = FolderStep(table="numbers", rounds=(squares, doubles), stages=("pairs",), rows=lambda folder: COUNT)
    return replace(given, **changed)  # type: ignore[arg-type]


def content(run: Path) -> dict[str, str]:
    return {file.name: file.read_text() for file in sorted((run / "numbers").iterdir())}


EXPECTED = {f"{number}.txt": str(2 * number * number) for number in range(COUNT)}


@pytest.mark.parametrize("workers", [1, 2])
def test_a_folder_is_made_in_rounds_and_what_was_laid_aside_is_gone(place: Place, workers: int) -> None:
    make_folder(numbers_step(), replace(place, workers=workers))
    assert content(place.run) == EXPECTED
    assert not (place.run / store.UNFINISHED).exists()
    assert store.read_made_by(place.run, "numbers")["rows"] == COUNT


def test_helpers_share_the_cores_and_a_round_for_a_gpu_has_none(place: Place) -> None:
    def told(name: str, **changed: Any) -> Callable[[Path], Round]:
        files = tuple(f"{name}-{number}.txt" for number in range(4))
        return lambda folder: Round(name=name, files=files, work=partial(constantly, cores_told), **changed)

    step = numbers_step(rounds=(told("helped"), told("on a GPU", on_gpu=True)))
    make_folder(step, replace(place, workers=2))
    said = {name: tuple(map(int, text.split())) for name, text in content(place.run).items()}
    helped = [said[name] for name in said if name.startswith("helped")]
    assert {count for count, _ in helped} == {max(cores() // 2, 1)}
    assert os.getpid() not in {process for _, process in helped}
    assert {said[name] for name in said if name.startswith("on")} == {(cores(), os.getpid())}


def test_one_that_is_there_is_left_alone(place: Place) -> None:
    make_folder(numbers_step(), place)
    before = {file: file.stat().st_mtime_ns for file in (place.run / "numbers").iterdir()}
    make_folder(numbers_step(), place)
    assert {file: file.stat().st_mtime_ns for file in (place.run / "numbers").iterdir()} == before


def test_one_made_with_other_options_is_refused(place: Place) -> None:
    make_folder(numbers_step(), place)
    with pytest.raises(TargetTaken, match=r"options.by was None, is 3"):
        make_folder(numbers_step(options={"by": 3}), place)


def test_one_that_is_made_anew_for_an_option_takes_the_place_of_the_other(place: Place) -> None:
    make_folder(numbers_step(rounds=(squares,), options={"by": 2}), place)
    make_folder(numbers_step(options={"by": 3}, made_anew_for=("options.by",)), place)
    assert content(place.run) == EXPECTED
    assert store.read_made_by(place.run, "numbers")["options"] == {"by": 3}


def test_a_task_that_fails_leaves_nothing_and_the_others_are_not_done_again(place: Place, tmp_path: Path) -> None:
    def failing(folder: Path) -> Round:
        return replace(doubles(folder), work=partial(constantly, _refuse_the_third))

    with pytest.raises(InputError, match="no third"):
        make_folder(numbers_step(rounds=(squares, failing)), place)
    (unfinished,) = (place.run / store.UNFINISHED).iterdir()
    assert sorted(file.name for file in (unfinished / WHOLE).iterdir()) == ["0.txt", "1.txt"]
    made = {file: file.stat().st_mtime_ns for file in unfinished.rglob("*.txt")}
    (unfinished / WHOLE / ".2.txt.0000.unfinished").write_text("of a killed worker")
    make_folder(numbers_step(), place)
    assert content(place.run) == EXPECTED | {"0.txt": "kept", "1.txt": "kept"}
    assert len(made) == COUNT + 2


def _refuse_the_third(number: int, target: Path) -> None:
    if number == 2:
        target.write_text("half")
        raise InputError("There is no third.")
    target.write_text("kept")


def test_a_task_may_write_a_folder_and_one_done_twice_changes_nothing(tmp_path: Path) -> None:
    def write(number: int, target: Path) -> None:
        target.mkdir()
        (target / "inside").write_text(str(number))

    job = FileJob(name="folders", folder=str(tmp_path), files=("a", "b/c"), work=lambda: write)
    for number in (1, 0, 1):
        FileWorker(job)(number)
    assert job.missing() == []
    assert {str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*")} == {
        "a",
        "a/inside",
        "b",
        "b/c",
        "b/c/inside",
    }


def test_a_file_that_cannot_get_its_name_ends_the_round_and_the_next_attempt_makes_it(place: Place) -> None:
    with no_room_for("2.txt"), pytest.raises(EngineError, match=r"squares failed: OSError: .*quota"):
        make_folder(numbers_step(), place)
    make_folder(numbers_step(), place)
    assert content(place.run) == EXPECTED


def test_a_file_that_is_gone_when_its_round_is_done_is_named(place: Place) -> None:
    def deleting(number: int, target: Path) -> None:
        squared(number, target)
        if number == COUNT - 1:
            target.with_name("1.txt").unlink()

    def losing(folder: Path) -> Round:
        return replace(squares(folder), work=partial(constantly, deleting))

    with pytest.raises(EngineError, match=r"squares: .* 1 of 5 files are missing from .*: squares/1\.txt\. See"):
        make_folder(numbers_step(rounds=(losing, doubles)), place)
    make_folder(numbers_step(), place)
    assert content(place.run) == EXPECTED


def test_an_error_that_is_not_ours_names_the_round(place: Place) -> None:
    def divided(number: int, target: Path) -> None:
        target.write_text(str(1 / number))

    step = numbers_step(rounds=(lambda folder: replace(squares(folder), work=lambda: divided),))
    with pytest.raises(EngineError, match="squares failed: ZeroDivisionError"):
        make_folder(step, place)
