"""A folder in, a published corpus's files and their rows out. A bad row is counted; a wrong file is an error."""

from __future__ import annotations

import csv
import gzip
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, NamedTuple, cast

import numpy as np

from paraloom.corpus.known.groups import group_name, group_pairs
from paraloom.corpus.known.pairs import KnownPairs
from paraloom.errors import InputError

UNDECIDED = float("nan")
"""The target of a pair that a corpus's authors leave out."""

VOTES_LEFT_OUT = {6: 3, 5: 2}
"""By the number of workers, the votes at which a corpus's authors leave a pair out (Lan et al., 2017; Xu et al., 2015;
Dou et al., 2022)."""

_TWO_NUMBERS = re.compile(r"\(\s*(\d+)\s*,\s*(\d+)\s*\)")

LINE_SHOWN = 60
"""So much of a line is shown where it is not what was expected."""


class BadRow(ValueError):
    """A row that is not in the corpus's form: the reason, in words that can be counted."""


class PairRow(NamedTuple):
    """One row of a corpus's file."""

    left: str
    right: str
    target: float
    votes: tuple[int, int] | None = None
    topic: str | None = None
    grade: str | None = None
    score: float | None = None
    shared: str | None = None
    """What it has in common with other rows beside texts: a link, a topic, a document."""
    further: tuple[PairRow, ...] = ()
    """Pairs that come with this one (a rewritten form of it)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What a corpus's file must look like, for the search and for error messages."""

    form: str
    """In words."""
    first: Callable[[str], bool] = field(default=bool)
    """Whether a file's beginning is of this form."""


def find_file(folder: Path, places: Sequence[str], names: Sequence[str], expected: Expected) -> Path | None:
    """The first of these files: in a sub-folder for the corpus, else in the folder itself if it begins as it must.

    Common names (`train.tsv`) lie in the folder itself of many corpora, so there the beginning decides.
    """
    for place in places:
        for name in names:
            if (file := existing(folder / place / name)) is not None:
                return file
    for name in names:
        if (file := existing(folder / name)) is not None and expected.first(beginning(file)):
            return file
    return None


def existing(file: Path) -> Path | None:
    """The file, or the same one compressed, if it is there."""
    return next((one for one in (file, file.with_name(f"{file.name}.gz")) if one.is_file()), None)


def beginning(file: Path, characters: int = 2000) -> str:
    """The first characters of a file, whatever they are encoded in."""
    with _opened(file) as stream:
        return stream.read(4 * characters).decode("utf-8-sig", "replace")[:characters]


def _opened(file: Path) -> IO[bytes]:
    return cast("IO[bytes]", gzip.open(file)) if file.suffix == ".gz" else file.open("rb")


def lines_of(file: Path) -> Iterator[tuple[int, str | BadRow]]:
    """The lines of a file with their numbers; only line feeds end one. A line that is not UTF-8 is a bad row."""
    with _opened(file) as stream:
        for number, line in enumerate(stream, start=1):
            written = line.removesuffix(b"\n").removesuffix(b"\r")
            try:
                yield number, (written.removeprefix(b"\xef\xbb\xbf") if number == 1 else written).decode("utf-8")
            except UnicodeDecodeError:
                yield number, BadRow("not UTF-8")


Numbered = Iterable[tuple[int, "list[str] | BadRow"]]


def tsv_rows(file: Path) -> Iterator[tuple[int, list[str] | BadRow]]:
    """The cells of a TSV file, line by line. Quotes mean nothing: published files have unbalanced ones."""
    for number, line in lines_of(file):
        if isinstance(line, BadRow):
            yield number, line
        elif line:
            yield number, line.split("\t")


def csv_rows(file: Path) -> Iterator[tuple[int, list[str] | BadRow]]:
    """The cells of a CSV file, row by row, with the line each begins on."""
    with _opened(file) as stream, io.TextIOWrapper(stream, "utf-8-sig", "surrogateescape", newline="") as text:
        reader = csv.reader(text)
        begun = 1
        while True:
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                yield begun, BadRow(f"not CSV: {error}")
            else:
                if any(_is_broken(cell) for cell in cells):
                    yield begun, BadRow("not UTF-8")
                elif cells:
                    yield begun, cells
            begun = reader.line_num + 1


def _is_broken(cell: str) -> bool:
    return not cell.isascii() and any("\udc80" <= character <= "\udcff" for character in cell)


def named_columns(rows: Numbered, file: Path, names: Sequence[str], expected: Expected) -> Numbered:
    """Rows with just these columns, in this order, found by the names in the first row."""
    numbered = iter(rows)
    first = next(numbered, (1, []))[1]
    header = [] if isinstance(first, BadRow) else [name.strip() for name in first]
    if any(name not in header for name in names):
        raise wrong_file(file, expected, "\t".join(header))
    return _chosen(numbered, len(header), [header.index(name) for name in names])


