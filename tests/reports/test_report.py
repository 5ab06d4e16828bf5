"""The page: whole, self-contained, escaped, the same every time, and honest where there is nothing."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

from paraloom.reports.build import write_report

MakeRun = Callable[..., Path]
HEADINGS = (
    "From rows to corpus",
    "How far the wording differs",
    "Labels and topics",
    "The released corpus",
    "Examples",
    "What was left out, and why",
    "Copies and manual retweets",
    "Links per source",
    "How it was made",
)
LOADING = {"src", "href", "xlink:href", "srcset", "data", "action", "poster", "background"}
EMPTY_ELEMENTS = {"meta", "link", "br", "img", "input", "hr", "area", "base", "col", "embed", "source", "track", "wbr"}


class Page(HTMLParser):
    """What of a page matters here: its tags, ids, addresses, text and whether tags nest."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: Counter[str] = Counter()
        self.ids: Counter[str] = Counter()
        self.addresses: list[str] = []
        self.headings: list[tuple[int, str]] = []
        self.images: list[str] = []
        self.words = ""
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags[tag] += 1
        if "id" in given:
            self.ids[given["id"] or ""] += 1
        self.addresses += [value or "" for name, value in attrs if name in LOADING]
        if tag == "svg":
            assert given["role"] == "img"
            self.images.append(given["aria-label"] or "")
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append((int(tag[1]), ""))
        if tag not in EMPTY_ELEMENTS:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.words += data
        if self.open and re.fullmatch(r"h[1-6]", self.open[-1]):
            level, text = self.headings[-1]
            self.headings[-1] = (level, text + data)


def read(run: Path) -> tuple[str, Page]:
    report, _ = write_report(run)
    text = report.read_text(encoding="utf-8")
    page = Page(text)
    assert page.open == []
    return text, page


def test_the_report_and_the_summary_are_written_with_the_same_numbers(small_run: MakeRun) -> None:
    run = small_run()
    report, numbers = write_report(run)
    assert (report, numbers) == (run / "report.html", run / "summary.json")
    summary = json.loads(numbers.read_text(encoding="utf-8"))
    text = report.read_text(encoding="utf-8")
    assert summary["funnel"]["rows_read"] == 14
    assert "2 paraphrases from 8 posts" in text
    for step in summary["steps"]:
        assert step["signature"] in text
    assert f"{summary['filter_effect']['after']['pinc']:.4f}" in text
    assert not list(run.glob(".*unfinished"))


def test_the_papers_figures_stand_beside_ours(small_run: MakeRun) -> None:
    text, _ = read(small_run())
    for figure in ("205.51 (219.66)", "0.6153", "0.3635", "74.75 (94.39)", "0.7603", "0.2515", "55.8%", "@BBCBreaking"):
        assert figure in text
    assert "58% sports in PIT-2015 and 63% politics in Twitter-URL" in text


def test_rows_read_add_up_before_the_readers_eyes(small_run: MakeRun) -> None:
    text, page = read(small_run())
    bars = re.findall(r"<span>(rows read|− left out|− repeated copies|= posts kept)</span><span [^>]*>(\d+)", text)
    assert bars == [("rows read", "14"), ("− left out", "5"), ("− repeated copies", "2"), ("= posts kept", "7")]
    assert "14 rows are 7 posts kept, 5 rows left out and 2 repeated copies of posts kept" in page.words
    assert "Documents: 5 of 14 rows left out" in page.words


def test_the_threshold_told_is_the_one_that_was_given(rows: Any, tmp_path: Path) -> None:
    rows.pair("a", "b", is_paraphrase=False, score=0.6)
    _, page = read(rows.write(tmp_path / "run", options={"threshold": 0.7}))
    assert "A pair that scores above 0.7 counts as a paraphrase." in page.words
    assert "threshold 0.7" in page.words


