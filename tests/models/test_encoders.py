"""Encoders give the hidden states that transformers gives, whatever the batch, and without torch where they can."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModel, AutoTokenizer

from paraloom.errors import InputError
from paraloom.metrics.meaning.token_vectors import TokenEncoder
from paraloom.models.encoders import load_encoder, load_sentence_encoder
from paraloom.models.encoders.memory import RememberingEncoder
from paraloom.models.encoders.onnx_bert import OnnxBert, can_run
from paraloom.models.encoders.transformers_encoder import TransformersEncoder

torch.set_num_threads(1)  # tiny models; threads of torch that wait for each other starve a busy machine

TEXTS = [
    "the storm hit the coast",
    "A storm!",
    "",
    "   \n",
    "雨 不 🌧 zß",
    "the storm's coast, hit - a lot? 1234",
    "word " * 30,
    "[SEP] the [CLS] storm [MASK]",
    "storm \ud83d",
    "x",
]


ENCODERS = [OnnxBert, lambda folder, layer, **more: TransformersEncoder(str(folder), layer, **more)]
"""Both ways to run a BERT model."""


@cache
def in_transformers(folder: Path):
    return AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()


def states_by_transformers(folder: Path, text: str, layer: int) -> np.ndarray:
    """One text alone through torch, straight from its documentation."""
    tokeniser, model = in_transformers(folder)
    given = tokeniser(
        text.encode("utf-8", "replace").decode(),
        return_tensors="pt",
        truncation=True,
        max_length=model.config.max_position_embeddings,
        split_special_tokens=True,
    )
    with torch.no_grad():
        return model(**given, output_hidden_states=True).hidden_states[layer][0].numpy()


@pytest.mark.parametrize("layer", [0, 1, 2, 3])
def test_hidden_states_are_those_of_transformers(tiny_bert: Path, layer: int) -> None:
    encoded = OnnxBert(tiny_bert, layer).encode(TEXTS)
    for text, found in zip(TEXTS, encoded, strict=True):
        expected = states_by_transformers(tiny_bert, text, layer)
        assert found.vectors.dtype == np.float32
        np.testing.assert_allclose(found.vectors, expected, atol=1e-5)


@pytest.mark.parametrize("layer", [0, 5, 6])
def test_hidden_states_of_the_real_model_are_those_of_transformers(minilm: Path, layer: int) -> None:
    texts = [
        *TEXTS,
        "Violent storm hits the coast of Norland, three missing",
        "don't @ me 👩🏽‍🚀 https://news.example/a",
    ]
    for text, found in zip(texts, OnnxBert(minilm, layer).encode(texts), strict=True):
        np.testing.assert_allclose(found.vectors, states_by_transformers(minilm, text, layer), atol=1e-5)


def saved_with(tiny_bert: Path, folder: Path, **changes: object) -> Path:
    """The tiny model with another configuration."""
    shutil.copytree(tiny_bert, folder)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | changes))
    return folder


@pytest.mark.parametrize("activation", ["gelu_new", "gelu_pytorch_tanh", "relu"])
def test_other_activations_are_computed_too(tiny_bert: Path, tmp_path: Path, activation: str) -> None:
    folder = saved_with(tiny_bert, tmp_path / "model", hidden_act=activation)
    found = OnnxBert(folder, 3).encode(TEXTS[:1])[0].vectors
    np.testing.assert_allclose(found, states_by_transformers(folder, TEXTS[0], 3), atol=1e-5)
    assert not np.allclose(found, OnnxBert(tiny_bert, 3).encode(TEXTS[:1])[0].vectors, atol=1e-4, rtol=0)


def test_a_model_saved_with_a_head_gives_the_same_states(tiny_bert: Path, tmp_path: Path) -> None:
    from transformers import BertForMaskedLM

    folder = tmp_path / "with-head"
    shutil.copytree(tiny_bert, folder)
    BertForMaskedLM.from_pretrained(tiny_bert).save_pretrained(folder)
    found = OnnxBert(folder, 3).encode(TEXTS[:1])[0].vectors
    np.testing.assert_array_equal(found, OnnxBert(tiny_bert, 3).encode(TEXTS[:1])[0].vectors)


@pytest.mark.parametrize("make", ENCODERS)
def test_a_texts_vectors_depend_neither_on_its_batch_nor_on_the_order(tiny_bert: Path, make) -> None:
    draw = random.Random(5)
    texts = [" ".join(draw.choices(["the", "storm", "coast", "hit"], k=draw.randint(0, 40))) for _ in range(60)]
    alone = make(tiny_bert, 2, batch_size=1).encode(texts)
    together = make(tiny_bert, 2, batch_size=32)
    for encoded, order in ((together.encode(texts), texts), (together.encode(texts[::-1])[::-1], texts)):
        for text, one, other in zip(order, alone, encoded, strict=True):
            assert one.ids.tolist() == other.ids.tolist(), text
            np.testing.assert_allclose(one.vectors, other.vectors, atol=1e-5)


def test_a_text_that_comes_twice_is_computed_once(tiny_bert: Path) -> None:
    first, other, again = OnnxBert(tiny_bert, 1).encode(["the storm", "a coast", "the storm"])
    assert first is again
    assert first is not other


def test_no_texts_give_no_vectors(tiny_bert: Path) -> None:
    assert OnnxBert(tiny_bert, 1).encode([]) == []
    assert TransformersEncoder(str(tiny_bert), 1).encode([]) == []


@pytest.mark.parametrize("make", ENCODERS)
def test_a_text_longer_than_the_model_reads_is_cut_and_said_to_be(tiny_bert: Path, make) -> None:
    encoder = make(tiny_bert, 1)
    short, full, long = encoder.encode(["the " * 61, "the " * 62, "the " * 10_000])
    assert [len(one.ids) for one in (short, full, long)] == [63, 64, 64]
    assert [one.truncated for one in (short, full, long)] == [False, False, True]
    assert [len(one.ids) for one in make(tiny_bert, 1, max_tokens=5).encode(["the storm hit the coast", "a"])] == [5, 3]
    assert "max-tokens:64" in encoder.signature
    assert "max-tokens:5" in make(tiny_bert, 1, max_tokens=5).signature


@pytest.mark.parametrize("make", ENCODERS)
def test_marks_are_the_models_own_even_where_a_text_spells_them(tiny_bert: Path, make) -> None:
    (one,) = make(tiny_bert, 1).encode(["[SEP] storm"])
    assert one.special.tolist() == [True, *[False] * (len(one.ids) - 2), True]
    assert one.ids.tolist().count(3) == 1
    assert make(tiny_bert, 1).token_ids(["[SEP] storm", ""])[0].tolist() == one.ids[1:-1].tolist()
    assert make(tiny_bert, 1).token_ids([""])[0].tolist() == []


def test_either_way_to_run_a_model_has_the_same_signature(tiny_bert: Path) -> None:
    torch_free, with_torch = OnnxBert(tiny_bert, 2), TransformersEncoder(str(tiny_bert), 2, name="tiny-bert")
    assert torch_free.signature == with_torch.signature
    assert torch_free.signature.startswith("encoder:tiny-bert|layer:2|max-tokens:64|weights:")
    assert torch_free.signature != OnnxBert(tiny_bert, 1).signature


def with_another_tokeniser(folder: Path) -> None:
    told = json.loads((folder / "tokenizer.json").read_text())
    told["normalizer"] = {"type": "Replace", "pattern": {"String": "storm"}, "content": "coast"}
    (folder / "tokenizer.json").write_text(json.dumps(told))


def with_another_configuration(folder: Path) -> None:
    told = json.loads((folder / "config.json").read_text()) | {"hidden_act": "relu"}
    (folder / "config.json").write_text(json.dumps(told))


@pytest.mark.parametrize("make", ENCODERS)
@pytest.mark.parametrize(
    ("part", "change"), [("tokeniser", with_another_tokeniser), ("configuration", with_another_configuration)]
)
def test_what_decides_a_vector_beside_the_weights_is_signed(
    make, part: str, change: Callable[[Path], None], tiny_bert: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "tiny-bert"
    shutil.copytree(tiny_bert, folder)
    before = make(folder, 2)
    change(folder)
    after = make(folder, 2)
    ((one,), (other,)) = before.encode(["the storm"]), after.encode(["the storm"])
    assert one.vectors.shape != other.vectors.shape or np.abs(one.vectors - other.vectors).max() > 1e-3
    told, told_after = (dict(each.split(":") for each in encoder.signature.split("|")) for encoder in (before, after))
    assert [name for name in told if told[name] != told_after[name]] == [part]


def test_weights_in_several_files_are_signed_by_all_of_them(tiny_bert: Path, tmp_path: Path) -> None:
    signed = []
    for number in range(2):
        folder = tmp_path / str(number) / "parts"
        shutil.copytree(tiny_bert, folder, ignore=shutil.ignore_patterns("*.safetensors"))
        model = AutoModel.from_pretrained(tiny_bert)
        with torch.no_grad():
            model.encoder.layer[0].output.dense.bias += number
        model.save_pretrained(folder, max_shard_size="20KB")
        assert len(list(folder.glob("*.safetensors"))) > 1
        signed.append(TransformersEncoder(str(folder), 2, name="parts").signature)
    assert signed[0] != signed[1]


def save_other_kind(kind: str, tiny_bert: Path, folder: Path) -> Path:
    """A model of another kind with random weights, beside the tiny model's tokeniser."""
    from transformers import MPNetConfig, MPNetModel, RobertaConfig, RobertaModel, T5Config, T5Model

    torch.manual_seed(4)
    shutil.copytree(tiny_bert, folder)
    size = {"vocab_size": 120, "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2}
    more = {"intermediate_size": 32, "max_position_embeddings": 40, "pad_token_id": 1}
    model = {
        "roberta": lambda: RobertaModel(RobertaConfig(**size, **more)),
        "mpnet": lambda: MPNetModel(MPNetConfig(**size, **more)),
        "t5": lambda: T5Model(T5Config(vocab_size=120, d_model=16, d_kv=8, d_ff=32, num_layers=2, num_heads=2)),
    }[kind]()
    model.save_pretrained(folder)
    return folder


@pytest.mark.parametrize(("kind", "reads"), [("roberta", 38), ("mpnet", 38), ("t5", 64)])
def test_other_kinds_of_model_run_in_transformers(tiny_bert: Path, tmp_path: Path, kind: str, reads: int) -> None:
    folder = save_other_kind(kind, tiny_bert, tmp_path / kind)
    assert not can_run(folder)
    encoder = load_encoder(folder, 1, remember=False)
    assert isinstance(encoder, TransformersEncoder)
    assert isinstance(encoder, TokenEncoder)
    short, long = encoder.encode(["the storm", "storm " * 500])
    assert (len(long.ids), long.truncated) == (reads, True)
    model = AutoModel.from_pretrained(folder).eval()
    if kind == "t5":
        model = model.get_encoder()
    ids = torch.from_numpy(short.ids)[None]
    with torch.no_grad():
        expected = model(ids, attention_mask=torch.ones_like(ids), output_hidden_states=True).hidden_states[1][0]
    np.testing.assert_allclose(short.vectors, expected.numpy(), atol=1e-5)


def test_a_plain_bert_model_runs_in_onnxruntime(tiny_bert: Path) -> None:
    encoder = load_encoder(tiny_bert, 2)
    assert isinstance(encoder, RememberingEncoder)
    assert isinstance(encoder.encoder, OnnxBert)


REFUSED = [
    (lambda folder: OnnxBert(folder, 4), r"has layers 0 \(the embeddings\) to 3; there is no layer 4"),
    (lambda folder: OnnxBert(folder, -1), "no layer -1"),
    (lambda folder: TransformersEncoder(str(folder), 4), "no layer 4"),
    (lambda folder: OnnxBert(folder, 1, max_tokens=2), "max_tokens is 2, and the model's own marks are 2"),
    (lambda folder: load_encoder(folder), r"Say which layer of .*tiny-bert"),
    (lambda folder: load_encoder(folder / "absent", 1), "There is no folder"),
]


@pytest.mark.parametrize(("load", "complaint"), REFUSED)
def test_what_cannot_be_loaded_is_said_in_words(tiny_bert: Path, load, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        load(tiny_bert)


BROKEN = [
    ("config.json", None, "no config.json"),
    ("config.json", b"{", "not JSON"),
    ("model.safetensors", b"\x10\0\0\0\0\0\0\0nothing at all..", "cannot be read as a BERT model"),
    ("tokenizer.json", None, "There is no .*tokenizer.json"),
]


@pytest.mark.parametrize(("file", "content", "complaint"), BROKEN)
def test_a_broken_folder_is_refused_with_its_file(
    tiny_bert: Path, tmp_path: Path, file: str, content: bytes | None, complaint: str
) -> None:
    folder = tmp_path / "broken"
    shutil.copytree(tiny_bert, folder)
    (folder / file).unlink()
    if content is not None:
        (folder / file).write_bytes(content)
    with pytest.raises(InputError, match=complaint):
        OnnxBert(folder, 1)


def test_a_model_without_one_of_its_tensors_is_refused(tiny_bert: Path, tmp_path: Path) -> None:
    from safetensors.numpy import load_file, save_file

    folder = tmp_path / "less"
    shutil.copytree(tiny_bert, folder)
    tensors = load_file(folder / "model.safetensors")
    del tensors["encoder.layer.1.output.dense.bias"]
    save_file(tensors, folder / "model.safetensors")
    OnnxBert(folder, 1)  # which does not need it
    with pytest.raises(InputError, match=r"no tensor encoder\.layer\.1\.output\.dense\.bias"):
        OnnxBert(folder, 2)


def test_a_quantised_model_is_refused_and_not_read_as_if_it_were_none(tiny_bert: Path, tmp_path: Path) -> None:
    from safetensors.numpy import load_file

    from paraloom.models.int8 import write_int8

    folder = tmp_path / "int8"
    shutil.copytree(tiny_bert, folder)
    write_int8(load_file(tiny_bert / "model.safetensors"), folder / "model.safetensors")
    with pytest.raises(InputError, match="is quantised"):
        OnnxBert(folder, 1)


def test_a_model_saved_in_16_bits_is_read(tiny_bert: Path, tmp_path: Path) -> None:
    from safetensors.numpy import load_file, save_file

    folder = tmp_path / "half"
    shutil.copytree(tiny_bert, folder)
    tensors = load_file(tiny_bert / "model.safetensors")
    save_file({name: tensor.astype(np.float16) for name, tensor in tensors.items()}, folder / "model.safetensors")
    found, expected = (OnnxBert(one, 3).encode(TEXTS[:1])[0].vectors for one in (folder, tiny_bert))
    np.testing.assert_allclose(found, expected, atol=0.02)


def in_a_process_of_its_own(code: str, *words: str) -> subprocess.CompletedProcess[str]:
    import paraloom

    settings = {"PYTHONPATH": str(Path(paraloom.__file__).parents[1]), "HF_HUB_OFFLINE": "1", "HF_HOME": "/nowhere"}
    return subprocess.run(
        [sys.executable, "-c", code, *words],
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=False,
    )


WITHOUT_TORCH = """
import sys
from collections.abc import Callable
sys.modules["torch"] = sys.modules["transformers"] = None
from paraloom.errors import InputError
from paraloom.models.encoders import load_encoder, load_sentence_encoder
print(load_encoder(sys.argv[1], 2).encode(["the storm"])[0].vectors.shape)
print(load_sentence_encoder(sys.argv[1]).embed(["the storm"]).shape)
try:
    load_encoder("roberta-large")
except InputError as error:
    print(error)
"""


def test_bert_needs_no_torch_and_other_models_say_that_they_do(tiny_bert: Path) -> None:
    done = in_a_process_of_its_own(WITHOUT_TORCH, str(tiny_bert))
    assert done.returncode == 0, done.stderr
    tokens, sentence, complaint = done.stdout.splitlines()
    assert tokens == "(4, 32)"
    assert sentence == "(1, 32)"
    assert complaint.endswith("Install them: pip install 'paraloom[train]'")


WITHOUT_NETWORK = """
from paraloom.errors import InputError
from paraloom.models.encoders import load_encoder
try:
    load_encoder("nobody/no-such-model", 2)
except InputError as error:
    print(error)
"""


def test_a_name_that_only_the_hub_may_know_is_an_error_without_a_network() -> None:
    done = in_a_process_of_its_own(WITHOUT_NETWORK)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("nobody/no-such-model is no folder, and the model hub gave no model of that name")
    assert done.stdout.strip().endswith("Without a network, copy the model's folder here and name the folder.")


def pooled_by_transformers(folder: Path, text: str, mode: str) -> np.ndarray:
    vectors = states_by_transformers(folder, text, in_transformers(folder)[1].config.num_hidden_layers)
    pooled = {"mean": vectors.mean(axis=0), "cls": vectors[0], "max": vectors.max(axis=0)}[mode]
    return pooled / np.linalg.norm(pooled)


@pytest.mark.parametrize("mode", ["mean", "cls", "max"])
def test_sentence_vectors_are_pooled_as_the_folder_says(tiny_bert: Path, tmp_path: Path, mode: str) -> None:
    folder = tmp_path / "pooled"
    shutil.copytree(tiny_bert, folder)
    (folder / "1_Pooling").mkdir()
    keys = {"mean": "pooling_mode_mean_tokens", "cls": "pooling_mode_cls_token", "max": "pooling_mode_max_tokens"}
    config = {"word_embedding_dimension": 32} | {key: name == mode for name, key in keys.items()}
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(config))
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 64}')
    encoder = load_sentence_encoder(folder)
    texts = ["the storm hit", "", "a coast", "the storm hit"]
    vectors = encoder.embed(texts)
    for text, vector in zip(texts, vectors, strict=True):
        np.testing.assert_allclose(vector, pooled_by_transformers(folder, text, mode), atol=1e-5)
    assert f"|pooling:{mode}|normalised:yes" in encoder.signature
    assert encoder.embed([]).shape == (0, 0)


