"""Parallel corpora become pairs, row by row, and a translation that was done once is not done again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from paraloom.errors import InputError, TargetTaken
from paraloom.models.generators import Candidate
from paraloom.workflows.corpus.translate import translate_parallel
from paraloom.workflows.corpus.translate_options import ParallelOptions

FRENCH = {
    "la tempête a frappé la côte lundi matin": "the gale struck the shore on monday morning",
    "le maire a ouvert la nouvelle école hier": "the mayor opened the new school yesterday",
}


class Dictionary:
    """A translator that knows whole sentences, and stops where it is told to."""

    name = "dictionary"
    signature = "dictionary|entries:2"

    def __init__(self, stop_after: int | None = None) -> None:
        self.asked: list[str] = []
        self.stop_after = stop_after

    def generate(self, sources: Sequence[str], n: int, rng: np.random.Generator) -> list[list[Candidate]]:
        if self.stop_after is not None and len(self.asked) >= self.stop_after:
            raise KeyboardInterrupt
        self.asked += sources
        return [[Candidate(text=FRENCH[source], score=-0.5)] if source in FRENCH else [] for source in sources]


def _corpus(folder: Path, rows: int = 1) -> Path:
    file = folder / "corpus.tsv"
    lines = [
        "the storm hit the coast early on monday\tla tempête a frappé la côte lundi matin",
        "the mayor opened the new school yesterday\tle maire a ouvert la nouvelle école hier",
        "too short\ttrop court",
        "one column alone",
        "nobody has ever translated this sentence here\tpersonne ne l'a jamais traduite",
    ]
    file.write_text("\n".join(lines * rows) + "\n", encoding="utf-8")
    return file


def test_every_row_is_written_with_its_reason(tmp_path: Path) -> None:
    made = translate_parallel(_corpus(tmp_path), tmp_path / "pairs.jsonl", translator=Dictionary())
    rows = [json.loads(line) for line in (tmp_path / "pairs.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["dropped_for"] for row in rows] == [
        None,
        "copy",
        "too_short",
        "bad_row: too few columns",
        "not_translated",
    ]
    assert (rows[0]["left"], rows[0]["right"]) == (
        "the storm hit the coast early on monday",
        "the gale struck the shore on monday morning",
    )
    assert (made.rows, made.kept, made.dropped_for["copy"]) == (5, 1, 1)
    assert not list(tmp_path.glob(".*unfinished*"))


def test_lines_of_two_files_belong_together(tmp_path: Path) -> None:
    (tmp_path / "en").write_text("the storm hit the coast early on monday\n", encoding="utf-8")
    (tmp_path / "fr").write_text("la tempête a frappé la côte lundi matin\n", encoding="utf-8")
    options = ParallelOptions(foreign=tmp_path / "fr")
    assert translate_parallel(tmp_path / "en", tmp_path / "p.tsv", options, translator=Dictionary()).kept == 1
    (tmp_path / "fr").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="do not belong together"):
        translate_parallel(tmp_path / "en", tmp_path / "q.tsv", options, translator=Dictionary())
    assert not (tmp_path / "q.tsv").exists()


def test_a_file_that_was_made_while_the_first_file_was_read_is_not_replaced(tmp_path: Path) -> None:
    out = tmp_path / "pairs.tsv"

    class Slow(Dictionary):
        @property
        def signature(self) -> str:  # type: ignore[override]
            """Asked for once the target has been looked at: here as long as loading takes."""
            out.write_text("somebody else's\n", encoding="utf-8")
            return Dictionary.signature

    with pytest.raises(TargetTaken, match="--overwrite"):
        translate_parallel(_corpus(tmp_path), out, translator=Slow())
    assert out.read_text(encoding="utf-8") == "somebody else's\n"
    assert not list(tmp_path.glob(".*unfinished*"))


def test_what_was_translated_before_a_stop_is_not_translated_again(tmp_path: Path) -> None:
    corpus = _corpus(tmp_path, rows=60)
    whole = Dictionary()
    translate_parallel(corpus, tmp_path / "whole.tsv", translator=whole)
    with pytest.raises(KeyboardInterrupt):
        translate_parallel(corpus, tmp_path / "pairs.tsv", translator=Dictionary(stop_after=1))
    assert not (tmp_path / "pairs.tsv").exists()
    rest = Dictionary()
    translate_parallel(corpus, tmp_path / "pairs.tsv", translator=rest)
    assert (tmp_path / "pairs.tsv").read_bytes() == (tmp_path / "whole.tsv").read_bytes()
    assert len(rest.asked) < len(whole.asked)


def test_a_file_that_is_there_is_kept(tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text("mine", encoding="utf-8")
    with pytest.raises(TargetTaken):
        translate_parallel(_corpus(tmp_path), tmp_path / "pairs.tsv", translator=Dictionary())
    with pytest.raises(InputError, match="from 1 on"):
        translate_parallel(
            _corpus(tmp_path), tmp_path / "p.tsv", ParallelOptions(parallel_columns=(0, 1)), translator=Dictionary()
        )
