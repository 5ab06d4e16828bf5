"""What is common is learnt from a bounded sample that does not depend on how documents come."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.groups.alignment_options import AlignmentOptions
from paraloom.groups.common_grams import common_grams
from paraloom.metrics.likeness.character_tfidf import CharacterTfidf
from paraloom.tables import make_id


def parts(texts: list[str], size: int) -> list[pa.Table]:
    rows = [{"kind": "article", "document_id": make_id(text), "text": text} for text in texts]
    return [pa.Table.from_pylist(rows[at : at + size]) for at in range(0, len(rows), size)]


def learnt(tables: list[pa.Table]) -> np.ndarray:
    model = common_grams(tables, AlignmentOptions())["article"]
    assert model.commonness is not None
    return model.commonness


@given(st.lists(st.text("abcd ", min_size=1, max_size=40), min_size=1, max_size=25, unique=True), st.randoms())
def test_the_order_of_documents_and_how_they_are_cut_do_not_matter(texts: list[str], random: object) -> None:
    shuffled = list(texts)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("paraloom.groups.common_grams.LEARNT_FROM", 12)
        patch.setattr("paraloom.groups.common_grams.LEARNT_LETTERS", 120)
        assert (learnt(parts(texts, 4)) == learnt(parts(shuffled, 7))).all()


def test_no_more_letters_are_learnt_from_than_memory_should_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"{number} " + "word " * 200 for number in range(50)]
    monkeypatch.setattr("paraloom.groups.common_grams.LEARNT_LETTERS", 5000)
    first = sorted(texts, key=make_id)[:4]
    expected = CharacterTfidf.of(first, shortest=4, longest=5).commonness
    assert expected is not None
    assert (learnt(parts(texts, 10)) == expected).all()


def test_what_comes_behind_too_long_a_text_is_left_out_whenever_it_is_met(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("paraloom.groups.common_grams.LEARNT_LETTERS", 100)
    monkeypatch.setattr("paraloom.groups.common_grams.LEARNT_FROM", 3)
    texts = sorted((f"{number} " + "word " * 9 for number in range(4)), key=make_id)
    texts[1] *= 2  # by its id it may lie elsewhere now: every order is tried
    expected = learnt([pa.concat_tables(parts(texts, 1))])
    for order in permutations(texts):
        assert (learnt(parts(list(order), 1)) == expected).all()


def test_one_document_is_learnt_from_however_long_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paraloom.groups.common_grams.LEARNT_LETTERS", 10)
    assert learnt(parts(["a much longer text than that"], 1)).min() < 1.1
