"""Our own columns: text, created_at, author, url or urls, language, trend, title and so on. Also what `--map` makes.

Ids are unique within a `platform`, or where there is none within a `source`; `source` may be finer, such as an account.
"""

from __future__ import annotations

from paraloom.documents.shapes.post import UNKNOWN, Post, Record, as_id, as_links, as_text

NAMES = {
    "text": ("text",),
    "id": ("id", "native_id", "id_str"),
    "created_at": ("created_at", "date", "time", "timestamp", "datetime", "date_publish", "published"),
    "author": ("author", "user", "username", "screen_name"),
    "urls": ("urls", "url", "links", "link"),
    "language": ("language", "lang"),
    "trend": ("trend", "topic"),
    "title": ("title",),
    "work": ("work",),
    "series": ("series",),
    "forum": ("forum", "subforum"),
    "repost_of": ("repost_of",),
    "page_title": ("page_title",),
    "page_description": ("page_description",),
    "source": ("source", "source_domain"),
    "platform": ("platform",),
    "kind": ("kind",),
    "media_urls": ("media_urls",),
}
"""Our columns, and the names under which a file may have them; the first that is there counts."""


def recognises(record: Record) -> bool:
    """Whatever has a text."""
    return "text" in record


def read(record: Record, context: Record) -> Post:
    """A record with our column names."""
    get = record.get
    links = as_links(_first(record, "urls"))
    return Post(
        text=get("text"),
        platform=as_text(get("platform")) or as_text(_first(record, "source")) or UNKNOWN,
        source=as_text(_first(record, "source")),
        native_id=as_id(_first(record, "id")),
        created_at=_first(record, "created_at"),
        author=as_id(_first(record, "author")),
        language=_first(record, "language"),
        links=links or None,
        media=as_links(get("media_urls")),
        trend=as_text(_first(record, "trend")),
        title=as_text(get("title")),
        work=as_id(get("work")),
        series=as_id(get("series")),
        forum=as_text(_first(record, "forum")),
        repost_of=as_id(get("repost_of")),
        page_title=as_text(get("page_title")),
        page_description=as_text(get("page_description")),
        kind=as_text(get("kind")),
    )


def _first(record: Record, column: str) -> object:
    for name in NAMES[column]:
        value = record.get(name)
        if value is not None and value != "":
            return value
    return None
