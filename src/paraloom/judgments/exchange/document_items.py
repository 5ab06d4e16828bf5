"""A run of aligned documents in, its pairs of documents out: to be accepted or rejected, or to be extracted from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paraloom.engine.store import made_by_file, read_parts
from paraloom.errors import InputError
from paraloom.judgments.exchange.file_rows import Bad
from paraloom.judgments.exchange.item_rows import Good, Row
from paraloom.judgments.items import NewItem
from paraloom.judgments.tasks.extract import MOST_PAIRS
from paraloom.judgments.tasks.reading import MOST_DOCUMENT_LETTERS

SIDES = ("left", "right")


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentPart:
    """One side of a pair: a document, or the part of it that is meant."""

    document_id: str
    kind: str
    title: str | None
    text: str
    start: int
    """Where the part begins in the document: an answer's offsets count from here."""


def match_items(run: Path) -> Iterator[Row]:
    """Pairs of documents, to be accepted or rejected at a glance."""
    for group_id, key, parts in _pairs(run):
        if (bad := _too_long(group_id, parts)) is not None:
            yield bad
            continue
        content = {side: {"title": part.title, "text": part.text} for side, part in parts.items()}
        yield Good(where=f"group {group_id}", item=_item(group_id, key, parts, content))


def extract_items(run: Path) -> Iterator[Row]:
    """Pairs of documents with what an aligner suggests, to be extracted from."""
    suggested = _suggestions(run)
    for group_id, key, parts in _pairs(run):
        if (bad := _too_long(group_id, parts)) is not None:
            yield bad
            continue
        content: dict[str, Any] = {
            side: {"id": part.document_id, "title": part.title, "text": part.text} for side, part in parts.items()
        }
        content["suggestions"] = [
            {
                **{
                    f"{side}_{end}": row[f"{side}_{end}"] - parts[side].start
                    for side in SIDES
                    for end in ("start", "end")
                },
                "score": row["score"],
            }
            for row in suggested.get(group_id, [])
        ]
        yield Good(where=f"group {group_id}", item=_item(group_id, key, parts, content))


def _item(group_id: str, key: str, parts: Mapping[str, DocumentPart], content: Mapping[str, Any]) -> NewItem:
    origin: dict[str, Any] = {"key": key, "kind": parts["left"].kind}
    for side, part in parts.items():
        origin |= {f"{side}_document_id": part.document_id, f"{side}_start": part.start}
    return NewItem(content=content, item_id=group_id, group_id=group_id, origin=origin)


def _too_long(group_id: str, parts: Mapping[str, DocumentPart]) -> Bad | None:
    longest = max(len(part.text) for part in parts.values())
    if longest <= MOST_DOCUMENT_LETTERS:
        return None
    return Bad(where=f"group {group_id}", reason=f"a document has more than {MOST_DOCUMENT_LETTERS:,} characters")


def _pairs(run: Path) -> Iterator[tuple[str, str, dict[str, DocumentPart]]]:
    """Group, key and the two parts of every aligned pair that was not dropped; the older document is the left one."""
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    columns = ("group_id", "document_id", "kind", "key", "is_origin", "start", "end", "dropped_for")
    for part in read_parts(run, "groups", columns):
        for row in part.to_pylist():
            if row["kind"] == "aligned" and row["dropped_for"] is None:
                groups[row["group_id"]].append(row)
    if not groups:
        raise InputError(f"{run} has no pairs of documents. `paraloom align` makes them; a build of posts has none.")
    wanted = {row["document_id"] for rows in groups.values() for row in rows}
    documents = {
        row["document_id"]: row
        for part in read_parts(run, "documents", ("document_id", "kind", "title", "text"))
        for row in part.to_pylist()
        if row["document_id"] in wanted
    }
    for group_id, rows in sorted(groups.items()):
        left_first = sorted(rows, key=lambda row: not row["is_origin"])
        parts = {side: _part(documents[row["document_id"]], row) for side, row in zip(SIDES, left_first, strict=True)}
        yield group_id, rows[0]["key"], parts


def _part(document: Mapping[str, Any], row: Mapping[str, Any]) -> DocumentPart:
    start = row["start"] or 0
    return DocumentPart(
        document_id=document["document_id"],
        kind=document["kind"],
        title=document["title"],
        text=document["text"][start : row["end"]],
        start=start,
    )


def _suggestions(run: Path) -> dict[str, list[dict[str, Any]]]:
    """By group, what was suggested and not dropped, in the order of the left document."""
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    if not made_by_file(run, "segments").is_file():
        return found
    for part in read_parts(run, "segments"):
        for row in part.to_pylist():
            if row["dropped_for"] is None:
                found[row["group_id"]].append(row)
    for rows in found.values():
        rows.sort(key=lambda row: (-row["score"], row["segment_id"]))
        del rows[MOST_PAIRS:]  # the best stay
        rows.sort(key=lambda row: (row["left_start"], row["right_start"], row["segment_id"]))
    return found
