"""What people read is shown as they wrote it, whatever it is, in a form that hands, keys and screen readers can use."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import paraloom.judgments
from paraloom.judgments.tasks import task_named
from paraloom.judgments.tasks.task import Shown
from paraloom.web.assets import Assets
from paraloom.web.pages import Pages

HERE = Path(paraloom.judgments.__file__).parent
PAGES = Pages([HERE / "templates"], Assets([HERE / "static"]))

NASTY = [
    "<script>alert('x')</script>",
    "\"><img src=x onerror=alert(1)> & &amp; 'quoted'",
    "{{ 7 * 7 }} {% include 'parts.html' %}",
    "عاصفة تضرب الساحل (BBC) \u202e reversed",
    "🌧️👩‍👩‍👧 …",
    "verylongword" * 500,
    "first line\n  second line",
]


def listed(texts: list[str]) -> list[dict[str, str]]:
    return [{"id": f"{number}\"><b>'", "text": text} for number, text in enumerate(texts)]


def kinds(nasty: str) -> list[tuple[str, dict[str, Any], dict[str, Any] | None]]:
    """Each kind with an item that is made of the text, and an earlier answer."""
    rows = listed([nasty, "b", "c", "d"])
    return [
        ("pair", {"left": nasty, "right": nasty, "topic": nasty}, {"is_paraphrase": False}),
        ("choose", {"original": nasty, "candidates": rows}, {"chosen": [rows[1]["id"]], "shown": []}),
        ("choose", {"original": nasty, "candidates": rows}, {"chosen": [], "shown": []}),
        ("rate", {"source": nasty, "generated": nasty}, {"fluency": 5, "similarity": 4, "diversity": 1, "kept": None}),
        ("rate", {"left": nasty, "right": "b", "sentence_left": f"a {nasty} b", "sentence_right": nasty}, {"kept": 3}),
        ("topic", {"sentences": [nasty], "key": nasty, "topics": [nasty[:200], "b"]}, {"topic": "b"}),
        ("topic", {"sentences": [nasty, "b"]}, {"topic": "sports"}),
        ("seed", {"sentences": rows}, {"seed": rows[2]["id"]}),
        ("seed", {"sentences": rows}, {"skip": True}),
        ("match", {"left": {"title": nasty, "text": nasty}, "right": {"text": nasty}}, {"accept": True}),
    ]


class Read(HTMLParser):
    """The elements of a page, and the texts that people said."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.said: list[str] = []
        self._open: list[tuple[str, bool]] = []
        self.unlabelled: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.elements.append((tag, found))
        if tag == "input":
            if not any(name == "label" for name, _ in self._open):
                self.unlabelled.append(str(found))
            return
        is_said = "said" in (found.get("class") or "").split()
        if is_said:
            assert found.get("dir") == "auto"
            self.said.append("")
        self._open.append((tag, is_said))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        if any(is_said for _, is_said in self._open):
            self.said[-1] += data

    def pressed(self) -> list[str | None]:
        """The values of what is ticked or pressed."""
        return [
            found.get("value")
            for _, found in self.elements
            if "checked" in found or found.get("aria-pressed") == "true"
        ]


def render(kind: str, item: dict[str, Any], given: dict[str, Any] | None = None, **shown: Any) -> str:
    task = task_named(kind)
    values = {"content": task.read_content(item), "shown": Shown(**shown), "given": given, "keys": task.keys}
    return PAGES.render(f"tasks/{kind}.html", **values)


CASES = [(kind, item, given, nasty) for nasty in NASTY for kind, item, given in kinds(nasty)]
NAMES = [f"{kind}-{number}" for number, (kind, *_) in enumerate(CASES)]


@pytest.mark.parametrize(("kind", "item", "given", "nasty"), CASES, ids=NAMES)
def test_a_text_is_shown_as_it_was_written(
    kind: str, item: dict[str, Any], given: dict[str, Any] | None, nasty: str
) -> None:
    read = Read(render(kind, item))
    assert nasty in read.said
    tags = {tag for tag, _ in read.elements}
    assert not tags & {"script", "img", "style", "iframe"}
    assert all(not name.startswith("on") and name != "style" for _, found in read.elements for name in found)


@pytest.mark.parametrize(("kind", "item", "given"), kinds("The storm hit."))
def test_the_form_keeps_its_contract(kind: str, item: dict[str, Any], given: dict[str, Any]) -> None:
    read = Read(render(kind, item, given))
    forms = [found for tag, found in read.elements if tag == "form"]
    assert forms == [{"id": "answer", "class": f"task task-{kind}", "data-task": kind, "autocomplete": "off"}]
    assert not read.unlabelled
    assert all("type" in found for tag, found in read.elements if tag in ("button", "input"))
    keys = [key for _, found in read.elements for key in [found.get("data-key")] if key]
    assert len(set(keys)) == len(keys)
    ids = [found["id"] for _, found in read.elements if "id" in found]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(("kind", "item", "given"), kinds("The storm hit."))
def test_nothing_is_chosen_before_the_person_chooses(kind: str, item: dict[str, Any], given: dict[str, Any]) -> None:
    assert Read(render(kind, item)).pressed() == []


@pytest.mark.parametrize(("kind", "item", "given"), kinds("The storm hit."))
def test_an_earlier_answer_is_shown_again(kind: str, item: dict[str, Any], given: dict[str, Any]) -> None:
    expected = {
        "pair": lambda: ["true" if given["is_paraphrase"] else "false"],
        "choose": lambda: given["chosen"] or ["none"],
        "rate": lambda: [str(rating) for rating in given.values() if rating],
        "topic": lambda: [given["topic"]],
        "seed": lambda: [given.get("seed", "")],
        "match": lambda: ["true" if given["accept"] else "false"],
    }[kind]()
    assert Read(render(kind, item, given)).pressed() == expected


def test_the_question_about_a_pair_follows_the_definition() -> None:
    item = {"left": "a", "right": "b"}
    assert "tell the same news" in render("pair", item, definition="loose")
    assert "say the same?" in render("pair", item, definition="strict")


def test_a_phrase_is_marked_in_its_sentence() -> None:
    html = render("rate", {"left": "<b>", "right": "x", "sentence_left": "a <b> c"})
    assert "a <mark>&lt;b&gt;</mark> c" in html
