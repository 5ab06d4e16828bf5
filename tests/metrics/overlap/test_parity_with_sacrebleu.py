"""BLEU, sentence BLEU, chrF and TER equal sacrebleu's to the last digit, on random texts and on texts made to hurt."""

from __future__ import annotations

import random
from itertools import zip_longest

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.overlap.bleu import Bleu, SentenceBleu
from paraloom.metrics.overlap.chrf import Chrf
from paraloom.metrics.overlap.ter import Ter

PIECES = (
    *'ab51ΣİßéкΩ漢字。かカ한，！😀٣\U0010ffff-.,%$/()|\\`~&<>"',
    *" \t\n\r\x00\x1c\x85\xa0\u2009\u200b\u2028\u3000\ud83d\ude00",
    *("the", "The", "storm", "x'y", "don't", "'s", "'s ", "'s\xa0", "שלום", "مرحبا", "👩‍👩‍👧", "e\u0301", "\n-", "-\n"),
    *("3.5", "1,000", "5-6", "--", "..", "...", ".,", "&amp;", "&quot;", "&lt;", "&gt;", "&amp;lt;", "&amp;amp;"),
    *("quot;", "<skipped>", "<skip", "ped>"),
)
"""What tokenizers stumble over: points between digits, entities, line ends, odd spaces, scripts, halves of pairs."""

HARD_TEXTS = st.lists(st.sampled_from(PIECES), max_size=14).map("".join) | st.text(max_size=30)
FEW_WORDS = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=16).map(" ".join)
"""Words that come again and again, so that n-grams are clipped and words are shifted."""


def sets_of(texts: st.SearchStrategy[str]) -> st.SearchStrategy[list[tuple[str, list[str]]]]:
    references = st.lists(texts.filter(str.strip), min_size=1, max_size=3)
    return st.lists(st.tuples(texts, references), min_size=1, max_size=4)


SETS = sets_of(HARD_TEXTS) | sets_of(FEW_WORDS)

METRICS = [
    (Bleu, BLEU, {}),
    (Bleu, BLEU, {"lowercase": True}),
    (Bleu, BLEU, {"tokenize": "none"}),
    (Bleu, BLEU, {"tokenize": "intl"}),
    (Bleu, BLEU, {"tokenize": "zh"}),
    (Bleu, BLEU, {"tokenize": "char", "lowercase": True}),
    (Bleu, BLEU, {"smooth_method": "none"}),
    (Bleu, BLEU, {"smooth_method": "floor"}),
    (Bleu, BLEU, {"smooth_method": "add-k", "smooth_value": 0.3}),
    (Bleu, BLEU, {"max_ngram_order": 2}),
    (Bleu, BLEU, {"max_ngram_order": 7}),
    (Bleu, BLEU, {"effective_order": True}),
    (Chrf, CHRF, {}),
    (Chrf, CHRF, {"word_order": 2}),
    (Chrf, CHRF, {"lowercase": True, "beta": 3}),
    (Chrf, CHRF, {"whitespace": True}),
    (Chrf, CHRF, {"eps_smoothing": True, "word_order": 1}),
    (Chrf, CHRF, {"char_order": 0, "word_order": 2}),
    (Ter, TER, {}),
    (Ter, TER, {"case_sensitive": True}),
    (Ter, TER, {"normalized": True}),
    (Ter, TER, {"no_punct": True}),
    (Ter, TER, {"normalized": True, "no_punct": True, "asian_support": True}),
]
DEFAULTS = [(Bleu, BLEU), (Chrf, CHRF), (Ter, TER)]


def check_parity(ours, peer, outputs, references, **options) -> None:
    measured = ours(**options).prepare(EvaluationSet.of(["source"] * len(outputs), references))(outputs)
    of_set = peer(**options)
    expected = of_set.corpus_score(outputs, list(zip_longest(*references)))
    assert measured.value == expected.score
    assert measured.signature == f"{measured.name}|{of_set.get_signature()}"
    assert measured.name == expected.name.lower() == ours(**options).name
    # A sentence alone is measured with the effective order, as sacrebleu itself asks for.
    of_sentence = peer(**{**options, "effective_order": True}) if peer is BLEU else peer(**options)
    items = [of_sentence.sentence_score(text, texts).score for text, texts in zip(outputs, references, strict=True)]
    assert measured.items.tolist() == items
    assert measured.combine(measured.statistics.sum(axis=0)) == pytest.approx(expected.score, abs=1e-9)
    assert measured.combine(np.stack([measured.statistics, measured.statistics])).shape == (2, len(outputs))


@pytest.mark.parametrize(("ours", "peer", "options"), METRICS, ids=lambda value: getattr(value, "__name__", str(value)))
@settings(max_examples=40)
@given(items=SETS)
@example(items=[("", ["a"])])
@example(items=[("", ["a"]), ("", ["b", "<skipped>"])])
@example(items=[("a", ["!"]), ("!", ["a", "!!!"])])
@example(items=[("\ud83d", ["\ude00", "a"]), ("\ude00", ["\ud83d"])])
@example(items=[("it's\xa0so &amp;amp; so", ["it's\xa0so &amp;amp; so", "so's\xa0it"])])  # TER reads references twice
@example(items=[("a b c d e f", ["d e f a b c"]), ("a a a a a", ["a"]), ("a", ["a a a a a"])])
def test_values_items_and_signatures_equal_sacrebleus(ours, peer, options, items):
    outputs, references = zip(*items, strict=True)
    check_parity(ours, peer, outputs, references, **options)


