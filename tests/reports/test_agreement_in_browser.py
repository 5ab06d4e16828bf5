"""A real browser draws the report of agreement: charts are there, and nothing is wider than a telephone."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from paraloom.metrics.agreement.figures import measure_agreement
from paraloom.metrics.agreement.items import most_disputed
from paraloom.metrics.agreement.ratings import Ratings
from paraloom.reports.agreement import AgreementEvaluation, write_agreement_report

pytestmark = pytest.mark.browser

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


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    random = np.random.default_rng(1)
    rows = [
        (
            f"an item with a rather long name, number {item}",
            f"annotator-{person}@example.org",
            str(random.integers(1, 6)),
        )
        for item in range(30)
        for person in range(6)
    ]
    ratings = Ratings.of(*zip(*rows, strict=True), level="ordinal")
    evaluation = AgreementEvaluation(
        files=("answers.tsv",),
        figures=measure_agreement(ratings, expert="annotator-5@example.org", positive="5", resamples=50),
        disputed=most_disputed(ratings),
        resamples=50,
        seed=1,
    )
    return write_agreement_report(evaluation, tmp_path_factory.mktemp("agreement"))


def browse(page: Path, folder: Path) -> str:
    names = ("chromium", "chromium-browser", "google-chrome")
    browser = next((found for name in names if (found := shutil.which(name))), None)
    assert browser, "No chromium was found; scripts/ensure_chromium (run by `make test`) gets one."
    command = [browser, *FLAGS, f"--user-data-dir={folder / 'profile'}", "--dump-dom", page.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout


def test_the_browser_finds_headings_and_charts(page: Path, tmp_path: Path) -> None:
    seen = browse(page, tmp_path)
    for heading in ("How far people agree", "Answers", "Annotators against the others", "Disputed items"):
        assert f"<h2>{heading}</h2>" in seen
    assert seen.count('<svg xmlns="http://www.w3.org/2000/svg"') == 3


@pytest.mark.parametrize("width", [400, 1200])
def test_nothing_is_wider_than_the_page(page: Path, tmp_path: Path, width: int) -> None:
    # The report runs no script; this copy measures itself, inside a frame as wide as the screen in question.
    measure = "<script>document.title = document.documentElement.scrollWidth + ' of ' + innerWidth</script></body>"
    inner = page.read_text(encoding="utf-8").replace("</body>", measure).replace("&", "&amp;").replace('"', "&quot;")
    frame = f'<iframe srcdoc="{inner}" style="border: 0; width: {width}px; height: 900px"></iframe>'
    tell = "<script>onload = () => { document.title = frames[0].document.title }</script>"
    outer = tmp_path / "frame.html"
    outer.write_text(f"<!doctype html><meta charset='utf-8'><title></title>{frame}{tell}", encoding="utf-8")
    seen = re.search(r"<title>(\d+) of (\d+)</title>", browse(outer, tmp_path))
    assert seen
    assert (int(seen[1]), int(seen[2])) == (width, width)
