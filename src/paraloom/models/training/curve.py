"""A learning curve in, a JSON file out, and back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from paraloom.errors import InputError
from paraloom.models.training.task import CurvePoint

TRAINING = "training.json"
"""The file beside a network's weights that tells how it was trained; `curve` holds every look at the held-out pairs."""


def curve_as_json(curve: Sequence[CurvePoint]) -> list[dict[str, Any]]:
    """One object a look."""
    return [asdict(point) for point in curve]


def write_curve(file: Path, curve: Sequence[CurvePoint]) -> None:
    """Write the curve, under that name, into a file."""
    file.write_text(json.dumps({"curve": curve_as_json(curve)}, indent=1) + "\n", encoding="utf-8")


def read_curve(file: Path) -> tuple[CurvePoint, ...]:
    """The curve that a file tells, whatever else it tells; none where there is no file."""
    if not file.is_file():
        return ()
    try:
        return tuple(CurvePoint(**point) for point in json.loads(file.read_text(encoding="utf-8"))["curve"])
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{file} tells of no training ({error!r}). Delete it; no score depends on it.") from error
