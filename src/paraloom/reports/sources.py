"""Documents in, what their sources are like out: links per post (Table 5 of Lan et al., 2017), languages, dates."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.engine.rows import EPOCH
from paraloom.engine.store import read_parts
from paraloom.reports.columns import OTHER, PLACES, Count, add_values, counted, is_among, share, short_ids
from paraloom.reports.funnel import Drops, GroupCounts, ReasonCounter

if TYPE_CHECKING:
    import pyarrow as pa

MOST_SOURCES = 20
MOST_LANGUAGES = 20
NOT_A_POST = r"^\s*bad_row\s*(:|$)"
"""The reason of a row that could not be read."""
MERGED_FROM = 50_000
"""Lines of sums that wait before they are added to those there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLinks:
    """How the posts of one source link: one line of Table 5."""

    source: str
    posts: int
    without_url: int
    share_without_url: float | None
    """None for posts that were chosen by their link, which can have no other share than 0."""
    urls_per_post: float | None
    """Links of every kind, media among them."""
    article_urls_per_post: float | None
    """Links that are not to media or to the post itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """Links of all posts, of automatic reposts and of the others, of groups by URL, and of every large source."""

    every: SourceLinks
    written: SourceLinks
    reposts: SourceLinks
    origins: SourceLinks
    """Posts that are the origin of a kept group by URL."""
    members: SourceLinks
    """The other posts of kept groups by URL."""
    sources: tuple[SourceLinks, ...]
    source_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentCounts:
    """What one pass over the documents table gives."""

    documents: int
    kept: int
    drops: Drops
    """Counted in rows read."""
    links: Links
    languages: tuple[Count, ...]
    """Kept documents by the language they claim; `unknown` where they claim none."""
    first_day: str | None
    last_day: str | None


def count_documents(run: Path, groups: GroupCounts) -> DocumentCounts:
    """Count rows, links, languages and days of the documents; rows that could not be read count as no post."""
    import pyarrow.compute as pc

    reasons = ReasonCounter("documents")
    documents = kept = 0
    links = _LinkSums(groups)
    languages: Counter[str] = Counter()
    days: list[datetime] = []
    columns = ("document_id", "created_at", "language", "urls", "media_urls", "repost_of", "source", "copies")
    for part in read_parts(run, "documents", (*columns, "dropped_for")):
        if not len(part):
            continue
        reasons.add(part.column("dropped_for"), part.column("copies"))
        documents += len(part)
        kept += part.column("dropped_for").null_count
        broken = pc.match_substring_regex(part.column("dropped_for"), NOT_A_POST)
        posts = part.filter(pc.invert(pc.fill_null(broken, False)))
        links.add(posts)
        add_values(languages, _kept_languages(posts), missing="unknown")
        days.extend(_first_and_last(posts.column("created_at")))
    return DocumentCounts(
        documents=documents,
        kept=kept,
        drops=reasons.result(),
        links=links.result(),
        languages=counted(languages, most=MOST_LANGUAGES),
        first_day=min(days).date().isoformat() if days else None,
        last_day=max(days).date().isoformat() if days else None,
    )


def _kept_languages(posts: pa.Table) -> pa.ChunkedArray:
    import pyarrow.compute as pc

    return posts.filter(pc.is_null(posts.column("dropped_for"))).column("language")


def _first_and_last(times: pa.ChunkedArray) -> list[datetime]:
    import pyarrow as pa
    import pyarrow.compute as pc

    ends = pc.min_max(times.cast(pa.int64()))  # microseconds: Arrow's own way to datetimes wants a time zone database
    return [EPOCH + timedelta(microseconds=ends[end].as_py()) for end in ("min", "max") if ends[end].is_valid]


class _LinkSums:
    """Posts and links by source and kind of post, in an Arrow table: every account may be a source of its own."""

    KEYS = ("source", "is_repost", "is_origin", "is_member")
    SUMS = ("posts", "without", "urls", "articles")

    def __init__(self, groups: GroupCounts) -> None:
        self._groups = groups
        self._waiting: list[pa.Table] = []

    def add(self, posts: pa.Table) -> None:
        """Count the posts of one part."""
        import numpy as np
        import pyarrow as pa
        import pyarrow.compute as pc

        ids = short_ids(posts.column("document_id"))
        is_origin = is_among(ids, self._groups.origins)
        articles = pc.list_value_length(posts.column("urls"))
        urls = pc.add(articles, pc.list_value_length(posts.column("media_urls")))
        table = pa.table(
            {
                "source": posts.column("source"),
                "is_repost": pc.is_valid(posts.column("repost_of")),
                "is_origin": is_origin,
                "is_member": is_among(ids, self._groups.of_links) & ~is_origin,
                "posts": np.ones(len(posts), np.int64),
                "without": pc.equal(urls, 0).cast(pa.int64()),
                "urls": urls.cast(pa.int64()),
                "articles": articles.cast(pa.int64()),
            }
        )
        self._waiting.append(_summed(table, self.KEYS, self.SUMS))
        first, *others = self._waiting
        if sum(map(len, others)) > max(len(first), MERGED_FROM):  # seldom, since all sums are gone through each time
            self._waiting = [_summed(pa.concat_tables(self._waiting), self.KEYS, self.SUMS)]

    def result(self) -> Links:
        """What was counted."""
        import pyarrow as pa
        import pyarrow.compute as pc

        none = pa.schema([("source", pa.string()), *((name, pa.bool_()) for name in self.KEYS[1:])])
        none = pa.schema([*none, *((name, pa.int64()) for name in self.SUMS)])
        sums = pa.concat_tables([none.empty_table(), *self._waiting])
        of_source = _summed(sums, ("source",), self.SUMS).sort_by([("posts", "descending"), ("source", "ascending")])
        largest, rest = of_source.slice(0, MOST_SOURCES), of_source.slice(MOST_SOURCES)
        shown = [
            _line(source, largest.slice(place, 1)) for place, source in enumerate(largest.column("source").to_pylist())
        ]
        sums = sums.drop_columns("source")
        return Links(
            every=_line("all posts", sums),
            written=_line("written by their author", sums.filter(pc.invert(sums.column("is_repost")))),
            reposts=_line("automatic reposts", sums.filter(sums.column("is_repost"))),
            origins=_line(
                "posts that are their group\u2019s origin", sums.filter(sums.column("is_origin")), by_url=True
            ),
            members=_line("other posts", sums.filter(sums.column("is_member")), by_url=True),
            sources=tuple([*shown, _line(OTHER, rest)] if len(rest) else shown),
            source_count=len(of_source),
        )


def _summed(table: pa.Table, keys: tuple[str, ...], sums: tuple[str, ...]) -> pa.Table:
    """One row for each key, with the sums over its rows."""
    added = table.group_by(list(keys), use_threads=False).aggregate([(name, "sum") for name in sums])
    return added.select([*keys, *(f"{name}_sum" for name in sums)]).rename_columns([*keys, *sums])


def _line(name: str, sums: pa.Table, *, by_url: bool = False) -> SourceLinks:
    import pyarrow.compute as pc

    posts, without, urls, articles = (int(pc.sum(sums.column(column)).as_py() or 0) for column in _LinkSums.SUMS)
    return SourceLinks(
        source=name,
        posts=posts,
        without_url=without,
        share_without_url=None if by_url else share(without, posts),
        urls_per_post=round(urls / posts, PLACES) if posts else None,
        article_urls_per_post=round(articles / posts, PLACES) if posts else None,
    )
