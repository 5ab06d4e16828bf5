"""Sentences written here, each said in a few ways, and an embedder that takes no time."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from tests.workflows.mine.small_runs import FEW_QUERIES, SMALL, random_vectors

NAMES = ("Ada", "Bruno", "Clara", "Dimitri", "Eleni", "Farid", "Gustav", "Hanna", "Ines", "Jonas")
PLACES = ("harbour", "station", "old mill", "market", "chapel", "bakery", "town hall", "library")
WAYS = (
    "{name} walked to the {place} on {day}.",
    "On {day} {name} walked over to the {place}.",
    "{name} went on foot to the {place} this {day}.",
    "{name} never saw the {place} again after {day}!",
    "Who told {name} that the {place} is closed on {day}?",
)
DAYS = ("Monday", "Friday")
TOLD = [way.format(name=name, place=place, day=day) for name, place, day, way in product(NAMES, PLACES, DAYS, WAYS)]
"""Eight hundred sentences, five for each name, place and day."""


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (SMALL | FEW_QUERIES).items():
        monkeypatch.setattr(name, value)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sentences in four files, with copies, blank lines, other scripts, a very long line and a cut-off shard."""
    folder = tmp_path_factory.mktemp("sentences")
    for number in range(3):
        lines = [*TOLD[number::4], TOLD[0].upper(), "", "  ", "2024-05-05 !!"]
        (folder / f"{number}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    more = [*TOLD[3::4], "Буря обрушилась на берег", "暴风雨袭击了海岸", "x" * 1_000_000]
    packed = gzip.compress(("\n".join(more) + "\n" + "a line at the end of the shard\n" * 9000).encode())
    (folder / "3.txt.gz").write_bytes(packed[:-16])
    return folder


@pytest.fixture(scope="session")
def embedder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of a static embedder with vectors drawn by lot: texts that share words are alike."""
    folder = tmp_path_factory.mktemp("embedders") / "drawn"
    random_vectors(folder)
    return str(folder)


TIMED = ("seconds.json", "summary.json", "report.html", "index.choice.json")
"""Files that tell how long it took, or how fast the machine is."""


@pytest.fixture(scope="session")
def timeless(digests: Callable[[Path], dict[str, str]]) -> Callable[[Path], dict[str, str]]:
    """The digests of a run's files, but for those that tell of time."""

    def of(run: Path) -> dict[str, str]:
        return {name: digest for name, digest in digests(run).items() if name not in TIMED}

    return of
