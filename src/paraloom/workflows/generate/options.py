"""How files of sources are read and what is written of them. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from paraloom.errors import InputError
from paraloom.models.generators.decoding_options import Decoding
from paraloom.models.generators.loading_options import GeneratorOptions
from paraloom.pairs.generate_options import GenerateOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFileOptions:
    """Where the sources lie in a file, and how what is generated is written."""

    column: str | None = None
    """Where sources lie in a table, by name or number from 1; else `text`, `source`, `sentence`, `left` … is taken."""
    format: Literal["auto", "text", "tsv", "csv", "jsonl", "json", "parquet"] = "auto"
    """What the file is taken for; `auto`: what its ending says, or else what it looks like. `text`: a sentence a line,
    and every line is a source."""
    batch: int = 64
    """Sources that are generated, noted and written at a time. It decides how much a kill can cost, and no output; on a
    GPU also how many go on side by side, of which the last digits of a score may depend."""
    details: bool = False
    """Write what each score is made of, and the candidates that were refused, with their reasons."""
    overwrite: bool = False
    """Replace files that are there already, once the new ones are whole; else they are refused."""

    def __post_init__(self) -> None:
        if self.batch < 1:
            raise InputError(f"--batch {self.batch} makes no progress. Give a number such as 64.")


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerateFileOptions:
    """All that decides what is generated from a file."""

    generator: GeneratorOptions = field(default_factory=GeneratorOptions)
    decoding: Decoding = field(default_factory=Decoding)
    wanted: GenerateOptions = field(default_factory=GenerateOptions)
    file: SourceFileOptions = field(default_factory=SourceFileOptions)
