"""A table of word vectors in, one out that compiled loops can ask: a vector in 8 bits for each word or word piece.

Tables are read from `glove-50d` and its like, from a safetensors file, or are made of the shipped encoder's own word
pieces, whose directions of most variance say nearly as much as all of them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.models.identifiers import SHIPPED

ENCODER, NONE = "encoder", "none"
"""Names of the table that is made of the shipped encoder, and of the one that is empty."""
WIDTH = 64
"""Numbers of a vector made of the encoder's 384: no fewer are as good, and no more are better."""
CONTINUES = "##"
"""Begins a word piece that does not begin a word."""
LENGTH = 127
WORDS = "words"
VECTORS = "vectors"


@dataclass(frozen=True, eq=False, kw_only=True)
class TokenTable:
    """Vectors of words and word pieces, each of length 127 in whole numbers."""

    name: str
    words: tuple[str, ...]
    vectors: NDArray[np.int8]

    @classmethod
    def of(cls, name: str, words: Sequence[str], vectors: NDArray[Any]) -> TokenTable:
        """A table of vectors of any length.

        >>> TokenTable.of("two", ["storm", "gale"], np.array([[3.0, 4.0], [0.0, 0.0]])).vectors.tolist()
        [[76, 102], [0, 0]]
        """
        check_shape(name, words, vectors)
        numbers = vectors.astype(np.float64)
        if not np.isfinite(numbers).all():
            raise InputError(f"The table {name} holds vectors that are not numbers. Get it again.")
        lengths = np.linalg.norm(numbers, axis=1, keepdims=True)
        unit = np.divide(numbers, lengths, out=np.zeros_like(numbers), where=lengths > 0)
        return cls(name=name, words=tuple(words), vectors=np.rint(unit * LENGTH).astype(np.int8))

    @cached_property
    def rows(self) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
        """The row of each word by its hash."""
        from paraloom.models.identifiers.hashed_rows import hashed
        from paraloom.models.identifiers.pair_tokens import FIRST_HASH, INNER_HASH

        return hashed(
            np.array(
                [
                    hash_of(word.removeprefix(CONTINUES), int(INNER_HASH if word.startswith(CONTINUES) else FIRST_HASH))
                    for word in self.words
                ],
                np.uint64,
            )
        )

    @cached_property
    def digest(self) -> str:
        """A hash of all that decides a vector."""
        hashed = blake2b("\n".join(self.words).encode("utf-8", "surrogatepass"), digest_size=4)
        hashed.update(np.ascontiguousarray(self.vectors).data)
        return hashed.hexdigest()

    def write(self, file: Path) -> None:
        """Into one safetensors file, words included."""
        from safetensors.numpy import save_file

        words = "\n".join(self.words).encode("utf-8", "surrogatepass")
        save_file({VECTORS: self.vectors, WORDS: np.frombuffer(words, np.uint8)}, file, {"name": self.name})

    @classmethod
    def read(cls, file: Path) -> TokenTable:
        """From a safetensors file with `vectors`, and `words` as UTF-8 bytes with a line feed between two.

        Without words it must have as many rows as the shipped encoder has word pieces, and their order.
        """
        from safetensors import SafetensorError, safe_open

        try:
            with safe_open(file, framework="numpy") as opened:
                names = list(opened.keys())
                if VECTORS not in names:
                    raise InputError(f"{file} has no tensor {VECTORS!r}; it has {', '.join(names)}.")
                vectors = opened.get_tensor(VECTORS)
                name = (opened.metadata() or {}).get("name", file.stem)
                if WORDS in names:
                    words = opened.get_tensor(WORDS).tobytes().decode("utf-8", "surrogatepass").split("\n")
                else:
                    words = shipped_pieces()
        except (SafetensorError, OSError, UnicodeDecodeError) as error:
            raise InputError(f"{file} cannot be read as a table of vectors: {error}. Check the path.") from error
        if vectors.dtype != np.int8:
            return cls.of(name, words, vectors)
        words = words if len(vectors) else []
        check_shape(name, words, vectors)
        return cls(name=name, words=tuple(words), vectors=vectors)


def check_shape(name: str, words: Sequence[str], vectors: NDArray[Any]) -> None:
    """Refuse a table that has not one vector a word."""
    if vectors.ndim != 2 or len(words) != len(vectors):
        raise InputError(
            f"The table {name} has {len(words)} words and vectors of the shape {vectors.shape}; give one row a word."
        )


def load_table(name_or_file: str) -> TokenTable:
    """The table of this name: `encoder`, `none`, word vectors that can be fetched, or a safetensors file.

    >>> load_table("none").vectors.shape
    (0, 1)
    """
    if name_or_file == NONE:
        return TokenTable(name=NONE, words=(), vectors=np.zeros((0, 1), np.int8))
    if name_or_file == ENCODER:
        return _of_encoder()
    if name_or_file.endswith(".safetensors"):
        return TokenTable.read(Path(name_or_file))
    from paraloom.models.word_vectors import load_word_vectors

    vectors = load_word_vectors(name_or_file)
    return TokenTable.of(Path(name_or_file).name, list(vectors.row_of), vectors.table)


def shipped_pieces() -> list[str]:
    """The word pieces of the shipped encoder, in the order of its vectors."""
    from paraloom.models.pair_model import FOLDER

    vocabulary: dict[str, int] = json.loads((SHIPPED / FOLDER / "tokenizer.json").read_text(encoding="utf-8"))["model"][
        "vocab"
    ]
    return sorted(vocabulary, key=vocabulary.__getitem__)


def _of_encoder() -> TokenTable:
    """The shipped encoder's vectors of word pieces along their first principal components."""
    from paraloom.models.int8 import read_int8
    from paraloom.models.pair_model import FOLDER, WEIGHTS

    vectors = read_int8(SHIPPED / FOLDER / WEIGHTS)["embeddings.word_embeddings.weight"].astype(np.float64)
    centred = vectors - vectors.mean(axis=0)
    _, directions = np.linalg.eigh(centred.T @ centred)
    return TokenTable.of(ENCODER, shipped_pieces(), centred @ directions[:, ::-1][:, :WIDTH])


def hash_of(word: str, begun: int) -> int:
    """The hash of a word as compiled loops have it.

    >>> from paraloom.models.identifiers.pair_tokens import FIRST_HASH
    >>> hash_of("", int(FIRST_HASH)) == int(FIRST_HASH)
    True
    """
    for byte in word.encode("utf-8", "replace"):
        begun = ((begun ^ byte) * 1099511628211) & 0xFFFFFFFFFFFFFFFF
    return begun