def test_sentence_vectors_of_the_real_model_are_the_pooled_ones(minilm: Path) -> None:
    texts = ["Violent storm hits the coast of Norland", "the coast of Norland was hit by a storm", "I like coffee"]
    vectors = load_sentence_encoder("all-MiniLM-L6-v2").embed(texts)
    for text, vector in zip(texts, vectors, strict=True):
        np.testing.assert_allclose(vector, pooled_by_transformers(minilm, text, "mean"), atol=1e-5)
    assert vectors[0] @ vectors[1] > 0.8 > 0.3 > vectors[0] @ vectors[2]


POOLED_OTHERWISE = [
    ({"pooling_mode_median_tokens": True}, "pooling_mode_median_tokens"),
    ({"pooling_mode": "median"}, "nothing known"),
    ({"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": True}, "mean_tokens and pooling_mode_cls_token"),
    ({"word_embedding_dimension": 3}, "nothing known"),
]


@pytest.mark.parametrize(("config", "complaint"), POOLED_OTHERWISE)
def test_a_pooling_that_is_not_known_is_refused(tiny_bert: Path, tmp_path: Path, config: dict, complaint: str) -> None:
    folder = tmp_path / "pooled"
    shutil.copytree(tiny_bert, folder)
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(config))
    with pytest.raises(InputError, match=complaint):
        load_sentence_encoder(folder)


