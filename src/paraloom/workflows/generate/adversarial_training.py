"""Games that were played in, a generator out that has learned from their attempts to play better.

A training that was stopped goes on when it is called again in the same way; a folder made another way is refused.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from paraloom.engine.signatures import paraloom_version
from paraloom.metrics.meaning.adversarial import IMPLIED, ImplicationModel, apt_reward
from paraloom.models.generators.decoding_options import Decoding
from paraloom.models.training.checkpoints import read_json, write_whole
from paraloom.models.training.curve import TRAINING
from paraloom.models.training.library import torch_library
from paraloom.models.training.plan import PlanOptions, TrainingPlan
from paraloom.models.training.writing_task import WritingTask
from paraloom.pairs.adversarial_options import GameOptions, LessonOptions
from paraloom.text.counted import counted
from paraloom.workflows.evaluate.report_folder import check_report_folder
from paraloom.workflows.generate.adversarial_options import PlayerTrainingOptions
from paraloom.workflows.generate.adversarial_start import sampler, started
from paraloom.workflows.generate.given_lessons import Given, Lesson, Lessons, read_pairs, read_passing, read_preferences
from paraloom.workflows.train.claimed_folder import UNFINISHED, claimed
from paraloom.workflows.train.generator_bases import Writer, plan_for
from paraloom.workflows.train.generator_seen import read_seen

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerTraining:
    """What was learned from, and how it went."""

    method: str
    start: str
    learned: int
    held_out: int
    curve: tuple[Mapping[str, Any], ...]
    best: Mapping[str, Any]
    seconds: float
    made_by: Mapping[str, Any]
    notes: tuple[str, ...] = ()
    """What was left out of what was given."""

    def as_json(self) -> dict[str, Any]:
        """One object."""
        figures = {name: self.best[name] for name in ("held_out_loss", "right", "perplexity") if name in self.best}
        signature = "|".join(f"{name}:{value}" for name, value in self.made_by.items() if isinstance(value, str))
        return {
            **asdict(self),
            "metrics": figures,
            "signature": dict.fromkeys(figures, signature),
            "paraloom": paraloom_version(),
        }

    def as_text(self) -> str:
        """What was done, in a few lines."""
        first, best = (_told(point) for point in (self.curve[0], self.best))
        lessons = counted(self.learned, "example", "examples")
        return (
            f"{self.method}: learned from {lessons}, {self.held_out:,} held out, in {self.seconds:,.0f} s.\n"
            f"Before the first step: {first}. Kept, after step {self.best['step']}: {best}."
        )


def _told(point: Mapping[str, Any]) -> str:
    if "perplexity" in point:
        return f"held-out perplexity {point['perplexity']:.3f}"
    return f"held-out loss {point['held_out_loss']:.4f}, right in {point['right']:.1%}"


def train_player(
    given: Sequence[str | Path],
    out: str | Path,
    options: PlayerTrainingOptions = PlayerTrainingOptions(),
    lessons: LessonOptions = LessonOptions(),
    plan: PlanOptions = PlanOptions(),
    *,
    judge: ImplicationModel | None = None,
    tell: Tell | None = None,
) -> PlayerTraining:
    """Train a generator and write it into a folder that `--generator` takes.

    `given` are folders of games or files of attempts, as `read_attempts` takes them, or for the method `rewarded` files
    of pairs. What is held out is so in whole sources.
    """
    out, say = Path(out), tell or (lambda line: None)
    check_report_folder(out)
    torch_library()
    way = METHODS[options.method]
    found = way.read(
        Given(
            words=[str(one) for one in given],
            lessons=lessons,
            seed=options.seed,
            seen=read_seen(options.never),
            judge=_judge if judge is None else lambda: judge,
        )
    )
    learned, held_out = found.learned, found.held_out
    start = started(options)
    followed = plan_for(start, plan.on(way.plan()))
    judging = _judge() if judge is None and way.asks_judge else judge
    made_by = {
        "method": options.method,
        "start": start.signature,
        "plan": followed.as_json(),
        "seed": options.seed,
        "lessons": _hash(learned),
        "held out": _hash(held_out),
        **({"beta": options.beta, "anchor": options.anchor} if options.method == "preferred" else {}),
        **({"judge": judging.signature} if judging is not None else {}),
    }
    with claimed(out, made_by):
        if (out / TRAINING).is_file():
            return _read(out)
        begun = time.perf_counter()
        for note in found.notes:
            say(note)
        say(f"learning from {counted(len(learned), 'example', 'examples')}, {len(held_out):,} held out")
        work = _Work(
            start=start,
            options=options,
            plan=followed,
            judge=judging,
            made_by=made_by,
            folder=out / UNFINISHED,
            tell=say,
        )
        task, curve, best = way.train(work, learned, held_out)
        about = f"Trained by the adversarial paraphrasing game ({options.method}), from {options.start}."
        start.save(task, out, name=out.name, about=about)
        trained = PlayerTraining(
            method=options.method,
            start=options.start,
            learned=len(learned),
            held_out=len(held_out),
            curve=curve,
            best=best,
            seconds=round(time.perf_counter() - begun, 1),
            made_by=made_by,
            notes=found.notes,
        )
        # Last: only a folder with this file is finished.
        write_whole(out / TRAINING, (json.dumps(trained.as_json(), indent=1, ensure_ascii=False) + "\n").encode())
        shutil.rmtree(out / UNFINISHED, ignore_errors=True)
    return trained


@dataclass(frozen=True, slots=True, kw_only=True)
class _Work:
    """One training on its way."""

    start: Writer
    options: PlayerTrainingOptions
    plan: TrainingPlan
    judge: ImplicationModel | None
    made_by: Mapping[str, Any]
    folder: Path
    tell: Tell

    @property
    def kept(self) -> dict[str, Any]:
        """What every training is told."""
        return {"seed": self.options.seed, "made_by": self.made_by, "folder": self.folder, "tell": self.tell}


Curve = tuple[Mapping[str, Any], ...]
Trained = tuple[WritingTask, Curve, Mapping[str, Any]]


def _preferred(work: _Work, learned: Sequence[Lesson], held_out: Sequence[Lesson]) -> Trained:
    from paraloom.models.training.preferred_writing import train_preferring

    trained = train_preferring(
        work.start.make_task,
        [(source, better, worse) for source, better, worse in learned],
        [(source, better, worse) for source, better, worse in held_out],
        work.plan,
        beta=work.options.beta,
        anchor=work.options.anchor,
        **work.kept,
    )
    return trained.task, tuple(asdict(point) for point in trained.curve), asdict(trained.best)


def _rejection(work: _Work, learned: Sequence[Lesson], held_out: Sequence[Lesson]) -> Trained:
    from paraloom.models.training.writing_training import train_writer

    trained = train_writer(work.start.make_task, _pairs(learned), _pairs(held_out), work.plan, **work.kept)
    return trained.task, tuple(asdict(point) for point in trained.curve), asdict(trained.best)


def _rewarded(work: _Work, learned: Sequence[Lesson], held_out: Sequence[Lesson]) -> Trained:
    from paraloom.models.training.rewarded_writing import train_rewarded_writer

    assert work.judge is not None
    first = GameOptions().round_settings(1)
    says = sampler(work.start, Decoding(method="sample", top_k=first.top_k, top_p=first.top_p))
    trained = train_rewarded_writer(
        work.start.make_task,
        _pairs(learned),
        _pairs(held_out),
        says,
        rewards_by(work.judge),
        work.plan,
        **work.kept,
    )
    return trained.task, tuple(asdict(point) for point in trained.curve), asdict(trained.best)


def rewards_by(judge: ImplicationModel) -> Callable[[Sequence[str], Sequence[str]], list[float]]:
    """What each paraphrase of a source earns; one without a word earns nothing."""

    def rewards(sources: Sequence[str], said: Sequence[str]) -> list[float]:
        answers = judge.answer(sources, said)
        has_words = np.array([any(map(str.isalnum, text)) for text in said], bool)
        is_mutual = ((answers.implication > IMPLIED) & has_words).tolist()
        return [apt_reward(*one) for one in zip(is_mutual, answers.similarity.tolist(), strict=True)]

    return rewards


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """How a method learns."""

    read: Callable[[Given], Lessons]
    train: Callable[[_Work, Sequence[Lesson], Sequence[Lesson]], Trained]
    plan: Callable[[], TrainingPlan]
    asks_judge: bool = False


def _plan_of_preferences() -> TrainingPlan:
    from paraloom.models.training.preferred_writing import PLAN

    return PLAN


def _plan_of_rewards() -> TrainingPlan:
    from paraloom.models.training.rewarded_writing import PLAN

    return PLAN


METHODS = {
    "preferred": Way(read=read_preferences, train=_preferred, plan=_plan_of_preferences),
    "rejection": Way(read=read_passing, train=_rejection, plan=_plan_of_rewards),
    "rewarded": Way(read=read_pairs, train=_rewarded, plan=_plan_of_rewards, asks_judge=True),
}
"""Every way to learn."""


def _judge() -> ImplicationModel:
    from paraloom.models.implication import load

    return load()


def _pairs(lessons: Sequence[Lesson]) -> list[tuple[str, str]]:
    return [(source, text) for source, text in lessons]


def _hash(lessons: Sequence[Lesson]) -> str:
    digest = blake2b(digest_size=8)
    for lesson in lessons:
        digest.update("\t".join(lesson).encode("utf-8", "surrogatepass") + b"\n")
    return digest.hexdigest()


def _read(out: Path) -> PlayerTraining:
    told = read_json(out / TRAINING)
    names = PlayerTraining.__dataclass_fields__
    as_tuples = {name: tuple(told.get(name, ())) for name in ("curve", "notes")}
    return PlayerTraining(**{**{name: told[name] for name in names if name in told}, **as_tuples})
