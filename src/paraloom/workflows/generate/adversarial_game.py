"""A file of sources in, a folder out with all attempts of a generator at the adversarial game, counted and drawn.

Killed at any moment, the same command goes on behind the last sources that were noted, and writes the same rows as a
game that nothing disturbed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paraloom.engine.signatures import paraloom_version
from paraloom.engine.store import alone_in, write_text
from paraloom.errors import InputError, TargetTaken
from paraloom.metrics.meaning.adversarial import ImplicationModel
from paraloom.pairs.adversarial import Attempt, play, writable
from paraloom.pairs.adversarial_options import GameOptions
from paraloom.reports.adversarial import SUMMARY, AdversarialReport, write_adversarial_report
from paraloom.workflows.evaluate.report_folder import check_report_folder
from paraloom.workflows.generate.adversarial_attempts import (
    ATTEMPTS,
    MADE_BY,
    attempts_table,
    read_played,
    reported,
)
from paraloom.workflows.generate.adversarial_options import PlayedFileOptions, PlayerOptions
from paraloom.workflows.generate.adversarial_player import load_player
from paraloom.workflows.generate.source_file import GivenSource, given_file, read_sources, survey_sources
from paraloom.workflows.identify.unfinished import Journal
from paraloom.workflows.table_files import write_table_file

if TYPE_CHECKING:
    from paraloom.models.generators import Generator

JOURNAL = "played.jsonl"

Tell = Callable[[int, int], None]
"""Told after each block: sources played, sources in all."""


def play_file(
    file: str | Path,
    out: str | Path,
    player: PlayerOptions = PlayerOptions(),
    game: GameOptions = GameOptions(),
    reading: PlayedFileOptions = PlayedFileOptions(),
    *,
    generator: Generator | None = None,
    judge: ImplicationModel | None = None,
    tell: Tell | None = None,
) -> AdversarialReport:
    """Play every different source of a file; `attempts.parquet`, `summary.json` and `report.html` lie in the folder.

    `generator` and `judge` are those that the options name and that the package has, unless they are given.
    """
    out = Path(out)
    check_report_folder(out)
    with given_file(file) as (path, called):
        survey = survey_sources(path, called, reading.column, reading.format)
        sources = _different(read_sources(survey), reading.skip, reading.limit)
    if not sources:
        raise InputError(f"{called} has no source to play. Give another file, or a smaller --skip.")
    playing = load_player(player) if generator is None else generator
    judging = _judge() if judge is None else judge
    made_by = {
        "file": survey.digest,
        "column": survey.column,
        "skip": reading.skip,
        "limit": reading.limit,
        "given": len(sources),
        "generator": playing.signature,
        "game": asdict(game),
        "judge": judging.signature,
        "paraloom": paraloom_version(),
    }
    out.mkdir(parents=True, exist_ok=True)
    with alone_in(out):
        _claim(out, made_by)
        if not (out / SUMMARY).is_file():
            attempts = _played(sources, playing, judging, game, reading.batch, out, made_by, tell)
            write_table_file(attempts_table(attempts), out / ATTEMPTS)
        report = reported([read_played(out, playing.name)], made_by)
        write_adversarial_report(report, out)  # last: only a folder with a summary is finished
        (out / JOURNAL).unlink(missing_ok=True)
    return report


def _judge() -> ImplicationModel:
    from paraloom.models.implication import load

    return load()


def _different(given: Iterator[GivenSource], skip: int, limit: int) -> dict[str, int]:
    """Every different source with its row, from 1, in the order of the file."""
    found: dict[str, int] = {}
    for row, source in enumerate(given, start=1):
        if source.trouble is None:
            found.setdefault(writable(source.text), row)
    chosen = list(found.items())[skip:]
    return dict(chosen[:limit] if limit else chosen)


def _claim(out: Path, made_by: dict[str, Any]) -> None:
    """Take a new or empty folder, or one in which the same game was begun."""
    file = out / MADE_BY
    if not file.is_file():
        if any(not one.name.endswith(".unfinished") for one in out.iterdir()):
            raise TargetTaken(f"{out} holds files that no game has left. Choose another --out.")
        write_text(file, json.dumps(made_by, indent=1) + "\n")
        return
    before, now = json.loads(file.read_text(encoding="utf-8")), json.loads(json.dumps(made_by))
    if changed := [name for name in now if before.get(name) != now[name]]:
        told = "; ".join(f"{name} was {before.get(name)!r}, is {now[name]!r}" for name in changed)
        raise TargetTaken(f"{out} holds another game: {told}. Choose another --out, or delete it.")


def _played(
    sources: dict[str, int],
    generator: Generator,
    judge: ImplicationModel,
    game: GameOptions,
    batch: int,
    out: Path,
    made_by: dict[str, Any],
    tell: Tell | None,
) -> list[Attempt]:
    """All attempts, those that were noted before among them."""
    names = list(sources)
    attempts: list[Attempt] = []
    journal = Journal.open(out / JOURNAL, {**made_by, "batch": batch})
    try:
        for number, start in enumerate(range(0, len(names), batch)):
            block = names[start : start + batch]
            if number < journal.whole:
                attempts += [Attempt(**noted) for noted in journal.read()]
            else:
                found = play(block, generator, judge, game, rows=[sources[one] for one in block])
                made = [attempt for some in found for attempt in some]
                journal.add([asdict(attempt) for attempt in made])
                attempts += made
            if tell is not None:
                tell(start + len(block), len(names))
    finally:
        journal.close()
    return attempts
