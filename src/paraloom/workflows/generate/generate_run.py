"""Files of sentences in, a run folder out with the sentences and the pairs of each with what a generator says of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.places import PlaceOptions
from paraloom.errors import InputError
from paraloom.text.counted import counted
from paraloom.workflows.generate.options import GenerateFileOptions, SourceFileOptions

if TYPE_CHECKING:
    from paraloom.engine.steps import Place, Step
    from paraloom.workflows.tables_in_order import Progress

ROWS_A_TASK = 256
"""Sentences that one worker has at a time, and that a kill can cost."""
CHARACTERS = 8_000
"""Longer texts are left out as `too_long`; how many words a source may have is the generator's to say."""
FORMATS = ("auto", "text", "tsv", "csv", "jsonl")


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedRun:
    """Where a run has put what."""

    run: Path
    sentences: int
    pairs: int
    """Those that were not refused."""
    refused: dict[str, int]
    signature: str
    told: tuple[str, ...] = ()
    left_out: dict[str, int] = field(default_factory=dict)
    """Rows of the files that are no sentences to generate from, by reason."""
    without_pairs: int = 0
    """Sentences that are in no pair: too long for the generator, in another language, or all of it was refused."""

    def as_json(self) -> dict[str, Any]:
        """One object."""
        return {
            "run": str(self.run),
            "sentences": self.sentences,
            "left_out_for": self.left_out,
            "without_pairs": self.without_pairs,
            "pairs": self.pairs,
            "refused_for": self.refused,
            "signature": self.signature,
            "notes": list(self.told),
        }

    def as_text(self) -> str:
        """Notes, a line of counts, the signature."""
        told = [counted(self.sentences, "sentence", "sentences"), counted(self.pairs, "pair", "pairs")]
        told[1:1] = [f"{number:,} left out for {reason}" for reason, number in self.left_out.items()]
        told += [f"{self.without_pairs:,} of the sentences in none"] if self.without_pairs else []
        told += [f"{number:,} refused for {reason}" for reason, number in self.refused.items()]
        return "\n".join([*self.told, ", ".join(told), self.signature])


def generate_run(
    files: Sequence[str | Path],
    run: Path,
    options: GenerateFileOptions = GenerateFileOptions(),
    place: PlaceOptions = PlaceOptions(),
    *,
    progress: Progress = lambda table, name, done, total: None,
) -> GeneratedRun:
    """Make the tables `sentences` and `pairs`; what is there already, made the same way, is kept."""
    from paraloom.sentences.line_options import LineOptions
    from paraloom.workflows.generate.asked_for import Writer
    from paraloom.workflows.mine.input_files import given_files
    from paraloom.workflows.mine.sentences_step import sentences_step
    from paraloom.workflows.tables_in_order import make_tables

    _check(options)
    if options.generator.generator == "server" and place.engine == "ray":
        raise InputError(
            "A server has its own limits, which workers of a cluster do not share. Leave out --engine ray."
        )
    columns = (f"text={options.file.column}",) if options.file.column else ()
    lines = LineOptions(columns=columns, format=options.file.format, max_characters=CHARACTERS)  # type: ignore[arg-type]
    given = given_files(files, lines, leave_out=[run])
    signature = Writer.of(options).signature  # what cannot be loaded is refused before any work begins
    plans = {
        "sentences": partial(sentences_step, given.chunks, given.files, lines),
        "pairs": partial(_pairs_step, options, signature),
    }
    done = make_tables(plans, run, given.chunks, place, until="pairs", progress=progress, then=_counted)
    return replace(done, run=run, signature=signature, told=given.told)


def _check(options: GenerateFileOptions) -> None:
    """Refuse what a run would pass over in silence."""
    if options.file.format not in FORMATS:
        raise InputError(f"--format {options.file.format} is known by its ending here. Leave it out.")
    usual = SourceFileOptions()
    for name in ("batch", "details", "overwrite"):
        if getattr(options.file, name) != getattr(usual, name):
            raise InputError(
                f"--{name} is about a file of outputs (--out). A run goes on where it was, and has every candidate "
                f"with its reason. Leave out --{name}."
            )
    if options.wanted.when_too_few == "fill":
        raise InputError(
            "--when-too-few fill is about a file of outputs (--out). A run has the refused candidates with their "
            "reasons as it is. Leave it out."
        )


def _pairs_step(options: GenerateFileOptions, signature: str) -> Step:
    from paraloom.engine.passes import Pass, Read
    from paraloom.engine.steps import Step
    from paraloom.pairs.generated_pairs import PairGenerator, merge_generated
    from paraloom.tables import Pair
    from paraloom.workflows.generate.asked_for import Writer

    return Step(
        table="pairs",
        passes=(
            Pass(
                name="generated",
                reads=(Read(table="sentences", columns=("sentence_id", "text")),),
                by=None,
                work=partial(PairGenerator, partial(Writer.of, options)),
                row=Pair,
                to="pair_id",
                rows_a_task=ROWS_A_TASK,
                on_gpu=options.generator.device != "cpu",
            ),
        ),
        options={"generate": signature},
        stages=("pairs", "models"),
        inputs=("sentences",),
        merge=merge_generated,
    )


def _counted(place: Place) -> GeneratedRun:
    from paraloom.engine.store import read_parts

    def reasons_in(table: str) -> tuple[int, dict[str, int]]:
        reasons: Counter[str | None] = Counter()
        for part in read_parts(place.run, table, ("dropped_for",)):
            reasons.update(part.column("dropped_for").to_pylist())
        return reasons.pop(None, 0), {reason: number for reason, number in reasons.most_common() if reason is not None}

    sentences, left_out = reasons_in("sentences")
    pairs, refused = reasons_in("pairs")
    return GeneratedRun(
        run=place.run,
        sentences=sentences,
        pairs=pairs,
        refused=refused,
        signature="",
        left_out=left_out,
        without_pairs=_without_pairs(place),
    )


def _without_pairs(place: Place) -> int:
    """Sentences that stand on no side of a pair that was kept; two that became each other are one pair."""
    import pyarrow.compute as pc

    from paraloom.engine.store import read_parts

    def kept(table: str, *columns: str) -> Iterator[NDArray[np.uint64]]:
        """Eight bytes of each id in rows that were not left out: enough to tell ids apart, and little for many."""
        for part in read_parts(place.run, table, (*columns, "dropped_for")):
            rows = part.filter(pc.is_null(part.column("dropped_for")))
            for column in columns:
                ids = pc.utf8_slice_codeunits(rows.column(column), 0, 16).to_pylist()
                yield np.fromiter((int(one, 16) for one in ids), np.uint64, len(ids))

    paired = np.unique(np.concatenate([np.empty(0, np.uint64), *kept("pairs", "left_id", "right_id")]))
    return sum(int((~np.isin(ids, paired)).sum()) for ids in kept("sentences", "sentence_id"))
