"""Whatever people write, on every page, in a real browser: it is shown as it was written, and nothing of it runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa

from paraloom.judgments.store import schema
from paraloom.judgments.store.insert import insert_or_change
from paraloom.judgments.store.migrate import open_database
from paraloom.judgments.tasks import TASKS
from tests.judgments.app.conftest import Visits, listening
from tests.judgments.app.populated import NOW, populate
from tests.judgments.app.ways import WAYS, request_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

PAYLOADS = [
    "<script>window.pwned=1</script>",
    "</script><script>window.pwned=1</script>",
    "</textarea></title><svg onload=window.pwned=1>",
    "<img src=x onerror=window.pwned=1>",
    '"><img src=x onerror=window.pwned=1>',
    "'><img src=x onerror=window.pwned=1>",
    '" autofocus onfocus=window.pwned=1 x="',
    "' autofocus onfocus='window.pwned=1",
    "` onmouseover=window.pwned=1 `",
    "<svg><script>window.pwned=1</script></svg>",
    "<math><mtext><style><img src=x onerror=window.pwned=1>",
    "<iframe srcdoc='<script>top.pwned=1</script>'></iframe>",
    "<a href=javascript:window.pwned=1 id=trap>x</a>",
    "[x](javascript:window.pwned=1)",
    "[x](data:text/html,<script>opener.pwned=1</script>)",
    "<javascript:window.pwned=1>",
    '![x](x" onerror="window.pwned=1)',
    "[x]: javascript:window.pwned=1\n\n[x]",
    "&lt;script&gt;window.pwned=1&lt;/script&gt;",
    "&#60;img src=x onerror=window.pwned=1&#62;",
    "{{7*7}}${7*7}{% raw %}#{7*7}<%= 7*7 %>",
    "<style>*{display:none!important}</style>",
    "<div style=position:fixed;inset:0>x</div>",
    "<div hx-get=/static/page.js hx-trigger=load hx-on:load=window.pwned=1>x</div>",
    "<form action=https://evil.example><input name=csrf>",
    "<meta http-equiv=refresh content=0;url=https://evil.example>",
    "<base href=https://evil.example>",
    "<link rel=stylesheet href=https://evil.example>",
    '{"a": "</div>", "b": [1, "\\"><b>"]}',
    "\u202eevitcerid\u202c \u2066x\u2069",
    "\\u003cscript\\u003ewindow.pwned=1\\u003c/script\\u003e",
    '<!--<img src="--><img src=x onerror=window.pwned=1>',
    "x\u2028window.pwned=1\u2029//",
    "<b id=work data-script=data:text/javascript,window.pwned=1>x</b>",
]
"""Each is a text that somebody could write; in a name, what cannot be seen is refused, and so left out."""

WATCH = """
window.__told = [];
document.addEventListener("securitypolicyviolation", (event) =>
  window.__told.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`));
"""

INJECTED = """() => [...document.querySelectorAll(
  "[onerror],[onload],[onfocus],[onmouseover],[srcdoc],[style],iframe,object,embed,base,math,#trap," +
  "meta[http-equiv],a[href^='javascript:' i],a[href^='data:' i],main script,main style,main link,main b#work," +
  "[hx-get*='page.js'],form[action^='http']")].map((found) => found.outerHTML.slice(0, 200))"""


def together(field: str) -> str:
    """All of them at once, as one text; the rest of a page must still be what it was."""
    return " ⁂ ".join(PAYLOADS)


def one_by_one() -> Any:
    """Where a text is short, one of them after another."""
    turn = iter(PAYLOADS * 1000)

    def say(field: str) -> str:
        if field in ("id", "currency", "topic"):
            return '"><img src=x onerror=window.pwned=1>' if field != "currency" else '"><b>'
        if field == "name":
            return next(one for one in turn if one.isprintable() and len(one) <= 68)
        if field in ("left", "right", "text", "rewrite"):
            return re.sub(r"\s+", " ", together(field))
        if field == "group":
            return next(one for one in turn if len(one) <= 64)
        if field in ("instructions", "note", "reason", "explanation", "origin", "invitation"):
            return together(field)[:500] if field in ("reason", "invitation") else together(field)
        return next(turn)

    return say


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Visits, str]]:
    """A service in which every text is an attack, and its address."""
    database = open_database(f"sqlite:///{tmp_path_factory.mktemp('written') / 'written.db'}")
    try:
        visits = Visits(populate(database, one_by_one()), database)
        with listening(visits.app) as url:
            yield visits, url
    finally:
        database.close()


def pages(visits: Visits, role: str) -> list[str]:
    """Every address that shows a page to this role: each route, and those of a campaign for every kind of task."""
    found = []
    for name, way in WAYS.items():
        method, path, _ = request_of(name, visits.populated)
        if method != "GET" or way.least != role or "/api/" in path or "/demo/" in path or ".csv" in path:
            continue
        path = path.replace("&names=true", "").replace("?format=jsonl", "")
        if "/answered/" in path:
            continue  # no page, but a part of one: see below
        shows_items = role != "admin" or re.search("/(item|items|tests|figures)", path)
        found += [path.replace("/pair", f"/{kind}", 1) for kind in (TASKS if shows_items else ("grade", "topic"))]
    return sorted(set(found))


class Watched:
    """A page that tells of everything it should not do."""

    def __init__(self, browser: Browser, url: str, key: str | None) -> None:
        self.context = browser.new_context(viewport={"width": 1200, "height": 900})
        if key is not None:
            self.context.add_cookies([{"name": "paraloom", "value": key, "url": url, "httpOnly": True}])
        self.context.add_init_script(WATCH)
        self.page: Page = self.context.new_page()
        self.url, self.bad = url, []
        self.page.on("dialog", lambda dialog: (self.bad.append(f"dialog {dialog.message}"), dialog.dismiss()))
        self.page.on("pageerror", lambda error: self.bad.append(f"error {error}"))
        self.page.on("popup", lambda popup: self.bad.append(f"popup {popup.url}"))
        self.page.on("request", self._asked)

    def _asked(self, request: Any) -> None:
        if not request.url.startswith(self.url):
            self.bad.append(f"request {request.url}")

    def visit(self, path: str) -> None:
        """Look at a page, and at what came of it."""
        response = self.page.goto(f"{self.url}{path}", wait_until="load")
        assert response is not None
        assert response.status == 200, (path, response.status)
        self.check(path)

    def check(self, path: str) -> None:
        assert self.page.url.startswith(self.url), path
        assert self.page.evaluate("window.pwned") is None, path
        assert self.page.evaluate("window.__told") == [], path
        assert self.page.evaluate(INJECTED) == [], path
        assert self.bad == [], path
        assert "49${" not in self.page.content(), path


@pytest.fixture
def watched(browser: Browser, written: tuple[Visits, str]) -> Iterator[Any]:
    """Call it with who looks."""
    opened: list[Watched] = []

    def look(who: str | None) -> Watched:
        visits, url = written
        opened.append(Watched(browser, url, None if who is None else visits.populated.sessions[who]))
        return opened[-1]

    yield look
    for one in opened:
        one.context.close()


@pytest.mark.parametrize(("who", "least"), [("annotator", "annotator"), ("expert", "expert"), ("admin", "admin")])
def test_nothing_that_was_written_runs_on_any_page(watched, written, who, least) -> None:
    visits, _ = written
    look = watched(who)
    for path in pages(visits, least):
        look.visit(path)


def test_nothing_runs_for_whoever_is_not_signed_in(watched, written) -> None:
    visits, _ = written
    look = watched(None)
    for path in (
        f"/join/{visits.populated.invitation}",
        "/sign-in",
        "/sign-in?next=/%22%3E%3Cimg%20src=x%20onerror=window.pwned=1%3E",
    ):
        look.visit(path)
    assert look.page.locator(".notice").count() == 0
    look.page.goto(f"{look.url}/join/{visits.populated.invitation}")
    assert PAYLOADS[0] in look.page.inner_text("main")


def test_nothing_in_an_address_runs(watched) -> None:
    look = watched("admin")
    wrong = "%3Cimg%20src=x%20onerror=window.pwned=1%3E"
    for path in (
        f"/admin/campaigns/pair/items?words=%22%3E{wrong}&state={wrong[:15]}&label=%22%3E{wrong}",
        f"/admin/campaigns/pair/review?label=%22%3E{wrong}&look=true",
        f"/admin?done={wrong}",
        f"/decide/pair?label=%22%3E{wrong}&why={wrong[:15]}",
        f"/admin/campaigns/pair/people?sort={wrong}&done={wrong}",
    ):
        look.visit(path)
    for path in (
        f"/nowhere/{wrong}",
        f"/admin/campaigns/pair/item?id={wrong}",
        f"/admin/people/{wrong}",
        f"/judge/{wrong}",
    ):
        look.page.goto(f"{look.url}{path}")
        look.check(path)


@pytest.mark.parametrize("kind", TASKS)
def test_an_item_is_shown_letter_by_letter_and_nothing_of_it_runs_while_it_is_answered(watched, kind) -> None:
    look = watched("annotator")
    look.visit(f"/judge/{kind}")
    look.page.wait_for_selector("form#answer")
    shown = look.page.inner_text("#item")
    plain = re.sub(r"\s+", " ", shown)
    for payload in PAYLOADS:
        if "\u202e" not in payload and "\u2028" not in payload:
            assert re.sub(r"\s+", " ", payload).strip() in plain, payload
    look.page.keyboard.press("g")  # the instructions
    look.check("the instructions")
    look.page.keyboard.press("Escape")
    for path in ("i0", "t4"):
        look.page.goto(f"{look.url}/judge/{kind}?item={path}")
        look.page.wait_for_selector(f"#item .item[data-item={path}]")
        look.check(f"{kind}, {path} answered before")


def test_a_mistake_is_explained_in_plain_text(watched, written) -> None:
    visits, _ = written
    held = {"campaign_id": "pair", "person_id": visits.populated.people["annotator"].person_id}

    def job(connection: sa.Connection) -> None:
        """The annotator holds the test question that is left, and nothing else."""
        connection.execute(schema.assignments.update().filter_by(**held, state="leased").values(state="expired"))
        lease = {"item_id": "t5", "state": "leased", "purpose": "test"}
        until = {"leased_at": NOW, "expires_at": NOW + timedelta(days=9)}
        insert_or_change(connection, schema.assignments, {**held, **lease, **until})

    visits.database.write(job)
    look = watched("annotator")
    look.visit("/judge/pair")
    look.page.wait_for_selector("#item[tabindex='-1'] form#answer")  # the page's script has begun
    assert look.page.get_attribute("#item .item", "data-item") == "t5"
    look.page.keyboard.press("2")
    look.page.wait_for_selector("dialog#mistake[open]")
    assert PAYLOADS[0] in look.page.inner_text("dialog#mistake")
    assert look.page.inner_text("#status") == "Saved", "a currency that no browser knows is no reason to say otherwise"
    look.check("the explanation of a mistake")


def test_what_watches_would_see_it(watched) -> None:
    """The payloads work where nothing guards a page; two of them are templates' and one an editor's, and do nothing."""
    look = watched(None)
    seen = []
    for payload in (one for one in PAYLOADS if "http-equiv" not in one):
        look.page.goto("about:blank")
        look.page.set_content(f'<main><input value="{payload}"><p>{payload}</p></main>')
        look.page.wait_for_timeout(10)
        seen.append(bool(look.page.evaluate("window.pwned") or look.page.evaluate(INJECTED)))
    assert sum(seen) >= 18


def test_links_in_instructions_lead_nowhere_dangerous(watched) -> None:
    look = watched("annotator")
    look.visit("/judge/pair/instructions/2")
    links = look.page.eval_on_selector_all("article a", "all => all.map((one) => [one.protocol, one.rel])")
    assert {protocol for protocol, _ in links} <= {"http:", "https:", "mailto:"}
    assert all("noopener" in rel for _, rel in links)
    assert "[x](javascript:window.pwned=1)" in look.page.inner_text("article")
