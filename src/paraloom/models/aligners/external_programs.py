"""Pairs as lines in, the files of their links in both directions out: how each program wants to be called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from paraloom.models.aligners.external_process import run_program

Command = Literal["eflomal", "fast_align"]
Written: TypeAlias = tuple[str, str]
"""Both texts of a pair, a line each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """How a program is found and called."""

    executable: str
    get_it: str
    """What to do where it is not installed."""
    directions: Callable[[str, Path, Sequence[Written], float], tuple[Path, Path]]
    """The program's path, a folder, pairs and seconds in; the files of its links in both directions out."""


def _eflomal(program: str, folder: Path, pairs: Sequence[Written], seconds: float) -> tuple[Path, Path]:
    """Both directions in one run, from a file for each side."""
    sides = [folder / "left.txt", folder / "right.txt"]
    for side, file in enumerate(sides):
        _write_lines(file, [pair[side] for pair in pairs])
    forward, backward = folder / "forward.links", folder / "backward.links"
    given = ["-s", str(sides[0]), "-t", str(sides[1]), "-f", str(forward), "-r", str(backward)]
    run_program([program, *given], folder, seconds=seconds)
    return forward, backward


def _fast_align(program: str, folder: Path, pairs: Sequence[Written], seconds: float) -> tuple[Path, Path]:
    """A run for each direction, with what its authors recommend: a prior, and links near the diagonal preferred."""
    both = folder / "both.txt"
    _write_lines(both, [" ||| ".join(pair) for pair in pairs])
    files = []
    for direction, more in (("forward", []), ("backward", ["-r"])):
        files.append(folder / f"{direction}.links")
        run_program([program, "-i", str(both), "-d", "-o", "-v", *more], folder, seconds=seconds, output=files[-1])
    return files[0], files[1]


PROGRAMS: dict[Command, Program] = {
    "eflomal": Program(
        executable="eflomal-align",
        get_it="Install it (GPL, beside Paraloom, which does not import it): pip install eflomal",
        directions=_eflomal,
    ),
    "fast_align": Program(
        executable="fast_align",
        get_it="Build it from https://github.com/clab/fast_align and put it on the PATH.",
        directions=_fast_align,
    ),
}
"""The programs that are known, by the name of their aligner."""


def _write_lines(file: Path, lines: Sequence[str]) -> None:
    with file.open("w", encoding="utf-8", newline="\n") as opened:
        opened.writelines(f"{line}\n" for line in lines)
