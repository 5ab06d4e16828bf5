"""Sources in, paraphrases out: words and phrases replaced, clauses put in another order, the fluent ones first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from paraloom.models.embedders import Embedder
from paraloom.models.generators import Candidate, streams
from paraloom.models.generators.lexical.edits import Edit, edited, find_edits, first_is_common
from paraloom.models.generators.lexical.fluency import Fluency
from paraloom.models.generators.lexical.frames import Frame, frames
from paraloom.models.generators.lexical.options import LexicalOptions
from paraloom.models.generators.lexical.search import Choice, best_choices, different
from paraloom.models.generators.lexical.substitutes import Substitutes, merged_counts
from paraloom.models.generators.lexical.tags import Tagger
from paraloom.models.generators.lexical.words import Word, joined, mend_articles, read_words

BATCH = 512
MOST_WORDS = 250
"""Of a longer text only so many words are changed; the rest stays as it is."""
_FALL, _RISE = -8.0, 4.0
"""What a change of fluency counts at most, down and up."""
_ALIKE = 1.0
"""What a candidate loses that makes the same changes as a better one."""
_DECIMALS = 6


class _Source(NamedTuple):
    """A text as it was read, and what may be done to it."""

    words: list[Word]
    lowers_first: bool
    frames: list[Frame]
    edits: list[Edit]


class _Draft(NamedTuple):
    text: str
    choice: Choice
    frame: Frame | None


class LexicalGenerator:
    """Replaces words and phrases, and moves clauses, where a language model is not surprised by it."""

    name = "lexical"

    def __init__(
        self,
        substitutes: Sequence[Substitutes],
        fluency: Fluency | None,
        *,
        embedder: Embedder | None = None,
        options: LexicalOptions = LexicalOptions(),
    ) -> None:
        """Without `fluency` every text is held to be as fluent as any; without `embedder` no sense is told apart."""
        self.substitutes = tuple(substitutes)
        self.fluency, self.embedder, self.options = fluency, embedder, options
        self._tagger = Tagger(merged_counts(self.substitutes))
        self._vectors: dict[str, NDArray[np.float32]] = {}

    @property
    def signature(self) -> str:
        """All that decides an output."""
        options = "|".join(f"{name}:{getattr(self.options, name):g}" for name in LexicalOptions.__slots__)
        parts = [substitutes.signature for substitutes in self.substitutes]
        parts += [self.fluency.signature if self.fluency else "fluency:none"]
        parts += [self.embedder.signature if self.embedder else "embedder:none"]
        return f"{self.name}|{options}|{'|'.join(parts)}"

    def generate(self, sources: Sequence[str], n: int, rng: np.random.Generator) -> list[list[Candidate]]:
        """Up to `n` different candidates for each source, best first; none where there is nothing to replace."""
        noise = streams(sources, rng) if self.options.variety else [None] * len(sources)
        found: list[list[Candidate]] = []
        for first in range(0, len(sources), BATCH):
            found += self._batch(sources[first : first + BATCH], n, noise[first : first + BATCH])
        return found

    def _batch(
        self, sources: Sequence[str], n: int, noise: Sequence[np.random.Generator | None]
    ) -> list[list[Candidate]]:
        read = [self._read(source) for source in sources]
        read = self._ranked(sources, read)
        base = self._means(sources)
        singles = [[_written(one, None, (edit,)) for edit in one.edits] for one in read]
        gains = self._gains(singles, read, base)
        drafts = [
            self._drafts(source, one, gain, n, chance)
            for source, one, gain, chance in zip(sources, read, gains, noise, strict=True)
        ]
        final = self._gains([[draft.text for draft in some] for some in drafts], read, base)
        return [self._candidates(one, some, gain, n) for one, some, gain in zip(read, drafts, final, strict=True)]

    def _read(self, source: str) -> _Source:
        words = self._tagger.with_first_name(read_words(source))
        tags = self._tagger.tag(words[:MOST_WORDS])
        if not tags or not self._tagger.is_english(words[:MOST_WORDS]):
            return _Source(words, False, [], [])
        common = first_is_common(words, tags, self._tagger)
        moved = frames(words, tags) if len(words) <= MOST_WORDS and (common or words[0].is_name) else []
        edits = find_edits(words[:MOST_WORDS], tags, self.substitutes, self._tagger)
        return _Source(words, common, moved, edits)

    def _ranked(self, sources: Sequence[str], read: Sequence[_Source]) -> list[_Source]:
        """The same with each substitution's score moved by what the embedder says of it, and only the best kept."""
        options = self.options
        if self.embedder is not None:
            phrases = sorted({phrase for one in read for edit in one.edits for phrase in (edit.left, edit.right)})
            new = [phrase for phrase in phrases if phrase not in self._vectors]
            self._vectors.update(zip(new, self.embedder.embed(new), strict=True))
            contexts = self.embedder.embed(sources)
        ranked = []
        for number, one in enumerate(read):
            edits = one.edits
            if self.embedder is not None and edits:
                left = np.stack([self._vectors[edit.left] for edit in edits])
                right = np.stack([self._vectors[edit.right] for edit in edits])
                related = np.einsum("ij,ij->i", left, right) - 0.5
                fit = np.einsum("ij,j->i", right - left, contexts[number])
                old = np.array([edit.score for edit in edits])
                moved = old + (1 - old) * options.relatedness * related + options.context * fit * (1 - old)
                edits = [
                    edit._replace(score=round(float(score), _DECIMALS))
                    for edit, score in zip(edits, moved, strict=True)
                ]
            best = sorted((-edit.score, edit) for edit in edits if edit.score >= options.min_score)
            ranked.append(one._replace(edits=sorted(edit for _, edit in best[: options.edits])))
        return ranked

    def _means(self, sources: Sequence[str]) -> NDArray[np.float64]:
        """The mean log-probability of each source."""
        if self.fluency is None:
            return np.zeros(len(sources))
        return self.fluency.log_probabilities(sources)

    def _gains(
        self, texts: Sequence[Sequence[str]], read: Sequence[_Source], base: NDArray[np.float64]
    ) -> list[list[float]]:
        """For texts made of each source, by how much each is more or less probable than the source."""
        if self.fluency is None:
            return [[0.0] * len(some) for some in texts]
        means = iter(self.fluency.log_probabilities([text for some in texts for text in some]).tolist())
        return [
            [min(_RISE, max(_FALL, (next(means) - mean) * len(one.words))) for _ in some]
            for some, one, mean in zip(texts, read, base.tolist(), strict=True)
        ]

    def _drafts(
        self, source: str, one: _Source, gains: Sequence[float], n: int, noise: np.random.Generator | None
    ) -> list[_Draft]:
        """Texts worth a second look: sets of substitutions, in the source's order and in others."""
        options = self.options
        length = max(len(one.words), 1)
        values = [
            self._worth(edit.score, gain, (edit.end - edit.start) / length)
            for edit, gain in zip(one.edits, gains, strict=True)
        ]
        if noise is not None:
            values = [value + options.variety * float(noise.standard_normal()) for value in values]
        most = int(options.max_changed * length)
        choices = best_choices(one.edits, values, options.beam, most)
        found: dict[str, _Draft] = {}
        for frame in (None, *one.frames):
            for choice in choices[: n + 2 if frame is None else max(2, n // 2)]:
                if frame is None and not choice.edits:
                    continue
                choice = choice if frame is None else _within(choice, frame)
                text = _written(one, frame, choice.edits)
                if text != source.rstrip():
                    found.setdefault(text, _Draft(text, choice, frame))
        return list(found.values())

    def _worth(self, score: float, gain: float, changed: float) -> float:
        options = self.options
        return options.substitution * (score - options.doubt) + options.fluency * gain + options.closeness * changed

    def _candidates(self, one: _Source, drafts: Sequence[_Draft], gains: Sequence[float], n: int) -> list[Candidate]:
        options = self.options
        length = max(len(one.words), 1)
        values, changes = [], []
        for draft, gain in zip(drafts, gains, strict=True):
            frame = draft.frame
            scores = [edit.score for edit in draft.choice.edits] + ([frame.score] if frame else [])
            changed = min(1.0, draft.choice.changed / length + (options.order if frame else 0.0))
            sure = options.substitution * sum(score - options.doubt for score in scores)
            values.append(round(sure + options.fluency * gain - options.closeness * (1 - changed), _DECIMALS))
            made = {f"{edit.start} {edit.right}" for edit in draft.choice.edits}
            changes.append(frozenset(made | ({frame.name} if frame else set())))
        taken = different(list(zip(values, changes, strict=True)), n, _ALIKE)
        best = sorted(taken, key=lambda place: (-values[place], place))
        return [Candidate(text=drafts[place].text, score=values[place]) for place in best]


def _within(choice: Choice, frame: Frame) -> Choice:
    """The substitutions whose words stand together in a frame."""
    items = frame.items
    edits = tuple(
        edit
        for edit in choice.edits
        if edit.start in items
        and items[(place := items.index(edit.start)) : place + edit.end - edit.start]
        == tuple(range(edit.start, edit.end))
    )
    return Choice(choice.value, edits, sum(edit.end - edit.start for edit in edits))


def _written(one: _Source, frame: Frame | None, edits: Sequence[Edit]) -> str:
    """The text of a frame with substitutions made; the first letter as large as the source's, articles put right."""
    words = one.words
    parts = list(edited(words, frame.items if frame else range(len(words)), edits))
    starts_large = words[0].text[0].isupper()
    first_of_source = words[0].text
    written = []
    for number, (before, text, _) in enumerate(parts):
        if number == 0:
            before, text = words[0].before, text[0].upper() + text[1:] if starts_large else text
        elif frame is not None:
            if text == first_of_source and one.lowers_first and _may_be_lowered(text):
                text, first_of_source = text[0].lower() + text[1:], ""
            if not before and text[0].isalnum():
                before = " "  # it stood first, or right behind a mark that is elsewhere now
        written.append((before, text))
    return joined(list(mend_articles(written, [new for _, _, new in parts])))


def _may_be_lowered(text: str) -> bool:
    return text != "I" and not text.startswith(("I'", "I’"))
