"""Tables are snapshots of the store, signed by its last judgment; what people made is among them."""

from __future__ import annotations

import csv
import json
import os
import secrets
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import orjson
import pytest
import sqlalchemy as sa

from paraloom.engine.store import read_made_by, read_table
from paraloom.errors import InputError, NotFound, TargetTaken
from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.checks import keep_check
from paraloom.judgments.decide import GivenDecision, decide
from paraloom.judgments.exchange.export import ExportAs, export_judgments
from paraloom.judgments.exchange.judgments_in import import_judgments
from paraloom.judgments.game import Check
from paraloom.judgments.items import NewItem, proposers_of
from paraloom.judgments.people import Person, erase_identity
from paraloom.judgments.set_aside import set_aside_work
from paraloom.judgments.store import schema
from paraloom.judgments.store.database import Database
from tests.judgments.working import judge

OpenCampaign = Callable[..., Campaign]
AddPeople = Callable[..., list[Person]]
Pairs = Callable[..., list[NewItem]]


def test_a_tables_signature_names_the_last_judgment(
    database: Database,
    open_campaign: OpenCampaign,
    add_people: AddPeople,
    some_pairs: Pairs,
    tmp_path: Path,
    now: datetime,
) -> None:
    campaign = open_campaign(database, some_pairs(2))
    (ann,) = add_people(database, 1)
    first = judge(database, campaign, ann, "pair-0", {"is_paraphrase": True}, now)
    run = tmp_path / "run"
    done = export_judgments(database, run, format="tables", campaign_id=campaign.campaign_id)
    assert done.rows == {"judgments": 1}
    made_by = read_made_by(run, "judgments")
    assert made_by["inputs"]["judgments"] == f"1 up to 1:{first}"
    before = (run / "judgments" / "part-00.parquet").stat().st_mtime_ns
    export_judgments(database, run, format="tables", campaign_id=campaign.campaign_id)  # the same moment: nothing to do
    assert (run / "judgments" / "part-00.parquet").stat().st_mtime_ns == before
    judge(database, campaign, ann, "pair-1", {"is_paraphrase": True}, now)
    with pytest.raises(TargetTaken, match="of another moment"):
        export_judgments(database, run, format="tables", campaign_id=campaign.campaign_id)
    assert len(read_table(run, "judgments")) == 1
    how = ExportAs(overwrite=True)
    export_judgments(database, run, format="tables", campaign_id=campaign.campaign_id, how=how)
    assert len(read_table(run, "judgments")) == 2
    assert sorted(os.listdir(run)) == ["judgments", "judgments.made_by.json"]


