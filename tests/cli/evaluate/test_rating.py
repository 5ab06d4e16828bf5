"""`paraloom evaluate rating` as a person meets it."""

from __future__ import annotations

import json
from pathlib import Path

WORDS = ("storm", "rain", "coast", "town", "river", "flood")
CANDIDATES = {
    f"the {one} and the {other} on day {number}": [
        [f"the {one} and the {other} on day {number}", 1.0],
        [f"the {one} and a {other} on that day", 0.6],
        [f"some {other} somewhere", 0.2],
        ["nothing of the kind", 0.0],
    ]
    for number, (one, other) in enumerate(zip(WORDS, WORDS[1:] + WORDS[:1], strict=True))
}


def write(folder: Path) -> None:
    (folder / "candidates.json").write_text(json.dumps(CANDIDATES), encoding="utf-8")
    references = {source: [source.replace("the", "a"), 1.0] for source in CANDIDATES}
    (folder / "references.json").write_text(json.dumps(references), encoding="utf-8")


def test_json_is_one_object_with_a_correlation_of_every_metric(run, tmp_path: Path) -> None:
    write(tmp_path)
    done = run(
        *("evaluate", "rating", "candidates.json", "--references", "references.json", "--json"),
        *("--resamples", "30", "--metrics", "bleu", "ter", "self-bleu"),
    )
    assert done.returncode == 0, done.stderr
    written = json.loads(done.stdout)
    assert written["items"] == 24
    assert set(written["correlations"]) == {"bleu", "ter", "self-bleu"}
    assert written["correlations"]["bleu"]["score"]["spearman"] > 0.7
    assert written["correlations"]["ter"]["score"]["spearman"] < -0.7
    assert written["metrics"]["score"] == 0.45
    assert written["signature"]["ter"].startswith("ter|")


def test_the_table_is_printed_and_the_report_is_written(run, tmp_path: Path) -> None:
    write(tmp_path)
    done = run(
        *("evaluate", "rating", "candidates.json", "--references", "references.json", "--out", "report"),
        *("--resamples", "30", "--metrics", "self-bleu"),
    )
    assert done.returncode == 0, done.stderr
    assert "self-bleu ↓" in done.stdout
    assert "6 of 24 outputs are their source, word for word." in done.stdout
    assert (tmp_path / "report" / "report.html").is_file()
    assert (tmp_path / "report" / "rating.json").is_file()


def test_all_metrics_that_can_run_are_run_and_the_others_are_named_with_the_reason(run, tmp_path: Path) -> None:
    write(tmp_path)
    done = run("evaluate", "rating", "candidates.json", "--json", "--resamples", "10")
    assert done.returncode == 0, done.stderr
    written = json.loads(done.stdout)
    assert {"self-bleu", "pinc"} <= set(written["correlations"])
    assert written["not_run"]["bleu"] == "no source has a reference"
    assert not set(written["not_run"]) & set(written["correlations"])


def test_what_is_wrong_is_said_in_words(run, tmp_path: Path) -> None:
    (tmp_path / "ratings.tsv").write_text("source\toutput\tfluency\na\tb\t9\n", encoding="utf-8")
    done = run("evaluate", "rating", "ratings.tsv")
    assert done.returncode == 1
    assert "fluency is 9, which is not on the scale 1 to 5" in " ".join(done.stderr.split())
    assert done.stdout == ""
