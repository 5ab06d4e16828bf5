"""Tables are snapshots of the store, signed by its last judgment; what people made is among them."""

from __future__ import annotations

import csv
import json
import os
import secrets
import threading
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import orjson
import pytest

from paraloom.engine.store import read_made_by, read_table
from paraloom.errors import InputError, NotFound, TargetTaken
from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.checks import keep_check
from paraloom.judgments.exchange.export import ExportAs, export_judgments
from paraloom.judgments.game import Check
from paraloom.judgments.items import NewItem
from paraloom.judgments.people import Person, erase_identity
from paraloom.judgments.set_aside import set_aside_work
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
