"""Drawing candidates from runs and files, and what people are then asked."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from paraloom.cli import app
from paraloom.engine.given import read_rows
from paraloom.errors import InputError, TargetTaken
from paraloom.metrics.likeness.character_cosine import character_cosines
from paraloom.pairs.mined_texts import ABOVE_BAND, BELOW_BAND
from paraloom.pairs.region_options import SampleOptions
from paraloom.tables import make_id, pair_id_of
from paraloom.workflows.mine.sample import sample_candidates
from tests.corpus.run_tables import write

WORDS = ("storm", "coast", "harbour", "river", "bridge", "market", "mayor", "match", "train", "school")


def texts(number: int) -> tuple[str, str]:
    """Two texts that share the more words the higher the number's last digit is."""
    shared = [WORDS[(number + step) % 10] for step in range(number % 10)]
    left = [*shared, f"one{number}", "quick", "bird"]
    return " ".join(left), " ".join([*shared, f"two{number}", "slow", "fish"])


def pair_file(folder: Path, count: int = 120) -> Path:
    rows = ["\t".join(texts(number)) for number in range(count)]
    (folder / "pairs.tsv").write_text("\n".join(["left\tright", *rows]) + "\n", encoding="utf-8")
    return folder / "pairs.tsv"


def mined_run(folder: Path) -> Path:
    """A run with kept pairs, pairs outside the bands, and pairs that are no candidates."""
    reasons = (None, None, BELOW_BAND, ABOVE_BAND, "trivial: punctuation", "beyond_most")
    rows = []
    for number in range(60):
        left, right = texts(number)
        ids = make_id("text", left), make_id("text", right)
        rows.append(
            {
                "pair_id": pair_id_of(*ids),
                "left_id": ids[0],
                "right_id": ids[1],
                "left": left,
                "right": right,
                "similarity": 0.5,
                "dropped_for": reasons[number % len(reasons)],
            }
        )
    write(folder / "run", "pairs", rows)
    return folder / "run"


def test_the_file_has_all_that_people_and_estimates_need(tmp_path: Path) -> None:
    out = tmp_path / "sample.tsv"
    sampled = sample_candidates([pair_file(tmp_path)], out, SampleOptions(per_interval=4, intervals=10))
    rows = read_rows(out, ("left", "right"))
    assert sampled.candidates == 120
    assert sampled.drawn == len(rows) == sum(min(4, count) for count in sampled.population.values())
    assert rows.numbers("lexical") == character_cosines(rows.texts("left"), rows.texts("right")).tolist()
    assert sum(rows.numbers("weight")) == pytest.approx(120, abs=0.01)
    assert rows.columns["split"].count("dev") == sampled.dev
    assert 0.2 < sampled.dev / sampled.drawn < 0.45
    assert set(sampled.short) == {name for name, count in sampled.population.items() if count < 4}


def test_the_order_tells_nothing_of_similarity_whatever_the_ids_and_however_unequal_the_intervals(
    tmp_path: Path,
) -> None:
    """Ids that rise with similarity, and an interval that holds nearly all candidates."""
    both = [texts(10 * number + digit) for digit in range(1, 9) for number in range(400 if digit == 1 else 12)]
    lexical = character_cosines([left for left, _ in both], [right for _, right in both])
    lines = [
        f"{value:.6f} {place}\t{left}\t{right}"
        for place, (value, (left, right)) in enumerate(zip(lexical, both, strict=True))
    ]
    (tmp_path / "pairs.tsv").write_text("\n".join(["pair_id\tleft\tright", *lines]) + "\n")
    sample_candidates([tmp_path / "pairs.tsv"], tmp_path / "sample.tsv", SampleOptions(per_interval=12, intervals=10))
    rows = read_rows(tmp_path / "sample.tsv", ("left", "right"))
    assert len(rows) > 60
    assert set(rows.texts("pair_id")) <= {line.split("\t")[0] for line in lines}
    for told in (
        rows.numbers("lexical"),
        rows.numbers("population"),
        [split == "dev" for split in rows.texts("split")],
    ):
        assert abs(np.corrcoef(told, np.arange(len(rows)))[0, 1]) < 0.25


