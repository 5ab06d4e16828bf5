"""How well and how fast are articles aligned that tell of the same event?

    python benchmarks/align.py --data DIR                  # DIR holds news_cluster/articles; writes results/align.json
    python benchmarks/align.py --data DIR --sizes 50000 100000 200000

Quality: precision and recall of the pairs of articles of one event, with the window of seven days and without, by
least likeness: the grid that led to the band. Speed: made-up dated articles out of those real ones, as many a day
whatever their number; the bars are 200,000 in 10 minutes and 4 GB on 2 cores, and growth that is near to linear.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from articles import real_articles, write_articles
from measure import measure

HERE = Path(__file__).resolve().parent
LEAST = (0.1, 0.125, 0.15, 0.175, 0.2, 0.225, 0.25, 0.275, 0.3, 0.35, 0.4)
WINDOW_DAYS = 7.0


def main() -> None:
    """Run what was asked for."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--data", type=Path, required=True, help="folder that holds news_cluster/articles")
    asked.add_argument("--sizes", nargs="*", type=int, default=[50_000, 100_000, 200_000])
    asked.add_argument("--a-day", type=int, default=500, help="made-up articles a day")
    asked.add_argument("--work", type=Path, help="folder for what is made (default: a temporary one)")
    asked.add_argument("--speed-only", action="store_true", help="leave quality out")
    options = asked.parse_args()
    work = options.work or Path(tempfile.mkdtemp(prefix="paraloom-bench-"))
    work.mkdir(parents=True, exist_ok=True)
    articles = options.data / "news_cluster" / "articles"
    result: dict[str, Any] = {"cores": os.cpu_count(), "quality": [], "speed": []}
    if not options.speed_only:
        result["quality"] = quality(articles, work)
    for size in options.sizes:
        result["speed"].append(speed(size, articles, work, options.a_day))
    target = HERE / "results" / "align.json"
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps(result, indent=2) + "\n")


def quality(articles: Path, work: Path) -> list[dict[str, Any]]:
    """Precision and recall by least likeness, with the window and without."""
    events = _events(articles)
    rows = []
    for days in (WINDOW_DAYS, 0.0):
        found = dict(_pairs(articles, work / f"window-{days:g}", days))
        wanted = _wanted(events, days)
        for least in LEAST:
            pairs = {pair for pair, likeness in found.items() if likeness >= least}
            right = len(pairs & wanted)
            row = {
                "window_days": days,
                "least_alike": least,
                "pairs": len(pairs),
                "precision": right / max(len(pairs), 1),
                "recall": right / len(wanted),
                "wanted": len(wanted),
            }
            rows.append(row)
            print(
                f"window {days:>2g} days, at least {least:.3f} alike: {len(pairs):>6,} pairs, precision "
                f"{row['precision']:.3f}, recall {row['recall']:.3f} of {len(wanted):,}",
                flush=True,
            )
    return rows


def _pairs(articles: Path, run: Path, days: float) -> Iterator[tuple[frozenset[str], float]]:
    """Pairs of articles, by the names of their files, and how alike they are."""
    from paraloom.engine.store import read_table
    from paraloom.groups.alignment_options import AlignmentOptions
    from paraloom.workflows.align.align import align
    from paraloom.workflows.align.options import AlignOptions

    wide = AlignmentOptions(window_days=days, least_alike=min(LEAST), most_alike=1.01)
    align([articles], run, replace(AlignOptions(), alignment=wide), until="groups")
    files = {row["document_id"]: row["file"] for row in read_table(run, "documents").to_pylist()}
    both: dict[str, list[str]] = {}
    likeness: dict[str, float] = {}
    for row in read_table(run, "groups").to_pylist():
        both.setdefault(row["group_id"], []).append(files[row["document_id"]])
        likeness[row["group_id"]] = row["similarity"]
    for group, names in both.items():
        yield frozenset(names), likeness[group]


def _events(articles: Path) -> dict[str, tuple[int, str]]:
    """Event and date of every article, by the name of its file."""
    found = {}
    for file in sorted(articles.glob("*.json")):
        article = json.loads(file.read_text(encoding="utf-8"))
        found[file.name] = (article["newsCluster"]["EventId"], article["date_publish"])
    return found


def _wanted(events: Mapping[str, tuple[int, str]], days: float) -> set[frozenset[str]]:
    from datetime import datetime, timedelta

    times = {name: datetime.fromisoformat(date) for name, (_, date) in events.items()}
    names = sorted(events)
    return {
        frozenset((one, other))
        for place, one in enumerate(names)
        for other in names[place + 1 :]
        if events[one][0] == events[other][0] and (not days or abs(times[one] - times[other]) <= timedelta(days=days))
    }


def speed(size: int, articles: Path, work: Path, a_day: int) -> dict[str, Any]:
    """Time and memory of aligning so many made-up articles, and how many pairs of an event were found."""
    file, run = work / f"articles-{size}.jsonl", work / "run"
    events = write_articles(file, size, real_articles(articles), a_day=a_day)
    shutil.rmtree(run, ignore_errors=True)
    command = "from paraloom.cli import main; main()"
    measured = measure(["-c", command, "align", str(file), "--out", str(run), "--until", "groups"])
    figures = _found(run, events)
    shutil.rmtree(run)
    print(
        f"{size:>9,} articles: {measured.seconds:7.1f} s, {measured.cpu_seconds:7.1f} s of CPU, "
        f"{measured.megabytes:6.0f} MB, {figures['pairs']:,} pairs, recall {figures['recall']:.3f}",
        flush=True,
    )
    return {"articles": size, "a_day": a_day, **asdict(measured), **figures}


def _found(run: Path, events: Mapping[str, int]) -> dict[str, Any]:
    from paraloom.engine.store import read_parts

    names: dict[str, str] = {}
    for part in read_parts(run, "documents", ("document_id", "native_id")):
        names |= dict(zip(*(column.to_pylist() for column in part.columns), strict=True))
    both: dict[str, list[int]] = {}
    for part in read_parts(run, "groups", ("group_id", "document_id")):
        for group, document in zip(*(column.to_pylist() for column in part.columns), strict=True):
            both.setdefault(group, []).append(events[names[document]])
    right = sum(one == other for one, other in both.values())
    wanted = sum(count * (count - 1) // 2 for count in Counter(events.values()).values())
    return {"pairs": len(both), "precision": right / max(len(both), 1), "recall": right / wanted}


if __name__ == "__main__":
    sys.exit(main())
