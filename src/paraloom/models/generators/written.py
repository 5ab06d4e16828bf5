"""A source's parts in, candidates out, by any language model that says how likely each next token is.

What is the same for every language model, whatever runs it: the rules of a search, the words that must not be copied,
the texts that are left when copies and repetitions are out, and a count of what was read and written.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from paraloom.models.generators import Candidate, Usage
from paraloom.models.generators.copy_block import CopyBlock, Vocabulary
from paraloom.models.generators.decoding_options import Decoding
from paraloom.models.generators.long_sources import joined
from paraloom.models.generators.scores import Logits
from paraloom.models.generators.search import (
    Asking,
    Found,
    NextTokens,
    Rules,
    Sequenced,
    Wish,
    answered,
    logits_for,
    searching,
)

if TYPE_CHECKING:
    import numpy as np

Question = tuple[NextTokens, Wish]
"""A source that a model has read, and what is to come next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageModel:
    """What a writer must know of a language model."""

    asked: Callable[[str], list[int]]
    """The tokens it reads where it is asked for a paraphrase of a text."""
    around: int
    """How many of them stand around the text."""
    room: Callable[[int], int]
    """How many it can write at most after it has read so many."""
    next_tokens: Callable[[Sequence[int]], NextTokens]
    """What goes on from the tokens it has read."""
    text: Callable[[Sequence[int]], str]
    """The text of the tokens it has written."""
    stops: frozenset[int]
    never: tuple[int, ...]
    vocabulary: Vocabulary


class Writer:
    """Candidates by one language model and one way of decoding."""

    def __init__(self, model: LanguageModel, decoding: Decoding) -> None:
        self.model = model
        self.decoding = decoding
        self.usage = Usage()
        """Parts of sources that were asked about, tokens read, and tokens written over all beams."""

    def candidates(self, source: str, parts: Sequence[str], n: int, rng: np.random.Generator) -> list[Candidate]:
        """Up to `n` different candidates for a source whose parts are asked about one after the other, best first."""
        return answered(self.writing(source, parts, n, rng), lambda question: logits_for(*question))

    def writing(
        self, source: str, parts: Sequence[str], n: int, rng: np.random.Generator
    ) -> Generator[Question, Logits, list[Candidate]]:
        """The same, by whoever answers: each question says which model goes on, and what it is asked."""
        if n < 1 or not parts:
            return []
        length = self.decoding.copy_block
        block = CopyBlock(source, length, self.model.vocabulary) if length else None
        of_parts = []
        for part in parts:
            of_parts.append((yield from self._part(part, n, rng, block)))
        found = joined(of_parts, n)
        return [one for one in found if not (block and block.copies(one.text))]  # parts may copy where they meet

    def _part(
        self, source: str, n: int, rng: np.random.Generator, block: CopyBlock | None
    ) -> Generator[Question, Logits, list[Candidate]]:
        asked = self.model.asked(source)
        fewest, most = self.decoding.token_limits(len(asked) - self.model.around)
        most = min(most, self.model.room(len(asked)))
        rules = Rules(
            stops=self.model.stops,
            fewest=min(fewest, most),
            most=most,
            never=self.model.never,
            blocked=(lambda tokens: block.after(self.model.text(tokens))) if block else lambda tokens: (),
        )
        found, written = yield from _of(self.model.next_tokens(asked), searching(rules, self.decoding, n, rng))
        self.usage = Usage(
            requests=self.usage.requests + 1,
            tokens_read=self.usage.tokens_read + len(asked),
            tokens_written=self.usage.tokens_written + written,
        )
        return self._different([one for one in found if not (block and block.copies(self.model.text(one.tokens)))], n)

    def _different(self, found: Sequence[Sequenced], n: int) -> list[Candidate]:
        by_text: dict[str, Candidate] = {}
        for one in found:
            if text := " ".join(self.model.text(one.tokens).split()):
                score = round(one.score(self.decoding.length_penalty), 6)
                by_text.setdefault(text, Candidate(text=text, score=score))
        return list(by_text.values())[:n]


def _of(model: NextTokens, asking: Asking[Found]) -> Generator[Question, Logits, Found]:
    """A search whose wishes name the model that they are for."""
    try:
        wish = next(asking)
        while True:
            wish = asking.send((yield model, wish))
    except StopIteration as done:
        found: Found = done.value
        return found
