"""What a benchmark of generation found: its numbers, its JSON, and its tables as text and Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from paraloom.engine.signatures import paraloom_version
from paraloom.reports.generation_summary import Claim, Score, Verdict
from paraloom.reports.pages import NOTHING, number, percent
from paraloom.reports.plain import markdown_table, plain_table
from paraloom.text.counted import counted

Kind = Literal["generator", "file", "people", "parrot"]

COLUMNS: dict[str, str] = {
    "bleu": "BLEU",
    "self-bleu": "self-BLEU ↓",
    "source-bertscore-f1": "BERTScore",
    "bert-ibleu": "BERT-iBLEU",
    "mutual-implication": "implies",
    "copy-rate": "copies ↓",
    "facts-kept": "facts kept",
    "facts-invented": "invented ↓",
}
"""Metrics of a set's table, and how they are called there."""
CROSS = ("bleu", "self-bleu", "source-bertscore-f1", "bert-ibleu")
"""Metrics of the table over all sets, as in Table 5 of Dou et al. (2022)."""
SHARES = ("copy-rate",)
"""What is measured from 0 to 1 and shown in per cent."""
CHANCES = ("mutual-implication",)
"""What is measured and shown from 0 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedRow:
    """One row of a paper's table."""

    title: str
    size: str
    figures: tuple[float | None, ...]
    """BLEU, self-BLEU, BERTScore and BERT-iBLEU, from 0 to 100; None where the paper has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedGrid:
    """A paper's table of what was trained on one corpus and tested on another."""

    trained_on: tuple[str, ...]
    tested_on: tuple[str, ...]
    figures: tuple[tuple[tuple[float, ...], ...], ...]
    """By what was trained on, then by what was tested on: the four metrics."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchCell:
    """One contender on one set."""

    contender: str
    set: str
    kind: Kind
    scores: Mapping[str, Score]
    verdict: Verdict | None = None
    """Of the parrot alarm; None for those that stand beside the contenders."""
    without: float = 0.0
    """Share of the sources that it wrote nothing for."""
    against_first: Mapping[str, Claim] | None = None
    """The first contender's metrics beside its own, by metric; None for the first and for parrots."""
    seconds_a_source: float | None = None
    where: str = ""
    """The machine that it wrote on."""
    signature: str = ""
    """All that decides its outputs."""

    def as_json(self, signatures: Mapping[str, str]) -> dict[str, Any]:
        """`metrics` and `signature`, and all else that is known."""
        return {
            "metrics": {name: score.value for name, score in self.scores.items()},
            "signature": {name: signatures[name] for name in self.scores if name in signatures},
            "intervals": {
                name: [score.low, score.high] for name, score in self.scores.items() if score.low is not None
            },
            "kind": self.kind,
            "alarm": None if self.verdict is None else asdict(self.verdict),
            "without_output": self.without,
            "against_first": None
            if self.against_first is None
            else {name: asdict(claim) for name, claim in self.against_first.items()},
            "seconds_a_source": self.seconds_a_source,
            "where": self.where,
            "writer": self.signature,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoint:
    """A parrot's likeness to the source, and what BERT-iBLEU makes of it."""

    kind: str
    ratio: float
    self_bleu: float
    bert_ibleu: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchSetSummary:
    """One set of sources."""

    name: str
    title: str
    about: str
    sources: int
    of: int
    references: int
    signatures: Mapping[str, str]
    warnings: tuple[str, ...] = ()
    curve: tuple[CurvePoint, ...] = ()

    @property
    def told(self) -> str:
        """Its size in words."""
        whole = "" if self.of == self.sources else f" of {number(self.of)}"
        return f"{number(self.sources)} sources{whole} with {number(self.references)} references: {self.about}"


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationBench:
    """Every contender on every set that was found."""

    cells: tuple[BenchCell, ...]
    sets: tuple[BenchSetSummary, ...]
    contenders: tuple[str, ...]
    """Those that were measured somewhere, in their order; differences are against the first."""
    not_run: Mapping[str, str]
    """`contender` or `contender on set` → why it was not measured."""
    skipped: Mapping[str, str]
    """Sets that are not in the folder, and metrics that cannot run, each with the reason."""
    table_4: tuple[PublishedRow, ...]
    table_5: PublishedGrid
    resamples: int
    seed: int

    def cell(self, contender: str, set_name: str) -> BenchCell | None:
        """One contender on one set, if it was measured there."""
        return next((cell for cell in self.cells if (cell.contender, cell.set) == (contender, set_name)), None)

    def of_set(self, name: str) -> list[BenchCell]:
        """Everybody on one set: contenders, people, parrots."""
        return [cell for cell in self.cells if cell.set == name]

    def as_json(self) -> dict[str, Any]:
        """`systems` by set and contender, each with `metrics` and `signature`; what was not run and why."""
        signatures = {one.name: one.signatures for one in self.sets}
        return {
            "systems": {f"{cell.set}/{cell.contender}": cell.as_json(signatures[cell.set]) for cell in self.cells},
            "not_run": dict(self.not_run),
            "skipped": dict(self.skipped),
            "sets": {
                one.name: {name: value for name, value in asdict(one).items() if name != "signatures"}
                for one in self.sets
            },
            "published": {"table_4": [asdict(row) for row in self.table_4], "table_5": asdict(self.table_5)},
            "first": self.contenders[0],
            "resamples": self.resamples,
            "seed": self.seed,
            "paraloom": paraloom_version(),
        }

    def as_text(self) -> str:
        """Tables and sentences for a person to read."""
        parts = []
        for one in self.sets:
            parts.append(f"{one.title}\n{one.told}")
            parts.append(plain_table(set_head(self), set_rows(self, one.name), words=(0, 1)))
        if len(self.sets) > 1:
            parts.append(plain_table(cross_head(self), cross_rows(self)))
        return "\n\n".join([*parts, *self.told])

    def as_markdown(self) -> str:
        """The same tables for a page of documentation."""
        parts = [
            f"### {one.title}\n\n{one.told}\n\n" + markdown_table(set_head(self), set_rows(self, one.name))
            for one in self.sets
        ]
        if len(self.sets) > 1:
            parts.append("### All sets\n\n" + markdown_table(cross_head(self), cross_rows(self)))
        return "\n\n".join([*parts, *self.told]) + "\n"

    @property
    def told(self) -> list[str]:
        """What is not in the tables, and why."""
        lines = [f"{name} was not run: {why}" for name, why in self.not_run.items()]
        return [*lines, *(f"{name} is left out: {why}" for name, why in self.skipped.items())]


def headline(bench: GenerationBench) -> str:
    """What was done, in one line."""
    contenders = counted(len(bench.contenders), "generator", "generators")
    return f"{contenders} on {counted(len(bench.sets), 'set', 'sets')} of sources, beside people and parrots"


def set_head(bench: GenerationBench) -> list[str]:
    """The head of a set's table."""
    return ["", "alarm", *COLUMNS.values(), "nothing ↓", "s/source", f"against {bench.contenders[0]}"]


def set_rows(bench: GenerationBench, name: str) -> list[list[str]]:
    """One line a contender, then people and parrots."""
    return [
        [
            cell.contender,
            cell.verdict.level if cell.verdict else "",
            *(shown(cell, metric) for metric in COLUMNS),
            percent(cell.without) if cell.verdict else "",
            "" if cell.seconds_a_source is None else f"{cell.seconds_a_source:.2f}",
            against_first(cell),
        ]
        for cell in bench.of_set(name)
    ]


def cross_head(bench: GenerationBench) -> list[str]:
    """The head of the table over all sets."""
    short = {"bleu": "BL", "self-bleu": "S-B ↓", "source-bertscore-f1": "B-S", "bert-ibleu": "B-iB"}
    return ["", *(f"{one.name} {short[metric]}" for one in bench.sets for metric in CROSS)]


def cross_rows(bench: GenerationBench) -> list[list[str]]:
    """One line a contender, the four metrics of every set."""
    return [
        [name, *(shown(bench.cell(name, one.name), metric) for one in bench.sets for metric in CROSS)]
        for name in cross_names(bench)
    ]


def cross_names(bench: GenerationBench) -> list[str]:
    """Contenders, then people and the full parrot."""
    others = dict.fromkeys(cell.contender for cell in bench.cells if cell.kind in ("people", "parrot"))
    return [*bench.contenders, *list(others)[:2]]


def shown(cell: BenchCell | None, metric: str) -> str:
    """A value as it stands in a table."""
    score = None if cell is None else cell.scores.get(metric)
    if score is None:
        return NOTHING
    if metric in SHARES:
        return percent(score.value)
    return f"{score.value:.2f}"


def bounds(cell: BenchCell, metric: str) -> str:
    """The middle 95% of draws."""
    score = cell.scores.get(metric)
    if score is None or score.low is None or score.high is None:
        return ""
    scale, places = 100 if metric in SHARES else 1, 2 if metric in CHANCES else 1
    return f"{scale * score.low:.{places}f}\u2013{scale * score.high:.{places}f}"


def against_first(cell: BenchCell) -> str:
    """Metrics of the table on which a contender differs from the first by more than chance.

    The claims are the first's: where the first is better, this one is worse.
    """
    if cell.against_first is None:
        return ""
    found = {metric: cell.against_first[metric] for metric in COLUMNS if metric in cell.against_first}
    better = [COLUMNS[metric].removesuffix(" ↓") for metric, claim in found.items() if claim.is_worse]
    worse = [COLUMNS[metric].removesuffix(" ↓") for metric, claim in found.items() if claim.is_better]
    told = [f"{word}: {', '.join(names)}" for word, names in (("better", better), ("worse", worse)) if names]
    return "; ".join(told) or "no different"
