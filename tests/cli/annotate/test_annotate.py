"""`paraloom annotate …` as a person meets it: what it prints, what it makes, what it refuses."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from paraloom.cli import app
from paraloom.errors import InputError, NotFound

COMMANDS = [name for name in app["annotate"] if not name.startswith("-")]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_commands_help_shows_an_example_of_it(capsys: pytest.CaptureFixture[str], command: str) -> None:
    with pytest.raises(SystemExit) as ended:
        app(["annotate", command, "--help"])
    assert ended.value.code == 0
    assert re.search(rf"Example: paraloom annotate {command}\b", capsys.readouterr().out)


def test_the_command_line_starts_without_what_the_service_needs(child_environment: dict[str, str]) -> None:
    code = "import sys, paraloom.cli; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    done = subprocess.run(
        [sys.executable, "-c", code], env=child_environment, capture_output=True, text=True, check=True
    )
    assert {"sqlalchemy", "fastapi", "uvicorn", "alembic", "argon2"} & set(done.stdout.split()) == set()


@pytest.fixture
def said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Give a command here, in a folder of its own; what it printed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PARALOOM_DB", raising=False)

    def say(*words: str) -> str:
        with pytest.raises(SystemExit) as ended:
            app(["annotate", *words])
        assert not ended.value.code
        return capsys.readouterr().out

    return say


def test_a_campaign_goes_its_way_from_the_command_line(said, tmp_path: Path) -> None:
    (tmp_path / "guide.md").write_text("# How to\n\nLook closely.\n", encoding="utf-8")
    (tmp_path / "pairs.tsv").write_text("left\tright\nthe storm hit\ta storm struck\nonly one\n", encoding="utf-8")
    (tmp_path / "gold.tsv").write_text("left\tright\tlabel\na\tb\t1\n", encoding="utf-8")
    assert said("create", "storms", "--task", "pair", "--pay", "0.03", "--instructions", "guide.md", "--open") == (
        "storms: storms (pair, open)\n"
    )
    assert "would be added" in said("import", "pairs.tsv", "--campaign", "storms", "--dry-run")
    told = json.loads(said("import", "pairs.tsv", "--campaign", "storms", "--tests", "gold.tsv", "--json"))
    assert (told["added"], told["tests"], told["bad_rows"]) == (2, 1, 1)
    changed = json.loads(said("settings", "storms", "--set", "budget=12.5", "roles=annotator,expert", "ends-at=none"))
    assert (changed["budget"], changed["roles"], changed["pay"]) == (12.5, ["annotator", "expert"], 0.03)
    assert said("instructions", "storms", "guide.md", "--change", "Numbers.") == (
        "storms has version 2 of its instructions\n"
    )
    assert said("pause", "storms") == "storms is paused\n"
    assert said("end", "storms") == "storms is ended\n"
    assert said("open", "storms") == "storms is open\n"
    (status,) = json.loads(said("status", "storms", "--json"))["campaigns"]
    assert (status["state"], status["progress"]["items"], status["progress"]["tests"]) == ("open", 1, 1)
    assert "0 of 6 judgments (0%)" in said("status")
    for format, out in (("tables", "run"), ("jsonl", "j.jsonl"), ("csv", "j.csv"), ("label-studio", "ls.json")):
        said("export", "storms", "--out", out, "--format", format)
        assert (tmp_path / out).exists()
    assert (tmp_path / "ls.config.xml").read_text().startswith("<View>")


def test_people_are_invited_given_roles_blocked_and_forgotten(said) -> None:
    link = said("invite", "--role", "admin", "--address", "https://x.example/").strip()
    assert re.fullmatch(r"https://x\.example/join/[\w-]{43}", link)
    assert re.fullmatch(r"[\w-]{43}\n", said("token", "bot"))
    said("token", "helper", "--role", "annotator")
    assert re.fullmatch(r"[\w-]{43}\n", said("token", "root", "--role", "admin"))
    assert re.fullmatch(r"[\w-]{43}\n", said("token", "root")), "who is there keeps the role"
    assert said("people", "role", "helper", "expert") == "helper is expert now\n"
    said("people", "block", "helper")
    people = [json.loads(line) for line in said("people", "list", "--json").splitlines()]
    assert {(one["name"], one["role"], one["state"]) for one in people} == {
        ("bot", "annotator", "active"),
        ("root", "admin", "active"),
        ("helper", "expert", "blocked"),
    }
    said("people", "block", "helper", "--undo")
    assert "the judgments are by" in said("people", "erase", "helper")
    assert "erased" in said("people", "list")
    assert "helper" not in said("people", "list")
    with pytest.raises(InputError, match=r"bot is annotator, not admin\..*people role bot admin"):
        app(["annotate", "token", "bot", "--role", "admin"])


def test_a_backup_is_taken_and_restored(said, tmp_path: Path) -> None:
    said("create", "storms", "--task", "grade")
    assert said("backup", "all.backup").endswith("all.backup (sqlite)\n")
    said("backup", "all.jsonl", "--portable")
    said("restore", "all.jsonl", "--db", "again.db")
    assert "storms" in said("status", "--db", "again.db")


def test_the_database_may_be_named_by_the_environment(said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARALOOM_DB", f"sqlite:///{tmp_path / 'mine.db'}")
    said("create", "storms", "--task", "pair")
    assert (tmp_path / "mine.db").is_file()
    assert not (tmp_path / "paraloom.db").exists()


REFUSED = [
    (("status",), r"InputError: There is no database paraloom\.db\. Make a campaign with `paraloom annotate create`"),
    (("create", "../x", "--task", "pair"), r"'\.\./x' cannot name a campaign"),
    (("create", "x", "--task", "pair", "--ends-at", "2027-01-01"), r"must say its time zone"),
    (("create", "x", "--task", "pair", "--pay", "-1"), r"`pay` is -1"),
    (("create", "x", "--task", "pair", "--instructions", "absent.md"), r"There is no file absent\.md"),
    (("create", "x", "--task", "pair", "--db", "absent/x.db"), r"There is no folder absent"),
    (("create", "x", "--task", "pair", "--db", "mysql://x/y"), r"is no database Paraloom knows"),
    (("restore", "absent", "--db", "x.db"), r"There is no file absent"),
    (("status", "--db", "."), r"--db '\.' names no file"),
    (("invite", "--address", "example.org"), r"'example\.org' is no address of a service\. Write it as https://"),
    (("invite", "--days", "-1"), r"for some time: at most 365 days"),
    (("simulate", "--seconds", "-1"), r"--seconds must be more than 0"),
]


@pytest.mark.parametrize(("words", "message"), REFUSED)
def test_what_cannot_be_done_is_said_in_words(run, words: tuple[str, ...], message: str) -> None:
    done = run("annotate", *words)
    assert done.returncode == 1
    assert re.search(message, " ".join(done.stderr.split()))
    assert "Traceback" not in done.stderr


def test_what_is_not_installed_is_named_with_the_line_that_installs_it(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from paraloom.workflows.annotate import opened

    monkeypatch.setattr(opened, "NEEDED", ("sqlalchemy", "no_such_module"))
    with pytest.raises(InputError, match=r"needs no_such_module.*pip install 'paraloom\[annotate\]'"):
        opened.check_installed()


REFUSED_OF_A_CAMPAIGN = [
    (("status", "nope"), "", r"There is no campaign 'nope'\. There are: game, storms\. `paraloom annotate create`"),
    (("open", "nope"), "", r"There are: game, storms"),
    (("export", "nope", "--out", "x"), "", r"There are: game, storms"),
    (("import", "given.tsv", "--campaign", "nope"), "left\tright\n", r"There are: game, storms"),
    (("settings", "storms", "--set", "pay=abc"), "", r"`pay` is 'abc', but must be a number\."),
    (("settings", "storms", "--set", "pay=-1"), "", r"`pay` is -1, but must be from 0 to 1,000,000\."),
    (("import", "given.jsonl", "--campaign", "storms"), "{bad\n", r"has 1 row, and none can be read.*line 1: not JSON"),
    (("import", "given.tsv", "--campaign", "game"), "left\tright\na\tb\n", r"Say which side it is: --columns source="),
    (("import-judgments", "given.jsonl", "--campaign", "storms"), '{"left": "a"}\n', r"`paraloom annotate import`"),
    (("import-judgments", "run", "--campaign", "storms"), "", r"run holds tables.*export --format jsonl"),
]


@pytest.mark.parametrize(("words", "given", "message"), REFUSED_OF_A_CAMPAIGN)
def test_an_error_says_what_is_there_and_what_to_do(
    said, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], given: str, message: str
) -> None:
    said("create", "storms", "--task", "pair")
    said("create", "game", "--task", "write")
    said("export", "storms", "--out", "run")
    for name in ("given.tsv", "given.jsonl"):
        (tmp_path / name).write_text(given, encoding="utf-8")
    with pytest.raises((InputError, NotFound)) as refused:
        app(["annotate", *words])
    assert re.search(message, str(refused.value))


def test_judgments_of_another_kind_leave_nothing_behind(said, tmp_path: Path) -> None:
    said("create", "storms", "--task", "pair")
    said("create", "graded", "--task", "grade", "--open")
    row = {
        "judgment_id": "0" * 32,
        "item_id": "one",
        "annotator": "ann",
        "client_id": "drawn-anew-1",
        "answer": {"label": "4"},
        "content": {"left": "the storm hit", "right": "a storm struck"},
    }
    (tmp_path / "judged.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"Nothing was imported: 1 answer cannot be used.*kind 'pair'.*line 1"):
        app(["annotate", "import-judgments", "judged.jsonl", "--campaign", "storms"])
    (status,) = json.loads(said("status", "storms", "--json"))["campaigns"]
    assert status["progress"]["items"] == 0
    assert said("import-judgments", "judged.jsonl", "--campaign", "graded") == (
        "1 judgment added to graded, with 1 person and 1 item that were not there; 0 judgments were there already.\n"
    )


@pytest.mark.parametrize(("out", "is_folder"), [("judged", True), ("judged.csv", False), ("judged.jsonl.gz", False)])
def test_an_exports_format_follows_the_ending(said, tmp_path: Path, out: str, is_folder: bool) -> None:
    said("create", "storms", "--task", "pair")
    said("export", "storms", "--out", out)
    assert (tmp_path / out).is_dir() == is_folder


def test_an_empty_campaign_that_is_opened_and_a_service_without_people_say_so(said) -> None:
    said("create", "storms", "--task", "pair")
    assert "it has no items yet: `paraloom annotate import FILE --campaign storms`" in said("open", "storms")
    assert "There is nobody yet" in said("people", "list")


def test_a_campaign_that_gives_nothing_to_go_on_with_says_what_is_taken(said) -> None:
    said("create", "seeds", "--task", "seed")
    said("create", "pairs", "--task", "pair")
    assert "seeds gives nothing yet" in said("fill", "next", "seeds", "--campaign", "pairs")
    with pytest.raises(NotFound, match=r"There is no campaign 'absent'\. There are: .*seeds"):
        said("fill", "next", "absent", "--campaign", "pairs")


def test_every_kinds_line_of_the_docs_can_be_imported(said, tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "docs" / "judgments.md").read_text(encoding="utf-8")
    table = page.partition("| a line to import |")[2].partition("\n\n")[0]
    imported = set()
    for row in table.splitlines()[2:]:
        kinds, lines = row.strip("| ").split(" | ")
        for kind in re.findall(r"`(\w+)`", kinds):
            said("create", kind, "--task", kind)
            for line in re.findall(r"`([^`]+)`", lines):
                (tmp_path / "item.jsonl").write_text(line + "\n", encoding="utf-8")
                told = json.loads(said("import", "item.jsonl", "--campaign", kind, "--json"))
                assert (told["added"], told["bad_rows"]) == (1, 0)
            imported.add(kind)
    assert imported == {"pair", "choose", "grade", "extract", "match", "write", "rate", "topic", "seed"}
