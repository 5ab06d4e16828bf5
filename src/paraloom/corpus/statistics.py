"""Pairs with their labels in, all figures of the corpus out (Kanerva et al., 2023, section 6).

The pairs are gone through twice: once to learn which n-grams are common, which labels there are and what language it
is, once to count. So memory holds some thousand pairs at a time, however many there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Literal

import numpy as np

from paraloom.corpus.given_pairs import GivenPair, GivenPairs
from paraloom.corpus.label_counts import LabelCounter, LabelReader, label_figures
from paraloom.corpus.lengths import LengthCounter
from paraloom.corpus.patterns import PatternCounter, PatternFinder
from paraloom.corpus.sentence_mapping import MappingCounter
from paraloom.corpus.similarity_histograms import SimilarityCounter, similarities
from paraloom.corpus.statistics_options import StatisticsOptions
from paraloom.engine.signatures import paraloom_version
from paraloom.errors import InputError
from paraloom.metrics.corpus_figures import CorpusFigures, parts_of
from paraloom.metrics.likeness.character_tfidf import CharacterTfidf
from paraloom.metrics.measured import signature
from paraloom.text.language import detect

PAIRS_AT_ONCE = 4096
LOOKED_AT = 200
"""So many pairs tell the language of a corpus."""

MOST_SOURCES = 20

Told = Callable[[int, int], None]
"""Called with the pairs that are done and their number."""

FindPatterns = Callable[[str | None], PatternFinder]
"""The language of the texts in, what finds patterns in it out."""


def measure_corpus(
    pairs: GivenPairs,
    options: StatisticsOptions = StatisticsOptions(),
    *,
    find_patterns: FindPatterns = PatternFinder,
    told: Told | None = None,
) -> CorpusFigures:
    """Every figure of a corpus."""
    learnt = _Learnt(pairs)
    if not learnt.pairs:
        raise InputError(f"{pairs.name} has no pair of two texts. Give a corpus with at least one.")
    language = options.language or learnt.language
    reader = LabelReader.of(learnt.labels)
    counting = _Counting(learnt, reader, find_patterns(language), options)
    going = iter(pairs)
    done = 0
    while block := list(islice(going, PAIRS_AT_ONCE)):
        counting.add(block)
        done += len(block)
        if told:
            told(done, learnt.pairs)
    return counting.result(pairs, language)


class _Learnt:
    """What a first pass over the pairs tells."""

    def __init__(self, pairs: GivenPairs) -> None:
        self.labels = LabelCounter()
        self.sources: Counter[str] = Counter()
        self.pairs = self.rewrites = self.rewritten = 0
        self._languages: Counter[str] = Counter()
        self.model = CharacterTfidf.of(self._texts(pairs))

    def _texts(self, pairs: GivenPairs) -> Iterator[str]:
        for pair in pairs:
            self.pairs += 1
            self.labels.add(pair.label)
            self.rewrites += pair.rewrites
            self.rewritten += pair.rewrites > 0
            if pair.source is not None:
                self.sources[pair.source] += 1
            if self.pairs <= LOOKED_AT:
                self._languages.update(filter(None, map(detect, (pair.left, pair.right))))
            yield pair.left
            yield pair.right

    @property
    def language(self) -> str | None:
        """The language of most of the first texts; of two as frequent, the first by its code."""
        return min(self._languages, key=lambda code: (-self._languages[code], code), default=None)


class _Counting:
    """Figures in the making."""

    def __init__(self, learnt: _Learnt, reader: LabelReader, finder: PatternFinder, options: StatisticsOptions) -> None:
        self._learnt, self._reader, self._finder = learnt, reader, finder
        self._only_paraphrases = reader.scheme in ("graded", "yes-no") and not options.with_negatives
        self._similarity = SimilarityCounter(reader.shown)
        self._lengths, self._mapping, self._patterns = LengthCounter(), MappingCounter(), PatternCounter(finder)
        self._measured = 0

    def add(self, block: list[GivenPair]) -> None:
        """Count some pairs."""
        measured = np.array(
            [not self._only_paraphrases or self._reader.is_paraphrase(pair.label) is True for pair in block], np.bool_
        )
        alike = similarities(self._learnt.model, [pair.left for pair in block], [pair.right for pair in block])
        self._similarity.add(alike, [self._reader.group(pair.label) for pair in block], measured)
        for pair, is_measured in zip(block, measured.tolist(), strict=True):
            if is_measured:
                self._measured += 1
                self._lengths.add(pair.left)
                self._lengths.add(pair.right)
                self._mapping.add(pair.left, pair.right)
                self._patterns.add(pair.left, pair.right)

    def result(self, pairs: GivenPairs, language: str | None) -> CorpusFigures:
        """What was counted."""
        learnt = self._learnt
        measured_on: Literal["paraphrases", "all pairs"] = "paraphrases" if self._only_paraphrases else "all pairs"
        return CorpusFigures(
            name=pairs.name,
            pairs=learnt.pairs,
            measured=self._measured,
            measured_on=measured_on,
            language=language,
            labels=label_figures(learnt.labels, self._reader, rewrites=learnt.rewrites, rewritten=learnt.rewritten),
            similarity=self._similarity.result(measured_on),
            lengths=self._lengths.result(),
            mapping=self._mapping.result(),
            patterns=self._patterns.result(),
            sources=parts_of(dict(_largest(learnt.sources)), learnt.pairs),
            signature=self._signatures(measured_on),
            notes=tuple(pairs.notes()),
        )

    def _signatures(self, measured_on: str) -> dict[str, str]:
        settings: dict[str, dict[str, object]] = {
            "similarity": {"ngrams": "2-4", "within": "words", "case": "lc", "tf": "log", "idf": "own-texts"},
            "tokens": {"tok": "paraloom", "punctuation": "in"},
            "sentences": {"split": "paraloom", "verb": "not-asked-for"},
            "patterns": self._finder.settings,
        }
        scope, version = {"of": measured_on.replace(" ", "-")}, {"version": paraloom_version()}
        labels = signature("labels", {"scheme": self._reader.scheme, **version})
        return {"labels": labels} | {name: signature(name, scope | of | version) for name, of in settings.items()}


def _largest(sources: Counter[str]) -> list[tuple[str, int]]:
    order = sorted(sources.items(), key=lambda item: (-item[1], item[0]))
    rest = sum(count for _, count in order[MOST_SOURCES:])
    return [*order[:MOST_SOURCES], *([("other", rest)] if rest else [])]
