"""Words that stand for each other in, whether they name the same thing otherwise out: pronouns, names, mentions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from hashlib import blake2b
from typing import ClassVar

from paraloom.models.aligners.lexical_words import kinship
from paraloom.phrases.phenomena_words import ALL_PRONOUNS, POINTING, Words, is_mention, is_title, words_of_tokens

LEAST_LETTERS = 3
"""Of a word that is looked for in the name of an account."""


def is_anaphora(left: Words, right: Words, ours: Sequence[int], theirs: Sequence[int]) -> bool:
    """Whether one side is a pronoun, a mention, a part of a name or a description, and the other says the name.

    >>> from paraloom.phrases.phenomena_words import words_of_tokens
    >>> left, right = (words_of_tokens(text.split()) for text in ("we all saw Mark Kirk run", "we saw @kirk4all"))
    >>> is_anaphora(left, right, (3, 4), (2,)), is_anaphora(left, right, (2,), (1,))
    (True, False)
    """
    one, other = _Side(left, ours), _Side(right, theirs)
    return any(
        (few.is_pronoun and many.is_thing)
        or (few.is_mention and (many.is_name or many.is_in(few)) and not many.is_mention)
        or (few.is_description and many.is_name and not many.is_mention)
        or (few.is_title and many.is_name)
        for few, many in ((one, other), (other, one))
    ) or (one.is_name and other.is_name and one.shares(other))


class _Side:
    """Some words of a text as a way to name something."""

    def __init__(self, words: Words, numbers: Sequence[int]) -> None:
        self.words = [words.words[number] for number in numbers]
        self.content = [word for word in self.words if word.is_content]
        names = [number for number in numbers if number in words.names]
        pronouns = any(word.plain in ALL_PRONOUNS for word in self.words)
        self.is_pronoun = pronouns and not self.content
        self.is_thing = bool(self.content) and not pronouns and not all(word.is_number for word in self.content)
        self.is_mention = any(is_mention(word.text) for word in self.words)
        self.is_title = bool(self.content) and all(map(is_title, self.content))
        self.is_name = bool(names) and all(
            number in words.names or is_title(words.words[number])
            for number in numbers
            if words.words[number].is_content
        )
        ahead = max(0, numbers[0] - 1)
        points = any(word.plain in POINTING for word in words.words[ahead : numbers[0] + 1])
        self.is_description = points and bool(self.content) and not names

    def is_in(self, mention: _Side) -> bool:
        """Whether a word of it is part of the name of an account: `trump` of `@realDonaldTrump`."""
        accounts = [word.plain for word in mention.words if is_mention(word.text)]
        return any(
            len(word.plain) >= LEAST_LETTERS and word.plain in name for word in self.content for name in accounts
        )

    def shares(self, other: _Side) -> bool:
        """Whether a word of content is a form of one of the other side."""
        return any(kinship(one.text, their.text) for one in self.content for their in other.content)


def is_shortened_name(side: Words, run: Sequence[int], linked: Collection[int]) -> bool:
    """Whether left-over words are part of a name whose other words are linked: `Mark` of `Mark Kirk`, `Senator`.

    >>> from paraloom.phrases.phenomena_words import words_of_tokens
    >>> side = words_of_tokens("reporters saw Senator Mark Kirk leave early".split())
    >>> is_shortened_name(side, (2, 3), {0, 1, 4, 5}), is_shortened_name(side, (5, 6), {0, 1, 2, 3, 4})
    (True, False)
    """
    content = [number for number in run if side.words[number].is_content]
    if not all(number in side.names or is_title(side.words[number]) for number in content):
        return False
    ahead, behind = run[-1] + 1, run[0] - 1
    return any(
        number in linked and number in side.names and not side.words[max(number, run[0])].after_mark
        for number in (ahead, behind)
    )


class NamesOfTexts:
    """Knows the words that texts with capitals write with one: names, for texts in lower case."""

    least_share: ClassVar[float] = 0.9
    """Of its occurrences inside sentences that a word must have a capital in."""
    least_count: ClassVar[int] = 3

    def __init__(self, texts: Iterable[Sequence[str]]) -> None:
        """Learn from texts as tokens."""
        seen: Counter[str] = Counter()
        named: Counter[str] = Counter()
        for tokens in texts:
            words = words_of_tokens(tokens)
            if any(not is_mention(words.words[number].text) for number in words.names):
                for number, word in enumerate(words.words[1:], start=1):
                    seen[word.plain] += 1
                    named[word.plain] += number in words.names
        self.known = frozenset(
            word
            for word, count in named.items()
            if count >= self.least_count and count >= self.least_share * seen[word]
        )

    @property
    def signature(self) -> str:
        """How many words it knows, and a hash of them."""
        return f"{len(self.known)}-{blake2b(' '.join(sorted(self.known)).encode(), digest_size=4).hexdigest()}"

    def __call__(self, word: str) -> bool:
        """Whether a lower-case word is one of them."""
        return word in self.known
