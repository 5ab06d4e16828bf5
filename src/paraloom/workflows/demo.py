"""The bundled sample in, a whole run out: what a newcomer sees first."""

from __future__ import annotations

from pathlib import Path

from paraloom import sample
from paraloom.documents.options import ReadOptions
from paraloom.engine.places import PlaceOptions
from paraloom.groups.options import GroupOptions
from paraloom.workflows.build import BuildOptions, build
from paraloom.workflows.tables_in_order import Progress


def run_demo(
    out: Path, place: PlaceOptions = PlaceOptions(), *, progress: Progress = lambda table, name, done, total: None
) -> Path:
    """Build the sample's corpus by URL and by trend; gives the report's path."""
    options = BuildOptions(
        read=ReadOptions(author_salt="sample"),  # invented people need no secret, and the result is the same everywhere
        groups=GroupOptions(
            by=("url", "trend"), hashtags=False, accounts=sample.accounts(), topics=sample.topics(), min_posts=3
        ),
        place=place,
    )
    built = build([sample.posts()], out, options, progress=progress)
    assert built.report is not None
    return built.report.resolve()