def _chosen(rows: Numbered, width: int, places: Sequence[int]) -> Iterator[tuple[int, list[str] | BadRow]]:
    for number, cells in rows:
        if isinstance(cells, BadRow):
            yield number, cells
        elif len(cells) != width:
            yield number, BadRow(f"{len(cells)} columns instead of {width}")
        else:
            yield number, [cells[place] for place in places]


def wrong_file(file: Path, expected: Expected, seen: str) -> InputError:
    """The error for a file that is not in the corpus's form at all."""
    shown = seen if len(seen) <= LINE_SHOWN else f"{seen[: LINE_SHOWN - 1]}…"
    return InputError(
        f"{file} is not in the published form. Expected: {expected.form}. It begins with: {shown!r}. "
        "Get the file again, or take it out of the folder."
    )


def pairs_of(
    file: Path,
    rows: Numbered,
    parse: Callable[[list[str]], PairRow],
    expected: Expected,
    *,
    by_left: bool = False,
) -> tuple[KnownPairs, tuple[str, ...]]:
    """The pairs of a file and notes on what was left out; with `by_left`, pairs with the same left text are a group."""
    found, notes = parsed_rows(file, rows, parse, expected)
    return as_pairs(found, by_left=by_left), notes


def parsed_rows(
    file: Path, rows: Numbered, parse: Callable[[list[str]], PairRow], expected: Expected
) -> tuple[list[PairRow], tuple[str, ...]]:
    """The good rows of a file and notes on the others. Of a wrong file as many rows are bad as good, or more."""
    found: list[PairRow] = []
    bad: dict[str, list[int]] = {}
    for number, cells in rows:
        try:
            if isinstance(cells, BadRow):
                raise cells
            row = parse(cells)
            found += [row, *row.further]
        except BadRow as reason:
            bad.setdefault(str(reason), []).append(number)
    if sum(map(len, bad.values())) >= len(found):
        raise wrong_file(file, expected, beginning(file, LINE_SHOWN + 1).partition("\n")[0])
    return found, tuple(_notes(file, found, bad))


def as_pairs(rows: Sequence[PairRow], *, by_left: bool = False) -> KnownPairs:
    """Rows as columns; what no row tells is left out."""
    left, right = [row.left for row in rows], [row.right for row in rows]
    shared = [row.shared for row in rows]
    return KnownPairs(
        left=left,
        right=right,
        targets=np.array([row.target for row in rows]),
        groups=[group_name(text) for text in left] if by_left else group_pairs(left, right, shared),
        votes=(np.array([row.votes or (0, 0) for row in rows], np.int64) if any(row.votes for row in rows) else None),
        topics=[row.topic or "" for row in rows] if any(row.topic for row in rows) else None,
        grades=[row.grade or "" for row in rows] if any(row.grade for row in rows) else None,
        scores=(
            np.array([UNDECIDED if row.score is None else row.score for row in rows])
            if any(row.score is not None for row in rows)
            else None
        ),
    )


def _notes(file: Path, rows: Sequence[PairRow], bad: dict[str, list[int]]) -> Iterator[str]:
    for reason, lines in sorted(bad.items()):
        first = f"line {lines[0]}" if len(lines) == 1 else f"the first in line {lines[0]}"
        yield f"{file.name}: {_rows(len(lines))} left out, {reason} ({first})."
    if empty := sum(not row.left.strip() or not row.right.strip() for row in rows):
        yield f"{file.name}: {_rows(empty)} with an empty text."


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count} rows"


def side(number: int, even: int) -> float:
    """The target of a pair: a paraphrase above a number, none below it, undecided at it.

    >>> [side(votes, even=3) for votes in (2, 3, 4)]
    [0.0, nan, 1.0]
    """
    return UNDECIDED if number == even else float(number > even)


def target_by_votes(yes: int, workers: int) -> float:
    """The target that so many votes of so many workers make, as the corpora's authors draw the line.

    >>> target_by_votes(3, 6), target_by_votes(3, 5)
    (nan, 1.0)
    """
    return side(yes, VOTES_LEFT_OUT[workers])


def two_numbers(written: str) -> tuple[int, int] | None:
    """Votes as most corpora write them; None where they are written otherwise.

    >>> two_numbers("(4, 6)"), two_numbers("4/6")
    ((4, 6), None)
    """
    found = _TWO_NUMBERS.fullmatch(written.strip())
    return (int(found[1]), int(found[2])) if found else None


def binary(written: str) -> float:
    """A label of 1 or 0.

    >>> binary("1"), binary("0.0")
    (1.0, 0.0)
    """
    known = {"1": 1.0, "1.0": 1.0, "0": 0.0, "0.0": 0.0}
    if written.strip() not in known:
        raise BadRow("the label is neither 1 nor 0")
    return known[written.strip()]
