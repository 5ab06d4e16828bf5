"""A script in, a real HTTP server out that follows it: answers, refusals, waits, cuts. It keeps what it was asked."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Asked:
    """One request as it came in."""

    number: int
    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]
    at: float = field(default_factory=time.monotonic)

    @property
    def source(self) -> str:
        """The sentence that the last lines ask about."""
        text = self.body["messages"][-1]["content"] if "messages" in self.body else self.body["prompt"]
        return text.rpartition("Sentence: ")[2].partition("\nParaphrase:")[0]


@dataclass(frozen=True)
class Said:
    """One response as it goes out."""

    body: Any = None
    """Sent as JSON, or as it is where it is bytes."""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    is_cut: bool = False
    """The connection ends before half of the body."""


Script = Callable[[Asked], Said]


def fault(status: int, message: str = "not now", **more: Any) -> Said:
    """An error in the usual form."""
    headers = more.pop("headers", {})
    return Said({"error": {"message": message, **more}}, status, headers)


def answer(asked: Asked, *texts: str, usage: bool = True, finish: str = "stop") -> Said:
    """These texts as answers, in the form of the endpoint that was asked."""
    if asked.path.endswith("/chat/completions"):
        choices = [{"message": {"role": "assistant", "content": text}, "finish_reason": finish} for text in texts]
    else:
        choices = [{"text": text, "finish_reason": finish} for text in texts]
    counted = {"prompt_tokens": 20, "completion_tokens": 10 * len(texts)}
    return Said({"choices": choices, **({"usage": counted} if usage else {})})


def reworded(asked: Asked) -> Said:
    """As many answers as asked for, which follow from source and seed alone."""
    texts = []
    for number in range(asked.body.get("n", 1)):
        drawn = blake2b(f"{asked.source} {asked.body.get('seed')} {number}".encode(), digest_size=3).hexdigest()
        texts.append(f"In words of {drawn} it is said that {asked.source}")
    return answer(asked, *texts)


class ScriptedServer:
    """A server of its own thread per request."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.asked: list[Asked] = []
        self.most_at_once = 0
        self._at_once = 0
        self._lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True
            wbufsize = -1

            def do_POST(self) -> None:
                outer._handle(self)

            def log_message(self, *_: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            block_on_close = False

            def handle_error(self, *_: object) -> None:
                pass  # a client that was killed is no error

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _handle(self, handler: BaseHTTPRequestHandler) -> None:
        body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        with self._lock:
            asked = Asked(len(self.asked), handler.path, dict(handler.headers.items()), body)
            self.asked.append(asked)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            said = self.script(asked)
            time.sleep(said.delay)
        finally:
            with self._lock:
                self._at_once -= 1
        written = said.body if isinstance(said.body, bytes) else json.dumps(said.body).encode()
        handler.send_response(said.status)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(written)))
        for name, value in said.headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(written[: len(written) // 2] if said.is_cut else written)
        handler.close_connection = handler.close_connection or said.is_cut


@contextmanager
def scripted(script: Script = reworded) -> Iterator[ScriptedServer]:
    """A server that follows a script, for as long as the `with` lasts."""
    server = ScriptedServer(script)
    try:
        yield server
    finally:
        server.close()


def first(*said: Said, then: Script = reworded) -> Script:
    """These to the first requests, whatever they ask; then as the other script says."""
    return lambda asked: said[asked.number] if asked.number < len(said) else then(asked)
