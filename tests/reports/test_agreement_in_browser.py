"""A real browser draws the report of agreement: charts are there, and nothing is wider than a telephone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from paraloom.metrics.agreement.figures import measure_agreement
from paraloom.metrics.agreement.items import most_disputed
from paraloom.metrics.agreement.ratings import Ratings
from paraloom.reports.agreement import AgreementEvaluation, write_agreement_report

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
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


def test_the_browser_finds_headings_and_charts(report: Path, open_report: Callable[..., Page]) -> None:
    seen = open_report(report).content()
    for heading in ("How far people agree", "Answers", "Annotators against the others", "Disputed items"):
        assert f"<h2>{heading}</h2>" in seen
    assert seen.count('<svg xmlns="http://www.w3.org/2000/svg"') == 3


@pytest.mark.parametrize("width", [400, 1200])
def test_nothing_is_wider_than_the_page(report: Path, widths: Callable[..., tuple[int, int]], width: int) -> None:
    assert widths(report, width) == (width, width)
