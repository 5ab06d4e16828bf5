"""A network learns from pairs, the best look is kept, and a training that was killed ends as if it had not been."""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import dataclass, replace
from math import nan
from pathlib import Path

import numpy as np
import pytest
import torch
import word_task
from word_task import PLAN, WordTask, invented

from paraloom.errors import InputError, TargetTaken
from paraloom.metrics.identification.decisions import best_f1
from paraloom.models.identifiers import Examples
from paraloom.models.training.fine_tune import FineTuned, fine_tune
from paraloom.models.training.plan import TrainingPlan
from paraloom.models.training.surroundings import training_in
from paraloom.models.training.task import CurvePoint
from tests.forked import ForkedProcess, ForkServer

torch.set_num_threads(1)  # tiny networks; threads of torch that wait for each other starve a busy machine

PATIENCE = 60.0


def tuned(
    folder: Path | None = None, plan: TrainingPlan = PLAN, seed: int = 5, reads: int = 4, **more: object
) -> FineTuned:
    given = {"examples": [invented(80, 1)], "held_out": [invented(40, 2)]} | more
    return fine_tune(lambda: WordTask(reads=reads), plan=plan, seed=seed, folder=folder, **given)


def best_of(found: FineTuned) -> CurvePoint:
    return max(found.curve, key=lambda point: point.f1)


def same_weights(one: FineTuned, other: FineTuned) -> bool:
    ours, theirs = one.task.net.state_dict(), other.task.net.state_dict()
    return all(torch.equal(ours[name], theirs[name]) for name in ours)


def test_the_network_that_did_best_on_held_out_pairs_is_kept() -> None:
    held_out = invented(40, 2)
    found = tuned()
    assert [point.step for point in found.curve] == [10, 20, 30, 40] * 2
    assert [point.epoch for point in found.curve] == [1.0, 2.0, 3.0, 4.0] * 2
    best = best_of(found)
    assert best.f1 > 0.8
    assert len({point.f1 for point in found.curve}) > 1
    task = found.task
    with torch.no_grad():
        logits = task.logits(task.batch(task.prepare([held_out]), range(40), "cpu")).double().numpy()
    again = best_f1(logits, np.array(held_out.targets) > 0.5)
    assert again.f1 == best.f1
    assert best.thresholds["loose"] == pytest.approx(again.threshold)


def test_the_same_seed_gives_the_same_weights_and_another_seed_others() -> None:
    before = torch.get_rng_state()
    first = tuned()
    assert torch.equal(torch.get_rng_state(), before), "random numbers outside are left as they were"
    assert same_weights(first, tuned())
    assert first.curve == tuned().curve
    assert not same_weights(first, tuned(seed=6))


def test_every_learning_rate_starts_from_the_same_network() -> None:
    alone = tuned(plan=replace(PLAN, learning_rates=(0.02,)))
    assert tuned().curve[4:] == alone.curve


def test_several_definitions_are_learned_at_once_and_each_has_its_threshold() -> None:
    draw_opposite = invented(80, 3, "strict")
    opposite = replace(draw_opposite, targets=[1 - target for target in draw_opposite.targets])
    held_strict = invented(40, 4, "strict")
    held = [invented(40, 2), replace(held_strict, targets=[1 - target for target in held_strict.targets])]
    found = fine_tune(
        lambda: WordTask(("loose", "strict")),
        [invented(80, 1), opposite],
        held,
        replace(PLAN, learning_rates=(0.02,), epochs=8),
        seed=1,
    )
    best = best_of(found)
    assert set(best.thresholds) == {"loose", "strict"}
    assert best.f1 == pytest.approx(np.mean(list(best.f1_by_definition.values())))
    assert min(best.f1_by_definition.values()) > 0.8


def test_soft_targets_are_learned_as_they_are() -> None:
    same = [0.7] * 200
    pairs = invented(200, 1)
    task = fine_tune(
        WordTask,
        [replace(pairs, targets=same)],
        [invented(40, 2)],
        replace(PLAN, learning_rates=(0.02,), epochs=8),
        seed=1,
    ).task
    with torch.no_grad():
        chances = torch.sigmoid(task.logits(task.batch(task.prepare([pairs]), range(200), "cpu")))
    assert float(chances.mean()) == pytest.approx(0.7, abs=0.05)


def test_a_long_training_looks_at_held_out_pairs_every_so_many_steps_and_at_the_end() -> None:
    plan = replace(PLAN, epochs=16, batch_size=1, learning_rates=(0.001,), evaluate_every=600)
    looks = [point.step for point in tuned(plan=plan, examples=[invented(100, 1)]).curve]
    assert looks == [600, 1200, 1600]


