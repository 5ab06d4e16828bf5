"""A real browser draws the report: headings are there, the picture is not blank, nothing is wider than a telephone."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from paraloom.reports.build import write_report

MakeRun = Callable[..., Path]
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)
pytestmark = pytest.mark.browser


def browse(page: Path, folder: Path, *flags: str) -> str:
    """What the browser prints when it opens a page."""
    names = ("chromium", "chromium-browser", "google-chrome")
    browser = next((found for name in names if (found := shutil.which(name))), None)
    assert browser, "No chromium was found; scripts/ensure_chromium (run by `make test`) gets one."
    command = [browser, *FLAGS, f"--user-data-dir={folder / 'profile'}", *flags, page.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout


def colours(picture: Path) -> set[tuple[int, ...]]:
    with Image.open(picture) as opened:
        return {colour for _, colour in opened.convert("RGB").getcolors(1 << 24) or []}  # type: ignore[misc]


def test_the_report_is_drawn(small_run: MakeRun, tmp_path: Path) -> None:
    report, _ = write_report(small_run())
    picture = tmp_path / "report.png"
    browse(report, tmp_path, f"--screenshot={picture}", "--window-size=1200,3000")
    seen = colours(picture)
    assert len(seen) > 100, "The page is (nearly) blank."
    assert (0x17, 0x69, 0x7A) in seen, "The colour of the charts is missing."
    with Image.open(picture) as opened:
        assert opened.size == (1200, 3000)


def test_the_browser_finds_headings_and_charts(small_run: MakeRun, tmp_path: Path) -> None:
    report, _ = write_report(small_run())
    seen = browse(report, tmp_path, "--dump-dom")
    for heading in ("From rows to corpus", "How far the wording differs", "Examples", "How it was made"):
        assert f"<h2>{heading}</h2>" in seen
    assert seen.count('<svg xmlns="http://www.w3.org/2000/svg"') == 7


def test_a_dark_page_has_dark_paper_and_light_charts(small_run: MakeRun, tmp_path: Path) -> None:
    report, _ = write_report(small_run())
    picture = tmp_path / "dark.png"
    dark = "--blink-settings=preferredColorScheme=0"
    browse(report, tmp_path, dark, f"--screenshot={picture}", "--window-size=1200,3000")
    seen = colours(picture)
    assert {(0x12, 0x17, 0x1B), (0x63, 0xC3, 0xD1)} <= seen
    assert (0x17, 0x69, 0x7A) not in seen


@pytest.mark.parametrize("width", [400, 700, 1200])
def test_nothing_is_wider_than_the_page(small_run: MakeRun, tmp_path: Path, width: int) -> None:
    report, _ = write_report(small_run())
    text = report.read_text(encoding="utf-8")
    # The report runs no script; this copy measures itself, inside a frame as wide as the screen in question.
    measure = "<script>document.title = document.documentElement.scrollWidth + ' of ' + innerWidth</script></body>"
    inner = text.replace("</body>", measure).replace("&", "&amp;").replace('"', "&quot;")
    frame = f'<iframe srcdoc="{inner}" style="border: 0; width: {width}px; height: 900px"></iframe>'
    tell = "<script>onload = () => { document.title = frames[0].document.title }</script>"
    outer = tmp_path / "frame.html"
    outer.write_text(f"<!doctype html><meta charset='utf-8'><title></title>{frame}{tell}", encoding="utf-8")
    seen = re.search(r"<title>(\d+) of (\d+)</title>", browse(outer, tmp_path, "--dump-dom"))
    assert seen
    assert (int(seen[1]), int(seen[2])) == (width, width)
