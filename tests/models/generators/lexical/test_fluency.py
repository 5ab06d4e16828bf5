"""The model of n-grams is a distribution, ranks what it has seen first, and depends on no neighbour."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from paraloom.errors import InputError
from paraloom.models.generators.lexical.fluency import Fluency, NgramFluency

TEXTS = ["the storm hit the coast", "a storm hit the town", "the town is on the coast", "storms are near the town"]
WORDS = sorted({word for text in TEXTS for word in text.split()})


def test_all_words_that_may_follow_share_a_probability_of_one() -> None:
    fluency = NgramFluency.of(TEXTS)
    for begun in ("the storm", "hit the", "the", "near town", "zebra the"):
        length = len(begun.split()) + 1
        # Sums of logarithms: of a text cut off behind a word, what its end adds is taken off again.
        whole = [fluency.log_probabilities([f"{begun} {word}"])[0] * (length + 1) for word in WORDS]
        ends = [_end_after(fluency, f"{begun} {word}") for word in WORDS]
        before = fluency.log_probabilities([begun])[0] * length - _end_after(fluency, begun)
        shares = np.exp(np.array(whole) - np.array(ends) - before)
        assert shares.sum() + np.exp(_end_after(fluency, begun)) == pytest.approx(1, abs=1e-4)


def _end_after(fluency: NgramFluency, text: str) -> float:
    """The logarithm of the probability that a text ends here, by the model's own formula in plain Python."""
    words = {word: number for number, word in enumerate(WORDS, 3)}
    rows = [[1, 1, *(words[word] for word in one.split()), 2] for one in TEXTS]
    triples = [tuple(row[place : place + 3]) for row in rows for place in range(len(row) - 2)]
    pairs = [triple[1:] for triple in sorted(set(triples))]
    singles = [pair[1] for pair in sorted(set(pairs))]
    one = singles.count(2) / len(singles)
    given = [1, 1, *(words.get(word, 0) for word in text.split())][-2:]
    for counted, key in ((pairs, tuple(given[1:])), (triples, tuple(given))):
        follow = [item for item in counted if item[:-1] == key]
        if follow:
            here = follow.count((*key, 2))
            one = max(here - 0.75, 0) / len(follow) + 0.75 * len(set(follow)) / len(follow) * one
    return float(np.log(one))


def test_a_text_has_the_same_number_whatever_stands_beside_it() -> None:
    fluency = NgramFluency.of(TEXTS)
    texts = [*TEXTS, "", "zebra", "the the the", "a" * 50]
    together = fluency.log_probabilities(texts * 7)
    alone = [fluency.log_probabilities([text])[0] for text in texts]
    assert together.tolist() == alone * 7
    assert fluency.log_probabilities([]).shape == (0,)


def test_what_was_seen_is_more_fluent_than_what_was_not() -> None:
    seen, shuffled, unknown = NgramFluency.of(TEXTS).log_probabilities(
        ["the storm hit the town", "town the hit storm the", "the qwrt hit the town"]
    )
    assert seen > unknown
    assert seen > shuffled


def test_a_file_of_sentences_is_read_and_named(tmp_path: Path) -> None:
    file = tmp_path / "sentences.txt"
    file.write_text("\n".join(TEXTS) + "\n")
    read = NgramFluency.read(file)
    assert isinstance(read, Fluency)
    assert read.log_probabilities(TEXTS).tolist() == NgramFluency.of(TEXTS).log_probabilities(TEXTS).tolist()
    file.write_text("\n".join(TEXTS[:3]))
    assert NgramFluency.read(file).signature != read.signature


def test_nothing_to_learn_from_is_an_error_that_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="needs sentences"):
        NgramFluency.of(["", " "])
    with pytest.raises(InputError, match="no file of sentences"):
        NgramFluency.read(tmp_path / "none.txt")
