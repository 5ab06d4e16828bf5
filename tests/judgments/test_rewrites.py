"""Rewrites are checked blind: mixed with ordinary pairs, without documents, by people who do not know them."""

from __future__ import annotations

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from paraloom.errors import Clash, InputError
from paraloom.judgments.assign import Handed, hand_out
from paraloom.judgments.campaigns import campaign_of, change_state
from paraloom.judgments.conflicts import judged_item
from paraloom.judgments.decide import GivenDecision, decide
from paraloom.judgments.rewrites import Share, is_rewrite_check, make_rewrite_check, rewrite_check_of
from paraloom.judgments.store import schema
from tests.judgments.working import grade_all, judge, pairs_to_grade

REWRITTEN = {"label": "4>", "rewrite_right": "The shore met the storm itself."}


@pytest.fixture
def graded(database, add_people, open_campaign, now):
    """Ann graded twelve pairs and rewrote five of them; one was skipped. Dora and Emil have seen none."""
    people = add_people(database, 3)
    campaign = open_campaign(database, pairs_to_grade(12), task="grade", judgments_per_item=1, tests_every=0)
    labels = {f"p{n}": [REWRITTEN if n < 5 else "x" if n == 11 else "4" if n % 2 else "3"] for n in range(12)}
    grade_all(database, campaign, people[:1], labels, now)
    return campaign, people


def make(database, campaign, now, name="second", **values):
    return database.write(lambda c: make_rewrite_check(c, campaign, name, now=now, by="x", **values))


def items_of(database, campaign_id):
    table = schema.items
    asked = sa.select(table).filter_by(campaign_id=campaign_id).order_by(table.c.position)
    return database.read(lambda c: c.execute(asked).all())


def test_rewrites_are_half_of_a_campaign_that_shows_no_documents(database, graded, now) -> None:
    campaign, _ = graded
    check = make(database, campaign, now, sample=4, seed=7)
    items = items_of(database, "second")
    kinds = [row.origin["kind"] for row in items]
    assert sorted(kinds) == ["ordinary"] * 4 + ["rewrite"] * 4
    assert kinds != sorted(kinds), "they are shuffled"
    assert len({row.origin["item_id"] for row in items}) == 8, "no pair is there twice, as it was and rewritten"
    assert all(row.content["left_document"] is None and row.content["right_document"] is None for row in items)
    assert {row.origin["label"] for row in items if row.origin["kind"] == "ordinary"} <= {"3", "4"}, "none was skipped"
    for row in items:
        assert (row.content["right"] == REWRITTEN["rewrite_right"]) == (row.origin["kind"] == "rewrite")
    assert (check.settings.show_context, check.settings.adjudicate, check.settings.judgments_per_item) == (
        False,
        True,
        2,
    )
    assert check.state == "draft"


def test_what_an_expert_rewrote_in_a_decision_is_a_rewrite(database, graded, add_people, now) -> None:
    campaign, _ = graded
    (expert,) = add_people(database, 1, "expert")
    judged = database.read(lambda c: judged_item(c, campaign.campaign_id, "p6"))
    decision = GivenDecision(
        item_id="p6",
        seen=[one.judgment_id for one in judged.said],
        after=None,
        answer={"label": "3", "rewrite_left": "An expert's storm."},
    )
    database.write(lambda c: decide(c, campaign, expert, decision, now=now))
    make(database, campaign, now)
    found = {row.origin["item_id"]: row for row in items_of(database, "second")}
    assert found["p6"].origin["kind"] == "rewrite"
    assert found["p6"].content["left"] == "An expert's storm."
    assert sum(row.origin["kind"] == "rewrite" for row in found.values()) == 5, "as many as there are ordinary ones"


def test_the_same_seed_draws_the_same_and_another_one_others(database, graded, now) -> None:
    campaign, _ = graded
    for name, seed in (("one", 3), ("two", 3), ("three", 4)):
        make(database, campaign, now, name, sample=4, seed=seed)
    one, two, three = ([row.origin["item_id"] for row in items_of(database, name)] for name in ("one", "two", "three"))
    assert one == two != three
    with pytest.raises(Clash):
        make(database, campaign, now, "one")


def test_nobody_gets_a_pair_they_know(database, graded, now) -> None:
    campaign, (ann, dora, _) = graded
    check = make(database, campaign, now)
    database.write(lambda c: change_state(c, "second", "open", now=now, by="x"))
    opened = database.read(lambda c: campaign_of(c, check.campaign_id))
    assert not isinstance(database.write(lambda c: hand_out(c, opened, ann, now=now)), Handed)
    handed = database.write(lambda c: hand_out(c, opened, dora, now=now))
    assert isinstance(handed, Handed)
    assert set(handed.item.content) == {"left", "right", "left_document", "right_document"}


def test_the_check_tells_how_many_rewrites_are_a_plain_4(database, graded, now) -> None:
    campaign, (_, dora, emil) = graded
    check = make(database, campaign, now, sample=5, seed=2)
    rewrites = [row for row in items_of(database, "second") if row.origin["kind"] == "rewrite"]
    ordinary = [row for row in items_of(database, "second") if row.origin["kind"] == "ordinary"]
    for place, row in enumerate(rewrites):  # four get a 4 by both, one is in conflict
        for person, label in ((dora, "4"), (emil, "4" if place else "4s")):
            judge(database, check, person, row.item_id, {"label": label}, now)
    for place, row in enumerate(ordinary):
        for person in (dora, emil):
            label = row.origin["label"] if place else {"3": "4", "4": "2"}[row.origin["label"]]
            judge(database, check, person, row.item_id, {"label": label}, now)
    found = database.read(lambda c: rewrite_check_of(c, check))
    assert (found.rewrites.count, found.rewrites.of, found.undecided) == (4, 4, 1)
    assert (found.same_as_before.count, found.same_as_before.of) == (4, 5)
    assert found.ordinary.of == 5
    assert database.read(lambda c: is_rewrite_check(c, check))
    assert not database.read(lambda c: is_rewrite_check(c, campaign))
    with pytest.raises(InputError, match="no check of rewrites"):
        database.read(lambda c: rewrite_check_of(c, campaign))


def test_what_cannot_be_checked_is_refused(database, graded, open_campaign, some_pairs, now) -> None:
    campaign, _ = graded
    with pytest.raises(InputError, match="kind 'grade'"):
        make(database, open_campaign(database, some_pairs(1), title="Pairs"), now)
    with pytest.raises(InputError, match="Nothing was rewritten"):
        make(database, open_campaign(database, pairs_to_grade(1), task="grade", title="Empty"), now)
    with pytest.raises(InputError, match="sample"):
        make(database, campaign, now, sample=0)


@given(st.integers(1, 2000).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_the_interval_is_wilsons(counts) -> None:
    count, of = counts
    found = Share.of_counts(count, of)
    low, high = proportion_confint(count, of, method="wilson")
    assert found.low == pytest.approx(low, abs=1e-9)
    assert found.high == pytest.approx(high, abs=1e-9)
    assert found.low <= found.share + 1e-12
    assert found.share <= found.high + 1e-12


def test_nothing_of_nothing_has_no_share() -> None:
    assert Share.of_counts(0, 0).share is None
