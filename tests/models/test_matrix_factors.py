"""Factorising words and sentences: equal to the dense textbook version, and the same for a sentence in any batch."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.models.identifiers import matrix_factors as module
from paraloom.models.identifiers.matrix_factors import Factorisation, MatrixFactors, factorise

WORDS = [f"word{number}" for number in range(12)]


def made_up(seed: int, sentences: int = 40) -> list[list[str]]:
    """Sentences of 1 to 10 words: some with fewer, some with more words than there are dimensions."""
    random = np.random.default_rng(seed)
    return [random.choice(WORDS, random.integers(1, 11)).tolist() for _ in range(sentences)]


def dense_values(sentences: list[list[str]], words: list[str], rarity: np.ndarray) -> np.ndarray:
    """TF-IDF, a row a sentence; NaN where the word is missing."""
    return np.array(
        [
            [
                sentence.count(word) * rare if word in sentence else np.nan
                for word, rare in zip(words, rarity, strict=True)
            ]
            for sentence in sentences
        ]
    )


def dense_solution(values: np.ndarray, table: np.ndarray, missing_weight: float, penalty: float) -> np.ndarray:
    """Weighted least squares for each row, with every weight written down."""
    solved = []
    for row in values:
        weights = np.diag(np.where(np.isnan(row), missing_weight, 1.0))
        system = table.T @ weights @ table + penalty * np.eye(table.shape[1])
        solved.append(np.linalg.solve(system, table.T @ weights @ np.nan_to_num(row)))
    return np.array(solved)


def dense_factors(sentences: list[list[str]], how: Factorisation, seed: int) -> np.ndarray:
    """Alternating least squares as the papers write it."""
    words = sorted({word for sentence in sentences for word in sentence})
    found_in = np.array([sum(word in sentence for sentence in sentences) for word in words])
    values = dense_values(sentences, words, np.log(len(sentences) / found_in))
    table = np.random.default_rng(seed).standard_normal((len(words), how.dimensions))
    for _ in range(how.iterations):
        sentence_vectors = dense_solution(values, table, how.missing_weight, how.penalty)
        table = dense_solution(values.T, sentence_vectors, how.missing_weight, how.penalty)
        products = table.T @ table
        away = products - np.trace(products) / how.dimensions * np.eye(how.dimensions)
        table = table - how.orthogonality * table @ away
    return table


HOW = [
    Factorisation(dimensions=3, iterations=4, penalty=0.5, least_sentences=1),
    Factorisation(dimensions=5, iterations=3, penalty=2.0, missing_weight=0.2, least_sentences=1),
    Factorisation(dimensions=4, iterations=4, penalty=0.5, orthogonality=1e-3, least_sentences=1),
    Factorisation(dimensions=2, iterations=2, penalty=1.0, missing_weight=1.0, least_sentences=1),
]


@pytest.mark.parametrize("how", HOW, ids=str)
@pytest.mark.parametrize("seed", [1, 2])
def test_factors_are_those_of_the_dense_method(how: Factorisation, seed: int) -> None:
    sentences = made_up(seed)
    np.testing.assert_allclose(
        factorise(sentences, how, seed).vectors, dense_factors(sentences, how, seed), rtol=2e-4, atol=2e-6
    )


@settings(deadline=None)
@given(st.lists(st.lists(st.sampled_from([*WORDS, "unseen"]), max_size=15), max_size=6))
def test_a_new_sentence_is_folded_in_as_the_dense_method_would(sentences: list[list[str]]) -> None:
    folded = FACTORS.fold_in(sentences)
    values = dense_values(sentences, list(FACTORS.number), FACTORS.rarity)
    assert folded.shape == (len(sentences), 3)
    if sentences:
        dense = dense_solution(values, FACTORS.vectors.astype(float), 0.01, 0.5)
        np.testing.assert_allclose(folded, dense, rtol=1e-8, atol=1e-10)
    alone = [FACTORS.fold_in([sentence])[0].tolist() for sentence in sentences]
    assert folded.tolist() == alone


FACTORS = factorise(made_up(1), HOW[0], 1)


def test_a_sentence_of_unknown_words_is_folded_in_as_nothing() -> None:
    assert FACTORS.fold_in([["never", "seen"], []]).tolist() == [[0.0] * 3] * 2


def test_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CELLS_FOR_ONE_THREAD", 0)
    assert factorise(made_up(1), HOW[0], 1).fingerprint == FACTORS.fingerprint


def test_the_same_seed_gives_the_same_factors_and_another_gives_others() -> None:
    assert factorise(made_up(1), HOW[0], 1).fingerprint == FACTORS.fingerprint
    assert factorise(made_up(1), HOW[0], 2).fingerprint != FACTORS.fingerprint


def test_every_iteration_explains_the_matrix_better() -> None:
    sentences = made_up(3)

    def loss(iterations: int) -> float:
        how = Factorisation(dimensions=3, iterations=iterations, penalty=0.5, least_sentences=1)
        factors = factorise(sentences, how, 1)
        table, sentence_vectors = factors.vectors.astype(float), factors.fold_in(sentences)
        values = dense_values(sentences, list(factors.number), factors.rarity)
        errors = np.where(np.isnan(values), 0.01, 1) * (np.nan_to_num(values) - sentence_vectors @ table.T) ** 2
        return float(errors.sum() + 0.5 * ((table**2).sum() + (sentence_vectors**2).sum()))

    losses = [loss(iterations) for iterations in (1, 2, 4, 8)]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < 0.9 * losses[0]


def test_orthogonal_factorisation_makes_dimensions_more_orthogonal() -> None:
    def furthest(orthogonality: float) -> float:
        how = Factorisation(dimensions=4, iterations=10, penalty=0.5, orthogonality=orthogonality, least_sentences=1)
        table = factorise(made_up(4, 200), how, 1).vectors.astype(float)
        cosines = table.T @ table / np.outer(*[np.linalg.norm(table, axis=0)] * 2)
        return float(np.abs(cosines - np.eye(4)).max())

    assert furthest(0.01) < furthest(0.0) / 2


def test_a_step_that_would_overshoot_is_shortened() -> None:
    factors = factorise(made_up(4, 200), Factorisation(dimensions=4, penalty=0.5, orthogonality=1e6), 1)
    assert np.isfinite(factors.vectors).all()
    assert 1e-3 < np.abs(factors.vectors).max() < 1e3


def test_rare_words_are_unknown() -> None:
    factors = factorise([["storm", "coast"], ["storm", "rain"]], Factorisation(dimensions=2, least_sentences=2), 1)
    assert list(factors.number) == ["storm"]


def test_no_known_word_at_all_is_no_error() -> None:
    factors = factorise([["once"]], Factorisation(dimensions=2), 1)
    assert factors.fold_in([["once"]]).tolist() == [[0.0, 0.0]]


def test_saved_factors_fold_in_the_same(tmp_path: Path) -> None:
    FACTORS.save(tmp_path)
    again = MatrixFactors.load(tmp_path)
    assert again.fingerprint == FACTORS.fingerprint
    assert again.fold_in(made_up(5)).tolist() == FACTORS.fold_in(made_up(5)).tolist()


def test_files_that_do_not_belong_together_are_refused(tmp_path: Path) -> None:
    FACTORS.save(tmp_path)
    other = factorise([["a", "b"], ["a", "b"]], Factorisation(dimensions=2), 1)
    (tmp_path / "other").mkdir()
    other.save(tmp_path / "other")
    (tmp_path / "words.json").write_text((tmp_path / "other" / "words.json").read_text())
    with pytest.raises(InputError, match="2 words and 12 vectors"):
        MatrixFactors.load(tmp_path)


BAD = [{"dimensions": 0}, {"iterations": 0}, {"missing_weight": 0.0}, {"penalty": 0.0}, {"orthogonality": -1.0}]


@pytest.mark.parametrize("settings", BAD, ids=str)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, float]) -> None:
    with pytest.raises(InputError, match=r"at least 1|must lie"):
        Factorisation(**settings)
