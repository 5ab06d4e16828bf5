"""HTML and XML in, what they say out: bytes as characters, markup as tokens, a stretch of HTML as paragraphs.

The tokens are those of a reader that forgives: what is no tag is text. No entity is ever defined or fetched, so there
is nothing that could be bombed or reached, and every function takes time linear in what it reads.
"""

from __future__ import annotations

import codecs
import html
import re
from collections.abc import Iterator
from typing import NamedTuple

from paraloom.documents.files.encodings import decoded

_DECLARED = re.compile(
    rb"""(?:<\?xml[^>]{0,200}?encoding|<meta[^>]{0,300}?charset)\s*=\s*["']?\s*([\w.:\-]{2,40})""", re.IGNORECASE
)
_HEAD = 4096
_AS_BROWSERS_READ = {
    "ascii": "cp1252", "iso8859-1": "cp1252", "iso8859-9": "cp1254", "iso8859-11": "cp874", "tis-620": "cp874",
    "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949",
}  # fmt: skip
"""Encodings that pages name, and the larger ones they mean (https://encoding.spec.whatwg.org)."""


def characters(raw: bytes, encoding: str | None) -> str:
    r"""The characters of an HTML or XML file: UTF-8 where it can be, else as its head declares, else as guessed.

    >>> characters(b'<meta charset="iso-8859-1"><p>caf\xe9 \x96 bar', None)[-10:]
    'café – bar'
    """
    declared = _declared(raw) if encoding is None else None
    if declared is not None and declared != "utf-8":
        for name in ("utf-8", declared):  # what reads as UTF-8 is UTF-8, whatever was declared
            try:
                return raw.decode(name)
            except UnicodeDecodeError:
                continue
    return decoded(raw, encoding)


def _declared(raw: bytes) -> str | None:
    found = _DECLARED.search(raw, 0, _HEAD)
    if found is None or raw.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\x1b" in raw:
        return None  # marks and escapes tell more than words
    try:
        name = codecs.lookup(found[1].decode("ascii")).name
        b"ab".decode(name)  # some codecs are not for text, and here two bytes are two letters
    except (LookupError, UnicodeError, ValueError):
        return None
    return None if name.startswith("utf-16") else _AS_BROWSERS_READ.get(name, name)


class Token(NamedTuple):
    """A tag, or a stretch of text."""

    kind: str
    """`start`, `end`, `empty` (a tag that is its own end), `text`, or `literal`: text in which nothing is markup."""
    value: str
    """The tag's name in lower case, or the text as it stands."""
    attributes: str
    start: int
    end: int


_TAG = re.compile(r"""<(/?)([A-Za-z_][\w.:\-]*+)((?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+)>""")
_CDATA, _COMMENT = "<![CDATA[", "<!--"


