"""What judged candidates tell of regions in, text, JSON and a page with the heat map out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from paraloom.engine.signatures import paraloom_version
from paraloom.metrics.regions.estimates import Region, Share
from paraloom.metrics.regions.intervals import interval_name
from paraloom.metrics.regions.tiles import Tile, TileMap
from paraloom.reports.pages import NOTHING, number, percent, render, write_page
from paraloom.reports.plain import plain_table

PUBLISHED = {"negatives": 0.977, "positives": 0.958}
"""Precisions that Kanerva et al. (2023, section 7.2) estimate for their regions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionRow:
    """One rule, measured."""

    kind: str
    """negatives or positives."""
    rule: str
    """In words."""
    measured_on: str
    """all, dev or test."""
    region: Region
    bounds: Mapping[str, float]
    is_chosen: bool = False
    """Whether its bounds were sought here rather than given."""
    published: float | None = None
    """The precision that the paper estimates for these very bounds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredBy:
    """Whose confidence it is that bounds are about."""

    model: str
    """The identifier that was asked, by its name or folder; empty where pairs came with scores."""
    definition: str
    """What it counts as a paraphrase; empty where nothing tells it."""
    signature: str
    """All that decides its scores; empty where nothing tells it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionsReport:
    """A judged sample seen through an identifier."""

    name: str
    pairs: int
    negatives: int
    tiles: TileMap
    intervals: tuple[Share, ...]
    """The share of negatives in each interval of lexical similarity."""
    rows: tuple[RegionRow, ...]
    is_weighted: bool
    notes: tuple[str, ...]
    signature: str
    scored_by: ScoredBy

    @property
    def headline(self) -> str:
        """The finding in one sentence."""
        given = next(row for row in self.rows if row.kind == "negatives" and not row.is_chosen)
        precision, taken = given.region.precision, given.region.taken
        if precision.value is None:
            return f"No judged pair lies where {given.rule}"
        return (
            f"Where {given.rule}, {percent(precision.value)} of pairs are no paraphrases "
            f"({percent(precision.low)} to {percent(precision.high)}); that is {percent(taken.value)} of all candidates"
        )

    def as_json(self) -> dict[str, Any]:
        """Figures under `metrics`, with their signatures; tiles, intervals and rules."""
        metrics: dict[str, float] = {}
        for row in self.rows:
            name = f"{row.kind}/{'chosen' if row.is_chosen else 'given'}/{row.measured_on}"
            for what in ("precision", "taken", "found"):
                value = getattr(row.region, what).value
                if value is not None:
                    metrics[f"{name}/{what}"] = round(value, 6)
        return {
            "metrics": metrics,
            "signature": {name: f"{name}|{self.signature}" for name in metrics},
            "scored_by": asdict(self.scored_by),
            "pairs": self.pairs,
            "negatives": self.negatives,
            "tiles": [
                {
                    "similarity": interval_name(tile.similarity, self.tiles.steps),
                    "confidence": interval_name(tile.confidence, self.tiles.steps),
                    "pairs": tile.pairs,
                    "negatives": tile.negatives,
                    "share": _share(tile.share),
                }
                for tile in self.tiles
            ],
            "intervals": [
                {"similarity": interval_name(place, len(self.intervals)), "negatives": _share(share)}
                for place, share in enumerate(self.intervals)
            ],
            "rules": [
                {
                    "kind": row.kind,
                    "rule": row.rule,
                    "bounds": dict(row.bounds),
                    "chosen": row.is_chosen,
                    "measured_on": row.measured_on,
                    "precision": _share(row.region.precision),
                    "taken": _share(row.region.taken),
                    "found": _share(row.region.found),
                }
                for row in self.rows
            ],
            "notes": list(self.notes),
            "paraloom": paraloom_version(),
        }

    def as_text(self) -> str:
        """The map and the rules for a person to read."""
        steps = self.tiles.steps
        header = ["similarity", *(interval_name(place, steps) for place in range(steps))]
        rows = [
            [interval_name(row, steps), *(_told(self.tiles.at(row, column)) for column in range(steps))]
            for row in reversed(range(steps))
        ]
        rules = [
            [row.kind, row.rule, row.measured_on, *map(told_share, _shares(row)), number(row.region.precision.judged)]
            for row in self.rows
        ]
        return "\n\n".join(
            [
                f"{self.headline}.",
                "Share of negatives (and pairs), by lexical similarity and confidence that a pair is none:\n"
                + plain_table(header, rows, words=(0,)),
                plain_table(
                    ["taken for", "where", "on", "are right", "of all", "of those", "judged"], rules, words=(0, 1, 2)
                ),
                *self.notes,
                self.signature,
            ]
        )


def _shares(row: RegionRow) -> tuple[Share, Share, Share]:
    return row.region.precision, row.region.taken, row.region.found


def told_share(share: Share) -> str:
    """A share with its bounds.

    >>> told_share(Share(value=0.977, low=0.97, high=0.984, judged=900, effective=900.0))
    '97.7% [97.0%, 98.4%]'
    """
    if share.value is None:
        return NOTHING
    return f"{percent(share.value)} [{percent(share.low)}, {percent(share.high)}]"


def _told(tile: Tile) -> str:
    return NOTHING if tile.share.value is None else f"{percent(tile.share.value)} ({number(tile.pairs)})"


def _share(share: Share) -> dict[str, float | int | None]:
    value = None if share.value is None else round(share.value, 6)
    low, high = round(share.low, 6), round(share.high, 6)
    return {"value": value, "low": low, "high": high, "judged": share.judged, "effective": round(share.effective, 2)}


def write_regions_report(report: RegionsReport, folder: Path) -> Path:
    """Write report.html and regions.json into a folder; gives the page's path."""
    return write_page(folder, render_regions(report), "regions.json", report.as_json())


def render_regions(report: RegionsReport) -> str:
    """The page."""
    from markupsafe import Markup

    from paraloom.reports.region_charts import heat_map, interval_chart

    values: Mapping[str, Any] = {
        "report": report,
        "heat_map": Markup(heat_map("heat-map", report.tiles)),
        "intervals": Markup(interval_chart("intervals", report.intervals)),
        "told": told_share,
        "version": paraloom_version(),
    }
    return render("regions.html", values)
