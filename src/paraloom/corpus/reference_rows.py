"""A file in, rows of a source with its references out, whichever of four ways they are written down."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from paraloom.corpus.evaluation_options import Shape
from paraloom.engine.given import Rows, format_of, read_json, read_lines, read_rows
from paraloom.errors import InputError

PAIR_COLUMNS = (
    ("left", "right"),
    ("source", "target"),
    ("source", "reference"),
    ("sentence1", "sentence2"),
    ("question1", "question2"),
)
"""Names under which published pair files hold their two sides."""

_PARAPHRASE = frozenset({"1", "1.0", "true", "yes"})
_NO_PARAPHRASE = frozenset({"0", "0.0", "false", "no"})
_NUMBERED_KEY = re.compile(r"(.+)#\d+")
_KEY = re.compile(r"(?=\S*\d)\S+")
_REFERENCE_COLUMN = re.compile(r"ref(erence)?s?[ _-]?\d*", re.IGNORECASE)


class ReferenceRow(NamedTuple):
    """A source and references of it, as one place of a file gives them."""

    line: int
    source: str
    references: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceRows:
    """What one file holds."""

    shape: Shape
    rows: Sequence[ReferenceRow]
    texts: int
    """Lines, rows or entries read."""
    not_paraphrases: int = 0
    """Pairs left out because the file's own label says that they are none."""
    repeated: int = 0
    """Captions that their key has already, word for word."""
    remarks: tuple[str, ...] = ()
    """What was decided about the file that its reader should know."""

    @property
    def is_told(self) -> bool:
        """Whether the remarks say already how the file was read."""
        return any(" was read as " in remark for remark in self.remarks)


def read_reference_rows(path: Path, shape: Shape, columns: Mapping[str, str]) -> ReferenceRows:
    """The rows of one file that is not line-aligned."""
    written = format_of(path)
    if written == "json":
        return _mapping_or_objects(path, shape, columns)
    if written == "tsv":
        return _tab_separated(path, shape, columns)
    return _named_columns(path, shape, columns)


def is_plain_text(path: Path) -> bool:
    """Whether a file holds one text a line, without columns: an ending of no table, or a .txt file without tabs."""
    try:
        written = format_of(path)
    except InputError:
        return True
    lines = read_lines(path) if written == "tsv" else ["\t"]
    return bool(lines) and not any("\t" in line for line in lines)


def _tab_separated(path: Path, shape: Shape, columns: Mapping[str, str]) -> ReferenceRows:
    lines = read_lines(path)
    fields = [(number, line.split("\t")) for number, line in enumerate(lines, start=1) if line.strip()]
    if not fields:
        raise InputError(f"{path} is empty. Give a file with at least one row.")
    if all(len(cells) == 1 for _, cells in fields):
        raise InputError(
            f"{path} holds one text a line and no references. Give the references' files behind it, line by line, or a "
            "file with a source, a tab and a reference a line."
        )
    if shape == "auto":
        shape = _shape_of(fields, columns)
    if shape == "captions":
        return _captions(path, fields)
    if shape == "references":
        return _reference_columns(path, fields, columns)
    return _named_columns(path, shape, columns)


def _shape_of(fields: Sequence[tuple[int, Sequence[str]]], columns: Mapping[str, str]) -> Shape:
    names = [name.strip() for name in fields[0][1]]
    if "source" in names and any(_REFERENCE_COLUMN.fullmatch(name) for name in names) and len(names) > 2:
        return "references"
    if columns or _pair_columns(names):
        return "pairs"
    # A first line with one column is a header; with two it is as good as any other.
    body = [cells for number, (_, cells) in enumerate(fields) if number or len(cells) > 1 or len(fields) == 1]
    if all(len(cells) == 2 for cells in body):
        keys = [cells[0] for cells in body]
        if all(_NUMBERED_KEY.fullmatch(key) for key in keys):
            return "captions"
        if all(_KEY.fullmatch(key) for key in keys) and len(set(keys)) < len(keys):
            return "captions"
    # Rows of unequal length can only be ragged references: a pair file has as many columns everywhere.
    if len({len(cells) for _, cells in fields}) > 1 and all(len(cells) > 1 for _, cells in fields):
        return "references"
    return "pairs"


def _captions(path: Path, fields: Sequence[tuple[int, Sequence[str]]]) -> ReferenceRows:
    remarks = []
    if len(fields[0][1]) == 1 and len(fields) > 1:
        remarks.append(f"The first line of {path} ({fields[0][1][0]!r}) has one column and was taken for its header.")
        fields = fields[1:]
    by_key: dict[str, dict[str, int]] = defaultdict(dict)
    for number, cells in fields:
        if len(cells) != 2 or not cells[1].strip():
            raise InputError(
                f"{path}, line {number}: a key, a tab and a text are needed here. Mend or remove the line."
            )
        key = _NUMBERED_KEY.fullmatch(cells[0])
        by_key[key[1] if key else cells[0]].setdefault(cells[1].strip(), number)
    rows = [
        ReferenceRow(number, text, tuple(other for other in texts if other != text))
        for texts in by_key.values()
        for text, number in texts.items()
    ]
    return ReferenceRows(
        shape="captions",
        rows=rows,
        texts=len(fields),
        repeated=len(fields) - len(rows),
        remarks=(*remarks, f"{path} was read as captions: {len(by_key):,} keys, texts of one key are references."),
    )


