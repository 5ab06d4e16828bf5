"""A file of pairs in, its texts out, row by row: however many there are, few are held in memory.

Any file that has two texts a row will do, whatever its columns are called and whether or not it has labels. It is read
as `paraloom identify` reads one (`engine.given_blocks`); here a row without two texts is left out and counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from paraloom.engine.given import check_file, format_of
from paraloom.engine.given_blocks import TABLES, Block, Survey, read_blocks, survey_pairs
from paraloom.engine.given_lines import READERS, TextSource
from paraloom.errors import InputError
from paraloom.text.counted import counted

NAMES = (
    ("left", "right"),
    ("sentence1", "sentence2"),
    ("text_a", "text_b"),
    ("question1", "question2"),
    ("source", "target"),
    ("source", "output"),
    ("#1 String", "#2 String"),
    ("txt1", "txt2"),
)
"""What the two texts of a pair are called in files that are handed around."""

ROWS_AT_ONCE = 4096


@dataclass(slots=True, kw_only=True)
class PairFile:
    """The texts of a pair file, to be gone through as often as needed."""

    path: Path
    columns: Mapping[str, str] = field(default_factory=dict)
    """Where `left` and `right` are: a name of the file's, or a number from 1. Empty: by their usual names."""
    left_out: int = 0
    """Rows without two texts, known once it was gone through."""
    _survey: Survey | None = field(init=False, default=None, repr=False)

    def __post_init__(self) -> None:
        check_file(self.path)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        for left, right, _ in self.rows(()):
            yield left, right

    @property
    def survey(self) -> Survey:
        """What is known of the file before its rows are gone through."""
        self._survey = self._survey or self._surveyed()
        return self._survey

    def rows(self, places: Sequence[int]) -> Iterator[tuple[str, str, tuple[Any, ...]]]:
        """The texts, each pair with its values in other columns; these by their places in `survey.names`."""
        survey = self.survey
        for block in read_blocks(survey, ROWS_AT_ONCE):
            values = _values(survey, block, places)
            for row, (left, right, trouble) in enumerate(zip(block.left, block.right, block.troubles, strict=True)):
                if trouble is None:
                    yield left, right, tuple(column[row] for column in values)

    def _surveyed(self) -> Survey:
        survey = survey_pairs(self.path, self.columns or usual_columns(self.path))
        self.left_out = sum(survey.troubles.values())
        if 2 * self.left_out >= max(1, survey.rows):
            of_all = f"of {survey.rows:,}"
            raise InputError(
                f"{self.path}: {counted(self.left_out, f'row {of_all} has', f'rows {of_all} have')} no two texts. Give "
                "a file of pairs, or say which columns hold them: --columns left=COLUMN right=COLUMN."
            )
        return survey


def _values(survey: Survey, block: Block, places: Sequence[int]) -> list[list[Any]]:
    """Columns of a block; of JSON, None where an object lacks the name."""
    if block.table is not None:
        return [block.table.column(place).to_pylist() for place in places]
    if survey.format in TABLES:
        return [[row.cells[place] for row in block.rows] for place in places]
    return [[row.values.get(survey.names[place]) for row in block.rows] for place in places]


def usual_columns(path: Path) -> dict[str, str]:
    """What a file calls its two texts, where that is one of the usual ways; else nothing."""
    names = names_of(path)
    return next(({"left": left, "right": right} for left, right in NAMES if {left, right} <= names), {})


def names_of(path: Path) -> set[str]:
    """The names in a file's first line, first object or schema."""
    format = format_of(path)
    if format == "parquet":
        from paraloom.engine.given_parquet import schema_of

        return set(schema_of(path).names)
    first = next((row for row in READERS[format](TextSource.open(path)) if not row.trouble), None)
    return set() if first is None else {*(cell.strip() for cell in first.cells), *first.values}
