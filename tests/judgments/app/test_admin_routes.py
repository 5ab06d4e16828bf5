"""What admins see and do over HTTP: nobody else does, every change is guarded, written down, and shown afterwards."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from datetime import timedelta

import pytest
import sqlalchemy as sa
from fastapi.testclient import TestClient

from paraloom.judgments.app.application import make_app
from paraloom.judgments.app.service import Service
from paraloom.judgments.app.settings_form import settings_fields
from paraloom.judgments.audit import actions
from paraloom.judgments.campaigns import campaign_of, instructions_of
from paraloom.judgments.invitations import open_invitations
from paraloom.judgments.items import NewItem, item_of
from paraloom.judgments.people import add_person, person_of
from paraloom.judgments.settings import CampaignSettings
from paraloom.judgments.sign_in import open_session, stored_password
from paraloom.judgments.simulate.made_up import drawn_answer
from paraloom.judgments.standing import standing_of
from paraloom.judgments.store import schema
from paraloom.judgments.store.migrate import open_database
from paraloom.web.keys import csrf_token
from paraloom.web.passwords import hash_password, matches
from tests.judgments.working import judge

YES, NO = {"is_paraphrase": True}, {"is_paraphrase": False}
AT = "/admin/campaigns/storms"


@pytest.fixture
def admin(database, clients, add_people):
    return clients(add_people(database, 1, role="admin")[0])


@pytest.fixture
def campaign(database, open_campaign, some_pairs, add_people, now):
    """Three people on six pairs: two agree, one says the opposite; and two test questions."""
    made = open_campaign(
        database,
        some_pairs(6, 2),
        judgments_per_item=3,
        pay=0.5,
        bonus=0.1,
        min_compared=2,
        min_kappa=-1.0,
        min_tests=1000,
    )
    people = add_people(database, 3)
    for number in range(6):
        for place, person in enumerate(people):
            judge(database, made, person, f"pair-{number}", YES if (number % 2 == 0) != (place == 2) else NO, now)
    for place, person in enumerate(people):
        judge(database, made, person, "test-0", YES if place else NO, now)
    return made, people


def log(database):
    return [(one.what, one.about) for one in database.read(lambda c: actions(c))]


def shown(response):
    """The text of a page, without its tags."""
    assert response.status_code == 200, response.text
    return " ".join(re.sub(r"<[^>]+>", " ", response.text).split())


def done(response, address):
    """Something was done, and the browser is sent on."""
    assert response.status_code == 303, response.text
    assert response.headers["location"].partition("?")[0] == address
    return response.headers["location"]


# ── who may ──


def admin_routes(app):
    """Every route of admins, with something in the place of each parameter."""

    def flat(routes):
        for route in routes:
            if hasattr(route, "methods"):
                yield route
            else:
                yield from flat(getattr(getattr(route, "original_router", None), "routes", ()))

    found = set()
    schema_of = {route.path: route.methods for route in flat(app.routes) if route.path.startswith("/admin")}
    for path, methods in schema_of.items():
        for method in methods - {"HEAD"}:
            found.add((method, path.replace("{campaign_id}", "storms").replace("{person_id}", "nobody")))
    return sorted(found)


def test_every_admin_route_is_for_admins_alone(new_url, now, add_people, open_campaign, some_pairs) -> None:
    database = open_database(new_url("sqlite"))
    app = make_app(Service(database=database, clock=lambda: now))
    open_campaign(database, some_pairs(1))
    routes = admin_routes(app)
    assert len(routes) >= 35
    before = log(database)
    for role in ("annotator", "expert"):
        [person] = add_people(database, 1, role=role)
        key = database.write(lambda c, person=person: open_session(c, person, now))
        client = TestClient(app, cookies={"paraloom": key}, headers={"x-csrf-token": csrf_token(key)})
        for method, path in routes:
            assert client.request(method, path, data={} if method == "POST" else None).status_code == 403, path
    nobody = TestClient(app, follow_redirects=False)
    for method, path in routes:
        assert nobody.request(method, path).status_code == 401, path
        page = nobody.request(method, path, headers={"accept": "text/html"})
        assert page.status_code == (303 if method == "GET" else 401), path
    told = {what for what, _ in log(database)} - {what for what, _ in before}
    assert told <= {"signed in", "person added"}
    database.close()


def test_every_change_must_come_from_our_own_page(new_url, now, add_people, open_campaign, some_pairs) -> None:
    database = open_database(new_url("sqlite"))
    app = make_app(Service(database=database, clock=lambda: now))
    open_campaign(database, some_pairs(1))
    [person] = add_people(database, 1, role="admin")
    key = database.write(lambda c: open_session(c, person, now))
    client = TestClient(app, cookies={"paraloom": key}, follow_redirects=False)
    for method, path in admin_routes(app):
        if method == "POST":
            assert client.post(path, data={"csrf": "made up"}).status_code == 403, path
    assert client.post(f"{AT}/state", data={"csrf": csrf_token(key), "state": "paused"}).status_code == 303
    database.close()


# ── campaigns ──


def test_the_list_shows_progress_cost_and_then_agreement(admin, campaign) -> None:
    page = shown(admin.get("/admin"))
    assert "Storms" in page
    assert "18 of 18" in page
    assert "6 of 6" in page
    assert "$10.50" in page  # 3 people, 7 answers each
    assert shown(admin.get(f"{AT}/agreement")) == "−0.26"


def test_the_dashboard_tells_what_changes_and_nothing_when_nothing_does(database, admin, campaign, now) -> None:
    made, people = campaign
    page = admin.get(AT)
    words = shown(page)
    for told in ("Agreement α", "Mean κ", "Raw agreement", "Tests right", "67%", "Most disputed", people[0].name):
        assert told in words, told
    live = re.search(r'hx-get="([^"]+)"', page.text)[1].replace("&amp;", "&")
    assert admin.get(live).status_code == 204
    judge(database, made, people[0], "pair-0", NO, now)
    again = admin.get(live)
    assert again.status_code == 200
    assert again.text.lstrip().startswith('<section id="figures"')
    assert admin.get(f"{AT}/figures?seen=").status_code == 200


LISTED = [{"id": f"s{n}", "text": f"Storm {n}."} for n in range(4)]
CONTENTS = {
    "pair": {"left": "A storm.", "right": "A gale."},
    "choose": {"original": "A storm.", "candidates": LISTED},
    "rate": {"source": "A storm.", "generated": "A gale."},
    "topic": {"sentences": ["A storm.", "A gale."]},
    "seed": {"sentences": LISTED},
    "match": {"left": {"text": "A storm came."}, "right": {"text": "A gale blew."}},
    "extract": {"left": {"text": "A storm came. It went."}, "right": {"text": "A gale blew. It ended."}},
    "grade": {"left": "A storm.", "right": "A gale."},
    "write": {"source": "A storm came over the town."},
}


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
@pytest.mark.parametrize("task", CONTENTS)
def test_every_page_is_there_for_every_kind_of_task(
    task, database, admin, clients, add_people, open_campaign, now
) -> None:
    campaign = open_campaign(database, [NewItem(item_id="i 1/2?", content=CONTENTS[task])], task=task)
    pages = ("", "/people", "/items", "/tests", "/instructions", "/settings", "/export", "/republish", "/bonus")
    for page in pages:
        assert "Storms" in shown(admin.get(AT + page)), page
    people = add_people(database, 2)
    for seed, person in enumerate(people):
        answer = drawn_answer(task, CONTENTS[task], random.Random(seed))
        judge(database, campaign, person, "i 1/2?", answer, now)
    for page in (*pages, f"/people/{people[0].person_id}", "/item?id=i%201%2F2%3F"):
        assert "Storms" in shown(admin.get(AT + page)), page
    assert "/item?id=i%201/2%3F" in admin.get(f"{AT}/items").text
    assert admin.get(f"{AT}/bonus.csv").status_code == 200
    own = clients(people[0])
    assert "?item=i%201/2%3F" in own.get("/judge/storms/mine").text
    assert "data-given" in own.get("/judge/storms/answered/i%201%2F2%3F").json()["html"]


def test_a_new_campaign_has_the_settings_that_were_filled_in(database, admin) -> None:
    form = {
        "title": "Floods & <b>rain</b>",
        "task": "grade",
        "judgments_per_item": "2",
        "budget": "",
        "pay": "0,05",
        "definition": "graded",
        "roles": ["annotator", "expert"],
        "ends_at": "2026-12-31T18:00",
        "topics": "sport\n\n politics ",
        "adjudicate": "1",
    }
    defaults = {
        field.name: field.value
        for fields in settings_fields(CampaignSettings()).values()
        for field in fields
        if field.kind in ("whole", "decimal", "text")
    }
    address = done(admin.post("/admin/new", data=defaults | form), "/admin/campaigns/floods-b-rain-b")
    made = database.read(lambda c: campaign_of(c, "floods-b-rain-b"))
    settings = made.settings
    assert (made.title, made.task, made.state) == ("Floods & <b>rain</b>", "grade", "draft")
    assert (settings.judgments_per_item, settings.pay, settings.budget) == (2, 0.05, None)
    assert settings.roles == ("annotator", "expert")
    assert settings.topics == ("sport", "politics")
    assert settings.adjudicate
    assert not settings.show_context
    assert str(settings.ends_at) == "2026-12-31 18:00:00+00:00"
    page = admin.get(address)
    assert "Floods &amp; &lt;b&gt;rain&lt;/b&gt;" in page.text
    assert "<b>rain" not in page.text
    assert "as a draft" in page.text
    assert ("campaign created", "floods-b-rain-b") in log(database)


def test_the_settings_form_has_every_setting_and_stores_it_unchanged(database, admin, campaign) -> None:
    made, _ = campaign
    page = admin.get(f"{AT}/settings").text
    form: dict[str, object] = {}
    for fields in settings_fields(made.settings).values():
        for field in fields:
            assert f'name="{field.name}"' in page
            assert field.hint
            assert "`" not in field.hint
            if field.kind != "yes or no":
                form[field.name] = "\n".join(field.value) if field.kind == "lines" else field.value
            elif field.value:
                form[field.name] = "1"
    assert len(form) + 4 >= len(CampaignSettings.__dataclass_fields__)
    done(admin.post(f"{AT}/settings", data=form), f"{AT}/settings")
    assert database.read(lambda c: campaign_of(c, "storms")).settings == made.settings


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("field", "typed", "told"),
    [
        ("judgments_per_item", "many", "must be a number"),
        ("judgments_per_item", "", "is empty"),
        ("judgments_per_item", "0", "must be from 1"),
        ("ends_at", "soon", "write it as"),
        ("min_kappa", "nan", "must be from"),
        ("definition", "vague", "there are loose"),
    ],
)
def test_settings_that_make_no_sense_are_refused_and_what_was_typed_stays(
    field, typed, told, database, admin, campaign
) -> None:
    made, _ = campaign
    fields = [field for fields in settings_fields(made.settings).values() for field in fields]
    form = {one.name: one.value for one in fields if one.kind in ("whole", "decimal", "text", "choice")}
    answer = admin.post(f"{AT}/settings", data=form | {"currency": "CHF", field: typed})
    assert answer.status_code == 422
    assert told in answer.text
    assert 'value="CHF"' in answer.text
    assert database.read(lambda c: campaign_of(c, "storms")).settings == made.settings


def test_a_campaign_is_paused_opened_again_and_ended(database, admin, campaign) -> None:
    for state in ("paused", "open", "ended", "open"):
        address = done(admin.post(f"{AT}/state", data={"state": state}), AT)
        assert state in shown(admin.get(address))
        assert database.read(lambda c: campaign_of(c, "storms")).state == state
    assert admin.post(f"{AT}/state", data={"state": "draft"}).status_code == 403
    assert admin.post(f"{AT}/state", data={"state": "gone"}).status_code == 422
    assert ("campaign ended", "storms") in log(database)


def test_a_page_says_only_what_we_wrote(admin, campaign) -> None:
    page = admin.get(f"{AT}?done=<script>alert(1)</script>&count=3")
    assert "alert(1)" not in page.text
    assert admin.get(f"{AT}?done=stopped&count=3").text.count("set aside: 3") == 1


# ── people of a campaign ──


def test_low_work_is_looked_at_and_then_published_again(database, admin, campaign, now) -> None:
    made, people = campaign
    bad = people[2]
    page = admin.get(f"{AT}/republish")
    assert bad.name in shown(page)
    assert f'value="{bad.person_id}" checked' in page.text
    assert "Nobody is below" in shown(admin.get(f"{AT}/republish?below=-1"))
    address = done(admin.post(f"{AT}/republish", data={"person": bad.person_id, "reason": "too low"}), f"{AT}/people")
    assert "set aside and published again: 7" in shown(admin.get(address))
    assert database.read(lambda c: item_of(c, "storms", "pair-0")).judged == 2
    assert database.read(lambda c: standing_of(c, made, bad.person_id, now)).state == "working"
    assert ("work set aside", "storms") in log(database)


def test_whoever_is_republished_may_be_stopped_as_well(database, admin, campaign, now) -> None:
    made, people = campaign
    chosen = [one.person_id for one in people[1:]]
    done(admin.post(f"{AT}/republish", data={"person": chosen, "stop_them": "1"}), f"{AT}/people")
    states = [database.read(lambda c, p=p: standing_of(c, made, p.person_id, now)).state for p in people]
    assert states == ["working", "stopped", "stopped"]


def test_somebody_is_stopped_and_reinstated_and_their_work_counts_again(database, admin, campaign, now) -> None:
    made, people = campaign
    at = f"{AT}/people/{people[0].person_id}"
    assert people[0].name in shown(admin.get(at))
    assert admin.post(f"{at}/stop", data={"reason": " "}).status_code == 422
    address = done(admin.post(f"{at}/stop", data={"reason": "Sold the account.", "set_aside": "1"}), at)
    page = shown(admin.get(address))
    assert "Sold the account." in page
    assert "Answers set aside: 7" in page
    assert database.read(lambda c: item_of(c, "storms", "pair-0")).judged == 2

    address = done(admin.post(f"{at}/reinstate", data={"restore": "1"}), at)
    assert "count again: 7" in shown(admin.get(address))
    assert database.read(lambda c: item_of(c, "storms", "pair-0")).judged == 3
    assert database.read(lambda c: standing_of(c, made, people[0].person_id, now)).state == "working"
    assert admin.post(f"{at}/reinstate").status_code == 403
    assert {"person stopped", "work set aside", "person reinstated", "work restored"} <= {w for w, _ in log(database)}
    assert admin.get(f"{AT}/people/nobody").status_code == 404
    assert admin.post(f"{AT}/people/nobody/stop", data={"reason": "x"}).status_code == 404


def test_people_can_be_sorted(admin, campaign) -> None:
    _, people = campaign
    by_kappa = admin.get(f"{AT}/people?sort=kappa").text
    assert by_kappa.index(people[2].person_id) < by_kappa.index(people[0].person_id)
    assert admin.get(f"{AT}/people?sort=nonsense").status_code == 200


def test_members_are_added_and_removed(database, admin, campaign, add_people) -> None:
    [new] = add_people(database, 1)
    done(admin.post(f"{AT}/members", data={"person": [new.person_id]}), f"{AT}/people")
    members = sa.select(schema.members.c.person_id)
    assert database.read(lambda c: c.scalars(members).all()) == [new.person_id]
    done(admin.post(f"{AT}/members/remove", data={"person": new.person_id}), f"{AT}/people")
    assert database.read(lambda c: c.scalars(members).all()) == []
    assert admin.post(f"{AT}/members/remove", data={"person": new.person_id}).status_code == 404
    assert admin.post(f"{AT}/members", data={"person": ["nobody"]}).status_code == 404


def test_the_bonus_list_is_a_page_and_a_file(admin, campaign) -> None:
    _, people = campaign
    assert people[0].name in shown(admin.get(f"{AT}/bonus"))
    answer = admin.get(f"{AT}/bonus.csv")
    assert answer.headers["content-disposition"] == 'attachment; filename="storms-bonus.csv"'
    rows = {row["person_id"]: row for row in csv.DictReader(io.StringIO(answer.text))}
    assert {row["earned"] for row in rows.values()} == {"3.500000"}


# ── items, test questions, instructions, export ──


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("", 8),
        ("?words=storm+3", 1),
        ("?words=STORM", 6),
        ("?words=pair-2", 1),
        ("?words=100%25", 0),
        ("?words=%22", 0),
        ("?state=complete", 6),
        ("?state=untouched", 0),
        ("?state=disputed", 6),
        ("?state=test+questions", 2),
        ("?label=1", 6),
        ("?label=7", 0),
        ("?state=noted", 0),
        ("?state=nonsense&page=99", 8),
    ],
)
def test_items_are_found_by_words_state_and_answer(query, count, admin, campaign) -> None:
    assert f"{count} item" in shown(admin.get(f"{AT}/items{query}"))


def test_an_item_shows_all_that_was_said_about_it(database, admin, campaign, now) -> None:
    made, people = campaign
    judge(database, made, people[0], "pair-0", NO, now + timedelta(hours=1))
    note = {"campaign_id": "storms", "item_id": "pair-0", "person_id": people[1].person_id}
    text = "<i>Hm</i>, really?"
    database.write(lambda c: c.execute(schema.notes.insert().values(**note, text=text, created_at=now)))
    answer = admin.get(f"{AT}/item?id=pair-0")
    page = shown(answer)
    for told in (*(one.name for one in people), "Storm 0 hit the coast.", "changed later", "really?"):
        assert told in page, told
    assert "&lt;i&gt;Hm&lt;/i&gt;" in answer.text
    assert re.search(r'<section class="as-shown"[^>]* inert>', answer.text)
    assert admin.get(f"{AT}/item?id=no/such").status_code == 404


def test_test_questions_are_added_changed_retired_and_asked_again(database, admin, campaign) -> None:
    at = f"{AT}/tests"
    new = {"content": json.dumps(CONTENTS["pair"]), "expected": '{"is_paraphrase": true}', "explanation": "Same wind."}
    done(admin.post(at, data=new), at)
    assert "A storm." in shown(admin.get(at))
    assert admin.post(at, data=new).status_code == 422  # it is there already
    for wrong in ({"content": "{"}, {"content": "[]"}, {"expected": '{"label": "4"}'}, {"content": '{"left": "x"}'}):
        answer = admin.post(at, data=new | {"explanation": "Kept as typed."} | wrong)
        assert answer.status_code == 422
        assert "Kept as typed." in answer.text

    change = {"item_id": "test-0", "expected": '{"is_paraphrase": false}', "explanation": ""}
    done(admin.post(f"{at}/change", data=change), f"{AT}/item")
    assert database.read(lambda c: item_of(c, "storms", "test-0")).expected == NO
    assert admin.post(f"{at}/change", data=change | {"expected": "no"}).status_code == 422
    assert admin.post(f"{at}/change", data=change | {"item_id": "pair-0"}).status_code == 403  # seen as work

    done(admin.post(f"{at}/retire", data={"item_id": "test-0", "retired": "1"}), at)
    assert database.read(lambda c: item_of(c, "storms", "test-0")).is_closed
    done(admin.post(f"{at}/retire", data={"item_id": "test-0"}), at)
    assert not database.read(lambda c: item_of(c, "storms", "test-0")).is_closed
    assert admin.post(f"{at}/retire", data={"item_id": "pair-0", "retired": "1"}).status_code == 403
    assert {"test question added", "test question changed", "test question retired", "test question asked again"} <= {
        what for what, _ in log(database)
    }


def test_an_item_that_nobody_has_seen_can_become_a_test_question(database, admin, open_campaign) -> None:
    open_campaign(database, [NewItem(item_id="fresh", content=CONTENTS["pair"])])
    assert "Make it a test question" in shown(admin.get(f"{AT}/item?id=fresh"))
    change = {"item_id": "fresh", "expected": '{"is_paraphrase": true}', "explanation": "Wind."}
    done(admin.post(f"{AT}/tests/change", data=change), f"{AT}/item")
    item = database.read(lambda c: item_of(c, "storms", "fresh"))
    assert (item.is_test, item.expected, item.explanation) == (True, YES, "Wind.")


def test_instructions_are_previewed_and_published_as_a_new_version(database, admin, campaign) -> None:
    at = f"{AT}/instructions"
    assert "<em>wind</em>" in admin.post(f"{at}/preview", data={"text": "*wind* <script>"}).text
    assert "<script>" not in admin.post(f"{at}/preview", data={"text": "*wind* <script>"}).text
    text = "# Storms\r\n\r\nLook *closely*."
    answer = admin.post(at, data={"text": text, "change": ""})
    assert answer.status_code == 422
    assert "Look *closely*." in answer.text
    done(admin.post(at, data={"text": text, "change": "Shorter."}), at)
    newest, first = database.read(lambda c: instructions_of(c, "storms"))
    assert (newest.version, newest.text, newest.change) == (2, "# Storms\n\nLook *closely*.", "Shorter.")
    assert "Publish it to make it hold again" in shown(admin.get(f"{at}?version=1"))
    assert first.text[:20] in admin.get(f"{at}?version=1").text


@pytest.mark.parametrize("kind", ["jsonl", "csv"])
def test_an_export_is_every_judgment_as_a_file_and_is_written_down(kind, database, admin, campaign) -> None:
    _, people = campaign
    answer = admin.get(f"{AT}/export?format={kind}")
    assert answer.headers["content-disposition"] == f'attachment; filename="storms.{kind}"'
    rows = (
        [json.loads(line) for line in answer.text.splitlines()]
        if kind == "jsonl"
        else list(csv.DictReader(io.StringIO(answer.text)))
    )
    assert len(rows) == 21
    assert people[0].name not in answer.text
    assert people[0].name in admin.get(f"{AT}/export?format={kind}&names=true").text
    assert ("exported", "storms") in log(database)
    assert admin.get(f"{AT}/export?format=xlsx").status_code == 422


# ── people ──


def test_an_invitation_is_shown_once_and_can_be_withdrawn(database, admin, campaign, now) -> None:
    form = {"role": "expert", "campaign_id": "storms", "uses": "3", "days": "7", "note": "<b>Welcome</b>"}
    answer = admin.post("/admin/people/invite", data=form)
    link = re.search(r"http://testserver(/join/[\w-]+)", answer.text)[1]
    assert admin.get(link).status_code == 200
    page = admin.get("/admin/people").text
    assert link not in page
    assert "&lt;b&gt;Welcome" in page
    [made] = database.read(lambda c: open_invitations(c, now))
    assert (made.role, made.campaign_id, made.uses_left) == ("expert", "storms", 3)
    done(admin.post("/admin/people/withdraw", data={"key_hash": made.key_hash}), "/admin/people")
    assert admin.get(link).status_code == 404
    for wrong in ({"role": "king"}, {"uses": "0"}, {"days": "9999"}):
        assert admin.post("/admin/people/invite", data=form | wrong).status_code == 422
    assert admin.post("/admin/people/invite", data=form | {"campaign_id": "none"}).status_code == 404


def test_roles_blocks_and_passwords_are_changed_by_admins(database, admin, now) -> None:
    person = database.write(
        lambda c: add_person(c, name="Ann", hashed=hash_password("old pass word"), role="annotator", now=now, by="x")
    )
    at = f"/admin/people/{person.person_id}"
    key = database.write(lambda c: open_session(c, person, now))
    done(admin.post(f"{at}/role", data={"role": "expert"}), at)
    assert database.read(lambda c: person_of(c, person.person_id)).role == "expert"
    assert admin.post(f"{at}/role", data={"role": "king"}).status_code == 422

    secret = re.search(r'class="token"[^>]*>([^<]+)<', admin.post(f"{at}/password").text)[1]
    assert matches(database.read(lambda c: stored_password(c, "Ann"))[1], secret)
    assert not database.read(
        lambda c: c.execute(sa.select(schema.sessions).filter_by(person_id=person.person_id)).all()
    )
    assert key

    done(admin.post(f"{at}/block", data={"blocked": "1"}), at)
    assert database.read(lambda c: stored_password(c, "Ann")) == (None, None)
    assert admin.post(f"{at}/password").status_code == 403
    done(admin.post(f"{at}/block"), at)
    assert database.read(lambda c: person_of(c, person.person_id)).is_active
    assert {"role changed", "password changed", "person blocked", "person unblocked"} <= {w for w, _ in log(database)}


def test_an_identity_is_erased_once_its_name_was_typed(database, admin, campaign) -> None:
    _, people = campaign
    at = f"/admin/people/{people[0].person_id}"
    wrong = admin.post(f"{at}/erase", data={"name": "Somebody"})
    assert wrong.status_code == 422
    assert "Nothing was erased" in wrong.text
    address = done(admin.post(f"{at}/erase", data={"name": people[0].name}), at)
    assert "The judgments stay" in shown(admin.get(address))
    assert database.read(lambda c: person_of(c, people[0].person_id)).name is None
    assert people[0].name not in admin.get(AT).text


def test_the_last_admin_cannot_leave(database, clients, add_people) -> None:
    [last] = add_people(database, 1, role="admin")
    client, at = clients(last), f"/admin/people/{last.person_id}"
    assert client.post(f"{at}/role", data={"role": "annotator"}).status_code == 403
    assert client.post(f"{at}/block", data={"blocked": "1"}).status_code == 403
    assert client.post(f"{at}/erase", data={"name": last.name}).status_code == 403
    assert client.post(f"{at}/password").status_code == 403


def test_the_log_is_paged_and_names_people(database, admin, campaign, now) -> None:
    for _ in range(35):
        admin.post(f"{AT}/state", data={"state": "paused"})
        admin.post(f"{AT}/state", data={"state": "open"})
    page = admin.get("/admin/log").text
    assert page.count("<tr>") == 61
    older = re.search(r'href="(/admin/log\?before=\d+)"', page)[1]
    assert "person added" in admin.get(older).text
    assert "campaign open" in page