def _reference_columns(
    path: Path, fields: Sequence[tuple[int, Sequence[str]]], columns: Mapping[str, str]
) -> ReferenceRows:
    names = [name.strip() for name in fields[0][1]]
    source = columns.get("source", "source")
    has_header = source in names
    place = names.index(source) if has_header else int(source) - 1 if source.isdigit() else 0
    wanted = [n for n, name in enumerate(names) if _REFERENCE_COLUMN.fullmatch(name)] if has_header else None
    rows = []
    body = fields[1:] if has_header else fields
    if not body:
        raise InputError(f"{path} holds a header and nothing else. Give a file with at least one row.")
    for number, cells in body:
        if place >= len(cells):
            raise InputError(f"{path}, line {number}: there is no column {place + 1} with a source. Mend the line.")
        chosen = [n for n in (wanted if wanted is not None else range(len(cells))) if n != place and n < len(cells)]
        rows.append(ReferenceRow(number, cells[place], tuple(cells[n] for n in chosen if cells[n].strip())))
    least, most = (bound(len(row.references) for row in rows) for bound in (min, max))
    remark = f"{path} was read as sources with {least} to {most} references a line."
    return ReferenceRows(shape="references", rows=rows, texts=len(rows), remarks=(remark,) if least != most else ())


def _named_columns(path: Path, shape: Shape, columns: Mapping[str, str]) -> ReferenceRows:
    """Files with a header, named values, or no header and the first two columns."""
    names = _names_in(path)
    if shape in ("auto", "references"):
        wanted = [name for name in names if _REFERENCE_COLUMN.fullmatch(name)]
        source, references = columns.get("source", "source"), columns.get("references")
        wanted = [references] if references else wanted
        if source in names and wanted and (shape == "references" or len(wanted) > 1 or wanted != ["reference"]):
            return _objects_with_references(read_rows(path, (), {"source": source}), wanted)
        if shape == "references":
            raise InputError(
                f"{path} has no columns for a source and its references; it has {', '.join(names)}. "
                "Name them `source` and `references`, or say which they are: --columns source=… references=…"
            )
    if shape == "captions":
        raise InputError(f"{path} is not a file of keys, tabs and texts. Captions are read from .tsv and .txt files.")
    sides = dict(columns) or _pair_columns(names)
    return _pairs(read_rows(path, ("left", "right"), sides), names, bool(sides))


def _names_in(path: Path) -> list[str]:
    if format_of(path) == "tsv":
        return [name.strip() for name in read_lines(path)[0].split("\t")]
    return list(read_rows(path, ()).columns)


def _pair_columns(names: Sequence[str]) -> dict[str, str]:
    for left, right in PAIR_COLUMNS:
        if left in names and right in names:
            return {"left": left, "right": right}
    return {}


def _pairs(rows: Rows, names: Sequence[str], is_named: bool) -> ReferenceRows:
    left, right = rows.texts("left"), rows.texts("right")
    label = next((name for name in ("label", "is_paraphrase") if is_named and name in rows.columns), None)
    keep = [True] * len(rows) if label is None else _is_paraphrase(rows, label)
    found = [
        ReferenceRow(line, source, (reference,))
        for line, source, reference, kept in zip(rows.lines, left, right, keep, strict=True)
        if kept
    ]
    remarks: tuple[str, ...] = ()
    if not is_named and len(names) > 2:
        remarks = (
            f"{rows.path} has {len(names)} columns and no header: the first two were taken for a pair. "
            "`--shape references` takes all behind the first for references.",
        )
    return ReferenceRows(
        shape="pairs", rows=found, texts=len(rows), not_paraphrases=len(rows) - len(found), remarks=remarks
    )


def _is_paraphrase(rows: Rows, label: str) -> list[bool]:
    kept = []
    for line, value in zip(rows.lines, rows.columns[label], strict=True):
        said = str(value).strip().lower()
        if said not in _PARAPHRASE | _NO_PARAPHRASE:
            raise InputError(
                f"{rows.path}, line {line}: {label} is {value!r}, neither 1 nor 0. Pairs that are no paraphrases must "
                "be left out: write 1 or 0 there, or rename the column if it is no label."
            )
        kept.append(said in _PARAPHRASE)
    return kept


def _objects_with_references(rows: Rows, wanted: Sequence[str]) -> ReferenceRows:
    found = []
    for place, (line, source) in enumerate(zip(rows.lines, rows.texts("source"), strict=True)):
        references: list[str] = []
        for name in wanted:
            references += _texts(rows.columns[name][place], f"{rows.path}, line {line}: {name}")
        found.append(ReferenceRow(line, source, tuple(references)))
    return ReferenceRows(shape="references", rows=found, texts=len(rows))


def _mapping_or_objects(path: Path, shape: Shape, columns: Mapping[str, str]) -> ReferenceRows:
    value = read_json(path)
    if not isinstance(value, dict):
        return _named_columns(path, shape, columns)
    rows = [
        ReferenceRow(number, source, tuple(_texts(references, f"{path}, source {source!r}")))
        for number, (source, references) in enumerate(value.items(), start=1)
    ]
    return ReferenceRows(shape="references", rows=rows, texts=len(rows))


def _texts(value: Any, where: str) -> list[str]:
    """One text, or several; a number beside a text, as some files have it, is no text and is left out.

    >>> _texts("a storm", "here"), _texts(["a storm", "a gale"], "here"), _texts([["a storm", 0.9]], "here")
    (['a storm'], ['a storm', 'a gale'], ['a storm'])
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        return []
    if isinstance(value, str):
        return [value]
    if isinstance(value, list) and len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], int | float):
        return [value[0]]
    if not isinstance(value, list) or not all(isinstance(text, str | list) for text in value):
        raise InputError(f"{where} must be a text or a list of texts, not {value!r:.80}. Mend it there.")
    return [text for one in value for text in _texts(one, where)]
