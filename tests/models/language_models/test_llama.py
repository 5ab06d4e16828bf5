"""A Llama on onnxruntime or torch: it foretells what transformers foretells, read at once or piece by piece."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from paraloom.errors import InputError
from paraloom.models.language_models import llama_graph, llama_on_torch
from paraloom.models.language_models.gguf import GgufFile
from paraloom.models.language_models.llama import AT_ONCE, Llama, Reading
from tests.models.language_models.oracle import foretold, transformers_llama
from tests.models.language_models.tiny_gguf import KINDS, write_tiny_llama

IN_TORCH = "cpu:0"
"""The same processor, by a name that only torch knows."""
IDS = np.random.default_rng(5).integers(3, 300, 24).tolist()


def thin(file: GgufFile, rank: int = 4) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """An adapter of random numbers for some matrices."""
    rng = np.random.default_rng(2)
    found = {}
    for name in ("blk.0.attn_q", "blk.1.attn_k", "blk.1.ffn_down"):
        rows, columns = file.shape(name + ".weight")
        left, right = rng.standard_normal((rows, rank)) / rank, rng.standard_normal((rank, columns)) / columns**0.5
        found[name] = (left.astype(np.float32), right.astype(np.float32))
    return found


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> GgufFile:
    return GgufFile(write_tiny_llama(tmp_path_factory.mktemp("llama") / "tiny.gguf", kind="Q8_0"))


DEVICES = ["cpu", IN_TORCH]


@pytest.fixture(scope="module", params=DEVICES)
def llama(file: GgufFile, request: pytest.FixtureRequest) -> Llama:
    return Llama(file, device=request.param)


SHAPES = [
    {},
    {"own_output": True},
    {"heads": 2, "shared_heads": 2, "inner": 96},
    {"heads": 4, "shared_heads": 1, "layers": 1},
    {"settings": {"llama.rope.freq_base": 500.0, "llama.attention.layer_norm_rms_epsilon": 0.5}},
]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_with_states_left_as_they_are_it_foretells_what_transformers_foretells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shape, device: str
) -> None:
    path = write_tiny_llama(tmp_path / "tiny.gguf", kind="Q8_0", **shape)
    file = GgufFile(path)
    theirs = foretold(transformers_llama(path), IDS)
    monkeypatch.setattr(llama_graph, "ACCURACY", 1)
    network = Llama(file, device=device)
    found, _ = network.read(IDS)
    assert found[0] == pytest.approx(theirs[-1], abs=1e-4)
    (along,) = network.log_probabilities([(IDS[:1], IDS[1:])])
    assert along == pytest.approx(theirs[np.arange(len(IDS) - 1), IDS[1:]], abs=1e-4)


def alike(ours: np.ndarray, theirs: np.ndarray) -> float:
    return float(np.corrcoef(ours.ravel(), theirs.ravel())[0, 1])


@pytest.mark.parametrize("kind", KINDS)
def test_in_products_of_8_bit_numbers_it_foretells_nearly_the_same(tmp_path: Path, kind: str) -> None:
    path = write_tiny_llama(tmp_path / "tiny.gguf", kind=kind)
    theirs = foretold(transformers_llama(path), IDS)
    network = Llama(GgufFile(path))
    (along,) = network.log_probabilities([(IDS[:1], IDS[1:])])
    assert alike(along, theirs[np.arange(len(IDS) - 1), IDS[1:]]) > 0.998
    assert alike(network.read(IDS)[0], theirs[-1]) > 0.98


def test_an_adapter_is_added_to_the_weights(file: GgufFile, llama: Llama) -> None:
    update = thin(file)
    theirs = foretold(transformers_llama(file.path, update), IDS)
    for device, least in (("cpu", 0.98), (IN_TORCH, 0.99999)):
        found, _ = Llama(file, update, device=device).read(IDS)
        assert alike(found, theirs[-1]) > least
    assert alike(llama.read(IDS)[0], theirs[-1]) < 0.8


def test_pieces_one_by_one_are_as_all_at_once(llama: Llama) -> None:
    at_once, _ = llama.read(IDS)
    found, reading = llama.read(IDS[:10])
    for piece in IDS[10:]:
        found, reading = llama.step(reading, np.array([piece]))
    assert reading.length == len(IDS)
    assert found == pytest.approx(at_once, abs=0.05)


def test_readings_can_be_chosen_repeated_and_put_in_another_order(llama: Llama) -> None:
    _, begun = llama.read(IDS[:8])
    pieces = np.array([30, 40, 50])
    _, three = llama.step(begun.chosen(np.zeros(3, np.int64)), pieces)
    assert three.texts == 3
    assert three.chosen(np.arange(3)) is three
    found, _ = llama.step(three.chosen(np.array([2, 0, 2, 1])), np.array([60, 60, 70, 60]))
    for row, ends in zip(found, [(50, 60), (30, 60), (50, 70), (40, 60)], strict=True):
        alone, _ = llama.read([*IDS[:8], *ends])
        assert row == pytest.approx(alone[0], abs=0.05)


Answers = list[tuple[tuple[np.ndarray, np.ndarray], Reading]]


def assert_like(found: Answers, alone: list[tuple[np.ndarray, Reading]], likeliest: int) -> None:
    """Together the likeliest are told, alone all."""
    for ((pieces, ours), reading), (theirs, other) in zip(found, alone, strict=True):
        assert ours == pytest.approx(np.take_along_axis(theirs, pieces, 1), abs=1e-4)
        assert ours.shape == (len(theirs), likeliest)
        assert (np.diff(ours, axis=1) <= 0).all()
        assert ours.min(1) == pytest.approx(np.sort(theirs, axis=1)[:, -likeliest], abs=1e-4)
        assert (reading.length, reading.texts) == (other.length, other.texts)


@pytest.mark.parametrize("spare", [0, 1, 40])
@pytest.mark.parametrize("likeliest", [7, 10_000])
def test_texts_of_any_lengths_go_on_together_as_each_alone(
    file: GgufFile, monkeypatch: pytest.MonkeyPatch, likeliest: int, spare: int
) -> None:
    monkeypatch.setattr(llama_on_torch, "LIKELIEST", likeliest)
    monkeypatch.setattr(llama_on_torch, "SPARE", spare)
    llama = Llama(file, device=IN_TORCH)
    assert llama.answers_together
    told = min(likeliest, llama.shape.pieces)
    texts = [IDS[:length] for length in (3, 11, 7)]
    found, alone = llama.reads(texts), [llama.read(text) for text in texts]
    assert_like(found, alone, told)
    chosen = [np.zeros(count, np.int64) for count in (1, 2, 1)]
    for _ in range(4):
        pieces = [30 + 10 * np.arange(len(one)) for one in chosen]
        ours, theirs = (
            [one.chosen(some) for (_, one), some in zip(both, chosen, strict=True)] for both in (found, alone)
        )
        found = llama.steps(ours, pieces)
        alone = [llama.step(*one) for one in zip(theirs, pieces, strict=True)]
        assert_like(found, alone, told)
        chosen = [np.array([0]), np.array([1, 0]), np.array([0])]
    # One is over, one goes on, one begins again, and a new one joins them.
    (new,) = llama.reads([IDS[:2]])
    going_on = [found[2][1], llama.reads(texts)[1][1], found[0][1], new[1]]
    by_themselves = [alone[2][1], llama.read(texts[1])[1], alone[0][1], llama.read(IDS[:2])[1]]
    pieces = [np.array([70])] * 4
    found = llama.steps(going_on, pieces)
    assert_like(found, [llama.step(*one) for one in zip(by_themselves, pieces, strict=True)], told)


def test_a_reading_is_as_it_was_after_others_went_on_from_it(file: GgufFile) -> None:
    llama = Llama(file, device=IN_TORCH)
    ((_, begun),) = llama.reads([IDS[:5]])
    ((first, after),) = llama.steps([begun], [np.array([30])])
    llama.steps([begun, after], [np.array([40]), np.array([50])])
    ((again, _),) = llama.steps([begun], [np.array([30])])
    assert again[1] == pytest.approx(first[1], abs=1e-5)
    ((found, _),) = llama.steps([after], [np.array([60])])
    alone, _ = llama.read([*IDS[:5], 30, 60])
    assert found[1] == pytest.approx(np.take_along_axis(alone, found[0], 1), abs=1e-4)


def test_of_many_texts_no_more_is_remembered_than_of_those_that_go_on(file: GgufFile) -> None:
    llama = Llama(file, device=IN_TORCH)
    readings = [reading for _, reading in llama.reads([IDS[:length] for length in (20, 4, 4)])]
    readings = [one for _, one in llama.steps(readings, [np.array([30])] * 3)][1:]
    for step in range(70):
        readings = [one for _, one in llama.steps(readings, [np.array([30])] * 2)]
        memory = readings[0].past.memory
        assert memory is readings[1].past.memory
        assert len(memory) == 2
        assert memory.shape[3] <= 6 + step + llama_on_torch.SPARE + 20


def test_nothing_is_read_where_nothing_is_asked(file: GgufFile) -> None:
    llama = Llama(file, device=IN_TORCH)
    assert llama.reads([]) == llama.steps([], []) == []


def test_texts_of_all_lengths_together_are_as_each_alone(llama: Llama) -> None:
    texts = [(IDS[:start], IDS[start : start + more]) for start, more in [(1, 1), (3, 12), (12, 3), (20, 4), (2, 2)]]
    together = llama.log_probabilities(texts)
    for one, text in zip(together, texts, strict=True):
        (alone,) = llama.log_probabilities([text])
        assert one == pytest.approx(alone, abs=0.05)
        assert len(one) == len(text[1])
    assert llama.log_probabilities([]) == []


def test_many_texts_are_read_a_few_at_a_time_with_the_same_result(llama: Llama, monkeypatch) -> None:
    text = (IDS[:4], IDS[4:])
    monkeypatch.setattr(llama._runs, "at_once", AT_ONCE)
    count = AT_ONCE // len(IDS) + 3
    found = llama.log_probabilities([text] * count)
    assert len(found) == count
    assert all(one == pytest.approx(found[0], abs=0.05) for one in found)


def test_what_is_foretold_is_a_distribution(llama: Llama) -> None:
    found, _ = llama.read(IDS)
    assert np.exp(found.astype(np.float64)).sum(1) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("device", DEVICES)
def test_a_text_longer_than_the_model_reads_is_an_error(tmp_path: Path, device: str) -> None:
    file = GgufFile(write_tiny_llama(tmp_path / "tiny.gguf", layers=1, settings={"llama.context_length": 16}))
    small = Llama(file, device=device)
    assert small.longest == 16
    if small.answers_together:
        (whole,) = small.reads([IDS[:16]])
        with pytest.raises(InputError, match="17 pieces, and the model reads 16 at most"):
            small.steps([whole[1]], [np.array([5])])
        with pytest.raises(InputError, match="reads 16 at most"):
            small.reads([IDS[:17]])
    _, full = small.read(IDS[:16])
    with pytest.raises(InputError, match="17 pieces, and the model reads 16 at most"):
        small.step(full, np.array([5]))
    with pytest.raises(InputError, match="reads 16 at most"):
        small.log_probabilities([(IDS[:10], IDS[:10])])


WRONG = [
    ("blk.9.attn_q", (64, 4), (4, 64), "changes blk.9.attn_q, which .* does not have"),
    ("blk.0.attn_q", (32, 4), (4, 64), "Choose the base it is for"),
    ("blk.0.attn_q", (64, 4), (5, 64), "Choose the base it is for"),
]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(("name", "left", "right", "told"), WRONG)
def test_an_adapter_for_another_base_is_refused(file: GgufFile, name: str, left, right, told: str, device: str) -> None:
    with pytest.raises(InputError, match=told):
        Llama(file, {name: (np.zeros(left, np.float32), np.zeros(right, np.float32))}, device=device)


def test_a_device_that_is_not_there_is_an_error_that_says_so(file: GgufFile) -> None:
    with pytest.raises(InputError, match=r"Torch cannot use --device nowhere here: .* Leave --device out"):
        Llama(file, device="nowhere")


def test_without_torch_another_device_says_what_to_install(file: GgufFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(InputError, match=r"needs torch, .* pip install 'paraloom\[train\]'"):
        Llama(file, device="cuda")
