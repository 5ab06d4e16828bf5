"""A group's origin and pages in, the reason a sentence is a copy of them out (Lan et al., 2017, §3.2)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from rapidfuzz import fuzz

from paraloom.text.normalise import Keys, comparable, comparable_without_tags

_SITE_NAME = re.compile(r"\s+[|\u2013\u2014\u00b7»-]\s+[^|\u2013\u2014\u00b7»]{2,40}$")
"""What pages add to their title: `Storm hits coast | The Courier`."""

LEAST_LETTERS = 12
"""A shorter text is inside many others by chance, so nothing is called its copy."""


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
            if any(said in compared or said in bare for said in self.origin_sentences):
                return "retweet: contains the origin"
        for page in self.pages:
            if bare == page or fuzz.ratio(bare, page, score_cutoff=self.likeness):
                return "retweet: page title or description"
        return None


def copied_from(origin: str, origin_sentences: Iterable[str], pages: Iterable[str], likeness: float) -> Copied:
    """What the sentences of a group are compared with: the origin, its own sentences, its pages' titles."""
    whole_and_parts = (origin, *origin_sentences)
    spoken = {form for said in whole_and_parts for form in (comparable(said), comparable_without_tags(said))}
    titles = {form for page in pages for form in (page, _SITE_NAME.sub("", page))}
    return Copied(
        origin=comparable(origin),
        origin_without_tags=comparable_without_tags(origin),
        origin_sentences=tuple(sorted(said for said in spoken if len(said) >= LEAST_LETTERS)),
        pages=tuple(sorted({comparable_without_tags(title) for title in titles} - {""})),
        likeness=likeness,
    )
