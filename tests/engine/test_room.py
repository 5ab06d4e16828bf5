"""Room on the disk is taken before it is written to, also where it cannot be set aside."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from paraloom.engine import room
from paraloom.engine.room import make_room

HEAD = b"head"


def laid_out(file: Path, count: int) -> bytes:
    with file.open("wb") as opened:
        opened.write(HEAD)
        make_room(opened, len(HEAD), count)
    return file.read_bytes()


def answer(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def refuse(descriptor: int, start: int, count: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "posix_fallocate", refuse, raising=False)


@pytest.mark.parametrize("count", [1, 10, 11, 25])
@pytest.mark.parametrize("missing", ["", "absent", "EOPNOTSUPP", "EINVAL"])
def test_a_file_has_its_room_whatever_the_system_can_do(
    count: int, missing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "BYTES_AT_ONCE", 10)
    if missing == "absent":
        monkeypatch.delattr(os, "posix_fallocate", raising=False)
    elif missing:
        answer(monkeypatch, getattr(errno, missing))
    assert laid_out(tmp_path / "file", count) == HEAD + bytes(count)


def test_a_full_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, errno.ENOSPC)
    with pytest.raises(OSError, match="No space left"):
        laid_out(tmp_path / "file", 10)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")
def test_a_full_disk_is_told_where_room_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, errno.EOPNOTSUPP)
    with pytest.raises(OSError, match="No space left"), Path("/dev/full").open("wb", buffering=0) as full:
        make_room(full, 0, 10)  # type: ignore[arg-type]
