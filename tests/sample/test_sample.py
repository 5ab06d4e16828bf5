"""The bundled sample is what its recipe makes, and holds what its page promises."""

from __future__ import annotations

import csv
import gzip
import html
import json
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from paraloom import sample

RECIPE = Path(__file__).parents[2] / "recipes" / "sample.py"
MEDIA_HOSTS = {"pbs.twimg.com"}
SHORTENERS = {"t.co", "bit.ly", "ow.ly"}
LARGEST_GROUP = "harborwire.example/technology/2026/01/20/orlux-battery-recall.html"


def as_post(line: bytes) -> dict[str, Any] | None:
    """The row, or None where it is one of the broken ones."""
    try:
        row = json.loads(line)
        datetime.fromisoformat(row["created_at"])
    except (ValueError, KeyError, TypeError):
        return None
    return row if isinstance(row.get("text"), str) and row["text"] else None


@cache
def lines() -> list[bytes]:
    return gzip.decompress(sample.posts().read_bytes()).split(b"\n")[:-1]


@cache
def posts() -> list[dict[str, Any]]:
    return [row for row in map(as_post, lines()) if row]


@cache
def gold() -> list[dict[str, str]]:
    with sample.gold().open(encoding="utf-8", newline="") as table:
        return list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))


def links(post: dict[str, Any]) -> list[str]:
    return list(post.get("urls", [post["url"]] if "url" in post else []))


def article(url: str) -> str | None:
    """The article an address leads to, however it is written; None for media and what nobody resolved."""
    parts = urlsplit(url)
    host = re.sub(r"^(www|m|amp)\.", "", parts.netloc.lower())
    path = parts.path.removesuffix("/").removesuffix("/amp")
    sections = [fragment for fragment in tomllib.loads(sample.topics().read_text())["topics"] if fragment[0] == "/"]
    return f"{host}{path}" if any(section in path for section in sections) else None


@cache
def group_sizes() -> Counter[str]:
    return Counter(name for post in posts() for url in links(post) if (name := article(url)))


def trend_of(post: dict[str, Any]) -> str | None:
    return post.get("trend") or next((name for name in trend_names() if name[0] == "#" and name in post["text"]), None)


@cache
def trend_names() -> list[str]:
    return [name for name in tomllib.loads(sample.topics().read_text())["topics"] if name[0] != "/"]


@pytest.fixture(scope="module")
def rebuilt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("sample")
    subprocess.run([sys.executable, str(RECIPE), "--out", str(out)], check=True)
    return out


@pytest.mark.parametrize(
    "shipped", [sample.gold(), sample.accounts(), sample.topics()], ids=lambda path: str(path.name)
)
def test_the_recipe_makes_the_shipped_file_byte_for_byte(rebuilt: Path, shipped: Path) -> None:
    assert (rebuilt / shipped.name).read_bytes() == shipped.read_bytes()


def test_the_recipe_makes_the_shipped_posts_byte_for_byte(rebuilt: Path) -> None:
    # Compared unpacked: other builds of zlib pack the same bytes another way.
    assert gzip.decompress((rebuilt / "posts.jsonl.gz").read_bytes()).split(b"\n")[:-1] == lines()


def test_the_packed_posts_carry_no_time_of_packing() -> None:
    assert sample.posts().read_bytes()[4:8] == b"\0\0\0\0"


def test_the_package_stays_small() -> None:
    assert sum(file.stat().st_size for file in sample.posts().parent.iterdir() if file.is_file()) < 400_000


def test_there_are_about_two_thousand_posts_in_two_languages() -> None:
    assert 1500 <= len(posts()) <= 2200
    languages = Counter(post["language"] for post in posts())
    assert languages["en"] > 4 * languages["es"] > 800
    assert sum(languages.values()) - languages["en"] - languages["es"] <= 5


def test_the_posts_span_three_months() -> None:
    written = [datetime.fromisoformat(post["created_at"]).astimezone(UTC) for post in posts()]
    assert datetime(2026, 1, 5, tzinfo=UTC) <= min(written) < datetime(2026, 1, 10, tzinfo=UTC)
    assert datetime(2026, 4, 4, tzinfo=UTC) < max(written) <= datetime(2026, 4, 6, tzinfo=UTC)


def test_sixty_articles_are_linked_one_by_very_many_and_some_by_hardly_anyone() -> None:
    sizes = group_sizes()
    assert len(sizes) == 60
    (largest, most), (_, second) = sizes.most_common(2)
    assert largest == LARGEST_GROUP
    assert most > 3 * second
    assert sum(size <= 3 for size in sizes.values()) >= 5


def test_one_topic_has_far_more_articles_than_the_others() -> None:
    mapping = tomllib.loads(sample.topics().read_text())["topics"]
    counts = Counter(next(mapping[part] for part in mapping if part in name) for name in group_sizes())
    assert set(counts) == {
        "science/tech", "health", "politics", "finance", "sports", "entertainment", "event", "others",
    }  # fmt: skip
    (first, most), (_, second) = counts.most_common(2)
    assert first == "politics"
    assert most >= 1.5 * second


