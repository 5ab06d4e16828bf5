"""A source in, the tokens that would copy a run of its words out, for any tokeniser.

Words are compared in lower case, as `text.tokenise.words` finds them. A token is forbidden where the text that it
makes ends with the last word of a run of the source; what goes round that, by another way to cut the word into
tokens, is found by `copies` in the finished text.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from paraloom.text.ngrams import ngrams
from paraloom.text.tokenise import words

BEGINS_WORD = ("▁", "Ġ")
"""How sentencepiece and byte-level tokenisers mark the token that begins a word."""


class Vocabulary:
    """Every token's text, and whether a new word begins with it."""

    def __init__(self, tokens: Sequence[str | None], text_of: Callable[[int], str]) -> None:
        """`tokens` as the tokeniser writes them; `text_of` says what one of them is as text."""
        self._tokens = tokens
        self._text_of = text_of

    @cached_property
    def beginning(self) -> dict[str, list[int]]:
        """Tokens with which a word begins, by their text in lower case."""
        return self._by_text[0]

    @cached_property
    def inside(self) -> dict[str, list[int]]:
        """Tokens that go on with a word, or stand at the very beginning, by their text in lower case."""
        return self._by_text[1]

    @cached_property
    def _by_text(self) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
        by_text: tuple[dict[str, list[int]], dict[str, list[int]]] = defaultdict(list), defaultdict(list)
        for number, token in enumerate(self._tokens):
            if token is None:
                continue
            begins = token.startswith(BEGINS_WORD)
            bare = token[1:] if begins else token
            text = bare if bare.isascii() and bare.isalnum() else self._text_of(number)
            by_text[0 if begins else 1][text.strip().lower()].append(number)
        return by_text


class CopyBlock:
    """Forbids what would copy `n` words of a source in a row.

    >>> vocabulary = Vocabulary(["▁a", "▁storm", "▁st", "orm", "▁hit"], ["a", "storm", "st", "orm", "hit"].__getitem__)
    >>> block = CopyBlock("A storm hit", 2, vocabulary)
    >>> sorted(block.after("so a")), sorted(block.after("so a st")), sorted(block.after("the"))
    ([1], [3], [])
    """

    def __init__(self, source: str, n: int, vocabulary: Vocabulary) -> None:
        self.n = n
        self._vocabulary = vocabulary
        self._runs = set(ngrams(words(source), n))
        self._last_words: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for run in self._runs:
            self._last_words[run[:-1]].add(run[-1])

    def after(self, text: str) -> Iterator[int]:
        """The tokens that must not follow a text."""
        said = words(text)
        for word in self._last_words.get(tuple(said[len(said) - self.n + 1 :]), ()):
            yield from self._vocabulary.beginning.get(word, ())
            if not said:
                yield from self._vocabulary.inside.get(word, ())
        if said:
            begun = said[-1]
            for word in self._last_words.get(tuple(said[max(len(said) - self.n, 0) : -1]), ()):
                if word.startswith(begun) and word != begun:
                    yield from self._vocabulary.inside.get(word[len(begun) :], ())

    def copies(self, text: str) -> bool:
        """Whether a text has a run of the source's words."""
        return not self._runs.isdisjoint(ngrams(words(text), self.n))


def copies_run(source: str, text: str, n: int) -> bool:
    """Whether a text has `n` words in a row that the source has; with 0 it never has.

    >>> copies_run("A storm hit us", "Yes, a storm came", 2), copies_run("A storm hit us", "the storm came", 2)
    (True, False)
    """
    return n > 0 and not set(ngrams(words(source), n)).isdisjoint(ngrams(words(text), n))
