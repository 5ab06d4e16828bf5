"""What a pair must be for a generator to learn from it. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from paraloom.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class FitOptions:
    """What a source and its paraphrase must be to be learned from."""

    max_bleu: float = 14.0
    """Pairs with a higher sentence BLEU, one way or the other, are left out as `bleu`: they teach to copy (Dou et al.,
    2022, section 4.1). 100 keeps all."""
    cased_bleu: bool = False
    """For that BLEU, a capital makes another word, as in the paper; else a text in capitals is a copy, too."""
    facts: Literal["kept", "not-invented", "any"] = "kept"
    """A paraphrase that has names or numbers which its source has not is left out as `invented`, and under `kept` one
    that lacks some as `missing`; `any` looks at none."""
    near_copies: bool = False
    """Learn also from pairs in which small words or inflections alone differ; else they are left out as `near_copy`."""
    min_words: int = 3
    """A pair with a text of fewer words is left out as `length`."""
    max_words: int = 60
    """A pair with a text of more words is left out as `length`."""
    max_length_ratio: float = 2.5
    """A pair of which one text has so many times the words of the other, or more, is left out as `length`."""
    min_score: float = 0.5
    """What an identifier (--judge) finds less likely a paraphrase, by the strict definition, is left out as
    `not_strict`."""
    language: str = "en"
    """Two-letter code of the texts' language, for facts, near copies and blanks before full stops."""

    def __post_init__(self) -> None:
        if not 0 <= self.max_bleu <= 100:
            raise InputError(f"--max-bleu {self.max_bleu:g} is no BLEU. Give 0 to 100; 100 keeps all pairs.")
        if not 0 <= self.min_score <= 1:
            raise InputError(f"--min-score {self.min_score:g} is no probability. Give 0 to 1.")
        if not 1 <= self.min_words <= self.max_words:
            raise InputError(
                f"--min-words {self.min_words} and --max-words {self.max_words} leave no text. Give 1 or more, the "
                "second not below the first."
            )
        if self.max_length_ratio <= 1:
            raise InputError(f"--max-length-ratio {self.max_length_ratio:g} must be above 1. 2.5 is usual.")
