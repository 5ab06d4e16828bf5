"""A service in which everything has happened once: people of every role, a campaign of every kind of task, answers,
conflicts, decisions, notes, reviews, people stopped, invitations, tokens. Every text is what the caller says it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.judgments.assign import count_held
from paraloom.judgments.campaigns import campaign_of, change_state, create_campaign, publish_instructions
from paraloom.judgments.checks import keep_check
from paraloom.judgments.decide import GivenDecision, decide, write_note
from paraloom.judgments.game import Check
from paraloom.judgments.invitations import add_member, invite
from paraloom.judgments.items import NewItem, add_items
from paraloom.judgments.people import DEMO_NAME, Person, Role, add_person, block, erase_identity
from paraloom.judgments.review import ReviewChoice, open_reviews
from paraloom.judgments.settings import CampaignSettings
from paraloom.judgments.sign_in import SESSION_DAYS, make_token, open_session, revoke_token
from paraloom.judgments.stop import stop_person
from paraloom.judgments.store import schema
from paraloom.judgments.store.database import Database
from paraloom.judgments.tasks import TASKS
from tests.judgments.working import judge

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
PASSWORD = "four random words here"
HASHED = (  # of PASSWORD: to make it takes long, on purpose
    "$argon2id$v=19$m=19456,t=2,p=1$ZoVlSX61W6bOK/Ff2ZJ8pg$O5UNMpi4Av1tTOu/OYZKwqXgQ98P4WbrbPEui230/TI"
)
LIMITED = "members"
"""The campaign that is for its members alone; Ben is the only one."""

Say = Callable[[str], str]
"""A field's name in, the text that stands there out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Populated:
    """What there is, and the keys to it."""

    people: Mapping[str, Person]
    """By who they are: annotator, other, expert, admin, second (admin), blocked, erased, program, demo."""
    sessions: Mapping[str, str]
    """Keys, by the same; and `expired`."""
    tokens: Mapping[str, str]
    """Keys, by the same; and `revoked`."""
    token_id: str
    """Of the annotator's token."""
    invitation: str
    """A key that is still good."""
    invitation_hash: str
    judgments: tuple[str, ...]
    """Ids of the two that conflict about `grade/i0`."""


def plainly(field: str) -> str:
    """Texts that nobody has to fear."""
    return f"the {field}"


def populate(database: Database, say: Say = plainly) -> Populated:
    """Make all of it happen in an empty database."""
    people = _people(database, say)
    _campaigns(database, people, say)
    judgments = _judged(database, people, say)
    keys = database.write(lambda connection: _keys(connection, people, say))
    return Populated(people=people, judgments=judgments, **keys)


def _people(database: Database, say: Say) -> dict[str, Person]:
    roles: dict[str, Role] = {
        "annotator": "annotator",
        "other": "annotator",
        "expert": "expert",
        "admin": "admin",
        "second": "admin",
        "blocked": "admin",
        "erased": "admin",
        "program": "annotator",
        "demo": "admin",
    }

    def job(connection: Connection) -> dict[str, Person]:
        return {
            who: add_person(
                connection,
                name=DEMO_NAME if who == "demo" else f"{say('name')[:68]} {who}",
                hashed=None if who == "program" else HASHED,
                role=role,
                now=NOW,
                by="test",
                language=say("language")[:20] if who == "annotator" else None,
            )
            for who, role in roles.items()
        }

    return database.write(job)


