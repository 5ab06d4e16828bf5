"""Rows with everything but what a test is about filled in, run folders made of them as a build leaves them, and
reports in a real browser."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from paraloom.engine.rows import from_rows
from paraloom.engine.signatures import MadeBy
from paraloom.engine.store import made_by_file, write_part, write_text
from paraloom.tables import NOUNS, CorpusPair, Document, Group, Label, Pair, Sentence, make_id, schema

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NOON = datetime(2020, 10, 1, 12, tzinfo=UTC)
TABLES = ("documents", "groups", "sentences", "pairs", "labels", "corpus")


class Rows:
    """The rows of a run in the making; ids are made from short names."""

    def __init__(self) -> None:
        self.tables: dict[str, list[Any]] = {table: [] for table in TABLES}

    def document(self, name: str, **given: Any) -> None:
        row: dict[str, Any] = {field.name: None for field in dataclasses.fields(Document)}
        row |= {"text": name, "created_at": NOON, "urls": [], "media_urls": [], "source": "twitter", "kind": "post"}
        row |= {"file": "posts.jsonl", "offset": 0, "copies": 1, "document_id": make_id(name)}
        self.tables["documents"].append(Document(**{**row, **given}))

    def group(self, name: str, documents: list[str], *, dropped_for: str | None = None, topic: str = "others") -> None:
        for place, document in enumerate(documents):
            self.tables["groups"].append(
                Group(
                    group_id=make_id(name),
                    document_id=make_id(document),
                    kind="url",
                    key=f"https://example.org/{name}",
                    is_origin=place == 0,
                    topic=topic,
                    created_at=NOON,
                    size=len(documents),
                    dropped_for=dropped_for,
                )
            )

    def sentence(self, document: str, text: str, dropped_for: str | None = None) -> None:
        self.tables["sentences"].append(
            Sentence(
                sentence_id=make_id(document, text),
                document_id=make_id(document),
                text=text,
                start=0,
                end=len(text),
                made_by="test",
                dropped_for=dropped_for,
            )
        )

    def pair(
        self,
        left: str,
        right: str,
        *,
        group: str = "g",
        is_paraphrase: bool | None = True,
        score: float = 0.8,
        cluster: str | None = None,
        split: str = "train",
        topic: str = "others",
        dropped_for: str | None = None,
        numbers: tuple[float, float, float] = (0.5, 0.5, 0.5),
    ) -> str:
        """A pair with its label and its corpus row; `numbers` are PINC, Jaccard and similarity."""
        pinc, jaccard, similarity = numbers
        pair_id = make_id(left, right)
        both: dict[str, Any] = {
            "pair_id": pair_id,
            "group_id": make_id(group),
            "left_id": make_id(left),
            "right_id": make_id(right),
            "left": left,
            "right": right,
            "created_at": NOON,
            "pinc": pinc,
            "jaccard": jaccard,
        }
        self.tables["pairs"].append(Pair(**both, proposed_by="test", rank=1, similarity=similarity, dropped_for=None))
        self.tables["labels"].append(
            Label(
                pair_id=pair_id,
                definition="loose",
                is_paraphrase=is_paraphrase,
                grade=None,
                score=score,
                votes_for=None,
                votes=None,
                labelled_by="test|v:1",
            )
        )
        if is_paraphrase is not None:
            self.tables["corpus"].append(
                CorpusPair(
                    **both,
                    definition="loose",
                    is_paraphrase=is_paraphrase,
                    score=score,
                    cluster_id=make_id(cluster) if cluster else None,
                    split=split,
                    topic=topic,
                    kind="url",
                    key="https://example.org/a",
                    labelled_by="test|v:1",
                    dropped_for=dropped_for,
                )
            )
        return pair_id

    def write(self, run: Path, parts: int = 1, options: dict[str, Any] | None = None) -> Path:
        """Lay the rows down as a build does, cut by the first digit of their key."""
        for table, rows in self.tables.items():
            key = NOUNS[table].KEY
            rows = sorted(rows, key=lambda row: [getattr(row, column) for column in key])
            (run / table).mkdir(parents=True)
            for part in range(parts):
                here = [row for row in rows if int(getattr(row, key[0])[0], 16) * parts // 16 == part]
                write_part(from_rows(here, schema(NOUNS[table])), run / table / f"part-{part:02d}.parquet")
            made_by = MadeBy(
                step=table,
                options=options or {},
                inputs={"input/0/posts.jsonl": "00ff"} if table == "documents" else {},
                weights={},
                source="ab" * 16,
                paraloom="0.1.0",
                buckets=parts,
            )
            written = {**dataclasses.asdict(made_by), "signature": made_by.signature, "rows": len(rows)}
            write_text(made_by_file(run, table), json.dumps(written))
        return run


@pytest.fixture
def rows() -> Rows:
    """No rows yet."""
    return Rows()


@pytest.fixture(scope="session")
def small_run(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Call it for a new run small enough to count by hand: two groups of four, eleven posts, three pairs."""

    def write(name: str = "run", parts: int = 1) -> Path:
        rows = Rows()
        rows.document("a1", urls=["u", "v"], media_urls=["m"], language="en", copies=3)
        rows.document("a2", urls=["u"], language="en")
        rows.document("a3", urls=["u"], language="es", source="@ann")
        rows.document("b1", urls=["w"], language="en", created_at=datetime(2020, 10, 9, tzinfo=UTC))
        rows.document("b2", urls=["w"], source="@ann")
        rows.document("lone", urls=["x"], source="@ann")
        rows.document("plain")
        rows.document("again", repost_of="a1", urls=["u"], dropped_for="repost")
        rows.document("broken1", dropped_for="bad_row: no text", created_at=None, source="?")
        rows.document("broken2", dropped_for="bad_row: no text", created_at=None, source="?", copies=2)
        rows.document("broken3", dropped_for="bad_row: not JSON", created_at=None, source="?")
        rows.group("a", ["a1", "a2", "a3"], topic="politics")
        rows.group("b", ["b1", "b2"], topic="health")
        rows.group("lone", ["lone"], dropped_for="too_small")
        rows.group("lone too", ["a1"], dropped_for="too_small")
        rows.sentence("a1", "the storm hit the coast")
        rows.sentence("a2", "the storm hit the coast", dropped_for="retweet: same as the origin")
        rows.sentence("a2", "waves flooded the town today")
        rows.sentence("a3", "wow", dropped_for="too_short")
        rows.sentence("b1", "no comment", dropped_for="too_short")
        rows.sentence("b2", "the senate votes on monday")
        rows.pair("s1", "s2", group="a", cluster="c", topic="politics", numbers=(0.9, 0.1, 0.2))
        rows.pair("s2", "s3", group="a", cluster="c", topic="politics", split="test", numbers=(1.0, 0.0, 0.0))
        rows.pair("s4", "s5", group="b", is_paraphrase=False, score=0.1, dropped_for="few_paraphrases")
        rows.pair("s6", "s7", group="b", is_paraphrase=None, score=0.4)
        run = rows.write(tmp_path_factory.mktemp("small") / name, parts)
        write_text(run / "multi_reference.jsonl", '{"source": "a"}\n{"source": "b"}\n')
        write_text(run / "splits.json", json.dumps({"dev_from": "2020-10-05T00:00:00+00:00", "test_from": None}))
        return run

    return write


@pytest.fixture
def open_report(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Call it with a report for its page on a screen of this size; other keywords are those of a browser's context."""
    opened: list[Page] = []

    def open_page(report: Path, width: int = 1200, height: int = 900, **context: Any) -> Page:
        opened.append(browser.new_page(viewport={"width": width, "height": height}, **context))
        opened[-1].goto(report.as_uri())
        return opened[-1]

    yield open_page
    for page in opened:
        page.close()


@pytest.fixture
def widths(open_report: Callable[..., Page]) -> Callable[..., tuple[int, int]]:
    """Call it with a report and the width of a screen for how wide the page is, and the screen."""

    def measure(report: Path, width: int) -> tuple[int, int]:
        page, screen = open_report(report, width).evaluate("[document.documentElement.scrollWidth, innerWidth]")
        return page, screen

    return measure
