"""The n-gram regression: its features, its symmetry, its scores and the figures it was shipped with."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom import sample
from paraloom.errors import InputError
from paraloom.metrics.identification.decisions import at_threshold, best_f1
from paraloom.models.identifiers import Examples, load, weight_files
from paraloom.models.identifiers import ngram_regression as module
from paraloom.models.identifiers.ngram_regression import FEATURES, NgramRegression, overlap_features
from paraloom.text.lemmas import lemmatise
from paraloom.text.ngrams import ngrams
from paraloom.text.tokenise import tokenise, words

WORDS = ("the", "storm", "storms", "hit", "hits", "coast", "was", "is", "5", "#news", "!!!", "😀", "tormenta", "我")
TEXTS = st.one_of(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), st.text(max_size=30))
PAIRS = st.lists(st.tuples(TEXTS, TEXTS), max_size=12)

SHIPPED = load("ngram-regression")

UNHURRIED = settings(deadline=None)
"""The first pair reads the dictionary of lemmas, and the machine may be busy."""


def slow_features(left: str, right: str) -> list[float]:
    """The 18 features, written down as they are defined."""
    features: list[float] = []
    ours, theirs = (words(text) or tokenise(text) for text in (left, right))
    for one, other in ((ours, theirs), (lemmatise(ours), lemmatise(theirs))):
        measures = [0.0, 0.0, 0.0]
        for n in (1, 2, 3):
            in_one, in_other = ngrams(one, n), ngrams(other, n)
            if in_one or in_other:
                shared = (Counter(in_one) & Counter(in_other)).total()
                precision = shared / len(in_one) if in_one else 0.0
                recall = shared / len(in_other) if in_other else 0.0
                f1 = 2 * precision * recall / (precision + recall) if shared else 0.0
                measures = [min(precision, recall), max(precision, recall), f1]
            features += measures
    return features


@UNHURRIED
@given(PAIRS)
def test_features_are_as_they_are_defined(pairs: list[tuple[str, str]]) -> None:
    fast = overlap_features([left for left, _ in pairs], [right for _, right in pairs])
    assert fast.shape == (len(pairs), len(FEATURES))
    for row, (left, right) in zip(fast, pairs, strict=True):
        assert row.tolist() == pytest.approx(slow_features(left, right))


def test_there_are_eighteen_features_with_names_of_their_own() -> None:
    assert len(set(FEATURES)) == 18


@UNHURRIED
@given(PAIRS)
def test_scores_lie_between_zero_and_one_with_six_decimals(pairs: list[tuple[str, str]]) -> None:
    scores = SHIPPED.score([left for left, _ in pairs], [right for _, right in pairs])
    assert scores.dtype == np.float64
    assert ((scores >= 0) & (scores <= 1)).all()
    assert (scores == scores.round(6)).all()


@UNHURRIED
@given(PAIRS)
def test_either_order_gives_the_same_score(pairs: list[tuple[str, str]]) -> None:
    left, right = [left for left, _ in pairs], [right for _, right in pairs]
    assert SHIPPED.score(left, right).tolist() == SHIPPED.score(right, left).tolist()


@UNHURRIED
@given(PAIRS, st.randoms(use_true_random=False))
def test_a_score_does_not_depend_on_its_batch(pairs: list[tuple[str, str]], random: object) -> None:
    together = SHIPPED.score([left for left, _ in pairs], [right for _, right in pairs]).tolist()
    alone = [SHIPPED.score([left], [right])[0] for left, right in pairs]
    assert together == alone
    order = list(range(len(pairs)))
    random.shuffle(order)  # type: ignore[attr-defined]
    shuffled = SHIPPED.score([pairs[row][0] for row in order], [pairs[row][1] for row in order]).tolist()
    assert shuffled == [together[row] for row in order]


def test_a_score_does_not_depend_on_how_many_pairs_are_held_together(monkeypatch: pytest.MonkeyPatch) -> None:
    left = [f"the storm number {number % 17} hit the coast" for number in range(1500)]
    right = [f"storm {number % 23} hits the town of {number}" for number in range(1500)]
    together = SHIPPED.score(left, right).tolist()
    monkeypatch.setattr(module, "PAIRS_AT_ONCE", 7)
    assert SHIPPED.score(left, right).tolist() == together
    monkeypatch.setattr(module, "CHARACTERS_AT_ONCE", 100)
    assert SHIPPED.score(left, right).tolist() == together


@UNHURRIED
@given(TEXTS.filter(tokenise))
def test_a_text_is_a_paraphrase_of_itself(text: str) -> None:
    assert SHIPPED.score([text], [text])[0] > 0.5


@UNHURRIED
@given(st.lists(st.sampled_from(WORDS[:4])), st.lists(st.sampled_from(("market", "falls", "today", "again"))))
def test_texts_that_share_no_word_are_not_paraphrases(left: list[str], right: list[str]) -> None:
    assert SHIPPED.score([" ".join(left)], [" ".join(right)])[0] < 0.5


ODD_PAIRS = [
    ("", ""),
    ("", "the storm hit the coast"),
    ("\x00\ufeff", "\ud800"),
    ("storm " * 10_000, "storm " * 9_999),
    ("a" * 300_000, "b"),
    (" ".join(map(str, range(60_000))), "5 6 7"),
]


@pytest.mark.parametrize(("left", "right"), ODD_PAIRS, ids=range(len(ODD_PAIRS)))
def test_odd_texts_get_a_score(left: str, right: str) -> None:
    assert 0 <= SHIPPED.score([left], [right])[0] <= 1


def test_no_pairs_get_no_scores() -> None:
    assert SHIPPED.score([], []).shape == (0,)


def test_pairs_of_unequal_length_are_refused() -> None:
    with pytest.raises(InputError, match="2 left texts and 1 right texts"):
        SHIPPED.score(["a", "b"], ["a"])


def test_a_definition_it_was_not_trained_for_is_refused() -> None:
    with pytest.raises(InputError, match=r"'strict'\. It was trained for: loose"):
        SHIPPED.score(["a"], ["a"], "strict")
    with pytest.raises(InputError, match="none yet: call fit first"):
        NgramRegression().score(["a"], ["a"])


def made_up_examples(seed: int, size: int = 400) -> Examples:
    """Pairs whose second text keeps more of the first one's words where they are paraphrases."""
    random = np.random.default_rng(seed)
    vocabulary = [f"word{number}" for number in range(60)]
    left, right, targets = [], [], []
    for _ in range(size):
        one = random.choice(vocabulary, 8).tolist()
        is_paraphrase = random.random() < 0.4
        kept = random.random(8) < (0.75 if is_paraphrase else 0.35)
        other = [word if keep else str(random.choice(vocabulary)) for word, keep in zip(one, kept, strict=True)]
        left.append(" ".join(one))
        right.append(" ".join(other))
        targets.append(float(is_paraphrase))
    return Examples(left=left, right=right, targets=targets)


