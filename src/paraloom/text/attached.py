"""A post in, its sentence out, and what is only attached to it: hashtags, links and addresses before and behind.

What is attached is no part of what is said: a paraphrase of the sentence gets it back as it was. Where a tag may be a
word of the sentence ("I love #NYC", "#NYC is loud") it stays there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from paraloom.text.function_words import function_words
from paraloom.text.patterns import LINK

FEWEST_WORDS = 3
"""A sentence that has fewer left is not parted from what is attached to it."""

_TAG = r"[#@][\w.]*\w"
_PIECE = re.compile(rf"{LINK}|(?:via |by )?{_TAG}", re.IGNORECASE)
_BEHIND = re.compile(rf"(?:\s+(?:{LINK}|(?:via )?{_TAG}))+$", re.IGNORECASE)
_BEGINS = (
    "the|a|an|i|i'm|you|we|they|he|she|it|this|that|these|those|my|your|our|their|what|why|how|when|where|who|if|please"
)
_ADDRESSES = re.compile(rf"(?:\.?@\w+[,:]?\s+){{2,}}|\.?@\w+(?:[,:]\s+|\s+(?=(?:{_BEGINS})\b))", re.IGNORECASE)
"""One that is spoken to; with these words behind it a mention is not what the sentence is about."""
_LABELS = re.compile(r"(?:#\w+:?\s+)+(?=(?:[A-Z][\w'’]*,? ){1,3}[a-z]+\b)")
_MENTION_ALONE = re.compile(r"\s+@\w+$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attached:
    """A sentence, and what stood before and behind it."""

    before: str
    sentence: str
    behind: str

    def put_back(self, paraphrase: str) -> str:
        """A paraphrase of the sentence with what was attached; what it has already does not come twice.

        >>> parted("Storm hits the coast #weather https://example.org/a").put_back("A gale struck. #Weather")
        'A gale struck. #Weather https://example.org/a'
        """
        has = paraphrase.casefold()
        before, behind = (
            " ".join(piece for piece in _PIECE.findall(part) if piece.casefold() not in has)
            for part in (self.before, self.behind)
        )
        return " ".join(part for part in (before, paraphrase, behind) if part)


def parted(text: str) -> Attached:
    """A post without what is only attached to it.

    >>> parted("Storm hits the coast #weather https://example.org/a").sentence
    'Storm hits the coast'
    >>> parted("@ann @bob the link is broken again").sentence
    'the link is broken again'
    >>> parted("I can't wait for #Christmas").behind
    ''
    """
    behind = _behind(text)
    rest = text[: len(text) - len(behind)]
    found = _ADDRESSES.match(rest) or _LABELS.match(rest)
    before = found.group() if found else ""
    sentence = rest[len(before) :]
    if len(sentence.split()) < FEWEST_WORDS:
        return Attached(before="", sentence=text, behind="")
    return Attached(before=before, sentence=sentence, behind=behind)


def _behind(text: str) -> str:
    found = _BEHIND.search(text)
    if found is None or _MENTION_ALONE.fullmatch(found.group()):
        return ""
    words = re.findall(r"\w+", text[: found.start()])
    ends_open = bool(words) and words[-1] in function_words("en") and text[found.start() - 1].isalnum()
    return "" if ends_open and found.group().lstrip()[0] in "#@" else found.group()
