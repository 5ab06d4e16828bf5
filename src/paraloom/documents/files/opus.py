"""A subtitle file of OPUS's OpenSubtitles in, one document with its captions out (Lison and Tiedemann, 2016).

Such a file is XML: sentences (`<s>`) of words (`<w>`) or of plain text, and between them marks of when a caption
begins (`<time id="T7S">`) and ends (`<time id="T7E">`). Sentences and captions overlap as they like, and files of
plain text lack the marks within sentences. A caption is all that is said from a mark of a beginning to the next; every
sentence, or part of one, is a line of it. `<meta>` tells the language and the day the subtitles were shared.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from xml.parsers import expat

from paraloom.documents.files.captions import Timed, subtitle
from paraloom.documents.files.clock import TIME, seconds
from paraloom.documents.files.encodings import decoded
from paraloom.documents.files.tokens import joined
from paraloom.documents.shapes.post import BadRow, Post
from paraloom.errors import InputError

_HEAD = 1 << 16
_ROOT = re.compile(rb"<([A-Za-z_][\w.:-]*)")
_INSIDE = re.compile(rb"<(?:s|time|meta)[\s/>]")
_DECLARATION = re.compile(r"\s*<\?xml\b[^>]*\?>")
_DECLARED = re.compile(rb"<\?xml\b[^>]*encoding\s*=\s*[\"']([A-Za-z][\w.-]{1,30})[\"']")
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_TIME = re.compile(TIME)
_DEEPEST = 50
_LANGUAGES = {
    "afrikaans": "af", "albanian": "sq", "arabic": "ar", "armenian": "hy", "basque": "eu", "belarusian": "be",
    "bengali": "bn", "bosnian": "bs", "breton": "br", "bulgarian": "bg", "burmese": "my", "catalan": "ca",
    "chinese": "zh", "croatian": "hr", "czech": "cs", "danish": "da", "dutch": "nl", "english": "en",
    "esperanto": "eo", "estonian": "et", "finnish": "fi", "french": "fr", "galician": "gl", "georgian": "ka",
    "german": "de", "greek": "el", "hebrew": "he", "hindi": "hi", "hungarian": "hu", "icelandic": "is",
    "indonesian": "id", "italian": "it", "japanese": "ja", "kazakh": "kk", "khmer": "km", "korean": "ko",
    "latvian": "lv", "lithuanian": "lt", "macedonian": "mk", "malay": "ms", "malayalam": "ml", "mongolian": "mn",
    "norwegian": "no", "persian": "fa", "polish": "pl", "portuguese": "pt", "romanian": "ro", "russian": "ru",
    "serbian": "sr", "sinhalese": "si", "slovak": "sk", "slovenian": "sl", "spanish": "es", "swedish": "sv",
    "tagalog": "tl", "tamil": "ta", "telugu": "te", "thai": "th", "turkish": "tr", "ukrainian": "uk", "urdu": "ur",
    "vietnamese": "vi",
}  # fmt: skip
"""Languages as OPUS names them; what may follow in brackets (`Chinese (simplified)`) is left out."""


def is_opus(raw: bytes) -> bool:
    """Whether XML is a subtitle file of OPUS, by its first elements."""
    head = _without_comments(raw[:_HEAD])
    root = _ROOT.search(head)
    return root is not None and root[1] == b"document" and _INSIDE.search(head, root.end()) is not None


def _without_comments(head: bytes) -> bytes:
    """
    >>> _without_comments(b"<a><!-- <document> --><b><!-- no end")
    b'<a><b><!-- no end'
    """
    kept, done = [], 0
    while (begin := head.find(b"<!--", done)) >= 0 and (end := head.find(b"-->", begin + 4)) >= 0:
        kept.append(head[done:begin])
        done = end + 3
    return b"".join([*kept, head[done:]])


def read_opus(raw: bytes, encoding: str | None) -> list[Post]:
    r"""The one document of such a file.

    >>> said = b'<time id="T1S" value="00:00:01,000"/><w>Well</w><w>,</w><w>well</w><w>.</w>'
    >>> raw = b'<document><s id="1">' + said + b'</s></document>'
    >>> read_opus(raw, None)[0].text
    'Well, well.'
    """
    reader = _Reader()
    text = _text(raw, encoding)
    declared = _DECLARATION.match(text)
    reader.read(_NOT_IN_XML.sub("", text[declared.end() :] if declared else text))
    if not reader.captions:
        raise BadRow("no times" if reader.loose else "no captions")
    timed = [Timed(each.begins_at, each.ends_at, "\n".join(each.lines)) for each in reader.captions]
    post = subtitle(timed, _language(reader.about.get("language", "")))
    post.created_at = _day(reader.about.get("date", ""))
    return [post]


def _text(raw: bytes, encoding: str | None) -> str:
    """The text, in the encoding it claims to be in only where it is no UTF-8: such files are recoded when opened."""
    if encoding is None and (claimed := _DECLARED.search(raw[:200])):
        try:
            raw.decode("utf-8")
        except UnicodeDecodeError:
            try:
                return decoded(raw, claimed[1].decode())
            except (BadRow, InputError):
                pass  # a false claim
    return decoded(raw, encoding)


@dataclass(slots=True)
class _Caption:
    begins_at: float
    ends_at: float
    lines: list[str] = field(default_factory=list)


class _Reader:
    """Follows the elements of one file."""

    def __init__(self) -> None:
        self.captions: list[_Caption] = []
        self.loose: list[str] = []
        """What is said before the first mark."""
        self.about: dict[str, str] = {}
        self._path: list[str] = []
        self._characters: list[str] = []
        self._tokens: list[str] = []
        self._quotes = 0

    def read(self, text: str) -> None:
        parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.EntityDeclHandler = _refuse_entities
        parser.StartElementHandler = self._begin
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters.append
        try:
            parser.Parse(text.encode("utf-8", "replace"), True)
        except expat.ExpatError as error:
            raise BadRow(f"broken XML: {expat.ErrorString(error.code)}") from None

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        if name == "time":
            self._take_line()
            self._mark(attributes.get("id", ""), attributes.get("value", ""))
        elif name == "s" or (name == "w" and not self._tokens):
            self._characters.clear()
        self._path.append(name)
        if len(self._path) > _DEEPEST:
            raise BadRow("XML that is nested too deeply")

    def _end(self, name: str) -> None:
        if name == "w":
            self._tokens.append(" ".join("".join(self._characters).split()))
            self._characters.clear()
        elif name == "s":
            self._take_line()
            self._quotes = 0
        elif self._path[1:-1] == ["meta", "subtitle"]:
            self.about[name] = "".join(self._characters).strip()
            self._characters.clear()
        elif "s" not in self._path:
            self._characters.clear()
        self._path.pop()

    def _take_line(self) -> None:
        """What was said since the last mark, or since the sentence began, as a line of the caption at hand."""
        if self._tokens:
            line = joined([token for token in self._tokens if token], is_quoting=self._quotes % 2 == 1)
            self._quotes += self._tokens.count('"')
        else:
            line = " ".join("".join(self._characters).split()) if "s" in self._path else ""
        self._tokens.clear()
        self._characters.clear()
        if line:
            (self.captions[-1].lines if self.captions else self.loose).append(line)

    def _mark(self, id: str, value: str) -> None:
        if not _TIME.fullmatch(value.strip()):
            return
        moment = seconds(value.strip())
        if id.endswith("S"):
            self.captions.append(_Caption(moment, moment, [] if self.captions else self.loose))
        elif id.endswith("E") and self.captions:
            self.captions[-1].ends_at = moment


def _refuse_entities(*_: object) -> None:
    raise BadRow("XML that declares entities")


def _language(name: str) -> str | None:
    name = name.partition("(")[0].strip().casefold()
    return _LANGUAGES.get(name) or (name if 2 <= len(name) <= 3 and name.isalpha() else None)


def _day(written: str) -> str | None:
    try:
        day = date.fromisoformat(written)
    except ValueError:
        return None
    return written if 1990 <= day.year < 2100 else None
