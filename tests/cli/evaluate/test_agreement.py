"""`paraloom evaluate agreement` as a person meets it: another process, files of their own."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

ANSWERS = """item	annotator	answer
p1	ann	yes
p1	bob	yes
p1	eve	yes
p2	ann	no
p2	bob	no
p2	eve	no
p3	ann	yes
p3	bob	no
p3	eve	yes
p4	ann	no
p4	bob	no
"""


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    file = tmp_path / "answers.tsv"
    file.write_text(ANSWERS, encoding="utf-8")
    return file


def test_json_is_one_object_with_metrics_and_signatures_alone_on_standard_output(run, answers: Path) -> None:
    done = run("evaluate", "agreement", answers.name, "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert set(told["metrics"]) >= {
        "krippendorff-alpha",
        "fleiss-kappa",
        "gwet-ac1",
        "raw-agreement",
        "cohen-kappa-mean",
    }
    # 4 items, 11 answers: 6 no and 5 yes; only p3 is split, 1 to 2.
    assert told["metrics"]["krippendorff-alpha"] == pytest.approx(1 - 10 * 2 / (121 - 36 - 25))
    assert set(told["signature"]) == set(told["metrics"]) - {"items", "ratings", "unanimous-share"}
    assert told["intervals"]["krippendorff-alpha"]["seed"] == 1
    assert done.stderr == ""


def test_tables_are_printed_and_the_page_is_named_on_standard_error(run, answers: Path, tmp_path: Path) -> None:
    done = run("evaluate", "agreement", answers.name, "--expert", "eve", "--out", "report", "--items", "items.tsv")
    assert done.returncode == 0, done.stderr
    assert re.search(r"^krippendorff-alpha +-?\d\.\d{3} ", done.stdout, re.MULTILINE)
    assert re.search(r"^expert-f1 +", done.stdout, re.MULTILINE)
    assert done.stderr.strip() == "report/report.html"
    assert "agreement report" in (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "report" / "agreement.json").read_text(encoding="utf-8"))["expert"]["name"] == "eve"
    assert (tmp_path / "items.tsv").read_text(encoding="utf-8").splitlines()[1] == "p1\t2\tyes\t1.0\t0\t2"


def test_options_are_flags(run, tmp_path: Path) -> None:
    (tmp_path / "wide.csv").write_text("id,a,b,c\n1,low,low,\n2,high,middle,high\n3,low,,low\n", encoding="utf-8")
    flags = ("--wide", "--level", "ordinal", "--order", "low", "middle", "high", "--min-kappa", "0.1", "--seed", "7")
    done = run("evaluate", "agreement", "wide.csv", *flags, "--resamples", "50", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["min_kappa"], told["annotator_count"]) == (0.1, 3)
    assert "level:ordinal|answers:3|interval:bootstrap-items|resamples:50|seed:7" in told["signature"]["gwet-ac2"]


REFUSED = [
    (
        ("answers.tsv", "--expert", "zoe"),
        1,
        r"InputError: --expert zoe: there is no such annotator; there are ann, bob",
    ),
    (("absent.tsv",), 1, r"InputError: There is no file absent\.tsv"),
    (("answers.tsv", "--level", "cardinal"), 2, r"cardinal.*--level.*nominal"),
    (("answers.tsv", "--items", "items.xlsx"), 1, r"an items file ends in"),
    ((), 2, r"FILES"),
]


@pytest.mark.parametrize(("words", "code", "message"), REFUSED)
def test_what_cannot_be_done_is_said_in_words(run, answers: Path, words, code: int, message: str) -> None:
    done = run("evaluate", "agreement", *words)
    assert done.returncode == code
    assert re.search(message, " ".join(done.stderr.replace("│", " ").split()))
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_the_help_shows_an_example(run) -> None:
    done = run("evaluate", "agreement", "--help")
    assert done.returncode == 0
    assert "Example: paraloom evaluate agreement " in done.stdout
