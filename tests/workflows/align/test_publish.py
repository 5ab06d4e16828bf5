"""What is published of a run is the same in one bucket and in many, tells of headings apart, and shows what is kept."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from paraloom.engine import buckets, store
from paraloom.groups.alignment_options import AlignmentOptions
from paraloom.labels.options import LabelOptions
from paraloom.reports.alignment_examples import EXAMPLES_EACH, examples_of
from paraloom.workflows.align.align import align
from paraloom.workflows.align.options import AlignOptions

QUICK = AlignOptions(labels=LabelOptions(identifier="ngram-regression"), alignment=AlignmentOptions(least_alike=0.1))

BODY = (
    "The old mill at the river burned down on Monday night. Nobody was hurt, but all of the flour is gone. The miller "
    "and her two sons want to build a new one before winter comes. Neighbours have given timber and nails."
)
SAME_ARTICLE = (
    ("Fire takes the old mill", BODY, "2024-05-01T08:00:00Z", "herald"),
    ("Nobody hurt as flour goes up in smoke", BODY, "2024-05-01T09:00:00Z", "courier"),
)
"""The bodies are too alike to be read side by side; the headings are not."""


@pytest.fixture(scope="module")
def same_article(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = [
        {"title": title, "text": text, "created_at": date, "source": source, "kind": "article"}
        for title, text, date, source in SAME_ARTICLE
    ]
    file = tmp_path_factory.mktemp("same") / "same.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


@pytest.fixture(scope="module", params=[1 << 24, 2000], ids=["one bucket", "many buckets"])
def run(
    sources: Path, same_article: Path, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Path:
    out = tmp_path_factory.mktemp("published") / "run"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(buckets, "BYTES_PER_BUCKET", request.param)
        align([sources, same_article], out, QUICK)
    assert (int(store.read_made_by(out, "corpus")["buckets"]) > 8) == (request.param == 2000)
    return out


def rows(run: Path, table: str) -> list[dict[str, Any]]:
    return store.read_table(run, table).to_pylist()


def test_every_released_pair_has_its_context_and_is_written_once(run: Path) -> None:
    texts = {row["document_id"]: row["text"] for row in rows(run, "documents")}
    written = [json.loads(line) for line in (run / "corpus.jsonl").read_text("utf-8").splitlines()]
    kept = [row["pair_id"] for row in rows(run, "corpus") if row["dropped_for"] is None]
    assert [row["pair_id"] for row in written] == kept
    assert len(kept) > 20
    for row in written:
        for side in ("left", "right"):
            place = {name: row["context"][f"{side}_{name}"] for name in ("document_id", "start", "end")}
            said = texts[place["document_id"]][place["start"] : place["end"]]
            assert " ".join(said.split()) == row[side]


def recounted(run: Path) -> dict[str, dict[str, float]]:
    """Table 1, counted letter by letter with everything in memory."""
    documents = {row["document_id"]: row for row in rows(run, "documents")}
    spans: dict[tuple[str, str], list[range]] = {}
    for row in rows(run, "segments"):
        if row["dropped_for"] is None:
            for side in ("left", "right"):
                span = range(row[f"{side}_start"], row[f"{side}_end"])
                spans.setdefault((row["group_id"], row[f"{side}_document_id"]), []).append(span)
    counts: dict[str, Counter[str]] = {}
    for row in rows(run, "groups"):
        if row["dropped_for"] is not None:
            continue
        document = documents[row["document_id"]]
        text = document["text"]
        is_heading = document["kind"] == "article" and text[: row["end"]] == document["title"]
        count = counts.setdefault("heading" if is_heading else document["kind"], Counter())
        taken = spans.get((row["group_id"], row["document_id"]), [])
        count["sides"] += 1
        if taken:
            count["full"] += 1
            count["taken"] += len(taken)
            part = range(row["start"] or 0, len(text) if row["end"] is None else row["end"])
            count["letters"] += sum(text[place].isalnum() for place in part)
            count["covered"] += sum(text[place].isalnum() for place in {place for span in taken for place in span})
    return {
        kind: {
            "candidates": count["sides"] / 2,
            "documents": count["full"] / 2,
            "extracted": count["taken"] / 2,
            "coverage": round(count["covered"] / count["letters"], 6) if count["letters"] else None,
        }
        for kind, count in counts.items()
    }


def test_what_each_kind_gives_is_what_counting_letter_by_letter_gives(run: Path) -> None:
    told = {row["kind"]: row for row in json.loads((run / "summary.json").read_text("utf-8"))["extraction"]}
    expected = recounted(run)
    assert told.keys() == expected.keys() == {"subtitle", "article", "thread", "translation", "heading"}
    for kind, figures in expected.items():
        assert {name: told[kind][name] for name in figures} == figures


def test_pairs_of_headings_are_no_pairs_of_documents(run: Path) -> None:
    told = {row["kind"]: row for row in json.loads((run / "summary.json").read_text("utf-8"))["extraction"]}
    assert (told["heading"]["candidates"], told["heading"]["extracted"], told["heading"]["coverage"]) == (1, 1, 1.0)
    assert told["article"]["candidates"] == 2
    assert "counted apart" in (run / "report.html").read_text("utf-8")


def test_nothing_that_was_made_on_the_way_stays(run: Path) -> None:
    assert not (run / store.UNFINISHED).exists()


def test_examples_are_the_best_and_some_from_the_middle_of_what_is_kept(run: Path) -> None:
    corpus = {row["pair_id"]: row for row in rows(run, "corpus")}
    assert any(row["dropped_for"] is not None for row in corpus.values())
    shown = examples_of(run)
    assert all(corpus[one.pair_id]["dropped_for"] is None for one in shown)
    assert len({one.pair_id for one in shown}) == len(shown)
    for verdict in (True, False):
        kept = [row for row in corpus.values() if row["dropped_for"] is None and row["is_paraphrase"] is verdict]
        kept.sort(key=lambda row: (-row["score"], row["pair_id"]))
        mine = [one.pair_id for one in shown if one.is_paraphrase is verdict]
        assert mine[:EXAMPLES_EACH] == [row["pair_id"] for row in kept[:EXAMPLES_EACH]]
        assert len(mine) == min(2 * EXAMPLES_EACH, len(kept))
        if len(kept) > 6 * EXAMPLES_EACH:
            places = [[row["pair_id"] for row in kept].index(one) / len(kept) for one in mine[EXAMPLES_EACH:]]
            assert all(0.25 < place < 0.75 for place in places)
