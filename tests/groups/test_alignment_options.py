"""Options of alignment that cannot be meant are refused where they are given."""

from __future__ import annotations

import pytest

from paraloom.errors import InputError
from paraloom.groups.alignment_options import AlignmentOptions

REFUSED = [
    ({"window_days": float("nan")}, "--window-days"),
    ({"window_days": -1.0}, "--window-days"),
    ({"window_days": float("inf")}, "--window-days"),
    ({"window_days": 1e-300}, "--window-days"),
    ({"least_alike": float("nan")}, "--least-alike"),
    ({"least_alike": -0.1}, "--least-alike"),
    ({"most_alike": float("nan")}, "--most-alike"),
    ({"most_alike": float("inf")}, "--most-alike"),
    ({"least_alike": 0.9, "most_alike": 0.2}, "--least-alike or --most-alike"),
    ({"least_alike": 0.5, "most_alike": 0.5}, "--least-alike or --most-alike"),
    ({"heading_most_alike": float("nan")}, "--heading-most-alike"),
    ({"shortest_gram": 7}, "--shortest-gram"),
    ({"shortest_gram": 0}, "--shortest-gram"),
    ({"pairs_per_work": 0}, "--pairs-per-work"),
    ({"works_per_series": 0}, "--works-per-series"),
    ({"versions_per_work": 0}, "--versions-per-work"),
]


@pytest.mark.parametrize(("given", "message"), REFUSED)
def test_options_that_cannot_be_meant_are_refused(given: dict[str, float], message: str) -> None:
    with pytest.raises(InputError, match=message):
        AlignmentOptions(**given)  # type: ignore[arg-type]


def test_a_band_may_be_as_wide_as_can_be() -> None:
    band = AlignmentOptions(least_alike=0.0, most_alike=1.01).band("article")
    assert (band.low, band.high) == (0.0, 1.01)
