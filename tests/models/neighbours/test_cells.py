"""A cell gives back what was laid into it, or says which file is torn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.errors import EngineError
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
