"""Identifiers are found by name or folder, and say clearly when they are not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paraloom.errors import InputError
from paraloom.models.identifiers import (
    CARD,
    Examples,
    Identifier,
    load,
    shipped_systems,
    weight_files,
)


@pytest.mark.parametrize("name", sorted(shipped_systems()))
def test_a_known_name_loads_an_identifier_of_that_name(name: str) -> None:
    identifier = load(name)
    assert isinstance(identifier, Identifier)
    assert identifier.name == name
    assert identifier.signature.startswith(f"{name}|")
    assert identifier.definitions


@pytest.mark.parametrize("name", sorted(shipped_systems()))
def test_shipped_weights_are_there(name: str) -> None:
    assert all(file.is_file() for file in weight_files(name).values())


def test_an_unknown_name_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"no identifier 'bert'.*ngram-regression.*Choose one"):
        load("bert")
    with pytest.raises(InputError, match="ngram-regression"):
        weight_files("bert")


def test_a_saved_identifier_loads_from_its_folder(tmp_path: Path) -> None:
    shipped = load("ngram-regression")
    shipped.save(tmp_path / "mine")
    again = load(tmp_path / "mine")
    assert again.signature == shipped.signature
    assert again == shipped
    assert weight_files(tmp_path / "mine") == {CARD: tmp_path / "mine" / CARD}


BAD_CARDS = [
    ("{", "does not name its identifier"),
    ("[]", "does not name its identifier"),
    ('{"nom": "x"}', "does not name its identifier"),
    ('{"name": "from-the-future"}', "'from-the-future', which this version does not know.*ngram-regression"),
]


@pytest.mark.parametrize(("card", "complaint"), BAD_CARDS)
def test_a_folder_with_a_bad_card_is_refused(tmp_path: Path, card: str, complaint: str) -> None:
    (tmp_path / CARD).write_text(card)
    with pytest.raises(InputError, match=complaint):
        load(tmp_path)


def test_weights_for_other_features_are_refused(tmp_path: Path) -> None:
    load("ngram-regression").save(tmp_path)
    card = json.loads((tmp_path / CARD).read_text())
    card["features"] = card["features"][:-1]
    (tmp_path / CARD).write_text(json.dumps(card))
    with pytest.raises(InputError, match="other features"):
        load(tmp_path)


def test_examples_of_unequal_length_are_refused() -> None:
    with pytest.raises(InputError, match="2 left texts, 1 right texts and 1 targets"):
        Examples(left=["a", "b"], right=["a"], targets=[1.0])