def test_many_judgments_are_cut_into_parts_by_their_ids(
    database: Database,
    open_campaign: OpenCampaign,
    add_people: AddPeople,
    some_pairs: Pairs,
    tmp_path: Path,
    now: datetime,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("paraloom.judgments.exchange.tables_out.ROWS_PER_BUCKET", 5)
    monkeypatch.setattr("paraloom.judgments.exchange.snapshot.AT_ONCE", 3)
    campaign = open_campaign(database, some_pairs(10))
    ids = [
        judge(database, campaign, person, f"pair-{n}", {"is_paraphrase": n % 2 == 0}, now)
        for person in add_people(database, 3)
        for n in range(10)
    ]
    export_judgments(database, tmp_path / "run", format="tables", campaign_id=campaign.campaign_id)
    assert read_made_by(tmp_path / "run", "judgments")["buckets"] == 8
    assert read_table(tmp_path / "run", "judgments").column("judgment_id").to_pylist() == sorted(ids)


def test_a_rewrite_becomes_a_pair_with_the_label_4(
    database: Database, open_campaign: OpenCampaign, add_people: AddPeople, tmp_path: Path, now: datetime
) -> None:
    item = NewItem(
        item_id="p0", group_id="g", content={"left": "I toiled.", "right": "I worked a lot."}, origin={"left_id": "L"}
    )
    campaign = open_campaign(database, [item], task="grade")
    ann, bo = add_people(database, 2)
    said = judge(database, campaign, ann, "p0", {"label": "3", "rewrite_right": "I worked hard."}, now)
    aside = judge(database, campaign, bo, "p0", {"label": "3", "rewrite_right": "I sang."}, now)
    database.write(lambda c: set_aside_work(c, campaign, bo.person_id, reason="x", now=now, by="test"))
    done = export_judgments(database, tmp_path / "run", format="tables", campaign_id=campaign.campaign_id)
    assert done.rows == {"judgments": 2, "pairs": 2, "labels": 1, "sentences": 0}
    pairs = {row["proposed_by"]: row for row in read_table(tmp_path / "run", "pairs").to_pylist()}
    new = pairs[f"rewrite:{said}"]
    assert (new["left"], new["right"], new["left_id"], new["group_id"], new["dropped_for"]) == (
        "I toiled.",
        "I worked hard.",
        "L",
        "g",
        None,
    )
    assert pairs[f"rewrite:{aside}"]["dropped_for"] == "set_aside"
    (label,) = read_table(tmp_path / "run", "labels").to_pylist()
    assert (label["pair_id"], label["grade"], label["is_paraphrase"]) == (new["pair_id"], "4", True)
    assert label["labelled_by"] == f"judgment:{said}"


@pytest.fixture
def decided(
    database: Database, open_campaign: OpenCampaign, add_people: AddPeople, now: datetime
) -> tuple[Campaign, list[Person], list[str]]:
    """Two people differ about two pairs; an expert takes over the first one's answer to one, and changes their mind
    about the other. Nobody is asked about the third."""
    items = [
        NewItem(
            item_id=f"p{n}",
            content={"left": f"I toiled {n}.", "right": f"I worked a lot {n}."},
            origin={"left_id": f"L{n}", "right_id": f"R{n}"},
        )
        for n in range(3)
    ]
    campaign = open_campaign(database, items, task="grade", judgments_per_item=2)
    people = [*add_people(database, 2), *add_people(database, 1, "expert")]
    said = [
        judge(database, campaign, person, f"p{n}", {"label": label, **more}, now)
        for n in range(2)
        for person, label, more in ((people[0], "4<", {"rewrite_right": "I worked hard."}), (people[1], "2", {}))
    ]

    def settle(n: int, after: int | None, minutes: int, **what: Any) -> int:
        seen = said[2 * n : 2 * n + 2]
        given = GivenDecision(item_id=f"p{n}", seen=seen, after=after, reason=f"reason {minutes}", **what)
        at = now + timedelta(minutes=minutes)
        return database.write(lambda c: decide(c, campaign, people[2], given, now=at)).number

    settle(0, None, 1, accepted=said[0])
    first = settle(1, None, 2, answer={"label": "3"})
    settle(1, first, 3, answer={"label": "4>", "rewrite_left": "I slaved away."})
    return campaign, people, said


def test_a_decision_that_holds_is_a_row_of_its_own(
    database: Database, decided: tuple[Campaign, list[Person], list[str]], tmp_path: Path, now: datetime
) -> None:
    campaign, (*_, expert), said = decided
    done = export_judgments(database, tmp_path / "run", format="tables", campaign_id=campaign.campaign_id)
    assert (done.judgments, done.rows["judgments"]) == (4, 6)
    rows = read_table(tmp_path / "run", "judgments").to_pylist()
    assert {row["judgment_id"] for row in rows if not row["is_decision"]} == set(said)
    assert {(row["item_id"], row["left_id"]) for row in rows} == {("p0", "L0"), ("p1", "L1")}
    found = sorted((row for row in rows if row["is_decision"]), key=lambda row: row["item_id"])
    assert [json.loads(row["answer"])["label"] for row in found] == ["4<", "4>"]
    assert [row["created_at"] for row in found] == [now + timedelta(minutes=at) for at in (1, 3)]
    for row in found:
        assert (row["annotator"], row["task"], row["instructions_version"]) == (expert.person_id, "grade", 1)
        assert (row["client_id"], row["seconds"], row["not_counted_for"], row["is_test"]) == (None, None, None, False)
    again = export_judgments(database, tmp_path / "named", format="tables", how=ExportAs(names=True))
    assert again.rows == done.rows
    named = [row for row in read_table(tmp_path / "named", "judgments").to_pylist() if row["is_decision"]]
    assert {row["annotator"] for row in named} == {expert.name}
    assert {row["judgment_id"] for row in named} == {row["judgment_id"] for row in found}
    lines = export_judgments(database, tmp_path / "j.jsonl", format="jsonl", campaign_id=campaign.campaign_id)
    assert (lines.judgments, lines.rows) == (4, {"judgments": 4, "decisions": 2})


def test_the_rewrite_of_a_decision_is_a_pair_and_one_that_was_taken_over_is_no_second(
    database: Database, decided: tuple[Campaign, list[Person], list[str]], tmp_path: Path
) -> None:
    campaign, (*_, expert), said = decided
    export_judgments(database, tmp_path / "run", format="tables", campaign_id=campaign.campaign_id)
    pairs = read_table(tmp_path / "run", "pairs").to_pylist()
    assert {(row["left"], row["right"], row["proposed_by"]) for row in pairs} == {
        ("I toiled 0.", "I worked hard.", f"rewrite:{said[0]}"),
        ("I toiled 1.", "I worked hard.", f"rewrite:{said[2]}"),
        ("I slaved away.", "I worked a lot 1.", f"rewrite:{expert.person_id}"),
    }
    by_expert = next(row for row in pairs if row["proposed_by"].endswith(expert.person_id))
    assert by_expert["right_id"] == "R1"
    labels = {row["pair_id"]: row for row in read_table(tmp_path / "run", "labels").to_pylist()}
    assert set(labels) == {row["pair_id"] for row in pairs}
    assert {row["grade"] for row in labels.values()} == {"4"}
    assert labels[by_expert["pair_id"]]["labelled_by"].startswith("decision:")
    assert database.read(lambda c: proposers_of(c, by_expert["proposed_by"])) == (expert.person_id,)


@pytest.mark.parametrize("ending", ["jsonl", "csv", "spreadsheet", "parquet"])
def test_decisions_that_come_back_are_neither_doubled_nor_taken_for_answers(
    database: Database,
    decided: tuple[Campaign, list[Person], list[str]],
    open_campaign: OpenCampaign,
    tmp_path: Path,
    now: datetime,
    ending: str,
) -> None:
    campaign, *_ = decided
    file = tmp_path / f"j.{ending}"
    if ending == "parquet":
        export_judgments(database, tmp_path / "run", format="tables", campaign_id=campaign.campaign_id)
        (file,) = (tmp_path / "run" / "judgments").glob("*.parquet")
    elif ending == "spreadsheet":
        file = tmp_path / "j.csv"
        export_judgments(database, file, format="csv", campaign_id=campaign.campaign_id)
        file.write_text(file.read_text("utf-8").replace(",true,", ",TRUE,").replace(",false,", ",FALSE,"), "utf-8")
    else:
        export_judgments(database, file, format=ending, campaign_id=campaign.campaign_id)

    def held() -> tuple[int, ...]:
        tables = (schema.judgments, schema.decisions, schema.votes, schema.people)
        return tuple(
            database.read(lambda c, table=table: c.scalar(sa.select(sa.func.count()).select_from(table)))
            for table in tables
        )

    before = held()
    done = import_judgments(database, campaign.campaign_id, file, now=now)
    assert (done.added, done.there_already, list(done.bad)) == (0, 4, [])
    assert (done.decisions, done.decisions_there_already) == (0, 2 if ending == "parquet" else 3)
    assert held() == before


def test_extracted_pairs_keep_their_offsets_as_sentences(
    database: Database, open_campaign: OpenCampaign, add_people: AddPeople, tmp_path: Path, now: datetime
) -> None:
    left, right = "😢 The storm hit. It rained.", "A gale struck."
    item = NewItem(item_id="d", content={"left": {"text": left, "id": "doc-1"}, "right": {"text": right}})
    campaign = open_campaign(database, [item], task="extract")
    found = {"left_start": 2, "left_end": 16, "right_start": 0, "right_end": 14}
    answer = {"pairs": [found], "state": "finished", "suggestions_shown": False}
    for person in add_people(database, 2):  # both find the same
        judge(database, campaign, person, "d", answer, now)
    done = export_judgments(database, tmp_path / "run", format="tables", campaign_id=campaign.campaign_id)
    assert done.rows == {"judgments": 2, "pairs": 1, "labels": 0, "sentences": 2}
    (pair,) = read_table(tmp_path / "run", "pairs").to_pylist()
    assert (pair["left"], pair["right"]) == ("The storm hit.", "A gale struck.")
    sentences = {row["sentence_id"]: row for row in read_table(tmp_path / "run", "sentences").to_pylist()}
    place = sentences[pair["left_id"]]
    assert (place["document_id"], left[place["start"] : place["end"]]) == ("doc-1", "The storm hit.")


def test_every_try_of_the_game_is_written(
    database: Database, open_campaign: OpenCampaign, add_people: AddPeople, tmp_path: Path, now: datetime
) -> None:
    campaign = open_campaign(database, [NewItem(item_id="s", content={"source": "The storm hit."})], task="write")
    (ann,) = add_people(database, 1)
    judge(database, campaign, ann, "s", {"text": "A gale struck."}, now)
    worth = Check(implication=0.9, similarity=-0.3, reward=0.4, passes=True)
    for text in ("A gale struck.", "Rain."):
        database.write(
            lambda c, text=text: keep_check(
                c, campaign, ann, "s", text, worth, judged_by="model-1", client_id=secrets.token_hex(8), now=now
            )
        )
    done = export_judgments(database, tmp_path / "run", format="tables", campaign_id=campaign.campaign_id)
    assert done.rows == {"judgments": 1, "pairs": 2, "labels": 2, "sentences": 0, "attempts": 2}
    tries = [json.loads(line) for line in (tmp_path / "run" / "attempts.jsonl").read_text().splitlines()]
    assert [(one["source"], one["text"], one["similarity"]) for one in tries] == [
        ("The storm hit.", "A gale struck.", -0.3),
        ("The storm hit.", "Rain.", -0.3),
    ]
    labels = read_table(tmp_path / "run", "labels").to_pylist()
    assert {(one["definition"], one["score"], one["labelled_by"]) for one in labels} == {
        ("implication", 0.9, "model-1")
    }


def test_names_are_told_only_where_they_are_asked_for_and_still_known(
    database: Database,
    open_campaign: OpenCampaign,
    add_people: AddPeople,
    some_pairs: Pairs,
    tmp_path: Path,
    now: datetime,
) -> None:
    campaign = open_campaign(database, some_pairs(1))
    ann, bo = add_people(database, 2)
    for person in (ann, bo):
        judge(database, campaign, person, "pair-0", {"is_paraphrase": True}, now)
    database.write(lambda c: erase_identity(c, bo.person_id, now=now, by="test"))
    for names, expected in ((False, [ann.person_id, bo.person_id]), (True, [ann.name, bo.person_id])):
        out = tmp_path / f"{names}.jsonl"
        export_judgments(database, out, format="jsonl", how=ExportAs(names=names))
        assert [orjson.loads(line)["annotator"] for line in out.read_bytes().splitlines()] == expected
        assert (ann.name.encode() in out.read_bytes()) is names


def test_cells_that_look_like_formulas_are_guarded_only_for_spreadsheets(
    database: Database, open_campaign: OpenCampaign, add_people: AddPeople, tmp_path: Path, now: datetime
) -> None:
    item = NewItem(
        item_id="=1+1", explanation="@x", content={"left": "a", "right": "b"}, expected={"is_paraphrase": True}
    )
    campaign = open_campaign(database, [item])
    judge(database, campaign, add_people(database, 1)[0], "=1+1", {"is_paraphrase": True}, now)
    for guarded, cells in ((False, ["=1+1", "@x"]), (True, ["'=1+1", "'@x"])):
        out = tmp_path / f"{guarded}.csv"
        export_judgments(database, out, format="csv", how=ExportAs(for_spreadsheets=guarded))
        with out.open(encoding="utf-8", newline="") as file:
            (row,) = csv.DictReader(file)
        assert [row["item_id"], row["explanation"]] == cells


def test_what_must_not_be_written_is_refused_and_nothing_is_left_behind(
    database: Database, open_campaign: OpenCampaign, tmp_path: Path
) -> None:
    open_campaign(database, [])
    there = tmp_path / "there.jsonl"
    there.write_text("mine")
    before = sorted(os.listdir(tmp_path))
    for out, format, campaign, error in (
        (there, "jsonl", None, TargetTaken),
        (there, "tables", None, InputError),
        (tmp_path, "csv", None, InputError),
        (tmp_path / "absent" / "x.csv", "csv", None, InputError),
        (tmp_path / "x.json", "label-studio", None, InputError),
        (tmp_path / "x.jsonl", "jsonl", "../storms", NotFound),
        (tmp_path / "x.jsonl", "xml", None, InputError),
    ):
        with pytest.raises(error):
            export_judgments(database, out, format=format, campaign_id=campaign)
    assert sorted(os.listdir(tmp_path)) == before
    assert there.read_text() == "mine"


def test_an_export_is_of_one_moment_while_people_go_on(
    database: Database,
    open_campaign: OpenCampaign,
    add_people: AddPeople,
    some_pairs: Pairs,
    tmp_path: Path,
    now: datetime,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("paraloom.judgments.exchange.snapshot.AT_ONCE", 2)
    campaign = open_campaign(database, some_pairs(30))
    people = add_people(database, 4)
    done = threading.Event()
    acknowledged: list[str] = []

    def work(person: Person) -> None:
        for n in range(30):
            acknowledged.append(judge(database, campaign, person, f"pair-{n}", {"is_paraphrase": True}, now))
            if done.is_set():
                return

    threads = [threading.Thread(target=work, args=(person,)) for person in people]
    for thread in threads:
        thread.start()
    for number in range(5):
        known = list(acknowledged)
        out = tmp_path / f"{number}.jsonl"
        exported = export_judgments(database, out, format="jsonl", campaign_id=campaign.campaign_id)
        ids = [orjson.loads(line)["judgment_id"] for line in out.read_bytes().splitlines()]
        assert len(ids) == exported.judgments
        assert set(known) <= set(ids)  # whatever was acknowledged before is in it
    done.set()
    for thread in threads:
        thread.join()
