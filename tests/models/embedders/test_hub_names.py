"""A name that is no embedder is refused at once; the hub is asked once, and only for names that are its own."""

from __future__ import annotations

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from paraloom.errors import InputError
from paraloom.models.embedders import load_embedder, weight_files
from paraloom.models.embedders.hub_names import check_hub_answers

asked: list[str] = []


class Hub(BaseHTTPRequestHandler):
    """A hub that has no model."""

    def do_GET(self) -> None:
        asked.append(self.path)
        self.send_error(404)

    def log_message(self, format: str, *args: object) -> None:
        """Nobody reads it."""


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[HTTPServer]:
    """A hub on this machine, asked instead of the real one."""
    server = HTTPServer(("127.0.0.1", 0), Hub)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    asked.clear()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


MISTYPED = [("fsat", "Did you mean fast"), ("gte-smal", "Did you mean gte-small"), ("zebra", "Choose one of: fast")]


@pytest.mark.parametrize(("name", "told"), MISTYPED)
def test_a_mistyped_name_is_refused_and_nobody_is_asked(name: str, told: str, hub: HTTPServer) -> None:
    for load in (load_embedder, weight_files):
        with pytest.raises(InputError, match=told):
            load(name)
    assert asked == []


def test_a_hub_that_does_not_answer_is_asked_once(hub: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:1")
    with pytest.raises(InputError, match=r"does not answer.*Did you mean gte-small\?"):
        load_embedder("thenlpr/gte-smal")
    with pytest.raises(InputError, match="does not answer"):
        load_embedder("zebra", hub=True)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(InputError, match="HF_HUB_OFFLINE"):
        load_embedder("owner/model")


def test_what_a_hub_answers_is_left_to_who_loads(hub: HTTPServer) -> None:
    check_hub_answers("owner/model")
    assert asked == ["/api/models/owner/model"]
