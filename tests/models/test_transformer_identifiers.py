"""Systems that fine-tune a transformer keep what every identifier promises, and sign all that decides a score."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from paraloom.errors import InputError, TargetTaken
from paraloom.models.identifiers import CARD, Examples, Identifier, load, untrained
from paraloom.models.identifiers.cross_encoder import CrossEncoder
from paraloom.models.identifiers.graded_heads import GradedExamples
from paraloom.models.identifiers.mutual_implication import MutualImplication
from paraloom.models.identifiers.saved_network import WEIGHTS
from paraloom.models.identifiers.text_to_text import TextToText
from paraloom.models.identifiers.transformer_base import plan_for
from paraloom.models.training.plan import TrainingPlan
from paraloom.models.training.surroundings import training_in

torch.set_num_threads(1)  # tiny models; threads of torch that wait for each other starve a busy machine

QUICK = TrainingPlan(epochs=2, batch_size=8, learning_rates=(0.003,), max_tokens=40, device="cpu")
KINDS = ["bert", "roberta", "albert", "deberta-v2", "mpnet", "t5"]


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A system with a setting, and how it learns the invented pairs."""

    system: str
    plan: TrainingPlan
    settings: dict[str, Any]
    base: str = "bert"
    definition: str = "loose"


def of(system: str, rate: float, epochs: int, base: str = "bert", definition: str = "loose", **settings: Any) -> Kind:
    plan = replace(QUICK, learning_rates=(rate,), epochs=epochs)
    return Kind(system=system, plan=plan, settings=settings, base=base, definition=definition)


SYSTEMS = {
    "cross-encoder": of("cross-encoder", 0.003, 12),
    "bi-encoder": of("bi-encoder", 0.01, 12, objective="classification"),
    "bi-encoder by cosine": of("bi-encoder", 0.01, 12, objective="cosine"),
    "text-to-text": of("text-to-text", 0.01, 10, "t5", words=("yes", "no")),
    "graded-heads": of("graded-heads", 0.01, 12, definition="graded"),
}
NAMES = sorted(SYSTEMS)
Fit = Callable[..., Any]


