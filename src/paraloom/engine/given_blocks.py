"""A file of pairs in, its rows out block by block: memory stays flat however long the file is.

A first pass (`survey_pairs`) learns what must be known before any work begins: the columns, how many rows there are,
what is wrong with some of them. So a file that cannot be read is refused at once, never half-way; and a row that
cannot be read is a row with a reason, in its place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.engine.given import format_of
from paraloom.engine.given_lines import READERS, GivenRow, TextSource
from paraloom.engine.signatures import hash_of_file
from paraloom.errors import InputError
from paraloom.text.counted import counted

if TYPE_CHECKING:
    import pyarrow as pa

SIDES = ("left", "right")
CHARACTERS_AT_ONCE = 16 << 20
"""A block ends early where its texts are longer than this together."""

TABLES = ("tsv", "csv")
"""Formats whose rows are cells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """What is known of a file of pairs before its rows are worked on."""

    path: Path
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

        >>> survey = Survey(path=Path("a.tsv"), format="tsv", names=("left", "right", "id", "id"), places={}, rows=0,
        ...     has_header=True, troubles={}, kinds={}, notes=(), digest="")
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


def survey_pairs(path: Path, columns: Mapping[str, str] | None = None, format: str | None = None) -> Survey:
    """Read a file once to learn what it holds.

    `columns` says where left and right lie: our name → the file's name, or its number from 1. A CSV file has a
    header. A TSV file's first line is one if it holds both names; else its first two columns are taken.
    """
    if not path.is_file():
        raise InputError(f"There is no file {path}. Check the path.")
    columns = dict(columns or {})
    if unknown := next((ours for ours in columns if ours not in SIDES), None):
        raise InputError(f"--columns {unknown}=… says nothing here: only left and right are read. Leave it out.")
    format = format or format_of(path)
    if format == "parquet":
        from paraloom.engine.given_parquet import survey_parquet

        return survey_parquet(path, columns)
    source = TextSource.open(path)
    survey = _survey_table if format in TABLES else _survey_objects
    return survey(path, format, source, columns)


def read_blocks(survey: Survey, rows_at_once: int) -> Iterator[Block]:
    """All rows of a surveyed file, in their order."""
    if survey.format == "parquet":
        from paraloom.engine.given_parquet import parquet_blocks

        yield from parquet_blocks(survey, rows_at_once)
        return
    block, characters = Block(), 0
    rows = READERS[survey.format](TextSource.open(survey.path))
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


def _survey_table(path: Path, format: str, source: TextSource, columns: Mapping[str, str]) -> Survey:
    rows = READERS[format](source)
    first = next(rows, None)
    if first is None:
        raise InputError(f"{path} is empty. Give a file with at least one row.")
    names = [name.strip() for name in first.cells]
    has_header = format == "csv" or _is_header(names, columns)
    if not has_header:
        names = [str(number) for number in range(1, len(names) + 1)]
    places = places_of(path, names, columns, named=has_header)
    if not has_header:
        for side, place in places.items():
            names[place] = side
    troubles: Counter[str] = Counter()
    count = 0
    for row in rows if has_header else _again(first, rows):
        count += 1
        if trouble := _pair_of_cells(row, len(names), places)[1]:
            troubles[trouble] += 1
    return Survey(
        path=path,
        format=format,
        names=tuple(names),
        places=places,
        has_header=has_header,
        rows=count,
        troubles=troubles,
        kinds=dict.fromkeys(names, "text"),
        notes=(*_about_first_line(path, columns, has_header), *_about_encoding(source)),
        digest=hash_of_file(path),
    )


def _is_header(names: Sequence[str], columns: Mapping[str, str]) -> bool:
    """Whether a first line names columns: the texts' own names are there, or names were asked for."""
    own = [side for side in SIDES if side not in columns]
    by_name = any(not theirs.isdigit() for theirs in columns.values())
    return by_name or set(SIDES) <= set(names) or bool(own and set(own) <= set(names))


def _again(first: GivenRow, rest: Iterator[GivenRow]) -> Iterator[GivenRow]:
    yield first
    yield from rest


def places_of(
    path: Path, names: Sequence[str], columns: Mapping[str, str], *, named: bool = True, numbers: bool = True
) -> dict[str, int]:
    """Where the two texts lie among the columns; where nothing is `named`, in the first two."""
    places = {}
    for number, side in enumerate(SIDES):
        asked = columns.get(side, side)
        if numbers and asked.isdigit() and 1 <= int(asked) <= len(names):
            places[side] = int(asked) - 1
        elif names.count(asked) > 1:
            raise InputError(
                f"{path} has several columns called {asked!r}. Rename all but one, or say which it is by its "
                f"number: --columns {side}=NUMBER."
            )
        elif asked in names:
            places[side] = list(names).index(asked)
        elif not named and not columns and number < len(names):
            places[side] = number
        else:
            raise InputError(
                f"{path} has no column {asked!r}; it has {', '.join(names) or 'none'}. "
                "Rename it, or say which it is: --columns left=COLUMN right=COLUMN "
                f"(a name{' or a number from 1' if numbers else ''})."
            )
    if places["left"] == places["right"]:
        raise InputError(f"--columns takes one column of {path} for both texts. Name two.")
    return places


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


def _survey_objects(path: Path, format: str, source: TextSource, columns: Mapping[str, str]) -> Survey:
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
        raise InputError(f"{path} is empty. Give a file with at least one row.")
    names = tuple(kinds)
    return Survey(
        path=path,
        format=format,
        names=names,
        places=places_of(path, names, columns, numbers=False),
        has_header=True,
        rows=count,
        troubles=troubles,
        kinds={name: kind or "text" for name, kind in kinds.items()},
        notes=tuple(_about_encoding(source)),
        digest=hash_of_file(path),
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


def _about_first_line(path: Path, columns: Mapping[str, str], has_header: bool) -> Iterator[str]:
    if not has_header:
        taken = [columns.get(side, str(number)) for number, side in enumerate(SIDES, start=1)]
        yield (
            f"The first line of {path.name} does not name the columns left and right, so it is read as a pair; columns "
            f"{taken[0]} and {taken[1]} are taken for them."
        )


def _about_encoding(source: TextSource) -> Iterator[str]:
    if source.encoding != "utf-8":
        yield f"{source.path.name} was read as {source.encoding.upper()}; what is written is UTF-8."
    if source.seen.recoded:
        lines = "1 line is" if source.seen.recoded == 1 else f"{source.seen.recoded:,} lines are"
        yield (
            f"{source.path.name}: {lines} not UTF-8 (the first is line {source.seen.first_recoded}) and read as "
            "Windows-1252. If that is wrong, save the file as UTF-8 and run again."
        )
