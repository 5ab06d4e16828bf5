"""Files of posts in; malformed variants of them are read and decoded, and what was lost or broke is counted.

    python benchmarks/fuzz.py [FILE...] [--inputs 10000] [--seed 1]

An input is a dozen rows of the files, written as JSON lines, a JSON list, a wrapped list, CSV, TSV or a raw day,
then damaged in one to four places: bytes flipped, cut out, put in, rows doubled, removed, recoded, nested, retyped.
A row is untouched if no damage reached it or the separators beside it. Every untouched row must come out with the
same values as from the sound file (but for its offset), nothing may raise, and there must be a row for every record.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import io
import json
import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import zstandard

from paraloom import sample
from paraloom.documents.decode import decode
from paraloom.engine import foreign, foreign_files

ROWS_OF_AN_INPUT = 12
_STRUCTURE = b'"{}[],:\\\n\r\t();\x00\xff\xfe\xef\xbb\xbf <&'


@dataclass(frozen=True)
class Row:
    """One good record of a source file, and the header it stood under."""

    raw: bytes
    context: bytes | None


@dataclass
class Sound:
    """A file as it should be: pieces of bytes, and which row each is (None for separators and headers)."""

    ending: str
    pieces: list[tuple[bytes, int | None]]
    depends: dict[int, set[int]] = field(default_factory=dict)
    """Rows that change when a piece that is no row (by its place in the list) is damaged."""

    def whole(self) -> bytes:
        return b"".join(piece for piece, _ in self.pieces)


@dataclass
class Damage:
    """Bytes `start` to `end` of the sound file are replaced."""

    start: int
    end: int
    by: bytes


@dataclass
class Count:
    """What was seen."""

    inputs: int = 0
    rows_in: int = 0
    rows_out: int = 0
    untouched: int = 0
    lost: list[str] = field(default_factory=list)
    crashes: list[str] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, str] = (0.0, "")


def as_lines(rows: Sequence[Row], ending: bytes = b"\n") -> Sound:
    pieces: list[tuple[bytes, int | None]] = []
    for number, row in enumerate(rows):
        pieces += [(row.raw, number), (ending, None)]
    return Sound(".jsonl", pieces)


def as_windows_lines(rows: Sequence[Row]) -> Sound:
    return as_lines(rows, b"\r\n")


def with_mixed_ends(sound: Sound) -> Sound:
    """Every other line ends as on Windows, as where files of several machines were joined."""
    pieces: list[tuple[bytes, int | None]] = []
    for piece, row in sound.pieces:
        is_end = piece == b"\n" and len(pieces) % 4 > 1
        pieces.append((b"\r\n" if is_end else piece, row))
    return Sound(sound.ending, pieces, sound.depends)


def as_mixed_lines(rows: Sequence[Row]) -> Sound:
    return with_mixed_ends(as_lines(rows))


def as_mixed_csv(rows: Sequence[Row]) -> Sound:
    return with_mixed_ends(as_csv(rows))


def as_list(rows: Sequence[Row], front: bytes = b"[", between: bytes = b",", behind: bytes = b"]") -> Sound:
    pieces: list[tuple[bytes, int | None]] = [(front, None)]
    for number, row in enumerate(rows):
        pieces += [(between, None)] if number else []
        pieces.append((row.raw, number))
    return Sound(".json", [*pieces, (behind, None)])


def as_pretty_list(rows: Sequence[Row]) -> Sound:
    return as_list(rows, b"[\n  ", b",\n  ", b"\n]\n")


def as_wrapped_list(rows: Sequence[Row]) -> Sound:
    sound = as_list(rows, b": [", b", ", b'], "next": null}')
    # The key is what says that this is a list of posts.
    front: list[tuple[bytes, int | None]] = [(b'{"meta": {"count": 12}, ', None), (b'"posts"', None)]
    return Sound(sound.ending, front + sound.pieces, {1: set(range(len(rows)))})


def as_table(rows: Sequence[Row], delimiter: str, ending: str) -> Sound:
    objects = [orjson.loads(row.raw) for row in rows]
    names = sorted({name for each in objects for name, value in each.items() if isinstance(value, (str, int))})
    pieces: list[tuple[bytes, int | None]] = [(_record(names, delimiter), None)]
    for number, each in enumerate(objects):
        cells = [str(each.get(name, "")) for name in names]
        pieces += [(_record(cells, delimiter)[:-1], number), (b"\n", None)]
    return Sound(ending, pieces, {0: set(range(len(rows)))})


def _record(cells: Sequence[str], delimiter: str) -> bytes:
    if delimiter == "\t":
        return ("\t".join(" ".join(cell.split()) for cell in cells) + "\n").encode()
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(cells)
    return out.getvalue().encode()


def as_csv(rows: Sequence[Row]) -> Sound:
    return as_table(rows, ",", ".csv")


def as_tsv(rows: Sequence[Row]) -> Sound:
    return as_table(rows, "\t", ".tsv")


def as_raw_day(rows: Sequence[Row]) -> Sound:
    pieces: list[tuple[bytes, int | None]] = []
    depends: dict[int, set[int]] = {}
    header, place = None, -1
    for number, row in enumerate(rows):
        if row.context != header or not pieces:
            header, place = row.context, len(pieces)
            pieces += [(row.context or b"(someone,NO.1,Set size:1,https://t.co/x)", None), (b"\n", None)]
            depends[place], depends[place + 1] = set(), set()
        depends[place].add(number)
        depends[place + 1].add(number)
        pieces += [(row.raw, number), (b"\n", None)]
    return Sound(".json", pieces, depends)


WRITERS: dict[str, Callable[[Sequence[Row]], Sound]] = {
    "lines": as_lines,
    "windows lines": as_windows_lines,
    "mixed lines": as_mixed_lines,
    "mixed csv": as_mixed_csv,
    "list": as_list,
    "pretty list": as_pretty_list,
    "wrapped list": as_wrapped_list,
    "csv": as_csv,
    "tsv": as_tsv,
}


def damages(sound: Sound, chance: random.Random) -> list[Damage]:
    """One to four damages that do not overlap, in the sound file's own coordinates."""
    length = len(sound.whole())
    wanted = [chance.choice(DAMAGES)(sound, length, chance) for _ in range(chance.choice((1, 1, 1, 2, 3, 4)))]
    kept: list[Damage] = []
    for damage in sorted(wanted, key=lambda each: (each.start, each.end)):
        if not kept or damage.start > kept[-1].end:
            kept.append(damage)
    return kept


