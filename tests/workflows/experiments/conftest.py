"""Small corpora of our own, in the published forms, for experiments: loose and strict labels on the same kind of text.

A pair is a paraphrase under the loose definition where both sides tell of the same event, and under the strict one
where they also give the same number: more shared words are needed for it, which n-grams can learn.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.forked import servers

NAMES = ("Norland", "Brightfern", "Caldera", "Umber", "Tarn", "Ashby", "Fenwick", "Marrow", "Quill", "Sorrel")
EVENTS = ("a storm hits", "rivals buy", "thousands leave", "a bridge falls in", "the court frees", "a fire burns in")


def pair(random: Random, group: int) -> tuple[str, str, int]:
    """Two texts and how much they share: 0 nothing, 1 the event, 2 the number too."""
    name, event, number = NAMES[group % len(NAMES)], EVENTS[group % len(EVENTS)], random.randrange(10, 99)
    kind = random.randrange(3)
    other = random.choice([one for one in NAMES if one != name])
    right = {
        0: f"what a day in {other} with {random.randrange(10, 99)} friends",
        1: f"{event} {name} today , {random.randrange(10, 99)} were there",
        2: f"{number} people saw how {event} {name} number {group}",
    }[kind]
    return f"{event} {name} number {group} and {number} people saw it", right, kind


UNDECIDED = 0.5
"""The kind of a PIT pair on which 2 of 5 workers said paraphrase."""


def _voted(file: str, topic: int, left: str, right: str, kind: float) -> str:
    """A line of PIT-2015, with 1, 3 or 5 votes of 5; with 2 where it is undecided."""
    yes = round(1 + 2 * kind)
    return f"{topic}\ttrend {file} {topic}\t{file} {left}\t{file} {right}\t({yes}, {5 - yes})\tx\ty\n"


def write_corpora(folder: Path, *, groups: int = 30, pairs: int = 8, seed: int = 1) -> None:
    """Twitter-URL, PIT-2015, MultiPIT expert and AP_H in one folder."""
    random = Random(seed)
    drawn = [pair(random, group) for group in range(groups) for _ in range(pairs)]
    loose, strict = drawn[: len(drawn) // 2], drawn[len(drawn) // 2 :]
    tokenised = folder / "twitter_url" / "tokenized_train"
    tokenised.mkdir(parents=True)
    (tokenised / "a.toks").write_text("".join(f"{left}\n" for left, _, _ in loose))
    (tokenised / "b.toks").write_text("".join(f"{right}\n" for _, right, _ in loose))
    (tokenised / "sim.txt").write_text("".join(f"{int(kind > 0)}\n" for _, _, kind in loose))
    (folder / "pit2015").mkdir()
    for file, rows in (("train", loose[::2]), ("dev", loose[1::2])):
        lines = [_voted(file, place // 8, *row) for place, row in enumerate(rows)]
        lines += [_voted(file, place, f"who knows {place}", f"hard to say {place}", UNDECIDED) for place in range(5)]
        (folder / "pit2015" / f"{file}.data").write_text("".join(lines))
    (folder / "multipit" / "expert").mkdir(parents=True)
    by_sentence = sorted(strict, key=lambda row: row[0])
    cut = 4 * len(by_sentence) // 5
    for file, rows in (("train", by_sentence[:cut]), ("val", by_sentence[cut:])):
        lines = [f'"{left}","{right}",{int(kind == 2)}\n' for left, right, kind in rows]
        (folder / "multipit" / "expert" / f"{file}.csv").write_text("sentence1,sentence2,label\n" + "".join(lines))
    (folder / "apt").mkdir()
    lines = [f"people {left}\tpeople {right}\t{int(kind == 2)}\n" for left, right, kind in strict]
    (folder / "apt" / "ap_h_train.tsv").write_text("text_a\ttext_b\tlabels\n" + "".join(lines))


@pytest.fixture(scope="session")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all of them."""
    folder = tmp_path_factory.mktemp("corpora")
    write_corpora(folder)
    return folder


@pytest.fixture(scope="session")
def command(child_environment: dict[str, str]) -> Callable[..., subprocess.CompletedProcess[str]]:
    """The command line, in a process of its own."""

    def run(*words: object) -> subprocess.CompletedProcess[str]:
        environment = {**child_environment, "COLUMNS": "100"}
        code = "from paraloom.cli import main; main()"
        return servers.run(code, [*map(str, words)], folder=Path.cwd(), environment=environment)

    return run