@settings(max_examples=60)
@given(st.data())
def test_ter_of_repeated_words_equals_sacrebleus_whatever_the_lengths(data):
    """Small alphabets make many shifts; lengths around the beam, and beyond a ratio of 50, take other paths."""
    seed = data.draw(st.integers(0, 2**32))
    draw = random.Random(seed)
    lengths = data.draw(st.sampled_from([(4, 4), (12, 14), (24, 26), (24, 30), (40, 36), (66, 62), (2, 120), (90, 3)]))
    alphabet = [str(n) for n in range(data.draw(st.sampled_from([1, 2, 4, 30])))]
    output, reference = ([draw.choice(alphabet) for _ in range(draw.randint(1, longest))] for longest in lengths)
    if data.draw(st.booleans()):  # a reference in another order rather than another sentence
        at = draw.randint(0, len(reference))
        output = reference[at:] + reference[:at]
    check_parity(Ter, TER, [" ".join(output)], [[" ".join(reference)]])


WORDS = [f"word{n}" for n in range(70)]


@pytest.mark.parametrize("places", [24, 25, 26])
def test_ter_aligns_words_as_far_off_the_diagonal_as_sacrebleu(places):
    new = [f"new{n}" for n in range(places)]
    late, early = [*new, *WORDS[:-places]], [*WORDS[places:], *new]
    check_parity(Ter, TER, [" ".join(late), " ".join(early)], [[" ".join(WORDS)]] * 2)


@pytest.mark.parametrize("places", range(48, 53))
def test_ter_moves_words_as_far_as_sacrebleu(places):
    later = [*WORDS[:5], *WORDS[6 : 6 + places], WORDS[5], *WORDS[6 + places :]]
    texts = [" ".join(WORDS), " ".join(later)]
    check_parity(Ter, TER, texts, [[text] for text in reversed(texts)])


def test_ter_stops_after_as_many_tries_as_sacrebleu():
    """Forty times the same two words offer more than a thousand shifts."""
    output, reference = "a b " * 40, "b b a a " * 20
    check_parity(Ter, TER, [output], [[reference]])


def long_text(words: int) -> tuple[str, str]:
    """A text of so many words, and one in which four are replaced and three moved."""
    draw = random.Random(1)
    text = [f"{draw.choice(['storm', 'gale', 'wind'])}{n}" for n in range(words)]
    changed = text.copy()
    changed[500:504] = ["so", "it", "is", "said"]
    changed[700:703], changed[703:710] = changed[707:710], changed[700:707]
    return " ".join(text), " ".join(changed)


@pytest.mark.parametrize(
    ("ours", "peer", "words"),
    [(Bleu, BLEU, 10_000), (Chrf, CHRF, 10_000), (Ter, TER, 1_000)],
    ids=["bleu", "chrf", "ter"],
)
def test_very_long_texts_are_measured_exactly(ours, peer, words):
    """sacrebleu's TER of 10,000 words takes a minute and gigabytes, hence fewer."""
    text, changed = long_text(words)
    check_parity(ours, peer, [changed], [[text]])


def test_ter_of_ten_thousand_words_is_four_replacements_and_one_move():
    text, changed = long_text(10_000)
    measured = Ter().prepare(EvaluationSet.of(["source"], [[text]]))([changed])
    assert measured.statistics.tolist() == [[5, 10_000]]


@pytest.mark.parametrize(("ours", "peer"), DEFAULTS, ids=["bleu", "chrf", "ter"])
def test_sets_that_are_measured_in_several_parts_are_measured_exactly(ours, peer):
    draw = random.Random(7)
    rows = 9_000 if ours is not Ter else 2_000
    words = ["the", "storm", "hit", "coast", "wind", "and", "rain", "&amp;"]

    def sentence() -> str:
        return " ".join(draw.choices(words, k=draw.randint(1, 7)))

    references = [[sentence() for _ in range(draw.choice([1, 1, 2]))] for _ in range(rows)]
    check_parity(ours, peer, [sentence() for _ in range(rows)], references)


@settings(max_examples=50)
@given(SETS)
def test_sentence_bleu_is_the_mean_of_sacrebleus(items):
    outputs, references = zip(*items, strict=True)
    measured = SentenceBleu().prepare(EvaluationSet.of(["source"] * len(items), references))(outputs)
    peer = BLEU(effective_order=True)
    expected = [peer.sentence_score(text, texts).score for text, texts in zip(outputs, references, strict=True)]
    assert measured.items.tolist() == expected
    assert measured.value == pytest.approx(sum(expected) / len(expected), abs=1e-9)
    assert measured.name == "sentence-bleu"
    assert "|eff:yes|" in measured.signature