class CountingEncoder:
    """The real encoder, which counts what it was asked for."""

    def __init__(self, encoder: OnnxBert) -> None:
        self.encoder = encoder
        self.signature = encoder.signature
        self.asked: list[str] = []

    def token_ids(self, texts):
        return self.encoder.token_ids(texts)

    def encode(self, texts):
        self.asked += texts
        return self.encoder.encode(texts)


def test_a_memory_asks_once_and_forgets_what_was_asked_for_longest_ago(tiny_bert: Path) -> None:
    counting = CountingEncoder(OnnxBert(tiny_bert, 1))
    one_text = counting.encoder.encode(["a storm"])[0].vectors.nbytes
    memory = RememberingEncoder(counting, most_bytes=2 * one_text)
    first = memory.encode(["a storm", "a coast", "a storm"])
    assert counting.asked == ["a storm", "a coast"]
    assert memory.encode(["a storm"])[0] is first[0]
    memory.encode(["the coast"])  # now "a coast" is forgotten
    assert counting.asked == ["a storm", "a coast", "the coast"]
    memory.encode(["a storm", "a coast"])
    assert counting.asked == ["a storm", "a coast", "the coast", "a coast"]
    assert memory.bytes <= 2 * one_text
    assert memory.signature == counting.signature


def test_a_memory_too_small_for_what_is_asked_still_answers(tiny_bert: Path) -> None:
    memory = RememberingEncoder(OnnxBert(tiny_bert, 1), most_bytes=10)
    texts = ["a storm", "a coast"]
    for found, expected in zip(memory.encode(texts), OnnxBert(tiny_bert, 1).encode(texts), strict=True):
        np.testing.assert_array_equal(found.vectors, expected.vectors)
    assert not memory.remembered


def test_sentence_vectors_are_computed_once_and_forgotten_when_there_are_too_many(
    tiny_bert: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from paraloom.models.encoders import pooling

    counting = CountingEncoder(OnnxBert(tiny_bert, 3))
    encoder = pooling.PooledEncoder(counting)
    first = encoder.embed(["a storm", "a coast", "a storm"])
    np.testing.assert_array_equal(encoder.embed(["a storm", "a coast", "a storm"]), first)
    assert counting.asked == ["a storm", "a coast"]
    monkeypatch.setattr(pooling, "REMEMBERED", 2)
    monkeypatch.setattr(pooling, "TEXTS_AT_ONCE", 2)
    again = encoder.embed(["the coast", "a storm", "a coast"])  # more than are kept
    np.testing.assert_allclose(again[1], first[0], atol=1e-6)
    assert counting.asked == ["a storm", "a coast", "the coast", "a storm", "a coast"]
