"""Two documents in, the stretches of them that may say the same out, with what is measured of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from paraloom.metrics.likeness.character_tfidf import CharacterTfidf
from paraloom.pairs.best_matches import MOST_SENTENCES, best_matches
from paraloom.pairs.extract_options import InOrder
from paraloom.pairs.monotone import Match, matches_in_order
from paraloom.pairs.phrases_of_sentences import Asked, phrases
from paraloom.pairs.similarities import Embed, sentence_vectors
from paraloom.pairs.units import Span, units
from paraloom.pairs.worth import Measured
from paraloom.text.headings import HEADED, heading
from paraloom.text.tokenise import words

PARALLEL = ("subtitle", "translation")
"""Kinds whose documents say the same things in the same order."""

IN_ORDER, BEST_MATCH, HEADINGS = "in-order", "best-match", "headings"

MOST_LETTERS = 20_000
"""Of a longer stretch the words are not read: it is too long for anybody to mark."""
MATCHES_AT_ONCE = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the two documents, or the part of it that is meant."""

    document_id: str
    text: str
    kind: str
    title: str | None = None
    start: int | None = None
    end: int | None = None

    def heading(self) -> Span | None:
        """Where the heading stands, if it belongs to the part."""
        if self.kind not in HEADED or self.start:
            return None
        found = heading(self.text, self.title)
        return found if found and (self.end is None or found[1] <= self.end) else None

    def body(self) -> list[Span]:
        """The sentences of the part, without the heading."""
        above = self.heading()
        return units(self.text, self.kind, above[1] if above else self.start or 0, self.end)

    def said(self, span: Span) -> str:
        """A stretch of the text, with single blanks."""
        return " ".join(self.text[slice(*span)].split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A stretch of either document."""

    left: Span
    right: Span
    shape: str
    found_by: str
    words: tuple[list[str], list[str]]
    measured: Measured


def suggestions(
    left: Side,
    right: Side,
    *,
    documents_alike: float = 0.0,
    in_order: InOrder = "by kind",
    embed: Embed | None = None,
) -> Iterator[Suggestion]:
    """The headings of two articles, then the matches of their sentences in the order of the left document."""
    spans, other_spans = left.body(), right.body()
    ordered = IN_ORDER_WHEN[in_order](left, right)
    if not ordered:
        spans, other_spans = spans[:MOST_SENTENCES], other_spans[:MOST_SENTENCES]
    texts, other_texts = [left.said(span) for span in spans], [right.said(span) for span in other_spans]
    vectors, other_vectors, model = sentence_vectors(texts, other_texts, embed)
    found = (matches_in_order if ordered else best_matches)(vectors, other_vectors)
    yield from _headings(left, right, documents_alike)
    found_by, by_meaning = IN_ORDER if ordered else BEST_MATCH, embed is not None
    for start in range(0, len(found), MATCHES_AT_ONCE):
        some = found[start : start + MATCHES_AT_ONCE]
        stretches = _stretches(some, spans, other_spans, left, right, model)
        yield from _measured(some, stretches, left, right, model, found_by, by_meaning)


IN_ORDER_WHEN: dict[InOrder, Callable[[Side, Side], bool]] = {
    "by kind": lambda left, right: left.kind in PARALLEL and right.kind in PARALLEL,
    "always": lambda left, right: True,
    "never": lambda left, right: False,
}


def _headings(left: Side, right: Side, documents_alike: float) -> Iterator[Suggestion]:
    above, other_above = left.heading(), right.heading()
    if above is None or other_above is None or {left.kind, right.kind} != {"article"}:
        return
    match = Match((0, 1), (0, 1), likeness=0.0, around=documents_alike)
    # By no model of these two articles: headings of any two are measured alike, as when the articles were compared.
    yield from _measured(
        [match], [(above, other_above, "heading")], left, right, CharacterTfidf(), HEADINGS, by_meaning=False
    )


def _stretches(
    found: Sequence[Match],
    spans: Sequence[Span],
    other_spans: Sequence[Span],
    left: Side,
    right: Side,
    model: CharacterTfidf,
) -> list[tuple[Span, Span, str]]:
    """Where the sides of each match stand, narrowed to a phrase where a sentence says more than the other side."""
    mine = [(spans[first][0], spans[last - 1][1]) for first, last in (match.left for match in found)]
    others = [(other_spans[first][0], other_spans[last - 1][1]) for first, last in (match.right for match in found)]
    asked, places = [], []
    for place, match in enumerate(found):
        counts = [last - first for first, last in (match.left, match.right)]
        longer = int(others[place][1] - others[place][0] > mine[place][1] - mine[place][0])
        if counts[longer] == 1:
            side, span = (right, others[place]) if longer else (left, mine[place])
            asked.append(Asked(side.text, span, left.said(mine[place]) if longer else right.said(others[place])))
            places.append((place, longer))
    shapes = [[str(last - first) for first, last in (match.left, match.right)] for match in found]
    for (place, longer), phrase in zip(places, phrases(asked, model), strict=True):
        if phrase is not None:
            (others if longer else mine)[place] = phrase
            shapes[place][longer] = "phrase"
    return [(one, other, "-".join(shape)) for one, other, shape in zip(mine, others, shapes, strict=True)]


def _measured(
    found: Sequence[Match],
    stretches: Sequence[tuple[Span, Span, str]],
    left: Side,
    right: Side,
    model: CharacterTfidf,
    found_by: str,
    by_meaning: bool,
) -> Iterator[Suggestion]:
    texts = [left.said(mine) for mine, _, _ in stretches]
    other_texts = [right.said(other) for _, other, _ in stretches]
    places = np.arange(len(found))
    vectors = model.vectors([*texts, *other_texts])
    letters = vectors.cosines_of_rows(vectors, places, places + len(texts))
    rows = zip(found, stretches, texts, other_texts, np.round(letters.astype(np.float64), 6).tolist(), strict=True)
    for match, (mine, other, shape), text, other_text, alike in rows:
        said = words(text[:MOST_LETTERS]), words(other_text[:MOST_LETTERS])
        yield Suggestion(
            left=mine,
            right=other,
            shape=shape,
            found_by=found_by,
            words=said,
            measured=Measured(
                likeness=match.likeness if by_meaning else alike,
                letters=alike,
                words=(len(said[0]), len(said[1])),
                lengths=(len(text), len(other_text)),
                around=match.around,
                by_meaning=by_meaning,
            ),
        )
