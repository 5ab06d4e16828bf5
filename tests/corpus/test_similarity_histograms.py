"""Lexical similarity is the cosine that scikit-learn computes, and every pair falls into one bin of its label."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

from paraloom.corpus.similarity_histograms import SimilarityCounter, similarities
from paraloom.metrics.corpus_figures import BINS
from paraloom.metrics.likeness.character_tfidf import CharacterTfidf

PAIRS = [
    ("A storm hit the coast.", "The coast was hit by a storm."),
    ("Waves flooded the town", "The harbour was closed"),
    ("Myrsky iski rannikolle.", "Rannikolle iski myrsky!"),
    ("It rained", "It rained"),
    ("?!", "..."),
]


def test_the_cosine_is_that_of_scikit_learn() -> None:
    left, right = zip(*PAIRS, strict=True)
    texts = [text for pair in PAIRS for text in pair]
    found = similarities(CharacterTfidf.of(texts), left, right)
    theirs = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4), sublinear_tf=True).fit(texts)
    expected = np.asarray(theirs.transform(left).multiply(theirs.transform(right)).sum(axis=1)).ravel()
    assert found == pytest.approx(expected, abs=2e-5)
    assert found[3] == 1.0


def test_pairs_are_counted_under_their_label_and_the_measured_ones_once_more() -> None:
    counter = SimilarityCounter(["no", "yes", "unlabelled"])
    values = np.array([0.0, 0.049999, 0.05, 0.15, 1.0])
    counter.add(values[:3], ["no", "yes", "yes"], np.array([False, True, True]))
    counter.add(values[3:], ["no", "yes"], np.array([False, True]))
    found = counter.result("paraphrases")
    assert [(one.name, one.pairs) for one in found.by_label] == [("no", 2), ("yes", 3)]
    assert [place for place, count in enumerate(found.by_label[0].counts) if count] == [0, 3]
    assert [place for place, count in enumerate(found.measured.counts) if count] == [0, 1, 19]
    assert (found.measured.name, found.measured.pairs, found.measured.mean) == ("paraphrases", 3, 0.366666)


def test_without_a_pair_there_is_no_mean() -> None:
    found = SimilarityCounter(["yes"]).result("paraphrases")
    assert (found.measured.pairs, found.measured.mean, found.by_label) == (0, None, ())


@given(st.lists(st.tuples(st.floats(0, 1), st.sampled_from(["no", "yes"]), st.booleans())), st.integers(1, 5))
def test_counts_do_not_depend_on_how_pairs_are_cut_into_blocks(rows: list[tuple[float, str, bool]], size: int) -> None:
    whole, cut = SimilarityCounter(["no", "yes"]), SimilarityCounter(["no", "yes"])
    for counter, at_once in ((whole, max(1, len(rows))), (cut, size)):
        for start in range(0, len(rows), at_once):
            values, groups, measured = zip(*rows[start : start + at_once], strict=True)
            counter.add(np.array(values), groups, np.array(measured, np.bool_))
    first, second = whole.result("all"), cut.result("all")
    assert first.measured.counts == second.measured.counts
    assert [one.counts for one in first.by_label] == [one.counts for one in second.by_label]
    assert sum(one.pairs for one in first.by_label) == len(rows)
    assert len(first.measured.counts) == BINS
