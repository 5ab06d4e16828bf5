"""A page with every component on it, served as the annotation service serves its pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Mount, Route

from paraloom.web.bodies import BodyLimit
from paraloom.web.headers import SecurityHeaders
from paraloom.web.pages import Pages

GUIDE = """## What counts as the same

Two posts say the same if *each* follows from the other. See [the long guide](/guide).

1. Names and numbers must agree.
2. Opinions may differ in `tone`.

> When in doubt, choose **Nearly**.

| pair | answer |
|:-----|-------:|
| storm / gale | same |
"""
ENGLISH: dict[str, Any] = {
    "language": "en",
    "direction": "ltr",
    "text_language": "en",
    "left": "Storm Elna tore the roof off Marlow’s old ferry terminal last night, nobody was hurt",
    "right": "No injuries after the gale ripped away the roof of the historic ferry terminal in Marlow 🌧\n\nhttps://x.example/a1",
    "candidates": [
        "The ferry terminal in Marlow lost its roof in the storm",
        "Marlow: storm takes roof off ferry terminal, all safe",
        "Everyone is safe after Elna wrecked the terminal’s roof",
        "Ferries cancelled until Thursday",
        "Why do we never repair anything before a storm comes",
        "Elna is now the strongest storm since 1987, says the weather office, and it has not done with the coast yet",
        "Photos: the morning after",
        "Terminal to be rebuilt by spring",
        "Roof gone. Terminal shut. Nobody hurt.",
        "An old roof, an older argument",
    ],
}
HEBREW: dict[str, Any] = {
    "language": "he",
    "direction": "rtl",
    "text_language": "he",
    "left": "הסערה עקרה את גג מסוף המעבורות הישן במרלו אמש, איש לא נפגע",
    "right": "אין נפגעים לאחר שהרוח תלשה את הגג של מסוף Marlow ההיסטורי 🌧",
    "candidates": [
        "מסוף המעבורות איבד את גגו",
        "כולם בטוחים אחרי Elna",
        "Ferries cancelled until Thursday",
        "תמונות: הבוקר שאחרי",
    ],
}
PEOPLE = [
    ("Ada", 1840, 0.97, "good", "active"),
    ("Noor <b>", 1210, 0.81, "fair", "watched"),
    ("משה", 312, 0.42, "poor", "stopped"),
]

pages = Pages([Path(__file__).parent / "templates"])


def show(request: Request) -> HTMLResponse:
    words = HEBREW if request.query_params.get("in") == "he" else ENGLISH
    long_left = "\n\n".join(" ".join(words["candidates"]) for _ in range(3))
    return pages.response(
        "gallery.html",
        csrf="token-of-session",
        person_name="Ada",
        people=PEOPLE,
        guide=GUIDE,
        long_left=long_left,
        **words,
    )


def take(request: Request) -> HTMLResponse:
    seen = request.headers.get("x-csrf-token", "")
    return HTMLResponse(f'<p id="taken">{seen}</p><script>document.title = "run"</script>')


def fail(request: Request) -> HTMLResponse:
    return pages.response(
        "error.html", status=404, heading="There is no such page", reason="The link is old, or was mistyped."
    )


app = SecurityHeaders(
    BodyLimit(
        Starlette(
            routes=[
                Route("/", show),
                Route("/answer", take, methods=["POST"]),
                Route("/missing", fail),
                Mount("/static", pages.assets),
            ]
        ),
        most_bytes=100_000,
    )
)
