"""A pair of documents keeps the split it got, and no document comes into a second one by what is added later."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from paraloom.corpus.options import CorpusOptions
from paraloom.groups.by_alignment import ALIGNED
from paraloom.tables import make_id
from paraloom.workflows.align.splits import assign_document_splits
from paraloom.workflows.whole_run import GivenSplit, given_splits, store_splits
from tests.corpus.run_tables import write

OPTIONS = CorpusOptions(keep_poor_groups=True)


def made(run: Path, pairs: dict[str, tuple[str, str]], **about: Any) -> Path:
    """A run of these pairs of documents, each with one pair of sentences; `about` tells of every document."""
    ids = {name: make_id(name) for both in pairs.values() for name in both}
    write(run, "documents", [{"document_id": ids[name], "created_at": None, **about} for name in ids])
    write(
        run,
        "groups",
        [
            {"group_id": make_id(group), "document_id": ids[name], "kind": ALIGNED, "created_at": None}
            for group, both in pairs.items()
            for name in both
        ],
    )
    sentences = [
        {
            "pair_id": make_id("pair", group),
            "group_id": make_id(group),
            "left_id": f"{group} 1",
            "right_id": f"{group} 2",
        }
        for group in pairs
    ]
    write(run, "pairs", sentences)
    write(run, "labels", [{"pair_id": row["pair_id"], "is_paraphrase": True} for row in sentences])
    return run


def test_documents_of_two_splits_that_a_later_pair_joins_stay_where_they_are(tmp_path: Path) -> None:
    """Nothing but their pairs holds them together: neither a date nor a work."""
    run = made(tmp_path, {"old": ("a", "b"), "other": ("c", "d"), "new": ("b", "c"), "more": ("a", "e")})
    before = {make_id("old"): GivenSplit("train"), make_id("other"): GivenSplit("dev")}
    store_splits(run, before)
    assign_document_splits(run, OPTIONS)
    given = given_splits(run)
    assert {group: given[group] for group in before} == before
    assert given[make_id("new")] == GivenSplit("train", is_across=True)
    assert given[make_id("more")].split == "train"


def test_documents_that_come_later_go_where_their_work_is(tmp_path: Path) -> None:
    run = made(tmp_path, {"old": ("a", "b"), "new": ("c", "d")}, work="film")
    for split in ("train", "dev", "test"):
        store_splits(run, {make_id("old"): GivenSplit(split)})
        assign_document_splits(run, OPTIONS)
        assert given_splits(run)[make_id("new")] == GivenSplit(split)
