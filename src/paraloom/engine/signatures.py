"""What a table was made from goes in, its signature comes out; two signatures give the reasons they differ."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cache
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from io import FileIO
from pathlib import Path
from typing import Any

SHARED_SOURCE = ("tables.py", "graphs.py", "text", "metrics", "engine", "workflows")
"""Source that every stage's result may depend on, beside the stage's own."""
HASH_BYTES = 16
"""Of the content hash of a file."""

_NUMBER = re.compile(r"\Ainput/\d+/")
DECIDING_LIBRARIES = ("ftfy", "py3langid", "rapidfuzz", "simplemma")


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class MadeBy:
    """How a table was made: enough to know whether making it again would give the same rows."""

    step: str
    options: Mapping[str, Any]
    inputs: Mapping[str, str]
    """Signature of every input table, content hash of every input file."""
    weights: Mapping[str, str]
    """Content hash of every weight file used."""
    source: str
    """Hash of the source code of the stage and of what all stages share."""
    paraloom: str
    buckets: int
    libraries: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """Versions of the libraries whose data or rules decide texts, languages and scores."""

    @property
    def signature(self) -> str:
        """A short name for all of the above."""
        written = json.dumps(dataclasses.asdict(self), sort_keys=True, ensure_ascii=True)
        return blake2b(written.encode(), digest_size=8).hexdigest()

    def differences(self, before: Mapping[str, Any]) -> list[str]:
        """What is not as it was when the table `before` was made, in words."""
        return [f"{name} was {old!r}, is {new!r}" for name, (old, new) in self.changes(before).items()]

    def changes(self, before: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
        """The same by name (`options.threshold`, `inputs.pairs`, `source`): what it was, and what it is."""
        now = dataclasses.asdict(self)
        found: dict[str, tuple[Any, Any]] = {}
        for field, value in now.items():
            old = before.get(field)
            if old == value:
                continue
            if isinstance(value, Mapping) and isinstance(old, Mapping):
                value, old = _not_in(value, old), _not_in(old, value)
                for name in sorted({*value, *old}):
                    if value.get(name) != old.get(name):
                        found[f"{field}.{name}"] = (old.get(name), value.get(name))
            else:
                found[field] = (old, value)
        return found


def _not_in(these: Mapping[str, Any], those: Mapping[str, Any]) -> Mapping[str, Any]:
    """Without what is the same in both, be it an input file with another number: one that is added moves all behind it.

    >>> _not_in({"input/0/a.srt": "new", "input/1/b.srt": "old"}, {"input/0/b.srt": "old"})
    {'input/0/a.srt': 'new'}
    """
    known = {(_NUMBER.sub("input/", name), json.dumps(value)) for name, value in those.items()}
    return {
        name: value for name, value in these.items() if (_NUMBER.sub("input/", name), json.dumps(value)) not in known
    }


def plain_options(options: Any) -> dict[str, Any]:
    """An options dataclass, or several, or a mapping, as plain JSON values, so that it can stand in a signature."""
    if options is None:
        return {}
    if isinstance(options, Mapping):
        return {str(name): _plain(value) for name, value in options.items()}
    if isinstance(options, tuple):
        return {name: value for each in options for name, value in plain_options(each).items()}
    return {field.name: _plain(getattr(options, field.name)) for field in dataclasses.fields(options)}


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return plain_options(value)
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(name): _plain(inner) for name, inner in sorted(value.items())}
    if isinstance(value, (tuple, list)):
        return [_plain(inner) for inner in value]
    if isinstance(value, (set, frozenset)):
        return sorted(_plain(inner) for inner in value)
    return value


def hash_of_file(path: Path) -> str:
    """Content hash of one file."""
    digest = blake2b(digest_size=HASH_BYTES)
    with path.open("rb") as opened:
        while block := opened.read(1 << 22):
            digest.update(block)
    return digest.hexdigest()


class HashedFile(FileIO):
    """A file that is written from its beginning to its end; it need not be read again to know its content hash."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, "wb")
        self._digest = blake2b(digest_size=HASH_BYTES)

    def write(self, block: Any) -> int:
        """Write as much of the block as the system takes at once."""
        written = super().write(block)
        self._digest.update(memoryview(block)[:written])
        return written

    @property
    def hash(self) -> str:
        """What `hash_of_file` says of what was written so far."""
        return self._digest.hexdigest()


def hash_of_source(stages: Iterable[str]) -> str:
    """Hash of the source files of these stage packages and of what all stages share."""
    digest = blake2b(digest_size=16)
    for part in sorted({*stages, *SHARED_SOURCE}):
        digest.update(_source_of(part))
    return digest.hexdigest()


@cache
def _source_of(part: str) -> bytes:
    """Names and contents of the source files of a package or module, one after the other: a run asks at every step."""
    package = Path(__file__).resolve().parent.parent
    place = package / part
    files = [place] if place.is_file() else sorted(place.rglob("*.py"))
    return b"".join(str(file.relative_to(package)).encode() + file.read_bytes() for file in files)


def library_versions(more: Iterable[str] = ()) -> dict[str, str]:
    """Versions of the libraries whose data or rules decide texts, languages and scores, and of a step's own."""
    return {name: version(name) for name in (*DECIDING_LIBRARIES, *more)}


@cache
def paraloom_version() -> str:
    """The installed version, or `source` where the package runs from its source tree."""
    try:
        return version("paraloom")
    except PackageNotFoundError:
        return "source"
