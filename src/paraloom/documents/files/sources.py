"""A whole file or a record in, documents that can be aligned out: what each is, and what it is a version of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias, get_args

import orjson

from paraloom.documents.files.articles import read_page
from paraloom.documents.files.feeds import is_feed, read_feed
from paraloom.documents.files.opus import is_opus, read_opus
from paraloom.documents.files.plain import read_plain
from paraloom.documents.files.subtitles import read_srt, read_vtt
from paraloom.documents.files.works import Works, read_works
from paraloom.documents.options import Kind, SourceOptions
from paraloom.documents.shapes.post import BadRow, Post
from paraloom.text.headings import HEADED
from paraloom.text.normalise import repair

ReadFile: TypeAlias = Callable[[bytes, str | None], Sequence[Post]]
"""A file's bytes and its encoding, where it is known, in; its documents out."""


class Sources:
    """Reads whole files, and sees that every document has a kind and, where it is one of several versions, a work."""

    def __init__(self, options: SourceOptions) -> None:
        self.options = options
        self.works = read_works(options.works) if options.works else Works({})

    def posts_of_file(self, raw: bytes, format: str, context: bytes | None, file: str) -> list[Post]:
        """The documents of one file; `BadRow` says why there are none."""
        folders = tuple(orjson.loads(context)) if context else ()
        found = _reader(raw, format)(raw, self.options.encoding) if raw.strip() else []
        if not found:
            raise BadRow("no text")
        return [self._settled(post, file, folders) for post in found]

    def post_of_record(self, post: Post, file: str) -> Post:
        """The document of a record, such as a line of JSON."""
        if post.kind is None:  # the record does not say what it is
            post.kind = "thread" if post.forum else "article"
        return self._settled(post, file, ())  # a folder of records is no work

    def kind_of_unread(self, raw: bytes, format: str, file: str) -> str:
        """What a file or a record was meant to be that cannot be read."""
        if self.options.kind is not None:
            return self.options.kind
        if format == "xml" and is_opus(raw):
            return "subtitle"
        told = (format, *(ending.lstrip(".").lower() for ending in Path(file).suffixes))  # broken files have no format
        return next((_KINDS[one] for one in told if one in _KINDS), "article")

    def _settled(self, post: Post, file: str, folders: tuple[str, ...]) -> Post:
        if self.options.kind is not None:
            post.kind = self.options.kind
        if post.kind not in KINDS:
            raise BadRow(_NO_POSTS if post.kind == "post" else f"unknown kind; {_WHICH_KIND}")
        post.is_headed = post.kind in HEADED
        *above, name = file.split("/")
        known = self.works.of(name, folders or above)
        if known is not None:
            post.work, post.series = known.work, known.series or post.series
        elif post.work is None:
            post.work = _work_of(post, folders)
        return post


def _reader(raw: bytes, format: str) -> ReadFile:
    if format == "xml":
        if is_opus(raw):
            return read_opus
        if is_feed(raw):
            return read_feed
        raise BadRow("XML that is neither a subtitle file of OPUS nor a feed")
    return _READERS[format]


_READERS: Mapping[str, ReadFile] = {"srt": read_srt, "vtt": read_vtt, "html": read_page, "plain": read_plain}
KINDS: tuple[str, ...] = get_args(Kind)
_NO_POSTS = "a post, which `paraloom build` reads; or say with --kind what it is"
_WHICH_KIND = f"say with --kind which it is: {', '.join(KINDS)}"
_KINDS = {"srt": "subtitle", "vtt": "subtitle", "plain": "translation"}


def _work_of(post: Post, folders: tuple[str, ...]) -> str | None:
    """What a document without a word about it is a version of: a thread by title and forum, a file by its folder."""
    if post.kind == "thread":
        title = " ".join(repair(post.title or "").casefold().split())
        return f"{(post.forum or '').casefold()}: {title}" if title else None
    if post.kind == "article" or not folders:
        return None
    return "/".join(folders)
