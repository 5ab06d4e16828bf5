"""Options in, who says what reads well out: n-grams of a run's own sentences or of a file's, or a language model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.engine.store import made_by_file, read_parts
from paraloom.errors import InputError
from paraloom.models.generators.lexical.fluency import Fluency, NgramFluency
from paraloom.models.generators.shipped import BASE
from paraloom.models.phrase_scores.small_language_model import SmallLanguageModel

if TYPE_CHECKING:
    from paraloom.workflows.phrases.rank_options import RankOptions

NGRAMS, NONE = "ngrams", "none"


def load_fluency(options: RankOptions, run: Path | None) -> Fluency | None:
    """The language model that is asked for; None where none is wanted, or n-grams have nothing to learn from."""
    if options.language_model == NONE:
        return None
    if options.language_model == BASE:
        return SmallLanguageModel()
    if options.language_model != NGRAMS:
        raise InputError(
            f"There is no language model {options.language_model!r} here. Choose one of: {NGRAMS}, {BASE}, {NONE}."
        )
    if options.sentences_from is not None:
        return NgramFluency.read(options.sentences_from)
    return fluency_of_run(run) if run is not None and made_by_file(run, "alignments").is_file() else None


def fluency_of_run(run: Path) -> NgramFluency:
    """N-grams of the sentences that a run's phrases are from."""
    return NgramFluency.of(_sentences(run), name="run")


def _sentences(run: Path) -> Iterator[str]:
    """Each once, in an order that does not depend on how many parts there are."""
    seen: set[str] = set()
    for part in read_parts(run, "alignments", ("left", "right", "dropped_for")):
        rows = part.filter(part.column("dropped_for").is_null())
        for name in ("left", "right"):
            seen.update(rows.column(name).to_pylist())
    yield from sorted(seen)
