"""`paraloom evaluate types` as a person meets it: another process, files of their own."""

from __future__ import annotations

import json
from pathlib import Path

PAIRS = "left\tright\nThe storm hit the coast.\tthe storm hit the coast\nIt rained on Monday.\tOn Monday it rained.\n"


def test_json_is_one_object_and_tables_are_for_people(run, tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text(PAIRS, encoding="utf-8")
    done = run("evaluate", "types", "pairs.tsv", "--no-meaning", "--no-wordnet", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["metrics"]["copy"], told["metrics"]["structure"], told["outputs"]) == (0.5, 0.5, 2)
    shown = run("evaluate", "types", "pairs.tsv", "--no-meaning", "--no-wordnet")
    assert "2 outputs: 0.50 good types an output, 50.0% of a poor type, 0 of none." in shown.stdout


def test_files_and_a_check_are_not_asked_for_together(run, tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text(PAIRS, encoding="utf-8")
    done = run("evaluate", "types", "pairs.tsv", "--check", ".")
    assert done.returncode == 1
    assert "not both" in done.stderr
