"""Nothing is asked of the model hub unless a command says so: seen from the hub's side."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.cli.conftest import Run


class Hub(ThreadingHTTPServer):
    """A model hub without a model, which notes what it is asked."""

    asked: list[str]


class Asked(BaseHTTPRequestHandler):
    server: Hub

    def do_HEAD(self) -> None:
        self.server.asked.append(self.path)
        self.send_response(404)
        self.send_header("X-Error-Code", "RepoNotFound")
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_HEAD

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hub]:
    server = Hub(("127.0.0.1", 0), Asked)
    server.asked = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_address[1]}")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub-cache"))
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HTTP_PROXY", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A pair file, and a corpus in MSRP's form."""
    told = [
        (f"rain fell on day {day}", f"day {day} {'rain' if day % 3 else 'fog'}", int(day % 3 > 0)) for day in range(90)
    ]
    (tmp_path / "pairs.tsv").write_text(
        "left\tright\tlabel\n" + "".join(f"{left}\t{right}\t{label}\n" for left, right, label in told)
    )
    (tmp_path / "said.txt").write_text("".join(f"{left}\n" for left, _, _ in told))
    (tmp_path / "corpora" / "pit2015").mkdir(parents=True)
    votes = [f"{day}\ttopic\t{left}\t{right}\t({4 * label}, 1)\t\t\n" for day, (left, right, label) in enumerate(told)]
    (tmp_path / "corpora" / "pit2015" / "dev.data").write_text("".join(votes))
    (tmp_path / "corpora" / "msrp").mkdir(parents=True)
    (tmp_path / "corpora" / "msrp" / "msr_paraphrase_train.txt").write_text(
        "\ufeffQuality\t#1 ID\t#2 ID\t#1 String\t#2 String\n"
        + "".join(f"{label}\t{day}\t{day}\t{left}\t{right}\n" for day, (left, right, label) in enumerate(told))
    )
    return tmp_path


COMMANDS = [
    ("train", "identifier", "pairs.tsv", "--system", "cross-encoder", "--base", "nosuch"),
    ("train", "identifier", "pairs.tsv", "--system", "text-to-text", "--settings", "base=nosuch"),
    ("experiment", "size", "--data", "corpora", "--corpus", "msrp", "--systems", "cross-encoder", "--base", "nosuch"),
]


@pytest.mark.parametrize("words", COMMANDS)
def test_the_hub_is_not_asked_unless_a_command_says_so(words: tuple[str, ...], hub: Hub, data: Path, run: Run) -> None:
    done = run(*words, "--out", "out")
    assert done.returncode == 1
    assert hub.asked == []
    assert "The base 'nosuch' is not on this machine" in " ".join(done.stderr.split())
    assert "--hub" in done.stderr
    assert not (data / "out" / "made_by.json").exists()


@pytest.mark.parametrize("words", COMMANDS)
def test_with_the_option_it_is_asked_and_a_refusal_leaves_nothing(
    words: tuple[str, ...], hub: Hub, data: Path, run: Run
) -> None:
    done = run(*words, "--out", "out", "--hub")
    assert done.returncode == 1
    assert any("nosuch" in path for path in hub.asked)
    assert "the model hub gave no model of that name" in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert not (data / "out" / "made_by.json").exists()


EMBEDDING = [
    ("mine", "said.txt", "--embedder", "owner/nosuch"),
    ("evaluate", "retrieval", "pairs.tsv", "--embedder", "owner/nosuch"),
    ("bench", "mining", "--data", "corpora", "--embedders", "owner/nosuch"),
]


@pytest.mark.parametrize("words", EMBEDDING)
def test_an_embedder_of_the_hub_is_asked_for_only_with_the_option(
    words: tuple[str, ...], hub: Hub, data: Path, run: Run
) -> None:
    refused = run(*words, "--out", "out")
    assert refused.returncode == 1
    assert hub.asked == []
    assert "There is no embedder 'owner/nosuch' on this machine" in " ".join(refused.stderr.split())
    assert "--hub" in refused.stderr
    done = run(*words, "--out", "out", "--hub")
    assert done.returncode == 1
    assert any("owner/nosuch" in path for path in hub.asked)
    assert "the model hub gave no model of that name" in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert not (data / "out").exists()
