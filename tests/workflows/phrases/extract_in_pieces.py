"""A process that extracts phrases from some aligned pairs in many small tasks, and is killed when it is told to.

python extract_in_pieces.py OUT in-process|helpers|ray [--ray-address A] [--dies-at EVENT:FILE …]

With events, a child for each is killed when it is about to do that (`os.rename`) with such a file, before one ends it.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

NAMES = ("ada", "bruno", "clara", "dimitri", "eleni", "farid")
THINGS = (("storm", "gale"), ("flood", "high water"), ("fire", "blaze"), ("bad news", "sad news"), ("add-on", "extra"))
VERBS = (("hit", "struck"), ("met", "came upon"), ("saw", "spotted"), ("forgot", "did not remember"))


def pairs() -> Iterator[tuple[str, str, str]]:
    """Left, right and alignment of texts that are written here."""
    for name in NAMES:
        for thing, other in THINGS:
            for verb, another in VERBS:
                left, right = f"the {thing} {verb} {name} 🙂", f"a {other} {another} {name.upper()} today"
                links, place = [(0, 0)], [1, 1]
                for one, two in ((thing, other), (verb, another), (name, name)):
                    lefts, rights = len(one.split()), len(two.split())
                    links += [(place[0] + i, place[1] + j) for i in range(lefts) for j in range(rights)]
                    place = [place[0] + lefts, place[1] + rights]
                yield left, right, " ".join(f"{i}-{j}" for i, j in links)


def main() -> None:
    asked = asked_for()
    for event in asked.dies_at:
        if how_it_ended(asked, event) != -signal.SIGKILL:
            sys.exit(f"It ended before it was killed at {event}.")
    sys.exit(how_it_ended(asked, ""))


def how_it_ended(asked: argparse.Namespace, die_at: str) -> int:
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.setsid()
    work(asked, die_at)
    os._exit(0)


def work(asked: argparse.Namespace, die_at: str) -> None:
    from paraloom.engine import buckets, passes
    from paraloom.engine.places import PlaceOptions
    from paraloom.models.aligners import read_links
    from paraloom.workflows.phrases.extract import extract_phrases
    from paraloom.workflows.phrases.extract_input import AlignedPair

    buckets.BYTES_PER_BUCKET = 16 << 10
    if asked.where != "in-process":
        passes.SMALL_INPUT = 0
    deadly, _, ending = die_at.partition(":")

    def watch(event: str, about: tuple[object, ...]) -> None:
        if event == deadly and str(about[1]).endswith(ending):
            os.killpg(0, signal.SIGKILL)

    sys.addaudithook(watch)
    given = [
        AlignedPair(left.split(), right.split(), read_links(links), group_id=f"g{number % 7}")
        for number, (left, right, links) in enumerate(pairs())
    ]
    place = PlaceOptions(
        engine="ray" if asked.where == "ray" else "local",
        ray_address=asked.ray_address,
        workers=1 if asked.where == "in-process" else 2,
    )
    extract_phrases(given, asked.out, place=place)


def asked_for() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("where", choices=("in-process", "helpers", "ray"))
    parser.add_argument("--ray-address")
    parser.add_argument("--dies-at", nargs="*", default=[])
    return parser.parse_args()


if __name__ == "__main__":
    main()