def contents(kind: str, number: int, say: Say) -> dict[str, Any]:
    """An item of that kind."""
    left, right = f"Left {number} {say('left')}", f"Right {number} {say('right')}"
    title = say("title of a document")
    made: dict[str, dict[str, Any]] = {
        "pair": {"left": left, "right": right, "topic": say("topic")},
        "grade": {
            "left": left,
            "right": right,
            "left_document": {"text": f"Before. {left}", "start": 8, "end": 8 + len(left), "title": title},
            "right_document": {"text": f"{right} After.", "start": 0, "end": len(right), "title": title},
        },
        "match": {"left": {"text": left, "title": title}, "right": {"text": right, "title": title}},
        "choose": {
            "original": left,
            "candidates": [{"id": f"a{number}", "text": right}, {"id": f"{say('id')[:120]}{number}", "text": left}],
        },
        "seed": {
            "sentences": [
                {"id": f"a{number}", "text": left},
                {"id": f"b{number}", "text": right},
                {"id": f"{say('id')[:120]}{number}", "text": f"{left} again"},
            ]
        },
        "topic": {"sentences": [left, right], "key": say("key"), "topics": ["Rain", say("topic")[:150] or "Sun"]},
        "write": {"source": left},
        "extract": {
            "left": {"text": left, "title": title, "id": say("id")},
            "right": {"text": right, "title": title},
            "suggestions": [{"left_start": 0, "left_end": len(left), "right_start": 0, "right_end": 5, "score": 0.5}],
        },
        "rate": {"source": left, "generated": right}
        if number % 2
        else {"left": left, "right": right, "sentence_left": f"{left} it is.", "sentence_right": say("sentence")},
    }
    return made[kind]


def answers(kind: str, number: int, say: Say) -> tuple[dict[str, Any], dict[str, Any]]:
    """Two answers to it that contradict each other."""
    content = contents(kind, number, say)
    shown = [one["id"] for one in content["candidates"]] if kind == "choose" else []
    pair = {"left_start": 0, "left_end": len(f"Left {number} {say('left')}".strip()), "right_start": 0, "right_end": 5}
    scales = ("fluency", "similarity", "diversity") if number % 2 else ("kept",)
    made: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
        "pair": ({"is_paraphrase": True}, {"is_paraphrase": False}),
        "grade": (
            {"label": "3", "rewrite_left": f"Rewritten {say('rewrite')}", "unsure": True, "note": say("note")},
            {"label": "2"},
        ),
        "match": ({"accept": True}, {"accept": False}),
        "choose": ({"chosen": shown[1:], "shown": shown}, {"chosen": [], "shown": shown}),
        "seed": ({"seed": f"{say('id')[:120]}{number}"}, {"skip": True}),
        "topic": ({"topic": say("topic")[:150] or "Sun"}, {"topic": "Rain"}),
        "write": ({"text": f"Written {say('text')}"}, {"text": "", "gave_up": True}),
        "extract": (
            {"pairs": [pair], "state": "finished", "suggestions_shown": True},
            {"pairs": [], "state": "empty", "suggestions_shown": True},
        ),
        "rate": (dict.fromkeys(scales, 5), dict.fromkeys(scales, 1)),
    }
    return made[kind]


def _campaigns(database: Database, people: Mapping[str, Person], say: Say) -> None:
    """One of each kind, with work `i0` to `i3` and test questions `t4` and `t5`; and one for members alone.

    The annotator holds `i2`.
    """

    def job(connection: Connection) -> None:
        for kind in (*TASKS, LIMITED):
            task = kind if kind in TASKS else "pair"
            settings = CampaignSettings(
                judgments_per_item=2,
                adjudicate=True,
                tests_every=3,
                pay=0.05,
                currency=say("currency")[:20] if say("currency") else "USD",
                members_only=kind == LIMITED,
                topics=("Rain", say("topic")[:150] or "Sun"),
            )
            title = f"Campaign {kind} {say('campaign')}"[:300]
            campaign = create_campaign(
                connection, task=task, title=title, campaign_id=kind, settings=settings, now=NOW, by="test"
            )
            new = [
                NewItem(
                    item_id=f"{'t' if is_test else 'i'}{number}",
                    content=contents(task, number, say),
                    expected=answers(task, number, say)[0] if is_test else None,
                    explanation=say("explanation") if is_test else None,
                    group_id=say("group")[:64] or "group",
                    proposed_by=say("proposed by")[:200] or "a program",
                    origin={"from": say("origin"), say("key of origin"): ["x", say("origin")]},
                )
                for number, is_test in enumerate((False, False, False, False, True, True))
            ]
            add_items(connection, campaign, new, now=NOW)
            change_state(connection, kind, "open", now=NOW, by="test")
            publish_instructions(
                connection, kind, f"Instructions\n\n{say('instructions')}", say("change"), now=NOW, by="test"
            )
            held = {"campaign_id": kind, "item_id": "i2", "person_id": people["annotator"].person_id}
            if kind != LIMITED:
                connection.execute(
                    schema.assignments.insert().values(
                        **held, state="leased", purpose="work", leased_at=NOW, expires_at=NOW + timedelta(minutes=30)
                    )
                )
                count_held(connection, kind, "i2", 1)
        add_member(connection, LIMITED, people["other"].person_id, NOW)

    database.write(job)


