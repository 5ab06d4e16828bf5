"""A file in, its bytes out as UTF-8 blocks: decompressed, recoded, without byte-order mark, in bounded memory."""

from __future__ import annotations

import codecs
import gzip
import io
import re
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from paraloom.errors import InputError

BLOCK = 1 << 20
"""How much is read from a plain file at once."""

_UNPACKED_BLOCK = 1 << 16
_ZSTD_BLOCK = 1 << 13  # a zstd frame may grow a thousandfold and more: little in keeps what comes out bounded
_MAGIC = {
    "gz": re.compile(rb"\x1f\x8b"),
    "zst": re.compile(rb"\x28\xb5\x2f\xfd"),
    "xz": re.compile(rb"\xfd7zXZ\x00"),
    "bz2": re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)", re.DOTALL),  # the latter is an empty file, packed
}
_ARCHIVES = {
    "zip archive": re.compile(rb"PK\x03\x04|PK\x05\x06"),
    "7z archive": re.compile(rb"7z\xbc\xaf\x27\x1c"),
    "rar archive": re.compile(rb"Rar!\x1a\x07"),
}
_LONGEST_MAGIC = 10
_GROWTH_BYTES = 8 << 20
"""So much of a compressed file is unpacked to see how much larger it becomes."""


class Stream:
    """The text bytes of one file. After the last block `broken` says whether the compressed data ended too early.

    Offsets are those of the decompressed bytes; of a UTF-16 file, those of its own bytes (`original`).
    """

    def __init__(self, path: str | Path, compression: str | None, encoding: str = "utf-8", start: int = 0) -> None:
        self.path = Path(path)
        self.compression = compression
        self.encoding = encoding
        self.start = start
        self.broken = False
        self.taken = 0
        """Bytes of a compressed file that were read so far."""
        self._unmapped = bytearray()  # recoded bytes whose place in the original is not yet asked for
        self._recoded_at = 0
        self._original_at = 0

    def __iter__(self) -> Iterator[bytes]:
        blocks = self._plain() if self.compression is None else self._decompressed()
        return blocks if self.encoding == "utf-8" else self._recoded(blocks)

    def original(self, offset: int) -> int:
        """Where in the file a recoded byte comes from; offsets are to be asked for in rising order."""
        if self.encoding == "utf-8":
            return offset
        length = offset - self._recoded_at
        passed = bytes(self._unmapped[:length])
        del self._unmapped[:length]
        self._recoded_at = offset
        self._original_at += len(passed.decode("utf-8", "surrogatepass").encode("utf-16-le", "surrogatepass"))
        return self.start + self._original_at

    def _plain(self) -> Iterator[bytes]:
        with self.path.open("rb") as file:
            file.seek(self.start)
            while block := file.read(BLOCK):
                yield block

    def _decompressed(self) -> Iterator[bytes]:
        with self.path.open("rb") as file:
            skip = self.start
            try:
                for block in _UNPACKED[self.compression or ""](file):
                    self.taken = file.tell()
                    yield block[skip:] if skip else block
                    skip = max(0, skip - len(block))
            except _Broken:
                self.broken = True

    def _recoded(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        decoder = codecs.getincrementaldecoder(self.encoding)("surrogatepass")
        for block in blocks:
            recoded = decoder.decode(block).encode("utf-8", "surrogatepass")
            self._unmapped += recoded
            yield recoded


class _Broken(Exception):
    """Compressed bytes end early or are not what they should be."""


def compression_of(path: Path) -> str | None:
    """`gz`, `zst`, `bz2`, `xz` or nothing, by the file's first bytes: what a file is called does not make it readable.

    An archive is an error: it may hold many files.
    """
    with path.open("rb") as file:
        first = file.read(_LONGEST_MAGIC)
    for kind, magic in _ARCHIVES.items():
        if magic.match(first):
            raise InputError(
                f"{path} is a {kind} (as .xlsx and .docx files are, too). Unpack it, and give what is in it."
            )
    return next((name for name, magic in _MAGIC.items() if magic.match(first)), None)


def growth_of(path: Path, compression: str | None) -> float:
    """How many times as large a file is when it is unpacked, by its beginning."""
    if compression is None:
        return 1.0
    stream, unpacked = Stream(path, compression), 0
    for block in stream:
        unpacked += len(block)
        if unpacked >= _GROWTH_BYTES:
            break
    return unpacked / stream.taken if unpacked and stream.taken else 1.0


def encoding_of(path: Path, compression: str | None) -> tuple[str, int]:
    """Encoding by the byte-order mark, and the mark's length; without one, zeros in every second byte tell UTF-16.

    One line in UTF-16 does not make the file so: what follows must not be readable as UTF-8.
    """
    head = head_of(path, compression, 1 << 16)
    if head.startswith(codecs.BOM_UTF8):
        return "utf-8", len(codecs.BOM_UTF8)
    if len(head) >= 4 and not _reads_as_utf8(head[len(head) // 2 :]):
        if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return ("utf-16-le" if head.startswith(codecs.BOM_UTF16_LE) else "utf-16-be"), 2
        if not any(head[1:16:2]) and all(head[0:16:2]):
            return "utf-16-le", 0
        if not any(head[0:16:2]) and all(head[1:16:2]):
            return "utf-16-be", 0
    return "utf-8", 0


def _reads_as_utf8(part: bytes) -> bool:
    return b"\x00" not in part and "\ufffd" not in part.decode("utf-8", "replace")[4:-4]


def head_of(path: Path, compression: str | None, length: int, encoding: str = "utf-8", start: int = 0) -> bytes:
    """The first bytes of the text, or fewer where the file ends or breaks before."""
    head = b""
    for block in Stream(path, compression, encoding, start):
        head += block
        if len(head) >= length:
            break
    return head[:length]


def _gunzipped(file: BinaryIO) -> Iterator[bytes]:
    return _read_from(gzip.GzipFile(fileobj=file), zlib.error)


def _unbzipped(file: BinaryIO) -> Iterator[bytes]:
    import bz2

    return _read_from(bz2.BZ2File(file), ValueError)


def _unxzipped(file: BinaryIO) -> Iterator[bytes]:
    import lzma

    return _read_from(lzma.LZMAFile(file), lzma.LZMAError)


def _read_from(reader: io.BufferedIOBase, damaged: type[Exception]) -> Iterator[bytes]:
    while True:
        try:
            block = reader.read1(_UNPACKED_BLOCK)
        except (EOFError, OSError, damaged) as error:
            raise _Broken from error
        if not block:
            return
        yield block


def _unzstandard(file: BinaryIO) -> Iterator[bytes]:
    import zstandard

    decompressor = zstandard.ZstdDecompressor()
    frame = decompressor.decompressobj()
    between_frames = True
    while compressed := file.read(_ZSTD_BLOCK):
        while compressed:
            if frame.eof:
                frame = decompressor.decompressobj()
            try:
                block = frame.decompress(compressed)
            except zstandard.ZstdError as error:
                raise _Broken from error
            compressed = frame.unused_data if frame.eof else b""
            between_frames = frame.eof
            if block:
                yield block
    if not between_frames:
        raise _Broken


_UNPACKED: dict[str, Callable[[BinaryIO], Iterator[bytes]]] = {
    "gz": _gunzipped,
    "zst": _unzstandard,
    "bz2": _unbzipped,
    "xz": _unxzipped,
}
