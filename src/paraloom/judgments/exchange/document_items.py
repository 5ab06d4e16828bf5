"""A run of aligned documents in, its pairs of documents out: to be accepted or rejected, or to be extracted from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paraloom.engine.named_rows import rows_named
from paraloom.engine.store import made_by_file, read_parts
from paraloom.errors import InputError
from paraloom.judgments.exchange.file_rows import Bad
from paraloom.judgments.exchange.item_rows import Good, Row
from paraloom.judgments.items import NewItem
from paraloom.judgments.tasks.extract import MOST_PAIRS
from paraloom.judgments.tasks.reading import MOST_DOCUMENT_LETTERS
from paraloom.text.headings import heading

SIDES = ("left", "right")
ENDS = ("start", "end")

Suggestions = list[dict[str, Any]]
"""As the content of a task holds them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentPart:
    """One side of a pair: a document, or the part of it that is meant."""

    document_id: str
    kind: str
    title: str | None
    text: str
    start: int
    """Where the part begins in the document: an answer's offsets count from here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _DocumentPair:
    group_id: str
    key: str
    parts: Mapping[str, DocumentPart]
    """By side."""


def match_items(run: Path) -> Iterator[Row]:
    """Pairs of documents, to be accepted or rejected at a glance; their suggestions are kept for those accepted."""
    return _rows(run, _match_item)


def extract_items(run: Path) -> Iterator[Row]:
    """Pairs of documents with what an aligner suggests, to be extracted from."""
    return _rows(run, _extract_item)


def _match_item(pair: _DocumentPair, suggestions: Suggestions) -> NewItem:
    return _item(pair, _documents(pair), {"suggestions": suggestions} if suggestions else {})


def _extract_item(pair: _DocumentPair, suggestions: Suggestions) -> NewItem:
    return _item(pair, {**_documents(pair), "suggestions": suggestions}, {})


def _documents(pair: _DocumentPair) -> dict[str, Any]:
    return {side: {"id": part.document_id, "title": part.title, "text": part.text} for side, part in pair.parts.items()}


def _item(pair: _DocumentPair, content: Mapping[str, Any], more: Mapping[str, Any]) -> NewItem:
    origin: dict[str, Any] = {"key": pair.key, "kind": pair.parts["left"].kind}
    for side, part in pair.parts.items():
        origin |= {f"{side}_document_id": part.document_id, f"{side}_part_start": part.start}
    return NewItem(content=content, item_id=pair.group_id, group_id=pair.group_id, origin={**origin, **more})


def _rows(run: Path, item_of: Callable[[_DocumentPair, Suggestions], NewItem]) -> Iterator[Row]:
    groups = _groups(run)
    suggested = _suggestions(run, groups)
    for pair in _pairs(run, groups):
        where = f"group {pair.group_id}"
        if max(len(part.text) for part in pair.parts.values()) > MOST_DOCUMENT_LETTERS:
            yield Bad(where=where, reason=f"a document has more than {MOST_DOCUMENT_LETTERS:,} characters")
            continue
        yield Good(where=where, item=item_of(pair, _shown(suggested.get(pair.group_id, ()), pair)))


def _shown(suggested: Sequence[Mapping[str, Any]], pair: _DocumentPair) -> Suggestions:
    """With offsets that count from where the part begins."""
    return [
        {
            **{f"{side}_{end}": row[f"{side}_{end}"] - part.start for side, part in pair.parts.items() for end in ENDS},
            "score": row["score"],
        }
        for row in suggested
    ]


Groups = dict[str, list[dict[str, Any]]]


def _groups(run: Path) -> Groups:
    """The two rows of every pair of documents that is to be read; of headings alone nothing can be extracted."""
    found: Groups = defaultdict(list)
    columns = ("group_id", "document_id", "kind", "key", "is_origin", "start", "end", "dropped_for")
    for part in read_parts(run, "groups", columns):
        for row in part.to_pylist():
            if row["kind"] == "aligned" and row["dropped_for"] is None:
                found[row["group_id"]].append(row)
    if not found:
        raise InputError(f"{run} has no pairs of documents. `paraloom align` makes them; a build of posts has none.")
    headings = _headings(run, {row["document_id"] for rows in found.values() for row in rows if row["end"] is not None})
    kept = {group_id: rows for group_id, rows in sorted(found.items()) if not _is_of_headings(rows, headings)}
    if not kept:
        raise InputError(
            f"{run} has pairs of headings alone. Import it into a campaign of the kind `grade`: they are to be graded."
        )
    return kept


def _headings(run: Path, wanted: set[str]) -> dict[str, int]:
    """By article, where its heading ends."""
    columns = ("document_id", "kind", "title", "text")
    return {
        row["document_id"]: place[1]
        for row in rows_named(run, "documents", columns, "document_id", wanted)
        if row["kind"] == "article" and (place := heading(row["text"], row["title"])) is not None
    }


def _is_of_headings(rows: list[dict[str, Any]], headings: Mapping[str, int]) -> bool:
    """Whether the part of each document that belongs to the group ends with its heading."""
    return all(not row["start"] and row["end"] == headings.get(row["document_id"], -1) for row in rows)


def _pairs(run: Path, groups: Groups) -> Iterator[_DocumentPair]:
    """The pairs with their texts; the older document is the left one."""
    wanted = {row["document_id"] for rows in groups.values() for row in rows}
    columns = ("document_id", "kind", "title", "text")
    documents = {row["document_id"]: row for row in rows_named(run, "documents", columns, "document_id", wanted)}
    for group_id, rows in groups.items():
        left_first = sorted(rows, key=lambda row: not row["is_origin"])
        parts = {side: _part(documents[row["document_id"]], row) for side, row in zip(SIDES, left_first, strict=True)}
        yield _DocumentPair(group_id=group_id, key=rows[0]["key"], parts=parts)


def _part(document: Mapping[str, Any], row: Mapping[str, Any]) -> DocumentPart:
    start = row["start"] or 0
    return DocumentPart(
        document_id=document["document_id"],
        kind=document["kind"],
        title=document["title"],
        text=document["text"][start : row["end"]],
        start=start,
    )


def _suggestions(run: Path, groups: Groups) -> dict[str, list[dict[str, Any]]]:
    """By group, what was suggested and not dropped, in the order of the left document."""
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    if not made_by_file(run, "segments").is_file():
        return found
    places = tuple(f"{side}_{end}" for side in SIDES for end in ENDS)
    columns = ("segment_id", "group_id", *places, "score", "dropped_for")
    for row in rows_named(run, "segments", columns, "group_id", groups.keys()):
        if row["dropped_for"] is None:
            found[row["group_id"]].append(row)
    for rows in found.values():
        rows.sort(key=lambda row: (-row["score"], row["segment_id"]))
        del rows[MOST_PAIRS:]  # the best stay
        rows.sort(key=lambda row: (row["left_start"], row["right_start"], row["segment_id"]))
    return found
