"""`paraloom label` as a person meets it: another process, files of their own."""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from paraloom.tables import Judgment, Label, check, schema

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
SAID = {
    "p1": {"ann": True, "bob": True, "eve": True},
    "p2": {"ann": False, "bob": False, "eve": True},
    "p3": {"ann": True, "bob": True, "eve": False},
    "p4": {"ann": False, "bob": False},
    "p5": {"ann": True, "bob": False},
}
EXPECTED = {"p1": True, "p2": False, "p3": True, "p4": False, "p5": None}


def judgment(item: str, annotator: str, answer: Any, **more: Any) -> dict[str, Any]:
    row = {
        "judgment_id": f"{item}-{annotator}-{len(more)}",
        "campaign": "spring",
        "task": "pair",
        "item_kind": "pair",
        "item_id": item,
        "annotator": annotator,
        "answer": json.dumps(answer),
        "instructions_version": 1,
        "seconds": None,
        "created_at": NOON,
        "is_test": False,
        "client_id": None,
        "left_id": None,
        "is_decision": False,
    }
    return row | more


def judgments() -> list[dict[str, Any]]:
    """The votes above; ann has changed her mind on p3, and there are a test question, a rating and a broken answer."""
    rows = [judgment(item, who, {"is_paraphrase": said}) for item, votes in SAID.items() for who, said in votes.items()]
    early = {"judgment_id": "z", "created_at": NOON - timedelta(hours=1)}
    rows.append(judgment("p3", "ann", {"is_paraphrase": False}, **early))
    rows.append(judgment("t1", "ann", {"is_paraphrase": True}, is_test=True))
    rows.append(judgment("g1", "ann", {"fluency": 3}, task="rate"))
    rows.append(judgment("p9", "ann", {"is_paraphrase": "maybe"}))
    return rows


def as_text(row: dict[str, Any]) -> dict[str, str]:
    return {name: "" if value is None else str(value) for name, value in row.items()}


def write_parquet(rows: list[dict[str, Any]], file: Path) -> None:
    pq.write_table(pa.Table.from_pylist(rows, schema=schema(Judgment)), file)


