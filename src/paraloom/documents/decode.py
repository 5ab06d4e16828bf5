"""Raw records of foreign files in, documents out: a row for every record or more, whatever its bytes.

Decisions. A row is bad (`dropped_for="bad_row: reason"`) when it cannot be parsed, has no usable text, has a lone
surrogate in it or is too long, or when it gives a date that cannot be read; a field that is missing or of a wrong type
is merely null. A bad row keeps up to 200 characters of what could be saved, and its id is that of its bytes and offset.
Reposts are documents with `repost_of` and `dropped_for="repost"`, also where only a leading `RT @account` shows it.
The id is that of the platform and its native id, else of the author's hash, the time (microseconds) and the text; where
there is a native id but nobody says whose (no `source`), of all of these, for two files may both count from 1. What it
is a version of, and when its captions are shown, tell documents of the same text apart.
Names are hashed wherever they stand outside what was written: as author, in native ids, in links to posts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, TypeAlias

import pyarrow as pa

from paraloom.documents.authors import account_name, author_hash, without_name
from paraloom.documents.files.formats import CAPTIONED, FILE_FORMATS
from paraloom.documents.files.headings import headed
from paraloom.documents.options import ReadOptions
from paraloom.documents.raw import context_of, read_record
from paraloom.documents.shapes import SHAPES, mapped, raw_day
from paraloom.documents.shapes.post import LINKS_OF_A_POST, LONGEST_FIELD, UNKNOWN, BadRow, Post, Record, as_text
from paraloom.documents.times import microseconds
from paraloom.documents.urls import accounts_of, canonical, find_urls, is_media, resolve, without_account
from paraloom.tables import Cue, Document, make_id, schema

if TYPE_CHECKING:
    from paraloom.documents.files.sources import Sources
    from paraloom.documents.pages import Pages

KEPT_TO_KNOW = 4096
"""Bytes by which a bad row is known that is one of several in its file."""
KEPT_OF_BAD_ROW = 200
"""Characters of a bad row's text, or of its bytes, that are kept to show what it was."""

_NO_CONTEXT: Record = {}
_READ = ("raw", "format", "context", "file", "offset")
_SCHEMA = schema(Document)
_CUES = schema(Cue)
_SHAPES = tuple(SHAPES.values())
_TELLING_SHAPES = tuple(shape for name, shape in SHAPES.items() if name != "own")
"""Those of a platform, which cannot be mistaken: files may be mixed. Our own columns are not what a map asks for."""
_REPOST = re.compile(r"RT (@\w{1,50})")
_SURROGATE = re.compile("[\ud800-\udfff]")
_FIELDS = (
    "native_id", "author", "source", "trend", "work", "series", "forum", "title", "repost_of", "page_title",
    "page_description",
)  # fmt: skip
_LANGUAGE = re.compile(r"([A-Za-z]{2,3})(?:[-_].*)?\Z", re.DOTALL)
_NO_LANGUAGE = frozenset(("und", "zxx", "mul", "mis", "qme", "qam", "qct", "qht", "qst", "nan"))
_TWO_LETTERS = {
    "in": "id", "iw": "he", "ji": "yi", "eng": "en", "deu": "de", "ger": "de", "fra": "fr", "fre": "fr", "spa": "es",
    "por": "pt", "ita": "it", "nld": "nl", "dut": "nl", "fin": "fi", "swe": "sv", "jpn": "ja", "zho": "zh", "chi": "zh",
    "rus": "ru", "ara": "ar", "kor": "ko", "tur": "tr", "pol": "pl", "ukr": "uk", "hin": "hi", "cmn": "zh",
}  # fmt: skip
"""Twitter's old codes and the commonest three-letter ones."""

Row: TypeAlias = tuple[Any, ...]


def decode(
    records: pa.Table,
    options: ReadOptions = ReadOptions(),
    pages: Pages | None = None,
    shorteners: Mapping[str, str] | None = None,
    sources: Sources | None = None,
) -> pa.Table:
    """The documents of these records (`engine.foreign.SCHEMA`), in their order; never fewer, never an error."""
    reader = _Reader(options, pages, shorteners, sources)
    columns = [records.column(name).to_pylist() for name in _READ]
    rows = [row for record in zip(*columns, strict=True) for row, _ in reader.rows(*record)]
    values = zip(*rows, strict=True) if rows else [()] * len(_SCHEMA)
    arrays = [_array(column, field) for column, field in zip(values, _SCHEMA, strict=True)]
    return pa.Table.from_arrays(arrays, schema=_SCHEMA)


