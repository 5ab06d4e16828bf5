"""One document in, its places in groups out; the members of a group in, the group's rows out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from paraloom.engine.rows import Members
from paraloom.groups.options import GroupOptions
from paraloom.groups.topics import TopicMapping, topic_of_trend, topic_of_url
from paraloom.tables import Group, make_id
from paraloom.text.patterns import HASHTAG

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


def keys_by_url(document: Members, options: GroupOptions) -> list[str]:
    """The links that a document shares with others."""
    return list(dict.fromkeys(document.only("urls")))


def keys_by_trend(document: Members, options: GroupOptions) -> list[str]:
    """The trend a document was found under, else its hashtags."""
    trend = " ".join((document.only("trend") or "").lower().split())
    if trend:
        return [trend]
    return hashtags(document.only("text")) if options.hashtags else []


KEYS: dict[str, Callable[[Members, GroupOptions], list[str]]] = {"url": keys_by_url, "trend": keys_by_trend}
TOPIC_OF: dict[str, Callable[[str, TopicMapping], str]] = {"url": topic_of_url, "trend": topic_of_trend}


def memberships(document_id: str, document: Members, *, options: GroupOptions) -> Iterator[Membership]:
    """The groups that a document is in."""
    for kind in options.by:
        for key in KEYS[kind](document, options):
            yield Membership(
                group_id=make_id(kind, key),
                document_id=document_id,
                kind=kind,
                key=key,
                created_at=document.only("created_at"),
                author=document.only("author"),
            )


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


def balance_group(group_id: str, members: Members, *, seed: int, limits: dict[str, str]) -> Iterable[Group]:
    """The group's rows again, left out where its topic is too common and its draw is above the topic's limit."""
    topic = members["topic"][0]
    over = topic in limits and draw(seed, group_id) > limits[topic]
    columns = ("document_id", "kind", "key", "is_origin", "topic", "created_at", "size", "dropped_for")
    for document_id, kind, key, is_origin, its_topic, created_at, size, reason in zip(
        *(members[column] for column in columns), strict=True
    ):
        yield Group(
            group_id=group_id,
            document_id=document_id,
            kind=kind,
            key=key,
            is_origin=is_origin,
            topic=its_topic,
            created_at=created_at,
            size=size,
            dropped_for=reason or ("topic_balance" if over else None),
        )


def draw(seed: int, group_id: str) -> str:
    """A group's number in the lottery of its topic: the lower stay."""
    return make_id("balance", seed, group_id)


def limits_for_balance(groups: Iterable[tuple[str, str]], allowed: dict[str, int], seed: int) -> dict[str, str]:
    """The highest draw that stays, for every topic that has more groups than it may keep."""
    draws: dict[str, list[str]] = {}
    for group_id, topic in groups:
        draws.setdefault(topic, []).append(draw(seed, group_id))
    return {
        topic: sorted(numbers)[allowed[topic] - 1] if allowed[topic] else ""
        for topic, numbers in draws.items()
        if len(numbers) > allowed[topic]
    }
