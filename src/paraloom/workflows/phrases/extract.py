"""Aligned pairs in, a run folder with the tables `alignments` and `phrases` out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.engine.places import PlaceOptions
from paraloom.errors import InputError
from paraloom.phrases.options import PhraseOptions
from paraloom.workflows.phrases.extract_input import Aligned, given_pairs
from paraloom.workflows.phrases.extract_summary import SUMMARY, ExtractedPhrases, count_alignments, summarise

if TYPE_CHECKING:
    from paraloom.engine.steps import Place, Step
    from paraloom.tables import Phrase
    from paraloom.workflows.tables_in_order import Progress


def extract_phrases(
    aligned: Aligned,
    out: Path,
    options: PhraseOptions = PhraseOptions(),
    place: PlaceOptions = PlaceOptions(),
    *,
    progress: Progress = lambda table, name, done, total: None,
) -> ExtractedPhrases:
    """Extract phrase pairs from aligned sentences; what is there already, made the same way, is kept.

    `aligned` are files or folders of JSON lines (or Parquet) with `left`, `right` and `alignment`, and perhaps
    `pair_id` and `group_id`; or values of `AlignedPair`, which the run then has in `aligned.jsonl`.
    """
    from paraloom.phrases.consistent import check_max_words
    from paraloom.workflows.phrases.extract_steps import GROWS, alignments_step, phrases_step
    from paraloom.workflows.tables_in_order import make_tables

    check_max_words(options.max_words)
    if options.contexts < 0 or options.min_pairs < 1:
        raise InputError(f"contexts is {options.contexts}, min_pairs {options.min_pairs}. They begin at 0 and at 1.")
    given = given_pairs(aligned, out)
    plans: dict[str, Callable[[], Step]] = {
        "alignments": partial(alignments_step, given.chunks, given.files),
        "phrases": partial(_phrases_step, phrases_step, out.resolve(), options),
    }
    return make_tables(
        plans,
        out,
        given.chunks,
        place,
        until="phrases",
        progress=progress,
        then=partial(_summarised, told=given.told),
        grows=GROWS,
    )


def _phrases_step(planned: Callable[[Path, PhraseOptions], Step], run: Path, options: PhraseOptions) -> Step:
    usable, bad = count_alignments(run)
    if not usable:
        reasons = "; ".join(f"{number:,} for {reason}" for reason, number in bad.items()) or "there were no rows"
        raise InputError(f"No aligned pair can be used ({reasons}). Rows have `left`, `right` and `alignment`.")
    return planned(run, options)


def _summarised(place: Place, told: tuple[str, ...]) -> ExtractedPhrases:
    from paraloom.engine.store import write_text

    summary = summarise(place.run, told)
    write_text(place.run / SUMMARY, json.dumps(summary.as_json(), indent=2) + "\n")
    return summary


def kept_phrases(run: Path) -> Iterator[Phrase]:
    """The rows of a run's table `phrases` that were not left out, a part of it in memory at a time."""
    import pyarrow.compute as pc

    from paraloom.engine.store import read_parts
    from paraloom.tables import Phrase

    for part in read_parts(run, "phrases"):
        for row in part.filter(pc.is_null(part.column("dropped_for"))).to_pylist():
            yield Phrase(**row)


def write_ppdb(run: Path, file: Path) -> int:
    """Write the kept phrases of a run in PPDB's text form (packed where the name ends in `.gz`): how many lines."""
    from paraloom.phrases import ppdb

    return ppdb.write_ppdb(kept_phrases(run), file)
