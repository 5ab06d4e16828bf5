"""A process that mines a folder in many small tasks, and kills itself when it is told to; each attempt is a child.

python mine_small.py FOLDER OUT EMBEDDER exact|ivf in-process|helpers|killed|ray [--ray-address A]
    [--deaths N] [--changes C] [--dies-at FILE...]

It writes how often it changed the run folder (folders made, files renamed) to OUT.changes. With deaths, as many
children are killed, each when it has changed the folder C / (N + 1) times, before one ends the work. With files,
a child for each is killed with its helpers when one of these is about to give it its name (see `dying_helpers`).
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))


def main() -> None:
    import paraloom.engine.steps
    import paraloom.labels.label
    import paraloom.models.neighbours.index
    import paraloom.reports.mining
    import paraloom.workflows.mine.mine
    import paraloom.workflows.mine.written_pairs  # noqa: F401 - so that children need not import them

    asked = asked_for()
    for _ in range(asked.deaths):
        if how_it_ended(asked, asked.changes // (asked.deaths + 1)) != -signal.SIGKILL:
            sys.exit("It ended before it was killed.")
    for file in asked.dies_at:
        os.environ["DIES_AT"] = file
        if how_it_ended(asked, sys.maxsize) != -signal.SIGKILL:
            sys.exit(f"It ended before a helper was killed at {file}.")
    os.environ["DIES_AT"] = ""
    sys.exit(how_it_ended(asked, sys.maxsize))


def how_it_ended(asked: argparse.Namespace, die_at: int) -> int:
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.setsid()
    work(asked, die_at)
    os._exit(0)


def work(asked: argparse.Namespace, die_at: int) -> None:
    from paraloom.engine.places import PlaceOptions
    from paraloom.workflows.mine.mine import mine
    from tests.workflows.mine.small_runs import make_small, small_options

    changes = 0

    def watch(event: str, about: tuple[object, ...]) -> None:
        nonlocal changes
        if event in ("os.rename", "os.mkdir") and str(asked.out) in str(about[0]):
            changes += 1
            if changes == die_at:
                os.killpg(0, signal.SIGKILL)

    sys.addaudithook(watch)
    left = make_small(asked.where)
    place = PlaceOptions(
        engine="ray" if asked.where == "ray" else "local",
        ray_address=asked.ray_address,
        workers=1 if asked.where == "in-process" else 2,
    )
    mine([asked.folder], asked.out, small_options(asked.embedder, asked.index, place))
    assert not left or asked.dies_at, f"Nobody helped with {left}."
    asked.out.with_suffix(".changes").write_text(str(changes))


def asked_for() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser()
    for name in ("folder", "out"):
        parser.add_argument(name, type=Path)
    parser.add_argument("embedder")
    parser.add_argument("index", choices=("exact", "ivf"))
    parser.add_argument("where", choices=("in-process", "helpers", "killed", "ray"))
    parser.add_argument("--ray-address")
    parser.add_argument("--deaths", type=int, default=0)
    parser.add_argument("--changes", type=int, default=0)
    parser.add_argument("--dies-at", nargs="*", default=[])
    return parser.parse_args()


if __name__ == "__main__":
    main()
