"""A process that builds the sample's corpus in many small tasks and tells of each in a file, so that it can be killed.

python build_sample.py FOLDER_OF_POSTS OUT EVENTS in-process|helpers|ray [RAY_ADDRESS]
"""

from __future__ import annotations

import sys
from pathlib import Path

LARGEST_INPUT_DONE_HERE = {"in-process": 1 << 30, "helpers": 360_000, "ray": 100_000}
"""Bytes. Each pass starts its workers anew: actors get every pass that calls a stage, helpers the five largest."""


def main() -> None:
    from paraloom import sample
    from paraloom.documents.options import ReadOptions
    from paraloom.engine import buckets, passes
    from paraloom.engine.places import PlaceOptions
    from paraloom.groups.options import GroupOptions
    from paraloom.labels.options import LabelOptions
    from paraloom.workflows.build import BuildOptions, build

    posts, out, events, where, *address = sys.argv[1:]
    buckets.BYTES_PER_BUCKET = 150_000
    passes.SMALL_INPUT = LARGEST_INPUT_DONE_HERE[where]
    place = PlaceOptions(
        engine="ray" if where == "ray" else "local",
        ray_address=address[0] if address else None,
        workers=1 if where == "in-process" else 2,
    )
    options = BuildOptions(
        read=ReadOptions(author_salt="sample"),
        groups=GroupOptions(by=("url", "trend"), accounts=sample.accounts(), topics=sample.topics(), min_posts=3),
        labels=LabelOptions(identifier="ngram-regression"),  # quick: what is tested is the way, not the labels
        place=place,
    )
    with open(events, "w", encoding="utf-8", buffering=1) as told:
        build([posts], Path(out), options, progress=lambda *event: print(*event, sep="\t", file=told))


if __name__ == "__main__":
    main()
