"""A sentence's words and tags in, the substitutions that may be made in it out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from paraloom.models.generators.lexical.substitutes import Substitute, Substitutes
from paraloom.models.generators.lexical.tags import CLOSED_WORDS, Tagger
from paraloom.models.generators.lexical.words import NUMBERS, Word

_PARTICLES = frozenset({"up", "out", "off", "down", "away", "back", "over"})
_STEM = 4
"""Words with so many first letters in common are taken for relatives: "noise", "noisy"."""
_OPEN = frozenset({"NN", "NS", "VB", "VS", "VD", "VN", "VG", "J"})
_NOUNS = ("NN", "NS")
_MODALS = frozenset({"would", "will", "must", "can", "could", "should", "ought", "was", "managed"})
_SUBJECTS = frozenset({"O", "NN", "NS", "E"})


class Edit(NamedTuple):
    """One substitution: words from `start` up to `end` are replaced by a text."""

    start: int
    end: int
    left: str
    right: str
    score: float


def find_edits(
    words: Sequence[Word], tags: Sequence[str], sources: Sequence[Substitutes], tagger: Tagger
) -> list[Edit]:
    """Every substitution that the tags allow, of several scores for one the best, in the order of the words."""
    present = {word.lower for word in words}
    longest = max((source.longest for source in sources), default=0)
    found: dict[tuple[int, int, str], Edit] = {}
    for start, word in enumerate(words):
        if word.is_kept or (start == 0 and not first_is_common(words, tags, tagger)):
            continue
        phrase = ""
        for end in range(start + 1, min(start + longest, len(words)) + 1):
            if words[end - 1].is_kept:
                break
            phrase = f"{phrase} {words[end - 1].lower}" if phrase else words[end - 1].lower
            for source in sources:
                for substitute in source.of(phrase):
                    if not _fits(substitute, phrase, start, end, words, tags, tagger):
                        continue
                    if _repeats(substitute.text, phrase, present):
                        continue
                    edit = Edit(start, end, phrase, substitute.text, substitute.score)
                    known = found.get((start, end, substitute.text))
                    if known is None or known.score < edit.score:
                        found[(start, end, substitute.text)] = edit
    return sorted(found.values())


def first_is_common(words: Sequence[Word], tags: Sequence[str], tagger: Tagger) -> bool:
    """Whether the first word, capital or not, is no name: a word of a closed class, an adverb, a known plural."""
    first = words[0]
    if first.is_name or first.text.islower():
        return not first.is_name
    if first.lower in CLOSED_WORDS or first.lower in NUMBERS or tags[0] == "R":
        return True
    follows_name = len(words) > 1 and words[1].is_name
    return tags[0] in ("NS", "J", "VB", "VG") and tagger.knows(first.lower) and not follows_name


def _fits(
    substitute: Substitute,
    phrase: str,
    start: int,
    end: int,
    words: Sequence[Word],
    tags: Sequence[str],
    tagger: Tagger,
) -> bool:
    if substitute.before and not _follows(substitute.before, end, words, tags):
        return False
    if substitute.text.split(" ", 1)[0] in _MODALS and start and tags[start - 1] not in _SUBJECTS:
        return False  # nothing may stand between a modal and whose it is: "did not want to"
    tag, first, last = substitute.tag, tags[start], tags[end - 1]
    if not tag:
        single = end == start + 1 and " " not in substitute.text
        return (
            not single
            or last not in _OPEN
            or (_stands_alone(start, end, last, tags) and tagger.may_be(substitute.text, last))
        )
    if tag[0] == "V":
        return first == tag and (end == len(words) or words[end].lower not in _PARTICLES)
    if tag[0] == "N":
        return last == tag and _stands_alone(start, end, last, tags)
    if tag == "J":
        return last == "J" or (last == "VN" and phrase.endswith("ed"))
    return last not in _OPEN


def _stands_alone(start: int, end: int, last: str, tags: Sequence[str]) -> bool:
    """Whether a noun is no part of a compound: of "fire brigade" neither word may be replaced."""
    if last not in _NOUNS:
        return True
    return (start == 0 or tags[start - 1] not in (*_NOUNS, "VG")) and (end == len(tags) or tags[end] not in _NOUNS)


def _follows(before: frozenset[str], end: int, words: Sequence[Word], tags: Sequence[str]) -> bool:
    if end == len(words):
        return "X" in before
    if words[end].lower in NUMBERS or words[end].text[:1] in "$€£" or words[end].text[0].isdigit():
        return "0" in before or ("E" in before and "0" not in before)
    return tags[end] in before


def _repeats(right: str, left: str, present: set[str]) -> bool:
    """Whether a word of content would stand in the text twice."""
    own = left.split()
    others = {word[:_STEM] for word in present.difference(own)}
    return any(word[:_STEM] in others for word in right.split() if word not in CLOSED_WORDS)


def edited(words: Sequence[Word], items: Sequence[int | str], edits: Sequence[Edit]) -> Iterator[tuple[str, str, bool]]:
    """The words of a frame with substitutions made: the space before each, its text, and whether it is new.

    The words of every substitution must stand together in the frame.
    """
    starting = {edit.start: edit for edit in edits}
    number = 0
    while number < len(items):
        item = items[number]
        if isinstance(item, str):
            yield ("" if item == "," else " "), item, True
            number += 1
            continue
        edit = starting.get(item)
        if edit is not None:
            large = item > 0 and words[item].text[0].isupper()
            for place, part in enumerate((edit.right.capitalize() if large else edit.right).split(" ")):
                yield (words[item].before if place == 0 else " "), part, True
            number += edit.end - edit.start
            continue
        yield words[item].before, words[item].text, False
        number += 1