def flipped(sound: Sound, length: int, chance: random.Random) -> Damage:
    at = chance.randrange(length)
    return Damage(at, at + 1, bytes([sound.whole()[at] ^ 1 << chance.randrange(8)]))


def cut_out(sound: Sound, length: int, chance: random.Random) -> Damage:
    at = chance.randrange(length)
    return Damage(at, min(length, at + chance.choice((1, 1, 2, 5, 30, 300))), b"")


def cut_off(sound: Sound, length: int, chance: random.Random) -> Damage:
    return Damage(chance.randrange(length), length, b"")


def structure_put_in(sound: Sound, length: int, chance: random.Random) -> Damage:
    at = chance.randrange(length + 1)
    return Damage(at, at, bytes(chance.choice(_STRUCTURE) for _ in range(chance.choice((1, 1, 1, 2, 4)))))


def noise_put_in(sound: Sound, length: int, chance: random.Random) -> Damage:
    at = chance.randrange(length + 1)
    return Damage(at, at, chance.randbytes(chance.choice((1, 4, 40, 400))))


def replaced_by_structure(sound: Sound, length: int, chance: random.Random) -> Damage:
    at = chance.randrange(length)
    return Damage(at, at + 1, bytes([chance.choice(_STRUCTURE)]))


def row_changed(sound: Sound, length: int, chance: random.Random) -> Damage:
    """A whole row doubled, removed, recoded, nested, or with another type in one of its fields."""
    places = []
    at = 0
    for piece, row in sound.pieces:
        if row is not None:
            places.append((at, piece))
        at += len(piece)
    start, raw = chance.choice(places)
    return Damage(start, start + len(raw), chance.choice(CHANGES)(raw, chance))


def _doubled(raw: bytes, chance: random.Random) -> bytes:
    return raw + chance.choice((b"", b",", b"\n")) + raw


