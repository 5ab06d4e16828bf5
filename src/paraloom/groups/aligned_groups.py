"""Aligned documents in, groups out: two rows a pair, and of films a pair of every part, of which some are kept.

Which pairs of versions of a film are read is settled here, for it takes their times: where these do not fit each other,
the next best pair has its turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from paraloom.engine.rows import Members
from paraloom.groups.alignment_options import AlignmentOptions
from paraloom.groups.by_alignment import ALIGNED, ENOUGH_OF_WORK, Aligned
from paraloom.groups.caption_anchors import Timed
from paraloom.groups.caption_times import is_doubled, time_map
from paraloom.groups.film_parts import Part, chosen_parts, film_parts
from paraloom.groups.part_options import PartOptions
from paraloom.tables import Cue, Group, make_id

if TYPE_CHECKING:
    import pyarrow as pa

FILM = "subtitle"
OTHER_ROUND = "read in another round"
OTHER_PART = "another part was drawn"
DOUBLED = "captions that lie on one another in one of them"
NO_COMMON_TIME = "times that do not fit each other"
NEVER_TOGETHER = "nothing is said in both at the same time"
TOPIC = "others"
"""What aligned documents are about is not known."""

CAPTIONS = ("work_id", "document_id", "start", "end", "text", "begins_at", "ends_at")

Cues = Mapping[str, Sequence[Cue]]
"""The captions of a film's versions, by document."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """A version of a film that is in a pair which may be read."""

    document_id: str
    work_id: str


class _Meant(NamedTuple):
    """What of two documents belongs to a group, and why it is left out if it is."""

    pair: Aligned
    name: str
    left: tuple[int | None, int | None] = (None, None)
    right: tuple[int | None, int | None] = (None, None)
    dropped_for: str | None = None


def versions_of_film(work_id: str, pairs: Members) -> Iterator[Version]:
    """Whose captions are wanted: every version once, however many pairs it is in."""
    if pairs["document_kind"][0] == FILM:
        for document_id in sorted({*pairs["left_id"], *pairs["right_id"]}):
            yield Version(document_id=document_id, work_id=work_id)


def groups_of_work(
    work_id: str,
    pairs: Members,
    captions: Members,
    *,
    alignment: AlignmentOptions,
    parts: PartOptions,
    works: frozenset[str] | None = None,
) -> Iterator[Group]:
    """The groups of one work, or of one pair of articles; `works` are the films of this round, None: all.

    Wanted of the captions: document_id, start, end, text, begins_at, ends_at.
    """
    names = [name for name in Aligned.__dataclass_fields__ if name != "work_id"]
    rows = [
        Aligned(work_id=work_id, **dict(zip(names, values, strict=True)))
        for values in zip(*(pairs[name] for name in names), strict=True)
    ]
    may_be_taken = sorted(
        (pair for pair in rows if pair.dropped_for is None), key=lambda pair: (pair.rank, pair.group_id)
    )
    for pair in rows:
        if pair.dropped_for is not None:
            yield from _both(_Meant(pair, pair.group_id, dropped_for=pair.dropped_for))
    if may_be_taken and may_be_taken[0].document_kind == FILM:
        settled = _film(may_be_taken, _cues(captions), alignment.most_pairs(FILM), parts, works)
    else:
        settled = (_whole(pair, parts) for pair in may_be_taken)
    for meant in settled:
        yield from _both(meant)


def leave_to_another_round(groups: pa.Table, *, works: frozenset[str]) -> pa.Table:
    """The same rows, of which none is kept whose film is not among `works`."""
    import pyarrow as pa

    reasons = [
        OTHER_ROUND if reason is None and key not in works else reason
        for key, reason in zip(*(groups.column(name).to_pylist() for name in ("key", "dropped_for")), strict=True)
    ]
    place = groups.schema.get_field_index("dropped_for")
    return groups.set_column(place, groups.schema.field(place), pa.array(reasons, pa.string()))


def _both(meant: _Meant) -> Iterator[Group]:
    pair = meant.pair
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


def _whole(pair: Aligned, options: PartOptions) -> _Meant:
    """Documents that are read from beginning to end, in the first round, or their headings."""
    begin = None if pair.left_end is None else 0
    reason = OTHER_ROUND if options.round > 1 else None
    return _Meant(pair, pair.group_id, (begin, pair.left_end), (begin, pair.right_end), reason)


def _film(
    pairs: Sequence[Aligned], cues: Cues, most: int, options: PartOptions, works: frozenset[str] | None
) -> Iterator[_Meant]:
    """The parts of the best pairs of versions whose times fit, the best first; the others with a reason."""
    key = pairs[0].key
    fitting: list[tuple[Aligned, Sequence[Part]]] = []
    taken = 0
    for pair in pairs:
        if taken == most:
            yield _Meant(pair, pair.group_id, dropped_for=ENOUGH_OF_WORK)
            continue
        found = _parts_of_film(pair, cues, options) if works is None or key in works else OTHER_ROUND
        if isinstance(found, str):
            yield _Meant(pair, pair.group_id, dropped_for=found)
        elif found is None:
            yield _whole(pair, options)
        else:
            fitting.append((pair, found))
        taken += found not in (DOUBLED, NO_COMMON_TIME, NEVER_TOGETHER)
    drawn = chosen_parts(
        key,
        [len(parts) for _, parts in fitting],
        round=options.round,
        per_round=options.parts_per_work,
        seed=options.part_seed,
    )
    for place, (pair, parts) in enumerate(fitting):
        for part in parts:
            reason = None if (place, part.number) in drawn else OTHER_PART
            yield _Meant(pair, make_id(pair.group_id, *part.left, *part.right), part.left, part.right, reason)


def _parts_of_film(pair: Aligned, cues: Cues, options: PartOptions) -> Sequence[Part] | str | None:
    """What two versions say in each part of the film, or why nobody knows; None: neither has captions."""
    left, right = (cues.get(document_id, ()) for document_id in (pair.left_id, pair.right_id))
    if not left and not right:
        return None
    shown = _timed(left), _timed(right)
    if any(map(is_doubled, shown)):
        return DOUBLED
    times = time_map(*shown)
    if not times.is_sure:
        return NO_COMMON_TIME
    return film_parts(left, right, times, minutes=options.part_minutes).parts or NEVER_TOGETHER


def _cues(captions: Members) -> Cues:
    columns = ("document_id", "start", "end", "text", "begins_at", "ends_at")
    found: dict[str, list[Cue]] = {}
    for row in zip(*(captions[name] for name in columns), strict=True):
        cue = Cue(**dict(zip(columns, row, strict=True)))
        found.setdefault(cue.document_id, []).append(cue)
    return {document_id: sorted(cues, key=lambda cue: cue.start) for document_id, cues in found.items()}


def _timed(cues: Sequence[Cue]) -> list[Timed]:
    return sorted(Timed(cue.begins_at, cue.ends_at, cue.text) for cue in cues)