def test_each_of_the_twenty_trends_has_eighteen_to_thirty_posts() -> None:
    sizes = Counter(trend_of(post) for post in posts())
    assert len(trend_names()) == 20
    assert all(18 <= sizes[name] <= 30 for name in trend_names())


def test_most_posts_of_the_open_stream_have_no_link_and_nearly_all_others_have_one() -> None:
    def share_without_link(streamed: bool) -> float:
        chosen = [links(post) for post in posts() if (post["source"] == "open_stream") == streamed]
        return sum(not urls for urls in chosen) / len(chosen)

    assert share_without_link(True) > 0.5
    assert share_without_link(False) < 0.02


def test_about_25_rows_are_broken() -> None:
    assert len(lines()) - len(posts()) == 26


FOUND: dict[str, Callable[[dict[str, Any]], object]] = {
    "an automatic repost": lambda post: "repost_of" in post,
    "a manual retweet": lambda post: " via @" in post["text"] and "repost_of" not in post,
    "an entity": lambda post: "&amp;" in post["text"],
    "an ellipsis": lambda post: "…" in post["text"],
    "a second, media link": lambda post: any(url.endswith((".jpg", ".png")) for url in post.get("urls", [])),
    "two articles": lambda post: len({article(url) for url in post.get("urls", [])} - {None}) == 2,
    "the page's title": lambda post: "page_title" in post and post["text"].startswith(post["page_title"]),
    "spam": lambda post: re.search(r"follow me|sígueme", post["text"], re.IGNORECASE),
    "an unresolved short link": lambda post: any(urlsplit(url).netloc in SHORTENERS for url in links(post)),
    "a mobile address": lambda post: any(urlsplit(url).netloc.startswith("m.") for url in links(post)),
    "a short post": lambda post: len(post["text"].split()) < 4,
}


@pytest.mark.parametrize("kind", FOUND)
def test_there_are_posts_with(kind: str) -> None:
    assert sum(bool(FOUND[kind](post)) for post in posts()) >= 5


def test_reposts_name_posts_that_are_there_and_earlier() -> None:
    written = {post["id"]: datetime.fromisoformat(post["created_at"]) for post in posts()}
    for post in posts():
        if "repost_of" in post:
            assert written[post["repost_of"]] < written[post["id"]]


def test_some_posts_were_delivered_twice_and_no_id_names_two_posts() -> None:
    distinct = {json.dumps(post, sort_keys=True) for post in posts()}
    assert len(posts()) - len(distinct) == 6
    assert len({post["id"] for post in posts()}) == len(distinct)


def test_every_address_is_invented_or_of_a_known_media_or_shortening_host() -> None:
    for post in posts():
        whole_words = [word for word in post["text"].split() if not word.endswith("…")]  # a cut link has no host
        for url in links(post) + [word for word in whole_words if re.match(r"https?://", word, re.IGNORECASE)]:
            host = urlsplit(url).netloc.lower()
            assert host.endswith(".example") or host in MEDIA_HOSTS | SHORTENERS, url


def test_every_account_is_the_author_of_an_origin() -> None:
    accounts = sample.accounts().read_text(encoding="utf-8").split()
    assert len(accounts) == 7
    assert set(accounts) <= {post["author"] for post in posts() if any(map(article, links(post)))}


def test_the_gold_has_400_different_pairs_not_quite_half_of_them_paraphrases() -> None:
    assert len(gold()) == 400
    assert len({frozenset((pair["left"], pair["right"])) for pair in gold()}) == 400
    assert all(pair["left"].lower() != pair["right"].lower() for pair in gold())
    assert Counter(pair["label"] for pair in gold()) == {"1": 180, "0": 220}


@pytest.mark.parametrize(("column", "values"), [("language", {"en", "es"}), ("kind", {"url", "trend"})])
def test_the_gold_has_both_labels_for_every(column: str, values: set[str]) -> None:
    assert {(pair[column], pair["label"]) for pair in gold()} == {(value, label) for value in values for label in "01"}


def test_the_gold_comes_from_every_group_that_has_two_sentences_to_compare() -> None:
    assert {article(pair["key"]) for pair in gold() if pair["kind"] == "url"} == set(group_sizes())
    assert {pair["key"] for pair in gold() if pair["kind"] == "trend"} == set(trend_names())


def overlap(pair: dict[str, str]) -> float:
    left, right = (set(re.findall(r"\w+", pair[side].lower())) for side in ("left", "right"))
    return len(left & right) / len(left | right)


def test_words_alone_do_not_give_the_gold_away() -> None:
    assert sum(overlap(pair) < 0.15 for pair in gold() if pair["label"] == "1") >= 50
    assert sum(overlap(pair) > 0.5 for pair in gold() if pair["label"] == "0") >= 40


def test_every_gold_sentence_stands_in_a_post_of_its_group() -> None:
    texts: dict[str, list[str]] = {}
    for post in posts():
        for key in [trend_of(post), *map(article, links(post))]:
            texts.setdefault(key or "", []).append(html.unescape(post["text"]))
    for pair in gold():
        key = pair["key"] if pair["kind"] == "trend" else article(pair["key"])
        for side in ("left", "right"):
            assert any(pair[side] in text for text in texts[key or ""]), pair[side]
