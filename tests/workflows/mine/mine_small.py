"""A process that mines a folder in many small tasks, and kills itself when it is told to; each attempt is a child.

python mine_small.py FOLDER OUT EMBEDDER exact|ivf in-process|helpers|killed|ray [--ray-address A]
    [--deaths N] [--changes C] [--dies-at FILE...] [--dies-on EVENT:FILE...] [--in-stages]

It writes how often it changed the run folder (folders made, files renamed) to OUT.changes. With deaths, as many
children are killed, each when it has changed the folder C / (N + 1) times, before one ends the work. With files,
a child for each is killed with its helpers when one of these is about to give it its name (see `dying_helpers`). With
events, a child for each is killed when it is about to do that (`os.rename`, `os.rmdir`, `shutil.rmtree` …) with such a
file. In stages, a search begins with one list, and goes on until nearly everything is found.
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
    for event in asked.dies_on:
        if how_it_ended(asked, sys.maxsize, event) != -signal.SIGKILL:
            sys.exit(f"It ended before it was killed on {event}.")
    sys.exit(how_it_ended(asked, sys.maxsize))


def how_it_ended(asked: argparse.Namespace, die_at: int, die_on: str = ":") -> int:
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.setsid()
    work(asked, die_at, die_on)
    os._exit(0)


def work(asked: argparse.Namespace, die_at: int, die_on: str) -> None:
    from paraloom.engine.places import PlaceOptions
    from paraloom.workflows.mine.mine import mine
    from tests.workflows.mine.small_runs import make_small, small_options

    changes = 0
    deadly, _, ending = die_on.partition(":")

    def watch(event: str, about: tuple[object, ...]) -> None:
        nonlocal changes
        if event == deadly and str(about[1 if event == "os.rename" else 0]).endswith(ending):
            os.killpg(0, signal.SIGKILL)
        if event in ("os.rename", "os.mkdir") and str(asked.out) in str(about[0]):
            changes += 1
            if changes == die_at:
                os.killpg(0, signal.SIGKILL)

    sys.addaudithook(watch)
    left = make_small(asked.where)
    search = {}
    if asked.in_stages:
        from paraloom.workflows.mine import index_step
        from paraloom.workflows.mine.options import SearchOptions

        index_step.LINKS_FIND = sys.maxsize
        search = {"search": SearchOptions(index="ivf", neighbours=5, recall=0.9999)}
    place = PlaceOptions(
        engine="ray" if asked.where == "ray" else "local",
        ray_address=asked.ray_address,
        workers=1 if asked.where == "in-process" else 2,
    )
    mine([asked.folder], asked.out, small_options(asked.embedder, asked.index, place, **search))
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
    parser.add_argument("--dies-on", nargs="*", default=[])
    parser.add_argument("--in-stages", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