def write_table(rows: list[dict[str, Any]], file: Path) -> None:
    file.mkdir()
    write_parquet(rows[: len(rows) // 2], file / "part-00.parquet")
    write_parquet(rows[len(rows) // 2 :], file / "part-01.parquet")
    file.with_name(f"{file.name}.made_by.json").write_text("{}", encoding="utf-8")


def write_jsonl(rows: list[dict[str, Any]], file: Path) -> None:
    rows = [row | {"answer": json.loads(row["answer"])} for row in rows]
    file.write_text("".join(json.dumps(row, default=str) + "\n" for row in rows), encoding="utf-8")


def write_csv(rows: list[dict[str, Any]], file: Path) -> None:
    with file.open("w", encoding="utf-8", newline="") as opened:
        writer = csv.DictWriter(opened, list(rows[0]))
        writer.writeheader()
        writer.writerows(map(as_text, rows))


def write_tsv(rows: list[dict[str, Any]], file: Path) -> None:
    lines = ["\t".join(rows[0]), *("\t".join(as_text(row).values()) for row in rows)]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


GIVEN: dict[str, Callable[[list[dict[str, Any]], Path], None]] = {
    "judgments": write_table,
    "j.parquet": write_parquet,
    "j.jsonl": write_jsonl,
    "j.csv": write_csv,
    "j.tsv": write_tsv,
}


def decisions(file: Path) -> dict[str, bool | None]:
    table = check(pq.read_table(file), Label)
    return dict(zip(table["pair_id"].to_pylist(), table["is_paraphrase"].to_pylist(), strict=True))


@pytest.mark.parametrize("name", GIVEN)
def test_judgments_in_any_form_give_the_same_labels(run, tmp_path: Path, name: str) -> None:
    GIVEN[name](judgments(), tmp_path / name)
    done = run("label", name, "--out", "labels.parquet", "--json")
    assert done.returncode == 0, done.stderr
    assert decisions(tmp_path / "labels.parquet") == EXPECTED
    told = json.loads(done.stdout)
    assert (told["items"], told["votes"], told["paraphrases"], told["undecided"]) == (5, 13, 2, 1)
    assert (told["superseded"], told["test_questions"]) == (1, 1)
    assert told["dropped_for"] == {
        "bad_row: is_paraphrase is neither true nor false": 1,
        "task rate has no label": 1,
    }
    assert told["signature"].startswith("majority|definition:loose|threshold:3-of-6,2-of-5,else-0.5|")
    assert set(told["metrics"]) == {"krippendorff-alpha", "cohen-kappa-mean", "cohen-kappa-mean-by-items"}
    assert told["intervals"]["krippendorff-alpha"]["level"] == 0.95
    assert done.stderr == ""


ENDINGS = ["labels.jsonl", "labels.csv", "labels.tsv", "labels.tsv.gz"]


@pytest.mark.parametrize("name", ENDINGS)
def test_labels_are_written_as_the_ending_says(run, tmp_path: Path, name: str) -> None:
    write_parquet(judgments(), tmp_path / "j.parquet")
    assert run("label", "j.parquet", "--out", name).returncode == 0
    data = (tmp_path / name).read_bytes()
    text = (gzip.decompress(data) if name.endswith(".gz") else data).decode()
    if "jsonl" in name:
        rows = [json.loads(line) for line in text.splitlines()]
        assert {row["pair_id"]: row["is_paraphrase"] for row in rows} == EXPECTED
    else:
        separator = "," if "csv" in name else "\t"
        rows = list(csv.DictReader(text.splitlines(), delimiter=separator))
        words = {True: "1", False: "0", None: ""}
        assert {row["pair_id"]: row["is_paraphrase"] for row in rows} == {k: words[v] for k, v in EXPECTED.items()}
        assert rows[1]["score"] == "0.333333"
    assert list(rows[0]) == schema(Label).names


def test_a_person_is_told_of_agreement_and_of_what_was_left_out(run, tmp_path: Path) -> None:
    write_parquet(judgments(), tmp_path / "j.parquet")
    done = run("label", "j.parquet", "--out", "labels.tsv")
    assert done.stdout == ""
    assert "13 votes by 3 annotators on 5 items: 2 paraphrases, 2 not, 1 undecided" in done.stderr
    assert re.search(r"Krippendorff's alpha -?0\.\d{3} \(95%: -?\d\.\d{3} to -?\d\.\d{3}\), mean kappa", done.stderr)
    assert "left out: 1 answer to test questions; 1 answer that the same person changed later; 1 ×" in done.stderr
    assert done.stderr.rstrip().splitlines()[-1].startswith("majority|definition:loose|")


PLAIN = "item\tannotator\tanswer\n" + "".join(
    f"{item}\t{who}\t{'Yes' if said else 'no'}\n" for item, votes in SAID.items() for who, said in votes.items()
)


def test_plain_answers_are_votes_too(run, tmp_path: Path) -> None:
    (tmp_path / "answers.tsv").write_text(PLAIN + "p1\tzoe\tperhaps\n", encoding="utf-8")
    done = run("label", "answers.tsv", "--out", "labels.parquet", "--json")
    assert done.returncode == 0, done.stderr
    assert decisions(tmp_path / "labels.parquet") == EXPECTED
    assert json.loads(done.stdout)["dropped_for"] == {"bad_row: the answer 'perhaps' is neither yes nor no": 1}


def test_counts_of_votes_are_joined_by_counting(run, tmp_path: Path) -> None:
    (tmp_path / "votes.tsv").write_text("item\tvotes\na\t(4, 6)\nb\t(3, 6)\nc\t(1, 5)\n", encoding="utf-8")
    done = run("label", "votes.tsv", "--votes", "for-of", "--out", "labels.parquet", "--definition", "strict", "--json")
    assert done.returncode == 0, done.stderr
    assert decisions(tmp_path / "labels.parquet") == {"a": None, "b": False, "c": False}
    assert json.loads(done.stdout)["metrics"]["cohen-kappa-mean"] is None
    refused = run("label", "votes.tsv", "--votes", "for-of", "--out", "l.tsv", "--method", "mace")
    assert (refused.returncode, "do not say who voted" in " ".join(refused.stderr.split())) == (1, True)


def test_candidates_that_were_shown_are_pairs(run, tmp_path: Path) -> None:
    rows = [
        judgment("s1", who, {"chosen": chosen, "shown": ["a", "b", "c"]}, task="choose")
        for who, chosen in (("ann", ["a"]), ("bob", ["a", "b"]), ("eve", []))
    ]
    write_parquet(rows, tmp_path / "j.parquet")
    assert run("label", "j.parquet", "--out", "labels.parquet").returncode == 0
    assert decisions(tmp_path / "labels.parquet") == {"a": True, "b": False, "c": False}


GRADES = {
    "p1": ("4>", "4>"),
    "p2": ("4>", "4s"),
    "p3": ("2", "2"),
    "p4": ("x", "x"),
    "p5": ("4", "2"),
    "p6": ("3", "3"),
}


def test_grades_are_labels_with_figures_of_their_parts(run, tmp_path: Path) -> None:
    rows = [
        judgment(
            item, who, {"label": label, "rewrite_left": None, "rewrite_right": None, "unsure": False}, task="grade"
        )
        for item, labels in GRADES.items()
        for who, label in zip(("ann", "bob"), labels, strict=True)
    ]
    write_parquet(rows, tmp_path / "j.parquet")
    done = run("label", "j.parquet", "--out", "labels.parquet", "--json")
    assert done.returncode == 0, done.stderr
    found = {
        row["pair_id"]: (row["grade"], row["is_paraphrase"])
        for row in pq.read_table(tmp_path / "labels.parquet").to_pylist()
    }
    assert found == {
        "p1": ("4>", True),
        "p2": ("4", True),
        "p3": ("2", False),
        "p4": ("x", None),
        "p5": (None, None),
        "p6": ("3", True),
    }
    told = json.loads(done.stdout)
    assert told["definition"] == "graded"
    assert told["graded"]["full"]["agreement"] == pytest.approx(4 / 6)
    assert told["graded"]["base"]["agreement"] == pytest.approx(5 / 6)
    assert told["graded"]["direction"]["pairs"] == 2
    assert "base-and-direction: agreement 0.667" in run("label", "j.parquet", "--out", "again.tsv").stderr
    loose = run("label", "j.parquet", "--out", "loose.parquet", "--definition", "loose")
    assert loose.returncode == 0, loose.stderr
    assert (
        decisions(tmp_path / "loose.parquet")
        == {"p1": True, "p2": True, "p3": False, "p4": None, "p5": None, "p6": True} | {}
    )


def graded(item: str, annotator: str, label: str, **more: Any) -> dict[str, Any]:
    return judgment(item, annotator, {"label": label}, task="grade", **more)


DISPUTED = {"p1": ("4>", "4>"), "p2": ("4>", "2"), "p3": ("3", "4s"), "p4": ("4", "3"), "p5": ("2", "2")}


@pytest.mark.parametrize("name", GIVEN)
def test_what_an_expert_decides_is_the_label_and_everybody_is_measured_against_it(run, tmp_path, name: str) -> None:
    rows = [
        graded(item, who, label)
        for item, labels in DISPUTED.items()
        for who, label in zip(("ann", "bob"), labels, strict=True)
    ]
    for item, label in (("p2", "4>i"), ("p3", "3")):
        rows.append(graded(item, "eve", label, is_decision=True, created_at=NOON + timedelta(hours=1)))
    GIVEN[name](rows, tmp_path / name)
    done = run("label", name, "--out", "labels.parquet", "--json")
    assert done.returncode == 0, done.stderr
    found = {row["pair_id"]: row for row in check(pq.read_table(tmp_path / "labels.parquet"), Label).to_pylist()}
    assert {item: row["grade"] for item, row in found.items()} == {
        "p1": "4>",
        "p2": "4>i",
        "p3": "3",
        "p4": "3",
        "p5": "2",
    }
    assert (found["p2"]["is_paraphrase"], found["p2"]["score"], found["p2"]["votes"]) == (True, 0.5, 2)
    assert found["p2"]["labelled_by"].startswith("decision|definition:graded|")
    assert "|decisions:2|" in found["p4"]["labelled_by"]
    told = json.loads(done.stdout)
    assert (told["decided"], told["votes"], told["items_compared"], told["items_settled"]) == (2, 10, 5, 4)
    full, merged, base = (told["graded"][part] for part in ("full", "base-and-direction", "base"))
    assert (full["consensus"]["labels"], full["consensus"]["accuracy"]) == (8, 5 / 8)  # p1, p5 twice and ann on p3
    assert (merged["consensus"]["accuracy"], base["consensus"]["accuracy"]) == (6 / 8, 6 / 8)  # and ann on p2
    assert full["annotators"]["ann"]["accuracy"] == 3 / 4
    assert full["annotators"]["bob"]["accuracy"] == 1 / 2
    assert merged["annotators"]["ann"]["accuracy"] == 1
    # Of the five labels, ann gave those of p1, p3 and p5, and bob those of p1, p4 and p5; eve has not voted.
    assert [(one["name"], one["competence"]) for one in told["annotators"]] == [("ann", 0.6), ("bob", 0.6)]
    spoken = run("label", name, "--out", "again.tsv").stderr
    assert "2 labels are what experts decided" in spoken
    assert "4 items with a consensus, decided or of all; 1 in dispute. Against it:" in spoken
    assert "  full: accuracy 0.625, kappa 0." in spoken
    assert re.search(
        r"  bob: full 0\.500 \(kappa 0\.385\), base-and-direction 0\.500.*, base 0\.500.*; 4 labels", spoken
    )


def test_without_a_decision_nobody_is_measured_against_a_consensus(run, tmp_path: Path) -> None:
    write_parquet([graded("p1", who, "4") for who in ("ann", "bob")], tmp_path / "j.parquet")
    done = run("label", "j.parquet", "--out", "labels.parquet", "--json")
    told = json.loads(done.stdout)
    assert (told["decided"], told["items_settled"], told["graded"]["full"]["consensus"]) == (0, None, None)


def test_a_pair_that_was_shown_both_ways_has_one_grade_and_its_left_side(run, tmp_path: Path) -> None:
    rows = [
        graded("p1", "ann", "4>s", left_id="storm"),
        graded("p1", "bob", "4<s", left_id="gale", campaign="autumn"),
        graded("p2", "ann", "4>"),
    ]
    write_csv(rows, tmp_path / "j.csv")
    done = run("label", "j.csv", "--out", "labels.parquet", "--json")
    assert done.returncode == 0, done.stderr
    found = pq.read_table(tmp_path / "labels.parquet").to_pylist()
    assert [(row["grade"], row["left_id"]) for row in found] == [("4>s", "storm"), ("4>", None)]
    assert json.loads(done.stdout)["graded"]["direction"]["agreement"] == 1


def test_a_decision_alone_is_a_label(run, tmp_path: Path) -> None:
    write_jsonl([graded("p1", "eve", "4<", is_decision=True)], tmp_path / "j.jsonl")
    assert run("label", "j.jsonl", "--out", "labels.parquet").returncode == 0
    assert decisions(tmp_path / "labels.parquet") == {"p1": True}


def test_decisions_on_what_one_person_labelled_are_no_consensus_to_measure_by(run, tmp_path: Path) -> None:
    rows = [graded("p1", "ann", "4"), graded("p1", "eve", "3", is_decision=True), graded("p2", "ann", "2")]
    write_jsonl(rows, tmp_path / "j.jsonl")
    done = run("label", "j.jsonl", "--out", "labels.parquet")
    assert done.returncode == 0, done.stderr
    assert "0 items with a consensus, decided or of all; 0 in dispute.\n" in done.stderr
    told = json.loads(run("label", "j.jsonl", "--out", "again.parquet", "--json").stdout)
    assert told["graded"]["full"]["consensus"] == {"labels": 0, "accuracy": None, "kappa": None}


def test_a_flag_that_is_none_is_a_bad_row(run, tmp_path: Path) -> None:
    write_jsonl([graded("p1", "eve", "4", is_decision="perhaps"), graded("p2", "eve", "4")], tmp_path / "j.jsonl")
    done = run("label", "j.jsonl", "--out", "labels.parquet", "--json")
    assert json.loads(done.stdout)["dropped_for"] == {"bad_row: is_decision is neither true nor false": 1}


PLAIN_GRADES = "item\tannotator\tanswer\np1\tann\t1\np1\tbob\t2\np2\tann\t4>s\np2\tbob\t3.0\np3\tann\tx\np3\tbob\t5\n"


def test_plain_grades_are_collapsed_under_another_definition(run, tmp_path: Path) -> None:
    (tmp_path / "grades.tsv").write_text(PLAIN_GRADES, encoding="utf-8")
    done = run("label", "grades.tsv", "--out", "loose.parquet", "--definition", "loose", "--json")
    assert done.returncode == 0, done.stderr
    assert decisions(tmp_path / "loose.parquet") == {"p1": False, "p2": True, "p3": None}
    told = json.loads(done.stdout)
    assert told["dropped_for"] == {"bad_row: the answer '5' is no graded label": 1}
    assert told["superseded"] == 0
    assert any("3 and 4 count as yes, 1 and 2 as no" in note for note in told["notes"])
    done = run("label", "grades.tsv", "--out", "graded.parquet", "--json")
    assert json.loads(done.stdout)["definition"] == "graded"
    assert pq.read_table(tmp_path / "graded.parquet")["grade"].to_pylist() == ["2", "3", "x"]


def test_who_skips_a_pair_after_all_takes_back_the_grade(run, tmp_path: Path) -> None:
    rows = "p1\tann\t4\np1\tann\tx\np2\tann\t2\n"
    (tmp_path / "grades.tsv").write_text("item\tannotator\tanswer\n" + rows, encoding="utf-8")
    args = ("--definition", "loose", "--repeated", "last", "--json")
    done = run("label", "grades.tsv", "--out", "loose.parquet", *args)
    assert decisions(tmp_path / "loose.parquet") == {"p1": None, "p2": False}
    assert json.loads(done.stdout)["superseded"] == 1


def test_answers_that_a_table_of_floats_wrote_are_yes_and_no(run, tmp_path: Path) -> None:
    rows = "item,annotator,answer\np1,ann,1.0\np2,ann,0.0\n"
    (tmp_path / "answers.csv").write_text(rows, encoding="utf-8")
    assert run("label", "answers.csv", "--out", "labels.parquet").returncode == 0
    assert decisions(tmp_path / "labels.parquet") == {"p1": True, "p2": False}


def test_annotators_with_a_low_kappa_are_left_out_and_counted(run, tmp_path: Path) -> None:
    rows = [
        judgment(f"p{item}", who, {"is_paraphrase": bool(item % 2) != (who == "eve")})
        for item in range(12)
        for who in ("ann", "bob", "cat", "eve")
    ]
    write_parquet(rows, tmp_path / "j.parquet")
    done = run("label", "j.parquet", "--out", "labels.parquet", "--exclude-below", "0.4", "--json")
    told = json.loads(done.stdout)
    assert told["excluded"] == {"eve": -1.0}
    assert (told["excluded_votes"], told["votes"]) == (12, 36)
    assert told["metrics"]["krippendorff-alpha"] == 1
    assert told["metrics_before_exclusion"]["krippendorff-alpha"] < 0.5
    assert {one["name"] for one in told["annotators"]} == {"ann", "bob", "cat"}
    assert set(pq.read_table(tmp_path / "labels.parquet")["votes"].to_pylist()) == {3}
    spoken = run("label", "j.parquet", "--out", "more.tsv", "--exclude-below", "0.4").stderr
    assert "12 votes of 1 annotator with low kappa: eve (-1.00)" in spoken
    assert "|exclude-below:0.4|" in spoken


@pytest.mark.parametrize("method", ["dawid-skene", "mace"])
def test_models_tell_how_far_each_annotator_is_trusted(run, tmp_path: Path, method: str) -> None:
    rows = [
        judgment(f"p{item:02d}", who, {"is_paraphrase": bool(item % 2) if who != "eve" else item % 3 == 0})
        for item in range(30)
        for who in ("ann", "bob", "cat", "eve")
    ]
    write_parquet(rows, tmp_path / "j.parquet")
    done = run("label", "j.parquet", "--out", "labels.parquet", "--method", method, "--seed", "3", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["annotators"][0]["name"] == "eve"
    assert told["annotators"][0]["competence"] < 0.7 < told["annotators"][1]["competence"]
    assert decisions(tmp_path / "labels.parquet") == {f"p{item:02d}": bool(item % 2) for item in range(30)}
    assert told["log_likelihood"] < 0
    assert told["signature"].startswith(f"{method}|definition:loose|threshold:0.5|")
    assert ("|seed:3|" in told["signature"]) == (method == "mace")


def test_test_questions_count_when_asked_for_and_rows_can_be_chosen(run, tmp_path: Path) -> None:
    rows = [
        *judgments(),
        judgment("p1", "ann", {"is_paraphrase": False}, campaign="autumn", created_at=NOON + timedelta(1)),
    ]
    write_csv(rows, tmp_path / "j.csv")
    assert run("label", "j.csv", "--out", "a.parquet", "--include-tests", "--where", "campaign=spring").returncode == 0
    assert decisions(tmp_path / "a.parquet") == EXPECTED | {"t1": True}
    assert run("label", "j.csv", "--out", "b.parquet", "--where", "campaign=autumn").returncode == 0
    assert decisions(tmp_path / "b.parquet") == {"p1": False}
    assert (
        run("label", "j.csv", "--out", "c.parquet", "--annotators", "ann", "--where", "campaign=spring").returncode == 0
    )
    assert decisions(tmp_path / "c.parquet")["p5"] is True


def test_a_file_that_is_there_stays_unless_told_otherwise(run, tmp_path: Path) -> None:
    write_parquet(judgments(), tmp_path / "j.parquet")
    (tmp_path / "labels.tsv").write_text("mine\n", encoding="utf-8")
    refused = run("label", "j.parquet", "--out", "labels.tsv")
    assert refused.returncode == 1
    assert "TargetTaken: labels.tsv is there already" in refused.stderr
    assert (tmp_path / "labels.tsv").read_text(encoding="utf-8") == "mine\n"
    assert run("label", "j.parquet", "--out", "labels.tsv", "--overwrite").returncode == 0
    assert (tmp_path / "labels.tsv").read_text(encoding="utf-8").startswith("pair_id\t")


REFUSED = [
    (("absent.tsv", "--out", "l.tsv"), 1, "There is no file absent.tsv"),
    (("j.parquet", "--out", "l.xlsx"), 1, "ends in '.xlsx'"),
    (("j.parquet", "--out", "l.parquet.gz"), 1, "Parquet is compressed already. Call it l.parquet"),
    (("j.parquet", "--out", "j.parquet", "--overwrite"), 1, "is given to be read itself"),
    (("j.parquet", "--out", "no/l.tsv"), 1, "There is no folder no"),
    (("judgments", "--out", "judgments/l.tsv"), 1, "lies among the files of the table"),
    (("half", "--out", "l.tsv"), 1, "NotMade: Nothing says that the table in half is whole"),
    (("j.parquet", "plain.tsv", "--out", "l.tsv"), 1, "holds judgments and plain.tsv plain answers"),
    (
        ("rated.jsonl", "--out", "l.tsv"),
        1,
        "1 × task rate has no label. Labels are made from the tasks pair, choose, grade",
    ),
    (("tests.jsonl", "--out", "l.tsv"), 1, "1 answer hidden test questions (--include-tests)"),
    (("mixed.jsonl", "--out", "l.tsv"), 1, "grades beside yes and no"),
    (("j.parquet", "--out", "l.tsv", "--field", "is_paraphrase"), 1, "--field says where plain answers lie"),
    (("j.parquet", "--out", "l.tsv", "--where", "colour=red"), 1, "names no column"),
    (("j.parquet", "--out", "l.tsv", "--annotators", "zoe"), 1, "There is no annotator 'zoe'"),
    (("j.parquet", "--out", "l.tsv", "--method", "mace", "--threshold", "2"), 1, "mace gives probabilities"),
    (("j.parquet", "--out", "l.tsv", "--exclude-below", "3"), 1, "A kappa of 3"),
    (("j.parquet", "--out", "l.tsv", "--method", "median"), 2, "median"),
    (("j.parquet",), 2, "--out"),
]


@pytest.mark.parametrize(("words", "code", "message"), REFUSED)
def test_what_cannot_be_done_is_said_in_words_and_nothing_is_left_behind(
    run, tmp_path: Path, words, code: int, message: str
) -> None:
    write_parquet(judgments(), tmp_path / "j.parquet")
    write_table(judgments(), tmp_path / "judgments")
    (tmp_path / "half").mkdir()
    write_parquet(judgments(), tmp_path / "half" / "part-00.parquet")
    (tmp_path / "plain.tsv").write_text(PLAIN, encoding="utf-8")
    write_jsonl([judgment("g", "ann", {"kept": 3}, task="rate")], tmp_path / "rated.jsonl")
    write_jsonl([judgment("g", "ann", {"is_paraphrase": True}, is_test=True)], tmp_path / "tests.jsonl")
    mixed = [judgment("g", "ann", {"is_paraphrase": True}), judgment("g", "bob", {"label": "4"}, task="grade")]
    write_jsonl(mixed, tmp_path / "mixed.jsonl")
    before = sorted(tmp_path.rglob("*"))
    done = run("label", *words)
    assert done.returncode == code
    assert message in " ".join(done.stderr.replace("│", " ").split())
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert sorted(tmp_path.rglob("*")) == before


def test_bad_rows_are_counted_by_their_reason(run, tmp_path: Path) -> None:
    write_jsonl(judgments()[:4], tmp_path / "j.jsonl")
    with (tmp_path / "j.jsonl").open("a", encoding="utf-8") as file:
        file.write("{broken\n")
        file.write(json.dumps(judgment("p8", "ann", {"is_paraphrase": True}, created_at="soon")) + "\n")
        file.write(json.dumps(judgment("p8", "", {"is_paraphrase": True}), default=str) + "\n")
    done = run("label", "j.jsonl", "--out", "labels.parquet", "--json")
    assert done.returncode == 0, done.stderr
    reasons = json.loads(done.stdout)["dropped_for"]
    assert reasons.pop("bad_row: created_at is no time") == 1
    assert reasons.pop("bad_row: annotator is empty") == 1
    assert list(reasons.values()) == [1]
    assert set(decisions(tmp_path / "labels.parquet")) == {"p1", "p2"}


def test_the_help_shows_an_example(run) -> None:
    done = run("label", "--help")
    assert done.returncode == 0
    assert "Example: paraloom label run/judgments " in done.stdout
