"""Folders of runs in, their pairs that were labelled out, with the documents they stand in."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from paraloom.corpus.assemble import ACROSS_SPLITS
from paraloom.corpus.graded.judged import JudgedPair, Place
from paraloom.corpus.graded.merge import UNLABELLED
from paraloom.engine.named_rows import rows_named
from paraloom.engine.store import made_by_file, read_parts
from paraloom.workflows.corpus.graded_labels import GivenLabels
from paraloom.workflows.whole_run import GivenSplit, given_splits

SIDES = ("left", "right")
TABLES = ("pairs", "judgments", "labels")
REWRITE = "rewrite:"
"""What `proposed_by` of a rewritten pair begins with."""


def is_given_run(folder: Path) -> bool:
    """Whether a folder holds what a graded corpus can be made of."""
    return folder.is_dir() and any(made_by_file(folder, table).is_file() for table in TABLES)


@dataclass(slots=True, kw_only=True)
class PairsOfRuns:
    """Pairs by their ids, in the order of the runs and of the ids in them."""

    pairs: dict[str, JudgedPair] = field(default_factory=dict)
    unlabelled: dict[str, str] = field(default_factory=dict)
    """Of pairs without a label, why: nobody was asked, or what they were left out for."""
    texts: dict[str, str] = field(default_factory=dict)
    """By document, its whole text, where it is asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sides:
    left_id: str
    right_id: str


def read_pairs(
    runs: Sequence[Path], labels: GivenLabels, of_files: Container[str] = (), *, with_texts: bool
) -> PairsOfRuns:
    """The labelled pairs of all runs, and those that files tell of. Sentences and documents may lie in any run."""
    found = PairsOfRuns()
    sides: dict[str, _Sides] = {}
    splits: dict[str, GivenSplit] = {}
    for run in reversed(runs):  # the first one has the last word
        splits |= given_splits(run)
    for run in runs:
        _pairs(run, labels, of_files, splits, found, sides)
    wanted = {sentence for both in sides.values() for sentence in (both.left_id, both.right_id)}
    places = _places(runs, wanted)
    documents = _documents(runs, {place.document_id for place in places.values()}, with_texts=with_texts)
    split_of = _splits_of_documents(runs, splits)
    for name, both in sides.items():
        _set_in_documents(found.pairs[name], both, places, documents)
        _put_with_documents(found.pairs[name], split_of)
    for pair in found.pairs.values():
        if (original := found.pairs.get(pair.rewrite_of or "")) is not None:
            pair.links += [link for link in original.links if link not in pair.links]
            pair.source = pair.source or original.source
    found.texts = {name: row["text"] for name, row in documents.items() if with_texts}
    return found


def _pairs(
    run: Path,
    labels: GivenLabels,
    of_files: Container[str],
    splits: Mapping[str, GivenSplit],
    found: PairsOfRuns,
    sides: dict[str, _Sides],
) -> None:
    columns = ("pair_id", "group_id", "left_id", "right_id", "left", "right", "proposed_by", "dropped_for")
    for row in _rows((run,), "pairs", columns):
        name, known = row["pair_id"], found.pairs.get(row["pair_id"])
        if known is not None and (known.dropped_for is None or row["dropped_for"] is not None):
            continue  # suggested, and found by people too
        if name not in labels and name not in of_files:
            found.unlabelled.setdefault(name, row["dropped_for"] or UNLABELLED)
            continue
        given = splits.get(row["group_id"], GivenSplit(""))
        is_rewrite = row["proposed_by"].startswith(REWRITE)
        found.pairs[name] = JudgedPair(
            pair_id=name,
            left=row["left"],
            right=row["right"],
            right_id=row["right_id"],
            links=[f"group {row['group_id']}"],
            split=given.split or None,
            rewrite_of=labels.original_of(name, row["proposed_by"]) if is_rewrite else None,
            dropped_for=ACROSS_SPLITS if given.is_across else row["dropped_for"],
        )
        sides[name] = _Sides(left_id=row["left_id"], right_id=row["right_id"])


def _set_in_documents(
    pair: JudgedPair, both: _Sides, places: Mapping[str, Place], documents: Mapping[str, Mapping[str, Any]]
) -> None:
    pair.left_place, pair.right_place = places.get(both.left_id), places.get(both.right_id)
    for place in (pair.left_place, pair.right_place):
        if place is None:
            continue
        document = documents.get(place.document_id, {})
        pair.source = pair.source or document.get("kind")
        pair.links.append(f"document {place.document_id}")
        pair.links += [f"{name} {whole}" for name in ("work", "series") if (whole := document.get(name)) is not None]


def _put_with_documents(pair: JudgedPair, split_of: Mapping[str, str]) -> None:
    """Where nothing says in which split a pair is, in that of its documents; it is in none if theirs differ."""
    if pair.split is not None or pair.dropped_for is not None:
        return
    places = (pair.left_place, pair.right_place)
    known = {split_of[place.document_id] for place in places if place is not None and place.document_id in split_of}
    if len(known) > 1:
        pair.dropped_for = ACROSS_SPLITS
    elif known:
        pair.split = known.pop()


def _splits_of_documents(runs: Iterable[Path], splits: Mapping[str, GivenSplit]) -> dict[str, str]:
    """The split of every document that is in a group which has one."""
    if not splits:
        return {}
    rows = _rows(runs, "groups", ("group_id", "document_id"))
    given = ((row["document_id"], splits.get(row["group_id"])) for row in rows)
    return {document: found.split for document, found in given if found is not None and not found.is_across}


def _places(runs: Iterable[Path], wanted: Collection[str]) -> dict[str, Place]:
    columns = ("sentence_id", "document_id", "start", "end")
    rows = _named(runs, "sentences", columns, wanted)
    return {row.pop("sentence_id"): Place(**row) for row in rows}


def _documents(runs: Iterable[Path], wanted: Collection[str], *, with_texts: bool) -> dict[str, dict[str, Any]]:
    columns = ("document_id", "kind", "work", "series", *(("text",) if with_texts else ()))
    return {row["document_id"]: row for row in _named(runs, "documents", columns, wanted)}


def _named(
    runs: Iterable[Path], table: str, columns: Sequence[str], wanted: Collection[str]
) -> Iterator[dict[str, Any]]:
    """The rows of a table, of all runs that have it, whose first column is one of the wanted."""
    for run in runs:
        if made_by_file(run, table).is_file():
            yield from rows_named(run, table, columns, columns[0], wanted)


def _rows(runs: Iterable[Path], table: str, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
    for run in runs:
        if made_by_file(run, table).is_file():
            for part in read_parts(run, table, columns):
                yield from part.to_pylist()
