"""A table of files in, what each is a version of out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from paraloom.documents.pages import rows_of
from paraloom.errors import InputError
from paraloom.text.counted import counted

_COMPRESSIONS = (".gz", ".zst", ".zstd", ".bz2", ".xz")


@dataclass(frozen=True, slots=True)
class Work:
    """A film, a text that was translated, an exercise; and the series it is a part of."""

    work: str
    series: str | None = None


@dataclass(frozen=True, slots=True)
class Works:
    """Works by the file's name: with folders before it or not, with its ending or without."""

    by_file: Mapping[str, Work]
    by_end: Mapping[str, Work] = field(default_factory=dict)
    """The same by the ends of what the table calls files, where only one file ends so: a table may name more folders
    than one knows of a file."""

    def of(self, file: str, folders: Sequence[str] = ()) -> Work | None:
        """The work of a file in these folders; a row that names more of them goes first.

        >>> works = Works({"storm/fi.srt": Work("storm"), "fi": Work("rain")})
        >>> works.of("fi.srt", ("films", "storm")).work, works.of("fi.srt", ("films", "rain")).work
        ('storm', 'rain')
        """
        named = self._named(file, folders)
        return None if named is None else self.by_file.get(named) or self.by_end[named]

    def fitting(self, files: Iterable[tuple[str, Sequence[str]]]) -> dict[str, list[str]]:
        """By row of the table, the files in their folders that it speaks of, each once.

        >>> works = Works({"storm/fi.srt": Work("storm"), "fi": Work("rain")})
        >>> works.fitting([("fi.srt", ("wind",)), ("fi.srt", ("rain",))])
        {'storm/fi.srt': [], 'fi': ['rain/fi.srt', 'wind/fi.srt']}
        """
        found: dict[str, set[str]] = {row: set() for row in self.by_file}
        ending = _rows_by_end(self.by_file)
        for file, folders in files:
            named = self._named(file, folders)
            if named is not None:
                for row in (named,) if named in found else ending[named]:
                    found[row].add("/".join((*folders, file)))
        return {row: sorted(ways) for row, ways in found.items()}

    def _named(self, file: str, folders: Sequence[str]) -> str | None:
        """What the table calls a file in these folders, or how one of its rows ends."""
        for first in range(len(folders) + 1):
            above = "".join(f"{folder}/" for folder in folders[first:])
            for name in _names(file):
                if above + name in self.by_file or (not first and above + name in self.by_end):
                    return above + name
        return None


def _names(file: str) -> Iterable[str]:
    """A file's name as it is and without its endings."""
    path = Path(file)
    plain = path.with_suffix("") if path.suffix.lower() in _COMPRESSIONS else path
    return dict.fromkeys((path.name, plain.name, plain.stem))


def read_works(path: Path) -> Works:
    """The works of a table with the columns `file`, `work` and `series`."""
    found: dict[str, Work] = {}
    for row in rows_of(path):
        file, work, series = (_text(row.get(name)) for name in ("file", "work", "series"))
        if not file or not work:
            continue
        parts = PurePosixPath(file.replace("\\", "/").lstrip("/")).parts
        name = "/".join(parts)
        if found.setdefault(name, Work(work, series)) != Work(work, series):
            raise InputError(
                f"{path} says that {name} is a version of {found[name].work}, and of {work}. Leave one row for each "
                "file; files of the same name are told apart by the folder before it, as in FOLDER/FILE."
            )
    if not found:
        raise InputError(f"{path} has no row with a `file` and its `work`. Name its columns so, and `series` if any.")
    return Works(found, _by_end(found))


def check_works(path: Path, files: Iterable[tuple[str, Sequence[str]]]) -> tuple[str, ...]:
    """What is to be told of a table before these files, with their folders, are read: rows that speak of none of them.

    An error where a row speaks of files in several folders, for nobody knows which is meant, and where no row does of
    any: files have names like `fi.srt` in every folder.
    """
    fitting = read_works(path).fitting(files)
    for row, ways in fitting.items():
        if len({way.rpartition("/")[0] for way in ways}) > 1:
            shown = ", ".join((*ways[:2], *("…",) * (len(ways) > 2)))
            raise InputError(
                f"{path} names {row}, but there are {len(ways):,} files of that name in several folders: {shown}. "
                f"Give each a row with its folder, as in {ways[0]}."
            )
    unused = [row for row, ways in fitting.items() if not ways]
    if len(unused) == len(fitting):
        raise InputError(
            f"{path} speaks of none of the files that are to be read, but of {unused[0]}. Write in its column `file` "
            "how they are called, with folders before the name or without."
        )
    told = counted(len(unused), "row speaks", "rows speak")
    return (f"{path.name}: {told} of no file that was read, such as {unused[0]}.",) if unused else ()


def _rows_by_end(rows: Iterable[str]) -> dict[str, list[str]]:
    """Rows by what follows the first folders of a file's name."""
    ends: dict[str, list[str]] = {}
    for row in rows:
        parts = row.split("/")
        for first in range(1, len(parts)):
            ends.setdefault("/".join(parts[first:]), []).append(row)
    return ends


def _by_end(found: Mapping[str, Work]) -> dict[str, Work]:
    """Works by what follows the first folders of a file's name, left out where files of several works end so.

    >>> sorted(_by_end({"films/rain/a.srt": Work("Rain"), "films/wind/a.srt": Work("Wind")}))
    ['rain/a.srt', 'wind/a.srt']
    """
    ends = _rows_by_end(found)
    return {end: found[rows[0]] for end, rows in ends.items() if len({found[row] for row in rows}) == 1}


def _text(value: object) -> str | None:
    return str(value).strip() or None if isinstance(value, str | int) else None
