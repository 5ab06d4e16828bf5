"""`paraloom evaluate use` as a person meets it."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

NAMES = ("Norland", "Brightfern", "Caldera", "Umber", "Tarn", "Ashby", "Fenwick", "Marrow", "Quill", "Sorrel")


def pairs(random: Random, count: int) -> list[tuple[str, str, int]]:
    made = []
    for number in range(count):
        one, other, third = random.sample(NAMES, 3)
        left = f"a storm {number} went from {one} to {other} at night"
        right = (
            f"at night a storm {number} went to {other}"
            if number % 2
            else f"the {third} of {number} is a river in {one}"
        )
        made.append((left, right, number % 2))
    return made


def write(folder: Path) -> None:
    for seed, (name, count) in enumerate((("train", 60), ("test", 40))):
        rows = [f"{name} {left}\t{name} {right}\t{label}" for left, right, label in pairs(Random(seed), count)]
        (folder / f"{name}.tsv").write_text("\n".join(["left\tright\tlabel", *rows]) + "\n", encoding="utf-8")
    outputs = [
        {"source": left, "outputs": [{"text": right, "score": 0.9}]}
        for left, right, label in pairs(Random(9), 40)
        if label
    ]
    (folder / "outputs.jsonl").write_text("".join(json.dumps(one) + "\n" for one in outputs), encoding="utf-8")


GIVEN = (
    "--train",
    "train.tsv",
    "--generated",
    "outputs.jsonl",
    "--test",
    "test.tsv",
    "--runs",
    "2",
    "--resamples",
    "50",
)


def test_json_is_one_object_with_every_way_of_training_and_the_gains(run, tmp_path: Path) -> None:
    write(tmp_path)
    done = run("evaluate", "use", *GIVEN, "--json")
    assert done.returncode == 0, done.stderr
    written = json.loads(done.stdout)
    assert set(written["systems"]) == {"without", "control", "with"}
    assert {(one["ours"], one["other"], one["metric"]) for one in written["gains"]} >= {("with", "without", "f1")}
    assert written["generated_pairs"] == 20


def test_the_verdict_is_printed_and_the_report_is_written(run, tmp_path: Path) -> None:
    write(tmp_path)
    done = run("evaluate", "use", *GIVEN, "--out", "report", "--identifier", "ngram-regression")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("The generated pairs ")
    page = (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert "Signature <code>identifier:ngram-regression|" in page
    assert "<script" not in page
    assert json.loads((tmp_path / "report" / "use.json").read_text(encoding="utf-8"))["test_pairs"] == 40