def test_a_training_in_a_folder_ends_like_one_in_memory_and_is_not_done_twice(tmp_path: Path) -> None:
    in_memory, in_folder = tuned(), tuned(tmp_path / "run")
    assert same_weights(in_memory, in_folder)
    assert in_folder.curve == in_memory.curve
    left = {file.name: file.stat().st_mtime_ns for file in (tmp_path / "run").iterdir()}
    assert sorted(left) == [
        f"best-{best_of(in_memory).learning_rate}-{best_of(in_memory).step}.pt",
        "finished.json",
        "made_by.json",
    ]
    again = tuned(tmp_path / "run")
    assert same_weights(again, in_memory)
    assert again.curve == in_memory.curve
    assert {file.name: file.stat().st_mtime_ns for file in (tmp_path / "run").iterdir()} == left


KILLED_AT = [(1, 0.0), (3, 0.02), (1, 0.051)]
"""After so many looks of a start, and so many seconds."""


def test_a_training_killed_again_and_again_ends_with_the_very_same_weights(
    tmp_path: Path, torch_forks: ForkServer
) -> None:
    folder, weights, events = tmp_path / "run", tmp_path / "weights.pt", tmp_path / "events"

    def start() -> ForkedProcess:
        events.write_text("")
        return torch_forks.start_script(Path(word_task.__file__), (str(folder), str(weights), str(events)))

    def looks() -> int:
        return events.read_text().count("held-out F1")

    for number, delay in KILLED_AT:
        child = start()
        deadline = time.monotonic() + PATIENCE
        while looks() < number and child.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.002)
        time.sleep(delay)
        assert child.poll() is None, "It ended before it was killed."
        child.kill()
        child.wait()
    assert not weights.exists()
    child = start()
    assert child.wait() == 0
    assert "going on at learning rate" in events.read_text()
    assert looks() < 8, "What was reached before is not done again."
    undisturbed = tuned()
    ended = torch.load(weights, weights_only=True)
    assert all(torch.equal(ended[name], tensor) for name, tensor in undisturbed.task.net.state_dict().items())
    assert not (folder / "reached.pt").exists()


@pytest.mark.parametrize("look", range(1, 9))
def test_a_training_interrupted_at_any_look_can_be_resumed(tmp_path: Path, look: int) -> None:
    seen: list[str] = []

    def interrupt(line: str) -> None:
        seen.append(line)
        if len(seen) == look:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tuned(tmp_path, tell=interrupt)
    assert same_weights(tuned(tmp_path), tuned())