class Marks:
    """Where the things end in a text that are no tags, each asked for where it begins."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._last = {mark: text.rfind(mark) for mark in ("-->", "?>")}  # else each that is left open is searched for

    def end_of_literal(self, at: int) -> int:
        """Of a CDATA section; one that was left open, so that the next begins in it, ends with its opening mark."""
        begin = at + len(_CDATA)
        another = self.text.find(_CDATA, begin)
        end = self.text.find("]]>", begin, another if another >= 0 else len(self.text))
        return end + 3 if end >= 0 else begin

    def end_of_aside(self, at: int) -> int:
        """Of a comment, a declaration or an instruction; one that was left open ends with the next bracket."""
        mark = "-->" if self.text.startswith(_COMMENT, at) else "?>" if self.text.startswith("<?", at) else ">"
        if self._last.get(mark, len(self.text)) < at:
            mark = ">"
        end = self.text.find(mark, at)
        return end + len(mark) if end >= 0 else len(self.text)


def tokens(text: str) -> Iterator[Token]:
    r"""The tags and texts of this markup in their order; comments, declarations and instructions are left out.

    >>> [token.value for token in tokens('<p class="a">1 < 2<br/><![CDATA[<b>]]></p>')]
    ['p', '1 < 2', 'br', '<b>', 'p']
    """
    marks = Marks(text)
    passed, at = 0, text.find("<")
    while at >= 0:
        token, end = _token_at(marks, at)
        if end > at:
            if at > passed:
                yield Token("text", text[passed:at], "", passed, at)
            if token is not None:
                yield token
            passed = end
        at = text.find("<", max(end, at + 1))
    if passed < len(text):
        yield Token("text", text[passed:], "", passed, len(text))


def _token_at(marks: Marks, at: int) -> tuple[Token | None, int]:
    """What begins with this bracket, and where it ends; where it begins if it is no markup."""
    text = marks.text
    if text.startswith(_CDATA, at):
        begin, end = at + len(_CDATA), marks.end_of_literal(at)
        return Token("literal", text[begin : end - 3], "", at, end) if end > begin else None, end
    if text.startswith(("<!", "<?"), at):
        return None, marks.end_of_aside(at)
    found = _TAG.match(text, at)
    if found is None:
        return None, at
    kind = "end" if found[1] else "empty" if found[3].endswith("/") else "start"
    return Token(kind, found[2].lower(), found[3], at, found.end()), found.end()


_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


def unescaped(text: str) -> str:
    """The text with its entities decoded; an ampersand without a semicolon is one.

    >>> unescaped("Fish &amp; chips &lt;here&gt; ?a=1&region=eu")
    'Fish & chips <here> ?a=1&region=eu'
    """
    return _ENTITY.sub(lambda found: html.unescape(found[0]), text) if "&" in text else text


# ruff: noqa: SIM905 - the names of tags, quoted and with commas, could not be read
_BLOCKS = frozenset(
    """
    address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form h1
    h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary table tbody td tfoot th thead tr ul
    """.split()
)
_UNSEEN = frozenset("script style noscript template iframe object svg math audio video select textarea".split())
PARAGRAPH, LINE = "\x1d", "\x1e"
_EMPTY_LINE = re.compile(r"\n[^\S\n]*\n")


def paragraphs(markup: str) -> str:
    r"""What a stretch of HTML says: paragraphs with an empty line between, lines as they are broken on purpose.

    >>> paragraphs("<div>Rain <b>fell</b>.<p>It is<br>wet &amp; cold.</p></div><script>x</script>")
    'Rain fell.\n\nIt is\nwet & cold.'

    A text without any tag is not HTML: its line breaks are meant.
    """
    pieces: list[str] = []
    found = list(tokens(markup))
    if all(token.kind in ("text", "literal") for token in found):
        return plain_paragraphs("".join(unescaped(token.value) for token in found))
    closed = {token.value: token.start for token in found if token.kind == "end" and token.value in _UNSEEN}
    unseen = ""
    for token in found:
        if unseen:
            unseen = "" if token.kind == "end" and token.value == unseen else unseen
        elif token.kind in ("text", "literal"):
            pieces.append(unescaped(token.value))
        elif token.kind == "start" and closed.get(token.value, 0) > token.start:
            unseen = token.value
        elif token.value in _BLOCKS:
            pieces.append(PARAGRAPH)
        elif token.value == "br":
            pieces.append(LINE)
    return folded("".join(pieces))


def plain_paragraphs(text: str) -> str:
    r"""A text that is no HTML with its paragraphs and lines kept, and white space made even.

    >>> plain_paragraphs("Rain  fell.\r\n\r\n\r\nIt is\nwet.")
    'Rain fell.\n\nIt is\nwet.'
    """
    return folded(_EMPTY_LINE.sub(PARAGRAPH, text.replace("\r\n", "\n")).replace("\n", LINE))


def folded(text: str) -> str:
    """Text whose paragraphs and lines are parted by signs of their own, with white space as it is to be stored."""
    each = ("\n".join(_lines(paragraph)) for paragraph in text.split(PARAGRAPH))
    return "\n\n".join(paragraph for paragraph in each if paragraph)


def _lines(paragraph: str) -> Iterator[str]:
    return (line for each in paragraph.split(LINE) if (line := " ".join(each.split())))