def _judged(database: Database, people: Mapping[str, Person], say: Say) -> tuple[str, ...]:
    """Of each kind: a conflict about `i0`, one answer to `i1`, a test question answered wrongly."""
    made: tuple[str, ...] = ()
    for kind in TASKS:
        campaign = database.read(lambda connection, kind=kind: campaign_of(connection, kind))
        one, other = answers(kind, 0, say)
        first = judge(database, campaign, people["annotator"], "i0", one, NOW)
        second = judge(database, campaign, people["other"], "i0", other, NOW)
        judge(database, campaign, people["annotator"], "i1", answers(kind, 1, say)[0], NOW)
        judge(database, campaign, people["annotator"], "t4", answers(kind, 4, say)[1], NOW)
        if kind == "grade":
            made = (first, second)

    def job(connection: Connection) -> None:
        by, expert = people["admin"].person_id, people["expert"]
        for kind in TASKS:
            campaign = campaign_of(connection, kind)
            for person in (people["annotator"], expert):
                write_note(connection, campaign, person, "i0", say("note"), client_id=f"note-on-{kind}", now=NOW)
            if kind in ("pair", "topic"):
                asked = sa.select(schema.judgments.c.judgment_id).filter_by(campaign_id=kind)
                said = tuple(connection.scalars(asked))
                given = GivenDecision(
                    item_id="i0", seen=said, after=None, answer=answers(kind, 0, say)[1], reason=say("reason")
                )
                decide(connection, campaign, expert, given, now=NOW)
            stop_person(
                connection, campaign, people["other"].person_id, reason=say("reason"), set_aside=False, now=NOW, by=by
            )
        match = campaign_of(connection, "match")
        open_reviews(connection, match, ReviewChoice(limit=5), reason=say("reason"), now=NOW, by=by)
        check = Check(implication=0.9, similarity=0.1, reward=0.4, passes=True)
        write = campaign_of(connection, "write")
        keep_check(
            connection,
            write,
            people["annotator"],
            "i0",
            f"Tried {say('text')}",
            check,
            judged_by=say("model"),
            client_id="check-0001",
            now=NOW,
        )

    database.write(job)
    return made


def _keys(connection: Connection, people: Mapping[str, Person], say: Say) -> dict[str, Any]:
    sessions = {who: open_session(connection, person, NOW) for who, person in people.items() if who != "program"}
    sessions["expired"] = open_session(connection, people["admin"], NOW - timedelta(days=SESSION_DAYS + 1))
    tokens, token_id = {}, ""
    for who, person in people.items():
        token, tokens[who] = make_token(connection, person.person_id, say("token") or "script", NOW)
        token_id = token.token_id if who == "annotator" else token_id
    gone, tokens["revoked"] = make_token(connection, people["admin"].person_id, say("token"), NOW)
    revoke_token(connection, people["admin"].person_id, gone.token_id, NOW)
    kept = dict(sessions), dict(tokens)
    block(connection, people["blocked"].person_id, blocked=True, now=NOW, by="test")
    erase_identity(connection, people["erased"].person_id, now=NOW, by="test")
    invitation = invite(connection, role="annotator", now=NOW, by="test", note=say("invitation"), campaign_id=LIMITED)
    hashed = connection.scalar(sa.text("select key_hash from invitations"))
    return {
        "sessions": kept[0],
        "tokens": kept[1],
        "token_id": token_id,
        "invitation": invitation,
        "invitation_hash": hashed,
    }
