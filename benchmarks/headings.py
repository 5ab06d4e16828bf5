"""How many of the best pairs of headings are above articles that tell of the same event?

    python benchmarks/headings.py --data DIR               # DIR holds news_cluster/articles

Headings are suggested as in `paraloom align`, and put in the order of their scores; with the window of seven days, and
without.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

FIRST = (10, 30, 100, 200)


def main() -> None:
    """Run it, and print a line for each window."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--data", type=Path, required=True, help="folder that holds news_cluster/articles")
    articles = asked.parse_args().data / "news_cluster" / "articles"
    events = {
        file.name: json.loads(file.read_text(encoding="utf-8"))["newsCluster"]["EventId"]
        for file in sorted(articles.glob("*.json"))
    }
    for days in (7.0, 0.0):
        same = [events[left] == events[right] for left, right in best_first(articles, days)]
        told = ", ".join(f"{sum(same[:first])} of the first {first}" for first in FIRST if first <= len(same))
        print(f"window {days:g} days: {len(same):,} pairs of headings; of one event {told}, {sum(same):,} in all")


def best_first(articles: Path, days: float) -> list[tuple[str, str]]:
    """The files of articles whose headings are suggested, by falling score."""
    from paraloom.engine.store import read_table
    from paraloom.groups.alignment_options import AlignmentOptions
    from paraloom.workflows.align.align import align
    from paraloom.workflows.align.options import AlignOptions

    with tempfile.TemporaryDirectory(prefix="paraloom-bench-") as folder:
        run = Path(folder) / "run"
        align([articles], run, AlignOptions(alignment=AlignmentOptions(window_days=days)), until="segments")
        files = {row["document_id"]: row["file"] for row in read_table(run, "documents").to_pylist()}
        segments = read_table(run, "segments").to_pylist()
    headings = [row for row in segments if row["shape"] == "heading" and row["dropped_for"] is None]
    headings.sort(key=lambda row: (-row["score"], row["segment_id"]))
    return [(files[row["left_document_id"]], files[row["right_document_id"]]) for row in headings]


if __name__ == "__main__":
    main()
