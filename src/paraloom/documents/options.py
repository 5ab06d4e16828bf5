"""How foreign files are read into documents: options only, nothing heavy is imported here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


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
