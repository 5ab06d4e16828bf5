"""Every way into the service: for each route the least role that may go there, and a request that would be done.

A route that is not listed here fails the tests: nobody can add one and forget who may use it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from fastapi import FastAPI
from fastapi.routing import iter_route_contexts

from paraloom.judgments.app.settings_form import settings_fields
from paraloom.judgments.settings import CampaignSettings
from tests.judgments.app.populated import PASSWORD, Populated

Least = Literal["nobody", "annotator", "expert", "admin"]
RANKS: tuple[Least, ...] = ("nobody", "annotator", "expert", "admin")


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One route, and how it is gone."""

    least: Least
    path: str = ""
    """With names of `Populated` in braces; empty where the route's own path has none."""
    form: Mapping[str, Any] | None = None
    json: Any = None
    signed_in: bool = False
    """For a session alone: a program's token is not enough."""
    changes: bool | None = field(default=None)
    """Whether the database is another one afterwards; None for what the method says."""


def _typed_settings() -> dict[str, Any]:
    """What the form of the settings sends if nothing is changed in it."""
    typed: dict[str, Any] = {}
    for fields in settings_fields(CampaignSettings(judgments_per_item=3)).values():
        for one in fields:
            if one.kind != "yes or no":
                typed[one.name] = list(one.value) if one.kind == "roles" else one.value or "0"
    return typed | {"topics": "", "budget": "", "cap": "", "most_earned": "", "ends_at": ""}


SETTINGS = _typed_settings()
ANSWER = {
    "item_id": "i2",
    "answer": {"is_paraphrase": True},
    "client_id": "drawn-by-a-test",
    "instructions_version": 1,
    "holding": [],
}
PAIR = {"left": "It rained.", "right": "Rain fell."}
AT = "/admin/campaigns/{campaign_id}"
PAIRS = "/admin/campaigns/pair"
REVIEW = {"match": "any", "limit": "5", "reason": "Look again."}