def decode_cues(records: pa.Table, options: ReadOptions, sources: Sources) -> pa.Table:
    """The captions of the documents that `decode` makes of the same records; bad rows have none."""
    reader = _Reader(options, None, None, sources)
    columns = [records.column(name).to_pylist() for name in _READ]
    cues = [
        (row[0], caption.start, caption.end, row[1][caption.start : caption.end], caption.begins_at, caption.ends_at)
        for record in zip(*columns, strict=True)
        if record[1] in CAPTIONED
        for row, post in reader.rows(*record)
        if post is not None
        for caption in post.captions
    ]
    values = zip(*cues, strict=True) if cues else [()] * len(_CUES)
    arrays = [_array(column, field) for column, field in zip(values, _CUES, strict=True)]
    return pa.Table.from_arrays(arrays, schema=_CUES)


def _array(values: tuple[Any, ...], field: pa.Field) -> pa.Array:
    if pa.types.is_timestamp(field.type):
        return pa.array(values, pa.int64()).cast(field.type)
    return pa.array(values, field.type)


class _Reader:
    """Reads one record after another under the same options."""

    def __init__(
        self,
        options: ReadOptions,
        pages: Pages | None,
        shorteners: Mapping[str, str] | None,
        sources: Sources | None = None,
    ) -> None:
        from paraloom.text.normalise import repair

        self.options = options
        self.pages = pages
        self.shorteners = shorteners
        self.sources = sources
        self.repair: Callable[[str], str] = repair
        self.mapping = mapped.parse(options.map)

    def rows(
        self, raw: bytes, format: str, context: bytes | None, file: str, offset: int
    ) -> Iterator[tuple[Row, Post | None]]:
        """The values of a record's document in the order of the columns, and what it was read as if it is no bad row.

        A file that is one record may hold several documents.
        """
        try:
            posts = self._posts(raw, format, context, file)
        except BadRow as bad:
            kind = self.sources.kind_of_unread(raw, format, file) if self.sources is not None else "post"
            yield self._bad_row(str(bad), None, raw, file, offset, kind), None
            return
        for post in posts:
            within = post.offset or 0
            try:
                yield self._document(post, file, offset + within), post
            except BadRow as bad:
                cut = raw if post.offset is None else raw[within : within + KEPT_TO_KNOW]
                yield self._bad_row(str(bad), post, cut, file, offset + within, post.kind or "post"), None

    def _posts(self, raw: bytes, format: str, context: bytes | None, file: str) -> Sequence[Post]:
        if format in FILE_FORMATS:
            if self.sources is None:
                raise BadRow("a whole document; `paraloom align` reads it")
            return self.sources.posts_of_file(raw, format, context, file)
        record, is_doubtful = read_record(raw, format, context)
        post = self._post(record, format, context)
        if is_doubtful:
            _without_surrogates(post)
        return [post if self.sources is None else self.sources.post_of_record(post, file)]

    def _post(self, record: Record, format: str, context: bytes | None) -> Post:
        if self.mapping and mapped.recognises(record, self.mapping):
            return mapped.read(record, self.mapping)
        about = context_of(format, context) if context is not None else _NO_CONTEXT
        if format == "raw-day" and about:
            return raw_day.read(record, about)
        text = self.mapping.get("text") if format != "text" else None  # a line of text has no columns
        for recognises, read in _SHAPES if text is None else _TELLING_SHAPES:
            if recognises(record):
                return read(record, about)
        raise BadRow(_unknown(record) if text is None else f"no text at {text} (--map text={text})")

    def _document(self, post: Post, file: str, offset: int) -> Row:
        options = self.options
        dropped_for, repost_of = post.dropped_for, post.repost_of
        text = self._text(post, may_be_empty=dropped_for is not None or repost_of is not None)
        title = self._repaired(post.title)
        if post.is_headed:
            title, text = headed(title, text)
        created_at = microseconds(post.created_at)
        if repost_of is None and text.startswith("RT @") and (found := _REPOST.match(text)):
            repost_of = found[1]
        if repost_of is not None and dropped_for is None:
            dropped_for = "repost"
        author = post.author
        hashed = author_hash(author, options.author_salt) if author else None
        platform = post.platform if post.platform != UNKNOWN else options.source or UNKNOWN
        urls, media_urls = self._links(post, text)
        page_title, page_description = self._repaired(post.page_title), self._repaired(post.page_description)
        if self.pages is not None and page_title is None:
            page = self.pages.of(urls, post.page_set)
            if page is not None:
                page_title, page_description = page.title, page_description or page.description
        return (
            _document_id(post, platform, hashed, created_at, text),
            text,
            title,
            created_at,
            account_name(author) if author and options.keep_authors else hashed,
            _language(language) if options.trust_language and (language := as_text(post.language)) else None,
            urls,
            media_urls,
            post.trend,
            post.work,
            post.series,
            self._repost_of(repost_of) if repost_of is not None else None,
            page_title,
            page_description,
            options.source or post.source or platform,
            post.kind or "post",
            self._native_id(post.native_id) if post.native_id is not None else None,
            file,
            offset,
            1,
            dropped_for,
        )

    def _text(self, post: Post, *, may_be_empty: bool) -> str:
        text = post.text
        if type(text) is not str:
            if text is None or text != text:
                if may_be_empty:
                    return ""
                raise BadRow("no text")
            raise BadRow("text is not a string")
        if len(text) > self.options.max_characters:
            raise BadRow("too long")
        if not text.isascii() and _SURROGATE.search(text):
            raise BadRow("lone surrogate")
        text = text if post.is_repaired else self.repair(text).strip()
        if not text and not may_be_empty:
            raise BadRow("no text")
        return text

    def _native_id(self, native_id: str) -> str:
        return native_id if self.options.keep_authors else without_name(native_id, self.options.author_salt)

    def _repost_of(self, id_or_account: str) -> str:
        """As the repeated post has it in its own row: in `native_id`, or in `author` if only that is known."""
        if id_or_account == UNKNOWN:
            return UNKNOWN
        if not id_or_account.startswith("@"):
            return self._native_id(id_or_account)
        if self.options.keep_authors:
            return account_name(id_or_account)
        return author_hash(id_or_account, self.options.author_salt)

    def _repaired(self, text: str | None) -> str | None:
        return self.repair(text).strip() or None if text is not None else None

    def _links(self, post: Post, text: str) -> tuple[list[str], list[str]]:
        """Canonical links to articles and to media, each once, in the order they appear."""
        links = find_urls(text) if post.links is None else post.links
        if not links and not post.media:
            return [], []
        urls: dict[str, None] = {}
        media: dict[str, None] = {}
        for link in links[:LINKS_OF_A_POST]:
            if len(link) > LONGEST_FIELD:
                continue
            url = resolve(link, self.shorteners) if self.shorteners else canonical(link)
            if url is not None:
                (media if is_media(url) or _is_own_page(url, post) else urls)[url] = None
        for link in post.media[:LINKS_OF_A_POST]:
            url = canonical(link) if len(link) <= LONGEST_FIELD else None
            if url is not None and url not in urls:
                media[url] = None
        if media and not self.options.keep_authors:
            media = dict.fromkeys(map(without_account, media))
        return list(urls), list(media)

    def _bad_row(self, reason: str, post: Post | None, raw: bytes, file: str, offset: int, kind: str) -> Row:
        if post is not None and type(post.text) is str:
            shown = _SURROGATE.sub("\ufffd", post.text[: 2 * KEPT_OF_BAD_ROW])
        else:
            shown = raw[: 4 * KEPT_OF_BAD_ROW].decode("utf-8", "replace")
        text = self.repair(shown)[:KEPT_OF_BAD_ROW]
        document_id = make_id("bad_row", blake2b(raw, digest_size=16).hexdigest(), offset)
        source = self.options.source or (UNKNOWN if post is None else post.source or post.platform)
        nothing = (None,) * 4
        return (
            document_id, text, *nothing, [], [], None, None, *nothing, source, kind, None, file, offset, 1,
            f"bad_row: {reason}",
        )  # fmt: skip


