"""A file of pairs in, its rows out block by block: memory stays flat however long the file is.

A first pass (`survey_pairs`) learns what must be known before any work begins: the columns, how many rows there are,
what is wrong with some of them. So a file that cannot be read is refused at once, never half-way; and a row that
cannot be read is a row with a reason, in its place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.engine.given import check_file, format_of
from paraloom.engine.given_columns import LOOKED_AT, SIDES, about_first_line, column_of_numbers, is_header, places_of
from paraloom.engine.given_lines import READERS, GivenRow, TextSource
from paraloom.engine.signatures import hash_of_file
from paraloom.errors import InputError
from paraloom.text.counted import counted

if TYPE_CHECKING:
    import pyarrow as pa

CHARACTERS_AT_ONCE = 16 << 20
"""A block ends early where its texts are longer than this together."""

TABLES = ("tsv", "csv")
"""Formats whose rows are cells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """What is known of a file of pairs before its rows are worked on."""

    path: Path
    called: str
    """What its owner knows it by: its path, or standard input."""
    format: str
    names: tuple[str, ...]
    """Its columns, in their order; of a file without a header `left`, `right` and numbers."""
    places: Mapping[str, int]
    """Which column is the left text and which the right one."""
    has_header: bool
    rows: int
    troubles: Mapping[str, int]
    """Why rows cannot be read as pairs, and how many."""
    kinds: Mapping[str, str]
    """Of JSON: the kind of all values of a column (`text`, `integer`, `number`, `truth`, or `any`)."""
    notes: tuple[str, ...]
    """What was decided about the file that its owner should know."""
    digest: str
    """Hash of the file."""

    @property
    def distinct_names(self) -> list[str]:
        """Names of columns, later ones of one name with a number: where a column is known by its name alone.

        >>> survey = Survey(path=Path("a.tsv"), called="a.tsv", format="tsv", names=("left", "right", "id", "id"),
        ...     places={}, rows=0, has_header=True, troubles={}, kinds={}, notes=(), digest="")
        >>> survey.distinct_names
        ['left', 'right', 'id', 'id.2']
        """
        times: Counter[str] = Counter()
        distinct = []
        for name in self.names:
            times[name] += 1
            distinct.append(name if times[name] == 1 else f"{name}.{times[name]}")
        return distinct


@dataclass(slots=True, kw_only=True)
class Block:
    """Some rows of a file, in their order."""

    left: list[str] = field(default_factory=list)
    """Empty where the row is in trouble."""
    right: list[str] = field(default_factory=list)
    troubles: list[str | None] = field(default_factory=list)
    """Why a row is no pair; None where it is one."""
    rows: list[GivenRow] = field(default_factory=list)
    """The rows of a text file, those of TSV and CSV with as many cells as there are columns."""
    table: pa.Table | None = None
    """The rows of a Parquet file."""

    def __len__(self) -> int:
        return len(self.troubles)

    def add(self, row: GivenRow, pair: tuple[str, str], trouble: str | None) -> None:
        self.rows.append(row)
        self.left.append("" if trouble else pair[0])
        self.right.append("" if trouble else pair[1])
        self.troubles.append(trouble)


def survey_pairs(
    path: Path, columns: Mapping[str, str] | None = None, format: str | None = None, called: str | None = None
) -> Survey:
    """Read a file once to learn what it holds.

    `columns` says where left and right lie: our name → the file's name, or its number from 1. A CSV file has a
    header. A TSV file's first line is one if it holds both names; else its first two columns are taken. Where they
    are given by number, the first line is also one if a column has a word there and numbers below. `called` is what
    errors call the file.
    """
    check_file(path)
    columns = dict(columns or {})
    if unknown := next((ours for ours in columns if ours not in SIDES), None):
        raise InputError(f"--columns {unknown}=… says nothing here: only left and right are read. Leave it out.")
    format = format or format_of(path)
    if format == "parquet":
        from paraloom.engine.given_parquet import survey_parquet

        return survey_parquet(path, columns, called or str(path))
    source = TextSource.open(path, called)
    survey = _survey_table if format in TABLES else _survey_objects
    return survey(format, source, columns)


def read_blocks(survey: Survey, rows_at_once: int) -> Iterator[Block]:
    """All rows of a surveyed file, in their order."""
    if survey.format == "parquet":
        from paraloom.engine.given_parquet import parquet_blocks

        yield from parquet_blocks(survey, rows_at_once)
        return
    block, characters = Block(), 0
    rows = READERS[survey.format](TextSource.open(survey.path, survey.called))
    if survey.has_header and survey.format in TABLES:
        next(rows)
    for row in rows:
        if survey.format in TABLES:
            pair, trouble = _pair_of_cells(row, len(survey.names), survey.places)
            if len(row.cells) != len(survey.names):
                row = row._replace(cells=_fitted(row.cells, len(survey.names), survey.format))
        else:
            pair, trouble = _pair_of_values(row, survey)
        block.add(row, pair, trouble)
        characters += len(row.raw)
        if len(block) >= rows_at_once or characters > CHARACTERS_AT_ONCE:
            yield block
            block, characters = Block(), 0
    if len(block):
        yield block


