"""What holds for every system that needs no neural network: symmetric, bounded, alone as together, saved and loaded."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.metrics.identification.decisions import at_threshold, best_f1, f1_of_calling_all
from paraloom.models.identifiers import Examples, Identifier, load, untrained
from paraloom.models.identifiers.systems import SYSTEMS

MODULES = ("random_guess", "edit_distance", "latent_similarity", "latent_vectors", "multip", "ngram_regression")
NAMES = [name for name, system in SYSTEMS.items() if system.module in MODULES]
LEARNING = [name for name in NAMES if name != "random"]

SMALL = {"dimensions": 20, "penalty": 0.5, "iterations": 5}
WORDS = (
    "Ann",
    "Lee",
    "the",
    "storm",
    "storms",
    "hit",
    "hits",
    "coast",
    "is",
    "5",
    "#news",
    "!!!",
    "😀",
    "我",
    "\ud800",
)
TEXTS = st.one_of(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), st.text(max_size=30))
PAIRS = st.lists(st.tuples(TEXTS, TEXTS), max_size=8)
UNHURRIED = settings(deadline=None, max_examples=25)


def made_up(seed: int, definition: str = "loose", size: int = 240) -> Examples:
    """Two posts on one name: paraphrases share most other words, others none."""
    random = np.random.default_rng(seed)
    vocabulary = [f"word{number}" for number in range(40)]
    left, right, targets = [], [], []
    for number in range(size):
        is_paraphrase = number % 3 == 0
        one, new = random.choice(vocabulary, 5, replace=False), random.choice(vocabulary, 2)
        other = [*one[:3], *new] if is_paraphrase else random.choice(sorted({*vocabulary} - {*one}), 5)
        name = f"Ann{number % 7} Lee"
        left.append(f"{name} {' '.join(one)}")
        right.append(f"{' '.join(random.permutation(other))} {name}")
        targets.append(float(is_paraphrase))
    return Examples(left=left, right=right, targets=targets, definition=definition)


@cache
def fitted(name: str) -> Identifier:
    small = SMALL if SYSTEMS[name].module.startswith("latent") else {}
    return untrained(name, **small).fit([made_up(1), made_up(2, "strict")], [made_up(3), made_up(4, "strict")])


@pytest.mark.parametrize("name", NAMES)
def test_it_is_an_identifier_of_its_name(name: str) -> None:
    identifier = fitted(name)
    assert isinstance(identifier, Identifier)
    assert identifier.name == name
    assert identifier.signature.startswith(f"{name}|")
    assert {"loose", "strict"} <= set(identifier.definitions)
    assert identifier.parameters >= (name != "random")


@pytest.mark.parametrize("name", LEARNING)
def test_it_tells_paraphrases_from_other_pairs_it_has_not_seen(name: str) -> None:
    asked = made_up(5)
    truth = np.asarray(asked.targets) > 0.5
    found = at_threshold(fitted(name).score(asked.left, asked.right), truth)
    assert found.f1 > f1_of_calling_all(float(truth.mean())) + 0.1


@pytest.mark.parametrize("name", LEARNING)
@pytest.mark.parametrize(("definition", "seed"), [("loose", 3), ("strict", 4)])
def test_half_is_the_best_point_on_the_held_out_pairs(name: str, definition: str, seed: int) -> None:
    held_out = made_up(seed, definition)
    truth = np.asarray(held_out.targets) > 0.5
    scores = fitted(name).score(held_out.left, held_out.right, definition)
    assert at_threshold(scores, truth).f1 == pytest.approx(best_f1(scores, truth).f1)


@pytest.mark.parametrize("name", NAMES)
@UNHURRIED
@given(pairs=PAIRS)
def test_scores_are_symmetric_bounded_and_the_same_alone_and_together(name: str, pairs: list[tuple[str, str]]) -> None:
    left, right = [left for left, _ in pairs], [right for _, right in pairs]
    scores = fitted(name).score(left, right)
    assert scores.shape == (len(pairs),)
    assert scores.dtype == np.float64
    assert ((scores >= 0) & (scores <= 1)).all()
    assert (scores == scores.round(6)).all()
    assert fitted(name).score(right, left).tolist() == scores.tolist()
    assert [fitted(name).score([one], [other])[0] for one, other in pairs] == scores.tolist()


ODD_PAIRS = [
    ("", ""),
    ("", "the storm hit the coast"),
    ("\x00\ufeff", "\ud800"),
    ("storm " * 10_000, "storm " * 9_999),
    (" ".join(f"word{number}" for number in range(10_000)), " ".join(f"word{number}" for number in range(9_000))),
    ("a" * 300_000, "b"),
]


@pytest.mark.parametrize("name", NAMES)
def test_odd_texts_get_a_score(name: str) -> None:
    left, right = [one for one, _ in ODD_PAIRS], [other for _, other in ODD_PAIRS]
    scores = fitted(name).score(left, right)
    assert ((scores >= 0) & (scores <= 1)).all()
    assert fitted(name).score(right, left).tolist() == scores.tolist()


@pytest.mark.parametrize("name", LEARNING)
def test_a_known_text_is_a_paraphrase_of_itself(name: str) -> None:
    texts = made_up(1).left[:20]
    assert (fitted(name).score(texts, texts) > 0.5).all()


@pytest.mark.parametrize("name", NAMES)
def test_a_saved_one_gives_the_same_scores(name: str, tmp_path: Path) -> None:
    fitted(name).save(tmp_path / "saved")
    again = load(tmp_path / "saved")
    assert again.signature == fitted(name).signature
    assert again.parameters == fitted(name).parameters
    for definition in ("loose", "strict"):
        asked = made_up(6, definition)
        expected = fitted(name).score(asked.left, asked.right, definition)
        assert again.score(asked.left, asked.right, definition).tolist() == expected.tolist()


SCORES_ELSEWHERE = """
import sys
from pathlib import Path
for library in ("sklearn", "torch", "transformers"):
    sys.modules[library] = None
