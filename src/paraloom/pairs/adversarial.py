"""Sources and a generator in, all its attempts at the adversarial paraphrasing game out, with what each earned.

An attempt passes where it and its source imply each other while a similarity score finds them unlike (Nighojkar and
Licato, 2021). What is drawn for a source depends on the source, the round and the seed alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

import numpy as np

from paraloom.metrics.meaning.adversarial import IMPLIED, Answers, ImplicationModel, apt_passes, apt_reward
from paraloom.models.generators.decoding_options import Decoding
from paraloom.pairs.adversarial_options import GameOptions, RoundSettings

if TYPE_CHECKING:
    from paraloom.models.generators import Generator

PLACES = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One text that a generator gave for a source, and how it was judged; texts that come again are rows again."""

    KEY: ClassVar[tuple[str, ...]] = ("row", "round", "number")

    row: int
    """Where the source first stands in its file, from 1."""
    round: int
    number: int
    """Of the attempt in its round, from 1, the generator's best first."""
    source: str
    attempt: str
    top_k: int | None
    """Tokens that could be drawn; null where the generator draws none."""
    top_p: float | None
    score: float
    """The generator's own."""
    implication: float
    """Probability that each implies the other."""
    similarity: float
    """How alike they are worded, on BLEURT's scale."""
    is_mutual: bool
    """Each implies the other."""
    reward: float
    """mi / (1 + exp(5 · similarity))²"""
    passes: bool
    """Mutually implicative, and a similarity of at most .5."""
    generator: str
    """Its name; what decides the attempts stands in `summary.json`."""


@runtime_checkable
class Samples(Protocol):
    """A generator that can be told to decode in another way."""

    decoding: Decoding

    def with_decoding(self, decoding: Decoding) -> Generator:
        """The same generator, its network shared, that decodes so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """Who plays a round."""

    settings: RoundSettings
    generator: Generator
    draws: bool
    """Whether it draws tokens by chance, so that `settings` say anything."""


def rounds_of(generator: Generator, options: GameOptions) -> list[Round]:
    """Every round of the game; only one for a generator that draws no tokens, which would say the same again."""
    decoding = getattr(generator, "decoding", None)
    if not isinstance(decoding, Decoding):
        return [Round(settings=options.round_settings(1), generator=generator, draws=False)]
    found = []
    for number in range(1, options.rounds + 1):
        settings = options.round_settings(number)
        drawn = replace(
            decoding,
            method="sample",
            top_k=settings.top_k,
            top_p=settings.top_p,
            temperature=options.temperature,
        )
        found.append(Round(settings=settings, generator=_decoding_so(generator, drawn), draws=True))
    return found


def _decoding_so(generator: Generator, decoding: Decoding) -> Generator:
    if isinstance(generator, Samples):
        return generator.with_decoding(decoding)
    twin: Any = copy(generator)  # of what is large, both have the same
    twin.decoding = decoding
    if (writer := getattr(twin, "_writer", None)) is not None:
        twin._writer = type(writer)(writer.model, decoding)
    played: Generator = twin
    return played


def is_played(source: str, options: GameOptions = GameOptions()) -> bool:
    """Whether a text has words, and not too many.

    >>> is_played("A storm hit the coast."), is_played(" … ")
    (True, False)
    """
    return len(source.split()) <= options.max_words and _has_words(source)


def play(
    sources: Sequence[str],
    generator: Generator,
    judge: ImplicationModel,
    options: GameOptions = GameOptions(),
    *,
    rows: Sequence[int] | None = None,
) -> list[list[Attempt]]:
    """All attempts at each source, in the order they were made; none at a source that is not played.

    >>> from paraloom.models.generators.parroting import ParrotGenerator
    >>> from paraloom.models.implication import load
    >>> [attempts] = play(["The mayor refused to resign."], ParrotGenerator(), load(), GameOptions(attempts=1))
    >>> attempts[0].attempt, attempts[0].is_mutual, attempts[0].passes
    ('The mayor refused to resign.', True, False)
    """
    numbers = list(range(1, len(sources) + 1)) if rows is None else list(rows)
    found: list[list[Attempt]] = [[] for _ in sources]
    left = [place for place, source in enumerate(sources) if is_played(source, options)]
    for one in rounds_of(generator, options):
        if not left:
            break
        rng = np.random.default_rng([options.seed, one.settings.number])
        candidates = one.generator.generate([sources[place] for place in left], options.attempts, rng)
        made = [
            (place, number, writable(candidate.text), candidate.score)
            for place, some in zip(left, candidates, strict=True)
            for number, candidate in enumerate(some, start=1)
        ]
        answers = judge.answer([sources[place] for place, *_ in made], [text for _, _, text, _ in made])
        for (place, number, text, score), implication, similarity in zip(made, *_numbers(answers), strict=True):
            found[place].append(
                judged(
                    row=numbers[place],
                    round=one,
                    number=number,
                    texts=(sources[place], text),
                    score=score,
                    answers=(implication, similarity),
                )
            )
        left = [place for place in left if not any(attempt.passes for attempt in found[place])]
    return found


def writable(text: str) -> str:
    """The text, with a question mark for each half of a surrogate pair: these have no bytes.

    >>> writable(f"a {chr(0xD83D)} b")
    'a ? b'
    """
    return text.encode("utf-8", "replace").decode()


def judged(
    *, row: int, round: Round, number: int, texts: tuple[str, str], score: float, answers: tuple[float, float]
) -> Attempt:
    """An attempt with what follows from the judge's two answers."""
    source, text = texts
    implication, similarity = answers
    if not _has_words(text):
        implication = 0.0  # a judge answers about anything; what holds no word implies nothing
    is_mutual = implication > IMPLIED
    return Attempt(
        row=row,
        round=round.settings.number,
        number=number,
        source=source,
        attempt=text,
        top_k=round.settings.top_k if round.draws else None,
        top_p=round.settings.top_p if round.draws else None,
        score=float(score),
        implication=implication,
        similarity=similarity,
        is_mutual=is_mutual,
        reward=float(np.round(apt_reward(is_mutual, similarity), PLACES)),
        passes=apt_passes(is_mutual, similarity),
        generator=round.generator.name,
    )


def _numbers(answers: Answers) -> Iterator[list[float]]:
    for column in (answers.implication, answers.similarity):
        yield np.round(column, PLACES).tolist()


def _has_words(text: str) -> bool:
    return any(character.isalnum() for character in text)