@pytest.fixture(scope="module")
def fit(tiny_transformer: Callable[[str], Path], invented_pairs: Callable[..., Examples]) -> Fit:
    """A system's name, and settings other than usual, in; it, trained on the invented pairs, out."""

    def pairs(kind: Kind, count: int, seed: int) -> Examples:
        made = invented_pairs(count, seed)
        if kind.definition != "graded":
            return made
        return GradedExamples.of(made.left, made.right, ["4" if target else "2" for target in made.targets])

    def trained(name: str, count: int = 80, **settings: Any) -> Any:
        kind = SYSTEMS[name]
        given = {"base": str(tiny_transformer(kind.base)), "plan": kind.plan} | kind.settings | settings
        fresh = untrained(kind.system, **given)
        return fresh.fit([pairs(kind, count, 1)], [pairs(kind, count // 2, 2)], seed=1)

    return trained


@pytest.fixture(scope="module")
def trained(fit: Fit) -> Fit:
    """A system's name in; it, trained once for all tests here, out."""
    return cache(fit)


@pytest.mark.parametrize("name", NAMES)
def test_it_learns_to_tell_paraphrases(name: str, trained: Fit, invented_pairs: Callable[..., Examples]) -> None:
    identifier, unseen = trained(name), invented_pairs(60, seed=3)
    scores = identifier.score(unseen.left, unseen.right, SYSTEMS[name].definition)
    assert np.mean((scores > 0.5) == (np.array(unseen.targets) > 0.5)) > 0.85
    assert isinstance(identifier, Identifier)
    assert identifier.name == SYSTEMS[name].system
    assert identifier.definitions == (SYSTEMS[name].definition,)
    assert identifier.parameters == sum(one.numel() for one in identifier.fitted.task.net.parameters())
    assert max(point.f1 for point in identifier.fitted.curve) > 0.85


@pytest.mark.parametrize("name", NAMES)
def test_any_pair_has_a_score_that_does_not_depend_on_order_or_company(
    name: str, trained: Fit, pairs_of_any_kind: tuple[list[str], list[str]]
) -> None:
    identifier, definition = trained(name), SYSTEMS[name].definition
    left, right = pairs_of_any_kind
    scores = identifier.score(left, right, definition)
    assert ((scores >= 0) & (scores <= 1)).all()
    np.testing.assert_array_equal(scores, identifier.score(right, left, definition))
    alone = [identifier.score([one], [other], definition)[0] for one, other in zip(left, right, strict=True)]
    np.testing.assert_array_equal(scores, alone)
    assert identifier.score([], [], definition).shape == (0,)
    with pytest.raises(InputError, match="do not make pairs"):
        identifier.score(["a"], [], definition)


@pytest.fixture(params=[1, 2])
def threads(request: pytest.FixtureRequest) -> Iterator[int]:
    before = torch.get_num_threads()
    torch.set_num_threads(request.param)
    yield request.param
    torch.set_num_threads(before)


@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize("name", NAMES)
def test_its_answers_do_not_depend_on_company_to_the_last_digit(
    name: str, trained: Fit, invented_pairs: Callable[..., Examples]
) -> None:
    """Before they are rounded, of pairs of many lengths, in batches of one to many."""
    identifier, definition = trained(name), SYSTEMS[name].definition
    made = invented_pairs(70, seed=6)
    left = [f"{text} {'the town ' * (number % 9)}" for number, text in enumerate(made.left)]

    def logits(rows: range) -> np.ndarray:
        chosen = [left[row] for row in rows], [made.right[row] for row in rows]
        return identifier.logits(identifier.fitted.task, *chosen, definition).astype(np.float32)

    together = logits(range(70))
    for size in (1, 2, 3, 5, 33):
        apart = np.concatenate([logits(range(start, min(start + size, 70))) for start in range(0, 70, size)])
        np.testing.assert_array_equal(apart, together)


BASES = [(name, base) for name in NAMES for base in (["t5"] if name == "text-to-text" else KINDS)]


@pytest.mark.parametrize(("name", "base"), BASES)
def test_on_every_kind_of_base_it_is_the_same_after_saving(
    name: str,
    base: str,
    fit: Fit,
    tiny_transformer: Callable[[str], Path],
    invented_pairs: Callable[..., Examples],
    tmp_path: Path,
) -> None:
    tuned = fit(name, 60, base=str(tiny_transformer(base)), plan=QUICK)
    tuned.save(tmp_path / "mine")
    again = load(tmp_path / "mine")
    unseen, definition = invented_pairs(20, seed=3), SYSTEMS[name].definition
    scores = tuned.score(unseen.left, unseen.right, definition)
    assert len(set(scores.tolist())) > 5
    np.testing.assert_array_equal(again.score(unseen.left, unseen.right, definition), scores)
    np.testing.assert_array_equal(again.score(unseen.right, unseen.left, definition), scores)
    assert again.signature == tuned.signature
    assert again.parameters == tuned.parameters
    assert again.fitted.curve == tuned.fitted.curve
    assert (again.settings(), again.plan) == (tuned.settings(), tuned.plan)


@pytest.mark.parametrize("name", NAMES)
def test_the_base_is_signed_wherever_it_lies(
    name: str, trained: Fit, tiny_transformer: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tiny_transformer(SYSTEMS[name].base)
    shutil.copytree(here, tmp_path / "copies" / here.name)
    monkeypatch.chdir(tmp_path)
    identifier = trained(name)
    assert f"|base:{here.name}|" in identifier.signature
    copied = replace(identifier, base=f"copies/{here.name}")
    assert copied.signature == identifier.signature
    copied.save(tmp_path / "saved")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert load(tmp_path / "saved").signature == identifier.signature


@pytest.mark.parametrize("name", NAMES)
def test_where_half_lies_is_signed_to_the_last_digit(name: str, trained: Fit) -> None:
    identifier, definition = trained(name), SYSTEMS[name].definition
    threshold = identifier.fitted.thresholds[definition]
    for other in (
        replace(threshold, slope=threshold.slope * 1.5),
        replace(threshold, middle=float(np.nextafter(threshold.middle, 9))),
    ):
        moved = replace(identifier, fitted=replace(identifier.fitted, thresholds={definition: other}))
        assert moved.signature != identifier.signature


def lower_case(folder: Path) -> None:
    told = json.loads((folder / "tokenizer.json").read_text())
    told["normalizer"] = {"type": "Replace", "pattern": {"String": "storm"}, "content": "river"}
    (folder / "tokenizer.json").write_text(json.dumps(told))


def configured(**changed: object) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        told = json.loads((folder / "config.json").read_text()) | changed
        (folder / "config.json").write_text(json.dumps(told))

    return change


CHANGED = [
    ("tokeniser", lower_case),
    ("configuration", configured(num_attention_heads=4)),
    ("configuration", configured(hidden_act="relu")),
    ("configuration", configured(layer_norm_eps=0.1)),
]


@pytest.mark.parametrize(("part", "change"), CHANGED)
def test_what_decides_a_score_beside_the_weights_is_signed(
    part: str,
    change: Callable[[Path], None],
    trained: Fit,
    invented_pairs: Callable[..., Examples],
    tmp_path: Path,
) -> None:
    identifier = trained("cross-encoder")
    identifier.save(tmp_path)
    change(tmp_path)
    changed = load(tmp_path)
    unseen = invented_pairs(40, seed=3)
    assert (changed.score(unseen.left, unseen.right) != identifier.score(unseen.left, unseen.right)).any()
    before, after = (dict(one.split(":") for one in s.signature.split("|")[1:]) for s in (identifier, changed))
    assert [name for name in before if before[name] != after[name]] == [part]


@pytest.mark.parametrize("name", NAMES)
def test_what_is_not_trained_has_no_scores_and_cannot_be_saved(name: str, tmp_path: Path) -> None:
    fresh = untrained(SYSTEMS[name].system, **SYSTEMS[name].settings)
    with pytest.raises(InputError, match="none yet: call fit first"):
        fresh.score(["a"], ["b"])
    with pytest.raises(InputError, match="nothing to save"):
        fresh.save(tmp_path)
    assert fresh.parameters == 0
    assert fresh.definitions == ()
    assert fresh.signature.endswith("|weights:none")


@pytest.mark.parametrize("name", NAMES)
def test_a_base_that_is_not_there_is_an_error(name: str, fit: Fit, tmp_path: Path) -> None:
    for plan in (QUICK, replace(QUICK, learning_rates=())):
        with pytest.raises(InputError, match="holds no model that transformers can load"):
            fit(name, base=str(tmp_path), plan=plan)


@pytest.mark.parametrize("name", NAMES)
def test_a_damaged_folder_is_an_error(name: str, trained: Fit, tmp_path: Path) -> None:
    trained(name).save(tmp_path)
    (tmp_path / WEIGHTS).write_bytes(b"no weights")
    with pytest.raises(InputError, match=r"model\.safetensors cannot be read"):
        load(tmp_path)
    (tmp_path / CARD).write_text(json.dumps({"name": SYSTEMS[name].system}))
    with pytest.raises(InputError, match="is not whole"):
        load(tmp_path)


@pytest.mark.parametrize("name", NAMES)
def test_a_fit_inside_surroundings_can_be_resumed(name: str, fit: Fit, tmp_path: Path) -> None:
    plan = replace(QUICK, learning_rates=(0.001, 0.003))
    seen: list[str] = []

    def interrupt(line: str) -> None:
        seen.append(line)
        if len(seen) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), training_in(tmp_path, interrupt):
        fit(name, 60, plan=plan)
    with training_in(tmp_path):
        resumed = fit(name, 60, plan=plan)
    assert resumed.signature == fit(name, 60, plan=plan).signature


def test_a_training_with_other_words_is_another_training(fit: Fit, tmp_path: Path) -> None:
    """Which of the decoder's words are compared is in no weight that the training begins with."""
    with training_in(tmp_path):
        fit("text-to-text", 40, plan=QUICK)
    with training_in(tmp_path), pytest.raises(TargetTaken, match=r"words was \['yes', 'no'\], is \['left', 'right'\]"):
        fit("text-to-text", 40, plan=QUICK, words=("left", "right"))


def test_a_training_with_another_tokeniser_is_another_training(
    fit: Fit, tiny_transformer: Callable[[str], Path], tmp_path: Path
) -> None:
    shutil.copytree(tiny_transformer("bert"), tmp_path / "base")
    with training_in(tmp_path / "run"):
        fit("cross-encoder", 40, plan=QUICK, base=str(tmp_path / "base"))
    lower_case(tmp_path / "base")
    with training_in(tmp_path / "run"), pytest.raises(TargetTaken, match="holds another training: tokeniser was"):
        fit("cross-encoder", 40, plan=QUICK, base=str(tmp_path / "base"))


USUAL, DEBERTA, T5 = (1e-5, 2e-5, 3e-5, 5e-5), (1e-5, 3e-5, 5e-6, 8e-6), (1e-4, 3e-4, 1e-5, 3e-5)
RATES = [
    (CrossEncoder(), "roberta", USUAL),
    (CrossEncoder(), "deberta-v2", DEBERTA),
    (CrossEncoder(plan=QUICK), "deberta-v2", QUICK.learning_rates),
    (MutualImplication(), "deberta-v2", DEBERTA),
    (TextToText(), "t5", T5),
]


@pytest.mark.parametrize(("system", "base", "rates"), RATES)
def test_learning_rates_are_those_of_appendix_c(
    system: Any, base: str, rates: tuple[float, ...], tiny_transformer: Callable[[str], Path]
) -> None:
    assert plan_for(system.plan, str(tiny_transformer(base))).learning_rates == rates


def test_the_learning_rates_that_were_tried_are_told(
    fit: Fit, tiny_transformer: Callable[[str], Path], tmp_path: Path
) -> None:
    plan = replace(QUICK, learning_rates=(), epochs=1)
    tuned = fit("cross-encoder", 20, plan=plan, base=str(tiny_transformer("deberta-v2")))
    assert tuned.plan.learning_rates == DEBERTA
    assert [point.learning_rate for point in tuned.fitted.curve] == list(DEBERTA)
    tuned.save(tmp_path)
    assert load(tmp_path).plan.learning_rates == DEBERTA