def test_ids_of_files_decide_nothing(tmp_path: Path) -> None:
    """Two files number their rows from 0, and one has some pairs of the other, turned, under other numbers."""
    first, second = [texts(number) for number in range(50)], [texts(number) for number in range(50, 100)]
    second += [(right, left) for left, right in first[:20]]
    for name, rows in (("first", first), ("second", second)):
        lines = [f"{number}\t{left}\t{right}" for number, (left, right) in enumerate(rows)]
        (tmp_path / f"{name}.tsv").write_text("\n".join(["pair_id\tleft\tright", *lines]) + "\n")
    files = [tmp_path / "first.tsv", tmp_path / "second.tsv"]
    options = SampleOptions(per_interval=1000)
    sampled = sample_candidates(files, tmp_path / "sample.tsv", options)
    assert sampled.candidates == sampled.drawn == 100
    assert sampled.notes == (
        "20 rows that repeat a pair were left out.",
        "100 pairs have an id that others have too: known by their texts here.",
    )
    rows = read_rows(tmp_path / "sample.tsv", ("left", "right"))
    assert len(set(rows.texts("pair_id"))) == 100
    sample_candidates(files[::-1], tmp_path / "turned.tsv", options)
    turned = read_rows(tmp_path / "turned.tsv", ("left", "right"))
    both = [
        [sorted(texts) for texts in zip(one.texts("left"), one.texts("right"), strict=True)] for one in (rows, turned)
    ]
    assert both[0] == both[1]
    alone = sample_candidates(files[:1], tmp_path / "alone.tsv", options)
    assert alone.notes == ()
    assert set(read_rows(tmp_path / "alone.tsv", ("left", "right")).texts("pair_id")) == set(map(str, range(50)))


def test_more_than_a_hundred_intervals_have_weights_of_their_own(tmp_path: Path) -> None:
    file = pair_file(tmp_path, 400)
    sampled = sample_candidates([file], tmp_path / "sample.tsv", SampleOptions(per_interval=1, intervals=250))
    assert sum(sampled.population.values()) == 400
    rows = read_rows(tmp_path / "sample.tsv", ("left", "right"))
    assert dict(zip(rows.texts("interval"), map(int, rows.numbers("population")), strict=True)) == {
        name: count for name, count in sampled.population.items() if count
    }


def test_a_similarity_that_is_no_number_is_refused_and_one_that_lacks_is_left_open(tmp_path: Path) -> None:
    lines = ["\t".join([*texts(number), "" if number % 2 else "0.5"]) for number in range(20)]
    (tmp_path / "pairs.tsv").write_text("\n".join(["left\tright\tsimilarity", *lines]) + "\n")
    sample_candidates([tmp_path / "pairs.tsv"], tmp_path / "sample.jsonl")
    found = read_rows(tmp_path / "sample.jsonl", ("left", "right")).columns["similarity"]
    assert sorted(found, key=str) == [0.5] * 10 + [None] * 10
    (tmp_path / "pairs.tsv").write_text("\n".join(["left\tright\tsimilarity", *lines[1:], "a b\ta c\tvery"]) + "\n")
    with pytest.raises(InputError, match="column similarity holds 'very', which is no number"):
        sample_candidates([tmp_path / "pairs.tsv"], tmp_path / "refused.tsv")
    assert not (tmp_path / "refused.tsv").exists()


def test_the_order_of_rows_and_files_and_repeated_pairs_change_nothing(tmp_path: Path) -> None:
    file = pair_file(tmp_path)
    header, *rows = file.read_text().splitlines()
    turned = ["\t".join(reversed(row.split("\t"))) for row in rows[:40]]
    first, second = tmp_path / "first.tsv", tmp_path / "second.tsv"
    first.write_text("\n".join([header, *reversed(rows[:70])]) + "\n")
    second.write_text("\n".join([header, *rows[50:], *turned]) + "\n")
    options = SampleOptions(per_interval=3)
    once = sample_candidates([file], tmp_path / "once.jsonl", options)
    again = sample_candidates([second, first], tmp_path / "again.jsonl", options)
    assert again.population == once.population
    assert again.notes == ("60 rows that repeat a pair were left out.",)
    ids = [read_rows(tmp_path / name, ("left", "right")).texts("pair_id") for name in ("once.jsonl", "again.jsonl")]
    assert ids[0] == ids[1]


