"""Tokens of XML in, its elements out, whether it is well formed or not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from paraloom.documents.files.markup import Token, paragraphs, plain_paragraphs, unescaped

_ATTRIBUTE = re.compile(r"""(?<![\w:.\-])([\w:.\-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_PLAIN = frozenset(("text", "text/plain"))
_XHTML = frozenset(("xhtml", "application/xhtml+xml"))
_HTML = frozenset(("", "html", "text/html", "xml", "text/xml"))


@dataclass(frozen=True, slots=True)
class Element:
    """An element within an item or a feed."""

    name: str
    attributes: str
    inside: Sequence[Token]
    source: str

    def attribute(self, name: str) -> str:
        """The value of an attribute, empty if it has none of this name."""
        return attribute_of(self.attributes, name)

    @property
    def markup(self) -> str:
        """What is in it, as it stands."""
        return self.source[self.inside[0].start : self.inside[-1].end] if self.inside else ""

    @property
    def text(self) -> str:
        """What is in it with one layer of escapes taken off; tags stay."""
        return "".join(map(self._unwrapped, self.inside)).strip()

    @property
    def said(self) -> str:
        """What it says to a reader, in paragraphs; empty where it is not for readers."""
        type_ = self.attribute("type").lower()
        if type_ in _PLAIN:
            return plain_paragraphs(self.text)
        if type_ in _XHTML:
            return paragraphs(self.markup)
        return paragraphs(self.text) if type_ in _HTML and self.attribute("mode") != "base64" else ""

    def _unwrapped(self, token: Token) -> str:
        if token.kind == "text":
            return unescaped(token.value)
        return token.value if token.kind == "literal" else self.source[token.start : token.end]


def attribute_of(attributes: str, name: str) -> str:
    """The value of an attribute of a tag, empty if it has none of this name.

    >>> attribute_of(' rel="alternate" href="https://example.com/?a=1&amp;b=2"', "href")
    'https://example.com/?a=1&b=2'
    """
    for found, quoted, single_quoted in _ATTRIBUTE.findall(attributes):
        if found == name:
            return unescaped(quoted or single_quoted).strip()
    return ""


def elements_of(found: Sequence[Token], source: str) -> Iterator[Element]:
    """The outermost elements among these tokens; a tag that is never closed is passed over."""
    opened: dict[str, list[int]] = {}
    ends: dict[int, int] = {}
    for number, token in enumerate(found):
        if token.kind == "start":
            opened.setdefault(token.value, []).append(number)
        elif token.kind == "end" and opened.get(token.value):
            ends[opened[token.value].pop()] = number
    number = 0
    while number < len(found):
        token = found[number]
        end = number if token.kind == "empty" else ends.get(number)
        if end is not None:
            name = token.value.removeprefix("atom:").removeprefix("rss:").removeprefix("a10:")
            yield Element(name, token.attributes, found[number + 1 : end], source)
            number = end
        number += 1
