"""The folder of a run in, the pairs of its corpus with their labels out, part by part.

The corpus is read where it was made, else the pairs; what was left out of them is left out here. Labels of other
definitions lie in the table of labels, which has the same order: the two are gone through side by side.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from paraloom.corpus.assemble import grade_of_sides
from paraloom.corpus.given_pairs import GivenPair
from paraloom.corpus.label_counts import told_label
from paraloom.engine.store import made_by_file, read_parts
from paraloom.errors import NotMade


def is_run(folder: Path) -> bool:
    """Whether a folder holds the pairs of a run."""
    return any(made_by_file(folder, table).is_file() for table in ("corpus", "pairs"))


@dataclass(slots=True, kw_only=True)
class PairsOfRun:
    """The pairs of one run."""

    run: Path
    name: str
    _dropped: int = field(init=False, default=0, repr=False)
    _kinds: dict[str, str] | None = field(init=False, default=None, repr=False)

    def __post_init__(self) -> None:
        if not is_run(self.run):
            raise NotMade(
                f"{self.run} holds no pairs of a run. Give a file of pairs, or the --out of `paraloom build` or "
                "`paraloom align`."
            )

    @property
    def _table(self) -> str:
        return "corpus" if made_by_file(self.run, "corpus").is_file() else "pairs"

    def __iter__(self) -> Iterator[GivenPair]:
        self._dropped = 0
        kinds = self._kinds = self._kinds or _kinds_of_groups(self.run)
        columns = ["pair_id", "group_id", "right_id", "left", "right", "dropped_for"]
        columns += ["grade", "is_paraphrase"] if self._table == "corpus" else []
        labels = _Labels(self.run)
        for row in _rows(self.run, self._table, columns):
            if row["dropped_for"] is not None:
                self._dropped += 1
                continue
            label = labels.of(row["pair_id"], row["right_id"])  # asked for each pair: both tables are gone through
            told = (row.get("grade"), label, row.get("is_paraphrase"))
            known = next((one for one in told if one is not None), None)
            yield GivenPair(row["left"], row["right"], told_label(known), kinds.get(row["group_id"]))

    def notes(self) -> list[str]:
        """Which table was read, and what was left out there."""
        dropped = f"; {self._dropped:,} rows that were left out there are left out here" if self._dropped else ""
        return [f"{self.name}: the table {self._table} of the run{dropped}."]


class _Labels:
    """Grades, or failing them yes and no, asked for in the order of pairs."""

    def __init__(self, run: Path) -> None:
        there = made_by_file(run, "labels").is_file()
        self._rows = _rows(run, "labels", ["pair_id", "grade", "is_paraphrase", "left_id"]) if there else iter(())
        self._next = next(self._rows, None)

    def of(self, pair_id: str, right_id: str) -> Any:
        """The label of a pair; None where it has none. A grade of any definition comes before yes and no."""
        found = None
        while self._next is not None and self._next["pair_id"] <= pair_id:
            if self._next["pair_id"] == pair_id:
                answers = (
                    found if isinstance(found, str) else None,
                    grade_of_sides(self._next["grade"], self._next["left_id"], right_id),
                    found,
                    self._next["is_paraphrase"],
                )
                found = next((answer for answer in answers if answer is not None), None)
            self._next = next(self._rows, None)
        return found


def _rows(run: Path, table: str, columns: list[str]) -> Iterator[dict[str, Any]]:
    for part in read_parts(run, table, columns):
        for batch in part.to_batches(max_chunksize=1 << 14):
            yield from batch.to_pylist()


def _kinds_of_groups(run: Path) -> dict[str, str]:
    """Of what kind the documents of each group are: posts, subtitles, articles …"""
    import pyarrow as pa

    if not all(made_by_file(run, table).is_file() for table in ("documents", "groups")):
        return {}
    documents = pa.concat_tables(list(read_parts(run, "documents", ["document_id", "kind"])))
    groups = pa.concat_tables(list(read_parts(run, "groups", ["group_id", "document_id"])))
    joined = groups.join(documents, "document_id", join_type="inner")
    kinds = joined.group_by("group_id").aggregate([("kind", "min")])
    return dict(zip(kinds.column("group_id").to_pylist(), kinds.column("kind_min").to_pylist(), strict=True))
