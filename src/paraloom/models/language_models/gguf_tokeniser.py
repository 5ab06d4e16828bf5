"""A GGUF file in, its tokeniser out: text to word pieces and back.

A text is always text: what looks like a control piece in it (`<|im_end|>`) is read as letters, so no source can end
its own prompt.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from paraloom.errors import InputError
from paraloom.models.encoders.batches import readable
from paraloom.models.language_models.gguf import GgufFile

if TYPE_CHECKING:
    from tokenizers import Tokenizer

CONTROL = 3
"""The type of pieces that stand for no text."""
DIGIT_BY_DIGIT = {"smollm": True, "gpt-2": False}
"""Ways to cut text before pieces are joined, by the name GGUF has for them: whether every digit is a piece."""


class GgufTokeniser:
    """Byte-level byte-pair encoding with the pieces and joins of a file."""

    def __init__(self, file: GgufFile) -> None:
        kind, cut = file.text("tokenizer.ggml.model"), file.text("tokenizer.ggml.pre", "gpt-2")
        if kind != "gpt2" or cut not in DIGIT_BY_DIGIT:
            raise InputError(
                f"The tokeniser of {file.path} ({kind}, {cut}) is not one that is read here. Let a server run the "
                f"model (--generator server)."
            )
        pieces, joins = file.texts("tokenizer.ggml.tokens"), file.texts("tokenizer.ggml.merges")
        self.pieces = len(pieces)
        kinds = file.numbers("tokenizer.ggml.token_type")[: self.pieces].tolist()
        self.begin, self.end = (_piece(file, name, self.pieces) for name in ("bos", "eos"))
        # Those that begin and end a text stand for none, also in a file that does not say so.
        self.control = frozenset({self.begin, self.end, *(place for place, one in enumerate(kinds) if one == CONTROL)})
        self._tokeniser = _built(pieces, _joins(file, pieces, joins), digits=DIGIT_BY_DIGIT[cut])

    def encode(self, text: str) -> list[int]:
        """The pieces of a text; no control pieces among them."""
        (text,) = readable([text])
        ids: list[int] = self._tokeniser.encode(text, add_special_tokens=False).ids
        return ids

    def decode(self, ids: Sequence[int]) -> str:
        """The text of pieces; control pieces say nothing."""
        text: str = self._tokeniser.decode([one for one in ids if one not in self.control], skip_special_tokens=False)
        return text


def _piece(file: GgufFile, name: str, pieces: int) -> int:
    number = file.setting(f"tokenizer.ggml.{name}_token_id")
    if not isinstance(number, int) or not 0 <= number < pieces:
        raise InputError(f"{file.path} names {number!r:.40} as a piece and has {pieces}. Download the file again.")
    return number


def _joins(file: GgufFile, pieces: Sequence[str], joins: Sequence[str]) -> list[tuple[str, str]]:
    known = set(pieces)
    parted = [(left, right) for left, _, right in (join.partition(" ") for join in joins)]
    for left, right in parted:
        if not {left, right, left + right} <= known:
            raise InputError(f"{file.path} joins {left!r:.40} and {right!r:.40}, which gives no piece that it has.")
    return parted


def _built(pieces: Sequence[str], joins: list[tuple[str, str]], *, digits: bool) -> Tokenizer:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    tokeniser = Tokenizer(models.BPE(vocab={piece: number for number, piece in enumerate(pieces)}, merges=joins))
    by_bytes = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    steps = [pre_tokenizers.Digits(individual_digits=True), by_bytes] if digits else [by_bytes]
    tokeniser.pre_tokenizer = pre_tokenizers.Sequence(steps)
    tokeniser.decoder = decoders.ByteLevel()
    return tokeniser
