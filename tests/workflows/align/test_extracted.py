"""What an aligner suggests goes to people, what they extract comes back with its exact place, and tells how much a
source gives."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from paraloom.engine import store
from paraloom.errors import InputError, TargetTaken
from paraloom.groups.alignment_options import AlignmentOptions
from paraloom.groups.rounds import read_yields
from paraloom.judgments.answers import GivenAnswer, record_answer
from paraloom.judgments.assign import Handed, hand_out
from paraloom.judgments.campaigns import campaign_of
from paraloom.judgments.people import add_person
from paraloom.judgments.settings import CampaignSettings
from paraloom.judgments.store.columns import now
from paraloom.judgments.store.database import Database
from paraloom.judgments.store.migrate import open_database
from paraloom.labels.options import LabelOptions
from paraloom.workflows.align.align import align
from paraloom.workflows.align.options import AlignOptions
from paraloom.workflows.annotate.campaigns import create
from paraloom.workflows.annotate.files import items_into, judgments_out
from paraloom.workflows.annotate.options import ExportOptions, ImportItemsOptions
from paraloom.workflows.evaluate.extraction import evaluate_extraction


@pytest.fixture(scope="module")
def run(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("extracted") / "run"
    options = AlignOptions(
        labels=LabelOptions(identifier="ngram-regression"), alignment=AlignmentOptions(least_alike=0.1)
    )
    align([sources], out, options, until="segments")
    return out


@pytest.fixture(scope="module")
def judged(run: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Database, Path]]:
    """One person takes over every suggestion in films and finds nothing elsewhere; and what was exported."""
    folder = tmp_path_factory.mktemp("judged")
    database = open_database(f"sqlite:///{folder / 'store.db'}")
    settings = CampaignSettings(judgments_per_item=1)
    create(database, "films", task="extract", title=None, settings=settings, instructions=None, opens=True)
    items_into(database, "films", [run], ImportItemsOptions())
    person = database.write(lambda c: add_person(c, name="Ann", hashed=None, role="annotator", now=now(), by="test"))
    campaign = database.read(lambda c: campaign_of(c, "films"))
    number = 0
    while isinstance(handed := database.write(lambda c: hand_out(c, campaign, person, now=now())), Handed):
        content = handed.item.content
        is_film = handed.item.origin["kind"] == "subtitle"
        pairs = [
            {name: value for name, value in one.items() if name != "score"} for one in content["suggestions"] if is_film
        ]
        answer = {"pairs": pairs, "state": "finished" if pairs else "empty", "suggestions_shown": True}
        number += 1
        given = GivenAnswer(
            item_id=handed.item.item_id, answer=answer, client_id=f"answer-{number:04}", instructions_version=1
        )
        database.write(lambda c, given=given: record_answer(c, campaign, person, given, now=now()))
    judgments_out(database, "films", folder / "judged.jsonl", ExportOptions())
    judgments_out(database, "films", folder / "tables", ExportOptions())
    yield database, folder
    database.close()


def test_what_was_extracted_stands_where_the_table_says_it_does(run: Path, judged: tuple[Database, Path]) -> None:
    texts = {row["document_id"]: row["text"] for row in store.read_table(run, "documents").to_pylist()}
    sentences = store.read_table(judged[1] / "tables", "sentences").to_pylist()
    assert len(sentences) > 20
    for row in sentences:
        assert texts[row["document_id"]][row["start"] : row["end"]] == row["text"]
    suggested = {
        (row[f"{side}_document_id"], row[f"{side}_start"], row[f"{side}_end"])
        for row in store.read_table(run, "segments").to_pylist()
        for side in ("left", "right")
    }
    assert {(row["document_id"], row["start"], row["end"]) for row in sentences} <= suggested


def test_films_gave_all_and_the_others_nothing(judged: tuple[Database, Path]) -> None:
    found = evaluate_extraction([judged[1] / "judged.jsonl"])
    figures = {one.kind: one for one in found.figures}
    assert set(figures) == {"subtitle", "article", "thread", "translation"}
    assert figures["subtitle"].empty == 0
    assert figures["article"].empty == 1
    assert figures["subtitle"].extracted_per_document is not None
    assert figures["subtitle"].extracted_per_document > 10
    assert {"The Harbour", "The Mill"} <= set(found.works)
    told = found.as_text()
    assert "in the paper" in told
    assert "17.6" in told
    as_json = json.loads(json.dumps(found.as_json()))
    assert as_json["metrics"]["subtitle"]["documents"] == 2


def test_the_yields_that_are_written_are_read_by_a_second_round(
    judged: tuple[Database, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from paraloom.cli import app

    file = tmp_path / "yields.csv"
    app(
        ["evaluate", "extraction", str(judged[1] / "judged.jsonl"), "--write-yields", str(file)],
        result_action="return_value",
    )
    assert "subtitle" in capsys.readouterr().out
    assert read_yields(file) == evaluate_extraction([judged[1] / "judged.jsonl"]).works


def test_a_file_of_other_judgments_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text('{"task": "pair", "item_id": "1", "content": {}, "answer": {}}\n', encoding="utf-8")
    with pytest.raises(InputError, match="no answer of the task extract"):
        evaluate_extraction([file])


def test_what_an_expert_decided_is_no_extractors_work(judged: tuple[Database, Path], tmp_path: Path) -> None:
    lines = (judged[1] / "judged.jsonl").read_text(encoding="utf-8")
    first = json.loads(lines.splitlines()[0])
    (tmp_path / "more.jsonl").write_text(lines + json.dumps({**first, "is_decision": True}) + "\n", encoding="utf-8")
    assert evaluate_extraction([tmp_path / "more.jsonl"]) == evaluate_extraction([judged[1] / "judged.jsonl"])


def test_documents_that_two_people_read_count_twice_and_that_is_told(
    judged: tuple[Database, Path], tmp_path: Path
) -> None:
    lines = [json.loads(line) for line in (judged[1] / "judged.jsonl").read_text(encoding="utf-8").splitlines()]
    film = next(line for line in lines if line["origin"]["kind"] == "subtitle")
    found = {**film["answer"], "pairs": film["answer"]["pairs"][:-2]}
    again = {**film, "judgment_id": "another", "annotator": "Bob", "answer": found}
    file = tmp_path / "both.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in [*lines, again]), encoding="utf-8")
    once, twice = evaluate_extraction([judged[1] / "judged.jsonl"]), evaluate_extraction([file])
    assert (once.read_by_several, twice.read_by_several) == (0, 1)
    subtitles = [next(one for one in each.figures if one.kind == "subtitle").documents for each in (once, twice)]
    assert subtitles == [2, 3]
    assert "each reader" not in once.as_text()
    assert "Counted once for each reader: 1 pair of documents that several people read." in twice.as_text()
    work = film["origin"]["key"]
    assert twice.works[work] == once.works[work] - 1, "what both found on average"


def test_yields_are_means_and_a_file_of_them_is_replaced_only_where_told_so(
    judged: tuple[Database, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from paraloom.cli import app

    lines = [json.loads(line) for line in (judged[1] / "judged.jsonl").read_text(encoding="utf-8").splitlines()]
    film = next(line for line in lines if line["origin"]["kind"] == "subtitle")
    found = {**film["answer"], "pairs": film["answer"]["pairs"][:-1]}
    again = {**film, "judgment_id": "another", "annotator": "Bob", "answer": found}
    file, yields = tmp_path / "both.jsonl", tmp_path / "yields.csv"
    file.write_text("".join(json.dumps(line) + "\n" for line in [*lines, again]), encoding="utf-8")
    yields.write_text("mine\n", encoding="utf-8")
    command = ["evaluate", "extraction", str(file), "--write-yields", str(yields)]
    with pytest.raises(TargetTaken, match=r"is there already\. Choose another --write-yields, or replace it with"):
        app(command, result_action="return_value")
    assert (yields.read_text(encoding="utf-8"), capsys.readouterr().out) == ("mine\n", "")
    app([*command, "--overwrite"], result_action="return_value")
    work = film["origin"]["key"]
    before = evaluate_extraction([judged[1] / "judged.jsonl"]).works
    assert read_yields(yields) == before | {work: before[work] - 0.5}
    with pytest.raises(InputError, match=r"is given to be read itself\. Give --write-yields another"):
        app([*command[:-1], str(file), "--overwrite"], result_action="return_value")


def test_what_is_no_export_is_told_with_what_to_give(tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text("left,right\na,b\n", encoding="utf-8")
    for given, why in (
        (tmp_path, r"is a folder\. Give the file that `paraloom annotate export --format jsonl` wrote"),
        (
            tmp_path / "pairs.csv",
            r"no column 'task'; it has left, right\. Give the file that `paraloom annotate export",
        ),
    ):
        with pytest.raises(InputError, match=why) as error:
            evaluate_extraction([given])
        assert "--columns" not in str(error.value)
