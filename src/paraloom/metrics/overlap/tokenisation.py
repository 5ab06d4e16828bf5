"""The name of a tokenizer in, how it turns texts into tokens out: those of sacrebleu, the common ones much faster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

ALONE_IN_13A = '{|}~[\\]^_`!"#$%&()*+:;<=>?@/'
BEYOND_THE_LAST_SPACE = 0x3001
"""U+3000 is the last sign that Python takes for white space; all signs from here on are alike."""


@dataclass(frozen=True, slots=True)
class Tokenisation:
    """How a text becomes tokens: what is done to the whole text first, then what each sign is to the walk over it."""

    before: Callable[[Sequence[str]], Sequence[str]]
    kinds: NDArray[np.uint8]


def tokens_13a(lowercase: bool = False) -> Tokenisation:
    """The tokens of mteval-v13a, sacrebleu's default.

    First, as text: `<skipped>` and hyphens at a line's end go, four HTML entities become their signs. Then each of
    `{|}~[\\]^_`!"#$%&()*+:;<=>?@/` is a token; a point or comma is one unless it stands between digits; a hyphen is one
    after a digit.
    """
    return Tokenisation(partial(_plain_13a, lowercase), _kinds_13a())


def white_space_tokens(lowercase: bool = False) -> Tokenisation:
    """What white space parts, as Python sees it."""
    return Tokenisation(lowered if lowercase else _as_they_are, _kinds_of_white_space())


def tokens_of(tokenizer: Callable[[str], str], lowercase: bool = False) -> Tokenisation:
    """What a function that writes a space between tokens makes of each text; texts lose their last spaces first."""
    return Tokenisation(partial(_tokenized, tokenizer, lowercase), _kinds_of_white_space())


def _as_they_are(texts: Sequence[str]) -> Sequence[str]:
    return texts


def lowered(texts: Sequence[str]) -> Sequence[str]:
    """The texts in lower case."""
    return [text.lower() for text in texts]


def _tokenized(tokenizer: Callable[[str], str], lowercase: bool, texts: Sequence[str]) -> Sequence[str]:
    return [tokenizer(text.rstrip()) for text in (lowered(texts) if lowercase else texts)]


def _plain_13a(lowercase: bool, texts: Sequence[str]) -> Sequence[str]:
    if lowercase:
        texts = lowered(texts)
    if _is_escaped("".join(texts)):  # few sets are, and one look at all texts costs less than one at each
        return [_unescaped(text) if _is_escaped(text) else text for text in texts]
    return texts


def _is_escaped(text: str) -> bool:
    return "&" in text or "\n" in text or "<skipped>" in text


def _unescaped(text: str) -> str:
    text = text.rstrip().replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    if "&" in text:
        text = text.replace("&quot;", '"').replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">")
    return text


@cache
def _kinds_of_white_space() -> NDArray[np.uint8]:
    from paraloom.metrics.overlap.token_spans import SPACE

    kinds = np.zeros(BEYOND_THE_LAST_SPACE, dtype=np.uint8)
    kinds[[sign for sign in range(BEYOND_THE_LAST_SPACE) if chr(sign).isspace()]] = SPACE
    kinds.flags.writeable = False
    return kinds


@cache
def _kinds_13a() -> NDArray[np.uint8]:
    from paraloom.metrics.overlap.token_spans import ALONE, DASH, DIGIT, POINT

    kinds = _kinds_of_white_space().copy()
    for kind, signs in ((ALONE, ALONE_IN_13A), (POINT, ".,"), (DASH, "-"), (DIGIT, "0123456789")):
        kinds[[ord(sign) for sign in signs]] = kind
    kinds.flags.writeable = False
    return kinds
