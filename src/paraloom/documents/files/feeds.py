"""A feed in, its items out as articles: RSS 0.9 to 2.0, Atom, and dumps in which many feeds follow each other.

Items are cut out before any of them is read, so one that is broken takes no other along, and each is known by its
offset. No XML parser is at work: too many feeds are no XML, and a parser that expands entities can be bombed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from paraloom.documents.files.elements import Element, attribute_of, elements_of
from paraloom.documents.files.markup import Marks, characters, tokens
from paraloom.documents.shapes.post import UNKNOWN, Post, as_text
from paraloom.documents.urls import host_of

_HEAD = 1 << 16
_PREFIX = r"(?:(?:atom|rss|a10):)?"
_FEED = re.compile(rf"<{_PREFIX}(?:rss|feed|rdf:rdf|channel)[\s>]".encode(), re.IGNORECASE)
_CUTS = re.compile(
    rf"<!--|<!\[CDATA\[|<(/?){_PREFIX}(?:(item|entry)|(rss|feed|rdf:rdf|channel))(?=[\s>/])", re.IGNORECASE
)

_BODIES = ("content:encoded", "encoded", "content", "description", "summary", "dc:description")
"""What may hold the text, the fullest first."""
_TITLES = ("title", "dc:title")
_TIMES = ("pubdate", "published", "issued", "dcterms:issued", "dc:date", "dcterms:created", "updated", "modified")
_AUTHORS = ("dc:creator", "author", "itunes:author")
_IDS = ("guid", "id")
_LANGUAGES = ("dc:language", "language")


def is_feed(raw: bytes) -> bool:
    """Whether an XML file has a feed in it.

    >>> is_feed(b'<?xml version="1.0"?><rss version="2.0"><channel>'), is_feed(b"<document><s>Hi!</s></document>")
    (True, False)
    """
    return _FEED.search(raw, 0, _HEAD) is not None


def read_feed(raw: bytes, encoding: str | None) -> list[Post]:
    """An article for every item; one that says nothing is among them, without a text."""
    found: list[Post] = []
    for feed in _spans(raw.decode("latin-1")):  # a letter a byte, so that offsets are those of the file
        head, *items = _texts(raw, feed, encoding)
        about = _Parts(head)
        found += (_article(_Parts(item), about, start) for item, (start, _) in zip(items, feed.items, strict=True))
    return found


@dataclass(slots=True)
class _Span:
    """Where a feed and its items begin and end."""

    start: int
    end: int = 0
    items: list[tuple[int, int]] = field(default_factory=list)

    @property
    def head(self) -> tuple[int, int]:
        """What stands before the first item: there a feed says what it is."""
        return self.start, self.items[0][0] if self.items else self.end


def _spans(text: str) -> list[_Span]:
    """The feeds of a file, one after the other. An item goes on to its end tag, or to where something else begins."""
    feeds, has_root = [_Span(0)], False
    open_at = -1
    for begin, is_end, item, root in _cuts(text):
        feed = feeds[-1]
        if open_at >= 0:
            feed.items.append((open_at, begin))
        open_at = begin if item and not is_end else -1
        if item or is_end:
            continue
        if feed.items or (has_root and root != "channel"):
            last = feed.items[-1][1] if feed.items else feed.start + 1
            feed.end = begin if (declared := text.rfind("<?xml", last, begin)) < 0 else declared
            feeds.append(_Span(feed.end))
        has_root = has_root or root != "channel"
    if open_at >= 0:
        feeds[-1].items.append((open_at, len(text)))
    feeds[-1].end = len(text)
    return feeds


def _cuts(text: str) -> Iterator[tuple[int, bool, str | None, str | None]]:
    """Tags of items and of feeds: where each begins, whether it is an end tag, and which it is."""
    marks, at = Marks(text), 0
    while found := _CUTS.search(text, at):
        begin, at = found.span()
        ends, item, root = found.groups()
        if ends is None:
            at = marks.end_of_literal(begin) if text.startswith("<![", begin) else marks.end_of_aside(begin)
        else:
            yield begin, bool(ends), item, root and root.lower()


def _texts(raw: bytes, feed: _Span, encoding: str | None) -> list[str]:
    """The characters of a feed's head and of its items."""
    spans = [feed.head, *feed.items]
    if encoding is None:
        try:
            return [raw[start:end].decode() for start, end in spans]
        except UnicodeDecodeError:
            pass
    whole = characters(raw[feed.start : feed.end], encoding)  # all at once, for an item is short to guess by
    first, *others = _spans(whole)
    if others or len(first.items) != len(feed.items):
        return [characters(raw[start:end], encoding) for start, end in spans]
    return [whole[start:end] for start, end in (first.head, *first.items)]


