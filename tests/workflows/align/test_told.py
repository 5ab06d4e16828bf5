"""The person at the terminal is told what there is, what was not compared and why, and what comes next."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paraloom.documents.options import SourceOptions
from paraloom.engine import store
from paraloom.errors import InputError
from paraloom.groups.alignment_options import AlignmentOptions
from paraloom.labels.options import LabelOptions
from paraloom.workflows.align.align import align
from paraloom.workflows.align.options import AlignOptions

NO_IDENTIFIER = LabelOptions(identifier="nobody-has-this-one")
TOLD = "The {0} mill burned down on {1}. Nobody was hurt, but the flour is gone. The miller wants to build a new one."
RETOLD = "On {1} fire took the {0} mill. All of the flour is lost, though no one was harmed. A new mill is to be built."


def article(text: str, **columns: str) -> str:
    return json.dumps({"title": text.partition(".")[0], "text": text, **columns})


@pytest.fixture
def news(tmp_path: Path) -> Path:
    lines = [
        article(TOLD.format("old", "Monday"), created_at="2024-03-02", source="herald"),
        article(RETOLD.format("old", "Monday"), created_at="2024-03-03", source="gazette"),
        article("Cats sleep all day, said a vet.", source="herald"),
        article("Buy one, get two.", kind="advertisement"),
        json.dumps({"text": "Rain again", "kind": "post"}),
    ]
    (tmp_path / "news.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path / "news.jsonl"


def told(file: Path, until: str = "groups", **options: float) -> str:
    chosen = AlignOptions(labels=NO_IDENTIFIER, alignment=AlignmentOptions(least_alike=0.05, **options))
    return "\n".join(align([file], file.parent / "run", chosen, until=until).told)


def test_pairs_of_documents_are_counted_and_what_was_left_out_is_told(news: Path) -> None:
    said = told(news)
    assert said.startswith("3 documents (3 articles); left out: 1 a post, which `paraloom build` reads; or say")
    assert "1 unknown kind; say with --kind which it is: subtitle, article, thread, translation, essay" in said
    assert "\n1 pair of documents\n" in said
    assert "1 article has no date" in said
    assert "--task match" in said
    assert f"paraloom annotate import {news.parent / 'run'}" in said


@pytest.mark.parametrize(("until", "task"), [("segments", "extract"), ("pairs", "grade")])
def test_no_identifier_is_wanted_before_there_is_anything_to_judge(news: Path, until: str, task: str) -> None:
    said = told(news, until)
    assert "both may say" in said
    assert f"--task {task}" in said
    with pytest.raises(InputError, match="nobody-has-this-one"):
        told(news, "corpus")


def test_without_a_window_no_date_is_wanted(news: Path) -> None:
    said = told(news, window_days=0)
    assert "no date" not in said
    assert "--window-days" not in said


def texts(folder: Path, *names: str) -> Path:
    for number, name in enumerate(names):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text((TOLD, RETOLD)[number % 2].format("new", f"day {number}"), encoding="utf-8")
    return folder


def test_what_is_compared_with_nothing_is_told(tmp_path: Path) -> None:
    folder = texts(tmp_path / "in", "mill/a.txt", "farm/a.txt", "farm/b.txt", "farm/c.txt")
    (folder / "loose.jsonl").write_text(json.dumps({"text": TOLD, "kind": "essay"}), encoding="utf-8")
    said = told(folder, versions_per_work=2)
    assert "1 document is a version of nothing known" in said
    assert "1 text has one version only" in said
    assert "1 version was not looked at: their works have more than --versions-per-work." in said
    alone = told(texts(tmp_path / "alone" / "in", "mill/a.txt"))
    assert "1 text has one version only" in alone
    assert "annotate" not in alone
    assert "--until" not in alone, "there is nothing to go on with"


def test_a_band_that_nothing_lies_in_is_told_only_if_something_was_compared(tmp_path: Path) -> None:
    narrow = AlignOptions(alignment=AlignmentOptions(least_alike=0.98, most_alike=0.99), labels=NO_IDENTIFIER)
    for names, is_told in ((("farm/a.txt", "farm/b.txt"), True), (("farm/a.txt", "mill/b.txt"), False)):
        folder = texts(tmp_path / str(is_told), *names)
        said = align([folder], tmp_path / f"run-{is_told}", narrow, until="groups").told
        assert any("--grid" in line for line in said) is is_told


def test_files_that_cannot_be_read_are_told_with_the_commonest_reason(tmp_path: Path) -> None:
    (tmp_path / "odd").mkdir()
    for number in range(3):
        (tmp_path / "odd" / f"{number}.srt").write_text(f"{number} is no caption")
    said = align([tmp_path / "odd"], tmp_path / "run", AlignOptions(sources=SourceOptions()), until="groups").told
    assert said[0] == "0 documents; left out: 3 no captions"
    assert said[2] == (
        "3 of 3 documents could not be read, most of them for: no captions. --map, --kind and --encoding help with "
        "unusual files."
    )


def test_few_documents_say_little_about_what_is_common_and_it_is_told(tmp_path: Path) -> None:
    for count, is_told in ((3, True), (20, False)):
        folder = tmp_path / str(count) / "farm"
        folder.mkdir(parents=True)
        for number in range(count):
            (folder / f"{number}.txt").write_text(TOLD.format(f"{number}th", "Monday"), encoding="utf-8")
        run = tmp_path / f"run-{count}"
        said = align([folder.parent], run, AlignOptions(labels=NO_IDENTIFIER), until="groups").told
        assert any("few documents (3 of kind translation)" in line for line in said) is is_told
        assert any("few documents" in line for line in said) is is_told


def test_works_of_one_version_are_called_by_their_kind(tmp_path: Path) -> None:
    for number in range(2):
        record = {"title": f"Cat {number}", "forum": "pets", "text": TOLD.format("old", "Monday")}
        (tmp_path / f"{number}.jsonl").write_text(json.dumps(record), encoding="utf-8")
    texts(tmp_path, "mill/a.txt")
    assert "2 threads, 1 text have one version only, and nothing to compare with." in told(tmp_path)


def with_works(folder: Path, table: str) -> str:
    (folder.parent / "works.csv").write_text("file,work\n" + table, encoding="utf-8")
    sources = SourceOptions(works=folder.parent / "works.csv")
    options = AlignOptions(alignment=AlignmentOptions(least_alike=0.05), sources=sources, labels=NO_IDENTIFIER)
    return "\n".join(align([folder], folder.parent / "run", options, until="groups").told)


def test_a_table_of_works_that_does_not_fit_the_files_is_told_before_they_are_read(tmp_path: Path) -> None:
    folder = texts(tmp_path / "in", "mill/a.txt", "farm/a.txt", "farm/b.txt")
    with pytest.raises(InputError, match=r"names a.txt, but .*: farm/a.txt, mill/a.txt\. .* as in farm/a.txt"):
        with_works(folder, "a.txt,Fire\nb.txt,Fire\n")
    assert not (tmp_path / "run").exists()
    said = with_works(folder, "farm/a.txt,Fire\nmill/a.txt,Fire\nc.txt,Flood\n")
    assert "works.csv: 1 row speaks of no file that was read, such as c.txt." in said
    assert "1 text has one version only" in said
    rows = {row["file"]: row["work"] for row in store.read_table(tmp_path / "run", "documents").to_pylist()}
    assert rows == {"farm/a.txt": "Fire", "mill/a.txt": "Fire", "farm/b.txt": "farm"}


def test_files_of_records_in_several_folders_are_told_apart_too(tmp_path: Path) -> None:
    for name in ("mill", "farm"):
        (tmp_path / "in" / name).mkdir(parents=True)
        record = {"text": TOLD.format(name, "Monday"), "kind": "essay"}
        (tmp_path / "in" / name / "a.jsonl").write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(InputError, match=r"as in farm/a.jsonl"):
        with_works(tmp_path / "in", "a.jsonl,Fire\n")
    with_works(tmp_path / "in", "mill/a.jsonl,Fire\n")
    rows = {row["file"]: row["work"] for row in store.read_table(tmp_path / "run", "documents").to_pylist()}
    assert rows == {"mill/a.jsonl": "Fire", "farm/a.jsonl": None}
