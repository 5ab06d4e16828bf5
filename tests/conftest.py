"""What all tests share: patience with a busy machine, and a configuration folder that is not the person's own."""

from __future__ import annotations

import fcntl
import gc
import os
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest

from paraloom.metrics.parts import cores
from tests import forked
from tests.forked import ForkServer

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# A test is at work on every core. Libraries that start a thread per core in each of them wait for cores that are taken,
# and turn on the spot meanwhile: a small product of matrices takes fifteen times as long, a training of a second a
# minute. NumPy and torch read this as they are imported, here and in children; a test may ask torch for more threads.
for setting, value in {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "PASSIVE"}.items():
    os.environ.setdefault(setting, value)

hypothesis.settings.register_profile("paraloom", deadline=None)  # a busy machine is no failure
hypothesis.settings.load_profile("paraloom")


def pytest_configure(config: pytest.Config) -> None:
    # Daft leaves the pipes of its helper processes to the garbage collector, which meets them in any later test.
    config.addinivalue_line("filterwarnings", "ignore:unclosed file <_io.BufferedReader name=:ResourceWarning")


def pytest_xdist_auto_num_workers() -> int:
    # Tests wait for services, browsers and clusters a fifth of the time: one worker more makes use of it.
    return cores() + 1


def pytest_collection_finish() -> None:
    # Millions of objects of modules and tests stay to the end: looking through all of them for garbage, half a second
    # each time, was a tenth of what all tests took.
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def own_configuration(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Salts drawn in tests stay in tests; a Ray cluster of the person's is left alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("configuration")))
        patch.delenv("RAY_ADDRESS", raising=False)
        yield


@pytest.fixture(scope="session")
def child_environment() -> dict[str, str]:
    """Environment for processes that tests start: they import the same Paraloom as the tests do."""
    return forked.child_environment()


@pytest.fixture(scope="session", autouse=True)
def forks() -> Iterator[None]:
    """What commands are forked from ends with the tests."""
    yield
    forked.servers.close()


@pytest.fixture(scope="session")
def torch_forks(child_environment: dict[str, str]) -> Iterator[ForkServer]:
    """Processes that have torch and transformers in memory as they begin: to load them takes seconds."""
    one_thread = {**child_environment, "OMP_NUM_THREADS": "1"}  # sums over several differ in their last digits
    server = ForkServer(one_thread, (*forked.LIBRARIES, "torch", "transformers.modeling_utils"))
    yield server
    server.close()


@pytest.fixture(scope="session")
def service_forks(child_environment: dict[str, str]) -> Iterator[ForkServer]:
    """Processes that have the annotation service in memory as they begin: to load it takes more than a second."""
    parts = [
        f"uvicorn.{name}" for name in ("loops.auto", "lifespan.on", "protocols.http.auto", "protocols.websockets.auto")
    ]
    server = ForkServer(child_environment, (*forked.LIBRARIES, *parts, "paraloom.judgments.app.application"))
    yield server
    server.close()


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Callable[[Path], None]], Path]:
    """Call it with a name and what fills a folder: the folder, filled once for all workers. Tests only read it."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def made(name: str, fill: Callable[[Path], None]) -> Path:
        folder, done = shared / f"once-{name}", shared / f"once-{name}.done"
        with (shared / f"once-{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not done.exists():
                shutil.rmtree(folder, ignore_errors=True)  # of a worker that failed at it
                folder.mkdir()
                fill(folder)
                done.touch()
        return folder

    return made


@pytest.fixture(scope="session")
def sample_run(made_once: Callable[[str, Callable[[Path], None]], Path]) -> Path:
    """The bundled sample, built as `paraloom demo` builds it."""

    def build(folder: Path) -> None:
        from paraloom.workflows.demo import run_demo

        run_demo(folder / "run")

    return made_once("sample", build) / "run"


@pytest.fixture(scope="session")
def tiny_bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a BERT model of three layers with random weights, as transformers saves it; it reads 64 tokens."""
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    letters = "abcdefghijklmnopqrstuvwxyz0123456789.,!?'-[]"
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "storm", "coast", "hit", "a", "不", "雨", "🌧"]
    vocabulary = list(dict.fromkeys([*words, *letters, *(f"##{letter}" for letter in letters)]))
    pieces = Tokenizer(models.WordPiece({piece: number for number, piece in enumerate(vocabulary)}, unk_token="[UNK]"))
    pieces.normalizer = normalizers.BertNormalizer()
    pieces.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    pieces.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    folder = tmp_path_factory.mktemp("models") / "tiny-bert"
    marks = {f"{mark}_token": f"[{mark.upper()}]" for mark in ("unk", "cls", "sep", "pad", "mask")}
    PreTrainedTokenizerFast(tokenizer_object=pieces, model_max_length=64, **marks).save_pretrained(folder)
    torch.manual_seed(3)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=3,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=64,
        initializer_range=0.3,
    )
    BertModel(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def minilm() -> Path:
    """The folder of all-MiniLM-L6-v2, if this machine has it."""
    from paraloom.models.shelf import find_model

    return find_model("all-MiniLM-L6-v2") or pytest.skip("needs: paraloom models fetch all-MiniLM-L6-v2")


@pytest.fixture(scope="session")
def chromium() -> str:
    """Where the browser lies."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    found = next((path for name in names if (path := shutil.which(name))), None)
    assert found, "No chromium was found; scripts/ensure_chromium (run by `make test`) gets one."
    return found


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """A real browser, for all tests of a module: while it is open, the module cannot run an event loop of its own."""
    from playwright.sync_api import sync_playwright

    flags = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=[*flags, "--disable-component-update"])
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def serving() -> Callable[[Any], AbstractContextManager[str]]:
    """Call it with an application, in a `with`: it is served on loopback, and its address comes back."""
    return served


@contextmanager
def served(app: Any) -> Iterator[str]:
    """An application on loopback, in a thread, while the `with` lasts."""
    import uvicorn

    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off", ws="none"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.02)
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(timeout=10)
