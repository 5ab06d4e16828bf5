"""Candidates and an identifier's confidences in, labelled pairs out: safe negatives and positives to learn from.

Each says why it was taken. No candidate is taken that shares a text with pairs that were judged or are to be measured
on. Where regions were measured, their bounds are taken over, and how many of the pairs are right is told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from heapq import heappush, heappushpop
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from paraloom.corpus.leakage import PairNumbers
from paraloom.corpus.pair_files import ROWS_AT_ONCE
from paraloom.engine.signatures import paraloom_version
from paraloom.errors import InputError
from paraloom.metrics.likeness.character_cosine import SIGNATURE, character_cosines
from paraloom.models.identifiers.confidences import has_two_scales
from paraloom.pairs.region_options import RegionOptions
from paraloom.pairs.regions import negatives, positives, reasons
from paraloom.pairs.stratified import drawn_number
from paraloom.text.counted import counted
from paraloom.workflows.evaluate.named_columns import named_columns
from paraloom.workflows.mine.candidates import Block, Candidates, told_shared_ids
from paraloom.workflows.mine.held_out import held_out_texts
from paraloom.workflows.mine.region_options import ScoringOptions, SelectOptions
from paraloom.workflows.mine.run_labels import labelled, own_definition
from paraloom.workflows.mine.safe_regions import Precision, Selection, selection_of
from paraloom.workflows.mine.scoring import GRADED, TWO_SCALES, Scorer
from paraloom.workflows.table_files import check_table_file, write_table_parts

if TYPE_CHECKING:
    import pyarrow as pa

NEGATIVE, POSITIVE = "negatives", "positives"
NOTHING_LEFT_OUT = (
    "Nothing was left out: pairs that were judged, or are to be measured on later, may be among these. Name their "
    "files: --leave-out sample.tsv test.tsv."
)


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
    held_out: int
    """Distinct texts of what is to be measured on."""
    unscored: int
    """Candidates left out, as they come without a score."""
    precision: Mapping[str, Precision]
    """By what pairs are taken for, how many of them are right; empty where no regions were given."""
    notes: tuple[str, ...]
    signature: str

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        precision = {kind: one.as_json() for kind, one in self.precision.items()}
        return {**asdict(self), "out": str(self.out), "precision": precision, "notes": list(self.notes)}

    def as_text(self) -> str:
        """In words."""
        kinds = " and ".join(f"{count:,} {kind}" for kind, count in self.taken.items())
        lines = [f"{kinds} of {counted(self.candidates, 'candidate', 'candidates')} in {self.out}."]
        lines += [f"  {count:,}: {region}" for region, count in self.regions.items()]
        lines += [one.told(kind) for kind, one in self.precision.items()]
        if self.held_out:
            lines.append(
                f"{counted(self.leaked, 'candidate shares', 'candidates share')} a text with the files of --leave-out "
                f"({counted(self.held_out, 'text', 'texts')}), left out."
            )
        if self.unscored:
            told = counted(self.unscored, "candidate comes", "candidates come")
            lines.append(f"{told} without a score, left out: --model NAME scores all.")
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
    how = selection_of(bounds, scoring, options)
    scoring, options = how.scoring, replace(options, take=how.take)
    columns = named_columns(scoring.columns)
    candidates = Candidates(sources=paths, columns=columns)
    runs = [path for path in paths if path.is_dir()]
    has_grades = not scoring.model and scoring.definition == GRADED and len(runs) < len(paths)
    if runs and not scoring.model:
        candidates.definition = own_definition(runs, scoring.definition)
        if how.scored_by is None:  # regions were measured on the scale of these very scores
            has_grades |= _has_two_scales(runs, candidates.definition, options)
    scorer = Scorer(model=scoring.model, asked=scoring.definition)
    if scoring.model:
        how.check_identifier(scorer.identifier.signature)
    held_out = held_out_texts(options.leave_out, columns)
    work = _Work(scorer=scorer, how=how, options=options, held_out=held_out, has_grades=has_grades)
    taken = work.taken_of(candidates)
    if options.most:
        taken = iter(_drawn(taken, options.most, options.seed))
    # A run's pairs have ids of their own; those of files are remembered.
    write_table_parts(_tables(work.counted(taken, has_own_ids=paths == runs[:1])), _schema(), target)
    return Selected(
        out=target,
        candidates=work.candidates,
        taken={kind: work.taken[kind] for kind in work.kinds},
        regions=dict(sorted(work.regions.items())),
        leaked=work.leaked,
        held_out=len(work.held_out),
        unscored=work.unscored,
        precision=how.precision,
        notes=(*candidates.notes(), *work.notes()),
        signature="select|"
        + "|".join(f"{name.replace('_', '-')}:{value:g}" for name, value in asdict(how.bounds).items())
        + (f"|most:{options.most}|seed:{options.seed}" if options.most else "")
        + f"|similarity:{SIGNATURE.replace('|', ',')}|identifier:{scorer.signature.replace('|', ',')}"
        + f"|paraloom:{paraloom_version()}",
    )


def _has_two_scales(runs: Sequence[Path], definition: str, options: SelectOptions) -> bool:
    """Whether scores are another scale than the identifier's confidences; to take positives by them is an error."""
    found = False
    for run in runs:
        signatures = [signature for name, signature in labelled(run) if name == definition]
        found |= (here := any(has_two_scales(signature, definition) for signature in signatures))
        if here and POSITIVE in options.take:
            raise InputError(
                f"The scores in {run} are those of an identifier that gives grades: they say that a pair is 3 or 4, "
                "not that it is 4, which --positive-confidence is about. Give the identifier: --model FOLDER, or "
                "--take negatives."
            )
    return found


