"""Over HTTP: who sees which conflicts, what a decision's reply says, who may talk about an item."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from paraloom.judgments.campaigns import campaign_of, change_settings
from paraloom.judgments.conflicts import decisions_on, judged_item
from paraloom.judgments.decide import GivenDecision, decide, notes_on
from paraloom.judgments.items import NewItem
from paraloom.judgments.rewrites import make_rewrite_check
from tests.judgments.working import grade_all, judge, pairs_to_grade


@pytest.fixture
def conflicts(database, add_people, open_campaign, now):
    people = add_people(database, 2)
    [expert] = add_people(database, 1, role="expert")
    campaign = open_campaign(
        database, pairs_to_grade(5), task="grade", judgments_per_item=2, adjudicate=True, tests_every=0
    )
    labels = {"p0": ["4>", "3"], "p1": ["4", "4"], "p2": ["2", "2"], "p3": ["1", "2"], "p4": ["4"]}
    grade_all(database, campaign, people, labels, now)
    return campaign, people, expert


def seen(database, item_id):
    return [one.judgment_id for one in database.read(lambda c: judged_item(c, "storms", item_id)).said]


def test_only_experts_and_admins_decide(database, clients, conflicts, add_people) -> None:
    _, (ann, _), expert = conflicts
    [admin] = add_people(database, 1, role="admin")
    for person, status in ((ann, 403), (expert, 200), (admin, 200)):
        client = clients(person)
        for path in ("/decide", "/decide/storms", "/decide/storms/p0", "/decide/storms?part=agreement"):
            assert client.get(path).status_code == status, path
    sent = {"item_id": "p0", "seen": seen(database, "p0"), "answer": {"label": "4"}}
    assert clients(ann).post("/decide/storms/decisions", json=sent).status_code == 403
    client = clients(expert)
    del client.headers["x-csrf-token"]
    assert client.post("/decide/storms/decisions", json=sent).status_code == 403, "another site could have sent it"


def test_the_queue_shows_what_waits_and_filters_it(clients, conflicts) -> None:
    *_, expert = conflicts
    client = clients(expert)
    assert "2 conflicts" in client.get("/decide").text

    def rows(query: str) -> list[str]:
        return re.findall(r'href="/decide/storms/(p\d)"', client.get(f"/decide/storms{query}").text)

    assert sorted(set(rows(""))) == ["p0", "p3"]
    assert set(rows("?label=1")) == {"p3"}
    assert rows("?why=unsure") == []
    assert rows("?why=notes") == []
    assert rows("?show=decided") == []
    assert client.get("/decide/storms?page=0").status_code == 422


def test_a_decision_leads_to_the_next_conflict_and_at_last_to_the_queue(database, clients, conflicts) -> None:
    _, _, expert = conflicts
    client = clients(expert)
    first = client.post(
        "/decide/storms/decisions",
        json={"item_id": "p3", "seen": seen(database, "p3"), "answer": {"label": "2"}, "reason": "near"},
    )
    assert first.json()["next"] == "/decide/storms/p0"
    accepted = {"item_id": "p0", "seen": seen(database, "p0"), "accepted": seen(database, "p0")[1]}
    second = client.post("/decide/storms/decisions", json=accepted)
    assert (second.json()["next"], second.json()["waiting"]) == ("/decide/storms", 0)
    [kept] = database.read(lambda c: decisions_on(c, "storms", "p0"))
    assert kept.answer["label"] == "3"
    again = client.post("/decide/storms/decisions", json={**accepted, "accepted": seen(database, "p0")[0]})
    assert again.status_code == 409
    assert "near" in client.get("/decide/storms/p3").text
    assert set(re.findall(r'href="/decide/storms/(p\d)"', client.get("/decide/storms?show=decided").text)) == {
        "p0",
        "p3",
    }


def test_names_stay_hidden_until_it_is_decided(database, clients, conflicts, now) -> None:
    campaign, (ann, bob), expert = conflicts
    client = clients(expert)
    assert ann.name not in client.get("/decide/storms/p0").text
    assert ann.name in client.get("/decide/storms/p0?names=shown").text
    client.post("/discuss/storms/notes", data={"item_id": "p0", "text": "Hm.", "back": "decide"})
    clients(ann).post("/discuss/storms/notes", data={"item_id": "p0", "text": "It is wider."})
    page = client.get("/decide/storms/p0").text
    assert "It is wider." in page
    assert ann.name not in page
    given = GivenDecision(item_id="p0", seen=seen(database, "p0"), after=None, answer={"label": "4"})
    database.write(lambda c: decide(c, campaign, expert, given, now=now))
    page = client.get("/decide/storms/p0").text
    assert ann.name in page
    assert bob.name in page


def test_judges_talk_without_learning_names(database, clients, conflicts, add_people) -> None:
    _, (ann, bob), _ = conflicts
    [stranger] = add_people(database, 1)
    client = clients(ann)
    assert set(re.findall(r"/discuss/storms/(p\d)", client.get("/discuss/storms").text)) == {"p0", "p3"}
    page = client.get("/discuss/storms/p0").text
    assert bob.name not in page
    assert client.get("/discuss/storms/p4").status_code == 404, "somebody has still to judge it alone"
    told = client.post("/discuss/storms/notes", data={"item_id": "p0", "text": "<b>Wider</b>"})
    assert told.headers["location"] == "/discuss/storms/p0#notes"
    page = clients(bob).get("/discuss/storms/p0").text
    assert "&lt;b&gt;Wider&lt;/b&gt;" in page
    assert clients(stranger).get("/discuss/storms/p0").status_code == 404
    assert clients(stranger).post("/discuss/storms/notes", data={"item_id": "p0", "text": "Hi"}).status_code == 404
    assert client.post("/discuss/storms/notes", data={"item_id": "p0", "text": " "}).status_code == 422


def test_a_note_that_a_page_sends_again_is_one_note(database, clients, conflicts) -> None:
    _, (ann, _), expert = conflicts
    for person, at in ((ann, "discuss"), (expert, "decide")):
        client = clients(person)

        def drawn(client=client, at=at) -> str:
            (found,) = re.findall(r'name="client_id" value="([^"]+)"', client.get(f"/{at}/storms/p0").text)
            return found

        first, later = drawn(), drawn()
        assert first != later
        for client_id, text in ((first, "Hm."), (first, "Hm."), (first, "Another."), (later, "Hm.")):
            sent = {"item_id": "p0", "text": text, "client_id": client_id, "back": at}
            assert client.post("/discuss/storms/notes", data=sent).status_code == 303
    told = [(one.person_id, one.text) for one in database.read(lambda c: notes_on(c, "storms", "p0"))]
    assert told == [(person.person_id, text) for person in (ann, expert) for text in ("Hm.", "Another.", "Hm.")]


def test_a_note_that_a_program_sends_again_is_one_note(database, clients, conflicts, add_people, now) -> None:
    _, (ann, _), _ = conflicts
    [stranger] = add_people(database, 1)
    client = clients(ann)
    sent = {"item_id": "p0", "text": "Hm.", "client_id": "drawn-anew-1"}
    first, again = (client.post("/api/v1/campaigns/storms/notes", json=sent) for _ in range(2))
    assert (first.json()["repeated"], again.json()) == (False, {**first.json(), "repeated": True})
    for changed, status in (
        ({"text": "Other."}, 409),
        ({"client_id": "short"}, 422),
        ({"text": " ", "client_id": "drawn-anew-2"}, 422),
        ({"item_id": "p4", "client_id": "drawn-anew-2"}, 404),
    ):
        assert client.post("/api/v1/campaigns/storms/notes", json={**sent, **changed}).status_code == status
    assert clients(stranger).post("/api/v1/campaigns/storms/notes", json=sent).status_code == 404
    assert [one.text for one in database.read(lambda c: notes_on(c, "storms", "p0"))] == ["Hm."]


def test_the_consensus_part_tells_accuracy_and_kappa(clients, conflicts) -> None:
    *_, expert = conflicts
    page = clients(expert).get("/decide/storms?part=agreement").text
    assert "100.0%" in page
    assert "All together" in page


def test_a_check_of_rewrites_tells_its_result_where_its_conflicts_are_decided(
    database, clients, conflicts, now
) -> None:
    campaign, (ann, bob), expert = conflicts
    rewritten = {"label": "4>", "rewrite_right": "The shore met storm 1 itself."}
    for person in (ann, bob):
        judge(database, campaign, person, "p1", rewritten, now)
    made = database.write(lambda c: make_rewrite_check(c, campaign, "second", now=now, by="x"))
    page = clients(expert).get(f"/decide/{made.campaign_id}?part=agreement").text
    assert "Rewrites with a plain 4" in page
    assert "Rewrites with a plain 4" not in clients(expert).get("/decide/storms?part=agreement").text


def test_campaigns_without_adjudication_and_items_without_judgments_are_refused(
    database, clients, conflicts, now
) -> None:
    campaign, _, expert = conflicts
    client = clients(expert)
    assert client.get("/decide/nothing").status_code == 404
    assert client.get("/decide/storms/nothing").status_code == 404
    assert client.get("/decide/storms/p4").status_code == 403, "it is still being judged"
    plain = replace(campaign.settings, adjudicate=False)
    database.write(lambda c: change_settings(c, "storms", plain, now=now, by="x"))
    assert client.get("/decide/storms").status_code == 403
    assert client.get("/discuss/storms").status_code == 404
    closed = replace(campaign.settings, members_only=True)
    database.write(lambda c: change_settings(c, "storms", closed, now=now, by="x"))
    assert client.get("/decide/storms").status_code == 404
    assert database.read(lambda c: campaign_of(c, "storms")).settings.members_only


KINDS = [
    ("pair", {"left": "A b.", "right": "C d."}, [{"is_paraphrase": True}, {"is_paraphrase": False}]),
    (
        "choose",
        {"original": "A b.", "candidates": [{"id": name, "text": f"Text {name}."} for name in "xy"]},
        [{"chosen": ["x"], "shown": ["x", "y"]}, {"chosen": [], "shown": ["x", "y"]}],
    ),
    (
        "rate",
        {"source": "A b.", "generated": "C d."},
        [{"fluency": 5, "similarity": n, "diversity": 1} for n in (2, 4)],
    ),
    ("topic", {"sentences": ["A b."]}, [{"topic": "sports"}, {"topic": "health"}]),
    ("seed", {"sentences": [{"id": name, "text": f"Text {name}."} for name in "xyz"]}, [{"seed": "x"}, {"skip": True}]),
    ("match", {"left": {"text": "A b."}, "right": {"text": "C d."}}, [{"accept": True}, {"accept": False}]),
]


@pytest.mark.parametrize(("task", "content", "answers"), KINDS)
def test_every_kind_of_task_with_votes_can_be_decided(
    database, clients, add_people, open_campaign, now, task, content, answers
) -> None:
    [admin] = add_people(database, 1, role="admin")
    item = NewItem(item_id="an item/1", content=content)
    campaign = open_campaign(database, [item], task=task, judgments_per_item=2, adjudicate=True)
    for person, answer in zip(add_people(database, 2), answers, strict=True):
        judge(database, campaign, person, "an item/1", answer, now)
    client = clients(admin)
    page = client.get("/decide/storms/an%20item/1")
    assert page.status_code == 200
    assert 'class="differs"' in page.text
    assert client.get("/decide/storms").text.count("/decide/storms/an%20item/1") >= 1
    sent = {"item_id": "an item/1", "seen": seen(database, "an item/1"), "answer": answers[0]}
    assert client.post("/decide/storms/decisions", json=sent).json()["waiting"] == 0
    assert client.get("/decide/storms?part=agreement").status_code == 200
