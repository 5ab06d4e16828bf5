"""A run of generated pairs: sentences and pairs are tables like all others, refused candidates among them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from paraloom.errors import InputError, TargetTaken
from paraloom.models.generators import Candidate
from paraloom.models.generators.loading_options import GeneratorOptions
from paraloom.models.generators.ranking import Output
from paraloom.pairs.generate import Generated, Refused
from paraloom.pairs.generate_options import GenerateOptions
from paraloom.pairs.generated_pairs import PairGenerator, merge_generated, pairs_of
from paraloom.tables import Pair, check, make_id
from paraloom.workflows.generate.generate_file import generate_texts
from paraloom.workflows.generate.generate_run import generate_run
from paraloom.workflows.generate.options import GenerateFileOptions, SourceFileOptions

SOURCES = [
    "The storm hit the coast of Norland on Monday and left 3 people dead.",
    "Brightfern buys its rival Caldera for three billion",
    "the trams of the old town will stand still on friday",
]


def options(n: int = 3, **file: Any) -> GenerateFileOptions:
    return GenerateFileOptions(
        generator=GeneratorOptions(generator="parrot"),
        wanted=GenerateOptions(n=n),
        file=SourceFileOptions(**file),
    )


def test_a_run_holds_the_outputs_and_what_was_refused(tmp_path: Path) -> None:
    (tmp_path / "s.tsv").write_text("said\n" + "\n".join([*SOURCES, "", SOURCES[0]]), encoding="utf-8")
    run = tmp_path / "run"
    done = generate_run([tmp_path / "s.tsv"], run, options(column="said"))
    pairs = check(pq.read_table(run / "pairs"), Pair).to_pylist()
    kept = sorted((row for row in pairs if row["dropped_for"] is None), key=lambda row: (row["left"], row["rank"]))
    found = generate_texts(sorted(SOURCES), options())
    assert [(row["left"], row["right"]) for row in kept] == [
        (one.source, output.text) for one in found for output in one.outputs
    ]
    assert {row["proposed_by"] for row in pairs} == {"generate:parrot"}
    assert (done.sentences, done.pairs) == (3, len(kept))
    assert done.refused["missing_name"] == sum(row["dropped_for"] == "missing_name" for row in pairs) > 0
    assert not {"copy", "empty", "duplicate"} & set(done.refused)
    assert f"{len(kept)} pairs" in done.as_text()
    before = {file: file.stat().st_mtime_ns for file in (run / "pairs").iterdir()}
    generate_run([tmp_path / "s.tsv"], run, options(column="said"))
    assert {file: file.stat().st_mtime_ns for file in (run / "pairs").iterdir()} == before
    with pytest.raises(TargetTaken, match="made another way"):
        generate_run([tmp_path / "s.tsv"], run, options(n=2, column="said"))


def test_what_is_no_sentence_to_generate_from_is_told_with_its_reason(tmp_path: Path) -> None:
    rows = ['{"text": "The old man sat in the hall."}', "{broken", f'{{"text": "{"word " * 2000}"}}']
    (tmp_path / "s.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")
    done = generate_run([tmp_path / "s.jsonl"], tmp_path / "run", options())
    assert (done.sentences, done.left_out) == (1, {"bad_row: not JSON": 1, "too_long": 1})
    assert "1 sentence, 1 left out for " in done.as_text()
    assert done.as_json()["left_out_for"] == done.left_out


def test_a_format_that_has_an_ending_is_known_by_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--format parquet is known by its ending"):
        generate_run([tmp_path / "s"], tmp_path / "run", options(format="parquet"))
    assert not (tmp_path / "run").exists()


def test_copies_and_repetitions_are_no_pairs() -> None:
    generated = Generated(
        source="a storm hit the coast",
        outputs=(Output(text="a gale hit the coast", score=1.0),),
        refused=(
            Refused(text="A storm hit the coast!", reason="copy"),
            Refused(text="a gale hit the  coast", reason="too_similar"),
            Refused(text="a storm", reason="too_short"),
        ),
    )
    found = list(pairs_of("1" * 32, generated, "generate:parrot"))
    assert [(pair.right, pair.rank, pair.dropped_for) for pair in found] == [
        ("a gale hit the coast", 1, None),
        ("a storm", 0, "too_short"),
    ]


SWAPPED = {"a storm hit us": "we were hit by a storm", "we were hit by a storm": "a storm hit us"}


class Swapping:
    """Says of each of two sentences the other one."""

    name = "swapping"

    def write(self, sources: list[str]) -> list[Generated]:
        candidates = [Candidate(text=SWAPPED[source], score=1.0) for source in sources]
        return [
            Generated(source=source, outputs=(Output(text=each.text, score=each.score),))
            for source, each in zip(sources, candidates, strict=True)
        ]


def test_sentences_that_became_each_other_are_one_pair() -> None:
    texts = list(SWAPPED)
    table = pa.table({"sentence_id": [make_id("text", text) for text in texts], "text": texts})
    one, other = PairGenerator(Swapping)(table).to_pylist()
    assert one["pair_id"] == other["pair_id"]
    assert merge_generated([one, other]) == merge_generated([other, one])
    refused = {**one, "dropped_for": "too_short"}
    assert merge_generated([refused, other]) == other


def test_sentences_that_are_in_no_pair_are_counted(tmp_path: Path) -> None:
    german = "Die Regierung will im nächsten Jahr vierhundert neue Schulen in allen Städten des Landes bauen."
    (tmp_path / "s.txt").write_text("\n".join([*SOURCES, german, "word " * 500]), encoding="utf-8")
    asked = GenerateFileOptions(
        generator=GeneratorOptions(generator="parrot"), wanted=GenerateOptions(languages=("en",), max_words=100)
    )
    done = generate_run([tmp_path / "s.txt"], tmp_path / "run", asked)
    assert (done.sentences, done.without_pairs) == (5, 2)
    assert done.as_json()["without_pairs"] == 2
    assert "2 of the sentences in none" in done.as_text()


@pytest.mark.parametrize(
    ("wrong", "flag"),
    [
        (options(batch=8), "--batch"),
        (options(details=True), "--details"),
        (options(overwrite=True), "--overwrite"),
        (GenerateFileOptions(wanted=GenerateOptions(when_too_few="fill")), "--when-too-few"),
    ],
)
def test_what_a_run_cannot_do_is_refused_and_nothing_is_made(wrong, flag: str, tmp_path: Path) -> None:
    (tmp_path / "s.txt").write_text(SOURCES[0], encoding="utf-8")
    with pytest.raises(InputError, match=f"Leave.* {flag}|{flag}.* Leave it out"):
        generate_run([tmp_path / "s.txt"], tmp_path / "run", wrong)
    assert not (tmp_path / "run").exists()
