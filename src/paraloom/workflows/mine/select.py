"""Candidates and an identifier's confidences in, labelled pairs out: safe negatives and positives to learn from.

Each says why it was taken. No candidate is taken that shares a text with pairs that are to be measured on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from paraloom.corpus.leakage import PairNumbers
from paraloom.corpus.pair_files import PairFile
from paraloom.engine.signatures import paraloom_version
from paraloom.metrics.likeness.character_cosine import SIGNATURE, character_cosines
from paraloom.pairs.region_options import RegionOptions
from paraloom.pairs.regions import Scored, negatives, positives, reasons
from paraloom.pairs.stratified import drawn_number
from paraloom.text.counted import counted
from paraloom.workflows.evaluate.named_columns import named_columns
from paraloom.workflows.mine.candidates import Block, Candidates
from paraloom.workflows.mine.region_options import ScoringOptions, SelectOptions
from paraloom.workflows.mine.scoring import Scorer
from paraloom.workflows.table_files import check_table_file, write_table_parts

if TYPE_CHECKING:
    import pyarrow as pa

NEGATIVE, POSITIVE = "negatives", "positives"


@dataclass(frozen=True, slots=True, kw_only=True)
class Selected:
    """What was taken."""

    out: Path
    candidates: int
    taken: dict[str, int]
    """Negatives and positives."""
    regions: dict[str, int]
    """By why they were taken."""
    leaked: int
    """Candidates left out, as they share a text with what is to be measured on."""
    notes: tuple[str, ...]
    signature: str

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {**asdict(self), "out": str(self.out), "notes": list(self.notes)}

    def as_text(self) -> str:
        """In words."""
        kinds = " and ".join(f"{count:,} {kind}" for kind, count in self.taken.items())
        lines = [f"{kinds} of {counted(self.candidates, 'candidate', 'candidates')} in {self.out}."]
        lines += [f"  {count:,}: {region}" for region, count in self.regions.items()]
        if self.leaked:
            lines.append(
                f"{counted(self.leaked, 'candidate shares', 'candidates share')} a text with a file of --leave-out, "
                "left out."
            )
        return "\n".join([*lines, *self.notes, self.signature])


def select_pairs(
    sources: Sequence[str | Path],
    out: str | Path,
    bounds: RegionOptions = RegionOptions(),
    scoring: ScoringOptions = ScoringOptions(),
    options: SelectOptions = SelectOptions(),
) -> Selected:
    """Take the candidates of both regions and write them with `label` 1 or 0, and why."""
    target, paths = Path(out), [Path(source) for source in sources]
    check_table_file(target, [*paths, *options.leave_out], "pairs", overwrite=options.overwrite)
    scorer = Scorer(model=scoring.model, definition=scoring.definition)
    columns = named_columns(scoring.columns)
    candidates = Candidates(sources=paths, columns=columns, definition=scoring.definition)
    work = _Work(scorer=scorer, bounds=bounds, options=options, held_out=_texts_of(options.leave_out))
    if options.most:
        work.limits = _limits(candidates, work)
    write_table_parts(_tables(candidates, work), _schema(), target)
    return Selected(
        out=target,
        candidates=work.candidates,
        taken={kind: work.taken[kind] for kind in work.kinds},
        regions=dict(sorted(work.regions.items())),
        leaked=work.leaked,
        notes=tuple(candidates.notes()),
        signature="select|"
        + "|".join(f"{name.replace('_', '-')}:{value:g}" for name, value in asdict(bounds).items())
        + (f"|most:{options.most}|seed:{options.seed}" if options.most else "")
        + f"|similarity:{SIGNATURE.replace('|', ',')}|identifier:{scorer.signature.replace('|', ',')}"
        + f"|paraloom:{paraloom_version()}",
    )


@dataclass(slots=True, kw_only=True)
class _Work:
    """One selection on its way."""

    scorer: Scorer
    bounds: RegionOptions
    options: SelectOptions
    held_out: np.ndarray[Any, np.dtype[np.uint64]]
    """Numbers of texts that are to be measured on, sorted."""
    limits: dict[str, int] = field(default_factory=dict)
    """By kind: what a pair may draw at most, where not all are taken."""
    candidates: int = 0
    leaked: int = 0
    taken: Counter[str] = field(default_factory=Counter)
    regions: Counter[str] = field(default_factory=Counter)

    @property
    def kinds(self) -> list[str]:
        return [kind for kind in (NEGATIVE, POSITIVE) if kind in self.options.take]

    def begin(self) -> None:
        """Count anew."""
        self.candidates = self.leaked = 0
        self.taken, self.regions = Counter(), Counter()

    def selected(self, block: Block) -> tuple[Block, Scored, list[str]]:
        """The candidates of a block that are taken, their numbers, and of which kind each is."""
        self.candidates += len(block)
        clean = [row for row, leaks in enumerate(self._leaks(block)) if not leaks]
        self.leaked += len(block) - len(clean)
        block = block.chosen(clean)
        if not len(block):
            nothing = np.empty(0)
            return block, Scored(nothing, nothing, nothing), []
        scored = self.scorer.scored(block, character_cosines(block.left, block.right))
        inside = {NEGATIVE: negatives(scored, self.bounds), POSITIVE: positives(scored, self.bounds)}
        kinds = [next((kind for kind in self.kinds if inside[kind][row]), None) for row in range(len(block))]
        rows = [row for row, kind in enumerate(kinds) if kind and self._is_drawn(kind, block.pair_ids[row])]
        is_taken = np.isin(np.arange(len(block)), rows)
        return block.chosen(rows), scored[is_taken], [kinds[row] or "" for row in rows]

    def _leaks(self, block: Block) -> list[bool]:
        if not len(self.held_out):
            return [False] * len(block)
        numbers = PairNumbers.of(list(zip(block.left, block.right, strict=True))).texts
        shared = np.isin(numbers, self.held_out)
        return [bool(left or right) for left, right in shared]

    def _is_drawn(self, kind: str, pair_id: str) -> bool:
        return kind not in self.limits or drawn_number(self.options.seed, pair_id) <= self.limits[kind]


def _texts_of(files: Sequence[Path]) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Numbers of all texts of these files."""
    parts = [PairNumbers.of(PairFile(path=file)).texts.ravel() for file in files]
    return np.unique(np.concatenate([np.empty(0, np.uint64), *parts]))


