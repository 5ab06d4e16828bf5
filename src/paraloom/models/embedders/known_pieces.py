"""Texts in, the numbers of their known word pieces out, as a tokenizer.json says; compiled where it is BERT's.

Tokenisers of BERT's kind (its normaliser, its way to find words, WordPiece) are read into tables that compiled loops
ask; what letters become, and which stand alone, is asked of the tokeniser itself, once. All others, and texts with
rare letters, go through the tokeniser.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.models.embedders.piece_loops import ALONE, BLANK, LETTER, LONGEST_WORD, OTHERWISE, REMOVED
from paraloom.models.encoders.batches import readable
from paraloom.models.encoders.pair_states import CHARACTERS_A_TOKEN

RANGES = ((0x0, 0x3400), (0x4E00, 0xA000), (0xFE00, 0xFFFE), (0x1F000, 0x1FB00))
"""Code points that compiled loops know: all but rare scripts, Korean syllables and seldom used emoji."""
PARTS = 3
"""A letter becomes at most so many, its accents taken off; of one that becomes more the tokeniser is asked."""
WIDEST = 0x1FB00
SEPARATOR, BESIDE = "|", "q"
CONTINUES = "##"

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False, kw_only=True)
class _Tables:
    """What compiled loops must know of a tokeniser."""

    kinds: NDArray[np.uint8]
    written: NDArray[np.uint32]
    keys: NDArray[np.uint64]
    rows: NDArray[np.int32]
    longest_piece: int


class KnownPieces:
    """A tokeniser that leaves out marks and what it does not know."""

    def __init__(self, file: Path, max_tokens: int) -> None:
        from tokenizers import Tokenizer

        if not file.is_file():
            raise InputError(f"There is no {file}. Get or save the embedder anew.")
        described = file.read_text(encoding="utf-8")
        try:
            told: dict[str, Any] = json.loads(described)
        except ValueError as error:
            raise InputError(f"{file} is not JSON: {error}. Get or save the embedder anew.") from error
        self.tokeniser = Tokenizer.from_str(described)
        self.tokeniser.no_padding()
        self.tokeniser.no_truncation()
        self.tokeniser.encode_special_tokens = True  # a text that says "[SEP]" is a text about it
        self.max_tokens = max_tokens
        self.size = int(self.tokeniser.get_vocab_size())
        self.unknown = _unknown(told["model"], self.tokeniser)
        self.tables = _tables(told, self.tokeniser) if _is_berts(told) else None

    def cut(self, texts: Sequence[str]) -> tuple[NDArray[np.int32], Integers]:
        """The pieces of all texts, one after the other, and the bounds of each text's."""
        most = CHARACTERS_A_TOKEN * self.max_tokens
        texts = [text[:most] for text in texts]
        if self.tables is None:
            return self._asked(texts)
        from paraloom.models.embedders.piece_loops import cut_texts

        letters = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32)
        bounds = np.zeros(len(texts) + 1, np.int64)
        np.cumsum([len(text) for text in texts], out=bounds[1:])
        told = self.tables
        pieces, starts, otherwise = cut_texts(
            letters, bounds, told.kinds, told.written, told.keys, told.rows, told.longest_piece, self.max_tokens
        )
        places = np.flatnonzero(otherwise)
        if not len(places):
            return pieces, starts
        return _merged(pieces, starts, places, *self._asked([texts[place] for place in places.tolist()]))

    def _asked(self, texts: Sequence[str]) -> tuple[NDArray[np.int32], Integers]:
        """As the tokeniser itself says."""
        encodings = self.tokeniser.encode_batch_fast(readable(texts), add_special_tokens=False)
        rows = [[piece for piece in one.ids if piece != self.unknown][: self.max_tokens] for one in encodings]
        bounds = np.zeros(len(rows) + 1, np.int64)
        np.cumsum([len(row) for row in rows], out=bounds[1:])
        return np.fromiter(chain.from_iterable(rows), np.int32, int(bounds[-1])), bounds


def _merged(
    pieces: NDArray[np.int32], bounds: Integers, places: Integers, more: NDArray[np.int32], more_bounds: Integers
) -> tuple[NDArray[np.int32], Integers]:
    """The pieces of all texts, those of some places taken from a second list."""
    lengths = np.diff(bounds)
    lengths[places] = np.diff(more_bounds)
    whole = np.zeros(len(bounds), np.int64)
    np.cumsum(lengths, out=whole[1:])
    taken = np.repeat(np.isin(np.arange(len(lengths)), places), lengths)
    merged = np.empty(int(whole[-1]), np.int32)
    merged[taken], merged[~taken] = more, pieces
    return merged, whole


