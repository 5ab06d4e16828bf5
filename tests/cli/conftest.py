"""The command line as a person meets it: another process, with its own folder and settings."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.forked import child_environment, servers

Run = Callable[..., "subprocess.CompletedProcess[str]"]

EVENTS = {
    "storm": (
        "Violent storm hits the coast of Norland, three missing",
        "Three people are missing after a violent storm in Norland",
        "A storm in Norland: three people missing on the coast",
        "The coast of Norland was hit by a storm and three are missing",
        "Three missing on the coast as a violent storm hits Norland",
    ),
    "merger": (
        "Brightfern buys its rival Caldera for three billion",
        "Caldera is bought by rival Brightfern for three billion",
        "For three billion Brightfern buys rival Caldera",
        "Rival Caldera goes to Brightfern, three billion is the price",
        "Brightfern pays three billion and buys its rival Caldera",
    ),
}


def posts() -> str:
    """Ten posts about two articles, as JSON lines."""
    return "".join(
        f'{{"text": "{text}", "id": "{event}{number}", "author": "user{number}", "language": "en", '
        f'"created_at": "2020-10-{number + 1:02d}", "url": "https://news.example/{event}"}}\n'
        for event, texts in EVENTS.items()
        for number, text in enumerate(texts)
    )


def paraloom(folder: Path, *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command line in a folder of its own."""
    settings = {
        "XDG_CONFIG_HOME": str(folder / "settings"),
        "PARALOOM_AUTHOR_SALT": "grain",
        "COLUMNS": "100",
    }
    return servers.run(
        "from paraloom.cli import main; main()",
        words,
        folder=folder,
        environment={**child_environment(), **settings},
        stdin=stdin,
    )


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """The command line, in the test's folder."""
    return lambda *words, stdin="": paraloom(tmp_path, *words, stdin=stdin)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """A folder with a file of posts, settings, and the run that was built from them."""
    folder = tmp_path_factory.mktemp("built")
    (folder / "posts.jsonl").write_text(posts(), encoding="utf-8")
    (folder / "paraloom.toml").write_text(
        '[build]\nmin-posts = 3\nmax_posts = 7\nkeep-spam = true\nlanguages = ["en", "es"]\n', encoding="utf-8"
    )
    done = paraloom(
        folder, "build", "posts.jsonl", "--out", "run", "--max-posts", "9", "--no-keep-spam", "--no-hashtags"
    )
    return folder, done


@pytest.fixture
def explain(built: tuple[Path, subprocess.CompletedProcess[str]]) -> Run:
    """`paraloom explain` on the run that was built."""
    return lambda *words: paraloom(built[0], "explain", *words, "--run", "run")