@pytest.fixture(scope="module")
def fitted() -> NgramRegression:
    return NgramRegression().fit([made_up_examples(1)], [made_up_examples(2)])


@pytest.mark.parametrize("which", ["shipped", "fitted"])
def test_scores_are_sklearns_predict_proba_with_the_same_coefficients(which: str, fitted: NgramRegression) -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    ours = NgramRegression.read(weight_files("ngram-regression")["ngram_regression.json"])
    ours = ours if which == "shipped" else fitted
    learned = ours.fitted["loose"]
    examples = made_up_examples(3)
    scaler, regression = StandardScaler(), LogisticRegression()
    scaler.mean_, scaler.scale_ = np.array(learned.means), np.array(learned.scales)
    scaler.var_, scaler.n_features_in_ = scaler.scale_**2, len(FEATURES)
    regression.coef_, regression.intercept_ = np.array([learned.coefficients]), np.array([learned.intercept])
    regression.classes_ = np.array([0, 1])
    theirs = make_pipeline(scaler, regression).predict_proba(overlap_features(examples.left, examples.right))[:, 1]
    np.testing.assert_allclose(ours.score(examples.left, examples.right), theirs, atol=5.1e-7, rtol=0)


def test_half_is_the_best_point_on_the_held_out_pairs(fitted: NgramRegression) -> None:
    held_out = made_up_examples(2)
    truth = np.asarray(held_out.targets) > 0.5
    scores = fitted.score(held_out.left, held_out.right)
    assert at_threshold(scores, truth).f1 == pytest.approx(best_f1(scores, truth).f1)


def test_fitting_again_gives_the_same_numbers(fitted: NgramRegression) -> None:
    assert NgramRegression().fit([made_up_examples(1)], [made_up_examples(2)]).signature == fitted.signature


def test_fitting_without_held_out_pairs_is_refused() -> None:
    with pytest.raises(InputError, match="held out for the definition 'loose'"):
        NgramRegression().fit([made_up_examples(1)], [])


def test_a_saved_regression_gives_the_same_scores(fitted: NgramRegression, tmp_path: Path) -> None:
    fitted.save(tmp_path)
    again = load(tmp_path)
    examples = made_up_examples(4)
    assert again == fitted
    assert again.signature == fitted.signature
    assert again.score(examples.left, examples.right).tolist() == fitted.score(examples.left, examples.right).tolist()


def test_the_signature_says_what_decides_a_score(fitted: NgramRegression) -> None:
    parts = dict(part.partition(":")[::2] for part in SHIPPED.signature.split("|"))
    assert list(parts) == ["ngram-regression", "features", "lemmas", "trained", "paraloom", "weights"]
    assert parts["features"] == "18"
    assert parts["trained"].startswith("ngram_regression-")
    assert fitted.signature != SHIPPED.signature


def test_the_shift_is_a_change_of_base_rate() -> None:
    learned = NgramRegression.read(weight_files("ngram-regression")["ngram_regression.json"]).fitted["loose"]
    assert learned.with_shift(0.0).assumed_base_rate == pytest.approx(learned.base_rate)
    assert learned.with_shift(0.0).with_shift(learned.shift).intercept == pytest.approx(learned.intercept)
    assert learned.base_rate < learned.assumed_base_rate < 0.5


def test_the_bundled_gold_gives_the_figures_that_were_recorded() -> None:
    recorded = json.loads(weight_files("ngram-regression")["ngram_regression.json"].read_text())["trained"]["figures"]
    with sample.gold().open(encoding="utf-8", newline="") as lines:
        gold = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    truth = np.array([pair["label"] == "1" for pair in gold])
    scores = SHIPPED.score([pair["left"] for pair in gold], [pair["right"] for pair in gold])
    assert best_f1(scores, truth).f1 == pytest.approx(recorded["sample_gold"]["max_f1"], abs=0.01)
    assert at_threshold(scores, truth).f1 == pytest.approx(recorded["sample_gold"]["f1_at_half"], abs=0.01)


GATES = [("twitter_url_train_5fold", 0.745), ("pit2015", 0.61), ("msrp", 0.825)]


@pytest.mark.parametrize(("corpus", "at_least"), GATES)
def test_the_shipped_coefficients_reached_these_figures_when_they_were_fitted(corpus: str, at_least: float) -> None:
    recorded = json.loads(weight_files("ngram-regression")["ngram_regression.json"].read_text())["trained"]["figures"]
    assert recorded[corpus]["max_f1"] >= at_least