@pytest.mark.parametrize("note", [1, 5, 12, 30])
def test_a_training_interrupted_between_two_looks_goes_on_from_the_last_note(
    tmp_path: Path, note: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paraloom.models.training.course.NOTED_EVERY", 0.0)
    monkeypatch.setattr("paraloom.models.training.course.SHARE_OF_WRITING", 1e9)
    seen: list[str] = []

    def interrupt(line: str) -> None:
        if "min left" in line:
            seen.append(line)
            if len(seen) == note + 1:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tuned(tmp_path, tell=interrupt)
    went_on: list[str] = []
    resumed = tuned(tmp_path, tell=went_on.append)
    at = seen[note - 1].split(":")[0].split(" of ")[0].removeprefix("learning rate ")
    assert went_on[0] == f"going on at learning rate {at}", "the last note before it was stopped"
    undisturbed = tuned()
    assert same_weights(resumed, undisturbed)
    assert resumed.curve == undisturbed.curve


OTHER_WAYS = [
    ({"plan": replace(PLAN, epochs=5)}, "epochs was 4, is 5"),
    ({"plan": replace(PLAN, learning_rates=(0.1,))}, r"learning_rates was \[0.003, 0.02\], is \[0.1\]"),
    ({"seed": 6}, "seed was 5, is 6"),
    ({"examples": [invented(81, 1)]}, "examples was"),
    ({"held_out": [invented(40, 3)]}, "held out was"),
    ({"reads": 3}, "reads was 4, is 3"),
]
"""The last changes no weight that a training begins with."""


@pytest.mark.parametrize(("other", "complaint"), OTHER_WAYS)
def test_a_folder_of_another_training_is_refused(tmp_path: Path, other: dict[str, object], complaint: str) -> None:
    tuned(tmp_path)
    with pytest.raises(TargetTaken, match=f"holds another training: .*{complaint}.*Choose another folder"):
        tuned(tmp_path, **other)


def test_a_folder_of_another_network_is_refused(tmp_path: Path) -> None:
    tuned(tmp_path)
    with pytest.raises(TargetTaken, match="network was"):
        fine_tune(
            lambda: WordTask(("loose", "strict")), [invented(80, 1)], [invented(40, 2)], PLAN, seed=5, folder=tmp_path
        )


def test_a_folder_of_something_else_is_refused_and_a_broken_checkpoint_said(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(TargetTaken, match="holds files that no training has left"):
        tuned(tmp_path)
    with pytest.raises(InputError, match="is a file"):
        tuned(tmp_path / "notes.txt")
    tuned(tmp_path / "run")
    (tmp_path / "run" / "finished.json").write_text("{")
    with pytest.raises(InputError, match=r"cannot be read.*train anew"):
        tuned(tmp_path / "run")
    (tmp_path / "run" / "finished.json").unlink()
    (tmp_path / "run" / "reached.pt").write_bytes(b"PK")
    with pytest.raises(InputError, match=r"no whole checkpoint.*train anew"):
        tuned(tmp_path / "run")


def test_the_device_may_change_between_two_starts(tmp_path: Path) -> None:
    assert same_weights(tuned(tmp_path), tuned(tmp_path, plan=replace(PLAN, device="auto")))


UNUSABLE = [
    ({"examples": []}, "no examples to learn from"),
    ({"held_out": []}, "No examples are held out for the definition 'loose'"),
    ({"held_out": [invented(0, 1)]}, "No examples are held out"),
    ({"held_out": [replace(invented(3, 1), targets=[1, 1, 1])]}, "Every pair held out .* is a paraphrase"),
    ({"held_out": [replace(invented(3, 1), targets=[0, 0.5, 0])]}, "is no paraphrase.*pairs of both kinds"),
    ({"examples": [invented(9, 1, "strict")]}, "definition 'strict'"),
]


@pytest.mark.parametrize(("sets", "complaint"), UNUSABLE)
def test_sets_that_nothing_can_be_chosen_by_are_refused(sets: dict[str, object], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        tuned(**sets)


class Exploding(WordTask):
    def loss(self, batch) -> torch.Tensor:
        return super().loss(batch) * nan


def test_a_learning_rate_that_leads_nowhere_is_given_up(tmp_path: Path) -> None:
    said: list[str] = []
    with pytest.raises(InputError, match=r"no numbers at any learning rate \(0.003, 0.02\). Give lower ones"):
        fine_tune(Exploding, [invented(80, 1)], [invented(40, 2)], PLAN, seed=1, folder=tmp_path, tell=said.append)
    assert len(said) == 2
    assert all("given up" in line for line in said)


def test_trainings_inside_surroundings_keep_a_folder_each_and_leave_their_curves(tmp_path: Path) -> None:
    said: list[str] = []
    with training_in(tmp_path, said.append) as around:
        first, second = tuned(), tuned(seed=6)
    assert sorted(folder.name for folder in tmp_path.iterdir()) == ["training-1", "training-2"]
    assert around.curves == [first.curve, second.curve]
    assert len(said) == 16
    with training_in(tmp_path, said.append) as around:
        assert same_weights(tuned(), first)
    assert len(said) == 16, "nothing was trained again"
    tuned(tmp_path / "own")
    assert len(around.curves) == 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Remarked(Examples):
    remarks: tuple[str, ...]


def test_examples_that_carry_more_are_told_apart_by_it(tmp_path: Path) -> None:
    pairs = invented(2, 1)
    given = {"left": pairs.left, "right": pairs.right, "targets": pairs.targets}
    tuned(tmp_path, examples=[Remarked(**given, remarks=("4>", "\ud83d"))])
    with pytest.raises(TargetTaken, match="examples was"):
        tuned(tmp_path, examples=[Remarked(**given, remarks=("4<", "\ud83d"))])


def test_decay_is_for_matrices_alone_and_frozen_weights_stay() -> None:
    def half_frozen() -> WordTask:
        task = WordTask()
        task.net.words.weight.requires_grad_(False)
        return task

    torch.manual_seed(5)
    before = WordTask().net.state_dict()
    plan = replace(PLAN, weight_decay=1000.0, learning_rates=(0.001,), epochs=30)
    after = fine_tune(half_frozen, [invented(80, 1)], [invented(40, 2)], plan, seed=5).task.net.state_dict()
    assert torch.equal(after["words.weight"], before["words.weight"])
    # Decay this strong takes a matrix to nothing in a step; scales of a norm stay near 1.
    assert float(after["normed.weight"].abs().min()) > 0.9
    assert float(after["mixed.weight"].abs().max()) < 0.2


def test_it_needs_no_tables(child_environment: dict[str, str]) -> None:
    code = (
        "import sys; sys.modules['pyarrow'] = sys.modules['daft'] = sys.modules['onnxruntime'] = None\n"
        "import paraloom.models.training.fine_tune\n"
        "assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], env=child_environment, check=True)
