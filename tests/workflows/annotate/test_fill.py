"""Campaigns are filled by what a run holds and by what other campaigns found."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
import sqlalchemy as sa

from paraloom.engine.store import read_table
from paraloom.errors import InputError
from paraloom.judgments.campaigns import campaign_of
from paraloom.judgments.settings import CampaignSettings
from paraloom.judgments.store import schema
from paraloom.judgments.store.migrate import open_database
from paraloom.labels.label import load_identifier
from paraloom.labels.options import LabelOptions
from paraloom.workflows.annotate.campaigns import create
from paraloom.workflows.annotate.fill_experts import fill_experts
from paraloom.workflows.annotate.fill_next import check_rewrites, fill_next
from paraloom.workflows.annotate.fill_rounds import fill_rounds, groups_of_run

QUICK = LabelOptions(identifier="ngram-regression")
"""What is tested is the way of what an identifier accepts, not which one it is."""


@pytest.fixture
def database(tmp_path):
    opened = open_database(f"sqlite:///{tmp_path / 'fill.db'}")
    yield opened
    opened.close()


def made(database, name, task="pair", **settings):
    return create(
        database,
        name,
        task=task,
        title=None,
        settings=CampaignSettings(**settings),
        instructions=None,
        opens=True,
    )


def items_of(database, name):
    return database.read(lambda c: c.execute(sa.select(schema.items).filter_by(campaign_id=name)).all())


def test_experts_see_two_seeds_of_each_group_against_its_largest_cluster(database, sample_run) -> None:
    made(database, "strict", definition="strict")
    found = fill_experts(database, "strict", sample_run, labels=QUICK)
    items = items_of(database, "strict")
    assert found.scored >= found.accepted > 0
    assert found.items.added == len(items) > 0
    by_group = Counter(row.group_id for row in items)
    assert found.groups == len(by_group)
    for row in items:
        pairs_of_cluster = 2 * (row.origin["cluster_size"] - 2) + 1
        assert by_group[row.group_id] == min(pairs_of_cluster, 2 * 29 + 1)
        assert row.origin["identifier"] == load_identifier(QUICK).signature
    again = fill_experts(database, "strict", sample_run, labels=QUICK)
    assert (again.items.added, again.items.there_already) == (0, len(items))
    surer = fill_experts(database, "strict", sample_run, labels=replace(QUICK, threshold=0.9))
    assert surer.accepted < found.accepted


def test_groups_are_judged_in_rounds_by_the_ranks_that_the_run_has(database, sample_run) -> None:
    made(database, "trends", adaptive=True)
    found = fill_rounds(database, "trends", sample_run, kind="url")
    items = items_of(database, "trends")
    assert found.added == len(items) > 0
    pairs = {row["pair_id"]: row for row in read_table(sample_run, "pairs").to_pylist()}
    both = [row for row in items if row.item_id in pairs and row.group_id == pairs[row.item_id]["group_id"]]
    assert len(both) > 0.9 * len(items), "a URL's first round is what the run itself proposes"
    assert all(row.origin["right_rank"] == pairs[row.item_id]["rank"] for row in both)
    campaign = database.read(lambda c: campaign_of(c, "trends"))
    assert all(len(group.sentences) <= 50 for group in groups_of_run(sample_run, campaign, "url"))


def test_what_does_not_fit_is_refused(database, sample_run) -> None:
    made(database, "plain")
    made(database, "adaptive", adaptive=True)
    made(database, "graded", task="grade")
    with pytest.raises(InputError, match="--set adaptive=true"):
        fill_rounds(database, "plain", sample_run)
    with pytest.raises(InputError, match="no group of the kind 'mood'"):
        fill_rounds(database, "adaptive", sample_run, kind="mood")
    with pytest.raises(InputError, match="Experts judge pairs"):
        fill_experts(database, "graded", sample_run)
    with pytest.raises(InputError, match="lead on to others"):
        fill_next(database, "plain", "graded")
    with pytest.raises(InputError, match="Nothing was rewritten"):
        check_rewrites(database, "graded", "second", sample=5, seed=1)


def test_campaigns_that_lead_on_fill_others(database) -> None:
    for name, task in (("seeds", "seed"), ("matches", "match"), ("extracted", "extract"), ("graded", "grade")):
        made(database, name, task=task)
    made(database, "pairs")
    for source, target in (("seeds", "pairs"), ("matches", "extracted"), ("extracted", "graded")):
        assert fill_next(database, source, target).added == 0
