"""A connection in, tables of a run folder out: `judgments`, and `pairs`, `labels`, `sentences` of what people made.

Each table is a snapshot of the store: its signature names the last judgment, so that a stage that reads it knows.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import orjson
import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.engine.buckets import MOST_BUCKETS, PREFIX_DIGITS, bucket_of
from paraloom.engine.rows import from_rows, row_schema
from paraloom.engine.signatures import MadeBy, hash_of_source, paraloom_version
from paraloom.engine.store import (
    alone_in,
    made_by_file,
    read_made_by,
    unfinished_name,
    write_part,
    write_text,
)
from paraloom.errors import TargetTaken
from paraloom.judgments.exchange.decisions_out import every_decision, everything_said
from paraloom.judgments.exchange.made_out import MAKING, Made, every_attempt, made_by_attempt, made_by_judgment
from paraloom.judgments.exchange.snapshot import Moment, Said, called, campaigns_asked, every_judgment, moment_of
from paraloom.judgments.store import schema
from paraloom.judgments.tasks import task_named
from paraloom.judgments.whole_files import whole_file
from paraloom.tables import NOUNS, Judgment, check, make_id

ROWS_PER_BUCKET = 50_000
"""About so many judgments are held in memory at once."""
ATTEMPTS = "attempts.jsonl"

Rows = Callable[[int], Sequence[Any]]
"""The rows of one bucket."""


def write_tables(
    connection: Connection, run: Path, campaign_id: str | None, *, names: bool, overwrite: bool
) -> dict[str, int]:
    """Write the tables; how many rows each has. A table of the same snapshot that is there already stays."""
    moment = moment_of(connection, campaign_id)
    tasks = {campaign.task for campaign in campaigns_asked(connection, campaign_id)}
    run.mkdir(parents=True, exist_ok=True)
    decided = [judgment_row(said, names=names) for said in every_decision(connection, campaign_id)]
    buckets = _bucket_count(moment.judgments + len(decided))

    def judgments(bucket: int) -> list[Judgment]:
        of_bucket = [row for row in decided if bucket_of(row.judgment_id, buckets) == bucket]
        return _judgments(connection, campaign_id, bucket, buckets, names) + of_bucket

    asked = {"campaign": campaign_id, "names": _names_now(connection) if names else False}
    with alone_in(run):
        writer = _Writer(run, asked, moment, overwrite)
        writer.refuse(["judgments", *(("pairs", "labels", "sentences") if tasks & set(MAKING) else ())])
        written = {"judgments": writer.write("judgments", buckets, judgments)}
        if tasks & set(MAKING):
            for table, rows in _made(connection, campaign_id, tasks).items():
                written[table] = writer.write(table, 1, lambda _, rows=rows: rows)  # type: ignore[misc]
        if "write" in tasks:
            written["attempts"] = _write_attempts(connection, run / ATTEMPTS, campaign_id, names=names)
    return written


def _names_now(connection: Connection) -> str:
    """Another one as soon as a name is erased: a table must not keep what the store has forgotten."""
    people = schema.people.c
    rows = connection.execute(sa.select(people.person_id, people.name).order_by(people.person_id))
    return make_id(*(part or "" for row in rows for part in row))


def _bucket_count(rows: int) -> int:
    count = 1
    while count < MOST_BUCKETS and count * ROWS_PER_BUCKET < rows:
        count *= 2
    return count


def _judgments(
    connection: Connection, campaign_id: str | None, bucket: int, buckets: int, names: bool
) -> list[Judgment]:
    width = MOST_BUCKETS // buckets
    first, behind = bucket * width, (bucket + 1) * width
    ids = (f"{first:0{PREFIX_DIGITS}x}", "g" if behind == MOST_BUCKETS else f"{behind:0{PREFIX_DIGITS}x}")
    found = every_judgment(connection, campaign_id, by="judgment_id", ids=ids)
    return [judgment_row(said, names=names) for said in found]


def judgment_row(said: Said, *, names: bool = False) -> Judgment:
    """One row of the table `judgments`: what somebody said, or what an expert decided."""
    return Judgment(
        judgment_id=said.judgment_id,
        campaign=said.campaign_id,
        task=said.task,
        item_kind=task_named(said.task).item_kind,
        item_id=said.item_id,
        annotator=called(said.person_id, said.name, names=names),
        answer=orjson.dumps(said.answer).decode(),
        instructions_version=said.instructions_version,
        seconds=said.seconds,
        created_at=said.created_at,
        is_test=said.is_test,
        client_id=said.client_id,
        not_counted_for=said.not_counted_for,
        left_id=said.left_id,
        is_decision=said.is_decision,
    )


def _made(connection: Connection, campaign_id: str | None, tasks: set[str]) -> Mapping[str, list[Any]]:
    """What people made, each once: a pair that two people found is the first one's that counts."""
    rows: dict[str, dict[tuple[str, ...], Any]] = {"pairs": {}, "labels": {}, "sentences": {}}
    for made in _everything_made(connection, campaign_id, tasks):
        for table, found in (
            ("pairs", [made.pair]),
            ("labels", [] if made.label is None else [made.label]),
            ("sentences", made.sentences),
        ):
            for row in found:
                key = tuple(getattr(row, name) for name in NOUNS[table].KEY)
                before = rows[table].get(key)
                if before is None or (getattr(before, "dropped_for", None) and not getattr(row, "dropped_for", None)):
                    rows[table][key] = row
    return {table: list(found.values()) for table, found in rows.items()}


