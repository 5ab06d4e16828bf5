"""The grid counts the pairs of every band in the workers, of a large collection in a part of it."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from paraloom.engine import store
from paraloom.groups.alignment_options import AlignmentOptions
from paraloom.workflows.align.align import align
from paraloom.workflows.align.grid import FOLDER, make_grid
from paraloom.workflows.align.options import AlignOptions

WORDS = ("mill", "bridge", "tower", "school", "harbour", "church", "station", "market", "orchard", "granary")


@pytest.fixture
def news(tmp_path: Path) -> Path:
    """Sixty articles of two papers over ten weeks, every fourth of one event."""
    file = tmp_path / "news.jsonl"
    rows = []
    for number in range(60):
        told = [WORDS[(number // 4 + step * step) % 10] for step in range(5)]
        text = (
            f"The {told[0]} by the {told[1]} burnt down, and the {told[number % 3 + 2]} was closed for {number} days."
        )
        day = f"2024-0{3 + number // 28}-{1 + number % 28:02}"
        rows.append(
            {"title": f"Fire {number}", "text": text, "created_at": day, "source": ("herald", "courier")[number % 2]}
        )
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


OPTIONS = AlignOptions()


def counts(news: Path, out: Path, options: AlignOptions = OPTIONS) -> dict[float, tuple[int, int]]:
    grid = make_grid([news], out, options)
    assert grid.compared == grid.of
    return {cell.low: (cell.pairs, cell.same_source) for cell in grid.cells}


def test_cells_have_the_pairs_that_a_run_with_a_wide_band_has(news: Path, tmp_path: Path) -> None:
    wide = AlignOptions(alignment=AlignmentOptions(least_alike=0.05, most_alike=1.01))
    align([news], tmp_path / "run", wide, until="groups")
    source = {row["document_id"]: row["source"] for row in store.read_table(tmp_path / "run", "documents").to_pylist()}
    both: dict[str, list[str]] = {}
    expected, same = Counter[float](), Counter[float]()
    for row in store.read_table(tmp_path / "run", "groups").to_pylist():
        both.setdefault(row["group_id"], []).append(source[row["document_id"]])
        if len(both[row["group_id"]]) == 2:
            low = round(int(row["similarity"] / 0.05 + 1e-9) * 0.05, 2)
            expected[low] += 1
            same[low] += len(set(both[row["group_id"]])) == 1
    assert len(expected) > 3
    assert counts(news, tmp_path / "out") == {low: (expected[low], same[low]) for low in expected}


def test_blocks_of_any_size_give_the_same_grid(news: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options = AlignOptions(alignment=AlignmentOptions(window_days=0))
    before = counts(news, tmp_path / "one", options)
    monkeypatch.setattr("paraloom.groups.blocks.MOST_DOCUMENTS", 7)
    assert counts(news, tmp_path / "many", options) == before
    assert sum(pairs for pairs, _ in before.values()) <= len(list(combinations(range(60), 2)))


def test_a_pair_of_one_source_is_not_counted_where_sources_must_differ(news: Path, tmp_path: Path) -> None:
    found = counts(news, tmp_path / "out", AlignOptions(alignment=AlignmentOptions(different_sources=True)))
    assert sum(pairs for pairs, _ in found.values()) > 0
    assert sum(same for _, same in found.values()) == 0


def test_of_a_large_collection_a_part_is_counted_and_it_is_said(
    news: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = make_grid([news], tmp_path / "whole")
    assert "drawn by lot" not in whole.as_text()
    monkeypatch.setattr("paraloom.groups.likeness_counts.MOST_PAIRS", 50)
    part = make_grid([news], tmp_path / "part")
    assert 0 < part.compared < part.of == whole.of
    assert 0 < sum(cell.pairs for cell in part.cells) < sum(cell.pairs for cell in whole.cells)
    assert f"drawn by lot: {part.compared} of {part.of}" in part.as_text()
    assert make_grid([news], tmp_path / "again").cells == part.cells


def test_only_documents_are_kept_and_the_grid_can_be_made_again_with_other_options(news: Path, tmp_path: Path) -> None:
    make_grid([news], tmp_path)
    assert sorted(path.name for path in (tmp_path / FOLDER).iterdir()) == ["documents", "documents.made_by.json"]
    made = (tmp_path / FOLDER / "documents.made_by.json").stat().st_mtime_ns
    assert make_grid([news], tmp_path, AlignOptions(alignment=AlignmentOptions(window_days=30))).cells
    assert (tmp_path / FOLDER / "documents.made_by.json").stat().st_mtime_ns == made


def test_examples_are_pairs_of_their_band_and_the_older_comes_first(news: Path, tmp_path: Path) -> None:
    grid = make_grid([news], tmp_path)
    for cell in grid.cells:
        assert 1 <= len(cell.examples) <= min(2, cell.pairs)
        for left, right in cell.examples:
            assert int(left.split()[1]) < int(right.split()[1])
            assert 0 < cell.length_ratio <= 1


def test_a_source_that_names_a_wrong_language_is_not_believed_by_the_grid_either(news: Path, tmp_path: Path) -> None:
    expected = counts(news, tmp_path / "as-it-is")
    rows = [json.loads(line) for line in news.read_text(encoding="utf-8").splitlines()]
    said = ("en", "de", None)
    told = [{**row, "language": said[number % 3]} for number, row in enumerate(rows)]
    news.write_text("".join(json.dumps(row) + "\n" for row in told), encoding="utf-8")
    assert counts(news, tmp_path / "told") == expected
