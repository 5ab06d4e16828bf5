"""What the commands print, where, and with which exit code."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from paraloom.cli import app

COMMANDS = [name for name in app if not name.startswith("-")]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_commands_help_shows_an_example_of_it(run, command: str) -> None:
    done = run(command, "--help")
    assert done.returncode == 0
    assert re.search(rf"Example: paraloom {command} ", done.stdout)
    assert done.stderr == ""


def test_the_help_says_what_each_command_does(run) -> None:
    shown = run("--help").stdout
    for command in COMMANDS:
        assert re.search(rf"{command} +[A-Z]\w+ ", shown), command


REFUSED = [
    (
        ("build", "absent.jsonl", "--out", "r"),
        1,
        r"InputError: There is no file absent\.jsonl \(looked in .*\)\. Check",
    ),
    (("build", "none/*.jsonl", "--out", "r"), 1, r"InputError: No file matches none/\*\.jsonl\. Check the folder"),
    (("build", "p.jsonl", "--out", "r", "--accounts", "a.txt"), 1, r"accounts file a\.txt cannot be read.*one account"),
    (("build", "p.jsonl", "--out", "r", "--identifier", "nobody"), 1, r"nobody"),
    (("explain", "3f", "--run", "absent"), 1, r"NotMade: absent holds no pairs of a run.*`paraloom align`"),
    (("build", "p.jsonl", "--out", "r", "--nope"), 2, r"Unknown option: --nope"),
    (("build", "p.jsonl"), 2, r"--out"),
    (("build", "p.jsonl", "--out", "r", "--min-posts", "few"), 2, r"--min-posts.*\"few\".*int"),
    (("build", "p.jsonl", "--out", "r", "--by", "mood"), 2, r"mood.*--by.*url"),
    (("weave",), 2, r"weave"),
]


@pytest.mark.parametrize(("words", "code", "message"), REFUSED)
def test_what_cannot_be_done_is_said_in_words_and_nothing_is_made(
    run, tmp_path, words, code: int, message: str
) -> None:
    (tmp_path / "p.jsonl").write_text('{"text": "the storm hit the coast"}\n', encoding="utf-8")
    done = run(*words)
    assert done.returncode == code
    assert re.search(message, " ".join(done.stderr.replace("│", " ").split()))
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert not (tmp_path / "r" / "report.html").exists()


def test_a_key_that_is_no_option_is_refused_with_the_settings_file(run, tmp_path: Path) -> None:
    (tmp_path / "paraloom.toml").write_text("[build]\nmin_post = 3\n", encoding="utf-8")
    done = run("build", "p.jsonl", "--out", "r")
    assert done.returncode == 2
    assert re.search(r"min_post.*paraloom\.toml.*--min-posts", " ".join(done.stderr.replace("│", " ").split()))


def test_build_prints_the_reports_path_and_nothing_else(built) -> None:
    folder, done = built
    assert done.returncode == 0, done.stderr
    (path,) = done.stdout.splitlines()
    assert (folder / path).name == "report.html"
    assert (folder / path).is_file()
    assert "Traceback" not in done.stderr


def options_of(folder: Path, table: str) -> dict[str, Any]:
    made_by = json.loads((folder / "run" / f"{table}.made_by.json").read_text(encoding="utf-8"))
    return dict(made_by["options"])


SET = [
    ("groups", "min_posts", 3, "the settings file's, spelled as the flag"),
    ("sentences", "languages", ["en", "es"], "a list of the settings file"),
    ("groups", "max_posts", 9, "the flag's, though the settings file has 7"),
    ("sentences", "keep_spam", False, "the flag's, though the settings file has true"),
    ("groups", "hashtags", False, "a flag that turns off what is on by default"),
    ("sentences", "min_tokens", 5, "the default"),
]


@pytest.mark.parametrize(("table", "option", "value", "whose"), SET)
def test_an_option_is_the_flags_else_the_settings_files_else_the_default(built, table, option, value, whose) -> None:
    assert options_of(built[0], table)[option] == value, whose


def test_posts_can_come_from_standard_input(run, tmp_path: Path, built) -> None:
    text = (built[0] / "posts.jsonl").read_text(encoding="utf-8")
    done = run("build", "-", "--out", "run", stdin=text)
    assert done.returncode == 0, done.stderr
    lines = (tmp_path / "run" / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len((built[0] / "run" / "corpus.jsonl").read_text(encoding="utf-8").splitlines()) > 0


def pair_of(folder: Path) -> dict[str, Any]:
    first = (folder / "run" / "corpus.jsonl").read_text(encoding="utf-8").splitlines()[0]
    return dict(json.loads(first))


def test_explain_shows_where_a_pair_comes_from(built, explain) -> None:
    pair = pair_of(built[0])
    shown = explain(pair["pair_id"]).stdout
    for part in (pair["left"], pair["right"], pair["key"], pair["split"], "posts.jsonl", "url:word-probability"):
        assert part in shown


def test_explain_takes_the_first_digits_and_gives_json(built, explain) -> None:
    pair = pair_of(built[0])
    told = json.loads(explain(pair["pair_id"][:10].upper(), "--json").stdout)
    assert told["pair"]["pair_id"] == pair["pair_id"]
    assert told["corpus"]["split"] == pair["split"]
    assert {told["documents"][side]["text"] for side in ("left", "right")} == {pair["left"], pair["right"]}


UNKNOWN = [
    ("ffffffffffff", r"run has no pair 'ffffffffffff'.*column pair_id"),
    ("", r"pairs of run begin with ''.*Give more digits"),
]


@pytest.mark.parametrize(("pair_id", "message"), UNKNOWN)
def test_a_pair_that_is_none_or_many_is_refused(explain, pair_id: str, message: str) -> None:
    done = explain(pair_id)
    assert done.returncode == 1
    assert re.search(message, done.stderr)
