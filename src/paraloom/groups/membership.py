"""Documents in, their places in groups out; the members of a group in, the group's rows out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from paraloom.engine.rows import Members
from paraloom.groups.by_entity_date import entity_dates, entity_of
from paraloom.groups.options import GroupOptions
from paraloom.groups.topics import TopicMapping, topic_of_trend, topic_of_url
from paraloom.tables import Group, make_id
from paraloom.text.patterns import HASHTAG

if TYPE_CHECKING:
    import pyarrow as pa

_HASHTAG = re.compile(rf"(?<![\w&/]){HASHTAG}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Membership:
    """One document that belongs to one group, before the group is looked at as a whole."""

    group_id: str
    document_id: str
    kind: str
    key: str
    created_at: datetime | None
    author: str | None


def hashtags(text: str) -> list[str]:
    """The hashtags of a post, lower-cased, each once; one without a letter is a number.

    >>> hashtags("#FinallyFriday! and #finallyfriday &#39; #2020 a#b")
    ['#finallyfriday']
    """
    found = (tag[1:].lower() for tag in _HASHTAG.findall(text))
    return list(dict.fromkeys(f"#{tag}" for tag in found if any(map(str.isalpha, tag))))


Places = tuple["pa.Array", "pa.Array"]
"""Which row of a table of documents, and the key of a group that the document is in."""


def keys_by_url(documents: pa.Table, options: GroupOptions) -> Places:
    """The links that documents share with others."""
    import pyarrow.compute as pc

    urls = documents.column("urls").combine_chunks()
    return pc.list_parent_indices(urls), pc.list_flatten(urls)


def keys_by_trend(documents: pa.Table, options: GroupOptions) -> Places:
    """The trend a document was found under, else its hashtags."""
    import pyarrow as pa

    places: list[int] = []
    keys: list[str] = []
    trends, texts = (documents.column(name).to_pylist() for name in ("trend", "text"))
    for place, (trend, text) in enumerate(zip(trends, texts, strict=True)):
        named = " ".join((trend or "").lower().split())
        found = [named] if named else hashtags(text) if options.hashtags else []
        keys += found
        places += [place] * len(found)
    return pa.array(places, pa.int64()), pa.array(keys, pa.string())


def keys_by_entity_date(documents: pa.Table, options: GroupOptions) -> Places:
    """The names in a document, with the day that it was written on."""
    import pyarrow as pa

    texts, times = (documents.column(name).to_pylist() for name in ("text", "created_at"))
    found = [
        (place, key)
        for place, (text, time) in enumerate(zip(texts, times, strict=True))
        for key in entity_dates(text, time)
    ]
    return pa.array([place for place, _ in found], pa.int64()), pa.array([key for _, key in found], pa.string())


KEYS: dict[str, Callable[[pa.Table, GroupOptions], Places]] = {
    "url": keys_by_url,
    "trend": keys_by_trend,
    "entity-date": keys_by_entity_date,
}
TOPIC_OF: dict[str, Callable[[str, TopicMapping], str]] = {
    "url": topic_of_url,
    "trend": topic_of_trend,
    "entity-date": lambda key, topics: topic_of_trend(entity_of(key), topics),
}


def memberships(documents: pa.Table, *, options: GroupOptions) -> pa.Table:
    """The groups that documents are in: a row of `Membership` for every place of every document."""
    import numpy as np
    import pyarrow as pa

    found = []
    for kind in options.by:
        places, keys = KEYS[kind](documents, options)
        each = keys.dictionary_encode()  # a link is hashed once, however many posts share it
        ids = pa.array([make_id(kind, key) for key in each.dictionary.to_pylist()], pa.string())
        once = places.to_numpy() * max(len(ids), 1) + each.indices.to_numpy()
        first = pa.array(np.sort(np.unique(once, return_index=True)[1]))  # a link given twice is one place
        shared = documents.select(["document_id", "created_at", "author"]).take(places.take(first))
        found.append(
            shared.append_column("group_id", ids.take(each.indices.take(first)))
            .append_column("kind", pa.array([kind] * len(first), pa.string()))
            .append_column("key", keys.take(first))
        )
    return pa.concat_tables(found)


def describe_group(
    group_id: str, members: Members, *, options: GroupOptions, topics: TopicMapping, accounts: frozenset[str]
) -> Iterator[Group]:
    """The rows of one group: its size, its origin, its topic, and why it is left out if it is."""
    documents = members["document_id"]
    times = members["created_at"]
    authors = members["author"]
    size = len(documents)
    kind, key = members["kind"][0], members["key"][0]
    origin = _origin(documents, times, authors, accounts)
    dropped_for = "too_small" if size < options.min_posts else "too_large" if size > options.max_posts else None
    topic = TOPIC_OF[kind](key, topics)
    first = min((time for time in times if time is not None), default=None)
    for document_id in documents:
        yield Group(
            group_id=group_id,
            document_id=document_id,
            kind=kind,
            key=key,
            is_origin=document_id == origin,
            topic=topic,
            created_at=first,
            size=size,
            dropped_for=dropped_for,
        )


def _origin(
    documents: list[str], times: list[datetime | None], authors: list[str | None], accounts: frozenset[str]
) -> str:
    """The earliest post of a listed account, else the earliest post; posts without a time come last."""
    return min(
        zip(documents, times, authors, strict=True),
        key=lambda member: (
            (member[2] or "").casefold() not in accounts,
            member[1] is None,
            member[1].timestamp() if member[1] is not None else 0.0,
            member[0],
        ),
    )[0]