def _removed(raw: bytes, chance: random.Random) -> bytes:
    return b""


def _recoded(raw: bytes, chance: random.Random) -> bytes:
    return raw.decode().encode(chance.choice(("latin-1", "utf-16", "utf-16-le", "cp1252", "utf-7")), "replace")


def _nested(raw: bytes, chance: random.Random) -> bytes:
    depth = chance.choice((10, 2000, 50_000))
    front, behind = chance.choice(((b"[", b"]"), (b'{"text":', b"}"), (b'[{"a":', b"}]")))
    return front * depth + raw + behind * depth


def _unclosed(raw: bytes, chance: random.Random) -> bytes:
    return chance.choice((b"[", b"{", b'{"text":"', b'[{"a":')) * chance.choice((1, 3, 3000))


def _retyped(raw: bytes, chance: random.Random) -> bytes:
    try:
        record = json.loads(raw)
    except ValueError:
        return raw[::-1]
    name = chance.choice(list(record))
    record[name] = chance.choice(ODD_VALUES)
    if chance.random() < 0.3:
        del record[chance.choice(list(record))]
    return json.dumps(record).encode()


ODD_VALUES: list[Any] = [
    None, True, 0, -1, 10**30, 1e308, float("nan"), float("inf"), "", " ", "\x00", "\ud83d", "NaN", "2999-01-01",
    "yesterday", [], {}, [None], [[]], {"a": {"b": []}}, "x" * 200_000, ["https://example.com"] * 300,
    "http://[::1", 'RT @a: "b', "\u202e",
]  # fmt: skip

CHANGES = (_doubled, _removed, _recoded, _nested, _unclosed, _retyped, _retyped, _retyped)
DAMAGES = (flipped, cut_out, cut_off, structure_put_in, noise_put_in, replaced_by_structure, row_changed, row_changed)


def untouched_rows(sound: Sound, done: Sequence[Damage]) -> set[int]:
    """Rows that no damage reached, nor what stands right beside them, nor the header they depend on."""
    bounds = []
    at = 0
    for piece, _ in sound.pieces:
        bounds.append((at, at + len(piece)))
        at += len(piece)
    hit = {
        place
        for place, (start, end) in enumerate(bounds)
        for damage in done
        if damage.start <= end and damage.end >= start
    }
    untouched = set()
    for place, (_, row) in enumerate(sound.pieces):
        if row is not None and not hit & {place - 1, place, place + 1}:
            untouched.add(row)
    for place in hit:
        untouched -= sound.depends.get(place, set())
    return untouched


def damaged(sound: Sound, done: Sequence[Damage]) -> bytes:
    data = sound.whole()
    for damage in reversed(done):
        data = data[: damage.start] + damage.by + data[damage.end :]
    return data


PACKED: dict[str, Callable[[bytes], bytes]] = {
    "": lambda data: data,
    ".gz": gzip.compress,
    ".zst": lambda data: zstandard.ZstdCompressor().compress(data),
}
MARKED: dict[str, Callable[[bytes], bytes]] = {
    "none": lambda data: data,
    "utf-8": lambda data: b"\xef\xbb\xbf" + data,
}


def read(path: Path) -> tuple[int, list[dict[str, Any]]]:
    """Number of records, and their documents."""
    tables = [table for chunk in foreign.plan([path]) for table in foreign.records(chunk)]
    documents = [decode(table) for table in tables]
    for table, decoded in zip(tables, documents, strict=True):
        if len(table) != len(decoded):
            raise AssertionError(f"{len(decoded)} documents of {len(table)} records")
    rows = pa.concat_tables(documents).to_pylist() if documents else []
    return sum(len(table) for table in tables), rows


def _values(document: dict[str, Any]) -> str:
    return repr({name: value for name, value in document.items() if name not in ("offset", "file")})


