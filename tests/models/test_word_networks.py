"""The networks on word vectors learn an invented task, and keep the promises that every identifier makes."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import torch

from paraloom.errors import InputError, TargetTaken
from paraloom.metrics.identification.decisions import at_threshold
from paraloom.models.identifiers import CARD, Examples, Identifier, load, untrained
from paraloom.models.training.plan import TrainingPlan
from paraloom.models.training.surroundings import training_in
from paraloom.models.word_vectors import WordVectors

torch.set_num_threads(1)  # tiny networks; threads of torch that wait for each other starve a busy machine

MEANINGS, SPELLINGS = 14, 3
KNOWN_SPELLINGS = 2
"""The third spelling of a meaning has no vector, and is not used in the task."""

SETTINGS = {
    "esim": {"hidden": 16, "dropout": 0.0},
    "infersent": {"hidden": 24, "classifier": 16, "dropout": 0.0},
    "deep-pairwise-word": {"hidden": 12},
}
SYSTEMS = sorted(SETTINGS)

PAIRS = {"esim": 240, "infersent": 400, "deep-pairwise-word": 96}
"""How many pairs each learns from: enough for this task, and quick."""
EPOCHS = {"esim": 6, "infersent": 6, "deep-pairwise-word": 3}


@cache
def table() -> WordVectors:
    """Spellings of one meaning have nearly the same vector."""
    draw = np.random.default_rng(1)
    meanings = np.repeat(draw.normal(size=(MEANINGS, 8)), KNOWN_SPELLINGS, axis=0)
    words = [f"word{chr(97 + m)}{chr(97 + s)}" for m in range(MEANINGS) for s in range(KNOWN_SPELLINGS)]
    return WordVectors.of(words, meanings + draw.normal(scale=0.1, size=meanings.shape), "invented")


def sentence(meanings: list[int], draw: np.random.Generator) -> str:
    return " ".join(f"word{chr(97 + m)}{chr(97 + draw.integers(KNOWN_SPELLINGS))}" for m in meanings)


def invented(count: int, seed: int, definition: str = "loose") -> Examples:
    """Half of the pairs mean the same in other words; the others mean something else. Strict is the opposite of it."""
    draw = np.random.default_rng(seed)
    left, right, targets = [], [], []
    for number in range(count):
        meanings = draw.integers(MEANINGS, size=draw.integers(3, 6)).tolist()
        is_paraphrase = number % 2 == 0
        others = meanings if is_paraphrase else draw.integers(MEANINGS, size=draw.integers(3, 6)).tolist()
        left.append(sentence(meanings, draw))
        right.append(sentence(others, draw))
        targets.append(float(is_paraphrase != (definition == "strict")))
    return Examples(left=left, right=right, targets=targets, definition=definition)


def plan(epochs: int) -> TrainingPlan:
    return TrainingPlan(
        epochs=epochs, batch_size=16, learning_rates=(2e-3,), weight_decay=0.0, max_tokens=24, device="cpu"
    )


def fresh(system: str, vectors: WordVectors | None = None, **settings: object) -> Identifier:
    chosen = {"plan": plan(EPOCHS[system])} | SETTINGS[system] | settings
    return replace(untrained(system, **chosen), table=vectors or table())


@cache
def trained(system: str) -> Identifier:
    return fresh(system).fit([invented(PAIRS[system], seed=1)], [invented(80, seed=2)])


@pytest.mark.parametrize("system", SYSTEMS)
def test_it_learns_to_tell_pairs_that_it_has_not_seen(system: str) -> None:
    unseen = invented(100, seed=3)
    scores = trained(system).score(unseen.left, unseen.right)
    found = at_threshold(scores, np.asarray(unseen.targets) > 0.5)
    assert found.f1 > 0.8  # 0.67 by calling all pairs paraphrases


@pytest.mark.parametrize("system", SYSTEMS)
def test_it_is_an_identifier_with_a_name_a_signature_and_a_cost(system: str) -> None:
    identifier = trained(system)
    assert isinstance(identifier, Identifier)
    assert identifier.name == system
    assert identifier.definitions == ("loose",)
    assert identifier.signature.startswith(f"{system}|vectors:invented@{table().digest[:8]}|max-words:")
    inner = sum(weight.numel() for weight in identifier.fitted.task.net.parameters())
    assert identifier.parameters == inner + MEANINGS * KNOWN_SPELLINGS * 8
    assert fresh(system).parameters == 0
    with pytest.raises(InputError, match=f"{system} was not trained for the definition 'strict'"):
        identifier.score(["a"], ["b"], "strict")


ANY = [
    ("", ""),
    ("", "wordaa wordba"),
    ("wordaa wordba wordca", "wordaa wordba wordca"),
    ("unheard words", "unheard words"),
    ("🌧🌧 \ud83d", "?!"),
    ("wordaa " * 10_000, "wordab"),
    ("wordaa wordba", "wordab wordbb wordca"),
    ("a\x00b \u202e", "c"),
]


@pytest.mark.parametrize("system", SYSTEMS)
def test_any_pair_has_a_score_that_neither_order_nor_company_changes(system: str) -> None:
    identifier = trained(system)
    left, right = [pair[0] for pair in ANY], [pair[1] for pair in ANY]
    scores = identifier.score(left, right)
    assert ((scores >= 0) & (scores <= 1)).all()
    np.testing.assert_array_equal(scores, identifier.score(right, left))
    alone = np.concatenate([identifier.score([one], [other]) for one, other in ANY])
    np.testing.assert_allclose(scores, alone, atol=2e-6)  # an LSTM multiplies few rows in another order than many
    among_many = identifier.score([*left, *["wordaa wordbb"] * 90], [*right, *[f"wordc{n}" for n in range(90)]])
    np.testing.assert_allclose(scores, among_many[: len(ANY)], atol=2e-6)
    assert identifier.score([], []).shape == (0,)


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_network_itself_hardly_minds_the_order(system: str) -> None:
    """Scores are of the pair in one order; the network's mean over both would make it the same anyway."""
    task = trained(system).fitted.task
    pairs = invented(20, seed=4)
    turned = Examples(left=pairs.right, right=pairs.left, targets=pairs.targets)
    both = []
    with torch.no_grad():
        for one in (pairs, turned):
            prepared = task.prepare([one])
            both.append(task.logits(task.batch(prepared, range(20), "cpu")).numpy())
    np.testing.assert_allclose(both[0], both[1], atol=1e-4)
    assert np.ptp(both[0]) > 0.1


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_is_saved_scores_the_same_when_it_is_loaded(system: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "empty"))
    before = trained(system)
    before.save(tmp_path / "mine")
    again = load(tmp_path / "mine")
    pairs = invented(30, seed=5)
    np.testing.assert_array_equal(again.score(pairs.left, pairs.right), before.score(pairs.left, pairs.right))
    assert again.signature == before.signature
    assert again.parameters == before.parameters
    assert json.loads((tmp_path / "mine" / CARD).read_text())["name"] == system
    again.save(tmp_path / "again")
    files = sorted(file.name for file in (tmp_path / "mine").iterdir())
    assert files == sorted(file.name for file in (tmp_path / "again").iterdir())
    assert all((tmp_path / "mine" / file).read_bytes() == (tmp_path / "again" / file).read_bytes() for file in files)


