"""Which items wait for a decision, and what everybody agrees on in the end."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from paraloom.judgments.conflicts import Judged, Said, judged_item, open_conflicts, same_substance
from paraloom.judgments.consensus import agreement_with_consensus, consensus, consensus_of
from paraloom.judgments.decide import GivenDecision, decide
from paraloom.judgments.differences import compare_answers, headlines, short_label
from paraloom.judgments.set_aside import restore_work, set_aside_work
from paraloom.judgments.store.columns import EPOCH
from tests.judgments.working import grade_all, judge, pairs_to_grade


def waiting(database, campaign):
    return [(one.item_id, one.why) for one in database.read(lambda c: open_conflicts(c, campaign))]


def decided(database, campaign, person, item_id, label, now):
    judged = database.read(lambda c: judged_item(c, campaign.campaign_id, item_id))
    sent = GivenDecision(
        item_id=item_id,
        seen=[one.judgment_id for one in judged.said],
        after=None if judged.decision is None else judged.decision.number,
        answer={"label": label},
    )
    return database.write(lambda c: decide(c, campaign, person, sent, now=now))


def test_items_wait_for_a_decision_once_complete_and_in_conflict(database, add_people, open_campaign, now) -> None:
    people = add_people(database, 2)
    campaign = open_campaign(database, pairs_to_grade(5), task="grade", judgments_per_item=2, adjudicate=True)
    labels = {
        "p0": ["4", "4"],
        "p1": ["4>", "4"],
        "p2": ["3", None],
        "p3": [{"label": "2", "unsure": True}, "2"],
        "p4": [{"label": "4s", "note": 'He wrote "unsure":true here'}, "4s"],
    }
    grade_all(database, campaign, people, labels, now)
    assert waiting(database, campaign) == [("p1", "differ"), ("p3", "unsure")]


def test_a_decision_settles_an_item_until_somebody_says_otherwise(database, add_people, open_campaign, now) -> None:
    ann, bob = add_people(database, 2)
    [expert] = add_people(database, 1, role="expert")
    campaign = open_campaign(database, pairs_to_grade(1), task="grade", judgments_per_item=2, adjudicate=True)
    grade_all(database, campaign, [ann, bob], {"p0": ["4", "3"]}, now)
    decided(database, campaign, expert, "p0", "4>", now)
    assert waiting(database, campaign) == []
    judge(database, campaign, ann, "p0", {"label": "4>"}, now + timedelta(days=1))
    assert waiting(database, campaign) == [("p0", "differ")]
    judge(database, campaign, bob, "p0", {"label": "4>"}, now + timedelta(days=1))
    assert waiting(database, campaign) == [], "both say what was decided"
    judge(database, campaign, ann, "p0", {"label": "2"}, now + timedelta(days=2))
    judge(database, campaign, bob, "p0", {"label": "2"}, now + timedelta(days=2))
    assert waiting(database, campaign) == [("p0", "changed")]
    assert [one.answer["label"] for one in database.read(lambda c: consensus(c, campaign))] == ["4>"]
    decided(database, campaign, expert, "p0", "2", now + timedelta(days=3))
    assert waiting(database, campaign) == []
    assert [one.answer["label"] for one in database.read(lambda c: consensus(c, campaign))] == ["2"]


def test_work_that_was_set_aside_is_in_no_conflict(database, add_people, open_campaign, now) -> None:
    ann, bob, cleo = add_people(database, 3)
    campaign = open_campaign(database, pairs_to_grade(1), task="grade", judgments_per_item=2, adjudicate=True)
    grade_all(database, campaign, [ann, bob], {"p0": ["4", "1"]}, now)
    database.write(lambda c: set_aside_work(c, campaign, bob.person_id, reason="test", now=now, by="x"))
    assert waiting(database, campaign) == [], "another judgment is wanted first"
    judge(database, campaign, cleo, "p0", {"label": "4"}, now)
    assert waiting(database, campaign) == []
    [agreed] = database.read(lambda c: consensus(c, campaign))
    assert (agreed.how, agreed.answer["label"], len(agreed.judgment_ids)) == ("agreed", "4", 2)
    database.write(lambda c: restore_work(c, campaign, bob.person_id, reason="test", now=now, by="x"))
    assert waiting(database, campaign) == [("p0", "differ")]


def test_candidates_of_one_item_are_compared_each_for_itself(database, add_people, open_campaign, now) -> None:
    from paraloom.judgments.items import NewItem

    ann, bob = add_people(database, 2)
    candidates = [{"id": name, "text": f"Text {name}."} for name in "abc"]
    items = [
        NewItem(
            item_id=f"group {n}",
            content={
                "original": "The storm hit.",
                "candidates": [{**one, "id": f"{one['id']}{n}"} for one in candidates],
            },
        )
        for n in range(2)
    ]
    campaign = open_campaign(database, items, task="choose", judgments_per_item=2, adjudicate=True)
    for n, (one, other) in enumerate(((["a"], ["a", "b"]), (["b", "c"], ["c", "b"]))):
        shown = [f"{name}{n}" for name in "abc"]
        for person, chosen in ((ann, one), (bob, other)):
            answer = {"chosen": [f"{name}{n}" for name in chosen], "shown": shown}
            judge(database, campaign, person, f"group {n}", answer, now)
    assert waiting(database, campaign) == [("group 0", "differ")]


def test_everybody_is_measured_against_the_consensus(database, add_people, open_campaign, now) -> None:
    ann, bob = add_people(database, 2)
    [expert] = add_people(database, 1, role="expert")
    campaign = open_campaign(database, pairs_to_grade(6), task="grade", judgments_per_item=2, adjudicate=True)
    labels = {
        "p0": ["4", "4"],
        "p1": ["4>", "4"],
        "p2": ["3", "3"],
        "p3": ["4s", "4"],
        "p4": ["2", "3"],
        "p5": ["1", None],
    }
    grade_all(database, campaign, [ann, bob], labels, now)
    for item_id, label in (("p1", "4>"), ("p3", "4"), ("p4", "3")):
        decided(database, campaign, expert, item_id, label, now)
    found = {one.person_id: one for one in database.read(lambda c: agreement_with_consensus(c, campaign))}
    truth = ["4", "4>", "3", "4", "3"]
    own = {ann.person_id: ["4", "4>", "3", "4s", "2"], bob.person_id: ["4", "4", "3", "4", "3"]}
    for person, given_labels in own.items():
        assert found[person].compared == 5
        assert found[person].accuracy == pytest.approx(
            sum(one == other for one, other in zip(given_labels, truth, strict=True)) / 5
        )
        assert found[person].kappa == pytest.approx(cohen_kappa_score(given_labels, truth))
    assert found[ann.person_id].merged_accuracy == pytest.approx(0.8), "the flag s does not count there"
    everybody = own[ann.person_id] + own[bob.person_id]
    assert found[None].compared == 10
    assert found[None].accuracy == pytest.approx(0.7)
    assert found[None].kappa == pytest.approx(cohen_kappa_score(everybody, truth * 2))


def test_nobody_is_measured_where_there_is_no_consensus(database, open_campaign) -> None:
    campaign = open_campaign(database, pairs_to_grade(1), task="grade", judgments_per_item=2, adjudicate=True)
    [everybody] = database.read(lambda c: agreement_with_consensus(c, campaign))
    assert (everybody.compared, everybody.accuracy, everybody.kappa) == (0, None, None)


def test_a_single_answer_is_its_own_consensus(database, add_people, open_campaign, now) -> None:
    [ann] = add_people(database, 1)
    campaign = open_campaign(database, pairs_to_grade(2), task="grade", judgments_per_item=1)
    judgment = judge(database, campaign, ann, "p1", {"label": "4"}, now)
    [found] = database.read(lambda c: consensus(c, campaign))
    assert (found.item_id, found.how, found.judgment_ids) == ("p1", "agreed", (judgment,))


labels = st.sampled_from(["1", "2", "4", "4>", "4s"])


@given(st.lists(st.tuples(labels, st.booleans()), min_size=1, max_size=5), st.randoms())
def test_the_order_of_judgments_decides_nothing(given_labels, rng) -> None:
    said = [
        Said(
            judgment_id=f"j{n}",
            number=n,
            person_id=f"person {n}",
            answer={"label": label, "unsure": unsure},
            instructions_version=1,
            created_at=EPOCH,
            votes=(("p0", label),),
        )
        for n, (label, unsure) in enumerate(given_labels)
    ]
    shuffled = list(said)
    rng.shuffle(shuffled)
    one, other = (
        Judged(item_id="p0", position=1, is_complete=True, said=tuple(each), decision=None) for each in (said, shuffled)
    )
    assert one.why_open() == other.why_open()
    agreed, agreed_too = consensus_of(one), consensus_of(other)
    assert (agreed is None) == (agreed_too is None) == (len({label for label, _ in given_labels}) > 1)
    if agreed is not None and agreed_too is not None:
        assert agreed.answer["label"] == agreed_too.answer["label"]


SAME = [
    ({"label": "4"}, {"label": "4", "unsure": True, "note": "hm"}, True),
    ({"label": "4>", "rewrite_left": "a"}, {"label": "4>", "rewrite_left": "b"}, True),
    ({"label": "4>"}, {"label": "4"}, False),
    ({"chosen": ("a",), "shown": ("a", "b")}, {"chosen": ["a"], "shown": ["a", "b"]}, True),
]


@pytest.mark.parametrize(("one", "other", "expected"), SAME)
def test_answers_are_the_same_if_they_say_the_same_of_the_item(one, other, expected) -> None:
    assert same_substance(one, other) is expected


TOLD = [
    ("grade", [{"label": "4>i"}, {"label": "3"}], ["Label", "Direction", "Deviation"]),
    ("grade", [{"label": "x"}, {"label": "4"}], ["Label"]),
    ("grade", [{"label": "2", "note": "a"}, {"label": "2", "note": "b"}], []),
    ("pair", [{"is_paraphrase": True}, {"is_paraphrase": False}], ["Answer"]),
    ("match", [{"accept": True}, {"accept": True}], []),
    ("rate", [{"fluency": 5, "similarity": 4}, {"fluency": 5, "similarity": 2}], ["Similarity"]),
    ("topic", [{"topic": "sports"}, {"topic": "health"}], ["Topic"]),
    ("seed", [{"seed": "a", "skip": False}, {"seed": None, "skip": True}], ["Seed"]),
    ("choose", [{"chosen": ["a"], "shown": ["a", "b"]}, {"chosen": ["a", "b"], "shown": ["a", "b"]}], ["Text b."]),
]
CONTENT = {
    "candidates": [{"id": name, "text": f"Text {name}."} for name in "ab"],
    "sentences": [{"id": name, "text": f"Text {name}."} for name in "ab"],
}


@pytest.mark.parametrize(("task", "answers", "differing"), TOLD)
def test_what_differs_is_told_in_words(task, answers, differing) -> None:
    rows = compare_answers(task, CONTENT, answers)
    found = [row.what for row in rows if row.differs]
    # A flag that cannot be there (behind a 3) is told as absent, and so as different.
    assert [what for what in found if what in differing] == differing
    assert bool(found) == bool(differing)
    assert all(short_label(answer) for answer in answers)


def test_an_item_is_known_by_its_texts() -> None:
    assert headlines({"source": "a", "generated": "b", "aspects": ["fluency"]}) == ["a", "b"]
    assert headlines({"left": "x" * 500, "right": "b"})[0].endswith("…")
    assert headlines({"sentences": ["One.", "Two."], "key": None}) == ["One."]
