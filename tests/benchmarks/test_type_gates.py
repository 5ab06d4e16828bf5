"""On pairs that people annotated, types are found at least as well as they were.

They lie in no repository: `PARALOOM_DATA` names a folder with `p4p/`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from paraloom.workflows.evaluate.paraphrase_types_check import TypeCheck, check_types
from paraloom.workflows.evaluate.paraphrase_types_options import TypeOptions

GATES = [
    ("msrp-a, held out", "word-syn", 0.38),
    ("msrp-a, held out", "phrase-syn", 0.24),
    ("msrp-a, held out", "structure", 0.37),
    ("msrp-a, held out", "added", 0.52),
    ("msrp-a, held out", "left-out", 0.46),
    ("msrp-a, held out", "misinterpret", 0.51),
    ("p4p", "structure", 0.48),
    ("p4p", "word-syn", 0.39),
]
"""A part, a type and the least Matthews correlation with what people marked."""


@pytest.fixture(scope="module")
def check(data: Path) -> TypeCheck:
    return check_types(data / "p4p", TypeOptions(wordnet=False, meaning=False))


@pytest.mark.parametrize(("part", "name", "least"), GATES)
def test_a_type_is_found_at_least_as_well_as_it_was(part: str, name: str, least: float, check: TypeCheck) -> None:
    assert check.of(part, name).mcc >= least
