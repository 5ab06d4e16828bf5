"""A store in, a snapshot of its judgments out, in one of several formats, at any time, while the service runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from paraloom.errors import InputError
from paraloom.judgments.exchange.decisions_out import everything_said
from paraloom.judgments.exchange.label_studio_out import config_of, task_lines
from paraloom.judgments.exchange.rows_out import csv_lines, json_lines
from paraloom.judgments.exchange.snapshot import Said, campaigns_asked, moment_of
from paraloom.judgments.exchange.tables_out import write_tables
from paraloom.judgments.whole_files import check_free, whole_file

if TYPE_CHECKING:
    from paraloom.judgments.store.database import Database


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """What was written."""

    out: Path
    judgments: int
    last: str
    """Number and id of the last judgment that is in it."""
    rows: Mapping[str, int]
    """Of each table or file."""

    def as_json(self) -> dict[str, object]:
        """For programs."""
        return {"out": str(self.out), "judgments": self.judgments, "last": self.last, "rows": dict(self.rows)}

    def as_text(self) -> str:
        """In words."""
        told = ", ".join(f"{count:,} {name}" for name, count in self.rows.items())
        return f"{told} in {self.out}"


Writer = Callable[[Connection, Path, "str | None", "ExportAs"], Mapping[str, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportAs:
    """How judgments are written."""

    names: bool = False
    """Annotators by their names; else by ids that lead nowhere once an identity is erased."""
    for_spreadsheets: bool = False
    """CSV whose cells no spreadsheet takes for formulas."""
    overwrite: bool = False


def export_judgments(
    database: Database, out: Path, *, format: str, campaign_id: str | None = None, how: ExportAs = ExportAs()
) -> Exported:
    """Write every judgment of a campaign, or of all, as it stands at this moment."""
    if format not in FORMATS:
        raise InputError(f"There is no format {format!r}. Choose one of: {', '.join(FORMATS)}.")

    def job(connection: Connection) -> Exported:
        moment = moment_of(connection, campaign_id)
        campaigns_asked(connection, campaign_id)  # an error for a name that is none
        rows = FORMATS[format](connection, out, campaign_id, how)
        return Exported(out=out, judgments=moment.judgments, last=moment.last, rows=rows)

    return database.read(job)


def _tables(connection: Connection, out: Path, campaign_id: str | None, how: ExportAs) -> Mapping[str, int]:
    if out.exists() and not out.is_dir():
        raise InputError(f"{out} is a file. Tables are written into a folder: give --out one.")
    return write_tables(connection, out, campaign_id, names=how.names, overwrite=how.overwrite)


def _lines(make: Callable[..., Iterator[bytes]]) -> Writer:
    def write(connection: Connection, out: Path, campaign_id: str | None, how: ExportAs) -> Mapping[str, int]:
        check_free(out, overwrite=how.overwrite)
        count = {"judgments": 0, "decisions": 0}

        def counted(judgments: Iterable[Said]) -> Iterator[Said]:
            for said in judgments:
                count["decisions" if said.is_decision else "judgments"] += 1
                yield said

        judgments = counted(everything_said(connection, campaign_id))
        whole_file(out, make(judgments, names=how.names, for_spreadsheets=how.for_spreadsheets))
        return {name: rows for name, rows in count.items() if rows or name == "judgments"}

    return write


def _label_studio(connection: Connection, out: Path, campaign_id: str | None, how: ExportAs) -> Mapping[str, int]:
    if campaign_id is None:
        raise InputError("A project of Label Studio has one kind of task. Name one campaign.")
    (campaign,) = campaigns_asked(connection, campaign_id)
    config = out.with_name(f"{out.stem}.config.xml")
    check_free(out, overwrite=how.overwrite)
    check_free(config, overwrite=how.overwrite)
    whole_file(config, [config_of(campaign).encode()])
    tasks = 0

    def lines() -> Iterator[bytes]:
        nonlocal tasks
        for line in task_lines(connection, campaign, names=how.names):
            tasks += line.lstrip(b",\n").startswith(b"{")
            yield line

    whole_file(out, lines())
    return {"tasks": tasks}


FORMATS: dict[str, Writer] = {
    "tables": _tables,
    "jsonl": _lines(json_lines),
    "csv": _lines(csv_lines),
    "label-studio": _label_studio,
}
"""How judgments can be written."""
