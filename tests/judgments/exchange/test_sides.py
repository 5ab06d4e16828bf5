"""A file may show a pair the other way round: answers are turned with it. What shows other texts is another item."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.conflicts import decisions_on
from paraloom.judgments.exchange.judgments_in import import_judgments
from paraloom.judgments.exchange.sides import turned_answer
from paraloom.judgments.items import NewItem
from paraloom.judgments.store import schema
from paraloom.judgments.store.database import Database

OpenCampaign = Callable[..., Campaign]

HERE = {"left": "It rained.", "right": "Rain fell  all day."}
TURNED = {"left": "Rain fell all day.", "right": "It rained."}


def line(answer: Mapping[str, Any], number: int = 0, **more: Any) -> dict[str, Any]:
    return {
        "judgment_id": f"{number:032x}",
        "item_id": "p",
        "annotator": "Ann",
        "answer": answer,
        "client_id": f"client-{number:04}",
        "created_at": "2026-03-01T12:00:00Z",
        **more,
    }


def written(file: Path, *rows: Mapping[str, Any]) -> Path:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


def answers(database: Database, campaign: Campaign) -> list[dict[str, Any]]:
    table = schema.judgments
    asked = sa.select(table.c.answer).filter_by(campaign_id=campaign.campaign_id).order_by(table.c.number)
    return [
        {name: value for name, value in answer.items() if value not in (None, False) or name == "is_paraphrase"}
        for answer in database.read(lambda c: c.scalars(asked).all())
    ]


KEPT = [
    ("grade", HERE, {"label": "4>"}, {"label": "4>"}),
    ("grade", TURNED, {"label": "4>s"}, {"label": "4<s"}),
    ("grade", TURNED, {"label": "3"}, {"label": "3"}),
    ("grade", TURNED, {"label": "x"}, {"label": "x"}),
    ("grade", TURNED, {"label": "4<", "rewrite_left": "It poured."}, {"label": "4>", "rewrite_right": "It poured."}),
    ("grade", None, {"label": "4>"}, {"label": "4>"}),
    ("pair", TURNED, {"is_paraphrase": False}, {"is_paraphrase": False}),
]


@pytest.mark.parametrize(("task", "shown", "answer", "kept"), KEPT)
def test_an_answer_is_turned_where_the_file_shows_the_pair_the_other_way_round(
    database: Database,
    open_campaign: OpenCampaign,
    tmp_path: Path,
    now: datetime,
    task: str,
    shown: Mapping[str, str] | None,
    answer: Mapping[str, Any],
    kept: Mapping[str, Any],
) -> None:
    campaign = open_campaign(database, [NewItem(item_id="p", content=HERE)], task=task)
    file = written(tmp_path / "j.jsonl", line(answer, content=shown))
    done = import_judgments(database, campaign.campaign_id, file, now=now)
    assert (done.added, done.items, list(done.bad)) == (1, 0, [])
    assert answers(database, campaign) == [kept]


@given(
    label=st.sampled_from(["1", "2", "3", "4", "4>", "4<i", "4>is", "4s", "x"]),
    rewrites=st.tuples(*[st.none() | st.text(min_size=1)] * 2),
)
def test_turned_twice_an_answer_is_as_it_was(label: str, rewrites: tuple[str | None, str | None]) -> None:
    answer = {"label": label, "rewrite_left": rewrites[0], "rewrite_right": rewrites[1], "unsure": True}
    turned = turned_answer("grade", answer)
    assert (turned["rewrite_left"], turned["rewrite_right"]) == rewrites[::-1]
    assert (turned == answer) == (rewrites[0] == rewrites[1] and not {*label} & {"<", ">"})
    assert turned_answer("grade", turned) == answer


def test_the_sentence_on_the_left_tells_the_sides_where_the_texts_are_not_told(
    database: Database, open_campaign: OpenCampaign, tmp_path: Path, now: datetime
) -> None:
    item = NewItem(item_id="p", content=HERE, origin={"left_id": "a", "right_id": "b"})
    campaign = open_campaign(database, [item], task="grade")
    rows = [line({"label": "4>"}, n, annotator=f"p{n}", left_id=left) for n, left in enumerate(("a", "b", "c"))]
    done = import_judgments(database, campaign.campaign_id, written(tmp_path / "j.jsonl", *rows), now=now)
    assert answers(database, campaign) == [{"label": "4>"}, {"label": "4<"}]
    (bad,) = done.bad
    assert bad.where == "j.jsonl, line 3"
    assert "of other sentences here" in bad.reason


OTHERS = [
    ("grade", HERE, {"left": "It rained.", "right": "It snowed."}, {"label": "4"}),
    ("pair", HERE, {"left": "Rain fell all day.", "right": "It snowed."}, {"is_paraphrase": True}),
    ("write", {"source": "It rained."}, {"source": "It snowed."}, {"text": "Snow fell."}),
    (
        "extract",
        {"left": {"text": "It rained."}, "right": {"text": "Rain fell."}},
        {"left": {"text": "It  rained."}, "right": {"text": "Rain fell."}},  # its offsets are others
        {"pairs": [], "state": "empty", "suggestions_shown": False},
    ),
    (
        "seed",
        {"sentences": [{"id": name, "text": f"Text {name}."} for name in "abc"]},
        {"sentences": [{"id": name, "text": f"Other {name}."} for name in "abc"]},
        {"seed": "a"},
    ),
]


@pytest.mark.parametrize(("task", "here", "there", "answer"), OTHERS)
def test_another_text_under_the_same_id_is_a_bad_row(
    database: Database,
    open_campaign: OpenCampaign,
    tmp_path: Path,
    now: datetime,
    task: str,
    here: Mapping[str, Any],
    there: Mapping[str, Any],
    answer: Mapping[str, Any],
) -> None:
    campaign = open_campaign(database, [NewItem(item_id="p", content=here)], task=task)
    file = written(tmp_path / "j.jsonl", line(answer, content=there))
    with pytest.raises(InputError, match=r"'p' shows another .* here than in the file"):
        import_judgments(database, campaign.campaign_id, file, now=now)
    assert answers(database, campaign) == []
    good = written(tmp_path / "good.jsonl", line(answer, content=here), line(answer, 1, annotator="Bo", content=there))
    done = import_judgments(database, campaign.campaign_id, good, now=now)
    assert (done.added, [one.where for one in done.bad]) == (1, ["good.jsonl, line 2"])


def test_what_was_decided_is_turned_too_also_where_its_judgments_are_here(
    database: Database, open_campaign: OpenCampaign, tmp_path: Path, now: datetime
) -> None:
    campaign = open_campaign(database, [NewItem(item_id="p", content=HERE)], task="grade")
    before = written(tmp_path / "before.jsonl", line({"label": "4>"}, content=TURNED))
    import_judgments(database, campaign.campaign_id, before, now=now)
    decision = {
        "answer": {"label": "4>i"},
        "decided_by": "Eve",
        "reason": "so",
        "judgment_ids": [],
        "created_at": "2026-03-02T12:00:00Z",
    }
    after = written(tmp_path / "after.jsonl", line({"label": "4>"}, content=TURNED, decision=decision))
    for added, there in ((1, 0), (0, 1)):
        done = import_judgments(database, campaign.campaign_id, after, now=now)
        assert (done.there_already, done.decisions, done.decisions_there_already) == (1, added, there)
    (kept,) = database.read(lambda c: decisions_on(c, campaign.campaign_id, "p"))
    assert kept.answer["label"] == "4<i"
