"""The words of two texts in, the phrase that both are about out.

MultiP (Xu et al., 2014) was made for posts on one trend and looks for what they share beside the trend's name. Where
nobody gives that name it is guessed: the longest name (a run of words that one of the texts writes with capitals) that
both texts have or, where they share none, their longest common run of words of content.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from paraloom.text.tokenise import tokenise


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


FUNCTION_WORDS = _words(
    "a an the this that these those some any all my your his her its our their i me you he him she it we us they "
    "them who whom which what when where why how in on at of for to by with from about as into onto upon over "
    "through during within across between along around and or but so if then than because while is are was were "
    "be been being am has have had do does did will would can could may might shall should must not no just really "
    "very also too there here i'm im it's that's don't dont u ur rt via s t m re ve ll d 's n't"
)
"""Words of English that carry no content; what small posts put for them included."""


def name_words(text: str) -> set[str]:
    """The words of a text that are written with a capital or begin with a digit, in lower case.

    >>> sorted(name_words("my night with Coach Carter, 8 Mile"))
    ['8', 'carter', 'coach', 'mile']
    """
    capitals = (token for token in tokenise(text) if token[0].isupper() or token[0].isdigit())
    return {token.lower().replace("’", "'") for token in capitals}


def topic_phrase(
    left: Sequence[str], right: Sequence[str], names: set[str], function_words: frozenset[str], longest: int
) -> list[str]:
    """What two lists of words are about, in at most `longest` words; nothing where they share no word of content.

    >>> left, right = "watching coach carter tonight".split(), "who likes coach carter".split()
    >>> topic_phrase(left, right, {"coach", "carter"}, FUNCTION_WORDS, 3)
    ['coach', 'carter']
    """
    return _longest_run(left, right, names.__contains__, function_words, longest) or _longest_run(
        left, right, lambda word: word not in function_words, function_words, longest
    )


def _longest_run(
    left: Sequence[str],
    right: Sequence[str],
    belongs: Callable[[str], bool],
    function_words: frozenset[str],
    longest: int,
) -> list[str]:
    places: dict[str, list[int]] = {}
    for place, word in enumerate(right):
        if belongs(word):
            places.setdefault(word, []).append(place)
    best: tuple[int, int, list[str]] = (0, 0, [])
    for start, word in enumerate(left):
        for place in places.get(word, ()):
            if start and place and left[start - 1] == right[place - 1] and belongs(left[start - 1]):
                continue  # the middle of a run that was seen from its beginning
            end = start
            while end < len(left) and left[end] == _at(right, place + end - start) and belongs(left[end]):
                end += 1
            run = _trimmed(left[start:end], function_words)[:longest]
            best = max(best, (len(run), sum(map(len, run)), run))
    return best[2]


def _at(words: Sequence[str], place: int) -> str | None:
    return words[place] if place < len(words) else None


def _trimmed(run: Sequence[str], function_words: frozenset[str]) -> list[str]:
    """Without function words at either end."""
    content = [place for place, word in enumerate(run) if word not in function_words]
    return list(run[content[0] : content[-1] + 1]) if content else []


def without_phrase(text_words: Sequence[str], phrase: Sequence[str]) -> list[str]:
    """The words outside the phrase, in order; the phrase as one word or hashtag is left out too.

    >>> without_phrase("#coachcarter makes coach carter a star".split(), ["coach", "carter"])
    ['makes', 'a', 'star']
    """
    if not phrase:
        return list(text_words)
    in_one = _letters("".join(phrase))
    kept: list[str] = []
    place = 0
    while place < len(text_words):
        if list(text_words[place : place + len(phrase)]) == list(phrase):
            place += len(phrase)
            continue
        if not in_one or _letters(text_words[place]) != in_one:
            kept.append(text_words[place])
        place += 1
    return kept


def _letters(word: str) -> str:
    return word if word.isalnum() else "".join(letter for letter in word if letter.isalnum())