def _limits(candidates: Candidates, work: _Work) -> dict[str, int]:
    """What the last of the wanted number of each kind drew: a first pass, which keeps numbers alone."""
    drawn: dict[str, list[int]] = {kind: [] for kind in work.kinds}
    for block in candidates:
        chosen, _, kinds = work.selected(block)
        for pair_id, kind in zip(chosen.pair_ids, kinds, strict=True):
            drawn[kind].append(drawn_number(work.options.seed, pair_id))
    most = work.options.most
    return {kind: sorted(numbers)[most - 1] for kind, numbers in drawn.items() if len(numbers) > most}


def _tables(candidates: Candidates, work: _Work) -> Iterator[pa.Table]:
    import pyarrow as pa

    work.begin()
    for block in candidates:
        chosen, scored, kinds = work.selected(block)
        if not len(chosen):
            continue
        why = [reason or "" for reason in reasons(scored, work.bounds)]
        work.taken.update(kinds)
        work.regions.update(f"{kind}, {reason}" for kind, reason in zip(kinds, why, strict=True))
        yield pa.table(
            {
                "pair_id": chosen.pair_ids,
                "left": chosen.left,
                "right": chosen.right,
                "label": [int(kind == POSITIVE) for kind in kinds],
                "region": why,
                "lexical": scored.similarity,
                "negative_confidence": scored.negative,
                "positive_confidence": scored.positive,
            },
            schema=_schema(),
        )


def _schema() -> pa.Schema:
    import pyarrow as pa

    texts = [(name, pa.string()) for name in ("pair_id", "left", "right")]
    figures = [(name, pa.float64()) for name in ("lexical", "negative_confidence", "positive_confidence")]
    return pa.schema([*texts, ("label", pa.int64()), ("region", pa.string()), *figures])
