"""A group of sentences in, the one to pair the others with out, or none (Dou et al., 2022, section 2.3).

A group that has no such sentence would give too few paraphrases to be worth the crowd's work, and is skipped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from paraloom.errors import InputError
from paraloom.judgments.tasks.guides import guide
from paraloom.judgments.tasks.listed import Listed, cases, ids, listed
from paraloom.judgments.tasks.reading import choice, flag, objects, only
from paraloom.judgments.tasks.task import Key, Raw, Shown, Vote

LEAST_SENTENCES = 3
MOST_SENTENCES = 11
SKIPPED = "skip"
"""The vote of whoever finds no seed; no sentence can have it as its id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedContent:
    """The best-ranked sentences of one group."""

    sentences: tuple[Listed, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedAnswer:
    """The sentence that has at least three paraphrases among the others; or that none has."""

    seed: str | None = None
    skip: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RightSeeds:
    """The right answer of a test question where several sentences would do."""

    seed: tuple[str, ...]
    """In the sentences' order."""
    skip: bool = False


class SeedTask:
    """Find the seed."""

    name: ClassVar[str] = "seed"
    item_kind: ClassVar[str] = "group"
    about: ClassVar[str] = "A group of sentences: choose the one with at least three paraphrases, or skip the group."
    scale: ClassVar[str] = "nominal"
    keys: ClassVar[tuple[Key, ...]] = (
        *(Key(str(number % 10), f"Sentence {number} is the seed") for number in range(1, 11)),
        Key("-", "Sentence 11 is the seed"),
        Key("s", "Skip the group"),
        Key("Enter", "Submit"),
    )

    def read_content(self, raw: Raw) -> SeedContent:
        """Sentences with an id each."""
        only(raw, ("sentences",), "item")
        sentences = listed(raw, "sentences", least=LEAST_SENTENCES, most=MOST_SENTENCES)
        if SKIPPED in ids(sentences):
            raise InputError(f"`sentences` has the id {SKIPPED!r}, which stands for no sentence at all: rename it.")
        return SeedContent(sentences=sentences)

    def read_answer(self, raw: Raw, content: SeedContent) -> SeedAnswer:
        """Either a seed or `skip`, never both and never neither."""
        only(raw, ("seed", "skip"), "answer")
        skip = flag(raw, "skip", default=False)
        if skip == (raw.get("seed") is not None):
            raise InputError("The answer needs either `seed` or `skip`, and not both.")
        return SeedAnswer(skip=True) if skip else SeedAnswer(seed=choice(raw, "seed", ids(content.sentences)))

    def read_expected(self, raw: Raw, content: SeedContent) -> SeedAnswer | RightSeeds:
        """The right answer of a test question: like any answer, or with all that are right in a list as `seed`."""
        if not isinstance(raw, Mapping) or not isinstance(raw.get("seed"), list):
            return self.read_answer(raw, content)
        there = ids(content.sentences)
        given = objects(raw, "seed", least=1, most=len(there))
        right = {self.read_answer({**raw, "seed": one}, content).seed for one in given}
        if len(right) == 1:
            return SeedAnswer(seed=right.pop())
        return RightSeeds(seed=tuple(one for one in there if one in right))

    def votes(self, item_id: str, content: SeedContent, answer: SeedAnswer) -> Sequence[Vote]:
        """One vote on the group."""
        return (Vote(item_id, answer.seed or SKIPPED),)

    def is_right(self, answer: SeedAnswer, expected: SeedAnswer | RightSeeds) -> bool:
        """The same seed or one of several, or both skip: a test question needs a group with clear seeds or none."""
        return answer.seed in expected.seed if isinstance(expected, RightSeeds) else answer == expected

    def instructions(self, shown: Shown) -> str:
        """How to find a seed, then the cases of the campaign's definition."""
        return f"{guide('seed')}\n{cases(shown)}"