def test_words_of_the_training_data_can_be_learned_further(tmp_path: Path) -> None:
    short = {"plan": plan(epochs=1), "train_words": True}
    identifier = fresh("infersent", **short).fit([invented(64, seed=1)], [invented(20, seed=2)])
    task = identifier.fitted.task
    assert task.learned
    assert set(task.learned) <= set(table().row_of)
    learned = dict(zip(task.learned, task.net.words.detach().numpy()[1:], strict=True))
    changed = np.array([np.abs(learned[word] - table().vectors([word])[0]).max() for word in task.learned])
    assert (changed > 1e-4).mean() > 0.9
    identifier.save(tmp_path)
    pairs = invented(30, seed=5)
    scores = identifier.score(pairs.left, pairs.right)
    np.testing.assert_array_equal(load(tmp_path).score(pairs.left, pairs.right), scores)
    assert load(tmp_path).train_words
    frozen = fresh("infersent", plan=plan(epochs=1)).fit([invented(64, seed=1)], [invented(20, seed=2)])
    assert frozen.fitted.task.net.words is None
    assert identifier.parameters == frozen.parameters + (len(task.learned) + 1) * 8


def test_each_definition_has_a_head_of_its_own() -> None:
    learned = [invented(160, 1), invented(160, 1, "strict")]
    identifier = fresh("infersent").fit(learned, [invented(60, 2), invented(60, 2, "strict")])
    assert identifier.definitions == ("loose", "strict")
    pairs = invented(60, 3)
    truth = np.asarray(pairs.targets) > 0.5
    loose, strict = (identifier.score(pairs.left, pairs.right, definition) for definition in ("loose", "strict"))
    assert at_threshold(loose, truth).f1 > 0.75
    assert at_threshold(strict, ~truth).f1 > 0.75


