"""Judgments of other tools become judgments of a campaign, once each, by people who cannot sign in."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from paraloom.errors import InputError
from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.exchange.judgments_in import JudgmentsFrom, import_judgments
from paraloom.judgments.items import NewItem
from paraloom.judgments.people import Person, everybody
from paraloom.judgments.progress import progress_of
from paraloom.judgments.sign_in import stored_password
from paraloom.judgments.standing import standing_of
from paraloom.judgments.store import schema
from paraloom.judgments.store.database import Database

OpenCampaign = Callable[..., Campaign]


def choices(name: str, *values: str) -> dict[str, Any]:
    return {"from_name": name, "to_name": "left", "type": "choices", "value": {"choices": list(values)}}


def stored(database: Database, campaign: Campaign) -> list[dict[str, Any]]:
    table = schema.judgments
    asked = sa.select(table).filter_by(campaign_id=campaign.campaign_id).order_by(table.c.number)
    return [dict(row._mapping) for row in database.read(lambda c: c.execute(asked).all())]


FULL = [
    {
        "id": 7,
        "data": {"pair": "pair-0", "left": "The storm hit.", "right": "A storm struck."},
        "annotations": [
            {
                "id": 31,
                "result": [choices("paraphrase", "yes")],
                "was_cancelled": False,
                "ground_truth": False,
                "created_at": "2026-01-05T10:00:00.5Z",
                "lead_time": 4.25,
                "completed_by": 2,
            },
            {
                "id": 32,
                "result": [choices("paraphrase", "no")],
                "created_at": "2026-01-05T10:01:00Z",
                "completed_by": {"id": 3, "email": "bo@example.org"},
            },
            {"id": 33, "result": [], "was_cancelled": True, "completed_by": 4},
        ],
        "predictions": [],
    },
    {
        "id": 8,
        "data": {"left": "It rained.", "right": "Rain fell."},
        "annotations": [
            {"id": 34, "result": [choices("paraphrase", "maybe")], "completed_by": 2},
            {"id": 35, "result": "broken", "completed_by": 2},
            {"id": 36, "result": [choices("paraphrase", "yes")], "ground_truth": True, "completed_by": 2},
            {"id": 37, "result": [choices("paraphrase", "no")], "completed_by": 2},
        ],
    },
    "no task",
]


def test_label_studios_json_is_read(
    database: Database, open_campaign: OpenCampaign, tmp_path: Path, now: datetime
) -> None:
    file = tmp_path / "project.json"
    file.write_text(json.dumps(FULL), encoding="utf-8")
    campaign = open_campaign(database, [])
    looked = import_judgments(database, campaign.campaign_id, file, JudgmentsFrom(dry_run=True), now=now)
    assert (looked.added, stored(database, campaign), database.read(everybody)) == (3, [], [])
    done = import_judgments(database, campaign.campaign_id, file, now=now)
    assert (done.added, done.people, done.items) == (3, 2, 2)
    assert {one.where: one.reason for one in done.bad} == {
        "project.json, task 2, annotation 1": "`is_paraphrase` is 'maybe', which is neither yes nor no",
        "project.json, task 2, annotation 2": "`result` is no list",
        "project.json, task 3": "no object",
    }
    first, second, third = stored(database, campaign)
    assert first["created_at"] == datetime(2026, 1, 5, 10, 0, 0, 500_000, tzinfo=UTC)
    assert (first["answer"], first["seconds"], first["purpose"]) == ({"is_paraphrase": True}, 4.25, "imported")
    assert second["answer"] == {"is_paraphrase": False}
    assert (third["is_test"], third["is_right"]) == (True, False)
    people = {person.name: person for person in database.read(everybody)}
    assert set(people) == {"imported:2", "imported:bo@example.org"}
    assert database.read(lambda c: stored_password(c, "imported:2"))[1] is None
    again = import_judgments(database, campaign.campaign_id, file, now=now)
    assert (again.added, again.there_already, again.people, again.items) == (0, 3, 0, 0)
    progress = database.read(lambda c: progress_of(c, campaign.campaign_id))
    assert (progress.items, progress.judgments, progress.tests) == (1, 2, 1)
    standing = database.read(lambda c: standing_of(c, campaign, people["imported:2"].person_id, now))
    assert (standing.answered, standing.tests, standing.tests_right, standing.earned) == (2, 1, 0, 0)


SHORT = [
    {
        "left": "The storm hit.",
        "right": "A storm struck.",
        "id": 7,
        "paraphrase": "yes",
        "annotator": 2,
        "annotation_id": 31,
        "created_at": "2026-01-05T10:00:00Z",
        "lead_time": 3.5,
    },
    {"left": "It rained.", "right": "Rain fell.", "id": 8},
]


def test_label_studios_short_json_is_read(
    database: Database, open_campaign: OpenCampaign, tmp_path: Path, now: datetime
) -> None:
    file = tmp_path / "min.json"
    file.write_text(json.dumps(SHORT), encoding="utf-8")
    campaign = open_campaign(database, [])
    done = import_judgments(database, campaign.campaign_id, file, now=now)
    assert (done.added, done.people, [one.where for one in done.bad]) == (1, 1, ["min.json, task 2"])
    assert stored(database, campaign)[0]["answer"] == {"is_paraphrase": True}
    assert import_judgments(database, campaign.campaign_id, file, now=now).added == 0


def test_label_studios_grades_ratings_and_relations_are_read(
    database: Database, open_campaign: OpenCampaign, tmp_path: Path, now: datetime
) -> None:
    cases = {
        "grade": (
            NewItem(item_id="i", content={"left": "a", "right": "b"}),
            [choices("label", "4"), choices("flags", ">", "s"), {"from_name": "note", "value": {"text": ["hm"]}}],
            {"label": "4>s", "note": "hm", "unsure": False, "rewrite_left": None, "rewrite_right": None},
        ),
        "rate": (
            NewItem(item_id="i", content={"source": "a", "generated": "b", "aspects": ["fluency", "similarity"]}),
            [
                {"from_name": "fluency", "type": "rating", "value": {"rating": 5}},
                {"from_name": "similarity", "type": "rating", "value": {"rating": 2}},
            ],
            {"fluency": 5, "similarity": 2, "diversity": None, "kept": None},
        ),
        "extract": (
            NewItem(item_id="i", content={"left": {"text": "😢 storm"}, "right": {"text": "a gale 😢"}}),
            [
                {"id": "r", "to_name": "right", "type": "labels", "value": {"start": 2, "end": 6, "labels": ["p"]}},
                {"id": "l", "to_name": "left", "type": "labels", "value": {"start": 2, "end": 7, "labels": ["p"]}},
                {"type": "relation", "from_id": "r", "to_id": "l", "direction": "right"},
            ],
            {
                "pairs": [{"left_start": 2, "left_end": 7, "right_start": 2, "right_end": 6}],
                "state": "finished",
                "suggestions_shown": False,
            },
        ),
    }
    for task, (item, result, expected) in cases.items():
        campaign = open_campaign(database, [item], task=task, title=task)
        file = tmp_path / f"{task}.json"
        annotation = {"id": 1, "result": result, "completed_by": 2}
        file.write_text(json.dumps([{"data": {"item_id": "i"}, "annotations": [annotation]}]), encoding="utf-8")
        done = import_judgments(database, campaign.campaign_id, file, now=now)
        assert (done.added, list(done.bad)) == (1, []), task
        assert stored(database, campaign)[0]["answer"] == expected


def potato_folder(folder: Path) -> Path:
    """Two people, one in the form of version 2 (as Potato 2.12 writes it), one in that of version 1."""
    out = folder / "annotation_output"
    (out / "person-1").mkdir(parents=True)
    (out / "person-2").mkdir()
    (out / "person-1" / "user_state.json").write_text(
        json.dumps(
            {
                "user_id": "person-1",
                "instance_id_ordering": ["pair-0", "pair-1"],
                "instance_id_to_label_to_value": {
                    "pair-0": [[{"schema": "paraphrase", "name": "yes"}, "yes"]],
                    "pair-9": [[{"schema": "paraphrase", "name": "yes"}, "yes"]],
                    "pair-1": "broken",
                },
            }
        ),
        encoding="utf-8",
    )
    (out / "person-2" / "annotated_instances.jsonl").write_text(
        '{"id": "pair-0", "displayed_text": "…", "label_annotations": {"paraphrase": {"no": "2"}}}\n'
        '{"id": "pair-1", "label_annotations": {"paraphrase": {"yes": true}}, "span_annotations": {}}\n'
        "{broken\n",
        encoding="utf-8",
    )
    return out


def test_potatos_folder_is_read(
    database: Database,
    open_campaign: OpenCampaign,
    some_pairs: Callable[..., list[NewItem]],
    add_people: Callable[..., list[Person]],
    tmp_path: Path,
    now: datetime,
) -> None:
    campaign = open_campaign(database, some_pairs(2))
    (ann,) = add_people(database, 1)
    folder = potato_folder(tmp_path)
    how = JudgmentsFrom(people={"person-1": str(ann.name)})
    done = import_judgments(database, campaign.campaign_id, folder, how, now=now)
    assert (done.added, done.people, done.items) == (3, 1, 0)
    assert sorted(one.where.partition(", ")[2] for one in done.bad) == ["line 3", "pair-1", "pair-9"]
    found = {(row["person_id"] == ann.person_id, row["item_id"]): row["answer"] for row in stored(database, campaign)}
    assert found == {
        (True, "pair-0"): {"is_paraphrase": True},
        (False, "pair-0"): {"is_paraphrase": False},
        (False, "pair-1"): {"is_paraphrase": True},
    }
    assert import_judgments(database, campaign.campaign_id, folder, how, now=now).added == 0
    with pytest.raises(InputError, match=r"holds no user_state\.json"):
        import_judgments(database, campaign.campaign_id, tmp_path, now=now)


REFUSED = [
    ({"judgment_id": "../../x"}, "`judgment_id` is no id of ours"),
    ({"judgment_id": ""}, "`judgment_id` is not there"),
    ({"client_id": "short"}, "`client_id` is not 8 to 100 plain characters"),
    ({"answer": {"is_paraphrase": "yes"}}, "`is_paraphrase` must be true or false"),
    ({"answer": "{broken"}, "unexpected"),
    ({"created_at": "yesterday"}, "'yesterday' is no time"),
    ({"item_id": "absent"}, "has no item 'absent'"),
]


@pytest.mark.parametrize(("changed", "reason"), REFUSED)
def test_a_line_of_ours_that_is_not_as_we_write_it_is_told(
    database: Database,
    open_campaign: OpenCampaign,
    some_pairs: Callable[..., list[NewItem]],
    tmp_path: Path,
    now: datetime,
    changed: dict[str, Any],
    reason: str,
) -> None:
    good = {
        "judgment_id": "0" * 32,
        "item_id": "pair-0",
        "annotator": "ann",
        "answer": {"is_paraphrase": True},
        "client_id": "0123456789",
        "created_at": "2026-01-05T10:00:00Z",
    }
    file = tmp_path / "j.jsonl"
    lines = [good, {**good, "judgment_id": "1" * 32, "client_id": "abcdefghij", **changed}]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    campaign = open_campaign(database, some_pairs(1))
    done = import_judgments(database, campaign.campaign_id, file, now=now)
    (bad,) = done.bad
    assert done.added == 1
    assert bad.where == "j.jsonl, line 2"
    assert reason in bad.reason


def test_a_judgment_of_another_campaign_is_not_taken_for_one_of_this(
    database: Database,
    open_campaign: OpenCampaign,
    some_pairs: Callable[..., list[NewItem]],
    tmp_path: Path,
    now: datetime,
) -> None:
    one, other = (open_campaign(database, some_pairs(1), title=title) for title in ("One", "Other"))
    line = {
        "judgment_id": "0" * 32,
        "item_id": "pair-0",
        "annotator": "ann",
        "answer": {"is_paraphrase": True},
        "client_id": "0123456789",
    }
    file = tmp_path / "j.jsonl"
    file.write_text(json.dumps(line) + "\n", encoding="utf-8")
    assert import_judgments(database, one.campaign_id, file, now=now).added == 1
    with pytest.raises(InputError, match=f"one of the campaign {one.campaign_id} already"):
        import_judgments(database, other.campaign_id, file, now=now)


def test_names_that_nobody_could_have_are_made_bearable(
    database: Database,
    open_campaign: OpenCampaign,
    some_pairs: Callable[..., list[NewItem]],
    tmp_path: Path,
    now: datetime,
) -> None:
    campaign = open_campaign(database, some_pairs(3))
    names = ["x" * 500, "line\nbreak\u202e", "  "]
    lines = [
        {
            "judgment_id": f"{n}" * 32,
            "item_id": f"pair-{n}",
            "annotator": name,
            "answer": {"is_paraphrase": True},
            "client_id": f"0123456789{n}",
        }
        for n, name in enumerate(names)
    ]
    file = tmp_path / "j.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    done = import_judgments(database, campaign.campaign_id, file, now=now)
    assert (done.added, done.people, list(done.bad)) == (3, 3, [])
