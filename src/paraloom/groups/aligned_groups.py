"""Aligned documents in, groups out: two rows a pair, and of films a pair of every part, of which some are kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from paraloom.engine.rows import Members
from paraloom.groups.by_alignment import ALIGNED, Aligned
from paraloom.groups.caption_anchors import Timed
from paraloom.groups.caption_times import time_map
from paraloom.groups.film_parts import chosen_parts, film_parts
from paraloom.groups.part_options import PartOptions
from paraloom.tables import Cue, Group, make_id

if TYPE_CHECKING:
    import pyarrow as pa

OTHER_ROUND = "read in another round"
OTHER_PART = "another part was drawn"
NO_COMMON_TIME = "times that do not fit each other"
NEVER_TOGETHER = "nothing is said in both at the same time"
TOPIC = "others"
"""What aligned documents are about is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One document of a pair."""

    document_id: str
    group_id: str
    is_left: bool


class _Meant(NamedTuple):
    """What of two documents belongs to a group, and why it is left out if it is."""

    name: str
    left: tuple[int | None, int | None] = (None, None)
    right: tuple[int | None, int | None] = (None, None)
    dropped_for: str | None = None


def sides(pairs: pa.Table) -> pa.Table:
    """A row for either document of every pair."""
    import pyarrow as pa

    tables = [
        pa.table(
            {
                "document_id": pairs.column(f"{side}_id"),
                "group_id": pairs.column("group_id"),
                "is_left": pa.array([side == "left"] * len(pairs), pa.bool_()),
            }
        )
        for side in ("left", "right")
    ]
    return pa.concat_tables(tables)


def groups_of_pair(
    group_id: str, pairs: Members, captions: Members, *, options: PartOptions, works: frozenset[str] | None = None
) -> Iterator[Group]:
    """The groups of one pair of documents; `works` are the films of this round, None: all.

    Wanted of the captions: is_left, start, end, text, begins_at, ends_at.
    """
    columns = [name for name in Aligned.__dataclass_fields__ if name != "group_id"]
    pair = Aligned(group_id=group_id, **{name: pairs.only(name) for name in columns})
    for meant in _meant(pair, captions, options, works):
        for is_left, document_id in ((True, pair.left_id), (False, pair.right_id)):
            start, end = meant.left if is_left else meant.right
            yield Group(
                group_id=meant.name,
                document_id=document_id,
                kind=ALIGNED,
                key=pair.key,
                is_origin=is_left,
                topic=TOPIC,
                created_at=pair.created_at,
                size=2,
                start=start,
                end=end,
                similarity=pair.likeness,
                dropped_for=meant.dropped_for,
            )


def _meant(pair: Aligned, captions: Members, options: PartOptions, works: frozenset[str] | None) -> Iterator[_Meant]:
    is_film = pair.document_kind == "subtitle" and len(captions) > 0
    if pair.dropped_for is not None:
        yield _Meant(pair.group_id, dropped_for=pair.dropped_for)
    elif not is_film:
        reason = OTHER_ROUND if options.round > 1 else None
        heading = pair.left_end is not None
        yield _Meant(
            pair.group_id,
            (0 if heading else None, pair.left_end),
            (0 if heading else None, pair.right_end),
            dropped_for=reason,
        )
    elif works is not None and pair.key not in works:
        yield _Meant(pair.group_id, dropped_for=OTHER_ROUND)
    else:
        yield from _parts_of_film(pair, captions, options)


def _parts_of_film(pair: Aligned, captions: Members, options: PartOptions) -> Iterator[_Meant]:
    left, right = _cues(captions, is_left=True), _cues(captions, is_left=False)
    times = time_map(_timed(left), _timed(right))
    if not times.is_sure:
        yield _Meant(pair.group_id, dropped_for=NO_COMMON_TIME)
        return
    parts = film_parts(left, right, times, minutes=options.part_minutes).parts
    if not parts:
        yield _Meant(pair.group_id, dropped_for=NEVER_TOGETHER)
        return
    drawn = chosen_parts(
        pair.key, len(parts), round=options.round, per_round=options.parts_per_work, seed=options.part_seed
    )
    for part in parts:
        name = make_id(pair.group_id, part.number)
        yield _Meant(name, part.left, part.right, None if part.number in drawn else OTHER_PART)


def _cues(captions: Members, *, is_left: bool) -> list[Cue]:
    columns = ("start", "end", "text", "begins_at", "ends_at")
    rows = zip(captions["is_left"], *(captions[name] for name in columns), strict=True)
    found = [Cue(document_id="", **dict(zip(columns, row, strict=True))) for side, *row in rows if side is is_left]
    return sorted(found, key=lambda cue: cue.start)


def _timed(cues: list[Cue]) -> list[Timed]:
    return sorted(Timed(cue.begins_at, cue.ends_at, cue.text) for cue in cues)
