"""The levels of measurement, by name. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from typing import Literal

Level = Literal["nominal", "ordinal", "interval", "ratio"]
"""What can be said of two answers: that they differ; which is more; by how much; how many times as much."""

LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval", "ratio")
