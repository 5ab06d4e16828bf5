"""Early work is looked at again: which, by whom, and whether that still finds something."""

from __future__ import annotations

from datetime import timedelta

import pytest

from paraloom.errors import InputError, NotFound
from paraloom.judgments.answers import GivenAnswer, record_answer
from paraloom.judgments.assign import Handed, hand_out
from paraloom.judgments.campaigns import campaign_of, publish_instructions
from paraloom.judgments.people import block
from paraloom.judgments.progress import progress_of
from paraloom.judgments.review import (
    ReviewChoice,
    choose_for_review,
    open_reviews,
    review_progress,
    withdraw_reviews,
)
from tests.judgments.working import grade_all, judge, pairs_to_grade


@pytest.fixture
def early(database, add_people, open_campaign, now):
    """Ann graded six pairs, one a week; p4 and p5 under the second version of the instructions. Bob graded p0."""
    ann, bob, cleo = add_people(database, 3)
    campaign = open_campaign(database, pairs_to_grade(7), task="grade", judgments_per_item=2, tests_every=0)
    for week, label in enumerate(["4s", "4", "4>s", "4i", "4s", "3"]):
        if week == 4:
            database.write(lambda c: publish_instructions(c, "storms", "New.", "Style is told.", now=now, by="x"))
        judge(database, campaign, ann, f"p{week}", {"label": label}, now + timedelta(weeks=week))
    judge(database, campaign, bob, "p0", {"label": "4S".lower()}, now + timedelta(weeks=9))
    return database.read(lambda c: campaign_of(c, "storms")), ann, bob, cleo


def chosen(database, campaign, **choice):
    return database.read(lambda c: choose_for_review(c, campaign, ReviewChoice(**choice)))


def again(database, campaign, person, label, now):
    """The next item of this person, which must be a review, answered with this label."""

    def job(connection):
        handed = hand_out(connection, campaign, person, now=now)
        assert isinstance(handed, Handed)
        assert handed.purpose == "review"
        given = GivenAnswer(
            item_id=handed.item.item_id,
            answer={"label": label},
            client_id=f"review-{handed.item.item_id}",
            instructions_version=campaign.version,
        )
        record_answer(connection, campaign, person, given, now=now)
        return handed

    return database.write(job)


CHOICES = [
    ({}, ["p0", "p1", "p2", "p3", "p4", "p5", "p0"]),
    ({"label": "4s"}, ["p0", "p4", "p0"]),
    ({"label_holds": "s"}, ["p0", "p2", "p4", "p0"]),
    ({"label_holds": "S"}, []),
    ({"label_holds": "4"}, ["p0", "p1", "p2", "p3", "p4", "p0"]),
    ({"version_below": 2}, ["p0", "p1", "p2", "p3"]),
    ({"label_holds": "s", "limit": 2}, ["p0", "p2"]),
]


@pytest.mark.parametrize(("choice", "items"), CHOICES)
def test_judgments_are_chosen_by_label_and_version_the_earliest_first(database, early, choice, items) -> None:
    campaign, *_ = early
    assert [item for _, item, _ in chosen(database, campaign, **choice).judgments] == items


def test_judgments_are_chosen_by_date_and_person(database, early, now) -> None:
    campaign, ann, bob, _ = early
    until = chosen(database, campaign, until=now + timedelta(days=10))
    assert [item for _, item, _ in until.judgments] == ["p0", "p1"]
    assert until.last_at == now + timedelta(weeks=1)
    own = chosen(database, campaign, person_id=bob.person_id)
    assert [(item, person) for _, item, person in own.judgments] == [("p0", bob.person_id)]
    assert len(chosen(database, campaign, person_id=ann.person_id).judgments) == 6


def test_a_review_comes_first_and_shows_the_answer_before(database, early, now) -> None:
    campaign, ann, _, _ = early
    choice = ReviewChoice(label_holds="s", person_id=ann.person_id)
    reason = "Style is told otherwise since version 2."
    assert database.write(lambda c: open_reviews(c, campaign, choice, reason=reason, now=now, by="x")) == 3
    assert database.write(lambda c: open_reviews(c, campaign, choice, reason=reason, now=now, by="x")) == 0, "once"
    later = now + timedelta(weeks=20)
    first = again(database, campaign, ann, "4", later)
    assert (first.item.item_id, first.answer_before["label"], first.why_review) == ("p0", "4s", reason)
    again(database, campaign, ann, "4>s", later)
    found = database.read(lambda c: review_progress(c, campaign))
    assert (found.judgments, found.waiting, found.total.inspected, found.total.changed) == (7, 1, 2, 1)
    assert [(one.name, one.inspected, one.share) for one in found.by_label] == [("4>s", 1, 0.0), ("4s", 1, 1.0)]
    assert [(one.name, one.inspected, one.changed) for one in found.by_month] == [("2026-03", 2, 1)]
    assert found.share_inspected == pytest.approx(2 / 7)
    assert database.write(lambda c: withdraw_reviews(c, campaign, now=now, by="x")) == 1
    assert database.read(lambda c: review_progress(c, campaign)).waiting == 0


def test_another_reviewer_takes_the_authors_place(database, early, now) -> None:
    campaign, _, bob, cleo = early
    choice = ReviewChoice(label="4s", reviewer_id=cleo.person_id)
    before = database.read(lambda c: progress_of(c, "storms"))
    assert [item for _, item, _ in chosen(database, campaign, label="4s", reviewer_id=cleo.person_id).judgments] == [
        "p0",
        "p4",
    ], "one voice on an item: the second judgment of p0 is left out"
    database.write(lambda c: open_reviews(c, campaign, choice, reason="Look.", now=now, by="x"))
    later = now + timedelta(weeks=20)
    for _ in range(2):
        again(database, campaign, cleo, "4", later)
    assert database.read(lambda c: progress_of(c, "storms")) == before, "one judgment came, one was set aside"
    left = chosen(database, campaign, reviewer_id=bob.person_id)
    items = [item for _, item, _ in left.judgments]
    assert items.count("p0") == 1, "Bob may look at his own answer to p0, not at the others'"
    assert left.left_out == left.fitting - len(items) > 0


def test_whoever_cannot_work_any_more_is_asked_nothing(database, early, now) -> None:
    campaign, ann, _, _ = early
    database.write(lambda c: block(c, ann.person_id, blocked=True, now=now, by="x"))
    found = chosen(database, campaign)
    assert (found.fitting, found.left_out, len(found.judgments)) == (7, 6, 1)
    with pytest.raises(NotFound, match="reviewer"):
        chosen(database, campaign, reviewer_id=ann.person_id)
    with pytest.raises(NotFound):
        chosen(database, campaign, reviewer_id="nobody")


def test_a_limit_of_nothing_and_no_reason_are_refused(database, early, now) -> None:
    campaign, *_ = early
    with pytest.raises(InputError, match="limit"):
        ReviewChoice(limit=0)
    with pytest.raises(InputError, match="reason"):
        database.write(lambda c: open_reviews(c, campaign, ReviewChoice(), reason=" ", now=now, by="x"))


def test_progress_of_a_campaign_without_reviews_is_empty(database, early, add_people, now) -> None:
    campaign, *_ = early
    found = database.read(lambda c: review_progress(c, campaign))
    assert (found.total.inspected, found.by_label, found.by_month, found.total.share) == (0, (), (), None)
    grade_all(database, campaign, add_people(database, 1), {"p6": [{"label": "1", "note": "x"}]}, now)
    assert database.read(lambda c: review_progress(c, campaign)).judgments == 8