def _is_own_page(url: str, post: Post) -> bool:
    """Whether a link leads to the profile of whoever wrote the post, or to another post of theirs."""
    accounts = accounts_of(url)
    return bool(accounts) and any(account_name(name) in accounts for name in (post.author, *post.other_names) if name)


def _document_id(post: Post, platform: str, author: str | None, created_at: int | None, text: str) -> str:
    native_id = post.native_id
    if native_id is not None and platform != UNKNOWN:
        return make_id(platform, native_id)
    times = [time for caption in post.captions for time in (caption.begins_at, caption.ends_at)]
    version = (post.work or "", *times) if post.work is not None or times else ()
    if native_id is None:
        return make_id(author or "", created_at, text, *version)
    return make_id(platform, native_id, author or "", created_at, text, *version)


def _unknown(record: Record) -> str:
    if not record:
        return "no text"
    names = [name[:24] if name.isprintable() else ascii(name)[1:-1][:24] for name in list(record)[:6]]
    return f"unknown shape ({', '.join(names)}{', …' if len(record) > 6 else ''})"


def _without_surrogates(post: Post) -> None:
    """Fields that cannot be written as UTF-8 are emptied; the text is left, `decode` judges it."""
    for name in _FIELDS:
        value = getattr(post, name)
        if value is not None and _SURROGATE.search(value):
            setattr(post, name, None)
    post.platform = _SURROGATE.sub("\ufffd", post.platform)
    post.kind = post.kind and _SURROGATE.sub("\ufffd", post.kind)


@lru_cache(maxsize=1 << 12)
def _language(claimed: str) -> str | None:
    """The two-letter code of a claimed language; None where the claim is that there is none."""
    found = _LANGUAGE.match(claimed.strip())
    code = found[1].lower() if found else ""
    return None if code in _NO_LANGUAGE else _TWO_LETTERS.get(code, code) or None