WAYS: dict[str, Way] = {
    "GET /api/v1/openapi.json": Way(least="nobody"),
    # One's own account
    "GET /": Way(least="annotator"),
    "GET /sign-in": Way(least="nobody"),
    "POST /sign-in": Way(least="nobody", form={"name": "the name annotator", "password": PASSWORD}),
    "GET /demo/{key}": Way(least="nobody", path="/demo/the-key-of-the-demonstration", changes=True),
    "POST /sign-out": Way(least="annotator", form={}, signed_in=True),
    "GET /join/{key}": Way(least="nobody", path="/join/{invitation}"),
    "POST /join/{key}": Way(
        least="nobody", path="/join/{invitation}", form={"name": "New", "password": "some words nobody guesses"}
    ),
    "GET /account": Way(least="annotator"),
    "POST /account/password": Way(
        least="annotator",
        form={"old": PASSWORD, "password": "another four words", "again": "another four words"},
        signed_in=True,
    ),
    "POST /account/tokens": Way(least="annotator", form={"name": "mine"}, signed_in=True),
    "POST /account/tokens/{token_id}/revoke": Way(least="annotator", path="/account/tokens/{token_id}/revoke", form={}),
    "POST /account/erase": Way(least="annotator", form={"password": PASSWORD}, signed_in=True),
    # The API
    "GET /api/v1/me": Way(least="annotator"),
    "GET /api/v1/campaigns": Way(least="annotator"),
    "POST /api/v1/campaigns": Way(least="admin", json={"task": "pair", "title": "New"}),
    "GET /api/v1/campaigns/{campaign_id}": Way(least="annotator", path="/api/v1/campaigns/pair"),
    "PATCH /api/v1/campaigns/{campaign_id}": Way(
        least="admin", path="/api/v1/campaigns/pair", json={"state": "paused", "settings": {"pay": 1.5}}
    ),
    "GET /api/v1/campaigns/{campaign_id}/instructions": Way(
        least="annotator", path="/api/v1/campaigns/pair/instructions"
    ),
    "POST /api/v1/campaigns/{campaign_id}/instructions": Way(
        least="admin", path="/api/v1/campaigns/pair/instructions", json={"text": "Other", "change": "All"}
    ),
    "POST /api/v1/campaigns/{campaign_id}/items": Way(
        least="admin", path="/api/v1/campaigns/pair/items", json={"items": [{"content": PAIR}]}
    ),
    "GET /api/v1/campaigns/{campaign_id}/items": Way(least="admin", path="/api/v1/campaigns/pair/items"),
    "GET /api/v1/campaigns/{campaign_id}/judgments": Way(least="admin", path="/api/v1/campaigns/pair/judgments"),
    "POST /api/v1/campaigns/{campaign_id}/next": Way(
        least="annotator", path="/api/v1/campaigns/pair/next", json={"holding": ["i2"]}
    ),
    "POST /api/v1/campaigns/{campaign_id}/answers": Way(
        least="annotator", path="/api/v1/campaigns/pair/answers", json=ANSWER
    ),
    "POST /api/v1/campaigns/{campaign_id}/items/{item_id}/hand-back": Way(
        least="annotator", path="/api/v1/campaigns/pair/items/i2/hand-back"
    ),
    "POST /api/v1/campaigns/{campaign_id}/items/{item_id}/check": Way(
        least="annotator", path="/api/v1/campaigns/write/items/i2/check", json={"text": "Said otherwise."}
    ),
    "POST /api/v1/campaigns/{campaign_id}/notes": Way(
        least="annotator",
        path="/api/v1/campaigns/pair/notes",
        json={"item_id": "i0", "text": "Hm.", "client_id": "drawn-by-a-test"},
    ),
    "POST /api/v1/people": Way(least="admin", json={"name": "Program"}),
    "PATCH /api/v1/people/{person_id}": Way(least="admin", path="/api/v1/people/{other}", json={"blocked": True}),
    "POST /api/v1/people/{person_id}/tokens": Way(
        least="admin", path="/api/v1/people/{program}/tokens", json={"name": "x"}
    ),
    "DELETE /api/v1/tokens/{token_id}": Way(least="annotator", path="/api/v1/tokens/{token_id}"),
    # Work
    "GET /judge/{campaign_id}": Way(least="annotator", path="/judge/pair"),
    "POST /judge/{campaign_id}/next": Way(least="annotator", path="/judge/pair/next", json={"holding": ["i2"]}),
    "POST /judge/{campaign_id}/answers": Way(least="annotator", path="/judge/pair/answers", json=ANSWER),
    "POST /judge/{campaign_id}/hand-back": Way(least="annotator", path="/judge/pair/hand-back", json={"item_id": "i2"}),
    "POST /judge/{campaign_id}/items/{item_id}/check": Way(
        least="annotator", path="/judge/write/items/i2/check", json={"text": "Said otherwise."}
    ),
    "GET /judge/{campaign_id}/board": Way(least="annotator", path="/judge/write/board"),
    "GET /judge/{campaign_id}/instructions/{version}": Way(least="annotator", path="/judge/pair/instructions/1"),
    "GET /judge/{campaign_id}/mine": Way(least="annotator", path="/judge/pair/mine"),
    "GET /judge/{campaign_id}/answered/{item_id:path}": Way(least="annotator", path="/judge/pair/answered/i0"),
    # Decisions
    "GET /decide": Way(least="expert"),
    "GET /decide/{campaign_id}": Way(least="expert", path="/decide/pair"),
    "GET /decide/{campaign_id}/{item_id:path}": Way(least="expert", path="/decide/pair/i0"),
    "POST /decide/{campaign_id}/decisions": Way(
        least="expert",
        path="/decide/grade/decisions",
        json={"item_id": "i0", "seen": ["{first}", "{second}"], "answer": {"label": "2"}, "reason": "x"},
    ),
    "GET /discuss/{campaign_id}": Way(least="annotator", path="/discuss/pair"),
    "POST /discuss/{campaign_id}/notes": Way(
        least="annotator",
        path="/discuss/pair/notes",
        form={"item_id": "i0", "text": "Hm.", "client_id": "drawn-by-a-test"},
    ),
    "GET /discuss/{campaign_id}/{item_id:path}": Way(least="annotator", path="/discuss/pair/i0"),
    # Admins: reviews
    f"GET {AT}/review": Way(least="admin", path=f"{PAIRS}/review?look=true"),
    f"POST {AT}/review": Way(least="admin", path=f"{PAIRS}/review", form=REVIEW),
    f"POST {AT}/review/withdraw": Way(least="admin", path="/admin/campaigns/match/review/withdraw", form={}),
    # Admins: campaigns
    "GET /admin": Way(least="admin"),
    "GET /admin/new": Way(least="admin"),
    "POST /admin/new": Way(least="admin", form={**SETTINGS, "title": "New", "task": "pair", "name": "new"}),
    f"GET {AT}": Way(least="admin", path=PAIRS),
    f"GET {AT}/figures": Way(least="admin", path=f"{PAIRS}/figures"),
    f"GET {AT}/agreement": Way(least="admin", path=f"{PAIRS}/agreement"),
    f"POST {AT}/state": Way(least="admin", path=f"{PAIRS}/state", form={"state": "paused"}),
    f"GET {AT}/settings": Way(least="admin", path=f"{PAIRS}/settings"),
    f"POST {AT}/settings": Way(least="admin", path=f"{PAIRS}/settings", form=SETTINGS),
    # Admins: people of a campaign
    f"GET {AT}/people": Way(least="admin", path=f"{PAIRS}/people"),
    f"POST {AT}/members": Way(least="admin", path=f"{PAIRS}/members", form={"person": ["{annotator}"]}),
    f"POST {AT}/members/remove": Way(
        least="admin", path="/admin/campaigns/members/members/remove", form={"person": "{other}"}
    ),
    f"GET {AT}/people/{{person_id}}": Way(least="admin", path=f"{PAIRS}/people/{{annotator}}"),
    f"POST {AT}/people/{{person_id}}/stop": Way(
        least="admin", path=f"{PAIRS}/people/{{annotator}}/stop", form={"reason": "Why not.", "set_aside": "1"}
    ),
    f"POST {AT}/people/{{person_id}}/reinstate": Way(
        least="admin", path=f"{PAIRS}/people/{{other}}/reinstate", form={"restore": "1"}
    ),
    f"GET {AT}/republish": Way(least="admin", path=f"{PAIRS}/republish"),
    f"POST {AT}/republish": Way(least="admin", path=f"{PAIRS}/republish", form={"person": ["{annotator}"]}),
    f"GET {AT}/bonus": Way(least="admin", path=f"{PAIRS}/bonus"),
    f"GET {AT}/bonus.csv": Way(least="admin", path=f"{PAIRS}/bonus.csv"),
    # Admins: items, test questions, instructions, exports
    f"GET {AT}/items": Way(least="admin", path=f"{PAIRS}/items?words=left"),
    f"GET {AT}/item": Way(least="admin", path=f"{PAIRS}/item?id=i0"),
    f"GET {AT}/tests": Way(least="admin", path=f"{PAIRS}/tests"),
    f"POST {AT}/tests": Way(
        least="admin",
        path=f"{PAIRS}/tests",
        form={"content": '{"left": "It rained.", "right": "Rain fell."}', "expected": '{"is_paraphrase": true}'},
    ),
    f"POST {AT}/tests/change": Way(
        least="admin",
        path=f"{PAIRS}/tests/change",
        form={"item_id": "t5", "expected": '{"is_paraphrase": false}', "explanation": "Other."},
    ),
    f"POST {AT}/tests/retire": Way(least="admin", path=f"{PAIRS}/tests/retire", form={"item_id": "t5", "retired": "1"}),
    f"GET {AT}/instructions": Way(least="admin", path=f"{PAIRS}/instructions?version=1"),
    f"POST {AT}/instructions": Way(
        least="admin", path=f"{PAIRS}/instructions", form={"text": "Other", "change": "All"}
    ),
    f"POST {AT}/instructions/preview": Way(
        least="admin", path=f"{PAIRS}/instructions/preview", form={"text": "*Other*"}, changes=False
    ),
    f"GET {AT}/export": Way(least="admin", path=f"{PAIRS}/export?format=jsonl&names=true"),
    # Admins: people
    "GET /admin/people": Way(least="admin"),
    "POST /admin/people/invite": Way(least="admin", form={"role": "annotator", "uses": "3", "days": "7"}),
    "POST /admin/people/withdraw": Way(least="admin", form={"key_hash": "{invitation_hash}"}),
    "GET /admin/people/{person_id}": Way(least="admin", path="/admin/people/{annotator}"),
    "POST /admin/people/{person_id}/role": Way(
        least="admin", path="/admin/people/{annotator}/role", form={"role": "admin"}
    ),
    "POST /admin/people/{person_id}/block": Way(
        least="admin", path="/admin/people/{annotator}/block", form={"blocked": "1"}
    ),
    "POST /admin/people/{person_id}/password": Way(least="admin", path="/admin/people/{annotator}/password", form={}),
    "POST /admin/people/{person_id}/erase": Way(
        least="admin", path="/admin/people/{annotator}/erase", form={"name": "the name annotator"}
    ),
    "GET /admin/log": Way(least="admin"),
}


