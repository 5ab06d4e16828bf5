"""Words of two texts that stand for each other in, out comes what it is that makes them differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from paraloom.metrics.types.words import Word
from paraloom.models.aligners.lexical_words import kinship
from paraloom.phrases.phenomena_names import is_anaphora
from paraloom.phrases.phenomena_spelling import is_spelling
from paraloom.phrases.phenomena_words import ARTICLES, Words, is_mention

Kind = Literal["elaboration", "spelling", "synonym", "phrasal", "anaphora", "reordering"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""In the order of Table 7."""


def kind_of_difference(left: Words, right: Words, ours: Sequence[int], theirs: Sequence[int]) -> Kind | None:
    """What these words, by their numbers, are to those that they stand for.

    None where there is no phenomenon: the same words, other forms of them, function words, other numbers.

    >>> from paraloom.phrases.phenomena_words import words_of_tokens
    >>> texts = "Kirk took over a firm", "he replaced a big firm"
    >>> left, right = (words_of_tokens(text.split()) for text in texts)
    >>> [kind_of_difference(left, right, *some) for some in (((1, 2), (1,)), ((0,), (0,)), ((4,), (3, 4)))]
    ['phrasal', 'anaphora', 'elaboration']
    """
    mine, others = [left.words[one] for one in ours], [right.words[other] for other in theirs]
    texts, other_texts = [word.text for word in mine], [word.text for word in others]
    if texts == other_texts:
        return None
    if is_spelling(texts, other_texts):
        return "anaphora" if any(map(is_mention, (*texts, *other_texts))) else "spelling"
    content, other_content = ([word for word in side if word.is_content] for side in (mine, others))
    rest, other_rest = _without_kin(content, other_content), _without_kin(other_content, content)
    if not rest and not other_rest:
        return None
    if is_anaphora(left, right, ours, theirs):
        return "anaphora"
    if all(word.is_number for word in (*rest, *other_rest)):
        return None
    if content and other_content and not (rest and other_rest):
        return "elaboration"
    if max(sum(word.plain not in ARTICLES for word in side) for side in (mine, others)) > 1:
        return "phrasal"
    return "synonym" if content and other_content else None


def _without_kin(words: Sequence[Word], others: Sequence[Word]) -> list[Word]:
    """Words none of the others is a form of."""
    return [word for word in words if not any(kinship(word.text, other.text) for other in others)]
