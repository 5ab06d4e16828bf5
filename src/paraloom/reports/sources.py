"""Documents in, what their sources are like out: links per post (Table 5 of Lan et al., 2017), languages, dates."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.engine.rows import EPOCH
from paraloom.engine.store import read_parts
from paraloom.reports.columns import OTHER, PLACES, Count, add_values, counted, share
from paraloom.reports.funnel import Drops, ReasonCounter, head

if TYPE_CHECKING:
    import pyarrow as pa

MOST_SOURCES = 20
MOST_LANGUAGES = 20
NOT_A_POST = "bad_row"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLinks:
    """How the posts of one source link: one line of Table 5."""

    source: str
    posts: int
    without_url: int
    share_without_url: float
    urls_per_post: float | None
    """Links of every kind, media among them."""
    article_urls_per_post: float | None
    """Links that are not to media or to the post itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """Links of all posts, of automatic reposts and of the others, and of every large source."""

    every: SourceLinks
    written: SourceLinks
    reposts: SourceLinks
    sources: tuple[SourceLinks, ...]
    source_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentCounts:
    """What one pass over the documents table gives."""

    rows_read: int
    drops: Drops
    links: Links
    languages: tuple[Count, ...]
    """Kept documents by the language they claim; `unknown` where they claim none."""
    first_day: str | None
    last_day: str | None


@dataclass(slots=True)
class _Tally:
    posts: int = 0
    without_url: int = 0
    urls: int = 0
    articles: int = 0

    def add(self, posts: int, without_url: int, urls: int, articles: int) -> None:
        self.posts += posts
        self.without_url += without_url
        self.urls += urls
        self.articles += articles

    def add_tally(self, other: _Tally) -> None:
        self.add(other.posts, other.without_url, other.urls, other.articles)

    def result(self, source: str) -> SourceLinks:
        return SourceLinks(
            source=source,
            posts=self.posts,
            without_url=self.without_url,
            share_without_url=share(self.without_url, self.posts),
            urls_per_post=round(self.urls / self.posts, PLACES) if self.posts else None,
            article_urls_per_post=round(self.articles / self.posts, PLACES) if self.posts else None,
        )


def count_documents(run: Path) -> DocumentCounts:
    """Count rows, links, languages and days of the documents; rows that could not be read count as no post."""
    reasons = ReasonCounter("documents")
    rows_read = 0
    tallies: dict[tuple[str, bool], _Tally] = {}
    languages: Counter[str] = Counter()
    days: list[datetime] = []
    columns = ("created_at", "language", "urls", "media_urls", "repost_of", "source", "copies", "dropped_for")
    for part in read_parts(run, "documents", columns):
        if not len(part):
            continue
        reasons.add(part.column("dropped_for"))
        rows_read += _sum(part.column("copies"))
        posts = part.filter(_is_post(part.column("dropped_for")))
        for source, is_repost, *numbers in _by_source(posts):
            tallies.setdefault((source, is_repost), _Tally()).add(*numbers)
        add_values(languages, _kept_languages(posts), missing="unknown")
        days.extend(_first_and_last(posts.column("created_at")))
    return DocumentCounts(
        rows_read=rows_read,
        drops=reasons.result(),
        links=_links(tallies),
        languages=counted(languages, most=MOST_LANGUAGES),
        first_day=min(days).date().isoformat() if days else None,
        last_day=max(days).date().isoformat() if days else None,
    )


def _sum(column: pa.ChunkedArray) -> int:
    import pyarrow.compute as pc

    return int(pc.sum(column).as_py() or 0)


def _is_post(dropped_for: pa.ChunkedArray) -> pa.Array:
    import pyarrow as pa

    return pa.array([reason is None or head(reason) != NOT_A_POST for reason in dropped_for.to_pylist()], pa.bool_())


def _kept_languages(posts: pa.Table) -> pa.ChunkedArray:
    import pyarrow.compute as pc

    return posts.filter(pc.is_null(posts.column("dropped_for"))).column("language")


def _first_and_last(times: pa.ChunkedArray) -> list[datetime]:
    import pyarrow as pa
    import pyarrow.compute as pc

    ends = pc.min_max(times.cast(pa.int64()))  # microseconds: Arrow's own way to datetimes wants a time zone database
    return [EPOCH + timedelta(microseconds=ends[end].as_py()) for end in ("min", "max") if ends[end].is_valid]


def _by_source(posts: pa.Table) -> list[tuple[str, bool, int, int, int, int]]:
    """Per source and kind of post: posts, posts without a link, links, links to articles."""
    import pyarrow as pa
    import pyarrow.compute as pc

    articles = pc.list_value_length(posts.column("urls"))
    urls = pc.add(articles, pc.list_value_length(posts.column("media_urls")))
    table = pa.table(
        {
            "source": posts.column("source"),
            "is_repost": pc.is_valid(posts.column("repost_of")),
            "without": pc.equal(urls, 0).cast(pa.int64()),
            "urls": urls,
            "articles": articles,
        }
    )
    sums = table.group_by(["source", "is_repost"]).aggregate(
        [([], "count_all"), ("without", "sum"), ("urls", "sum"), ("articles", "sum")]
    )
    names = ("source", "is_repost", "count_all", "without_sum", "urls_sum", "articles_sum")
    return sorted(zip(*(sums.column(name).to_pylist() for name in names), strict=True))


def _links(tallies: dict[tuple[str, bool], _Tally]) -> Links:
    every, written, reposts = _Tally(), _Tally(), _Tally()
    sources: dict[str, _Tally] = {}
    for (source, is_repost), tally in tallies.items():
        for total in (every, reposts if is_repost else written, sources.setdefault(source, _Tally())):
            total.add_tally(tally)
    order = sorted(sources, key=lambda source: (-sources[source].posts, source))
    shown = [sources[source].result(source) for source in order[:MOST_SOURCES]]
    if len(order) > MOST_SOURCES:
        rest = _Tally()
        for source in order[MOST_SOURCES:]:
            rest.add_tally(sources[source])
        shown.append(rest.result(OTHER))
    return Links(
        every=every.result("all posts"),
        written=written.result("written by their author"),
        reposts=reposts.result("automatic reposts"),
        sources=tuple(shown),
        source_count=len(order),
    )
