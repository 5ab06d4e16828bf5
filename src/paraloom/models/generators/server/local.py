"""The file of a model in, the address of a server out that speaks OpenAI's protocol: llama.cpp, for this machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from paraloom.errors import InputError
from paraloom.metrics.parts import cores

LOOPBACK = "127.0.0.1"
QUIET = 0
"""How much llama.cpp says on standard error: nothing but errors."""


@contextmanager
def serve(gguf: Path, port: int = 0, *, slots: int = 4, context: int = 1024, threads: int = 0) -> Iterator[str]:
    """A server for a model in GGUF form, for as long as the `with` lasts; its address, with `/v1` at the end.

    Only programs on this machine reach it. `port` 0 is any that is free, `slots` are the answers that are worked on at
    once (and the most that one request may ask for), `context` the tokens of question and answer together that each
    has room for, `threads` 0 is one for each core but one: they wait for each other at every step, so that one whose
    core is taken by another program holds up all. It lives in this process, and ends with it.
    """
    xllamacpp = _xllamacpp()
    if not gguf.is_file():
        raise InputError(f"There is no model file {gguf}. Fetch one, such as: paraloom models fetch smollm2-135m")
    with gguf.open("rb") as file:
        if file.read(4) != b"GGUF":
            raise InputError(f"{gguf} is no model in GGUF form. Give the .gguf file itself.")
    wanted = xllamacpp.CommonParams()
    wanted.model.path = str(gguf)
    wanted.model_alias = {gguf.stem}  # and not the whole path
    wanted.hostnames, wanted.port = [LOOPBACK], port
    wanted.n_parallel, wanted.n_ctx = slots, slots * context
    wanted.cpuparams.n_threads = wanted.cpuparams_batch.n_threads = threads or max(1, cores() - 1)
    wanted.cpuparams.poll = wanted.cpuparams_batch.poll = 0  # a thread that waits leaves its core to others
    wanted.warmup, wanted.ui, wanted.verbosity = False, False, QUIET
    try:
        server = xllamacpp.Server(wanted)
    except RuntimeError as error:
        told = str(error).rstrip(".")
        raise InputError(
            f"llama.cpp cannot serve {gguf} on port {port} of {LOOPBACK}: {told}. Is the file whole and the port free?"
        ) from error
    try:
        yield f"{server.listening_address}/v1"
    finally:
        del server  # it stops as it is forgotten


def _xllamacpp() -> Any:
    try:
        import xllamacpp
    except ModuleNotFoundError as absent:
        raise InputError(
            "Serving a model needs xllamacpp, which is not installed: pip install 'paraloom[generate]'"
        ) from absent
    return xllamacpp
