"""A name that is nothing here is refused at once; where the hub may be asked, a model is fetched from it as it is."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import numpy as np
import pytest

from paraloom.engine.signatures import hash_of_file
from paraloom.errors import InputError
from paraloom.models.embedders import load_embedder, weight_files

COMMIT = "a" * 40


class Hub(ThreadingHTTPServer):
    """A hub with the models that lie in a folder, by owner and name; it notes what it is asked."""

    models: Path
    asked: list[str]

    def files(self, name: str) -> dict[str, Path]:
        folder = self.models / name
        return {file.relative_to(folder).as_posix(): file for file in sorted(folder.rglob("*")) if file.is_file()}


class Answers(BaseHTTPRequestHandler):
    """What the hub's library asks for: a model's commit, the list of its files, and the files."""

    server: Hub

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        self.server.asked.append(path)
        api = re.fullmatch(r"/api/models/([^/]+/[^/]+)(/revision/main|/tree/.*)?", path)
        resolved = re.fullmatch(r"/([^/]+/[^/]+)/resolve/[^/]+/(.+)", path)
        if api and (files := self.server.files(api[1])):
            listed = [
                {"type": "file", "path": name, "size": file.stat().st_size, "oid": hash_of_file(file)}
                for name, file in files.items()
            ]
            about = {"id": api[1], "sha": COMMIT, "siblings": [{"rfilename": name} for name in files]}
            self._send(json.dumps(listed if (api[2] or "").startswith("/tree") else about).encode())
        elif resolved and (file := self.server.files(resolved[1]).get(resolved[2])):
            self._send(file.read_bytes(), etag=hash_of_file(file))
        else:
            self.send_response(404)
            self.send_header("X-Error-Code", "RepoNotFound")
            self.send_header("Content-Length", "0")
            self.end_headers()

    do_HEAD = do_GET

    def _send(self, body: bytes, etag: str = "") -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        if etag:
            self.send_header("ETag", f'"{etag}"')
            self.send_header("X-Repo-Commit", COMMIT)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nobody reads it."""


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hub]:
    """A hub on this machine, asked instead of the real one."""
    from huggingface_hub import constants

    server = Hub(("127.0.0.1", 0), Answers)
    server.models, server.asked = tmp_path / "models", []
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    place, cache = f"http://127.0.0.1:{server.server_address[1]}", tmp_path / "cache"
    monkeypatch.setenv("HF_ENDPOINT", place)
    monkeypatch.setenv("HF_HUB_CACHE", str(cache))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    for name, value in (  # what the library has read when it was imported
        ("ENDPOINT", place),
        ("HUGGINGFACE_CO_URL_TEMPLATE", place + "/{repo_id}/resolve/{revision}/{filename}"),
        ("HF_HUB_CACHE", str(cache)),
        ("HF_HUB_OFFLINE", False),
    ):
        monkeypatch.setattr(constants, name, value)
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


MISTYPED = [("fsat", "Did you mean fast"), ("gte-smal", "Did you mean gte-small"), ("zebra", "Choose one of: fast")]


@pytest.mark.parametrize(("name", "told"), MISTYPED)
def test_a_mistyped_name_is_refused_and_nobody_is_asked(name: str, told: str, hub: Hub) -> None:
    for load in (load_embedder, weight_files):
        with pytest.raises(InputError, match=told):
            load(name)
    assert hub.asked == []


def test_a_model_of_the_hub_is_not_asked_for_unless_it_is_said_so(hub: Hub) -> None:
    for load in (load_embedder, weight_files):
        with pytest.raises(InputError, match=r"only with --hub \(hub=True\)"):
            load("owner/model")
    assert hub.asked == []


def test_a_hub_that_does_not_answer_is_asked_once(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:1")
    with pytest.raises(InputError, match=r"does not answer.*Did you mean gte-small\?"):
        load_embedder("thenlpr/gte-smal", hub=True)
    with pytest.raises(InputError, match="does not answer"):
        load_embedder("zebra", hub=True)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(InputError, match="HF_HUB_OFFLINE"):
        load_embedder("owner/model", hub=True)


def test_what_the_hub_does_not_have_is_said(hub: Hub) -> None:
    with pytest.raises(InputError, match="the model hub gave no model of that name"):
        load_embedder("owner/model", hub=True)
    assert hub.asked[0] == "/api/models/owner/model"


@pytest.mark.parametrize("pickled", [False, True])
def test_a_model_is_fetched_whole_once_and_found_without_the_hub(
    hub: Hub, tiny_transformer: Callable[[str], Path], pickled: bool
) -> None:
    folder = hub.models / "owner" / "model"
    shutil.copytree(tiny_transformer("bert"), folder)
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_cls_token": True}))
    (folder / "onnx").mkdir()
    (folder / "onnx" / "model.json").write_text("{}")
    (folder / "pytorch_model.bin").write_bytes(b"not needed where there is another")
    if pickled:
        import torch
        from safetensors.torch import load_file

        torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
        (folder / "model.safetensors").unlink()
    fetched = load_embedder("owner/model", hub=True)
    assert "|pooling:cls" in fetched.signature
    assert np.array_equal(fetched.embed(["the storm"]), load_embedder(folder).embed(["the storm"]))
    resolved = {path.partition("/resolve/")[2].partition("/")[2] for path in hub.asked if "/resolve/" in path}
    assert ("pytorch_model.bin" in resolved) == pickled
    assert "onnx/model.json" not in resolved
    hub.asked.clear()
    assert np.array_equal(load_embedder("owner/model").embed(["the storm"]), fetched.embed(["the storm"]))
    assert "1_Pooling/config.json" in weight_files("owner/model")
    assert hub.asked == []
