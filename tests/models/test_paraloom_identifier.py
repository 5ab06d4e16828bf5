"""The shipped identifier: four definitions, symmetric, quick on clear pairs, and pinned where it must not get worse."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.engine.signatures import hash_of_file
from paraloom.errors import InputError
from paraloom.models.identifiers import DEFINITIONS, SHIPPED, Examples, load, weight_files
from paraloom.models.identifiers.mutual_implication import MutualImplication
from paraloom.models.identifiers.paraloom import ParaloomIdentifier
from paraloom.models.pair_model import FOLDER

SAME = [
    ("The storm destroyed hundreds of houses.", "Hundreds of houses were destroyed by the storm."),
    ("The mayor refused to resign.", "The mayor would not step down."),
    ("She sold the house she grew up in.", "She sold her childhood home."),
    ("Ten dead after bus falls into river", "a bus plunged into a river, killing 10 people"),
]
OTHER = [
    ("The storm destroyed hundreds of houses.", "The mayor would not step down."),
    ("The company's profit rose by a third last year.", "She sold her childhood home."),
    ("Apple unveils a new phone", "Apple pie is my favourite dessert"),
    ("He was arrested on Monday after a short chase.", "Prices doubled within a year."),
]
STRANGE = ["", " ", "a", "🙂🙂", "嵐が海岸を襲った", "[SEP] [CLS]", "word " * 10_000, "\ud800", "\x00\n\t"]


@pytest.fixture(scope="module")
def identifier() -> ParaloomIdentifier:
    found = load("paraloom")
    assert isinstance(found, ParaloomIdentifier)
    return found


def sides(pairs: list[tuple[str, str]]) -> tuple[list[str], list[str]]:
    return [left for left, _ in pairs], [right for _, right in pairs]


@pytest.mark.parametrize("definition", DEFINITIONS)
def test_plain_cases_are_right_by_every_definition(identifier: ParaloomIdentifier, definition: str) -> None:
    assert identifier.definitions == DEFINITIONS
    assert (identifier.score(*sides(SAME), definition) > 0.5).sum() >= 3
    assert (identifier.score(*sides(OTHER), definition) < 0.5).all()


@pytest.mark.parametrize("text", STRANGE, ids=range(len(STRANGE)))
@pytest.mark.parametrize("definition", DEFINITIONS)
def test_any_text_gets_a_score(identifier: ParaloomIdentifier, text: str, definition: str) -> None:
    scores = identifier.score([text, text, ""], ["The storm hit the coast.", text, text], definition)
    assert ((scores >= 0) & (scores <= 1)).all()
    assert scores[2] == 0
    grades = identifier.grades([text], ["The storm hit the coast."])
    assert grades[0][0] in "1234"


WORDS = ["the", "a", "storm", "hit", "coast", "mayor", "not", "resign", "sold", "10", "ten", "@user", "#news"]
words = st.lists(st.sampled_from(WORDS), max_size=9)
texts = words.map(" ".join)


@settings(max_examples=15, deadline=None)
@given(left=texts, right=texts, definition=st.sampled_from(DEFINITIONS))
def test_order_makes_no_difference(left: str, right: str, definition: str) -> None:
    identifier = load("paraloom")
    assert identifier.score([left], [right], definition) == identifier.score([right], [left], definition)


@pytest.mark.parametrize("definition", DEFINITIONS)
def test_what_a_doubt_would_bring_is_what_it_brings(identifier: ParaloomIdentifier, definition: str) -> None:
    left, right = sides([*SAME, *OTHER, ("", "a"), ("a", "A")])
    doubts = (0.0, 0.1, 0.3, 0.45)
    for doubt, (scores, layers) in zip(doubts, identifier.hurried(left, right, definition, doubts), strict=True):
        hurried, read = replace(identifier, doubt=doubt).score_with_depth(left, right, definition)
        assert scores.tolist() == hurried.tolist()
        assert layers.tolist() == read.tolist()


def test_a_copy_is_a_paraphrase(identifier: ParaloomIdentifier) -> None:
    left = [one for pair in SAME for one in pair]
    for definition in DEFINITIONS:
        assert (identifier.score(left, left, definition) > 0.9).all()
    assert set(identifier.grades(left, left)) == {"4"}


def test_clear_pairs_are_not_read_to_their_end(identifier: ParaloomIdentifier) -> None:
    left, right = sides(SAME + OTHER)
    quick, layers = identifier.score_with_depth(left, right)
    whole, deepest = ParaloomIdentifier(doubt=0).score_with_depth(left, right)
    assert set(deepest.tolist()) == {identifier.model.exits[-1]}
    assert (layers < identifier.model.exits[-1]).any()
    np.testing.assert_array_equal(quick > 0.5, whole > 0.5)


@pytest.mark.parametrize("doubt", [-0.1, 0.5, 1])
def test_a_doubt_that_makes_no_sense_is_refused(doubt: float) -> None:
    with pytest.raises(InputError, match="doubt"):
        ParaloomIdentifier(doubt=doubt)


def test_grades_turn_their_arrow_with_the_order(identifier: ParaloomIdentifier) -> None:
    left, right = sides(SAME + OTHER)
    turned = str.maketrans("<>", "><")
    assert identifier.grades(left, right) == [grade.translate(turned) for grade in identifier.grades(right, left)]
    grades = identifier.grades(*sides(OTHER))
    assert set(grades) <= {"1", "2"}


def test_it_is_read_anew_by_own_pairs_and_saved(identifier: ParaloomIdentifier, tmp_path: Path) -> None:
    left, right = sides(SAME + OTHER)
    # By these labels only the first two are paraphrases: .5 must lie higher than before.
    wanted = [1.0, 1.0, 0, 0, 0, 0, 0, 0]
    strictly = Examples(left=left, right=right, targets=wanted, definition="loose")
    fitted = identifier.fit([strictly], [strictly])
    assert fitted.read_by["loose"] != identifier.read_by["loose"]
    assert fitted.read_by["strict"] == identifier.read_by["strict"]
    fitted.save(tmp_path / "own")
    again = load(tmp_path / "own")
    np.testing.assert_array_equal(again.score(left, right), fitted.score(left, right))
    assert again.signature == fitted.signature != identifier.signature
    otherwise = replace(strictly, targets=[1.0] * 4 + [0.0] * 4)
    assert identifier.fit([otherwise], [otherwise]).signature not in (fitted.signature, identifier.signature)
    with pytest.raises(InputError, match="No examples are held out"):
        identifier.fit([strictly], [])


@pytest.mark.parametrize("paraphrases", [1, 3, 4, 6])
def test_grades_follow_the_score_however_it_is_fitted(identifier: ParaloomIdentifier, paraphrases: int) -> None:
    left, right = sides(SAME + OTHER)
    likest = np.argsort(-identifier.score(left, right, "graded"))
    targets = np.zeros(len(left))
    targets[likest[:paraphrases]] = 1.0
    pairs = Examples(left=left, right=right, targets=targets.tolist(), definition="graded")
    for reader in (identifier, identifier.fit([pairs], [pairs])):
        scores, grades = reader.score(left, right, "graded"), reader.grades(left, right)
        assert [grade[0] in "34" for grade in grades] == (scores > 0.5).tolist()
    assert (scores > 0.5).sum() == paraphrases


def test_an_unknown_definition_is_refused(identifier: ParaloomIdentifier) -> None:
    with pytest.raises(InputError, match="not trained for the definition 'vague'"):
        identifier.score(["a"], ["b"], "vague")


def files_in(*folders: str) -> set[str]:
    return {f"{folder}/{file.name}" for folder in folders for file in (SHIPPED / folder).iterdir()}


def test_every_file_it_reads_is_named(identifier: ParaloomIdentifier, tmp_path: Path) -> None:
    assert set(weight_files("paraloom")) == files_in(FOLDER)
    cascade = set(weight_files("cascade"))
    assert cascade == files_in(*{Path(name).parts[0] for name in cascade})
    assert cascade > set(weight_files("paraloom"))
    # What is saved without the network behind it depends on the shipped one.
    for name in ("cascade", "mutual-implication"):
        saved = load(name) if name == "cascade" else MutualImplication()
        saved.save(tmp_path / name)
        assert set(weight_files("paraloom").values()) < set(weight_files(tmp_path / name).values())


def test_it_needs_no_torch() -> None:
    code = (
        "import sys; from paraloom.models.identifiers import load; load('paraloom').score(['a b'], ['b a']); "
        "sys.exit('torch' in sys.modules or 'sklearn' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_card_holds_the_figures_that_were_measured(identifier: ParaloomIdentifier) -> None:
    """A gate: the weights may be replaced, but not by worse ones, nor without measuring them."""
    assert identifier.card["weights"] == hash_of_file(SHIPPED / FOLDER / "model.safetensors")
    held_out = identifier.card["figures"]["10"]
    assert held_out["twitter-url max F1"] >= 0.82
    assert held_out["pit max F1"] >= 0.80
    assert held_out["msrp max F1"] >= 0.89
    assert held_out["multipit-val max F1"] >= 0.755
    assert identifier.card["as_read"]["implication: people"]["MCC"] >= 0.48
