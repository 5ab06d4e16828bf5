"""A service in, a web application out: its routes, its guards, and what an error looks like from outside."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from urllib.parse import quote

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse
from starlette.exceptions import HTTPException

from paraloom.engine.signatures import paraloom_version
from paraloom.errors import Clash, InputError, NotAllowed, NotFound, ParaloomError, Unavailable
from paraloom.judgments.app import (
    account_routes,
    admin_routes,
    api_routes,
    board_routes,
    decide_routes,
    own_routes,
    review_routes,
    work_routes,
)
from paraloom.judgments.app.service import Service
from paraloom.judgments.app.visitors import SignInFirst
from paraloom.judgments.rounds import keep_opening_rounds
from paraloom.web.bodies import BodyLimit
from paraloom.web.headers import SecurityHeaders, security_headers

MOST_BYTES = 1_000_000
"""Of a request; imports may be larger."""
MOST_IMPORT_BYTES = 200_000_000

STATUS: dict[type[Exception], HTTPStatus] = {
    NotFound: HTTPStatus.NOT_FOUND,
    NotAllowed: HTTPStatus.FORBIDDEN,
    Clash: HTTPStatus.CONFLICT,
    InputError: HTTPStatus.UNPROCESSABLE_ENTITY,
    Unavailable: HTTPStatus.SERVICE_UNAVAILABLE,
}
"""What an error of ours is over HTTP."""

ROUTES = (
    api_routes,  # first what is asked for most: routes are tried in their order
    work_routes,
    account_routes,
    board_routes,
    decide_routes,
    review_routes,
    own_routes,
    admin_routes,
)
"""Modules that have a router each, made with the module: it is the same for every service."""


def make_app(service: Service) -> FastAPI:
    """The application of one service."""
    app = FastAPI(
        title="Paraloom annotation service",
        version=paraloom_version(),
        description="Fill campaigns, work on them, read what was judged. Send a token: `Authorization: Bearer …`.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
        lifespan=_living,
    )
    app.state.service = service
    for routes in ROUTES:
        app.router.routes.extend(routes.router.routes)  # to include a router is to make all of its routes once more
    app.mount("/static", service.pages.assets)
    app.add_middleware(BodyLimit, most_bytes=MOST_BYTES, by_path={"/api/v1/import": MOST_IMPORT_BYTES})
    app.add_middleware(SecurityHeaders, encrypted=service.secure)
    app.add_exception_handler(ParaloomError, _refused)
    app.add_exception_handler(SignInFirst, _sign_in_first)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(Exception, _crashed)
    return app


@asynccontextmanager
async def _living(app: FastAPI) -> AsyncIterator[None]:
    """While the application runs, it opens the rounds that are due."""
    rounds = asyncio.create_task(keep_opening_rounds(app.state.service))
    try:
        yield
    finally:
        rounds.cancel()
        with suppress(asyncio.CancelledError):
            await rounds


async def _refused(request: Request, error: Exception) -> Response:
    status = next((code for kind, code in STATUS.items() if isinstance(error, kind)), HTTPStatus.BAD_REQUEST)
    return _told(request, status, str(error))


async def _sign_in_first(request: Request, error: Exception) -> Response:
    if wants_page(request) and request.method == "GET":
        return RedirectResponse(f"/sign-in?next={quote(request.url.path)}", status_code=HTTPStatus.SEE_OTHER)
    return _told(request, HTTPStatus.UNAUTHORIZED, "Sign in first, or send a token that is in use.")


async def _malformed(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    told = "; ".join(f"{'.'.join(str(part) for part in one['loc'])}: {one['msg']}" for one in error.errors()[:5])
    return _told(request, HTTPStatus.UNPROCESSABLE_ENTITY, told)


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    status = HTTPStatus(error.status_code)
    detail = str(error.detail)
    return _told(request, status, _PLAIN.get(status, detail) if detail == status.phrase else detail)


_PLAIN = {
    HTTPStatus.NOT_FOUND: "There is no such page.",
    HTTPStatus.METHOD_NOT_ALLOWED: "This address does not do that.",
}
"""What is told where nothing but the status is known."""


async def _crashed(request: Request, error: Exception) -> Response:
    """A mistake of ours: the log says which, the answer does not. It is sent from outside of `SecurityHeaders`."""
    response = _told(
        request, HTTPStatus.INTERNAL_SERVER_ERROR, "Something went wrong here. It is in the service's log."
    )
    service: Service = request.app.state.service
    for name, value in security_headers(encrypted=service.secure or request.scope.get("scheme") == "https"):
        response.headers[name.decode()] = value.decode()
    return response


def _told(request: Request, status: HTTPStatus, message: str) -> Response:
    headers = {"retry-after": "2"} if status == HTTPStatus.SERVICE_UNAVAILABLE else {}
    if not wants_page(request):
        return JSONResponse({"error": message}, status_code=status, headers=headers)
    service: Service = request.app.state.service
    return service.pages.response(
        "error.html", status=int(status), headers=headers, heading=status.phrase, reason=message
    )


def wants_page(request: Request) -> bool:
    """Whether a browser asks that would show a page: not the API, not a script of ours."""
    return not request.url.path.startswith("/api/") and "text/html" in request.headers.get("accept", "")
