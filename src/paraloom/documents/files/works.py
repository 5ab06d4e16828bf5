"""A table of files in, what each is a version of out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from paraloom.documents.pages import rows_of
from paraloom.errors import InputError

_COMPRESSIONS = (".gz", ".zst", ".zstd")


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

        >>> works = Works({"storm/fi.srt": Work("storm"), "fi": Work("all the others")})
        >>> works.of("fi.srt", ("films", "storm")).work, works.of("fi.srt", ("films", "rain")).work
        ('storm', 'all the others')
        """
        for first in range(len(folders) + 1):
            above = "".join(f"{folder}/" for folder in folders[first:])
            for name in _names(file):
                if found := self.by_file.get(above + name) or (not first and self.by_end.get(above + name)):
                    return found
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


def _by_end(found: Mapping[str, Work]) -> dict[str, Work]:
    """Works by what follows the first folders of a file's name, left out where files of several works end so.

    >>> sorted(_by_end({"films/rain/a.srt": Work("Rain"), "films/wind/a.srt": Work("Wind")}))
    ['rain/a.srt', 'wind/a.srt']
    """
    ends: dict[str, set[Work]] = {}
    for name, work in found.items():
        parts = name.split("/")
        for first in range(1, len(parts)):
            ends.setdefault("/".join(parts[first:]), set()).add(work)
    return {end: works.pop() for end, works in ends.items() if len(works) == 1}


def _text(value: object) -> str | None:
    return str(value).strip() or None if isinstance(value, str | int) else None
