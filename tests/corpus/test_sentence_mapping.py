"""A statement is a phrase, a sentence, or several; a pair is what stands on its two sides."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.corpus.sentence_mapping import KINDS, MAPPINGS, MappingCounter, statement_kind

STATEMENTS = [
    ("A storm hit the coast.", "1"),
    ("a storm hit the coast.", "phrase"),
    ("A storm hit the coast", "phrase"),
    ("the coast", "phrase"),
    ("“Was it a storm?”", "1"),
    ("– Ei kiitos!", "1"),
    ("(Naurua.)", "1"),
    ("... ja sitten", "phrase"),
    ("3 000 ihmistä kuoli.", "phrase"),
    ("It blew. It rained!", "2"),
    ("It blew. It rained. It snowed.", "3+"),
    ("Dr. Lee came at 5 p.m. on Monday.", "1"),
    ("彼は来た。", "1"),
    ("彼は来た。雨だった。", "2"),
    ("هل جاء؟", "1"),
    ("Сьогодні дощ.", "1"),
    ("сьогодні дощ.", "phrase"),
    ("", "phrase"),
    ("?!", "phrase"),
]


@pytest.mark.parametrize(("text", "kind"), STATEMENTS)
def test_a_statement_is_of_one_kind(text: str, kind: str) -> None:
    assert statement_kind(text) == kind


PAIRS = [
    ("It blew.", "It rained.", "1-1"),
    ("It blew. It rained.", "It blew and rained.", "1-2"),
    ("a storm", "It blew.", "1-phrase"),
    ("a storm", "some wind", "phrase-phrase"),
    ("It blew. It rained.", "It rained. It blew.", "2-2"),
    ("a storm", "It blew. It rained. It snowed.", "3+-phrase"),
]


@pytest.mark.parametrize(("left", "right", "mapping"), PAIRS)
def test_a_pair_is_what_its_sides_are_in_either_order(left: str, right: str, mapping: str) -> None:
    for one, other in ((left, right), (right, left)):
        counter = MappingCounter()
        counter.add(one, other)
        assert {part.name for part in counter.result().pairs if part.count} == {mapping}


def test_every_two_kinds_have_a_name() -> None:
    assert set(MAPPINGS) == {"-".join(sorted((one, other))) for one in KINDS for other in KINDS}


@given(st.lists(st.tuples(st.text(), st.text())))
def test_every_pair_is_counted_and_shares_add_up(pairs: list[tuple[str, str]]) -> None:
    counter = MappingCounter()
    for left, right in pairs:
        counter.add(left, right)
    found = counter.result()
    assert sum(part.count for part in found.pairs) == len(pairs)
    assert sum(part.count for part in found.statements) == 2 * len(pairs)
    assert sum(part.share for part in found.pairs) == pytest.approx(1.0 if pairs else 0.0, abs=1e-5)
