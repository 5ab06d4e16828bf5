"""A real browser draws the report: headings are there, the picture is not blank, nothing is wider than a telephone."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from paraloom.reports.build import write_report

if TYPE_CHECKING:
    from playwright.sync_api import Page

OpenReport = Callable[..., "Page"]
pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def report(small_run: Callable[..., Path]) -> Path:
    written, _ = write_report(small_run())
    return written


def picture(page: Page) -> Image.Image:
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def colours(drawn: Image.Image) -> set[tuple[int, ...]]:
    return {colour for _, colour in drawn.getcolors(1 << 24) or []}  # type: ignore[misc]


def test_the_report_is_drawn(report: Path, open_report: OpenReport) -> None:
    drawn = picture(open_report(report, height=3000))
    seen = colours(drawn)
    assert len(seen) > 100, "The page is (nearly) blank."
    assert (0x17, 0x69, 0x7A) in seen, "The colour of the charts is missing."
    assert drawn.size == (1200, 3000)


def test_the_browser_finds_headings_and_charts(report: Path, open_report: OpenReport) -> None:
    seen = open_report(report).content()
    for heading in ("From rows to corpus", "How far the wording differs", "Examples", "How it was made"):
        assert f"<h2>{heading}</h2>" in seen
    assert seen.count('<svg xmlns="http://www.w3.org/2000/svg"') == 7


def test_a_dark_page_has_dark_paper_and_light_charts(report: Path, open_report: OpenReport) -> None:
    seen = colours(picture(open_report(report, height=3000, color_scheme="dark")))
    assert {(0x12, 0x17, 0x1B), (0x63, 0xC3, 0xD1)} <= seen
    assert (0x17, 0x69, 0x7A) not in seen


@pytest.mark.parametrize("width", [400, 700, 1200])
def test_nothing_is_wider_than_the_page(report: Path, widths: Callable[..., tuple[int, int]], width: int) -> None:
    assert widths(report, width) == (width, width)