def _everything_made(connection: Connection, campaign_id: str | None, tasks: set[str]) -> Iterator[Made]:
    if tasks & {"grade", "extract"}:
        for said in everything_said(connection, campaign_id):
            yield from made_by_judgment(said)
    if "write" in tasks:
        yield from map(made_by_attempt, every_attempt(connection, campaign_id))


def _write_attempts(connection: Connection, target: Path, campaign_id: str | None, *, names: bool) -> int:
    count = 0

    def lines() -> Iterable[bytes]:
        nonlocal count
        for attempt in every_attempt(connection, campaign_id, names=names):
            count += 1
            yield orjson.dumps(attempt, option=orjson.OPT_UTC_Z) + b"\n"

    whole_file(target, lines())
    return count


class _Writer:
    """Writes tables of one snapshot into a run folder, each whole or absent."""

    def __init__(self, run: Path, asked: Mapping[str, Any], moment: Moment, overwrite: bool) -> None:
        self.run = run
        self.asked = asked
        self.inputs = moment.as_inputs()
        self.source = hash_of_source(["judgments"])
        self.overwrite = overwrite

    def refuse(self, tables: Iterable[str]) -> None:
        """An error, before anything is written, where a table is there that must not be replaced."""
        for table in tables:
            exists = (self.run / table).exists() or made_by_file(self.run, table).exists()
            if exists and not self.overwrite and not self._is_same(table):
                raise TargetTaken(
                    f"{self.run / table} is of another moment, or not of this store. Choose another --out, or replace "
                    "it with --overwrite."
                )

    def write(self, table: str, buckets: int, rows: Rows) -> int:
        """Write one table."""
        if self._is_same(table):
            return int(read_made_by(self.run, table)["rows"])
        made_by = self._made_by(table, buckets)
        target = self.run / table
        unfinished = unfinished_name(target)
        unfinished.mkdir()
        try:
            count = sum(self._part(table, unfinished, bucket, buckets, rows(bucket)) for bucket in range(buckets))
            made_by_file(self.run, table).unlink(missing_ok=True)  # from here on the old table is no table
            if target.exists():
                shutil.rmtree(target)
            unfinished.rename(target)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
        said = {**asdict(made_by), "signature": made_by.signature, "rows": count}
        write_text(made_by_file(self.run, table), json.dumps(said, indent=2, sort_keys=True) + "\n")
        return count

    def _part(self, table: str, folder: Path, bucket: int, buckets: int, rows: Sequence[Any]) -> int:
        noun = NOUNS[table]
        ordered = sorted(rows, key=lambda row: tuple(getattr(row, name) for name in noun.KEY))
        assert all(bucket_of(getattr(row, noun.KEY[0]), buckets) == bucket for row in ordered)
        write_part(check(from_rows(ordered, row_schema(noun)), noun), folder / f"part-{bucket:02d}.parquet")
        return len(ordered)

    def _is_same(self, table: str) -> bool:
        if not made_by_file(self.run, table).is_file():
            return False
        before = read_made_by(self.run, table)
        return bool(before.get("signature") == self._made_by(table, int(before.get("buckets", 1))).signature)

    def _made_by(self, table: str, buckets: int) -> MadeBy:
        return MadeBy(
            step=f"annotate export: {table}",
            options=self.asked,
            inputs=self.inputs,
            weights={},
            source=self.source,
            paraloom=paraloom_version(),
            buckets=buckets,
        )
