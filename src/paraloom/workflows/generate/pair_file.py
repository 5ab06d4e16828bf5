"""A written file of outputs in, a file of pairs out: each output beside its source, whole or absent.

It is put in its place before the file of outputs is. Should a kill come between the two, its hash, noted in the
unfinished folder, tells the next run that the file of pairs is its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.engine.given_lines import TextSource, jsonl_rows
from paraloom.engine.signatures import hash_of_file
from paraloom.workflows.generate.source_file import key_of
from paraloom.workflows.table_files import check_table_file, write_table_parts

if TYPE_CHECKING:
    import pyarrow as pa

ROWS_AT_ONCE = 4096
NOTE = "pairs.hash"
"""In the unfinished folder: the hash of the pairs that are put in their place."""


@dataclass(slots=True, kw_only=True)
class PairFile:
    """The pairs of one file of outputs."""

    target: Path
    generator: str
    rows: int = 0
    """How many have been written."""

    def check(self, out: Path, *, overwrite: bool) -> None:
        """Refuse a file that cannot or must not be written."""
        check_table_file(
            self.target, [], "pairs", overwrite=overwrite or self._is_own(_unfinished(out)), option="--as-pairs"
        )

    def write(self, outputs: Path, folder: Path, repeated: frozenset[int]) -> None:
        """Write the pairs of a file of outputs; those of a source that comes again, once."""
        place = self.target.resolve()
        staged = place.with_name(f".unfinished-{place.name}")
        try:
            written = write_table_parts(self._parts(outputs, repeated), _schema(), staged)
            (folder / NOTE).write_text(written, encoding="ascii")
            staged.replace(place)
        finally:
            staged.unlink(missing_ok=True)

    def _is_own(self, folder: Path) -> bool:
        note = folder / NOTE
        if not note.is_file() or not self.target.is_file():
            return False
        return note.read_text(encoding="ascii") == hash_of_file(self.target)

    def _parts(self, outputs: Path, repeated: frozenset[int]) -> Iterator[pa.Table]:
        import pyarrow as pa

        rows: list[tuple[str, str, float, str, str | None]] = []
        met: set[int] = set()
        for row in jsonl_rows(TextSource.open(outputs)):
            if row.trouble:
                continue  # a line of ours that nobody can read back: a source of 16 MB, which has no outputs
            source = row.values["source"]
            if repeated and (key := key_of(source)) in repeated:
                if key in met:
                    continue
                met.add(key)
            rows += [
                (
                    _written(source),
                    _written(output["text"]),
                    float(output["score"]),
                    self.generator,
                    output.get("refused_for"),
                )
                for output in row.values["outputs"]
            ]
            if len(rows) >= ROWS_AT_ONCE:
                self.rows += len(rows)
                yield pa.Table.from_arrays([list(column) for column in zip(*rows, strict=True)], schema=_schema())
                rows = []
        self.rows += len(rows)
        columns = [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in _schema()]
        yield pa.Table.from_arrays(columns, schema=_schema())


def _unfinished(out: Path) -> Path:
    target = out.resolve()
    return target.with_name(f".{target.name}.unfinished")


def _written(text: str) -> str:
    return text.encode("utf-8", "replace").decode()  # half a surrogate pair has no bytes


def _schema() -> pa.Schema:
    import pyarrow as pa

    return pa.schema(
        [
            ("left", pa.string()),
            ("right", pa.string()),
            ("generator_score", pa.float64()),
            ("generator", pa.string()),
            ("refused_for", pa.string()),
        ]
    )
