"""What a Llama that is learning says to many sources at once, and how it goes on from an adapter."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from paraloom.errors import InputError
from paraloom.models.generators.decoding_options import Decoding
from paraloom.models.language_models.gguf import GgufFile
from paraloom.models.language_models.gguf_tokeniser import GgufTokeniser
from paraloom.models.language_models.llama_weights import LlamaShape
from paraloom.models.training.llama_network import llama_network
from paraloom.models.training.llama_samples import LlamaSampler
from paraloom.models.training.llama_start import rank_of, start_from
from paraloom.models.training.writing_task import LlamaTask
from tests.models.language_models.tiny_gguf import write_tiny_llama

SOURCES = ["the storm hit the coast", "a river", "the town left the shore on monday", "storm"]
GREEDY = Decoding(method="sample", top_k=1)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_llama(tmp_path_factory.mktemp("samples") / "tiny.gguf", kind="Q8_0", seed=3)


def task_of(path: Path, rank: int = 4, layers: int = 2) -> LlamaTask:
    file = GgufFile(path)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(1)
        return LlamaTask(llama_network(file, rank=rank, layers=layers, dtype="float32"), GgufTokeniser(file))


def shaken(task: LlamaTask) -> LlamaTask:
    """The same, with thin matrices that change what it says."""
    with torch.no_grad():
        for name, parameter in task.net.named_parameters():
            if name.endswith("left"):
                parameter.copy_(torch.linspace(-0.3, 0.3, parameter.numel()).view_as(parameter).sin())
    return task


def sampler(path: Path, decoding: Decoding) -> LlamaSampler:
    file = GgufFile(path)
    return LlamaSampler(LlamaShape.of(file), GgufTokeniser(file), decoding)


def likeliest(task: LlamaTask, source: str, decoding: Decoding) -> str:
    """The likeliest token again and again, the whole text read anew for each."""
    words = task.tokeniser
    ids = [words.begin, *words.encode(source), words.end]
    written: list[int] = []
    for _ in range(decoding.token_limits(len(ids) - 2)[1]):
        with torch.no_grad():
            logits = task.net.logits(task.net.states(torch.tensor([ids + written])))[0, -1]
        logits[sorted(words.control - {words.end})] = -torch.inf
        if (token := int(logits.argmax())) == words.end:
            break
        written.append(token)
    return " ".join(words.decode(written).split())


def test_it_says_what_the_network_holds_for_likeliest_after_the_whole_text(path: Path) -> None:
    task = shaken(task_of(path))
    said = sampler(path, GREEDY)(task, SOURCES, np.random.default_rng(1))
    assert said == [likeliest(task, source, GREEDY) for source in SOURCES]
    assert said != sampler(path, GREEDY)(task_of(path), SOURCES, np.random.default_rng(1))
    assert any(said)


def test_what_is_drawn_for_a_source_does_not_depend_on_its_neighbours(path: Path) -> None:
    draws = sampler(path, Decoding(method="sample", top_k=20, top_p=0.95))
    task = task_of(path)
    together = draws(task, SOURCES, np.random.default_rng(5))
    alone = [draws(task, [source], np.random.default_rng(5))[0] for source in SOURCES]
    assert together == alone
    assert together != draws(task, SOURCES, np.random.default_rng(6))
    assert draws(task, [], np.random.default_rng(5)) == []


def test_no_text_is_longer_than_the_decoding_allows(path: Path) -> None:
    decoding = Decoding(method="sample", longest=0.5)
    said = sampler(path, decoding)(task_of(path), SOURCES * 4, np.random.default_rng(2))
    tokeniser = GgufTokeniser(GgufFile(path))
    for source, text in zip(SOURCES * 4, said, strict=True):
        assert len(tokeniser.encode(text)) <= 3 * (0.5 * len(tokeniser.encode(source)) + 8)


def test_a_network_goes_on_from_an_adapter_also_where_its_matrices_are_wider(path: Path) -> None:
    first = shaken(task_of(path, rank=4))
    update = first.net.update()
    assert rank_of(update) == 4
    for rank in (4, 9):
        again = start_from(task_of(path, rank=rank).net, update)
        for name, (left, right) in again.update().items():
            assert np.allclose(left @ right, update[name][0] @ update[name][1], atol=1e-6)


@pytest.mark.parametrize(("rank", "layers"), [(3, 2), (4, 1)])
def test_an_adapter_that_would_be_lost_is_refused(path: Path, rank: int, layers: int) -> None:
    update = task_of(path, rank=4).net.update()
    with pytest.raises(InputError, match="larger --rank"):
        start_from(task_of(path, rank=rank, layers=layers).net, update)


def test_an_adapter_of_another_base_is_refused(path: Path) -> None:
    wider = {"blk.0.attn_q": (np.ones((96, 2), np.float32), np.ones((2, 96), np.float32))}
    with pytest.raises(InputError, match=r"changes blk.0.attn_q by \(96, 2\).*Choose the base it is for"):
        start_from(task_of(path).net, wider)
    unknown = {"embedding": (np.ones((64, 2), np.float32), np.ones((2, 64), np.float32))}
    with pytest.raises(InputError, match="changes embedding by a rank of 2"):
        start_from(task_of(path).net, unknown)


def test_rows_without_a_piece_are_never_drawn(tmp_path: Path) -> None:
    whole = GgufFile(write_tiny_llama(tmp_path / "tiny.gguf", layers=1))
    fewer = write_tiny_llama(
        tmp_path / "fewer.gguf",
        layers=1,
        settings={
            "tokenizer.ggml.tokens": whole.texts("tokenizer.ggml.tokens")[:262],
            "tokenizer.ggml.token_type": [3] * 3 + [1] * 259,
            "tokenizer.ggml.merges": ["t h"],
        },
    )
    draws = sampler(fewer, Decoding(method="sample", temperature=9.0))
    assert set(draws._never) == {0, 1, *range(262, LlamaShape.of(whole).pieces)}