def try_one(rows: Sequence[Row], writer: str, folder: Path, chance: random.Random, count: Count) -> None:
    """One malformed input: written, read, and compared with what the sound file gives."""
    sound = as_raw_day(rows) if writer == "raw day" else WRITERS[writer](rows)
    path = folder / f"sound{sound.ending}"
    path.write_bytes(sound.whole())
    _, expected = read(path)
    done = damages(sound, chance)
    untouched = untouched_rows(sound, done)
    packing, marking = chance.choice(("", "", "", ".gz", ".zst")), chance.choice(("none", "none", "utf-8"))
    data = PACKED[packing](MARKED[marking](damaged(sound, done)))
    if packing and chance.random() < 0.3:  # damage to the compressed bytes: whatever is left must be read
        at = chance.randrange(len(data))
        data = data[:at] + chance.choice((b"", chance.randbytes(3) + data[at + 3 :]))
        untouched = set()
    path = folder / f"broken{sound.ending}{packing}"
    path.write_bytes(data)
    count.inputs += 1
    started = time.perf_counter()
    try:
        records, found = read(path)
    except Exception:  # noqa: BLE001 - whatever is raised is what is looked for
        count.crashes.append(f"{writer} {done!r:.300}\n{traceback.format_exc()}")
        _keep(path, f"crash{len(count.crashes)}")
        return
    count.slowest = max(count.slowest, (time.perf_counter() - started, f"{writer} {done!r:.200}"))
    count.rows_in += records
    count.rows_out += len(found)
    count.untouched += len(untouched)
    count.reasons.update(row["dropped_for"].split(" (")[0] for row in found if row["dropped_for"])
    have = Counter(_values(row) for row in found)
    missing = [expected[row] for row in untouched if not have[_values(expected[row])]]
    if missing:
        shown = f"{writer}{packing}: {len(missing)} of {len(untouched)} untouched rows lost by {done!r:.500}"
        count.lost.append(shown)
        _keep(path, f"lost{len(count.lost)}")


def _keep(path: Path, name: str) -> None:
    kept = Path(tempfile.gettempdir()) / "paraloom-fuzz"
    kept.mkdir(exist_ok=True)
    (kept / f"{name}{''.join(path.suffixes)}").write_bytes(path.read_bytes())


def rows_of(path: Path) -> Iterator[Row]:
    """The good records of a file that are JSON."""
    for chunk in foreign.plan([path]):
        for table in foreign.records(chunk):
            kept = decode(table).column("dropped_for").to_pylist()
            for raw, context, dropped in zip(
                table.column("raw").to_pylist(), table.column("context").to_pylist(), kept, strict=True
            ):
                if not (dropped or "").startswith("bad_row") and _is_json(raw):
                    yield Row(raw, context)


def _is_json(raw: bytes) -> bool:
    """Whether a record is JSON to the letter: one of the sample has a NaN, which a table cannot have."""
    try:
        return isinstance(orjson.loads(raw), dict)
    except orjson.JSONDecodeError:
        return False


def fuzz(files: Sequence[Path], inputs: int, seed: int) -> Count:
    """So many malformed inputs made of these files' rows."""
    chance = random.Random(seed)
    sources = [rows for path in files if (rows := list(rows_of(path)))]
    count = Count()
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(inputs):
            rows = chance.choice(sources)
            start = chance.randrange(max(1, len(rows) - ROWS_OF_AN_INPUT))
            taken = rows[start : start + ROWS_OF_AN_INPUT]
            is_raw_day = taken[0].context is not None and taken[0].context.startswith(b"(")
            writers = ["raw day", "raw day", "lines", "list"] if is_raw_day else list(WRITERS)
            try_one(taken, chance.choice(writers), Path(folder), chance, count)
    return count


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", default=[str(sample.posts())], help="posts to damage; default: the sample")
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    started = time.perf_counter()
    count = fuzz(foreign_files.expand([str(path) for path in given.files]), given.inputs, given.seed)
    for reason, rows in count.reasons.most_common():
        print(f"{rows:9,}  {reason}")
    for trouble in (*count.crashes[:5], *count.lost[:10]):
        print(trouble)
    print(
        f"{count.inputs:,} malformed inputs in {time.perf_counter() - started:.0f} s: {count.rows_in:,} records in, "
        f"{count.rows_out:,} documents out, {count.untouched:,} untouched rows, "
        f"{len(count.lost)} inputs that lost some, {len(count.crashes)} crashes; "
        f"the slowest took {count.slowest[0]:.2f} s."
    )
    return 1 if count.lost or count.crashes or count.rows_in != count.rows_out else 0


if __name__ == "__main__":
    sys.exit(main())
