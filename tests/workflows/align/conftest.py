"""Documents of every kind, written here: two versions of films, articles of two papers, threads, translations."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import pytest

from tests.forked import ForkedProcess, ForkServer
from tests.workflows.align.all_kinds import write_all_kinds

NAMES = ("Ada", "Bruno", "Clara", "Dimitri", "Eleni", "Farid", "Gustav", "Hanna")
PLACES = ("harbour", "station", "mill", "market", "chapel", "bakery")

LINES = (
    ("{name}, where were you last night?", "Tell me where you spent the night, {name}."),
    ("I was at the {place} until two.", "Till two o'clock I stayed at the {place}."),
    ("Nobody saw you there.", "There is no one who could say so."),
    ("Then nobody looked.", "That's because they didn't look."),
    ("The money is gone, all {number} of it.", "All {number} crowns have vanished."),
    ("You think that I took it?", "Do you believe it was me?"),
    ("I think you know who did.", "You know the thief, I'm sure."),
    ("Ask {name} about the {place}.", "You should talk to {name}; it's about the {place}."),
    ("He will not talk to me any more.", "He doesn't speak to me these days."),
    ("Give him time.\nHe is afraid.", "He's frightened. Be patient."),
    ("We have until {number} to find it.", "By {number} it must be found."),
    ("Let's go before it rains.", "We had better leave, rain is coming."),
)


def captions(version: int, salt: int) -> Iterator[str]:
    """Ninety-six captions; each version words them its own way."""
    for round, (place, line) in enumerate(product(range(8), LINES)):
        name = NAMES[(round * 5 + salt) % len(NAMES)]
        where = PLACES[(round * 7 + salt + place) % len(PLACES)]
        yield line[version].format(name=name, place=where, number=1000 + 37 * round + salt)


def written_time(seconds: float) -> str:
    whole = round(seconds * 1000)
    return f"{whole // 3_600_000:02}:{whole // 60_000 % 60:02}:{whole // 1000 % 60:02},{whole % 1000:03}"


def subtitles(version: int, salt: int, *, offset: float, rate: float = 1.0) -> str:
    """A film of twenty-four minutes, a caption every fifteen seconds or so."""
    blocks = []
    for number, said in enumerate(captions(version, salt)):
        begins = (number * 15 + (number * 7) % 6) * rate + offset
        times = f"{written_time(begins)} --> {written_time(begins + 3.2 * rate)}"
        blocks.append(f"{number + 1}\n{times}\n{said}\n")
    return "\n".join(blocks)


STORM = (
    "Storm Ada reached the western coast on Friday night. Thousands of homes lost power, and three bridges were shut. "
    "The prime minister, Lena Holm, promised help to the fishing villages that were hit hardest. Trains will not run "
    "before Monday."
)
STORM_TOLD_AGAIN = (
    "Three bridges closed and thousands of homes were without power after storm Ada hit the west coast late on Friday. "
    "No trains are expected before Monday. Help is on its way to the fishing villages, prime minister Lena Holm said."
)
CUP = (
    "Riverside won the cup for the first time in forty years. Captain Jo Brandt scored twice in the second half, and "
    "the goalkeeper saved a penalty in the last minute of the final."
)
CUP_TOLD_AGAIN = (
    "For the first time in forty years the cup goes to Riverside. Two goals of captain Jo Brandt after the break "
    "decided the final, and a penalty was saved in the last minute."
)
ARTICLES = (
    ("Storm Ada leaves thousands in the dark", STORM, "2024-03-02T08:00:00Z", "herald"),
    ("West coast: three bridges shut after storm", STORM_TOLD_AGAIN, "2024-03-03T10:00:00Z", "courier"),
    ("Riverside wins the cup", CUP, "2024-03-03T21:00:00Z", "herald"),
    ("After forty years: a cup for Riverside", CUP_TOLD_AGAIN, "2024-03-04T06:00:00Z", "courier"),
    ("Storm Ada, one year on", STORM_TOLD_AGAIN.replace("Friday", "that Friday"), "2025-03-02T08:00:00Z", "courier"),
    ("An article that nobody dated", CUP, None, "herald"),
)
THREADS = (
    (
        "Cat will not eat",
        "pets",
        "My cat has not eaten for two days. She drinks a little and sleeps. What is it?",
    ),
    ("Cat will not eat", "pets", "For two days now my cat eats nothing, she only sleeps and drinks a bit. Any idea?"),
    ("Cat will not eat", "cooking", "My cat has not eaten for two days. She drinks a little. What is it?"),
)
ORIGINAL = (
    "The company was founded in 1911 by two brothers. In its first year it made forty bicycles. Today it employs nine "
    "hundred people.",
    "Two brothers founded the firm in 1911. It built forty bicycles in the first year. Nowadays nine hundred people "
    "work there.",
    "It was in 1911 that two brothers set up the business. The first year saw forty bicycles made. Nine hundred people "
    "have work there today.",
)


@pytest.fixture(scope="session")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a file, or several, of every kind."""
    folder = tmp_path_factory.mktemp("sources")
    for salt, film in enumerate(("The Harbour", "The Mill")):
        (folder / film).mkdir()
        (folder / film / "first.srt").write_bytes(subtitles(0, salt, offset=0).encode("utf-8-sig"))
        second = subtitles(1, salt, offset=41.5, rate=25 / 23.976)
        (folder / film / "second.srt").write_bytes(second.replace("\n", "\r\n").encode("cp1252"))
    articles = [
        {"title": title, "text": text, "created_at": date, "source": source, "kind": "article"}
        for title, text, date, source in ARTICLES
    ]
    threads = [{"title": title, "forum": forum, "text": text} for title, forum, text in THREADS]
    for name, rows in (("articles", articles), ("threads", threads)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (folder / "bicycles").mkdir()
    for number, text in enumerate(ORIGINAL):
        (folder / "bicycles" / f"student-{number}.txt").write_text(text, encoding="utf-8")
    return folder


@dataclass(frozen=True, slots=True)
class Alignment:
    """A folder of documents of every kind, and how processes align it."""

    folder: Path
    environment: dict[str, str]
    forks: ForkServer | None
    """What processes are forked from; none: each begins with nothing in memory."""

    def start(self, out: Path, where: str, *words: str) -> subprocess.Popen[bytes] | ForkedProcess:
        """A process that aligns the folder: `in-process`, with `helpers` or on `ray`. It tells in `OUT.events`."""
        child = Path(__file__).with_name("align_all_kinds.py")
        given = [str(self.folder), str(out), str(out.with_suffix(".events")), where, *words]
        if self.forks is not None:
            return self.forks.start_script(child, given, own_session=True)
        return subprocess.Popen([sys.executable, str(child), *given], env=self.environment, start_new_session=True)


@pytest.fixture(scope="session")
def all_kinds(
    tmp_path_factory: pytest.TempPathFactory, child_environment: dict[str, str], engine_forks: ForkServer
) -> Alignment:
    folder = tmp_path_factory.mktemp("all-kinds") / "kinds"
    folder.mkdir()
    write_all_kinds(folder)
    return Alignment(folder, child_environment, engine_forks)


@pytest.fixture(scope="session")
def aligned(all_kinds: Alignment, made_once: Callable[[str, Callable[[Path], None]], Path]) -> Path:
    """That folder aligned in one go in this machine's one process, in many buckets."""

    def align(folder: Path) -> None:
        assert replace(all_kinds, forks=None).start(folder / "run", "in-process").wait() == 0

    return made_once("aligned", align) / "run"