def test_a_name_that_both_share_is_seen_though_it_has_no_vector() -> None:
    identifier = trained("esim")
    same, other = identifier.score(["zyx wordaa wvut"] * 2, ["zyx wordaa wvut", "rqp wordaa onm"])
    assert same != other


def test_a_training_that_was_stopped_is_not_taken_up_with_other_vectors(tmp_path: Path) -> None:
    examples, held_out = [invented(32, 1)], [invented(16, 2)]
    other = WordVectors.of(list(table().row_of), np.asarray(table().table) + np.float16(1), "invented")
    short = {"plan": plan(epochs=1)}
    with training_in(tmp_path):
        fresh("infersent", **short).fit(examples, held_out)
    with pytest.raises(TargetTaken, match="holds another training: network was"), training_in(tmp_path):
        fresh("infersent", other, **short).fit(examples, held_out)


OTHER_SETTINGS = [
    ("deep-pairwise-word", {"side": 48}, "side was 32, is 48"),
    ("esim", {"dropout": 0.5}, "dropout was 0.0, is 0.5"),
    ("infersent", {"dropout": 0.5}, "dropout was 0.0, is 0.5"),
]
"""None of these is in a weight that a training begins with."""


@pytest.mark.parametrize(("system", "other", "complaint"), OTHER_SETTINGS)
def test_a_training_that_was_stopped_is_not_taken_up_with_other_settings(
    system: str, other: dict[str, object], complaint: str, tmp_path: Path
) -> None:
    examples, held_out = [invented(32, 1)], [invented(16, 2)]
    short = {"plan": plan(epochs=1)}
    with training_in(tmp_path):
        fresh(system, **short).fit(examples, held_out)
    with pytest.raises(TargetTaken, match=f"holds another training: {complaint}"), training_in(tmp_path):
        fresh(system, **short, **other).fit(examples, held_out)


def test_vectors_that_were_changed_after_saving_are_noticed(tmp_path: Path) -> None:
    trained("infersent").save(tmp_path)
    WordVectors.of(list(table().row_of), np.asarray(table().table) + np.float16(1)).write(tmp_path)
    with pytest.raises(InputError, match=r"not those that model\.safetensors was trained on"):
        load(tmp_path)


def test_what_was_not_trained_cannot_be_saved(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has not been trained"):
        fresh("esim").save(tmp_path)
    with pytest.raises(InputError, match="none yet: call fit first"):
        fresh("esim").score(["a"], ["b"])


WITHOUT_TORCH = """
import sys
sys.modules["torch"] = None
from paraloom.errors import InputError, TargetTaken
from paraloom.models.identifiers import Examples, load, untrained
pairs = Examples(left=["a", "b"], right=["a", "c"], targets=[1, 0])
for attempt in (lambda: load(sys.argv[1]), lambda: untrained("esim", vectors=sys.argv[1]).fit([pairs], [pairs])):
    try:
        attempt()
    except InputError as error:
        print(error)
"""


def test_without_torch_it_says_what_to_install(tmp_path: Path) -> None:
    trained("infersent").save(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert done.stdout.count("pip install 'paraloom[train]'") == 2
