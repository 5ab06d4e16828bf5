"""A run folder in, items to be judged out: its pairs, its seeds with their partners, its groups.

Of a mined run, which may have millions of pairs, the best that its identifier holds true are taken.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from paraloom.engine.named_rows import rows_named
from paraloom.engine.store import made_by_file, read_parts
from paraloom.errors import InputError
from paraloom.judgments.exchange.document_items import extract_items, match_items
from paraloom.judgments.exchange.file_rows import Bad
from paraloom.judgments.exchange.item_rows import Good, Row
from paraloom.judgments.exchange.mined_pairs import best_mined, is_mined
from paraloom.judgments.items import NewItem
from paraloom.judgments.tasks.reading import MOST_DOCUMENT_LETTERS
from paraloom.judgments.tasks.seed import MOST_SENTENCES
from paraloom.tables import make_id

CANDIDATES = 10
"""Partners of a seed that one item shows; a seed with more has several items."""
TOPIC_SENTENCES = 20
"""So many sentences tell what a group is about."""

PAIR_COLUMNS = ("pair_id", "group_id", "left_id", "right_id", "left", "right", "proposed_by", "rank", "dropped_for")


def is_run(folder: Path) -> bool:
    """Whether a folder is a run with pairs, of sentences or of documents."""
    return folder.is_dir() and any(made_by_file(folder, table).is_file() for table in ("pairs", "groups"))


def rows_of_run(run: Path, task: str, most: int | None = None) -> Iterator[Row]:
    """What a run has for this kind of task; of a mined run at most so many pairs."""
    if task not in _ROWS:
        raise InputError(
            f"A run folder has no items for the task {task}. It has them for {', '.join(_ROWS)}; give a file instead."
        )
    yield from _ROWS[task](run, most)


def _pairs(run: Path, most: int | None) -> Iterator[Mapping[str, Any]]:
    """The pairs that were not dropped, by group, seed and rank; of a mined run the best, those first."""
    if is_mined(run):
        yield from best_mined(run, PAIR_COLUMNS, most)
        return
    found = [
        row for part in read_parts(run, "pairs", PAIR_COLUMNS) for row in part.to_pylist() if row["dropped_for"] is None
    ]
    yield from sorted(found, key=lambda row: (row["group_id"], row["rank"], row["pair_id"]))


def _pair_items(run: Path, most: int | None) -> Iterator[Row]:
    about = _groups(run)
    for row in _pairs(run, most):
        kind, key = about.get(row["group_id"], ("", ""))
        content = {"left": row["left"], "right": row["right"], "topic": key if kind == "trend" else None}
        yield _good(row, content)


def _grade_items(run: Path, most: int | None) -> Iterator[Row]:
    pairs = list(_pairs(run, most))
    wanted = {row[side] for row in pairs for side in ("left_id", "right_id")}
    around = _surroundings(run, wanted)
    for row in pairs:
        content: dict[str, Any] = {"left": row["left"], "right": row["right"]}
        places: dict[str, Any] = {}
        for side in ("left", "right"):
            found = around.get(row[f"{side}_id"])
            if found is None:
                continue
            places |= {f"{side}_{name}": found[name] for name in ("document_id", "start", "end")}
            shown = {name: found[name] for name in ("text", "start", "end", "title")}
            stands_there = _same(shown["text"][shown["start"] : shown["end"]], row[side])
            if stands_there and len(shown["text"]) <= MOST_DOCUMENT_LETTERS:
                content[f"{side}_document"] = shown
        yield _good(row, content, places)


def _same(one: str, other: str) -> bool:
    """Whether two texts differ in nothing but white space: a stretch of subtitles has line breaks where its pair has
    none."""
    return one.split() == other.split()


def _good(row: Mapping[str, Any], content: Mapping[str, Any], places: Mapping[str, Any] | None = None) -> Good:
    return Good(
        where=f"pair {row['pair_id']}",
        item=NewItem(
            content=content,
            item_id=row["pair_id"],
            group_id=row["group_id"],
            proposed_by=row["proposed_by"],
            origin={**{name: row[name] for name in ("left_id", "right_id", "rank")}, **(places or {})},
        ),
    )


def _choose_items(run: Path, most: int | None) -> Iterator[Row]:
    for (group_id, left_id), pairs in _by_seed(run, most).items():
        for start in range(0, len(pairs), CANDIDATES):
            shown = pairs[start : start + CANDIDATES]
            where = f"group {group_id}, seed {left_id}"
            if len(shown) < 2:
                yield Bad(where=where, reason="only one candidate: there is nothing to choose from")
                continue
            content = {
                "original": shown[0]["left"],
                "candidates": [{"id": row["pair_id"], "text": row["right"]} for row in shown],
            }
            yield Good(
                where=where,
                item=NewItem(
                    content=content,
                    item_id=make_id("choose", group_id, left_id, start),
                    group_id=group_id,
                    proposed_by=shown[0]["proposed_by"],
                    origin={"left_id": left_id, "right_ids": [row["right_id"] for row in shown]},
                ),
            )


def _by_seed(run: Path, most: int | None) -> dict[tuple[str, str], list[Mapping[str, Any]]]:
    found: dict[tuple[str, str], list[Mapping[str, Any]]] = defaultdict(list)
    for row in _pairs(run, most):
        found[row["group_id"], row["left_id"]].append(row)
    return found


def _seed_items(run: Path, most: int | None) -> Iterator[Row]:
    about = _groups(run)
    for (group_id, left_id), pairs in _by_seed(run, most).items():
        if about.get(group_id, ("url", ""))[0] != "url":
            continue
        sentences = [{"id": left_id, "text": pairs[0]["left"]}]
        sentences += [{"id": row["right_id"], "text": row["right"]} for row in pairs]
        if len(sentences) < 3:
            yield Bad(where=f"group {group_id}", reason="fewer than 3 sentences")
            continue
        yield Good(
            where=f"group {group_id}",
            item=NewItem(
                content={"sentences": sentences[:MOST_SENTENCES]},
                item_id=group_id,
                group_id=group_id,
                proposed_by=pairs[0]["proposed_by"],
            ),
        )


def _topic_items(run: Path, most: int | None) -> Iterator[Row]:
    texts: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for part in read_parts(run, "sentences", ("document_id", "start", "text", "dropped_for")):
        for row in part.to_pylist():
            if row["dropped_for"] is None:
                texts[row["document_id"]].append((row["start"], row["text"]))
    groups: dict[str, list[str]] = defaultdict(list)
    keys: dict[str, str] = {}
    for part in read_parts(run, "groups", ("group_id", "document_id", "key", "dropped_for")):
        for row in part.to_pylist():
            if row["dropped_for"] is None:
                groups[row["group_id"]].append(row["document_id"])
                keys[row["group_id"]] = row["key"]
    for group_id, documents in sorted(groups.items()):
        said = [text for document in sorted(documents) for _, text in sorted(texts.get(document, []))]
        distinct = list(dict.fromkeys(said))[:TOPIC_SENTENCES]
        if not distinct:
            yield Bad(where=f"group {group_id}", reason="no sentences")
            continue
        content = {"sentences": distinct, "key": keys[group_id]}
        yield Good(where=f"group {group_id}", item=NewItem(content=content, item_id=group_id, group_id=group_id))


def _write_items(run: Path, most: int | None) -> Iterator[Row]:
    seen: set[str] = set()
    for row in _pairs(run, most):
        if row["left_id"] not in seen:
            seen.add(row["left_id"])
            yield Good(
                where=f"sentence {row['left_id']}",
                item=NewItem(content={"source": row["left"]}, item_id=row["left_id"], group_id=row["group_id"]),
            )


def _groups(run: Path) -> dict[str, tuple[str, str]]:
    """Kind and key of every group."""
    if not made_by_file(run, "groups").is_file():
        return {}
    return {
        row["group_id"]: (row["kind"], row["key"])
        for part in read_parts(run, "groups", ("group_id", "kind", "key"))
        for row in part.to_pylist()
    }


def _surroundings(run: Path, wanted: set[str]) -> dict[str, dict[str, Any]]:
    """By sentence, the document it stands in and where, as far as the run knows them."""
    if not all(made_by_file(run, table).is_file() for table in ("sentences", "documents")):
        return {}
    place, shown = ("sentence_id", "document_id", "start", "end"), ("document_id", "text", "title")
    places = {row["sentence_id"]: row for row in rows_named(run, "sentences", place, "sentence_id", wanted)}
    needed = {row["document_id"] for row in places.values()}
    documents = {row["document_id"]: row for row in rows_named(run, "documents", shown, "document_id", needed)}
    return {
        sentence_id: {**row, **documents[row["document_id"]]}
        for sentence_id, row in places.items()
        if row["document_id"] in documents
    }


_ROWS: dict[str, Callable[[Path, int | None], Iterator[Row]]] = {
    "pair": _pair_items,
    "grade": _grade_items,
    "choose": _choose_items,
    "seed": _seed_items,
    "topic": _topic_items,
    "write": _write_items,
    "match": lambda run, most: match_items(run),
    "extract": lambda run, most: extract_items(run),
}
"""What is made of a run, by kind of task."""
