"""Sentences by number and numbers by id; scores cut into ranges that are in order themselves."""

from __future__ import annotations

import tracemalloc
from itertools import accumulate, pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from paraloom.tables import make_id
from paraloom.workflows.mine import numbers as module
from paraloom.workflows.mine.numbers import Numbers, keys_of, write_numbers
from paraloom.workflows.mine.ordering import Bounds, in_order


def numbers_in(folder: Path, ids: list[str], cuts: list[int]) -> Numbers:
    starts = [0, *cuts, len(ids)]
    parts = [(np.full(stop - start, 7, np.int32), keys_of(ids[start:stop])) for start, stop in pairwise(starts)]
    write_numbers(folder / "numbers", starts, parts)
    return Numbers.of(folder)


def test_ids_are_found_and_given_back_whatever_part_they_are_in(tmp_path: Path) -> None:
    ids = sorted(make_id(number) for number in range(300))
    numbers = numbers_in(tmp_path, ids, [0, 120, 120, 299])
    assert len(numbers) == 300
    assert numbers.find(keys_of([ids[299], make_id("none"), ids[0], ids[150]])).tolist() == [299, -1, 0, 150]
    assert numbers.ids(np.array([5, 299, 0])) == [ids[5], ids[299], ids[0]]
    assert numbers.parts_of(np.array([0, 119, 120, 298, 299])).tolist() == [1, 1, 3, 3, 4]


def test_the_ids_of_a_whole_run_are_looked_for_some_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = sorted(make_id(number) for number in range(20_000))
    numbers, keys = numbers_in(tmp_path, ids, []), keys_of(ids)
    monkeypatch.setattr(module, "IDS_AT_ONCE", 999)
    tracemalloc.start()
    found = numbers.find(keys)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    np.testing.assert_array_equal(found, np.arange(len(ids)))
    assert peak < 2 * found.nbytes


def test_ids_that_begin_alike_are_told_apart(tmp_path: Path) -> None:
    ids = ["0" * 31 + digit for digit in "13"]
    numbers = numbers_in(tmp_path, ids, [])
    assert numbers.find(keys_of([ids[1], ids[0], "0" * 31 + "2"])).tolist() == [1, 0, -1]


def test_a_run_without_sentences_has_no_numbers(tmp_path: Path) -> None:
    numbers = numbers_in(tmp_path, [], [])
    assert len(numbers) == 0
    assert numbers.find(keys_of([make_id("a")])).tolist() == [-1]


def test_numbers_are_written_part_by_part_as_if_at_once(tmp_path: Path) -> None:
    sizes = [50_000] * 12 + [0, 7]
    starts = [0, *accumulate(sizes)]

    def part(number: int) -> tuple[NDArray[np.int32], NDArray[np.uint64]]:
        random = np.random.default_rng(number)
        return random.integers(0, 99, sizes[number], np.int32), random.integers(
            0, 1 << 60, (2, sizes[number]), np.uint64
        )

    tracemalloc.start()
    write_numbers(tmp_path / "numbers", starts, (part(number) for number in range(len(sizes))))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 * 20 * max(sizes)  # of twelve parts of 20 bytes a sentence
    parts = [part(number) for number in range(len(sizes))]
    for name, expected in (
        ("norms.npy", np.concatenate([norms for norms, _ in parts])),
        ("keys.npy", np.concatenate([keys for _, keys in parts], axis=1)),
    ):
        np.save(tmp_path / name, expected)
        assert (tmp_path / "numbers" / name).read_bytes() == (tmp_path / name).read_bytes()


scores = st.lists(st.integers(0, 20).map(lambda number: number / 10), max_size=60)


@given(scores, st.lists(st.integers(0, 20).map(lambda number: number / 10), unique=True, max_size=5))
def test_rows_sorted_range_by_range_are_sorted(values: list[float], cuts: list[float]) -> None:
    bounds = Bounds(tuple(sorted(cuts, reverse=True)))
    table = pa.table(
        {
            "range": bounds.ranges_of(np.array(values)),
            "first": pa.array(values, pa.float64()),
            "second": pa.array([-value for value in values], pa.float64()),
            "pair_id": [f"{place:03d}" for place in range(len(values))],
        }
    )
    ranged = []
    for number in range(len(cuts) + 1):
        rows = table.filter(pa.array(np.asarray(table.column("range")) == number))
        ranged += rows.take(in_order(rows)).column("pair_id").to_pylist()
    assert ranged == table.take(in_order(table)).column("pair_id").to_pylist()