def test_of_a_run_those_outside_the_bands_are_candidates_and_other_dropped_pairs_are_not(tmp_path: Path) -> None:
    sampled = sample_candidates([mined_run(tmp_path)], tmp_path / "sample.parquet", SampleOptions(per_interval=50))
    assert (sampled.candidates, sampled.drawn) == (40, 40)
    assert sampled.notes == (
        "20 pairs that the run has dropped were left out.",
        "10 of these differ in punctuation, digits or word order alone: `paraloom mine --keep-trivial` keeps such "
        "pairs, some of which are hard negatives.",
    )
    rows = read_rows(tmp_path / "sample.parquet", ("left", "right"))
    assert rows.texts("pair_id") == [
        pair_id_of(*both) for both in zip(rows.texts("left_id"), rows.texts("right_id"), strict=True)
    ]


REFUSED = [
    ({"per_interval": 3, "intervals": 0}, InputError, "--intervals 0"),
    ({}, TargetTaken, "--overwrite"),
]


@pytest.mark.parametrize(("settings", "error", "told"), REFUSED)
def test_what_cannot_be_drawn_is_refused_and_nothing_is_written(tmp_path: Path, settings, error, told: str) -> None:
    file, out = pair_file(tmp_path), tmp_path / "sample.tsv"
    out.write_text("mine")
    with pytest.raises(error, match=told):
        sample_candidates([file], out, SampleOptions(**settings))
    assert out.read_text() == "mine"


def test_what_holds_no_pairs_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "blank.tsv").write_text("left\tright\n \t \n \ta storm\n")
    for source, told in ((tmp_path / "empty", "holds no pairs of a run"), (tmp_path / "blank.tsv", "no candidates")):
        with pytest.raises(InputError, match=told):
            sample_candidates([source], tmp_path / "sample.tsv")
    with pytest.raises(InputError, match="no pairs to read"):
        sample_candidates([], tmp_path / "sample.tsv")


def test_a_sample_is_judged_and_measured_from_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Drawn, imported as items to grade, and its labels, by id, measured with the sample beside them."""
    monkeypatch.chdir(tmp_path)
    pair_file(tmp_path)

    def said(*words: str) -> str:
        with pytest.raises(SystemExit) as ended:
            app(list(words))
        assert not ended.value.code
        return capsys.readouterr().out

    told = json.loads(said("mine", "sample", "pairs.tsv", "--out", "sample.tsv", "--per-interval", "5", "--json"))
    said("annotate", "create", "found", "--task", "grade", "--open")
    imported = json.loads(said("annotate", "import", "sample.tsv", "--campaign", "found", "--json"))
    assert (imported["added"], imported["bad_rows"]) == (told["drawn"], 0)
    rows = read_rows("sample.tsv", ("left", "right"))
    labels = ["4" if lexical > 0.6 else "2" for lexical in rows.numbers("lexical")]
    lines = [f"{pair_id}\t{label}" for pair_id, label in zip(rows.texts("pair_id"), labels, strict=True)]
    (tmp_path / "labels.tsv").write_text("\n".join(["pair_id\tgrade", *lines]) + "\n")
    words = ["mine", "regions", "labels.tsv", "--drawn", "sample.tsv", "--model", "ngram-regression"]
    measured = json.loads(said(*words, "--definition", "loose", "--out", "regions", "--json"))
    assert measured["pairs"] == told["drawn"]
    assert measured["negatives"] == labels.count("2")
    assert "weights:population" in next(iter(measured["signature"].values()))
    assert json.loads((tmp_path / "regions" / "regions.json").read_text()) == measured
