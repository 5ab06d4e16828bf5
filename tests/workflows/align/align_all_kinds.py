"""A process that aligns a folder in many small tasks, tells of each in a file, and kills itself where it is told to.

python align_all_kinds.py FOLDER OUT EVENTS in-process|helpers|ray [--ray-address A]
    [--die-at MOMENT MOMENTS [--after-seconds S | --after-changes N]]

A moment is TABLE/PASS/TASKS_DONE. A run that goes on where it was does not pass them all: it dies at the first that is
not before the one that is wanted, in the order of the file MOMENTS. Or it dies later: so many seconds, or when it
changes the run folder for the Nth time. If that makes a folder, a task begins: it dies in the midst of it.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from pathlib import Path

BYTES_PER_BUCKET = 20_000
HELPED = {
    "in-process": {},
    "helpers": {"documents": ("decode",), "segments": ("suggested",)},
    "ray": {"documents": ("decode",), "groups": ("compared", "parted"), "segments": ("suggested",)},
}
"""Passes of tables that are not made by the one process alone. Each starts its workers anew, which takes a while."""


def main() -> None:
    from paraloom.documents.options import DocumentReadOptions
    from paraloom.engine import buckets, passes
    from paraloom.engine.places import PlaceOptions
    from paraloom.groups.alignment_options import AlignmentOptions
    from paraloom.labels.options import LabelOptions
    from paraloom.workflows.align.align import align
    from paraloom.workflows.align.options import AlignOptions

    asked = asked_for()
    buckets.BYTES_PER_BUCKET = BYTES_PER_BUCKET
    helped, do = HELPED[asked.where], passes.do
    named = {name for names in helped.values() for name in names}
    passes.do = lambda job, *, workers, **how: do(job, workers=workers if job.name in named else 1, **how)
    place = PlaceOptions(
        engine="ray" if asked.where == "ray" else "local",
        ray_address=asked.ray_address,
        workers=1 if asked.where == "in-process" else 2,
    )
    options = AlignOptions(
        read=DocumentReadOptions(author_salt="sample"),
        alignment=AlignmentOptions(least_alike=0.15),  # few texts: what is common among them is not so in a language
        labels=LabelOptions(identifier="ngram-regression"),  # quick: what is tested is the way, not the labels
        place=place,
    )
    deadly = moments_from(*asked.die_at) if asked.die_at else ()
    with asked.events.open("w", encoding="utf-8", buffering=1) as told:

        def tell(table: str, name: str, done: int, total: int) -> None:
            passes.SMALL_INPUT = 0 if table in helped else 1 << 30
            moment = f"{table}/{name}/{done}"
            print(moment, file=told)
            if moment in deadly:
                die(asked)

        align([asked.folder], asked.out, options, progress=tell)


def die(asked: argparse.Namespace) -> None:
    """As a power cut would have it, with all helpers; at once or a little later, in the midst of the work."""
    if asked.after_seconds:
        threading.Timer(asked.after_seconds, kill).start()
    elif asked.after_changes:
        left = iter(range(asked.after_changes - 1))

        def watch(event: str, about: tuple[object, ...]) -> None:
            is_change = event in CHANGES or (event == "open" and isinstance(about[2], int) and about[2] & WRITING)
            if is_change and str(asked.out) in str(about[0]) and next(left, None) is None:
                threading.Timer(0.002, kill).start() if event == "os.mkdir" else kill()

        sys.addaudithook(watch)
    else:
        kill()


CHANGES = ("os.rename", "os.mkdir", "os.remove", "os.rmdir")
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT


def kill() -> None:
    os.killpg(os.getpgid(0), signal.SIGKILL)


def moments_from(moment: str, in_order: str) -> list[str]:
    """The moments from this one on."""
    told = list(dict.fromkeys(Path(in_order).read_text(encoding="utf-8").splitlines()))
    return told[told.index(moment) :]


def asked_for() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser()
    for name in ("folder", "out", "events"):
        parser.add_argument(name, type=Path)
    parser.add_argument("where", choices=HELPED)
    parser.add_argument("--ray-address")
    parser.add_argument("--die-at", nargs=2)
    parser.add_argument("--after-seconds", type=float)
    parser.add_argument("--after-changes", type=int)
    return parser.parse_args()


if __name__ == "__main__":
    main()
