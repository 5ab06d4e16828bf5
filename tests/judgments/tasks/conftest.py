"""A stage for one task: its own template, script and style in a real browser, under the service's security policy,
with a page around it that writes down what the script asks of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import paraloom.judgments
from paraloom.judgments.tasks import task_named
from paraloom.judgments.tasks.task import Shown

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

    from paraloom.web.pages import Pages

HERE = Path(paraloom.judgments.__file__).parent
SITE = "http://task.example"

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="/static/paraloom.css"><link rel="stylesheet" href="/static/tasks.css"></head>
<body><main class="wide">{form}</main><script type="module" src="/stage/{kind}.js"></script></body></html>"""

SCRIPT = """
import { begin } from "/static/tasks/%s.js";
const form = document.getElementById("answer");
const log = (window.log = { submitted: [], said: [], posted: [], changes: 0, violations: [] });
document.addEventListener("securitypolicyviolation", (event) => log.violations.push(event.violatedDirective));
const page = {
  submit() {
    try { log.submitted.push(task.answer()); } catch (error) { page.say(error.message); }
  },
  changed() { log.changes += 1; },
  say(words) { log.said.push(words); },
  async post(path, body) {
    log.posted.push({ path, body });
    const answer = await fetch(`/posted/${path}`, { method: "POST", body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  },
  draft(value) {
    if (value === undefined) return JSON.parse(localStorage.getItem("draft"));
    localStorage.setItem("draft", JSON.stringify(value));
    return value;
  },
};
const task = (window.task = begin(form, page));
form.addEventListener("submit", (event) => { event.preventDefault(); page.submit(); });
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.matches("textarea");
  const isCtrlEnter = event.key === "Enter" && event.ctrlKey;
  if (event.defaultPrevented || (isTyping && !isCtrlEnter) || (event.ctrlKey && !isCtrlEnter) || event.altKey) return;
  if (task.key(event)) event.preventDefault();
});
document.documentElement.dataset.ready = "";
"""

OpenTask = Callable[..., "Page"]


@pytest.fixture(scope="session")
def task_pages() -> Pages:
    """Renders the templates of tasks."""
    from paraloom.web.assets import Assets
    from paraloom.web.pages import Pages

    return Pages([HERE / "templates"], Assets([HERE / "static"]))


@pytest.fixture
def open_task(browser: Browser, task_pages: Pages) -> Iterator[OpenTask]:
    """Call it with a kind and a content for a page on which the task has begun; at the end no page has complained."""
    from paraloom.web.headers import CONTENT_SECURITY_POLICY

    contexts: list[Any] = []
    opened: list[tuple[Page, list[str]]] = []

    def open_page(
        kind: str,
        raw: dict[str, Any],
        *,
        shown: Shown = Shown(),
        given: dict[str, Any] | None = None,
        posted: Callable[[str, Any], tuple[int, str]] | None = None,
        **context: Any,
    ) -> Page:
        task = task_named(kind)
        content = task.read_content(raw)
        form = task_pages.render(f"tasks/{kind}.html", content=content, shown=shown, given=given, keys=task.keys)

        def serve(route: Route) -> None:
            headers = {"content-security-policy": CONTENT_SECURITY_POLICY}
            path = route.request.url.removeprefix(SITE).partition("?")[0]
            if path.startswith("/posted/"):
                assert posted is not None
                status, body = posted(path.removeprefix("/posted/"), route.request.post_data_json)
                route.fulfill(status=status, body=body)
            elif path.startswith("/static/"):
                asset = task_pages.assets.files[path.removeprefix("/static/")]
                route.fulfill(body=asset.body, content_type=asset.kind, headers=headers)
            elif path.startswith("/stage/"):
                route.fulfill(body=SCRIPT % kind, content_type="text/javascript", headers=headers)
            elif path == "/":
                page_html = PAGE.format(form=form, kind=kind)
                route.fulfill(body=page_html, content_type="text/html; charset=utf-8", headers=headers)
            else:
                route.fulfill(status=404, body="")

        wanted = {"viewport": {"width": 1280, "height": 860}, **context}
        contexts.append(browser.new_context(**wanted))
        page = contexts[-1].new_page()
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.route(f"{SITE}/**", serve)
        page.goto(f"{SITE}/")
        page.wait_for_selector("html[data-ready]")
        opened.append((page, complaints))
        return page

    yield open_page
    for page, complaints in opened:
        assert complaints == []
        assert page.evaluate("log.violations") == []
    for context in contexts:
        context.close()
