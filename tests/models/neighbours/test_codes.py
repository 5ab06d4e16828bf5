"""Codes keep angles, are of one length, and their products are exact."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from paraloom.errors import EngineError, InputError
from paraloom.models.neighbours.codes import (
    LARGEST,
    MOST_DIMS,
    Coder,
    learn_coder,
    rotation,
    similarities,
    squared_norms,
)
from paraloom.models.neighbours.nearest import nearest
from paraloom.models.neighbours.product_codes import ProductCoder, learn_product_coder, read_codes, write_codes
from tests.models.neighbours.made_up import clustered


def unit(vectors: np.ndarray) -> np.ndarray:
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def narrow_cone(count: int, dims: int) -> np.ndarray:
    """Vectors that all point much the same way, as those of some encoders do."""
    random = np.random.default_rng(3)
    return unit(random.normal(size=(count, dims)) + 2 * random.normal(size=dims))


def few_large_dimensions(count: int, dims: int) -> np.ndarray:
    """Vectors of which two dimensions hold most."""
    vectors = np.random.default_rng(4).normal(size=(count, dims))
    vectors[:, [5, 9]] += 15
    vectors[:, 11] *= 12
    return unit(vectors)


SHAPES_OF_VECTORS = {
    "clusters": lambda: clustered(2000, 128, 30),
    "a narrow cone": lambda: narrow_cone(2000, 384),
    "few large dimensions": lambda: few_large_dimensions(2000, 96),
    "few dimensions": lambda: clustered(2000, 8, 30),
}


@pytest.mark.parametrize("make", SHAPES_OF_VECTORS.values(), ids=SHAPES_OF_VECTORS)
def test_cosines_of_codes_are_cosines_of_vectors(make) -> None:
    vectors = make()
    codes = learn_coder(vectors).encode(vectors)
    norms = squared_norms(codes)
    dots = codes[:200].astype(np.int32) @ codes.T.astype(np.int32)
    told = similarities(dots, norms[:200, None], norms[None, :])
    apart = told - vectors[:200] @ vectors.T
    assert np.sqrt((apart**2).mean()) < 0.004


def test_vectors_are_rotated_only_where_few_dimensions_hold_much() -> None:
    assert not learn_coder(clustered(2000, 128, 30)).rotated
    assert learn_coder(few_large_dimensions(2000, 96)).rotated


@pytest.mark.parametrize("dims", [1, 2, 3, 8, 96, 384])
def test_a_rotation_turns_and_does_not_bend(dims: int) -> None:
    matrix = rotation(dims)
    np.testing.assert_allclose(matrix @ matrix.T, np.eye(dims), atol=1e-9)


def test_all_codes_are_of_nearly_one_length() -> None:
    vectors = clustered(2000, 128, 30)
    coder = learn_coder(vectors)
    lengths = np.sqrt(squared_norms(coder.encode(vectors)))
    assert np.abs(lengths / coder.scale - 1).max() < 0.005
    assert (lengths / coder.scale).std() < 0.0004  # plain rounding leaves three times as much


@given(arrays(np.float32, (7, 5), elements=st.floats(-1, 1, width=32)), st.integers(1, 7))
@settings(max_examples=40)
def test_how_vectors_are_batched_changes_no_code(vectors: np.ndarray, at_once: int) -> None:
    coder = Coder(dims=5, scale=200.0)
    pieces = [coder.encode(vectors[start : start + at_once]) for start in range(0, 7, at_once)]
    np.testing.assert_array_equal(np.concatenate(pieces), coder.encode(vectors))


@pytest.mark.parametrize("rotated", [False, True])
def test_zeros_stay_zeros_and_no_others_become_zeros(rotated: bool) -> None:
    vectors = clustered(100, 16, 5)
    vectors[3] = 0
    norms = squared_norms(Coder(dims=16, scale=100.0, rotated=rotated).encode(vectors))
    assert np.flatnonzero(norms == 0).tolist() == [3]


def test_a_scale_is_learned_from_nothing_and_from_zeros() -> None:
    assert learn_coder(np.zeros((0, 4), np.float32)).scale == LARGEST
    assert learn_coder(np.zeros((3, 4), np.float32)).scale == LARGEST
    assert learn_coder(np.array([[0.5, -0.25]], np.float32)).scale == 254.0


def test_products_of_the_longest_codes_are_exact() -> None:
    longest = np.full((2, MOST_DIMS), LARGEST, np.int8)
    longest[1] *= -1
    longest[1, 0] = LARGEST - 1  # an odd sum just above the largest below zero
    exact = (longest.astype(np.int64) @ longest.astype(np.int64).T).tolist()
    assert nearest(longest, longest, 2, least=-(2**24) + 1).dots.tolist() == [sorted(line)[::-1] for line in exact]


def test_too_many_dimensions_are_refused() -> None:
    with pytest.raises(InputError, match=r"1041 dimensions cannot be searched.*--dims"):
        learn_coder(np.zeros((1, 1041), np.float32))


def test_vectors_of_another_shape_or_not_finite_are_refused() -> None:
    with pytest.raises(InputError, match="4 dimensions are wanted"):
        Coder(dims=4, scale=1.0).encode(np.zeros((1, 5), np.float32))
    with pytest.raises(InputError, match="not finite"):
        Coder(dims=1, scale=1.0).encode(np.array([[np.nan]], np.float32))


def test_product_codes_come_back_near_and_stay_when_packed_again() -> None:
    vectors = clustered(3000, 32, 40)
    coder = learn_coder(vectors)
    rows = coder.encode(vectors)
    packed = learn_product_coder(coder, rows, 16)
    kept = packed.encode(vectors)
    assert (kept.shape, kept.dtype, packed.width, packed.dims) == ((3000, 16), np.uint8, 16, 32)
    back = packed.decode(kept)
    cosines = similarities(np.einsum("ij,ij->i", rows, back, dtype=np.int32), squared_norms(rows), squared_norms(back))
    assert cosines.mean() > 0.98
    np.testing.assert_array_equal(packed.decode(packed.pack(back)), back)


def test_a_piece_is_the_nearest_known_one() -> None:
    coder = Coder(dims=4, scale=100.0)
    random = np.random.default_rng(0)
    pieces = random.integers(-100, 100, (2, 256, 2)).astype(np.int8)
    rows = random.integers(-100, 100, (50, 4)).astype(np.int8)
    packed = ProductCoder(coder=coder, pieces=pieces).pack(rows)
    for row, kept in zip(rows.astype(int), packed, strict=True):
        for place in range(2):
            away = ((pieces[place].astype(int) - row[place * 2 : place * 2 + 2]) ** 2).sum(axis=1)
            assert kept[place] == away.argmin()


def test_pieces_that_do_not_fit_or_cannot_be_learned_are_refused() -> None:
    coder = Coder(dims=10, scale=100.0)
    with pytest.raises(InputError, match="3 equal pieces"):
        learn_product_coder(coder, np.zeros((300, 10), np.int8), 3)
    with pytest.raises(InputError, match="too few"):
        learn_product_coder(coder, np.zeros((30, 10), np.int8), 5)


def test_codes_are_read_as_they_were_written(tmp_path: Path) -> None:
    vectors = clustered(400, 8, 10)
    coder = learn_coder(vectors)
    write_codes(tmp_path, coder)
    assert read_codes(tmp_path) == coder
    packed = learn_product_coder(coder, coder.encode(vectors), 4)
    write_codes(tmp_path, packed)
    back = read_codes(tmp_path)
    assert isinstance(back, ProductCoder)
    assert back.coder == coder
    np.testing.assert_array_equal(back.pieces, packed.pieces)
    with pytest.raises(EngineError, match="holds no index"):
        read_codes(tmp_path / "elsewhere")
