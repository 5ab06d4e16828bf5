"""Folders of static files in, an application out that serves them under addresses that change with their content."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, quote

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from paraloom.errors import InputError

__all__ = ["Asset", "Assets"]

STATIC = Path(__file__).parent / "static"
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".gif": "image/gif",
    ".ico": "image/x-icon",
    ".jpg": "image/jpeg",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".license": "text/plain; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
_COMPRESSED_ALREADY = frozenset({".gif", ".jpg", ".png", ".webp", ".woff2"})
FOR_A_YEAR = "public, max-age=31536000, immutable"
ASK_EACH_TIME = "no-cache"


@dataclass(frozen=True, slots=True)
class Asset:
    """One static file, as it was when the service started."""

    name: str
    kind: str
    body: bytes
    gzipped: bytes | None
    version: str


class Assets:
    """The static files of `paraloom.web` and of the folders given; where two share a name, the later folder wins.

    Files are read once, at the start: a request looks a name up among them and never touches the disk, so no path leads
    out of the folders. Mount it: `app.mount("/static", assets)`.
    """

    def __init__(self, folders: Iterable[Path] = (), at: str = "/static") -> None:
        self.at = at.rstrip("/")
        self.files: dict[str, Asset] = {}
        for folder in (STATIC, *folders):
            if not folder.is_dir():
                raise InputError(f"{folder} is not a folder, so no static files can be served from it.")
            self.files.update((asset.name, asset) for asset in _read_folder(folder))

    def url(self, name: str) -> str:
        """The address of a file; it changes with the file's content, so that browsers may keep it for a year."""
        if name not in self.files:
            raise InputError(f"There is no static file {name!r}; there are: {', '.join(sorted(self.files))}.")
        return f"{self.at}/{quote(name)}?v={self.files[name].version}"

    def response(
        self, name: str, *, version: str = "", headers: Headers | None = None, head_only: bool = False
    ) -> Response:
        """The answer to a request for the file: whole, 304 where the browser has it, or 404."""
        asset = self.files.get(name)
        if asset is None:
            return PlainTextResponse("There is no such file.\n", status_code=404)
        headers = headers or Headers()
        answer = {
            "cache-control": FOR_A_YEAR if version == asset.version else ASK_EACH_TIME,
            "etag": f'"{asset.version}"',
            "vary": "accept-encoding",
        }
        if asset.version in headers.get("if-none-match", ""):
            return Response(status_code=304, headers=answer)
        body = asset.body
        if asset.gzipped is not None and "gzip" in headers.get("accept-encoding", ""):
            body = asset.gzipped
            answer["content-encoding"] = "gzip"
        answer["content-length"] = str(len(body))
        return Response(b"" if head_only else body, headers=answer, media_type=asset.kind)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        if scope["method"] not in ("GET", "HEAD"):
            answer: Response = PlainTextResponse("Read only.\n", status_code=405, headers={"allow": "GET, HEAD"})
        else:
            name = scope["path"].removeprefix(scope.get("root_path", "")).removeprefix(self.at).lstrip("/")
            version = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("v", [""])[0]
            headers, head_only = Headers(scope=scope), scope["method"] == "HEAD"
            answer = self.response(name, version=version, headers=headers, head_only=head_only)
        await answer(scope, receive, send)


def _read_folder(folder: Path) -> Iterable[Asset]:
    root = folder.resolve()
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root)
        hidden = any(part.startswith(".") for part in name.parts)
        if path.is_file() and not hidden and path.resolve().is_relative_to(root):
            yield _read(path, name.as_posix())


def _read(path: Path, name: str) -> Asset:
    body = path.read_bytes()
    suffix = path.suffix.lower()
    smaller = None if suffix in _COMPRESSED_ALREADY else gzip.compress(body, mtime=0)
    return Asset(
        name=name,
        kind=TYPES.get(suffix, "application/octet-stream"),
        body=body,
        gzipped=smaller if smaller is not None and len(smaller) < len(body) else None,
        version=hashlib.blake2b(body, digest_size=8).hexdigest(),
    )
