"""GGUF files: every format is read as others read it, and a file that is damaged in whatever way is an error."""

from __future__ import annotations

import struct
from contextlib import suppress
from pathlib import Path

import gguf
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.models.language_models.blocks import Blocks, read_blocks
from paraloom.models.language_models.gguf import GgufFile
from paraloom.models.language_models.gguf_tokeniser import GgufTokeniser
from paraloom.models.language_models.llama_weights import LlamaWeights
from tests.models.language_models.tiny_gguf import KINDS, gguf_bytes, write_tiny_llama

SMALL = {"layers": 1, "width": 32, "inner": 32, "heads": 2, "shared_heads": 1, "words": ("storm",)}


@pytest.mark.parametrize("kind", KINDS)
def test_every_format_is_read_as_the_formats_own_library_reads_it(tmp_path: Path, kind: str) -> None:
    path = write_tiny_llama(tmp_path / "tiny.gguf", kind=kind)
    ours, theirs = GgufFile(path), gguf.GGUFReader(path)
    assert list(ours) == [tensor.name for tensor in theirs.tensors]
    for tensor in theirs.tensors:
        wanted = gguf.dequantize(tensor.data, tensor.tensor_type)
        assert np.array_equal(ours.tensor(tensor.name), wanted)
        assert np.array_equal(ours.columns(tensor.name), wanted.reshape(-1, 32).T)
    for name, value in ours.settings.items():
        found = theirs.fields[name].contents()
        assert (value.tolist() if isinstance(value, np.ndarray) else value) == found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("is_changed", [False, True])
def test_blocks_are_the_matrix_to_within_half_a_step(tmp_path: Path, kind: str, is_changed: bool) -> None:
    file = GgufFile(write_tiny_llama(tmp_path / "tiny.gguf", kind=kind))
    rng = np.random.default_rng(1)
    for name in ("blk.0.attn_k.weight", "blk.1.ffn_down.weight"):
        rows, columns = file.shape(name)
        thin = (rng.standard_normal((rows, 4)).astype(np.float32), rng.standard_normal((4, columns)).astype(np.float32))
        blocks = read_blocks(file, name, thin if is_changed else None)
        wanted = file.tensor(name) + (thin[0] @ thin[1] if is_changed else 0)
        off = np.abs(blocks.rows(np.arange(rows)) - wanted).reshape(rows, -1, 32)
        assert (off <= blocks.scales[..., None] * 0.501).all()
        if kind == "Q8_0" and not is_changed:
            assert off.max() == 0, "what is stored in such blocks is taken over to the bit"


def test_rows_of_nothing_but_zeros_stay_zeros() -> None:
    tiny = np.full((1, 32), 1e-45, np.float32)
    for matrix in (np.zeros((3, 64), np.float32), tiny):
        blocks = Blocks.of(matrix)
        assert np.abs(blocks.rows(np.arange(len(matrix)))).max() <= 1.5e-45


def load(path: Path) -> None:
    """All that is read of a file before a network is made of it."""
    file = GgufFile(path)
    GgufTokeniser(file)
    LlamaWeights.of(file)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return write_tiny_llama(tmp_path_factory.mktemp("gguf") / "whole.gguf", kind="Q4_1", **SMALL).read_bytes()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("damaged") / "model.gguf"


BEGUN = b"GGUF" + struct.pack("<I", 3)
HUGE = 2**63
HEADERS = [
    (b"", "cannot be read as a GGUF file"),
    (b"GG", "a text is longer than the file"),
    (b"GGML" + bytes(60), "does not begin with GGUF"),
    (b"GGUF" + struct.pack("<IQQ", 1, 0, 0), "version is 1, not 2 or 3"),
    (b"GGUF" + struct.pack(">IQQ", 3, 0, 0), "not 2 or 3"),
    (BEGUN + struct.pack("<QQ", 0, HUGE), "unpack_from requires"),
    (BEGUN + struct.pack("<QQ", HUGE, 0), "unpack_from requires"),
    (BEGUN + struct.pack("<QQQ", 0, 1, HUGE), "a text is longer than the file"),
    (BEGUN + struct.pack("<QQQ1sI", 0, 1, 1, b"a", 77), "unknown type 77"),
    (BEGUN + struct.pack("<QQQ1sIIQ", 0, 1, 1, b"a", 9, 8, HUGE), "a list is longer than the file"),
    (BEGUN + struct.pack("<QQQ1sIIQ", 0, 1, 1, b"a", 9, 12, 60), "longer than the file"),
    (BEGUN + struct.pack("<QQQ1sI", 0, 1, 1, b"a", 9) + struct.pack("<IQ", 9, 1) * 5000, "a list has the type 9"),
    (BEGUN + struct.pack("<QQQ1sI", 0, 1, 1, b"\xff", 0), "can't decode"),
    (BEGUN + struct.pack("<QQQ1sI", 1, 0, 1, b"a", 2**31), "dimensions"),
]


@pytest.mark.parametrize(("content", "told"), HEADERS)
def test_a_header_that_cannot_be_is_an_error(place: Path, content: bytes, told: str) -> None:
    place.write_bytes(content)
    with pytest.raises(InputError, match=told):
        GgufFile(place)


