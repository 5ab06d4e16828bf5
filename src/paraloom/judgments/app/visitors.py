"""A request in, out comes who asks: by the session's cookie, or by a program's token. Everything else is refused here.

A request that changes something must show that it comes from our own page: the session's CSRF token, in a header or in
the form. A program's token is no cookie, so no other site can send it along.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Request, Response

from paraloom.errors import NotAllowed
from paraloom.judgments.app.service import Service
from paraloom.judgments.people import Person, Role
from paraloom.judgments.sign_in import SESSION_DAYS, person_of_session, person_of_token
from paraloom.web.keys import csrf_matches, csrf_token, new_key

SAFE = ("GET", "HEAD", "OPTIONS")


class SignInFirst(Exception):
    """Nobody is signed in: a page sends to the sign-in, the API answers 401."""


class ForgedRequest(NotAllowed):
    """The request does not show that it comes from our own page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """Who asks."""

    person: Person
    session_key: str | None
    """None for a program."""

    @property
    def csrf(self) -> str:
        """What forms for this visitor carry."""
        return "" if self.session_key is None else csrf_token(self.session_key)


async def service_of(request: Request) -> Service:
    """The service that this application serves."""
    return _service(request)


def _service(request: Request) -> Service:
    found: Service = request.app.state.service
    return found


async def visitor(request: Request) -> Visitor:
    """Who asks, by cookie or token; raises SignInFirst for nobody."""
    service = _service(request)
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token:
        person = await service.database.glance(lambda connection: person_of_token(connection, token.strip()))
        if person is None:
            raise SignInFirst
        return Visitor(person=person, session_key=None)
    key = request.cookies.get(cookie_name(service))
    if not key:
        raise SignInFirst
    now = service.clock()
    person = await service.database.glance(lambda connection: person_of_session(connection, key, now))
    if person is None:
        raise SignInFirst
    if request.method not in SAFE:
        await refuse_forged(request, key)
    return Visitor(person=person, session_key=key)


async def refuse_forged(request: Request, key: str) -> None:
    """Raise unless the request carries the session's CSRF token."""
    given = request.headers.get("x-csrf-token")
    if given is None and request.headers.get("content-type", "").startswith(
        ("application/x-www-form-urlencoded", "multipart/form-data")
    ):
        found = (await request.form()).get("csrf")
        given = found if isinstance(found, str) else None
    if not csrf_matches(key, given):
        raise ForgedRequest("This form is out of date. Load the page again and repeat what you did.")


def having(*roles: Role) -> Callable[[Request], Coroutine[Any, Any, Visitor]]:
    """A visitor with one of these roles; all others are refused."""

    async def allowed(request: Request) -> Visitor:
        asking = await visitor(request)
        if asking.person.role not in roles:
            whom = " and ".join(f"{role}s" for role in roles)
            raise NotAllowed(f"This is for {whom}; you are signed in as {asking.person.role}.")
        return asking

    return allowed


Anybody = Annotated[Visitor, Depends(visitor)]
Expert = Annotated[Visitor, Depends(having("expert", "admin"))]
Admin = Annotated[Visitor, Depends(having("admin"))]
InService = Annotated[Service, Depends(service_of)]


def cookie_name(service: Service) -> str:
    """Browsers accept a `__Host-` cookie from this very host over https alone: no neighbour can plant one."""
    return "__Host-paraloom" if service.secure else "paraloom"


def set_session(response: Response, service: Service, key: str) -> None:
    """Give the browser its key; scripts cannot read it, and other sites' requests do not carry it."""
    response.set_cookie(
        cookie_name(service),
        key,
        max_age=SESSION_DAYS * 86_400,
        path="/",
        secure=service.secure,
        httponly=True,
        samesite="lax",
    )


def clear_session(response: Response, service: Service) -> None:
    """Take the key away."""
    response.delete_cookie(cookie_name(service), path="/", secure=service.secure, httponly=True, samesite="lax")


def before_name(service: Service) -> str:
    """The cookie of somebody who is not signed in yet: forms before the sign-in are guarded by it."""
    return f"{cookie_name(service)}-before"


def before_key(request: Request) -> str:
    """The key of a visitor who is not signed in: the one they have, or a new one."""
    found = request.cookies.get(before_name(_service(request)), "")
    return found if 40 <= len(found) <= 64 else new_key()


def set_before(response: Response, service: Service, key: str) -> None:
    """Remember a visitor who is not signed in, for the form they were shown."""
    response.set_cookie(
        before_name(service), key, max_age=3600, path="/", secure=service.secure, httponly=True, samesite="lax"
    )


def address_of(request: Request, service: Service) -> str:
    """Where a request comes from; what a proxy says counts only where there is one.

    A proxy adds the address it saw as the last; all before it, in this header or in others of its name, is hearsay.
    """
    if service.behind_proxy and (told := request.headers.getlist("x-forwarded-for")):
        return told[-1].rpartition(",")[2].strip()
    return request.client.host if request.client else "unknown"
