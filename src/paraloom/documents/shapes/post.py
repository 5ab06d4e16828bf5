"""What every shape reads a record into, and how a shape looks at values whose type cannot be trusted."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

Record: TypeAlias = dict[str, Any]

LINKS_OF_A_POST = 100
"""More links than this are not followed: no post has them."""

LONGEST_FIELD = 4_000
"""A field other than the text that has more characters is taken for a mistake, and left out."""

UNKNOWN = "unknown"
"""The platform of a record that names none: its ids mean nothing outside its file."""

DELETED = "deleted at source"
"""Why a document is left out whose author took it back; it has no text any more."""


class BadRow(Exception):
    """A record that cannot be a document; its message is the reason, after `bad_row: `."""


class Caption(NamedTuple):
    """Where a caption stands in a text, and when it is shown, in seconds."""

    start: int
    end: int
    begins_at: float
    ends_at: float


@dataclass(slots=True)
class Post:
    """One record as its shape understood it, before text is repaired and links are made canonical."""

    text: object
    """Whatever stands where the text should; `decode` judges it."""
    platform: str
    """The space of the native ids."""
    source: str | None = None
    """Where it comes from; the platform, if the record does not say."""
    native_id: str | None = None
    created_at: object = None
    author: str | None = None
    other_names: tuple[str | None, ...] = ()
    """What else the author is called, and who wrote what a repost repeats: links to their own pages are known by it."""
    language: object = None
    links: list[str] | None = None
    """Links the record gives; None where only the text can have some."""
    media: list[str] = field(default_factory=list)
    trend: str | None = None
    work: str | None = None
    series: str | None = None
    forum: str | None = None
    """Where a thread was begun: with its title, this is its work."""
    title: str | None = None
    repost_of: str | None = None
    """Native id of the post that this one repeats, or `@` and its account where there is no id."""
    page_title: str | None = None
    page_description: str | None = None
    kind: str | None = "post"
    """None where the record does not say what it is."""
    page_set: str | None = None
    """Number of the raw day's set, which names the page where pages are numbered files."""
    dropped_for: str | None = None
    captions: tuple[Caption, ...] = ()
    """Of a subtitle file. Their offsets count the text's characters, which is why such a text comes repaired."""
    is_repaired: bool = False
    """The text is as it is to be stored."""
    is_headed: bool = False
    """The text is to begin with the title."""
    offset: int | None = None
    """Where in its record the text begins, if the record is a file that holds several."""


def as_text(value: object) -> str | None:
    """A string with something in it, else None; one that is too long is none either."""
    return value if type(value) is str and 0 < len(value) <= LONGEST_FIELD else None


def as_id(value: object) -> str | None:
    """A native id as a string: large numbers are ids too, true and NaN are not."""
    if type(value) is str:
        return as_text(value.strip())
    return as_text(str(value)) if type(value) is int else None


def as_record(value: object) -> Mapping[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_records(value: object) -> list[Mapping[str, Any]]:
    """The objects of a list, whatever else is in it."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


_BETWEEN_LINKS = re.compile(r"[\s|,;\"'\[\]]+(?=https?:|www\.)|[\s|\"'\[\]]+")


def as_links(value: object) -> list[str]:
    """Links of a list or of one string that holds several, whatever separates them."""
    if type(value) is str:
        return [link for link in _BETWEEN_LINKS.split(value) if link]
    if isinstance(value, list):
        return [link for link in value if type(link) is str and link]
    return []