from paraloom.models.identifiers import load
for folder in sorted(Path(sys.argv[1]).iterdir()):
    print(folder.name, *load(folder).score(["Ann1 Lee word1 word2"], ["word2 word3 Ann1 Lee"]).tolist())
"""


def test_scoring_needs_none_of_the_libraries_that_training_needs(tmp_path: Path) -> None:
    for name in NAMES:
        fitted(name).save(tmp_path / name)
    run = subprocess.run(
        [sys.executable, "-c", SCORES_ELSEWHERE, str(tmp_path)], capture_output=True, text=True, check=True
    )
    told = dict(line.split() for line in run.stdout.splitlines())
    here = {name: fitted(name).score(["Ann1 Lee word1 word2"], ["word2 word3 Ann1 Lee"])[0] for name in NAMES}
    assert {name: float(score) for name, score in told.items()} == here


@pytest.mark.parametrize("name", NAMES)
def test_fitting_again_with_the_same_seed_gives_the_same_numbers(name: str) -> None:
    examples, held_out = [made_up(1), made_up(2, "strict")], [made_up(3), made_up(4, "strict")]
    small = SMALL if SYSTEMS[name].module.startswith("latent") else {}
    assert untrained(name, **small).fit(examples, held_out).signature == fitted(name).signature


@pytest.mark.parametrize("name", NAMES)
def test_what_cannot_be_answered_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="2 left texts and 1 right texts"):
        fitted(name).score(["a", "b"], ["a"])
    with pytest.raises(InputError, match="not trained for the definition 'poetic'"):
        fitted(name).score(["a"], ["a"], "poetic")


@pytest.mark.parametrize("name", LEARNING)
def test_what_cannot_be_learned_from_is_refused(name: str) -> None:
    empty = Examples(left=[], right=[], targets=[])
    with pytest.raises(InputError, match="none yet: call fit first"):
        untrained(name).score(["a"], ["a"])
    with pytest.raises(InputError, match="no examples to learn from"):
        untrained(name).fit([empty], [made_up(3)])
    with pytest.raises(InputError, match="held out for the definition 'loose'"):
        untrained(name).fit([made_up(1)], [empty])
