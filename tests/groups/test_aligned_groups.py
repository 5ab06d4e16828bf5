"""Pairs of documents become groups: of films those whose times fit, in parts; the others have a reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

import pytest

from paraloom.engine.rows import members_of
from paraloom.groups.aligned_groups import (
    DOUBLED,
    NO_COMMON_TIME,
    OTHER_PART,
    OTHER_ROUND,
    groups_of_work,
    versions_of_film,
)
from paraloom.groups.alignment_options import AlignmentOptions
from paraloom.groups.by_alignment import ENOUGH_OF_WORK, TOO_ALIKE, Aligned
from paraloom.groups.part_options import PartOptions
from paraloom.tables import Cue, Group
from tests.groups.made_up_films import Making, cues_of, make_film, make_version

COLUMNS = ("document_id", "start", "end", "text", "begins_at", "ends_at")


def pair(left: str, right: str, rank: int = 0, **more: object) -> Aligned:
    given = {
        "group_id": f"{left}-{right}", "work_id": "work", "family": "f", "document_kind": "subtitle", "key": "film",
        "left_id": left, "right_id": right, "created_at": None, "likeness": 0.5, "left_end": None, "right_end": None,
        "rank": rank, "dropped_for": None,
    }  # fmt: skip
    return Aligned(**(given | more))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def films() -> Mapping[str, Sequence[Cue]]:
    """Versions a, b and c of one film, and a file that is of another one."""
    random = Random(5)
    film, stranger = make_film(random), make_film(random)
    told = {
        "a": (film.left, Making(offset=3)),
        "b": (film.right, Making(offset=40, rate=25 / 23.976)),
        "c": (film.right, Making(offset=-2)),
        "stranger": (stranger.left, Making()),
    }
    return {name: cues_of(make_version(random, lines, making), name)[1] for name, (lines, making) in told.items()}


def groups(
    pairs: Sequence[Aligned],
    cues: Mapping[str, Sequence[Cue]],
    works: frozenset[str] | None = None,
    pairs_per_work: int | None = None,
    **parts: object,
) -> list[Group]:
    names = [name for name in Aligned.__dataclass_fields__ if name != "work_id"]
    wanted = {document for each in pairs for document in (each.left_id, each.right_id)}
    captions = [cue for name, each in cues.items() if name in wanted for cue in each]
    return list(
        groups_of_work(
            "work",
            members_of(**{name: [getattr(each, name) for each in pairs] for name in names}),
            members_of(**{name: [getattr(cue, name) for cue in captions] for name in COLUMNS}),
            alignment=AlignmentOptions(pairs_per_work=pairs_per_work),
            parts=PartOptions(**parts),  # type: ignore[arg-type]
            works=works,
        )
    )


def reasons(found: Sequence[Group]) -> dict[tuple[str, ...], Counter[str | None]]:
    """By the two documents, how often which reason."""
    both: dict[str, list[Group]] = {}
    for row in found:
        both.setdefault(row.group_id, []).append(row)
    told: dict[tuple[str, ...], Counter[str | None]] = {}
    for rows in both.values():
        assert [row.is_origin for row in rows] == [True, False]
        told.setdefault(tuple(row.document_id for row in rows), Counter())[rows[0].dropped_for] += 1
    return told


def test_where_the_times_of_the_best_pair_do_not_fit_the_next_best_is_read(films: Mapping[str, Sequence[Cue]]) -> None:
    pairs = [pair("b", "c", 3), pair("a", "stranger", 0), pair("b", "stranger", 1), pair("a", "b", 2)]
    told = reasons(groups(pairs, films))
    assert told["a", "stranger"] == told["b", "stranger"] == {NO_COMMON_TIME: 1}
    assert told["b", "c"] == {ENOUGH_OF_WORK: 1}
    assert told["a", "b"][None] == 1
    assert set(told["a", "b"]) == {None, OTHER_PART}


def test_a_film_whose_versions_all_do_not_fit_gives_nothing(films: Mapping[str, Sequence[Cue]]) -> None:
    told = reasons(groups([pair("a", "stranger"), pair("b", "stranger", 1)], films))
    assert told == {("a", "stranger"): {NO_COMMON_TIME: 1}, ("b", "stranger"): {NO_COMMON_TIME: 1}}


def test_a_version_whose_captions_lie_on_one_another_has_a_reason_of_its_own_and_does_not_cost_the_film(
    films: Mapping[str, Sequence[Cue]],
) -> None:
    half = films["b"][len(films["b"]) // 2].begins_at
    on_discs = [(cue.begins_at % half, cue) for cue in films["b"]]
    discs = [replace(cue, document_id="discs", begins_at=time, ends_at=time + 3) for time, cue in on_discs]
    at_once = [replace(cue, document_id="at once", begins_at=0.0, ends_at=0.0) for cue in films["b"]]
    pairs = [pair("a", "discs"), pair("at once", "a", 1), pair("a", "stranger", 2), pair("a", "b", 3)]
    told = reasons(groups(pairs, {**films, "discs": discs, "at once": at_once}))
    assert told["a", "discs"] == told["at once", "a"] == {DOUBLED: 1}
    assert told["a", "stranger"] == {NO_COMMON_TIME: 1}
    assert told["a", "b"][None] == 1


def test_a_part_has_a_name_of_its_own_however_the_film_is_cut(films: Mapping[str, Sequence[Cue]]) -> None:
    named: dict[str, tuple[int | None, ...]] = {}
    for minutes in (5.0, 15.0, 1e6):
        found = groups([pair("a", "b")], films, part_minutes=minutes)
        spans: dict[str, list[int | None]] = {}
        for row in found:
            spans.setdefault(row.group_id, []).extend((row.start, row.end))
        for name, span in spans.items():
            assert named.setdefault(name, tuple(span)) == tuple(span)
    assert len(named) > 5


@pytest.mark.parametrize("most_pairs", [1, 2, 3])
def test_a_round_reads_as_many_parts_of_a_film_however_many_pairs_of_versions_there_are(
    films: Mapping[str, Sequence[Cue]], most_pairs: int
) -> None:
    pairs = [pair("a", "b", 0), pair("a", "c", 1), pair("b", "c", 2)]
    read: list[str] = []
    for number in (1, 2, 3):
        found = groups(pairs, films, pairs_per_work=most_pairs, round=number, parts_per_work=1)
        kept = {row.group_id for row in found if row.dropped_for is None}
        assert len(kept) == 1
        read += kept
    assert len(set(read)) == 3


def test_films_of_another_round_are_left_out_and_take_no_time(films: Mapping[str, Sequence[Cue]]) -> None:
    told = reasons(groups([pair("a", "b"), pair("a", "c", 1)], films, works=frozenset({"another film"}), round=2))
    assert told == {("a", "b"): {OTHER_ROUND: 1}, ("a", "c"): {ENOUGH_OF_WORK: 1}}


def test_subtitles_without_times_are_read_whole() -> None:
    (left, right) = groups([pair("x", "y")], {})
    assert (left.start, left.end, right.dropped_for) == (None, None, None)


def test_what_was_left_out_before_keeps_its_reason(films: Mapping[str, Sequence[Cue]]) -> None:
    told = reasons(groups([pair("a", "b"), pair("b", "c", dropped_for=TOO_ALIKE)], films))
    assert told["b", "c"] == {TOO_ALIKE: 1}


def test_translations_and_headings_are_read_in_the_first_round() -> None:
    pairs = [pair(f"x{number}", f"y{number}", number, document_kind="translation") for number in range(3)]
    assert {row.dropped_for for row in groups(pairs, {})} == {None}
    assert {row.dropped_for for row in groups(pairs, {}, round=2)} == {OTHER_ROUND}
    heading = [pair("x", "y", document_kind="article", left_end=7, right_end=9)]
    assert [(row.start, row.end) for row in groups(heading, {})] == [(0, 7), (0, 9)]


def test_captions_are_wanted_once_a_version_and_of_films_only() -> None:
    given = {"document_kind": ["subtitle"] * 2, "left_id": ["a", "a"], "right_id": ["b", "c"]}
    assert [row.document_id for row in versions_of_film("w", members_of(**given))] == ["a", "b", "c"]
    given["document_kind"] = ["article"] * 2
    assert not list(versions_of_film("w", members_of(**given)))