class _Taken(NamedTuple):
    """One candidate that lies in a region."""

    key: str
    kind: str
    pair_id: str
    left: str
    right: str
    region: str
    lexical: float
    negative: float
    positive: float


@dataclass(slots=True, kw_only=True)
class _Work:
    """One selection on its way."""

    scorer: Scorer
    how: Selection
    options: SelectOptions
    held_out: np.ndarray[Any, np.dtype[np.uint64]]
    """Numbers of texts that are to be measured on, sorted."""
    candidates: int = 0
    leaked: int = 0
    unscored: int = 0
    renamed: int = 0
    """Pairs whose id another one has too."""
    has_grades: bool = False
    """Whether scores come with grades."""
    taken: Counter[str] = field(default_factory=Counter)
    regions: Counter[str] = field(default_factory=Counter)

    @property
    def kinds(self) -> list[str]:
        return [kind for kind in (NEGATIVE, POSITIVE) if kind in self.options.take]

    def notes(self) -> list[str]:
        """What the owner of the candidates should know."""
        return [
            *([TWO_SCALES] if self.has_grades and self.how.scored_by is None else []),
            *told_shared_ids(self.renamed),
            *self.scorer.notes(),
            *self.how.notes,
            *([] if self.options.leave_out else [NOTHING_LEFT_OUT]),
        ]

    def taken_of(self, candidates: Candidates) -> Iterator[_Taken]:
        """The candidates that lie in a region, in their order."""
        for block in candidates:
            yield from self._taken_of_block(block)
        if self.unscored and self.unscored == self.candidates - self.leaked:
            raise InputError("No candidate comes with a score. Score them: --model NAME, or `paraloom identify` first.")

    def _taken_of_block(self, block: Block) -> Iterator[_Taken]:
        self.candidates += len(block)
        clean = block.chosen([row for row, leaks in enumerate(self._leaks(block)) if not leaks])
        self.leaked += len(block) - len(clean)
        block = clean.chosen(self.scorer.scorable(clean))
        self.unscored += len(clean) - len(block)
        if not len(block):
            return
        if not self.scorer.model:
            self.has_grades |= "grade" in block.columns
            self.how.check_scores(block.columns.get("labelled_by", ()))
        scored, bounds = self.scorer.scored(block, character_cosines(block.left, block.right)), self.how.bounds
        inside = {NEGATIVE: negatives(scored, bounds), POSITIVE: positives(scored, bounds)}
        kinds = [next((kind for kind in self.kinds if inside[kind][row]), "") for row in range(len(block))]
        rows = [row for row, kind in enumerate(kinds) if kind]
        block, scored = block.chosen(rows), scored[np.array([bool(kind) for kind in kinds])]
        yield from map(
            _Taken,
            block.text_keys(),
            (kinds[row] for row in rows),
            block.pair_ids,
            block.left,
            block.right,
            (reason or "" for reason in reasons(scored, bounds)),
            *(figures.tolist() for figures in (scored.similarity, scored.negative, scored.positive)),
        )

    def _leaks(self, block: Block) -> list[bool]:
        if not len(self.held_out):
            return [False] * len(block)
        numbers = PairNumbers.of(list(zip(block.left, block.right, strict=True))).texts
        shared = np.isin(numbers, self.held_out)
        return [bool(left or right) for left, right in shared]

    def counted(self, taken: Iterable[_Taken], *, has_own_ids: bool) -> Iterator[_Taken]:
        """The same, counted, each with an id of its own."""
        met: set[int] = set()
        for one in taken:
            self.taken[one.kind] += 1
            self.regions[f"{one.kind}, {one.region}"] += 1
            if not has_own_ids:
                number = drawn_number(self.options.seed, one.pair_id)
                if number in met:
                    self.renamed += 1
                    one = one._replace(pair_id=one.key)
                met.add(number)
            yield one


def _drawn(taken: Iterator[_Taken], most: int, seed: int) -> list[_Taken]:
    """So many of each kind, those that drew the lowest numbers, in the order of candidates."""
    kept: dict[str, list[tuple[int, int, _Taken]]] = {}
    for turn, one in enumerate(taken):
        drawn = kept.setdefault(one.kind, [])
        (heappush if len(drawn) < most else heappushpop)(drawn, (-drawn_number(seed, one.key), turn, one))
    return [one for _, one in sorted((turn, one) for drawn in kept.values() for _, turn, one in drawn)]


def _tables(taken: Iterator[_Taken]) -> Iterator[pa.Table]:
    import pyarrow as pa

    while some := list(islice(taken, ROWS_AT_ONCE)):
        rows = [
            (
                one.pair_id,
                one.left,
                one.right,
                int(one.kind == POSITIVE),
                one.region,
                one.lexical,
                one.negative,
                one.positive,
            )
            for one in some
        ]
        columns = [list(column) for column in zip(*rows, strict=True)]
        yield pa.table(dict(zip(_schema().names, columns, strict=True)), schema=_schema())


def _schema() -> pa.Schema:
    import pyarrow as pa

    texts = [(name, pa.string()) for name in ("pair_id", "left", "right")]
    figures = [(name, pa.float64()) for name in ("lexical", "negative_confidence", "positive_confidence")]
    return pa.schema([*texts, ("label", pa.int64()), ("region", pa.string()), *figures])
