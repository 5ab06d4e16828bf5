"""Any embedder and a vocabulary in, a static embedder out that has learned from it: no texts are needed.

As model2vec does it (Tulkens and van Dongen, 2024): every word piece is given to the teacher alone, the vectors are
turned to their principal components and cut, and a piece weighs the less the commoner it is (Arora et al., 2017: a /
(a + p)). How common it is, is counted, or told by its rank (Zipf).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.models.embedders import Embedder
from paraloom.models.embedders.directions import leading_directions
from paraloom.models.embedders.known_pieces import CONTINUES
from paraloom.models.embedders.piece_loops import LONGEST_WORD
from paraloom.models.embedders.static import save_static

MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
SMOOTHING = 1e-4
"""a: how soon a common piece loses weight."""
SIZES = (64, 128, 256, 512)


def distil_static(
    teacher: Embedder,
    vocabulary: Sequence[str] | Path,
    folder: Path,
    *,
    dims: int = 256,
    counts: Sequence[float] | None = None,
    smoothing: float = SMOOTHING,
    card: Mapping[str, Any] | None = None,
) -> None:
    """Write a static embedder whose pieces have the teacher's vectors.

    `vocabulary` is a tokenizer.json, or words from common to rare, of which a tokeniser is made; `counts` says how
    often each of its pieces is met, in their order. Without it the order tells. `smoothing` is a.
    """
    folder.mkdir(parents=True, exist_ok=True)
    tokeniser = folder / "tokenizer.json"
    described = vocabulary.read_text(encoding="utf-8") if isinstance(vocabulary, Path) else tokeniser_of(vocabulary)
    pieces, is_mark = pieces_of(described)
    if counts is not None and len(counts) != len(pieces):
        raise InputError(f"There are {len(pieces)} word pieces and {len(counts)} counts; give one a piece.")
    vectors = teacher.embed([piece.removeprefix(CONTINUES) if piece != CONTINUES else piece for piece in pieces])
    vectors[is_mark] = 0
    told = principal(vectors, np.any(vectors, axis=1), dims)
    weights = rarity(_zipf(~is_mark) if counts is None else np.asarray(counts, np.float64), smoothing)
    tokeniser.write_text(described, encoding="utf-8")
    sizes = [size for size in SIZES if size <= told.shape[1]]
    said = {"distilled_from": teacher.signature, "sizes": sizes or [told.shape[1]], **(card or {})}
    save_static(folder, told * weights[:, None], tokeniser, card=said)


def principal(vectors: NDArray[Any], known: NDArray[np.bool_], dims: int) -> NDArray[np.float32]:
    """Vectors along their principal components, the first of them; those that are not known stay zeros."""
    if known.sum() < 2:
        raise InputError("The teacher knows fewer than two pieces of this vocabulary. Give it words of its language.")
    centred = vectors[known].astype(np.float64)
    centred -= centred.mean(axis=0)
    directions = leading_directions(centred, dims)
    told = np.zeros((len(vectors), directions.shape[1]), np.float32)
    told[known] = centred @ directions
    return told


def rarity(counts: NDArray[np.float64], smoothing: float = SMOOTHING) -> NDArray[np.float64]:
    """What each piece weighs: a / (a + its share).

    >>> rarity(np.array([9000.0, 999.0, 1.0])).round(4).tolist()
    [0.0001, 0.001, 0.5]
    """
    return np.asarray(smoothing / (smoothing + counts / max(float(counts.sum()), 1e-12)))


def _zipf(counted: NDArray[np.bool_]) -> NDArray[np.float64]:
    """A count for each piece by its rank among those that count."""
    ranks = np.cumsum(counted)
    return np.where(counted, 1 / np.maximum(ranks, 1), 0.0)


def pieces_of(described: str) -> tuple[list[str], NDArray[np.bool_]]:
    """The pieces of a tokenizer.json by number, and which of them are marks or stand for nothing."""
    told = json.loads(described)
    vocabulary = told["model"]["vocab"]
    if not isinstance(vocabulary, dict):
        raise InputError("The pieces of this tokeniser have scores, not numbers. Give one of BERT's kind, or words.")
    pieces = sorted(vocabulary, key=vocabulary.__getitem__)
    if [vocabulary[piece] for piece in pieces] != list(range(len(pieces))):
        raise InputError("The pieces of this tokeniser are not numbered from 0 without gaps. Give another one.")
    marks = {one["content"] for one in told.get("added_tokens", []) if one.get("special")}
    is_mark = [piece in marks or (piece.startswith("[unused") and piece.endswith("]")) for piece in pieces]
    return pieces, np.array(is_mark, np.bool_)


def tokeniser_of(words: Sequence[str], *, strip_accents: bool = False) -> str:
    """A tokenizer.json of BERT's kind that knows these words in lower case, and their letters.

    >>> pieces_of(tokeniser_of(["sää", "tuuli"]))[0][5:8]
    ['sää', 'tuuli', 's']
    """
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    lowered = list(dict.fromkeys(word.lower() for word in words if word.strip()))
    if not lowered:
        raise InputError("The vocabulary has no words. Give at least one.")
    letters = list(dict.fromkeys(letter for word in lowered for letter in word))
    pieces = dict.fromkeys([*MARKS, *lowered, *letters, *(f"{CONTINUES}{letter}" for letter in letters)])
    numbers = {piece: number for number, piece in enumerate(pieces)}
    tokeniser = Tokenizer(models.WordPiece(numbers, unk_token="[UNK]", max_input_chars_per_word=LONGEST_WORD))
    tokeniser.normalizer = normalizers.BertNormalizer(lowercase=True, strip_accents=strip_accents)
    tokeniser.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokeniser.add_special_tokens(list(MARKS))
    return str(tokeniser.to_str())
