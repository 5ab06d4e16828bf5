"""A film is read in the best two versions whose times fit each other."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from paraloom.engine import store
from paraloom.errors import InputError
from paraloom.groups.aligned_groups import NO_COMMON_TIME, OTHER_PART, OTHER_ROUND
from paraloom.groups.alignment_options import AlignmentOptions
from paraloom.groups.part_options import PartOptions
from paraloom.workflows.align.align import align
from paraloom.workflows.align.options import AlignOptions
from tests.workflows.align.conftest import captions, subtitles, written_time

SEA = ("gull", "anchor", "rope", "tide", "pier", "sail", "mast", "crew", "fog", "deck", "buoy")


def badly_timed() -> str:
    """The film in words that are far from both others, every caption at a time of another."""
    blocks = []
    for number, said in enumerate(captions(1, 0)):
        begins = (number * 61) % 97 * 15.0
        other = " ".join(SEA[(number * step) % 11] + str(number % 13) for step in (3, 5, 7, 8, 9))
        blocks.append((begins, f"{written_time(begins)} --> {written_time(begins + 3)}\n{said} {other}\n"))
    return "\n".join(f"{number}\n{block}" for number, (_, block) in enumerate(sorted(blocks), 1))


def groups(run: Path) -> dict[str, list[dict[str, Any]]]:
    files = {
        row["document_id"]: row["file"].removeprefix("The Harbour/")
        for row in store.read_table(run, "documents").to_pylist()
    }
    found: dict[str, list[dict[str, Any]]] = {}
    for row in store.read_table(run, "groups").to_pylist():
        found.setdefault(row["group_id"], []).append({**row, "file": files[row["document_id"]]})
    return found


def test_a_version_with_wrong_times_does_not_cost_the_film(tmp_path: Path) -> None:
    film = tmp_path / "films" / "The Harbour"
    film.mkdir(parents=True)
    (film / "first.srt").write_text(subtitles(0, 0, offset=0), encoding="utf-8")
    (film / "second.srt").write_text(subtitles(1, 0, offset=41.5), encoding="utf-8")
    (film / "wrong.srt").write_text(badly_timed(), encoding="utf-8")
    options = AlignOptions(alignment=AlignmentOptions(least_alike=0.05))
    align([tmp_path / "films"], tmp_path / "run", options, until="groups")
    found = groups(tmp_path / "run").values()
    likeness = {frozenset(row["file"] for row in rows): rows[0]["similarity"] for rows in found}
    assert min(likeness, key=likeness.__getitem__) == {"first.srt", "wrong.srt"}, "the least alike is badly timed"
    kept = [rows for rows in found if rows[0]["dropped_for"] is None]
    assert [{row["file"] for row in rows} for rows in kept] == [{"first.srt", "second.srt"}]
    reasons = {frozenset(row["file"] for row in rows): rows[0]["dropped_for"] for rows in found}
    assert reasons[frozenset({"first.srt", "wrong.srt"})] == NO_COMMON_TIME


def test_a_part_keeps_its_name_only_as_long_as_it_is_the_same_stretch(tmp_path: Path) -> None:
    film = tmp_path / "films" / "The Harbour"
    film.mkdir(parents=True)
    (film / "first.srt").write_text(subtitles(0, 0, offset=0), encoding="utf-8")
    (film / "second.srt").write_text(subtitles(1, 0, offset=41.5), encoding="utf-8")
    named: dict[str, set[tuple[Any, ...]]] = {}
    for minutes in (8, 12, 15):
        options = AlignOptions(alignment=AlignmentOptions(least_alike=0.05), parts=PartOptions(part_minutes=minutes))
        run = tmp_path / f"run-{minutes}"
        align([tmp_path / "films"], run, options, until="groups")
        for name, rows in groups(run).items():
            assert re.fullmatch("[0-9a-f]+", name)
            named.setdefault(name, set()).add(tuple(sorted((row["file"], row["start"], row["end"]) for row in rows)))
    assert len(named) > 3
    assert all(len(spans) == 1 for spans in named.values())


@pytest.fixture
def long_and_short(tmp_path: Path) -> Path:
    """Two films of 24 minutes, and one of 10 that is a single part."""
    for salt, (name, lines) in enumerate((("The Harbour", None), ("The Mill", None), ("Short", 40))):
        (tmp_path / "films" / name).mkdir(parents=True)
        for version, offset in ((0, 0.0), (1, 41.5)):
            blocks = subtitles(version, salt, offset=offset).split("\n\n")[:lines]
            (tmp_path / "films" / name / f"{version}.srt").write_text("\n\n".join(blocks) + "\n", encoding="utf-8")
    return tmp_path


def second_round(folder: Path, yields: str, most_works: int | None) -> dict[str, set[str | None]]:
    """By film, what became of its parts."""
    (folder / "yields.csv").write_text(f"work,pairs\n{yields}", encoding="utf-8")
    parts = PartOptions(round=2, yields=folder / "yields.csv", most_works=most_works, part_minutes=10)
    options = AlignOptions(alignment=AlignmentOptions(least_alike=0.05), parts=parts)
    align([folder / "films"], folder / "run", options, until="groups")
    found: dict[str, set[str | None]] = {}
    for rows in groups(folder / "run").values():
        found.setdefault(rows[0]["key"], set()).update(row["dropped_for"] for row in rows)
    return found


def test_no_place_of_a_round_is_spent_on_a_film_without_a_part_left(long_and_short: Path) -> None:
    found = second_round(long_and_short, "Short,90\nThe Mill,12\nThe Harbour,3\n", most_works=1)
    assert found == {"Short": {OTHER_PART}, "The Mill": {None, OTHER_PART}, "The Harbour": {OTHER_ROUND, OTHER_PART}}


def test_yields_of_other_works_are_an_error_that_names_one_of_each(long_and_short: Path) -> None:
    with pytest.raises(InputError, match=r"yields.csv has none of the films .* such as Short; it has The Storm\."):
        second_round(long_and_short, "The Storm,90\nRain,12\n", most_works=None)
    assert not (long_and_short / "run" / "groups").exists()
    assert None in second_round(long_and_short, "The Mill,12\n", most_works=None)["The Mill"]
