"""Which index is chosen, why, and what it takes."""

from __future__ import annotations

import pytest

from paraloom.errors import InputError
from paraloom.models.neighbours.choice import (
    Choice,
    calibrated_speed,
    choose_index,
    packed_width,
    room_needed,
    rooms_of,
    work_of,
)

CHOICES = [
    (0, 128, "exact", "int8", 0, False),
    (1, 128, "exact", "int8", 0, False),
    (80_000, 256, "exact", "int8", 0, False),
    (300_000, 256, "ivf", "int8", 2048, False),
    (10_000_000, 256, "ivf", "int8", 16_384, False),
    (400_000_000, 256, "ivf", "int8", 131_072, False),
    (4_000_000_000, 256, "ivf", "int8", 524_288, True),
]


@pytest.mark.parametrize(("sentences", "dims", "kind", "codes", "lists", "has_graph"), CHOICES)
def test_all_are_compared_with_all_for_two_minutes_and_lists_made_beyond(
    sentences, dims, kind, codes, lists, has_graph
) -> None:
    choice = choose_index(sentences, dims, speed=100.0)
    assert (choice.kind, choice.codes, choice.lists, choice.has_graph) == (kind, codes, lists, has_graph)
    assert f"{sentences:,} sentences" in choice.reason


def test_a_slower_machine_makes_lists_earlier_and_a_wish_overrules() -> None:
    assert choose_index(100_000, 256, speed=10.0).kind == "ivf"
    assert choose_index(100_000, 256, speed=10.0, kind="exact").kind == "exact"
    assert choose_index(1000, 256, speed=100.0, kind="ivf").lists == 8
    assert choose_index(0, 256, speed=100.0, kind="ivf").lists == 1


def test_codes_are_cut_where_disk_is_short() -> None:
    roomy = choose_index(10_000_000, 128, speed=100.0, disk=100 << 30)
    short = choose_index(10_000_000, 128, speed=100.0, disk=1 << 30)
    assert (roomy.codes, roomy.width) == ("int8", 128)
    assert (short.codes, short.width) == ("pq", 32)
    assert "disk is short" in short.reason
    assert room_needed(short, 10) < room_needed(roomy, 10)


def test_codes_are_cut_exactly_where_whole_ones_do_not_fit() -> None:
    whole = choose_index(10_000_000, 128, speed=100.0, neighbours=8)
    needed = room_needed(whole, 8)
    for disk, codes in ((needed, "int8"), (needed - 1, "pq")):
        assert choose_index(10_000_000, 128, speed=100.0, neighbours=8, disk=disk).codes == codes
        assert choose_index(10_000_000, 128, speed=100.0, neighbours=8, disk=disk, codes="int8").codes == "int8"
    assert choose_index(10_000_000, 128, speed=100.0, neighbours=20, disk=needed).codes == "pq"  # more to be kept


def test_codes_are_cut_where_memory_would_not_hold_whole_ones() -> None:
    index = rooms_of(choose_index(10_000_000, 128, speed=100.0), 8)["index"].kept
    roomy, short = (choose_index(10_000_000, 128, speed=100.0, memory=memory) for memory in (index, index - 1))
    assert (roomy.codes, short.codes) == ("int8", "pq")
    assert "memory is short" in short.reason


REASONS = [
    ({}, "Comparing all 10,000,000 sentences with all would take"),
    ({"kind": "ivf"}, "10,000,000 sentences lie in 16,384 lists"),
    ({"kind": "ivf", "disk": 1}, "codes are cut to 32 bytes, for disk is short."),
    ({"kind": "ivf", "codes": "pq"}, "codes are cut to 32 bytes."),
]


@pytest.mark.parametrize(("asked", "told"), REASONS)
def test_the_reason_says_what_was_measured_and_what_was_short(asked, told) -> None:
    assert told in choose_index(10_000_000, 128, speed=100.0, **asked).reason


@pytest.mark.parametrize(("dims", "width"), [(128, 32), (300, 75), (7, 1), (1, 1), (100, 25), (10, 2)])
def test_pieces_cut_the_dimensions_evenly(dims: int, width: int) -> None:
    assert packed_width(dims) == width


def test_work_counts_the_products_that_are_made() -> None:
    exact = work_of(Choice(kind="exact", sentences=1000, dims=10, width=10), 0, k=5)
    assert exact.flop_search == 2 * 1000 * 1000 * 10
    lists = Choice(kind="ivf", sentences=1_000_000, dims=10, width=10, lists=1000, cells=8)
    some, more = work_of(lists, 10), work_of(lists, 20)
    assert some.flop_assign == 2 * 1_000_000 * 1000 * 10
    assert some.flop_find == more.flop_find == 2 * 1_000_000 * 2 * 1000 * 10
    assert some.flop_search == 2 * 1_000_000 * 10 * 1000 * 10
    assert more.flop_search == 2 * 1_000_000 * 20 * 1000 * 10


def test_every_byte_of_a_folder_is_counted() -> None:
    exact = rooms_of(Choice(kind="exact", sentences=1000, dims=10, width=10), 5)
    assert [(room.kept, room.aside) for room in exact.values()] == [
        (1000 * (10 + 20), 0),
        (0, 0),
        (1000 * (4 + 5 * 8 + 4), 0),
        (0, 1000 * 5 * 16),
    ]
    lists = rooms_of(Choice(kind="ivf", sentences=1000, dims=10, width=5, lists=8, cells=2), 5)
    assert [(room.kept, room.aside) for room in lists.values()] == [
        (1000 * (10 + 20), 0),
        (1000 * (5 + 8) + 8 * 10, 1000 * (5 + 8)),  # rows by part, until they are gathered by list
        (1000 * (4 + 5 * 8 + 4), 1000 * (2 * (4 + 16 * 8) + 16 * 12 + (16 + 16 + 1) * 4)),  # two generations, the
        # edges of one, links, and places
        (0, 1000 * 5 * 16),
    ]
    many = rooms_of(Choice(kind="ivf", sentences=1 << 31, dims=10, width=10, lists=8, cells=2), 5)
    assert many["neighbours"].kept == (1 << 31) * (8 + 5 * 12 + 4)  # numbers of eight bytes


def test_memory_does_not_grow_with_sentences_but_by_the_sample_for_centroids() -> None:
    some, many = (work_of(choose_index(count, 128, speed=100.0), 64) for count in (10_000_000, 400_000_000))
    assert some.memory_learn < 1 << 30
    assert many.memory_learn < 2 << 30
    assert many.memory_search < 1.2 * some.memory_search < 1 << 30


def test_many_neighbours_of_neighbours_are_more_than_a_cell() -> None:
    choice = choose_index(10_000_000, 256, speed=100.0)
    assert work_of(choice, 8, k=60).memory_search > 1.5 * work_of(choice, 8, k=30).memory_search


def test_the_speed_of_this_machine_is_measured() -> None:
    assert 0.05 < calibrated_speed(64, seconds=0.05) < 10_000


def test_too_many_dimensions_are_refused_before_anything_is_made() -> None:
    with pytest.raises(InputError, match="2000 dimensions"):
        choose_index(10, 2000, speed=100.0)
