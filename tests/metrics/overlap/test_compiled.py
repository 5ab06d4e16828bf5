"""Compiled loops run where nothing can be kept on disk, and in parts on several cores."""

from __future__ import annotations

import threading

import numpy as np

from paraloom.metrics.overlap.compiled import compiled
from paraloom.metrics.parts import of_parts


def test_a_function_that_cannot_be_kept_on_disk_is_compiled_all_the_same():
    names: dict[str, object] = {"compiled": compiled}
    # A function without a file is to numba what a package in a folder without write permission is.
    exec("@compiled\ndef total(numbers):\n    return numbers.sum()\n", names)
    assert names["total"](np.arange(5)) == 10


def test_parts_come_in_order_whichever_is_done_first():
    second_is_done = threading.Event()

    def work(first: int, last: int) -> list[int]:
        if first == 0:
            second_is_done.wait(timeout=0.2)
        else:
            second_is_done.set()
        return list(range(first, last))

    assert of_parts(work, 7, size=3) == [[0, 1, 2], [3, 4, 5], [6]]
    assert of_parts(work, 0) == []
