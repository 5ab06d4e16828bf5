"""How foreign files are read into documents: options only, nothing heavy is imported here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """How records of foreign files become documents."""

    map: str = ""
    """Where our columns lie in records of another shape, as in `text=body,created_at=date,author=user.name`."""
    source: str = ""
    """Name of the source of all documents, instead of the platform or the records' own `source`."""
    trust_language: bool = True
    """Keep the language the source claims; otherwise it is left empty, to be detected."""
    author_salt: str = ""
    """Salt of the authors' hashes; without one, `PARALOOM_AUTHOR_SALT` or a secret one drawn once for you."""
    keep_authors: bool = False
    """Store authors' names, in lower case and without `@`, instead of hashes."""
    max_characters: int = 100_000
    """A longer text is a bad row: `too long`."""
    shorteners: Path | None = None
    """Table (CSV, TSV, JSONL, Parquet) of short links and where they lead, in the columns `url` and `target`."""
    pages: Path | None = None
    """Table of linked pages with the columns `url`, `title`, `description`, or a folder of HTML files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentReadOptions(ReadOptions):
    """How whole documents are read, which are longer than posts."""

    max_characters: int = 1_000_000
    """A longer text is a bad row: `too long`."""


Kind: TypeAlias = Literal["subtitle", "article", "thread", "translation", "essay"]
"""What documents that are aligned with each other can be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceOptions:
    """What whole documents are, beyond what their files say."""

    kind: Kind | None = None
    """What the documents are. By default as their files say: .srt, .vtt and OPUS's .xml are subtitles, feeds and web
    pages are articles, records that have a forum are threads, plain texts are translations of one original."""
    works: Path | None = None
    """Table (CSV, TSV, JSONL, Parquet) with the columns `file` and `work`, and `series` where there is one: which film,
    text or exercise a file is a version of. By default it is the folder that the file lies in."""
    encoding: str | None = None
    """The encoding of all subtitle and text files, such as cp1252; by default it is guessed, file by file."""
