"""An open file in, room on the disk for what will be laid into it out: a full disk is told now, and by an error.

A file that is laid out but not written takes no room, and who writes to it through memory is killed when there is none.
"""

from __future__ import annotations

import errno
import os
from typing import BinaryIO

NOT_SUPPORTED = (errno.EOPNOTSUPP, errno.EINVAL, errno.ENOSYS)
"""What file systems answer that cannot set room aside."""
BYTES_AT_ONCE = 1 << 20


def make_room(file: BinaryIO, start: int, count: int) -> None:
    """Take so many bytes of the disk for a file, from `start` on, where it ends: they are zeros.

    Where they cannot be set aside they are written, which tells a full disk as well.
    """
    file.flush()
    if not _set_aside(file, start, count):
        file.seek(start)
        for written in range(0, count, BYTES_AT_ONCE):
            file.write(bytes(min(BYTES_AT_ONCE, count - written)))
        file.flush()


def _set_aside(file: BinaryIO, start: int, count: int) -> bool:
    """Whether this system, which may be macOS, and this file system have done so."""
    if not hasattr(os, "posix_fallocate"):
        return False
    try:
        os.posix_fallocate(file.fileno(), start, count)
    except OSError as error:
        if error.errno in NOT_SUPPORTED:
            return False
        raise
    return True