def _unknown(model: dict[str, Any], tokeniser: Any) -> int | None:
    """The number of the piece that stands for what is not known."""
    if isinstance(model.get("unk_id"), int):
        return int(model["unk_id"])
    named = model.get("unk_token")
    return None if named is None else tokeniser.token_to_id(named)


def _is_berts(told: dict[str, Any]) -> bool:
    """Whether a tokenizer.json describes a tokeniser of BERT's kind."""
    kinds = [(told.get(part) or {}).get("type") for part in ("normalizer", "pre_tokenizer", "model")]
    model = told["model"]
    return (
        kinds == ["BertNormalizer", "BertPreTokenizer", "WordPiece"]
        and model.get("continuing_subword_prefix") == CONTINUES
        and model.get("max_input_chars_per_word") == LONGEST_WORD
        and all(one.get("special") for one in told.get("added_tokens", []))
    )


def _tables(told: dict[str, Any], tokeniser: Any) -> _Tables | None:
    """What compiled loops must know; None where two pieces have one hash: of all vocabularies next to none."""
    from paraloom.models.identifiers.hashed_rows import hashed
    from paraloom.models.identifiers.pair_tokens import FIRST_HASH, INNER_HASH

    vocabulary: dict[str, int] = told["model"]["vocab"]
    marks = {one["content"] for one in told.get("added_tokens", [])}
    keys = np.zeros(max(vocabulary.values()) + 1, np.uint64)
    for piece, number in vocabulary.items():
        if piece not in marks:
            inner = piece.startswith(CONTINUES) and len(piece) > len(CONTINUES)
            keys[number] = _hash(piece[2:] if inner else piece, int(INNER_HASH if inner else FIRST_HASH))
    used = keys[keys != 0]
    if len(np.unique(used)) < len(used):
        return None
    kinds, written = _letters(tokeniser)
    slots, rows = hashed(keys)
    longest = max(len(piece) for piece in vocabulary)
    return _Tables(kinds=kinds, written=written, keys=slots, rows=rows, longest_piece=longest)


def _hash(piece: str, begun: int) -> int:
    """The hash of code points as compiled loops have it."""
    for letter in piece:
        begun = ((begun ^ ord(letter)) * 1099511628211) & 0xFFFFFFFFFFFFFFFF
    return begun


def _letters(tokeniser: Any) -> tuple[NDArray[np.uint8], NDArray[np.uint32]]:
    """What each code point is, and what it becomes: the tokeniser is asked for each between two letters."""
    kinds = np.full(WIDEST, OTHERWISE, np.uint8)
    written = np.zeros((WIDEST, PARTS), np.uint32)
    asked = [chr(code) for first, last in RANGES for code in range(first, last) if chr(code) not in SEPARATOR]
    between = SEPARATOR.join(f"{BESIDE}{letter}{BESIDE}" for letter in asked)
    told = tokeniser.normalizer.normalize_str(between).split(SEPARATOR)
    became = dict(zip(asked, (one[1:-1] for one in told), strict=True)) | {SEPARATOR: SEPARATOR}
    alone = _standing_alone(tokeniser, set("".join(parts for parts in became.values() if " " not in parts)))
    for letter, parts in became.items():
        code, bare = ord(letter), parts.strip()
        kinds[code] = _kind(parts, bare, alone)
        if kinds[code] in (ALONE, LETTER):
            written[code, : len(bare)] = [ord(part) for part in bare]
    return kinds, written


def _kind(parts: str, bare: str, alone: set[str]) -> int:
    """What a letter is that became these parts."""
    if not bare:
        return BLANK if parts else REMOVED
    if len(bare) == 1 and (bare in alone or parts == f" {bare} "):
        return ALONE
    if len(bare) > PARTS or bare != parts or any(part in alone for part in bare):
        return OTHERWISE
    return LETTER


def _standing_alone(tokeniser: Any, letters: set[str]) -> set[str]:
    """Those that are words of their own: signs, and the characters of Chinese."""

    def some() -> Iterator[str]:
        for letter in sorted(letters):
            if not letter.isspace():
                words = tokeniser.pre_tokenizer.pre_tokenize_str(f"{BESIDE}{letter}{BESIDE}")
                if len(words) == 3:
                    yield letter

    return set(some())
