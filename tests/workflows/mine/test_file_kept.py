"""File and counts of a finished run are left alone while they would be the same, and made anew when they would not."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from paraloom.reports import mining_counted
from paraloom.workflows.mine.mine import mine
from paraloom.workflows.mine.options import JudgeOptions
from paraloom.workflows.mine.publish import Mined
from tests.workflows.mine.conftest import TOLD
from tests.workflows.mine.small_runs import SMALL, small_options

pytestmark = pytest.mark.usefixtures("small")


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("text") / "told.txt"
    file.write_text("\n".join(TOLD[:200]) + "\n")
    return file


@pytest.fixture(scope="module")
def made(text: Path, embedder: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in SMALL.items():
            patch.setattr(name, value)
        mine([text], folder / "found.tsv", judging(embedder))
    return folder


@pytest.fixture
def found(made: Path, tmp_path: Path) -> Path:
    """The file of pairs of a finished run."""
    return Path(shutil.copytree(made, tmp_path / "made")) / "found.tsv"


def judging(embedder: str, **changed: Any) -> Any:
    return small_options(
        embedder, judge=JudgeOptions(**({"identifier": "ngram-regression", "threshold": 0.985} | changed))
    )


def again(text: Path, found: Path, options: Any) -> tuple[Mined, set[str]]:
    """What the same command gives, and the tables that it has worked on."""
    heard: set[str] = set()
    mined = mine([text], found, options, progress=lambda table, name, done, total: heard.add(f"{table}/{name}"))
    return mined, {each.partition("/")[0] for each in heard if not each.endswith("looked for")}


def stamps(found: Path) -> list[tuple[int, int]]:
    files = (found, found.with_name("found.tsv.run") / mining_counted.COUNTS)
    return [(file.stat().st_ino, file.stat().st_mtime_ns) for file in files]


def test_what_would_be_the_same_is_not_written_again(text: Path, found: Path, embedder: str) -> None:
    before, summary = stamps(found), (found.with_name("found.tsv.run") / "summary.json").read_text()
    mined, worked_on = again(text, found, judging(embedder))
    assert worked_on == {"report"}
    assert stamps(found) == before
    assert mined.summary.read_text() == summary
    assert mined.report.is_file()
    assert any("judged to be paraphrases" in line for line in mined.told)


OTHERWISE: list[dict[str, Any]] = [{"keep_negatives": True}, {"threshold": 0.99}, {"identify": False}]


@pytest.mark.parametrize("changed", OTHERWISE, ids=str)
def test_what_would_be_another_one_is_written_anew(
    text: Path, found: Path, embedder: str, changed: dict[str, Any]
) -> None:
    before = found.read_bytes()
    _, worked_on = again(text, found, judging(embedder, **changed))
    assert "file" in worked_on
    assert found.read_bytes() != before
    assert again(text, found, judging(embedder, **changed))[1] == {"report"}
    again(text, found, judging(embedder))
    assert found.read_bytes() == before


def test_a_file_that_was_deleted_is_written_again(text: Path, found: Path, embedder: str) -> None:
    before = found.read_bytes()
    found.unlink()
    assert again(text, found, judging(embedder))[1] == {"file", "report"}
    assert found.read_bytes() == before


def test_what_was_counted_by_another_version_is_counted_anew(text: Path, found: Path, embedder: str) -> None:
    counts = found.with_name("found.tsv.run") / mining_counted.COUNTS
    before = counts.read_text("utf-8")
    told = json.loads(before)
    told["made_from"]["source"] = "another"
    told["counted"] = {"shares": 17}
    counts.write_text(json.dumps(told), "utf-8")
    mined, _ = again(text, found, judging(embedder))
    assert counts.read_text("utf-8") == before
    assert (
        json.loads(mined.summary.read_text("utf-8"))["pairs"]["kept"] == json.loads(before)["counted"]["pairs"]["kept"]
    )
