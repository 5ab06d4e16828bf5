"""A cell gives back what was laid into it, or says which file is torn."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.errors import EngineError
from paraloom.models.neighbours import cells as module
from paraloom.models.neighbours.cells import Cells, Source, cell_name, gather_cell, open_cell, write_cell
from paraloom.models.neighbours.index import Index
from paraloom.models.neighbours.lists import CENTROIDS, read_lists, write_lists


def contents(file: Path) -> dict[int, list[tuple[int, bytes]]]:
    """List → numbers and rows, in the file's order."""
    cell = open_cell(file)
    return {
        number: [
            (int(own), row.tobytes())
            for rows in cell.pieces(*cell.bounds(number), most=2)
            for own, row in zip(rows.numbers, rows.kept, strict=True)
        ]
        for number in cell.lists
    }


@given(st.lists(st.integers(4, 8), max_size=30), st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_rows_come_back_by_list_and_number_in_whatever_order_they_were_laid(tmp_path_factory, of, random) -> None:
    file = tmp_path_factory.mktemp("cells") / "laid"
    numbers = random.sample(range(1000), len(of))
    rows = np.array([[number % 128, number // 128] for number in numbers], np.int8).reshape(-1, 2)
    write_cell(file, range(4, 9), np.array(of, np.int64), np.array(numbers, np.int64), rows)
    expected = {
        number: sorted(
            (own, bytes([own % 128, own // 128])) for own, its in zip(numbers, of, strict=True) if its == number
        )
        for number in range(4, 9)
    }
    assert contents(file) == expected


def lay(file: Path, of: list[int], numbers: list[int], lists: range = range(6)) -> Path:
    rows = np.array([[number, -number] for number in numbers], np.int8).reshape(-1, 2)
    write_cell(file, lists, np.array(of, np.int64), np.array(numbers, np.int64), rows)
    return file


def test_a_cell_is_gathered_from_several_files_with_new_numbers(tmp_path: Path) -> None:
    one = lay(tmp_path / "one", [0, 2, 2, 5], [10, 12, 11, 13])
    other = lay(tmp_path / "other", [2, 3, 3], [0, 1, 2], range(2, 4))
    new = np.array([7, -1, 12])
    count = gather_cell(tmp_path / "cell", range(2, 4), [Source(file=one), Source(file=other, renumber=new)])
    assert count == 4
    told = {number: [own for own, _ in rows] for number, rows in contents(tmp_path / "cell").items()}
    assert told == {2: [7, 11, 12], 3: [12]}
    assert contents(tmp_path / "cell")[2][0][1] == bytes([0, 0])  # the row goes with its number, old or new
    assert sorted(file.name for file in tmp_path.iterdir()) == ["cell", "one", "other"]


MANY = 200_000


def measured_peak(work: Callable[[], object]) -> int:
    """The most bytes that were held at once, of those that were not held before."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_of_a_long_head_a_cell_reads_what_it_needs(tmp_path: Path) -> None:
    laid = [lay(tmp_path / str(part), [0, 7, 7, MANY - 1], [1, 2, 3, 4], range(MANY)) for part in range(3)]
    new = np.array([0, -1, 6, 7, 8])
    sources = [Source(file=laid[0]), Source(file=laid[1], renumber=new), Source(file=laid[2], renumber=new + 10)]
    peak = measured_peak(lambda: gather_cell(tmp_path / "cell", range(6, 9), sources))
    assert peak < MANY  # of a head of 8 bytes a list
    told = {number: [own for own, _ in rows] for number, rows in contents(tmp_path / "cell").items()}
    assert told == {6: [], 7: [2, 3, 6, 7, 16, 17], 8: []}


def test_a_cell_is_held_once_while_it_is_gathered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ROWS_AT_ONCE", 500)
    random = np.random.default_rng(1)
    rows = random.integers(-127, 128, (9000, 500), np.int8)
    order = random.permutation(len(rows))
    for part in range(3):
        some = np.sort(order[part::3])
        write_cell(tmp_path / str(part), range(2), some // 8900, some, rows[some])
    sources = [Source(file=tmp_path / str(part)) for part in range(3)]
    assert measured_peak(lambda: gather_cell(tmp_path / "cell", range(2), sources)) < 1.5 * rows.nbytes
    cell = open_cell(tmp_path / "cell")
    assert cell.bounds(1) == (8900, 9000)
    gathered = cell.read(0, len(rows))
    np.testing.assert_array_equal(gathered.numbers, np.arange(len(rows)))
    np.testing.assert_array_equal(gathered.kept.view(np.int8), rows)


TORN: list[tuple[str, Callable[[bytes], bytes]]] = [
    ("cut", lambda written: written[:-1]),
    ("cut in its head", lambda written: written[:30]),
    ("grown", lambda written: written + b"0"),
    ("not a cell", lambda written: b"X" + written[1:]),
    ("a place behind the end", lambda written: written[: 40 + 8] + bytes([9, 0, 0, 0, 0, 0, 0, 0]) + written[56:]),
    ("places that fall", lambda written: written[: 40 + 16] + bytes(8) + written[64:]),
    ("nothing first", lambda written: written[:40] + bytes([1, 0, 0, 0, 0, 0, 0, 0]) + written[48:]),
    ("fewer than there are", lambda written: written[: 40 + 48] + bytes([2, 0, 0, 0, 0, 0, 0, 0]) + written[96:]),
]


@pytest.mark.parametrize(("what", "tear"), TORN, ids=[what for what, _ in TORN])
def test_a_torn_source_is_named_though_only_its_part_is_read(
    what: str, tear: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    whole, torn = lay(tmp_path / "whole", [0, 1, 1], [4, 5, 6]), lay(tmp_path / "torn", [0, 1, 1], [4, 5, 6])
    torn.write_bytes(tear(torn.read_bytes()))
    with pytest.raises(EngineError, match="torn is damaged"):
        gather_cell(tmp_path / "cell", range(6), [Source(file=whole), Source(file=torn)])
    assert not (tmp_path / "cell").exists()


def test_sources_of_rows_of_different_lengths_are_refused(tmp_path: Path) -> None:
    one = lay(tmp_path / "one", [0], [4])
    write_cell(tmp_path / "other", range(6), np.array([0]), np.array([5]), np.zeros((1, 3), np.int8))
    with pytest.raises(EngineError, match=r"rows of \[2, 3\] bytes"):
        gather_cell(tmp_path / "cell", range(6), [Source(file=one), Source(file=tmp_path / "other")])


def test_rows_of_other_lists_are_refused_and_leave_nothing(tmp_path: Path) -> None:
    for of in ([1], [6]):
        with pytest.raises(EngineError, match="rows of others"):
            lay(tmp_path / "cell", of, [0], range(2, 6))
    with pytest.raises(EngineError, match="none of its 0 sources"):
        gather_cell(tmp_path / "cell", range(2), [])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kept", [0, 7, 30, 60, -1, -30])
def test_a_truncated_file_is_named(tmp_path: Path, kept: int) -> None:
    file = lay(tmp_path / cell_name(3), [0, 1, 1], [4, 5, 6])
    file.write_bytes(file.read_bytes()[:kept])
    with pytest.raises(EngineError, match=r"cell-00003\.rows is damaged"):
        open_cell(file)


@pytest.mark.parametrize("place", [0, 9, 17, 25, 33, 41, 65])
def test_a_file_with_a_damaged_head_is_named(tmp_path: Path, place: int) -> None:
    file = lay(tmp_path / "cell", [0, 1, 1], [4, 5, 6])
    written = bytearray(file.read_bytes())
    written[place] ^= 0xFF
    file.write_bytes(written)
    with pytest.raises(EngineError, match="cell is damaged"):
        open_cell(file)


def test_a_file_cut_while_it_is_read_is_named(tmp_path: Path) -> None:
    cell = open_cell(lay(tmp_path / "cell", [0, 1, 1], [4, 5, 6]))
    cell.file.write_bytes(cell.file.read_bytes()[:-3])
    with pytest.raises(EngineError, match="cell is damaged"):
        cell.read(0, 3)


def test_a_cell_that_is_absent_or_of_another_index_is_named(index: Index, tmp_path: Path) -> None:
    cells = Cells(tmp_path, index.lists, index.codes)
    with pytest.raises(EngineError, match=r"cell-00001\.rows is absent"):
        cells[1]
    (tmp_path / cell_name(1)).write_bytes((index.folder / cell_name(0)).read_bytes())
    with pytest.raises(EngineError, match="made for another index"):
        cells[1]


def test_torn_centroids_are_named(index: Index, tmp_path: Path) -> None:
    write_lists(tmp_path, index.lists)
    np.testing.assert_array_equal(read_lists(tmp_path).centroids, index.lists.centroids)
    (tmp_path / CENTROIDS).write_bytes((tmp_path / CENTROIDS).read_bytes()[:200])
    with pytest.raises(EngineError, match=f"{CENTROIDS} is damaged"):
        read_lists(tmp_path)
