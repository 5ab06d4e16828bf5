"""A real browser draws the report of corpora: charts are there, in the dark too, and nothing is wider than a page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from paraloom.reports.drawing import COLOURS
from paraloom.reports.statistics import write_statistics_report
from paraloom.workflows.corpus.stats import corpus_statistics

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

LABELS = ("1", "2", "3", "4<", "4>", "4", "4is")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("statistics")
    files = []
    for name in ("a-corpus-with-quite-a-long-name-dev", "mined", "another-mined-corpus-of-the-same-language"):
        rows = [
            {
                "txt1": f"The storm number {number} hit the northern coast.",
                "txt2": f"The coast{' and the town' * (number % 5)} was hit by the storm number {number}.",
                "label": LABELS[number % len(LABELS)],
                "source": ("opus", "pb")[number % 2],
            }
            for number in range(40)
        ]
        files.append(folder / f"{name}.json")
        files[-1].write_text(json.dumps(rows), encoding="utf-8")
    return write_statistics_report(corpus_statistics(files), folder / "report")


@pytest.mark.parametrize("width", [360, 1200])
def test_nothing_is_wider_than_the_page(browser: Browser, page: Path, width: int) -> None:
    opened = browser.new_page(viewport={"width": width, "height": 900})
    opened.goto(page.as_uri())
    opened.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert opened.evaluate("document.documentElement.scrollWidth") == width
    too_wide = (
        "[...document.querySelectorAll('svg.chart')].filter(one => one.getBoundingClientRect().right > innerWidth)"
    )
    assert opened.evaluate(f"{too_wide}.length") == 0
    opened.close()


def test_charts_are_drawn_and_the_links_lead_to_sections(browser: Browser, page: Path) -> None:
    opened = browser.new_page()
    problems: list[str] = []
    opened.on("pageerror", lambda error: problems.append(str(error)))
    opened.on("request", lambda request: problems.append(request.url) if request.url.startswith("http") else None)
    opened.goto(page.as_uri())
    assert opened.locator("svg.chart").count() == 3 * 2 + 3
    for link in opened.locator("nav a").all():
        assert opened.locator(f"section{link.get_attribute('href')} h2").count() == 1
    first = opened.locator("svg.chart").first.bounding_box()
    assert first is not None
    assert first["width"] > 200
    assert first["height"] > 100
    assert problems == []
    opened.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_charts_colours_follow_the_page(browser: Browser, page: Path, scheme: str) -> None:
    opened = browser.new_page(color_scheme=scheme)  # type: ignore[arg-type]
    opened.goto(page.as_uri())
    light, dark = COLOURS["first-pale"]
    wanted = light if scheme == "light" else dark
    drawn = opened.locator(f'svg.chart [fill="{light}"]').first.evaluate("one => getComputedStyle(one).fill")
    assert drawn == f"rgb({', '.join(str(int(wanted[place : place + 2], 16)) for place in (1, 3, 5))})"
    opened.close()
