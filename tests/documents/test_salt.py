"""Authors' hashes depend on a secret that is drawn once, kept to its owner, and written down nowhere else."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from paraloom.documents.authors import author_hash
from paraloom.documents.options import ReadOptions
from paraloom.documents.salt import own_salt, read_accounts, with_salt, without_secrets
from paraloom.errors import InputError


@pytest.fixture(autouse=True)
def settings_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    monkeypatch.delenv("PARALOOM_AUTHOR_SALT", raising=False)
    return tmp_path / "settings" / "paraloom"


def test_a_salt_is_drawn_once_and_kept(settings_folder: Path) -> None:
    salt = own_salt()
    assert re.fullmatch("[0-9a-f]{32}", salt)
    assert own_salt() == salt
    assert [file.name for file in settings_folder.iterdir()] == ["author_salt"]


def test_an_empty_file_is_no_salt(settings_folder: Path) -> None:
    settings_folder.mkdir(parents=True)
    (settings_folder / "author_salt").write_text("\n")
    salt = own_salt()
    assert re.fullmatch("[0-9a-f]{32}", salt)
    assert own_salt() == salt


def test_a_salt_is_drawn_where_there_are_no_hard_links(settings_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*places: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    salt = own_salt()
    assert re.fullmatch("[0-9a-f]{32}", salt)
    assert own_salt() == salt
    assert [file.name for file in settings_folder.iterdir()] == ["author_salt"]
    assert stat.S_IMODE((settings_folder / "author_salt").stat().st_mode) == 0o600


def test_of_two_salts_written_at_once_the_first_counts(settings_folder: Path) -> None:
    settings_folder.mkdir(parents=True)
    (settings_folder / "author_salt").write_text("first\nsecond\n")
    assert own_salt() == "first"


def test_where_no_salt_can_be_kept_the_error_says_how_to_give_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "no_folder").write_text("")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "no_folder"))
    with pytest.raises(InputError, match=r"no_folder.*PARALOOM_AUTHOR_SALT or give --author-salt"):
        own_salt()


def test_two_people_draw_two_salts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = own_salt()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "another"))
    assert own_salt() != mine


def test_only_its_owner_can_read_the_salt(settings_folder: Path) -> None:
    own_salt()
    assert stat.S_IMODE((settings_folder / "author_salt").stat().st_mode) == 0o600


@pytest.mark.parametrize("is_there", [False, True])
def test_processes_that_draw_at_once_agree(is_there: bool, settings_folder: Path) -> None:
    if is_there:
        settings_folder.mkdir(parents=True)
        (settings_folder / "author_salt").touch()
    code = "from paraloom.documents.salt import own_salt; print(own_salt())"
    started = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(4)]
    drawn = [process.communicate()[0].strip() for process in started]
    assert len(drawn[0]) == 32
    assert set(drawn) == {drawn[0]}


def test_without_a_setting_the_salt_lies_in_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    salt = own_salt()
    assert (tmp_path / ".config" / "paraloom" / "author_salt").read_text(encoding="ascii") == salt + "\n"


def test_the_option_comes_before_the_environment_and_that_before_the_persons_own(
    settings_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert with_salt(ReadOptions()).author_salt == own_salt()
    monkeypatch.setenv("PARALOOM_AUTHOR_SALT", "the team's")
    assert with_salt(ReadOptions()).author_salt == "the team's"
    assert with_salt(ReadOptions(author_salt="given")).author_salt == "given"


def test_no_salt_is_drawn_where_one_is_given(settings_folder: Path) -> None:
    with_salt(ReadOptions(author_salt="given"))
    assert not settings_folder.exists()


def test_what_goes_into_a_signature_tells_salts_apart_and_names_none() -> None:
    one, other = (without_secrets(ReadOptions(author_salt=salt)) for salt in ("secret one", "secret two"))
    assert "secret" not in repr(one)
    assert one != other


def test_the_places_of_files_are_no_part_of_a_signature() -> None:
    placed = ReadOptions(author_salt="s", pages=Path("here"), shorteners=Path("there"))
    assert without_secrets(placed) == without_secrets(ReadOptions(author_salt="s"))


ACCOUNTS = "@BBCBreaking\n\n  cnn  # the international one\n# a remark\nCNN\n"


def test_listed_accounts_are_hashed_as_authors_are(tmp_path: Path) -> None:
    file = tmp_path / "accounts.txt"
    file.write_text(ACCOUNTS, encoding="utf-8")
    salted = ReadOptions(author_salt="s")
    assert read_accounts(file, salted) == {author_hash("bbcbreaking", "s"), author_hash("@cnn", "s")}
    assert not read_accounts(file, salted) & read_accounts(file, ReadOptions(author_salt="t"))


def test_no_file_lists_no_accounts() -> None:
    assert read_accounts(None, ReadOptions()) == frozenset()


def test_a_file_of_accounts_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"accounts file .*absent.txt cannot be read.*one account's name a line"):
        read_accounts(tmp_path / "absent.txt", ReadOptions())
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9")
    with pytest.raises(InputError, match=r"latin.txt cannot be read"):
        read_accounts(tmp_path / "latin.txt", ReadOptions())


POST = '{"text": "the storm hit the coast on monday", "author": "ann", "id": 7, "url": "https://a.example/x"}\n'


def test_the_salt_is_nowhere_in_a_run_and_decides_the_hashes(tmp_path: Path) -> None:
    from paraloom.engine.store import read_table
    from paraloom.workflows.build import BuildOptions, build

    posts = tmp_path / "posts.jsonl"
    posts.write_text(POST, encoding="utf-8")
    authors = []
    for number, salt in enumerate(("grain of the first", "grain of the second")):
        run = tmp_path / f"run{number}"
        build([posts], run, BuildOptions(read=ReadOptions(author_salt=salt)), until="documents")
        authors += read_table(run, "documents", ("author",)).column("author").to_pylist()
        for file in (file for file in run.rglob("*") if file.is_file()):
            assert b"grain of" not in file.read_bytes(), os.fspath(file)
    assert authors == [author_hash("ann", "grain of the first"), author_hash("ann", "grain of the second")]
    assert authors[0] != authors[1]
