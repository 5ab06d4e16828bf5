"""Labels that are made of an export are those of the store: work that was set aside has no voice in them."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from paraloom.judgments.exchange.export import export_judgments
from paraloom.judgments.set_aside import set_aside_work
from paraloom.workflows.label.judged import label_judgments
from tests.judgments.working import judge

EXPORTS = [("tables", "run", "run/judgments"), ("jsonl", "said.jsonl", "said.jsonl"), ("csv", "said.csv", "said.csv")]


@pytest.mark.parametrize(("format", "out", "judgments"), EXPORTS)
def test_labels_of_an_export_leave_out_what_was_set_aside(
    database, open_campaign, add_people, some_pairs, tmp_path: Path, now, format: str, out: str, judgments: str
) -> None:
    campaign = open_campaign(database, some_pairs(1))
    ann, *spammers = add_people(database, 3)
    judge(database, campaign, ann, "pair-0", {"is_paraphrase": False}, now)
    judge(database, campaign, ann, "pair-0", {"is_paraphrase": True}, now - timedelta(minutes=5))  # a clock set back
    for person in spammers:
        judge(database, campaign, person, "pair-0", {"is_paraphrase": False}, now)
        database.write(lambda c, of=person: set_aside_work(c, campaign, of.person_id, reason="x", now=now, by="x"))
    export_judgments(database, tmp_path / out, format=format, campaign_id=campaign.campaign_id)
    found = label_judgments([tmp_path / judgments], tmp_path / "labels.jsonl")
    assert (found.votes, found.paraphrases, found.superseded) == (1, 1, 1)
    assert found.dropped_for == {"set_aside": 2}
