"""A group's origin and pages in, the reason a sentence is a copy of them out (Lan et al., 2017, §3.2)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from rapidfuzz import fuzz

from paraloom.text.normalise import Keys, comparable, comparable_without_tags

_SITE_NAME = re.compile(r"\s+[|\u2013\u2014\u00b7»-]\s+[^|\u2013\u2014\u00b7»]{2,40}$")
"""What pages add to their title: `Storm hits coast | The Courier`."""

CERTAIN_LETTERS = 12
"""A text of so many letters is not inside another by chance; a shorter one must stand there as whole words."""
LEAST_WORDS = 3
"""A shorter origin ("Oh no") is in many sentences that say something of their own."""


@dataclass(frozen=True, slots=True)
class Copied:
    """What a sentence of a group may have been copied from, ready to be compared with."""

    origin: str
    origin_without_tags: str
    origin_sentences: tuple[str, ...]
    pages: tuple[str, ...]
    likeness: float

    def reason(self, sentence: Keys) -> str | None:
        """Why the sentence with these keys is a manual retweet, or None where it says something of its own."""
        compared, bare = sentence.comparable, sentence.comparable_without_tags
        if self.origin:
            if bare == self.origin_without_tags or bare in self.origin_sentences:
                return "retweet: same as the origin"
            if compared in self.origin or (bare and bare in self.origin_without_tags):
                return "retweet: part of the origin"
            if any(_contains(compared, said) or _contains(bare, said) for said in self.origin_sentences):
                return "retweet: contains the origin"
        if bare in self.pages or any(fuzz.ratio(bare, page, score_cutoff=self.likeness) for page in self.pages):
            return "retweet: page title or description"
        return None


def _tells(said: str) -> bool:
    """Whether a text says enough for another to be its copy; scripts without spaces say much in few letters."""
    return len(said) >= (CERTAIN_LETTERS if said.isascii() else LEAST_WORDS) or len(said.split()) >= LEAST_WORDS


def _contains(sentence: str, said: str) -> bool:
    if said not in sentence:
        return False
    return len(said) >= CERTAIN_LETTERS or not said.isascii() or f" {said} " in f" {sentence} "


def copied_from(origin: str, origin_sentences: Iterable[str], pages: Iterable[str], likeness: float) -> Copied:
    """What the sentences of a group are compared with: the origin, its own sentences, its pages' titles."""
    whole_and_parts = (origin, *origin_sentences)
    spoken = {form for said in whole_and_parts for form in (comparable(said), comparable_without_tags(said))}
    return Copied(
        origin=comparable(origin),
        origin_without_tags=comparable_without_tags(origin),
        origin_sentences=tuple(sorted(filter(_tells, spoken))),
        pages=page_keys(pages),
        likeness=likeness,
    )


def page_keys(pages: Iterable[str]) -> tuple[str, ...]:
    """Titles and descriptions as sentences are compared with them, with and without the site's name."""
    titles = {form for page in pages for form in (page, _SITE_NAME.sub("", page))}
    return tuple(sorted({comparable_without_tags(title) for title in titles} - {""}))