class _Parts:
    """The elements of an item, or of the head of a feed, by their names; those of its first tag too."""

    def __init__(self, source: str) -> None:
        found = list(tokens(source))
        self.first = next((token.attributes for token in found if token.kind == "start"), "")
        self.elements = list(elements_of(found[1:], source))
        for element in self.elements:
            if element.name == "channel":  # of RSS 1.0, where items stand behind it
                self.elements = list(elements_of(element.inside, source))
                break

    def all(self, names: Sequence[str]) -> Iterator[Element]:
        """The elements of these names, those of the first name first."""
        return (element for name in names for element in self.elements if element.name == name)

    def said(self, names: Sequence[str]) -> str:
        """What the first of these elements says that says anything."""
        return next((said for element in self.all(names) if (said := element.said)), "")

    def text(self, names: Sequence[str]) -> str:
        """What is in the first of these elements that has anything in it."""
        return next((text for element in self.all(names) if (text := element.text)), "")

    @property
    def link(self) -> str:
        """Where the whole article is, or the site that the feed belongs to."""
        for element in self.all(("feedburner:origlink", "link")):
            if element.attribute("rel") in ("", "alternate") and (found := element.attribute("href") or element.text):
                return found
        guid = next((each for each in self.all(("guid",)) if each.attribute("isPermaLink") != "false"), None)
        return guid.text if guid is not None and guid.text.startswith("http") else ""

    @property
    def author(self) -> str | None:
        """The name of whoever wrote it."""
        for element in self.all(_AUTHORS):
            names = [each.text for each in elements_of(element.inside, element.source) if each.name == "name"]
            if found := as_text(next(iter(names), "") or element.text):
                return name_beside_address(found)
        return None

    @property
    def language(self) -> str:
        """The language it is said to be in."""
        return self.text(_LANGUAGES) or attribute_of(self.first, "xml:lang")


def _article(item: _Parts, feed: _Parts, offset: int) -> Post:
    link = item.link
    host = host_of(link) or host_of(feed.link)
    return Post(
        kind="article",
        text=item.said(_BODIES) or None,
        title=as_text(" ".join(item.said(_TITLES).split())),
        created_at=item.text(_TIMES) or None,
        author=item.author,
        language=item.language or feed.language or None,
        links=[link] if link else [],
        native_id=as_text(item.text(_IDS) or attribute_of(item.first, "rdf:about")),
        platform=host or UNKNOWN,
        source=as_text(" ".join(feed.said(_TITLES).split())) or host,
        offset=offset,
    )


def name_beside_address(author: str) -> str:
    """The name of an author who is given as RSS wants it, by an address and a name in brackets; else all of it.

    >>> name_beside_address("ada@example.com (Ada Byron)"), name_beside_address("Ada Byron (ada@example.com)")
    ('Ada Byron', 'Ada Byron (ada@example.com)')
    """
    said = author.rstrip()
    first = said.split(maxsplit=1)[0] if said and not said[0].isspace() else ""
    name_at = first.find("@", 1) + 2  # an address has a letter on either side of its @
    if name_at == 1 or name_at > len(first) or not said.endswith(")"):
        return author
    rest = said[len(first) :].lstrip()
    if rest.startswith("(") and len(rest) > 2:
        return rest[1:-1].strip()
    bracket = first.rfind("(", name_at, len(said) - 2)
    return said[bracket + 1 : -1].strip() if bracket >= 0 else author
