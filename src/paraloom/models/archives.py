"""An archive in, the data files of one of its folders out, written below a folder of ours and nowhere else."""

from __future__ import annotations

import shutil
import stat
import tarfile
import zipfile
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO

from paraloom.errors import InputError

DATA = frozenset({".json", ".txt", ".safetensors", ".model", ".pt", ".md", ".zip"})
"""Endings of the files that are taken where none are named."""

BLOCK = 1 << 22


Member = tuple[str, bool, Callable[[], IO[bytes]]]
"""One file of an archive: its name, whether it is a plain file, and what opens it."""


def unpack(archive: Path, inside: str, folder: Path, only: Collection[str] = ()) -> None:
    """The data files below one folder of a zip or tar file (`.tgz`), or those named, written below `folder`."""
    folder.mkdir(parents=True)
    try:
        for name, is_plain, opened in _tar_files(archive) if archive.suffix == ".tgz" else _zip_files(archive):
            within = PurePosixPath(name.removeprefix(inside))
            if not name.startswith(inside) or (str(within) not in only if only else within.suffix not in DATA):
                continue
            if within.is_absolute() or ".." in within.parts or "\\" in name or not is_plain:
                raise InputError(f"{archive.name} holds {name!r}, which would be written elsewhere. It is not used.")
            target = folder / within
            target.parent.mkdir(parents=True, exist_ok=True)
            with opened() as source, target.open("wb") as out:
                shutil.copyfileobj(source, out, BLOCK)
    except zipfile.BadZipFile as error:
        raise InputError(f"{archive.name} is not a zip file that can be read: {error}.") from error
    except (tarfile.TarError, EOFError) as error:
        raise InputError(f"{archive.name} is not a tar file that can be read: {error}.") from error


def _zip_files(archive: Path) -> Iterator[Member]:
    with zipfile.ZipFile(archive) as opened:
        for member in opened.infolist():
            if not member.is_dir():
                yield member.filename, not stat.S_ISLNK(member.external_attr >> 16), partial(opened.open, member)


def _tar_files(archive: Path) -> Iterator[Member]:
    with tarfile.open(archive, "r:gz") as opened:
        for member in opened:
            if not member.isdir():
                yield member.name, member.isreg(), partial(_content, opened, member)


def _content(opened: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes]:
    content = opened.extractfile(member)
    assert content is not None, "only plain files are opened"
    return content


def join(archives: Sequence[Path], joined: Path) -> None:
    """The parts of one zip file (`….zip.001` …), each inside an archive, written one after the other."""
    parts = []
    for archive in archives:
        with zipfile.ZipFile(archive) as opened:
            parts += [(name.rpartition(".")[2], archive, name) for name in opened.namelist() if ".zip." in name]
    with joined.open("wb") as whole:
        for _, archive, name in sorted(parts):
            with zipfile.ZipFile(archive) as opened, opened.open(name) as part:
                shutil.copyfileobj(part, whole, BLOCK)
