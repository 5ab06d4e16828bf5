"""Texts in, the mean of their sub-word vectors out: the SIM model of Wieting et al. (2019).

As its authors feed it: lower case, cut into Treebank tokens, then into sentencepiece pieces. A piece that training
never saw says nothing. A text of which nothing is known (most scripts but Latin) gets zeros, and so is like no other:
the authors give it the vector of the unknown word, which would make any two such texts equal.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.signatures import hash_of_file, paraloom_version
from paraloom.errors import InputError
from paraloom.models.encoders.batches import readable
from paraloom.models.torch_pickle import read_torch_pickle
from paraloom.text.treebank import treebank_tokens

PIECES = "sim.sp.30k.model"
VECTORS = "model.safetensors"
VOCABULARY = "vocabulary.json"
PICKLE = "sim.pt"
NOT_WORDS = ("PAD", "UUUNKKK")
"""Padding and the unknown word."""
BLANK = "▁"
"""The beginning of a word whose letters are not known."""


class AveragedPieces:
    """A vector for each sub-word, learned so that paraphrases have like means; 300 dimensions."""

    def __init__(self, folder: Path, *, name: str = "") -> None:
        import sentencepiece

        if not is_averaged_pieces(folder):
            raise InputError(f"{folder} does not hold SIM ({PIECES} and its vectors). Try: paraloom models fetch sim")
        self.name = name or folder.name
        self.vectors, vocabulary = _read(folder)
        self.number = {piece: number for number, piece in enumerate(vocabulary) if piece not in NOT_WORDS}
        self.pieces = sentencepiece.SentencePieceProcessor(model_file=str(folder / PIECES))
        weights = self._hash_of_weights(folder)
        settings = "case:lc|words:treebank|pooling:mean"
        self.signature = f"encoder:{self.name}|{settings}|weights:{weights[:8]}|paraloom:{paraloom_version()}"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row a text."""
        return np.array([self._mean(text) for text in readable(texts)], np.float32).reshape(-1, self.vectors.shape[1])

    def _mean(self, text: str) -> NDArray[np.float64]:
        words = " ".join(treebank_tokens(text.lower()))
        pieces = self.pieces.encode(words, out_type=str)
        known = [piece for piece in pieces if piece in self.number]
        if set(known) <= {BLANK}:
            return np.zeros(self.vectors.shape[1])
        return np.asarray(self.vectors[[self.number[piece] for piece in known]].mean(axis=0, dtype=np.float64))

    def _hash_of_weights(self, folder: Path) -> str:
        """Of the converted file, whether or not it is there: the same weights have one signature."""
        from safetensors.numpy import save

        if (folder / VECTORS).is_file():
            return hash_of_file(folder / VECTORS)
        return blake2b(save({"embedding.weight": self.vectors}), digest_size=16).hexdigest()


def is_averaged_pieces(folder: Path) -> bool:
    """Whether a folder holds the model, as it was fetched or as its authors saved it."""
    converted = (folder / VECTORS).is_file() and (folder / VOCABULARY).is_file()
    return (folder / PIECES).is_file() and (converted or (folder / PICKLE).is_file())


def convert(folder: Path) -> None:
    """The authors' pickle becomes a table of numbers and a list of words, which run no code when read."""
    from safetensors.numpy import save

    vectors, vocabulary = _read_pickle(folder / PICKLE)
    (folder / VECTORS).write_bytes(save({"embedding.weight": vectors}))
    (folder / VOCABULARY).write_text(json.dumps(vocabulary, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
    (folder / PICKLE).unlink()


def _read(folder: Path) -> tuple[NDArray[np.float32], list[str]]:
    if not (folder / VECTORS).is_file():
        return _read_pickle(folder / PICKLE)
    from safetensors.numpy import load_file

    vocabulary = json.loads((folder / VOCABULARY).read_text(encoding="utf-8"))
    return load_file(folder / VECTORS)["embedding.weight"], vocabulary


def _read_pickle(file: Path) -> tuple[NDArray[np.float32], list[str]]:
    saved = read_torch_pickle(file)
    numbers: dict[str, int] = saved["vocab_words"]
    vocabulary = sorted(numbers, key=numbers.__getitem__)
    if [numbers[word] for word in vocabulary] != list(range(len(vocabulary))):
        raise InputError(f"The words of {file} are not numbered from 0 without gaps. Get the model again.")
    return np.ascontiguousarray(saved["state_dict"]["embedding.weight"]), vocabulary
