"""Files that generators wrote in, items to be rated blind out: the same sources for every system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection

from paraloom.corpus.system_outputs import read_system
from paraloom.errors import InputError
from paraloom.judgments.campaigns import campaign_of
from paraloom.judgments.outputs_to_rate import AddedOutputs, WrittenOutput, add_outputs, check_is_rated
from paraloom.judgments.store.columns import now
from paraloom.judgments.store.database import Database
from paraloom.tables import make_id
from paraloom.text.counted import counted

FirstOutputs = Mapping[str, str]
"""By source, the first output of one system; sources without one are not there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilledOutputs:
    """What a campaign was filled with."""

    systems: tuple[str, ...]
    sources: int
    """That were drawn."""
    shared: int
    """That every system has an output for."""
    left_out: int
    """That a system has nothing for."""
    written_by_several: int
    """Texts that several systems wrote."""
    items: AddedOutputs

    def as_text(self) -> str:
        """In words."""
        told = [
            f"{counted(self.sources, 'source', 'sources')} of the {self.shared:,} that "
            f"{', '.join(self.systems)} wrote something for; "
            f"{counted(self.left_out, 'source was', 'sources were')} left out because a system has nothing.",
            f"{counted(self.items.added, 'new item', 'new items')} "
            f"({counted(self.items.there_already, 'was', 'were')} there already).",
        ]
        if self.written_by_several:
            told.append(
                f"{counted(self.written_by_several, 'text was', 'texts were')} written by several systems: one item, "
                "counted for each."
            )
        if self.items.credited:
            told.append(
                f"{counted(self.items.credited, 'item that was there is', 'items that were there are')} counted for "
                "more systems than before."
            )
        return "\n".join(told)


def fill_outputs(
    database: Database, campaign_id: str, given: Sequence[str], *, most_sources: int = 50, seed: int = 1
) -> FilledOutputs:
    """Add the first outputs of every system for the same sources; `given` are NAME=FILE."""
    if most_sources < 1:
        raise InputError(f"--most-sources {most_sources} draws nothing. Give 1 or more.")
    check_is_rated(database.read(lambda connection: campaign_of(connection, campaign_id)))
    systems = {name: first_outputs(file) for name, file in named_files(given).items()}
    every = {source for outputs in systems.values() for source in outputs}
    shared = [source for source in every if all(source in outputs for outputs in systems.values())]
    if not shared:
        raise InputError(
            f"No source has an output of every system: {', '.join(systems)}. Sources are matched by their text: "
            "give files that were written for the same sources."
        )
    drawn = sorted(shared, key=lambda source: make_id("source", seed, source))[:most_sources]
    written = [one for source in drawn for one in written_for(source, systems, seed)]

    def job(connection: Connection) -> AddedOutputs:
        return add_outputs(connection, campaign_of(connection, campaign_id), written, now=now())

    return FilledOutputs(
        systems=tuple(systems),
        sources=len(drawn),
        shared=len(shared),
        left_out=len(every) - len(shared),
        written_by_several=sum(len(one.systems) > 1 for one in written),
        items=database.write(job),
    )


def named_files(given: Sequence[str]) -> dict[str, Path]:
    """What was written on the command line, by the system's name.

    >>> named_files(["lexical=runs/lexical.jsonl"])
    {'lexical': PosixPath('runs/lexical.jsonl')}
    """
    found: dict[str, Path] = {}
    for one in given:
        name, equals, file = (part.strip() for part in one.partition("="))
        if not (name and equals and file):
            raise InputError(f"{one!r} is not of the form NAME=FILE. Name the system: lexical={one.strip('=')}.")
        if name in found:
            raise InputError(f"Two systems are called {name}. Give each file a name of its own.")
        found[name] = Path(file)
    if not found:
        raise InputError("There are no outputs. Give NAME=FILE for every system, as `paraloom generate` writes them.")
    return found


def first_outputs(file: Path) -> FirstOutputs:
    """A file's first outputs; an empty one is none. A source with two different ones is an error with its lines."""
    found: dict[str, str] = {}
    lines: dict[str, int] = {}
    for row in read_system(file).rows:
        if not row.texts or not row.texts[0]:
            continue
        if found.setdefault(row.source, row.texts[0]) != row.texts[0]:
            raise InputError(
                f"{file}: the source {row.source[:60]!r} stands on lines {lines[row.source]} and {row.line} with "
                "different outputs. Give each source one line."
            )
        lines.setdefault(row.source, row.line)
    return found


def written_for(source: str, systems: Mapping[str, FirstOutputs], seed: int) -> list[WrittenOutput]:
    """What systems wrote for one source, each text once, in an order that is drawn anew for every source.

    >>> both = {"one": {"Storm hits.": "A storm."}, "two": {"Storm hits.": "A storm."}}
    >>> written_for("Storm hits.", both, seed=1)
    [WrittenOutput(source='Storm hits.', generated='A storm.', systems=('one', 'two'))]
    """
    writers: dict[str, list[str]] = {}
    for system in sorted(systems, key=lambda name: make_id("system", seed, source, name)):
        writers.setdefault(systems[system][source], []).append(system)
    return [
        WrittenOutput(source=source, generated=text, systems=tuple(sorted(names))) for text, names in writers.items()
    ]
