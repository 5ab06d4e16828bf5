"""Read options in, what reads a batch of records under them out; and what to do with a document met twice."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from paraloom.documents.options import ReadOptions, SourceOptions
from paraloom.documents.shapes.post import DELETED

if TYPE_CHECKING:
    import pyarrow as pa

    from paraloom.documents.pages import Pages


class Decoder:
    """Raw records in, documents out. Tables of pages and short links are loaded once, when it is made."""

    def __init__(self, options: ReadOptions) -> None:
        self.options = options
        self.pages = _read_pages(options)
        self.shorteners = _read_shorteners(options)

    def __call__(self, records: pa.Table) -> pa.Table:
        from paraloom.documents.decode import decode

        return decode(records, self.options, self.pages, self.shorteners)


class SourceDecoder(Decoder):
    """Raw records and whole files in, documents that can be aligned out."""

    def __init__(self, options: ReadOptions, sources: SourceOptions) -> None:
        from paraloom.documents.files.sources import Sources

        super().__init__(options)
        self.sources = Sources(sources)

    def __call__(self, records: pa.Table) -> pa.Table:
        from paraloom.documents.decode import decode

        return decode(records, self.options, self.pages, self.shorteners, self.sources)


class CueDecoder:
    """The same files in, the captions of those documents out that have some."""

    def __init__(self, options: ReadOptions, sources: SourceOptions) -> None:
        from paraloom.documents.files.sources import Sources

        self.options = options
        self.sources = Sources(sources)

    def __call__(self, records: pa.Table) -> pa.Table:
        from paraloom.documents.decode import decode_cues

        return decode_cues(records, self.options, self.sources)


def check_formats(formats: Iterable[str]) -> None:
    """An error now if files of these formats need a package that is not installed, not when it is their turn."""
    if "html" in set(formats):
        from paraloom.documents.files.articles import load_trafilatura

        load_trafilatura()


def deciding_libraries(formats: Iterable[str]) -> tuple[str, ...]:
    """The packages that decide what text and date documents of these formats have."""
    return ("trafilatura", "htmldate", "justext") if "html" in set(formats) else ()


def _read_pages(options: ReadOptions) -> Pages | None:
    if options.pages is None:
        return None
    from paraloom.documents.pages import read_pages

    return read_pages(options.pages)


def _read_shorteners(options: ReadOptions) -> dict[str, str] | None:
    if options.shorteners is None:
        return None
    from paraloom.documents.pages import read_shorteners

    return read_shorteners(options.shorteners)


def merge_documents(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """One row for a document that was met several times: its deletion if there is one, else a good row if there is one.

    >>> merge_documents([{"dropped_for": None, "copies": 1}, {"dropped_for": DELETED, "copies": 2}])
    {'dropped_for': 'deleted at source', 'copies': 3}
    """
    order = {DELETED: 0, None: 1}
    first = min(rows, key=lambda row: order.get(row["dropped_for"], 2))
    return {**first, "copies": sum(row["copies"] for row in rows)}


def first_of_cues(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """One row for a caption that was met several times, as a file is that lies in two folders: they are all the same.

    >>> first_of_cues([{"start": 0, "begins_at": 1.5}, {"start": 0, "begins_at": 1.5}])
    {'start': 0, 'begins_at': 1.5}
    """
    return rows[0]
