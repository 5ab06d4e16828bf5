"""A film is read in the best two versions whose times fit each other."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from paraloom.engine import store
from paraloom.groups.aligned_groups import NO_COMMON_TIME
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
    files = {row["document_id"]: row["file"] for row in store.read_table(run, "documents").to_pylist()}
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