def test_a_file_that_is_not_there_or_a_folder_is_an_error(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.gguf"):
        with pytest.raises(InputError, match=r"cannot be read as a GGUF file.*Check the path"):
            GgufFile(path)


SETTINGS = [
    ({"general.architecture": "mamba"}, "kind mamba; only llama is run here"),
    ({"general.architecture": None}, "no setting general.architecture"),
    ({"general.alignment": 0}, "whole number from 1 on"),
    ({"llama.block_count": 2**32 - 1}, "no tensor blk.1."),
    ({"llama.block_count": "many"}, "llama.block_count .* is 'many' and must be a whole number"),
    ({"llama.embedding_length": 64}, "not run here|not .* as its settings say"),
    ({"llama.feed_forward_length": 48}, "no multiples of 32"),
    ({"llama.attention.head_count": 0}, "whole number from 1 on"),
    ({"llama.attention.head_count": 5}, "5 heads"),
    ({"llama.attention.head_count": 4}, "4 heads"),
    ({"llama.attention.head_count_kv": 2}, "has the shape"),
    ({"llama.attention.layer_norm_rms_epsilon": float("nan")}, "a number above zero"),
    ({"llama.rope.freq_base": 0.25}, "turns positions"),
    ({"llama.context_length": True}, "whole number from 1 on"),
    ({"tokenizer.ggml.model": "llama"}, r"tokeniser .* \(llama, smollm\) is not one that is read here.*server"),
    ({"tokenizer.ggml.pre": "qwen2"}, r"\(gpt2, qwen2\)"),
    ({"tokenizer.ggml.tokens": None}, "no setting tokenizer.ggml.tokens"),
    ({"tokenizer.ggml.tokens": [1, 2]}, "must be a list of texts"),
    ({"tokenizer.ggml.merges": ["storm !!"]}, "joins 'storm' and '!!', which gives no piece"),
    ({"tokenizer.ggml.merges": ["storm"]}, "joins 'storm' and ''"),
    ({"tokenizer.ggml.eos_token_id": 10**6}, "names 1000000 as a piece"),
    ({"tokenizer.ggml.eos_token_id": "x"}, "names 'x' as a piece"),
    ({"general.architecture": [1, 2]}, "general.architecture .* must be a text"),
    ({"tokenizer.ggml.model": [1, 2]}, "tokenizer.ggml.model .* must be a text"),
    ({"tokenizer.ggml.pre": ["smollm"]}, "tokenizer.ggml.pre .* must be a text"),
    ({"tokenizer.ggml.token_type": 5}, "must be a list of numbers"),
    ({"tokenizer.ggml.token_type": "abc"}, "must be a list of numbers"),
    ({"llama.rope.dimension_count": 8}, r"turns positions .* \(8 of 16 numbers.*--generator server"),
    ({"llama.rope.scaling.type": "linear"}, r"turns positions .* scaling: linear.*--generator server"),
]


@pytest.mark.parametrize(("changed", "told"), SETTINGS)
def test_settings_that_cannot_be_are_an_error(place: Path, changed, told: str) -> None:
    write_tiny_llama(place, settings=changed, **SMALL)
    with pytest.raises(InputError, match=told):
        load(place)


@pytest.mark.parametrize("name", ["blk.0.attn_q.bias", "rope_freqs.weight", "blk.1.attn_q.weight"])
def test_weights_that_would_be_left_out_are_an_error(place: Path, name: str) -> None:
    file = GgufFile(write_tiny_llama(place, **SMALL))
    tensors = {each: ("F32", file.tensor(each)) for each in file} | {name: ("F32", np.ones(32, np.float32))}
    settings = {one: each.tolist() if isinstance(each, np.ndarray) else each for one, each in file.settings.items()}
    place.write_bytes(gguf_bytes(settings, tensors))
    with pytest.raises(InputError, match=rf"weights that are not used here \({name}\).*--generator server"):
        load(place)


def test_a_format_that_is_not_read_says_what_to_do(place: Path, whole: bytes) -> None:
    name = b"token_embd.weight"
    kind = whole.index(name) + len(name) + 4 + 2 * 8
    place.write_bytes(whole[:kind] + struct.pack("<I", 12) + whole[kind + 4 :])
    with pytest.raises(InputError, match=r"not read here \(number 12\).*F32, F16, Q4_0.*--generator server"):
        load(place)


def test_a_tensor_larger_than_the_file_is_an_error_and_takes_no_memory(place: Path) -> None:
    place.write_bytes(gguf_bytes({}, {"one": ("Q8_0", np.ones((1, 32), np.float32))}))
    stored = place.read_bytes()
    columns = stored.index(b"one") + 3 + 4
    for length in (64, 2**40 * 32, 33):
        place.write_bytes(stored[:columns] + struct.pack("<Q", length) + stored[columns + 8 :])
        with pytest.raises(InputError, match="ends within one, or gives it a wrong shape"):
            GgufFile(place).tensor("one")


def test_version_2_is_read_too(place: Path) -> None:
    place.write_bytes(gguf_bytes({"a": 1}, {"one": ("F16", np.arange(4, dtype=np.float32))}, version=2))
    file = GgufFile(place)
    assert (file.settings, file.tensor("one").tolist()) == ({"a": 1}, [0, 1, 2, 3])


def test_cut_off_anywhere_it_is_an_error(place: Path, whole: bytes) -> None:
    padding = 32  # what fills the last tensor up may be missing
    for length in [*range(0, 600, 7), *np.linspace(600, len(whole) - padding, 100).astype(int).tolist()]:
        place.write_bytes(whole[:length])
        with pytest.raises(InputError):
            load(place)


@given(st.data())
@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_with_bytes_changed_anywhere_it_is_read_or_it_is_an_error(place: Path, whole: bytes, data) -> None:
    damaged = bytearray(whole)
    end = data.draw(st.sampled_from([64, 1200, whole.index(b"tokenizer.ggml.merges"), len(whole)]))
    for _ in range(data.draw(st.integers(1, 4))):
        damaged[data.draw(st.integers(0, end - 1))] = data.draw(st.integers(0, 255))
    place.write_bytes(damaged)
    with suppress(InputError):
        load(place)
