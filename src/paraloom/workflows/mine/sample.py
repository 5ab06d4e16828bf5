"""A mined run or files of pairs in, a file for people to judge out: the same number of each interval of similarity.

What is written goes straight into `paraloom annotate import`; beside the texts it keeps how many candidates each pair
stands for, so that estimates can be made for all of them, and the score that an identifier has given it, where there is
one, so that these can be estimates of what the identifier says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from paraloom.engine.signatures import paraloom_version
from paraloom.errors import InputError
from paraloom.metrics.likeness.character_cosine import SIGNATURE, character_cosines
from paraloom.metrics.regions.intervals import check_intervals, interval_name
from paraloom.pairs.region_options import SampleOptions
from paraloom.pairs.stratified import Drawn, StratifiedSample, drawn_number
from paraloom.text.counted import counted
from paraloom.workflows.evaluate.named_columns import named_columns
from paraloom.workflows.mine.candidates import SCORED, Candidates, numbers, told_shared_ids
from paraloom.workflows.mine.run_labels import definitions_of
from paraloom.workflows.table_files import check_table_file, write_table_file

BESIDE = ("left_id", "right_id", "group_id", "similarity", *SCORED)
"""Columns that are kept, where they are there."""
FIGURES = ("similarity", "score")
"""Those of them that hold numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampled:
    """What was drawn."""

    out: Path
    candidates: int
    drawn: int
    dev: int
    population: dict[str, int]
    """Candidates of each interval."""
    short: dict[str, int]
    """Intervals with fewer than were wanted, and how many they have."""
    notes: tuple[str, ...]
    signature: str

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "out": str(self.out),
            "candidates": self.candidates,
            "drawn": self.drawn,
            "dev": self.dev,
            "test": self.drawn - self.dev,
            "population": self.population,
            "short": self.short,
            "notes": list(self.notes),
            "signature": self.signature,
        }

    def as_text(self) -> str:
        """In words."""
        lines = [
            f"{self.drawn:,} of {counted(self.candidates, 'candidate', 'candidates')} drawn into {self.out}: "
            f"{self.dev:,} to choose by (dev), {self.drawn - self.dev:,} to check (test)."
        ]
        if self.short:
            told = ", ".join(f"{name}: {count:,}" for name, count in self.short.items())
            lines.append(f"Intervals with fewer candidates than were wanted, all of them drawn: {told}.")
        return "\n".join([*lines, *self.notes, self.signature])


def sample_candidates(
    sources: Sequence[str | Path],
    out: str | Path,
    options: SampleOptions = SampleOptions(),
    *,
    columns: Sequence[str] = (),
    overwrite: bool = False,
) -> Sampled:
    """Draw candidates interval by interval and write them, in an order that tells nothing of their similarity."""
    check_intervals(options.intervals)
    target, paths = Path(out), [Path(source) for source in sources]
    check_table_file(target, paths, "pairs", overwrite=overwrite)
    candidates = Candidates(sources=paths, columns=named_columns(columns))
    known = definitions_of([path for path in paths if path.is_dir()])
    if len(known) == 1:
        candidates.definition = known[0]
    sample = StratifiedSample(options)
    for block in candidates:
        lexical = character_cosines(block.left, block.right)
        beside = [block.columns.get(name, [None] * len(block)) for name in BESIDE]
        sample.add(block.text_keys(), lexical, list(zip(block.pair_ids, block.left, block.right, *beside, strict=True)))
    drawn = sample.drawn()
    if not drawn:
        raise InputError(f"There are no candidates in {', '.join(map(str, paths))}. Give other pairs.")
    times = Counter(one.row[0] for one in drawn)
    shared_ids = frozenset(pair_id for pair_id, count in times.items() if count > 1)
    write_table_file(_table(drawn, shared_ids, options.seed), target)
    population = {
        interval_name(place, options.intervals): count for place, count in enumerate(sample.population.tolist())
    }
    return Sampled(
        out=target,
        candidates=int(sample.population.sum()),
        drawn=len(drawn),
        dev=sum(one.split == "dev" for one in drawn),
        population=population,
        short=sample.short(),
        notes=(
            *candidates.notes(),
            *told_shared_ids(sum(times[pair_id] for pair_id in shared_ids)),
            *_about_definitions(known),
        ),
        signature=f"sample|per-interval:{options.per_interval}|intervals:{options.intervals}|seed:{options.seed}"
        f"|similarity:{SIGNATURE.replace('|', ',')}|paraloom:{paraloom_version()}",
    )


def _about_definitions(known: Sequence[str]) -> list[str]:
    if len(known) < 2:
        return []
    return [
        f"The runs have scores for several definitions ({', '.join(known)}), and none is written: `paraloom mine "
        "regions --model NAME --definition NAME` scores the drawn pairs."
    ]


def _table(drawn: Sequence[Drawn], shared_ids: Collection[str], seed: int) -> Any:
    """The drawn pairs; an id that several of them have names none, so these are known by their texts."""
    import pyarrow as pa

    # A person should not see how alike the next pair is. Ids that were given may tell it, and so would the numbers by
    # which pairs were drawn: the lowest of many candidates are lower than those of few. So lots are drawn again.
    mixed = sorted(drawn, key=lambda one: (drawn_number(seed, f"order of {one.pair_id}"), one.pair_id))
    rows = dict(zip(("pair_id", "left", "right", *BESIDE), zip(*(one.row for one in mixed), strict=True), strict=True))
    figures = {name: numbers(rows.pop(name), name) for name in FIGURES}
    pair_ids = rows.pop("pair_id")
    given = {name: [None if value is None else str(value) for value in values] for name, values in rows.items()}
    return pa.table(
        {
            "pair_id": [
                one.pair_id if given_id in shared_ids else given_id
                for one, given_id in zip(mixed, pair_ids, strict=True)
            ],
            **{
                name: pa.array(values, pa.string())
                for name, values in given.items()
                if any(value is not None for value in values)
            },
            **{
                name: pa.array(values, from_pandas=True)
                for name, values in figures.items()
                if not np.isnan(values).all()
            },
            "lexical": np.array([one.lexical for one in mixed]),
            "interval": [one.interval for one in mixed],
            "population": [one.population for one in mixed],
            "weight": [one.weight for one in mixed],
            "split": [one.split for one in mixed],
        }
    )
