"""A template and its values in, a page for whoever asks out; and where to go after something was done."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from fastapi import Response
from fastapi.responses import RedirectResponse

from paraloom.judgments.app.service import Service
from paraloom.judgments.app.visitors import Visitor
from paraloom.web.filters import number

DONE: dict[str, str] = {
    "created": "The campaign is there, as a draft. Add items, look at its settings and instructions, then open it.",
    "open": "The campaign is open: items are handed out.",
    "paused": "The campaign pauses: nothing is handed out.",
    "ended": "The campaign has ended. Late answers are still kept.",
    "settings": "The settings are stored and hold from now on.",
    "published": "The new instructions are published.",
    "question-added": "The test question is added.",
    "question-changed": "The test question is changed. What was answered before stays as it was told.",
    "question-retired": "The test question is not asked any more.",
    "question-again": "The test question is asked again.",
    "stopped": "This person is stopped. Answers set aside: {count}.",
    "reinstated": "This person may go on. Answers that count again: {count}.",
    "republished": "Answers set aside and published again: {count}.",
    "member-added": "Members were added: {count}.",
    "member-removed": "This person is no longer a member.",
    "withdrawn": "The invitation is withdrawn.",
    "role": "The role is changed.",
    "blocked": "The door is shut: sessions and tokens of this person have ended.",
    "unblocked": "The person can sign in again.",
    "erased": "The identity is erased. The judgments stay, under an id that leads nowhere.",
    "password": "The password is changed. All other sessions have ended.",
    "first-password": "The password is set: from now on you can sign in with it. All other sessions have ended.",
    "revoked": "The token opens nothing any more.",
}
"""What was done, in words. The address carries the key alone: nobody can make a page of ours say something else."""


def show(
    service: Service,
    asking: Visitor,
    template: str,
    *,
    status: int = 200,
    done: str = "",
    count: int = 0,
    **values: Any,
) -> Response:
    """The page, with all that the frame around it needs."""
    told = DONE.get(done, "").format(count=number(count))
    return service.pages.response(
        template,
        status=status,
        visitor=asking,
        csrf=asking.csrf,
        person_name=asking.person.shown_name,
        told=told,
        now=service.clock(),
        **values,
    )


def go_to(address: str, done: str = "", **more: Any) -> Response:
    """Elsewhere, after something was done: loading that page again does nothing twice."""
    query: Mapping[str, Any] = ({"done": done} if done else {}) | more
    return RedirectResponse(f"{address}?{urlencode(query)}" if query else address, status_code=HTTPStatus.SEE_OTHER)
