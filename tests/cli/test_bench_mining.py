"""`paraloom bench mining` as a person meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

WORDS = ("storm", "coast", "harbour", "mayor", "bridge", "river", "market")


@pytest.fixture
def corpora(tmp_path: Path) -> Path:
    """A folder with a made-up corpus in PIT-2015's form."""
    (tmp_path / "corpora" / "pit2015").mkdir(parents=True)
    rows = []
    for number in range(14):
        one, two, three = (WORDS[(number * step) % 7] for step in (1, 2, 3))
        votes = "(4, 1)" if number % 2 else "(0, 5)"
        rows.append(
            f"{number}\ttopic {number}\tthe {one} and {two} {number}\tsome {two} or {three} {number}\t{votes}\t\t"
        )
    (tmp_path / "corpora" / "pit2015" / "dev.data").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return tmp_path / "corpora"


def test_a_table_of_embedders_is_printed_and_kept(run, corpora: Path, tmp_path: Path) -> None:
    asked = ("--embedders", "characters@64", "./no-such-folder", "--resamples", "20", "--out", "out")
    done = run("bench", "mining", "--data", str(corpora), *asked)
    assert done.returncode == 0, done.stderr
    line = next(line for line in done.stdout.splitlines() if line.startswith("characters@64"))
    found = json.loads((tmp_path / "out" / "bench.json").read_text(encoding="utf-8"))
    system = found["systems"]["pit2015/characters@64"]
    assert f"{system['metrics']['top-1-forgiving']:.3f}" in line
    assert system["cost"]["dims"] == 64
    assert system["candidates"] == 27
    assert "turku is skipped: " in done.stdout
    assert "./no-such-folder is not here: There is no folder" in done.stdout
    assert done.stderr.splitlines()[-1] == "out/report.html"
    assert (tmp_path / "out" / "bench.md").is_file()