def routes_of(app: FastAPI) -> Iterator[str]:
    """Every route of the application, as `METHOD path`; static files are no routes."""
    for route in iter_route_contexts(app.routes):
        for method in getattr(route, "methods", None) or ():
            if method != "HEAD":
                yield f"{method} {route.path}"


def request_of(name: str, populated: Populated) -> tuple[str, str, dict[str, Any]]:
    """Method, path and body of a request that goes this way, all of it valid."""
    way = WAYS[name]
    method, _, path = name.partition(" ")
    known = {
        **{who: person.person_id for who, person in populated.people.items()},
        "token_id": populated.token_id,
        "invitation": populated.invitation,
        "invitation_hash": populated.invitation_hash,
        "first": populated.judgments[0],
        "second": populated.judgments[1],
    }
    body: dict[str, Any] = {}
    if way.form is not None:
        body["data"] = _filled(way.form, known)
    if way.json is not None:
        body["json"] = _filled(way.json, known)
    return method, _filled(way.path or path, known), body


def _filled(value: Any, known: Mapping[str, str]) -> Any:
    if isinstance(value, Mapping):
        return {name: _filled(one, known) for name, one in value.items()}
    if isinstance(value, list):
        return [_filled(one, known) for one in value]
    if isinstance(value, str):
        for name, word in known.items():
            value = value.replace(f"{{{name}}}", word)
    return value