def test_a_single_source_is_shown_too_and_origins_beside_the_other_posts(rows: Any, tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        rows.document(name, urls=["u", "v"] if name == "a" else ["u"])
    rows.group("g", ["a", "b", "c"])
    text, _ = read(rows.write(tmp_path / "run"))
    assert "1 source<" in text
    table = re.search(r"<table>(?:(?!<table>).)*@BBCBreaking.*?</table>", text, flags=re.DOTALL)
    assert table
    lines = [re.findall(r">([^<>\n]+)<", line) for line in table[0].split("<tr")]
    assert ["twitter", "3", "0%", "1.33", "1.333"] in lines
    assert ["posts that are their group’s origin", "1", "–", "2.00", "2.000"] in lines
    assert ["other posts", "2", "–", "1.00", "1.000"] in lines


def test_headings_are_in_order_and_every_chart_has_a_description(small_run: MakeRun) -> None:
    _, page = read(small_run())
    assert [text for level, text in page.headings if level == 2] == list(HEADINGS)
    levels = [level for level, _ in page.headings]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert page.tags["svg"] == 7
    assert all(len(description) > 20 for description in page.images)


def test_nothing_is_loaded_from_anywhere(small_run: MakeRun) -> None:
    text, page = read(small_run())
    assert page.tags["script"] == page.tags["iframe"] == page.tags["img"] == 0
    assert all(address.startswith("#") or address == "data:," for address in page.addresses)
    style = re.search(r"<style>(.*?)</style>", text, flags=re.DOTALL)
    assert style
    assert "@import" not in style[1]
    assert "url(" not in style[1]
    assert not re.search(r"url\((?!#)", text)


def test_ids_are_unique_and_links_lead_somewhere(small_run: MakeRun) -> None:
    text, page = read(small_run())
    assert page.ids.most_common(1)[0][1] == 1
    assert {address[1:] for address in page.addresses if address.startswith("#")} <= set(page.ids)
    assert set(re.findall(r"url\(#([^)]+)\)", text)) <= set(page.ids)


def test_what_people_wrote_never_becomes_markup(rows: Any, tmp_path: Path) -> None:
    attack = "<script>alert('x')</script> <img src=x onerror=alert(1)> & \"quoted\" </style></svg>"
    rows.document("d", source=attack, language=attack, dropped_for=None)
    rows.document("e", source="other", dropped_for=f"bad_row: {attack}")
    rows.group("g", ["d"], topic=attack)
    rows.sentence("d", attack, dropped_for=f"spam: {attack}")
    rows.pair(attack, f"other {attack}", group="g", topic=attack, cluster="c", split="train")
    rows.pair(attack, "near", group="h", is_paraphrase=False, topic=attack)
    text, page = read(rows.write(tmp_path / "run", options={"topics": attack}))
    assert page.tags["script"] == page.tags["img"] == 0
    assert "<script" not in text
    assert "<img" not in text
    assert page.words.count("alert('x')") > 5


def test_empty_tables_give_a_report_that_says_so(rows: Any, tmp_path: Path) -> None:
    _, page = read(rows.write(tmp_path / "run"))
    assert "No corpus yet from 0 posts" in page.words
    assert "No group was kept" in page.words
    assert "No pairs were proposed" in page.words
    assert "There are no paraphrases to show." in page.words
    assert page.tags["svg"] == 0
    assert [text for level, text in page.headings if level == 2] == list(HEADINGS)


def test_pairs_without_any_paraphrase_give_a_report_that_says_so(rows: Any, tmp_path: Path) -> None:
    rows.document("d")
    rows.group("g", ["d"])
    rows.pair("a b", "c d", is_paraphrase=False, dropped_for="few_paraphrases")
    _, page = read(rows.write(tmp_path / "run"))
    assert "No pair was labelled as a paraphrase." in page.words
    assert "all 1 labelled pairs were left out" in page.words


def test_the_same_run_gives_the_same_bytes(small_run: MakeRun) -> None:
    first, second = small_run("first", parts=4), small_run("second", parts=4)
    for run in (first, second, first):
        write_report(run)
    for name in ("report.html", "summary.json"):
        assert (first / name).read_bytes() == (second / name).read_bytes()
    assert "/tmp" not in (first / "summary.json").read_text(encoding="utf-8")
    assert str(first) not in (first / "report.html").read_text(encoding="utf-8")
