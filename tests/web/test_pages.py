"""Templates always escape, never show what is undefined, and hold nothing that the policy forbids."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import UndefinedError
from markupsafe import escape

from paraloom.web.pages import TEMPLATES, Pages

SHARED = Pages()


@pytest.fixture
def pages(tmp_path: Path) -> Pages:
    (tmp_path / "plain.txt").write_text("{{ word }}")
    (tmp_path / "page.html").write_text(
        '{% extends "layout.html" %}{% block title %}{{ word }}{% endblock %}'
        "{% block main %}<h1>{{ word }}</h1>"
        '{% block list %}<ul id="list"><li>{{ word }}</li></ul>{% endblock %}{% endblock %}'
    )
    return Pages([tmp_path], shared={"site": "here"})


def part(source: str, **values: object) -> str:
    template = SHARED.environment.from_string('{% import "parts.html" as parts %}' + source)
    return template.render(values).strip()


@pytest.mark.parametrize("name", ["plain.txt", "page.html"])
def test_everything_is_escaped_whatever_the_file_is_called(pages: Pages, name: str) -> None:
    assert "<script>" not in pages.render(name, word="<script>").replace("<script src=", "")
    assert "&lt;script&gt;" in pages.render(name, word="<script>")


def test_what_is_undefined_is_an_error_and_no_gap(pages: Pages) -> None:
    with pytest.raises(UndefinedError, match="'word' is undefined"):
        pages.render("page.html")


def test_one_block_is_rendered_for_a_partial_answer(pages: Pages) -> None:
    assert pages.render_block("page.html", "list", word="<b>") == '<ul id="list"><li>&lt;b&gt;</li></ul>'


def test_a_page_is_an_answer_with_its_status(pages: Pages) -> None:
    answer = pages.response("error.html", status=404, headers={"x-a": "b"}, heading="No page", reason="It went away.")
    assert (answer.status_code, answer.headers["x-a"]) == (404, "b")
    assert b"It went away." in answer.body


def test_the_layout_needs_nothing_and_takes_language_direction_and_token(pages: Pages) -> None:
    plain = pages.render("layout.html")
    assert '<html lang="en" dir="ltr">' in plain
    page = pages.render("layout.html", language="ar", direction="rtl", csrf="a'\"<b", person_name="<i>")
    assert '<html lang="ar" dir="rtl">' in page
    assert '<meta name="csrf-token" content="a&#39;&#34;&lt;b">' in page
    assert "<i>" not in page
    headers = re.search(r"<body hx-headers='([^']*)'>", page)
    assert headers is not None
    assert json.loads(unescape(headers[1])) == {"X-CSRF-Token": "a'\"<b"}


def test_htmx_runs_nothing_from_answers_and_asks_nobody_else() -> None:
    written = re.search(r"name=\"htmx-config\" content='([^']*)'", SHARED.render("layout.html"))
    assert written is not None
    config = json.loads(written[1])
    assert {name: config[name] for name in ("includeIndicatorStyles", "allowEval", "allowScriptTags")} == {
        "includeIndicatorStyles": False,
        "allowEval": False,
        "allowScriptTags": False,
    }
    assert config["selfRequestsOnly"] is True
    assert config["historyCacheSize"] == 0  # pages are not left in the storage of a shared computer


def test_assets_are_named_with_their_version() -> None:
    assert re.search(r'href="/static/paraloom\.css\?v=[0-9a-f]{16}"', SHARED.render("layout.html"))


@pytest.mark.parametrize("template", sorted(TEMPLATES.glob("*.html")), ids=lambda path: path.name)
def test_templates_hold_nothing_the_policy_forbids(template: Path) -> None:
    source = template.read_text()
    assert not re.search(r"\sstyle=|<style|\son\w+=|javascript:|<script(?! src=)|https?://", source)
    assert not re.search(r"\|\s*safe\b|autoescape", source)


@given(st.text(max_size=60))
def test_what_people_said_is_shown_as_they_said_it(text: str) -> None:
    shown = SHARED.environment.from_string('{% import "parts.html" as parts %}{{ parts.said(text, "reading") }}')
    assert shown.render(text=text) == f'<div class="said reading" dir="auto">{escape(text)}</div>'


PARTS = [
    ('{{ parts.button("Save", "primary") }}', '<button type="submit" class="button primary">Save</button>'),
    (
        '{{ parts.button("<b>", hx_post="/a?b=1&c=2", disabled=true, hidden=false, title=none) }}',
        '<button type="submit" class="button secondary" hx-post="/a?b=1&amp;c=2" disabled>&lt;b&gt;</button>',
    ),
    ('{{ parts.csrf_input("t") }}', '<input type="hidden" name="csrf" value="t">'),
    ('{{ parts.badge("done", "good") }}', '<span class="badge good">done</span>'),
    ('{{ parts.pagination(1, 1, "/?page={page}") }}', ""),
    ('{{ parts.said("a", lang="fi", tag="p") }}', '<p class="said" dir="auto" lang="fi">a</p>'),
]


@pytest.mark.parametrize(("source", "html"), PARTS)
def test_a_part_is_this_html(source: str, html: str) -> None:
    assert part(source) == html


def test_a_field_is_tied_to_its_label_hint_and_error() -> None:
    html = part('{{ parts.field("mail", "E-mail", value=\'"><script>\', hint="Yours", error="None such") }}')
    assert '<label for="mail">' in html
    assert 'aria-describedby="mail-hint mail-error" aria-invalid="true"' in html
    assert 'value="&#34;&gt;&lt;script&gt;"' in html


def test_a_text_area_keeps_a_first_empty_line() -> None:
    assert ">\n\nx</textarea>" in part('{{ parts.area("note", "Note", value="\\nx") }}')


def test_the_zero_key_is_a_key() -> None:
    assert "<kbd" in part('{{ parts.check_row("same", "10", "text", key_hint=0) }}')


def test_pages_are_few_however_many_there_are() -> None:
    html = part('{{ parts.pagination(50, 100, "/people?of=a&page={page}") }}')
    assert re.findall(r">(\d+|…|Previous|Next)<", html) == [
        *("Previous", "1", "…", "48", "49", "50", "51", "52", "…", "100", "Next"),
    ]
    assert 'href="/people?of=a&amp;page=51"' in html
    assert html.count('aria-current="page"') == 1


def test_the_command_line_does_not_load_the_web() -> None:
    heavy = ("starlette", "fastapi", "argon2", "markdown_it", "paraloom.web")
    code = f"import sys, paraloom.cli; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