def _survey_table(format: str, source: TextSource, columns: Mapping[str, str]) -> Survey:
    rows = READERS[format](source)
    first = next(rows, None)
    if first is None:
        raise InputError(f"{source.called} is empty. Give a file with at least one row.")
    if first.trouble:
        raise InputError(
            f"{source.called}, line {first.line}: the first row cannot be read ({first.trouble}), so it is not known "
            "what the columns are. Mend that line."
        )
    names = [name.strip() for name in first.cells]
    behind = list(islice(rows, LOOKED_AT))
    rows = chain(behind, rows)
    above_numbers = column_of_numbers(names, behind) if columns and format == "tsv" else None
    named = format == "csv" or is_header(names, columns)
    has_header = named or above_numbers is not None
    if not has_header:
        names = [str(number) for number in range(1, len(names) + 1)]
    places = places_of(source.called, names, columns, named=has_header)
    if not has_header:
        for side, place in places.items():
            names[place] = side
    troubles: Counter[str] = Counter()
    count = 0
    for row in rows if has_header else chain([first], rows):
        count += 1
        if trouble := _pair_of_cells(row, len(names), places)[1]:
            troubles[trouble] += 1
    about_header = () if named else about_first_line(source.called, columns, above_numbers)
    return Survey(
        path=source.path,
        called=source.called,
        format=format,
        names=tuple(names),
        places=places,
        has_header=has_header,
        rows=count,
        troubles=troubles,
        kinds=dict.fromkeys(names, "text"),
        notes=(*about_header, *source.notes()),
        digest=hash_of_file(source.path),
    )


def _pair_of_cells(row: GivenRow, width: int, places: Mapping[str, int]) -> tuple[tuple[str, str], str | None]:
    if row.trouble:
        return ("", ""), f"bad_row: {row.trouble}"
    if len(row.cells) != width:
        return ("", ""), f"bad_row: {counted(len(row.cells), 'column', 'columns')} instead of {width}"
    return (row.cells[places["left"]], row.cells[places["right"]]), None


def _fitted(cells: list[str], width: int, format: str) -> list[str]:
    """As many cells as there are columns: what is missing is empty, what is too much stands in the last one."""
    if len(cells) <= width:
        return cells + [""] * (width - len(cells))
    joined = (" " if format == "tsv" else ",").join(cells[width - 1 :])
    return [*cells[: width - 1], joined]


def _survey_objects(format: str, source: TextSource, columns: Mapping[str, str]) -> Survey:
    kinds: dict[str, str] = {}
    keys = {side: columns.get(side, side) for side in SIDES}
    troubles: Counter[str] = Counter()
    count = 0
    for row in READERS[format](source):
        count += 1
        for name, value in row.values.items():
            kind = _kind(value)
            if value is not None and kinds.get(name) != kind:
                kinds[name] = _common_kind(kinds.get(name), kind)
            kinds.setdefault(name, "")
        if trouble := _trouble_of_values(row, keys):
            troubles[trouble] += 1
    if not count:
        raise InputError(f"{source.called} is empty. Give a file with at least one row.")
    names = tuple(kinds)
    return Survey(
        path=source.path,
        called=source.called,
        format=format,
        names=names,
        places=places_of(source.called, names, columns, numbers=False),
        has_header=True,
        rows=count,
        troubles=troubles,
        kinds={name: kind or "text" for name, kind in kinds.items()},
        notes=tuple(source.notes()),
        digest=hash_of_file(source.path),
    )


_KINDS = {str: "text", bool: "truth", int: "integer", float: "number"}


def _kind(value: object) -> str:
    if type(value) is int and not -(2**63) <= value < 2**63:
        return "any"
    return _KINDS.get(type(value), "any")


def _common_kind(one: str | None, other: str) -> str:
    if not one or one == other:
        return other
    return "number" if {one, other} == {"integer", "number"} else "any"


def _trouble_of_values(row: GivenRow, keys: Mapping[str, str]) -> str | None:
    if row.trouble:
        return f"bad_row: {row.trouble}"
    for side in SIDES:
        value = row.values.get(keys[side])
        if value is None:
            return f"bad_row: no {side}"
        if not isinstance(value, str):
            return f"bad_row: {side} is no text"
    return None


def _pair_of_values(row: GivenRow, survey: Survey) -> tuple[tuple[str, str], str | None]:
    keys = {side: survey.names[place] for side, place in survey.places.items()}
    trouble = _trouble_of_values(row, keys)
    return (("", "") if trouble else (row.values[keys["left"]], row.values[keys["right"]])), trouble
