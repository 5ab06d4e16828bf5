"""Files in, the table of distinct sentences out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.engine.passes import Pass
from paraloom.engine.steps import Step
from paraloom.sentences.lines import LineReader, merge_copies
from paraloom.tables import Sentence

if TYPE_CHECKING:
    from paraloom.engine.foreign import Chunk
    from paraloom.sentences.line_options import LineOptions


def sentences_step(chunks: Sequence[Chunk], files: Mapping[str, Path], options: LineOptions) -> Step:
    """Raw records → sentences."""
    return Step(
        table="sentences",
        passes=(
            Pass(name="read", by=None, work=partial(LineReader, options), row=Sentence, to="sentence_id", rows="any"),
        ),
        options=options,
        stages=("sentences",),
        files=files,
        chunks=chunks,
        merge_table=merge_copies,
    )
