"""A template's name and its values in, a whole page out: the Jinja environment that reports share, and its filters."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from paraloom.engine.store import write_text
from paraloom.reports.drawing import COLOURS
from paraloom.text.counted import counted
from paraloom.text.file_names import told_name, with_told_names

TEMPLATES = Path(__file__).resolve().parent / "templates"
SHOWN_LETTERS = 280
NOTHING = "\u2013"


def render(template: str, values: Mapping[str, Any]) -> str:
    """A page in one file. All values are escaped, but for charts, which are marked as drawn by us."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "number": number,
        "counted": counted,
        "percent": percent,
        "decimal": decimal,
        "signed": signed,
        "moment": moment,
        "reason": reason,
        "shortened": shortened,
        "flattened": flattened,
    }
    return environment.get_template(template).render(chart_colours=COLOURS, **values)


def write_page(folder: Path, page: str, name: str, numbers: Mapping[str, Any]) -> Path:
    """Write a page as report.html, and its numbers under this name, into a folder; gives the page's path."""
    folder.mkdir(parents=True, exist_ok=True)
    told = json.dumps(with_told_names(numbers), indent=2, ensure_ascii=False, allow_nan=False)
    write_text(folder / name, told + "\n")
    report = folder / "report.html"
    write_text(report, told_name(page))
    return report


def number(value: int | None) -> str:
    """A count with its thousands apart.

    >>> number(1234567)
    '1,234,567'
    """
    return NOTHING if value is None else f"{value:,}"


def percent(share: float | None) -> str:
    """A share in per cent, one decimal; what is there but rounds to nothing is said to be less.

    >>> percent(0.1234), percent(0.0001), percent(0.0), percent(1)
    ('12.3%', '<0.1%', '0%', '100%')
    """
    if share is None:
        return NOTHING
    if 0 < share < 0.0005:
        return "<0.1%"
    return f"{share:.0%}" if share in (0, 1) else f"{share:.1%}"


def decimal(value: float | None, places: int) -> str:
    """A number with so many decimals, or a dash where there is none.

    >>> decimal(1.23456, 2), decimal(None, 2)
    ('1.23', '–')
    """
    return NOTHING if value is None else f"{value:,.{places}f}"


def signed(value: float, places: int) -> str:
    """A difference with its sign.

    >>> signed(0.0436, 2), signed(-1.5, 1)
    ('+0.04', '\u22121.5')
    """
    sign = "+" if value >= 0 else "\u2212"
    return f"{sign}{abs(value):,.{places}f}"


def moment(written: str | None) -> str:
    """A date and time as people write them.

    >>> moment("2020-10-06T15:22:39+00:00")
    '2020-10-06 15:22:39 UTC'
    """
    return NOTHING if written is None else written.replace("T", " ").replace("+00:00", " UTC")


def reason(name: str) -> str:
    """A reason as words; what it quotes stays as it is.

    >>> reason("too_short"), reason("spam: only_tags"), reason("bad_row: no field full_text")
    ('too short', 'spam: only tags', 'bad row: no field full_text')
    """
    kind, colon, rest = name.partition(":")
    return kind.replace("_", " ") + colon + (rest if " " in rest.strip() else rest.replace("_", " "))


def shortened(text: str) -> str:
    """A text as far as it can be shown."""
    return text if len(text) <= SHOWN_LETTERS else f"{text[:SHOWN_LETTERS].rstrip()} \u2026"


def flattened(options: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    """Nested options one by one.

    >>> list(flattened({"a": {"b": 1}, "c": ["x", "y"]}))
    [('a.b', '1'), ('c', 'x y')]
    """
    for name, value in options.items():
        if isinstance(value, Mapping):
            yield from flattened(value, f"{before}{name}.")
        elif isinstance(value, list):
            yield f"{before}{name}", " ".join(str(item) for item in value)
        else:
            yield f"{before}{name}", str(value)
