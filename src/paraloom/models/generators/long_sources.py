"""A source that is too long to be read at once in, parts that are not out; and their candidates joined again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from paraloom.models.generators import Candidate
from paraloom.text.split import split


def parts(text: str, fits: Callable[[str], bool], *, by_sentence: bool = False) -> list[str]:
    """The text in as few parts as fit, each of whole sentences; a sentence that does not fit is cut between words.

    With `by_sentence` every sentence is a part. White space is made single blanks. A word that does not fit by
    itself (a megabyte without a blank) is cut where it must be.

    >>> parts("One two. Three four. Five.", lambda part: len(part) <= 20)
    ['One two. Three four.', 'Five.']
    >>> parts("one two three", lambda part: len(part) <= 8)
    ['one two', 'three']
    """
    whole = " ".join(text.split())
    if not whole or (fits(whole) and not by_sentence):
        return [whole] if whole else []
    sentences = [" ".join(text[start:end].split()) for start, end in split(text)]
    if not by_sentence:
        return _packed(sentences, fits)
    return [part for sentence in sentences for part in _packed([sentence], fits)]


def _packed(pieces: Sequence[str], fits: Callable[[str], bool]) -> list[str]:
    """Neighbours joined as long as they fit; what does not fit by itself is cut into smaller pieces."""
    packed: list[str] = []
    start = 0
    while start < len(pieces):
        taken = _most(pieces, start, fits)
        if taken:
            packed.append(" ".join(pieces[start : start + taken]))
        else:
            packed += _cut(pieces[start], fits)
        start += max(taken, 1)
    return packed


def _most(pieces: Sequence[str], start: int, fits: Callable[[str], bool]) -> int:
    """How many pieces from `start` on fit together, found by doubling and halving: a long text has many words."""
    step, known = 1, 0
    while start + known < len(pieces) and step:
        tried = min(known + step, len(pieces) - start)
        if fits(" ".join(pieces[start : start + tried])):
            known, step = tried, step * 2
        else:
            step = (tried - known) // 2
    return known


def _cut(piece: str, fits: Callable[[str], bool]) -> list[str]:
    words = piece.split()
    if len(words) > 1:
        return _packed(words, fits)
    middle = len(piece) // 2
    if not middle:
        return []  # not even a letter fits
    return [part for half in (piece[:middle], piece[middle:]) for part in ([half] if fits(half) else _cut(half, fits))]


def joined(candidates: Sequence[Sequence[Candidate]], n: int) -> list[Candidate]:
    """The candidates of a text's parts as candidates of the text: the best of each, the second of each and so on.

    A part that has fewer gives its last again. The score is the mean of the parts' scores.

    >>> one = [Candidate(text="A.", score=-1.0)]
    >>> other = [Candidate(text="B.", score=-2.0), Candidate(text="C.", score=-3.0)]
    >>> [(both.text, both.score) for both in joined([one, other], 2)]
    [('A. B.', -1.5), ('A. C.', -2.0)]
    """
    if not candidates or not all(candidates):
        return []
    found: dict[str, Candidate] = {}
    for rank in range(max(len(one) for one in candidates)):
        row = [one[min(rank, len(one) - 1)] for one in candidates]
        text = " ".join(each.text for each in row)
        found.setdefault(text, Candidate(text=text, score=sum(each.score for each in row) / len(row)))
    return sorted(found.values(), key=lambda one: (-one.score, one.text))[:n]
