"""Which aligner is asked. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignerOptions:
    """The aligner and what it is told."""

    aligner: str = "learned"
    """Who says which words stand for each other: learned, lexical, embedding, statistical (for large corpora, in any
    language), eflomal or fast_align (programs, where they are installed)."""
    settings: tuple[str, ...] = ()
    """What that aligner alone is told, as in `encoder=pairs method=itermax` or `least_likeness=0.3`; `folder=DIR` takes
    what a statistical or a learned one has learned elsewhere."""
