"""Charts of Altair in, inline SVG out, drawn by vl-convert without any network.

Colours are written into the SVG as they are on a light page; the page's style sheet names the same values to turn
them for a dark one (`COLOURS`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from paraloom.reports.svg import inlined

if TYPE_CHECKING:
    import altair as alt

WIDTH, HEIGHT = 430, 235
"""Of the whole drawing. Narrow, so that the words stay legible where a page is as narrow as a telephone."""

COLOURS: dict[str, tuple[str, str]] = {
    "first": ("#17697a", "#63c3d1"),
    "second": ("#c26a2c", "#eda468"),
    "first-mid": ("#5f9fab", "#3f8794"),
    "first-pale": ("#abcfd6", "#285660"),
    "second-pale": ("#e4b896", "#82562f"),
    "pale": ("#b9c4c9", "#55636c"),
    "ink": ("#26323a", "#e4e8ea"),
    "muted": ("#59666f", "#a3afb6"),
    "line": ("#dfe3e2", "#303a42"),
}
"""Every colour of a chart on a light page, and what it becomes on a dark one."""

LIGHT = {name: light for name, (light, _) in COLOURS.items()}


def inline_data(rows: Sequence[dict[str, Any]]) -> alt.InlineData:
    """Rows as a chart takes them."""
    import altair as alt

    return alt.InlineData(values=list(rows))


def colour_scale(names: Sequence[str], colours: Sequence[str]) -> alt.Scale:
    """Which name has which of our colours."""
    import altair as alt

    return alt.Scale(domain=list(names), range=[LIGHT[colour] for colour in colours])


def drawn(
    chart_id: str,
    chart: alt.Chart | alt.LayerChart,
    description: str,
    height: int = HEIGHT,
    width: int = WIDTH,
    *,
    with_names: bool = False,
) -> str:
    """The chart as SVG that stands in a page, with a description for those who do not see it.

    With names, what a mark's own description says shows where the pointer rests on it.
    """
    import altair as alt
    import vl_convert

    axis = {
        "labelColor": LIGHT["muted"],
        "titleColor": LIGHT["muted"],
        "gridColor": LIGHT["line"],
        "domainColor": LIGHT["pale"],
        "tickColor": LIGHT["pale"],
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "titlePadding": 8,
    }
    legend = {"orient": "top", "labelColor": LIGHT["ink"], "labelFontSize": 12, "symbolType": "square", "offset": 8}
    legend |= {"symbolOpacity": 1, "symbolStrokeWidth": 0}
    config = {"font": "sans-serif", "background": None, "view": {"stroke": None}, "axis": axis, "legend": legend}
    version = ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
    spec = chart.properties(width=width, height=height).to_dict()
    spec |= {"config": config, "autosize": {"type": "fit", "contains": "padding"}}
    svg = vl_convert.vegalite_to_svg(spec, vl_version=version, allowed_base_urls=[])  # no address may be asked
    return inlined(svg, chart_id, description, with_names=with_names)
