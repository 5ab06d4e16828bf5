"""Texts in, the numbers of their word pieces out, as a model's tokenizer.json says."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from paraloom.errors import InputError
from paraloom.models.encoders.batches import Pieces, readable


class WordPieces:
    """A tokeniser that cuts texts at a given number of pieces and pads nothing."""

    def __init__(self, file: Path, max_tokens: int) -> None:
        from tokenizers import Tokenizer

        if not file.is_file():
            raise InputError(f"There is no {file}. Get the model again, or name one whose folder holds tokenizer.json.")
        self.tokeniser = Tokenizer.from_file(str(file))
        self.tokeniser.no_padding()  # a file may say: pad to 128
        marks = self.tokeniser.num_special_tokens_to_add(is_pair=False)
        if max_tokens <= marks:
            raise InputError(f"max_tokens is {max_tokens}, and the model's own marks are {marks}. Allow more.")
        self.tokeniser.enable_truncation(max_tokens)
        # A text that says "[SEP]" is a text about it: control marks are set by us alone.
        self.tokeniser.encode_special_tokens = True

    def __call__(self, texts: Sequence[str]) -> list[Pieces]:
        """The pieces of each text."""
        return [
            Pieces(
                np.array(encoding.ids, np.int64),
                np.array(encoding.special_tokens_mask, np.bool_),
                bool(encoding.overflowing),
            )
            for encoding in self.tokeniser.encode_batch(readable(texts))
        ]
