"""Training pairs, a generator's pairs and test pairs in, what an identifier gains from the generator out.

An identifier is trained three ways: on the training pairs alone, with the generated pairs as paraphrases, and, as a
control, with as many training paraphrases drawn again in their place. All are measured on the same test pairs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from paraloom.corpus.known.groups import group_pairs
from paraloom.errors import InputError
from paraloom.graphs import clusters
from paraloom.metrics.holm import holm
from paraloom.metrics.identification.decisions import mean_of_runs, measure_decisions
from paraloom.metrics.identification.ranking import FIGURES as RANKED
from paraloom.metrics.identification.ranking import Ranking, compare_resampled, resampled_figures
from paraloom.metrics.significance import check_resampling, compare, group_numbers
from paraloom.models.identifiers import Examples, Identifier, load
from paraloom.reports.use import CONTROL, FIGURES, WITH, WITHOUT, Gain, RunFigure, UseEvaluation
from paraloom.workflows.evaluate.generated_pairs import read_generated_pairs
from paraloom.workflows.evaluate.labelled_pairs import LabelledPairs, notes_on_repetitions, read_labelled_pairs
from paraloom.workflows.evaluate.named_columns import named_columns
from paraloom.workflows.evaluate.negatives import NEGATIVES
from paraloom.workflows.evaluate.same_text import same_pair, same_text
from paraloom.workflows.evaluate.use_options import UseOptions

Floats = NDArray[np.float64]
Pair = tuple[str, str]
DECIDED = ("f1", "mcc")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """What one run learns from, each way, and what it holds out."""

    learned: list[tuple[Pair, bool]]
    held_out: list[tuple[Pair, bool]]
    generated: list[Pair]
    repeated: list[Pair]
    """Training paraphrases in place of the generated pairs."""
    negatives: list[Pair]

    def examples(self, arm: str, definition: str) -> Examples:
        """The pairs of one way of training."""
        pairs = list(self.learned)
        if arm != WITHOUT:
            pairs += [(pair, True) for pair in (self.generated if arm == WITH else self.repeated)]
            pairs += [(pair, False) for pair in self.negatives]
        return _examples(pairs, definition)


def evaluate_use(
    train: str | Path, generated: str | Path, test: str | Path, options: UseOptions = UseOptions()
) -> UseEvaluation:
    """Train an identifier with and without a generator's pairs, several times, and measure the gain on test pairs."""
    _check(options)
    columns = named_columns(options.columns)
    tested = read_labelled_pairs(test, columns)
    trained = read_labelled_pairs(train, columns)
    made = read_generated_pairs(generated, named_columns(options.generated_columns))
    known, leaks = _without_leaks(trained, made.pairs, tested)
    notes = [*trained.notes, *made.notes, *tested.notes, *notes_on_repetitions(tested), *leaks]
    identifier = load(options.identifier)
    runs = [_run(known.train, known.generated, options, options.seed + number) for number in range(options.runs)]
    scores: dict[str, list[Floats]] = {WITHOUT: [], CONTROL: [], WITH: []}
    for number, run in enumerate(runs):
        held_out = [_examples(run.held_out, options.definition)]
        for arm, found in scores.items():
            fitted = _fitted(identifier, run.examples(arm, options.definition), held_out, options.seed + number)
            found.append(fitted.score(tested.left, tested.right, options.definition))
    figures, gains = _measured(scores, tested, options)
    return UseEvaluation(
        files=tuple(Path(file).name for file in (train, generated, test)),
        identifier=identifier.name,
        definition=options.definition,
        negatives=options.negatives,
        runs=options.runs,
        train_pairs=len(known.train),
        learned=_mean([len(run.learned) for run in runs]),
        generated=_mean([len(run.generated) for run in runs]),
        added_negatives=_mean([len(run.negatives) for run in runs]),
        test_pairs=len(tested),
        base_rate=float(tested.truth.mean()),
        figures=figures,
        gains=tuple(gains),
        signature=_signature(identifier, options),
        notes=tuple(notes),
    )


@dataclass(frozen=True, slots=True)
class _Known:
    """Pairs that a run may learn from: none of the test's."""

    train: list[tuple[Pair, bool]]
    generated: list[Pair]


def _without_leaks(train: LabelledPairs, generated: Sequence[Pair], tested: LabelledPairs) -> tuple[_Known, list[str]]:
    """Leave out of what is learned from the pairs of the test, and generated pairs with a text of it.

    Texts are the same whatever their case and white space.
    """
    test_pairs = {same_pair(*pair) for pair in zip(tested.left, tested.right, strict=True)}
    test_texts = {same_text(text) for text in (*tested.left, *tested.right)}
    labelled = _once_each(train)
    kept = [(pair, label) for key, (pair, label) in labelled.items() if key not in test_pairs]
    clean = [pair for pair in dict.fromkeys(generated) if not test_texts & same_pair(*pair)]
    notes = []
    if again := len(train) - len(labelled):
        notes.append(f"{again} training pairs repeat another and were left out.")
    if not kept:
        raise InputError(
            f"Every training pair of {train.path} is a test pair of {tested.path} too, so nothing is left to learn "
            "from. Give training pairs that are not in the test."
        )
    if len(kept) < len(labelled):
        notes.append(f"{len(labelled) - len(kept)} training pairs are test pairs too and were left out.")
    if leaked := sum(bool(test_texts & same_pair(*pair)) for pair in generated):
        notes.append(f"{leaked} generated pairs hold a text of the test pairs and were left out.")
    if not clean:
        raise InputError("Every generated pair holds a text of the test pairs. Generate from other sources.")
    if copies := sum(len(same_pair(*pair)) == 1 for pair in clean):
        notes.append(f"{copies} of {len(clean)} generated pairs are copies of their source.")
    return _Known(kept, clean), notes


def _once_each(train: LabelledPairs) -> dict[frozenset[str], tuple[Pair, bool]]:
    """Each training pair once, as it was first written; one with two labels is an error."""
    found: dict[frozenset[str], tuple[Pair, bool]] = {}
    line_of: dict[frozenset[str], int] = {}
    for line, left, right, label in zip(train.lines, train.left, train.right, train.truth.tolist(), strict=True):
        key = same_pair(left, right)
        if found.setdefault(key, ((left, right), label))[1] != label:
            raise InputError(
                f"{train.path}, line {line}: this pair is labelled {int(label)}, but {int(not label)} in line "
                f"{line_of[key]}. Nothing can be learned from both: leave one out."
            )
        line_of.setdefault(key, line)
    return found


def _run(train: list[tuple[Pair, bool]], generated: list[Pair], options: UseOptions, seed: int) -> _Run:
    """Draw what is held out, what is learned from and what is added."""
    random = Random(seed)
    held_out, learned = _parted(train, options.held_out_share, random)
    if options.train_pairs is not None and options.train_pairs < len(learned):
        learned = random.sample(learned, options.train_pairs)
    held_texts = {same_text(text) for pair, _ in held_out for text in pair}
    fresh = [pair for pair in generated if not held_texts & same_pair(*pair)]
    paraphrases = [pair for pair, label in learned if label]
    others = len(learned) - len(paraphrases)
    if not paraphrases or not others or not fresh:
        missing = "generated pair" if not fresh else "paraphrase" if not paraphrases else "pair that is no paraphrase"
        raise InputError(f"In a run there is no {missing} to learn from. Give more training pairs, or hold out fewer.")
    count = round(len(fresh) * others / len(paraphrases))
    return _Run(
        learned=learned,
        held_out=held_out,
        generated=fresh,
        repeated=random.choices(paraphrases, k=len(fresh)),
        negatives=NEGATIVES[options.negatives](fresh, dict(learned), count, random),
    )


def _parted(
    train: list[tuple[Pair, bool]], share: float, random: Random
) -> tuple[list[tuple[Pair, bool]], list[tuple[Pair, bool]]]:
    """A share to hold out and the rest; pairs that have a text in common stay together."""
    cluster_of = clusters([(same_text(left), same_text(right)) for (left, right), _ in train])
    together: dict[str, list[tuple[Pair, bool]]] = {}
    for pair, label in train:
        together.setdefault(cluster_of[same_text(pair[0])], []).append((pair, label))
    order = sorted(together)
    random.shuffle(order)
    held_out: list[tuple[Pair, bool]] = []
    learned: list[tuple[Pair, bool]] = []
    for name in order:
        # A cluster larger than all that may be held out is learned from, so that some of both kinds is left.
        fits = len(held_out) + len(together[name]) <= max(2, share * len(train))
        (held_out if fits else learned).extend(together[name])
    if {label for _, label in held_out} != {True, False}:
        raise InputError(
            "The training pairs held out are all of one kind. Give more training pairs, or raise --held-out-share."
        )
    return held_out, learned


def _measured(
    scores: Mapping[str, Sequence[Floats]], tested: LabelledPairs, options: UseOptions
) -> tuple[dict[str, dict[str, RunFigure]], list[Gain]]:
    """Figures of every way of training, and what the generated pairs gain over the other two.

    Test pairs that share a text are drawn together.
    """
    truth, groups = tested.truth, group_numbers(group_pairs(tested.left, tested.right))
    decided = {arm: [measure_decisions(one, truth) for one in of_runs] for arm, of_runs in scores.items()}
    rankings = {arm: [Ranking.of(one, truth) for one in of_runs] for arm, of_runs in scores.items()}
    drawn = iter(
        resampled_figures(
            [ranking for of_runs in rankings.values() for ranking in of_runs],
            groups=groups,
            resamples=options.resamples,
            seed=options.seed,
        )
    )
    resampled = {arm: np.mean([next(drawn) for _ in of_runs], axis=0) for arm, of_runs in rankings.items()}
    ranked = {arm: np.array([ranking.figures() for ranking in of_runs]) for arm, of_runs in rankings.items()}
    figures = {
        arm: {name: _figure([run[name].value for run in decided[arm]]) for name in DECIDED}
        | {name: _figure(ranked[arm][:, place].tolist()) for place, name in enumerate(RANKED) if name in FIGURES}
        for arm in scores
    }
    gains = []
    for other in (WITHOUT, CONTROL):
        compared = [
            compare(
                mean_of_runs([run[name] for run in decided[WITH]]),
                mean_of_runs([run[name] for run in decided[other]]),
                groups=groups,
                resamples=options.resamples,
                seed=options.seed,
            )
            for name in DECIDED
        ]
        compared += compare_resampled(
            ranked[WITH].mean(0), ranked[other].mean(0), resampled[WITH], resampled[other], seed=options.seed
        )
        shown = [one for one in compared if one.name in FIGURES]
        adjusted = holm([one.p_value for one in shown])
        gains += [
            Gain(ours=WITH, other=other, comparison=one, p_holm=p_holm)
            for one, p_holm in zip(shown, adjusted, strict=True)
        ]
    return figures, gains


def _figure(values: Sequence[float]) -> RunFigure:
    return RunFigure(mean=float(np.mean(values)), deviation=float(np.std(values)), runs=tuple(values))


def _fitted(identifier: Identifier, examples: Examples, held_out: list[Examples], seed: int) -> Identifier:
    try:
        return identifier.fit([examples], held_out, seed)
    except ImportError as error:
        raise InputError(
            f"Training {identifier.name} needs {error.name}, which is not installed: pip install 'paraloom[train]'"
        ) from error


def _examples(pairs: Sequence[tuple[Pair, bool]], definition: str) -> Examples:
    return Examples(
        left=[pair[0] for pair, _ in pairs],
        right=[pair[1] for pair, _ in pairs],
        targets=[float(label) for _, label in pairs],
        definition=definition,
    )


def _mean(counts: Sequence[int]) -> int:
    return round(sum(counts) / len(counts))


def _signature(identifier: Identifier, options: UseOptions) -> str:
    settings = {
        "identifier": identifier.name,
        "definition": options.definition,
        "negatives": options.negatives,
        "runs": options.runs,
        "held_out": options.held_out_share,
        "train_pairs": options.train_pairs or "all",
        "draws": "groups",
        "bootstrap": options.resamples,
        "seed": options.seed,
    }
    return "|".join(f"{name}:{value}" for name, value in settings.items())


def _check(options: UseOptions) -> None:
    check_resampling(options.resamples, seed=options.seed)
    if unused := next(
        (ours for ours in named_columns(options.generated_columns) if ours not in ("left", "right")), None
    ):
        raise InputError(f"--generated-columns {unused}: generated pairs have left and right alone. Leave it out.")
    if options.runs < 1:
        raise InputError(f"--runs {options.runs} trains nothing. Give at least 1.")
    if not 0 < options.held_out_share < 1:
        raise InputError(f"--held-out-share {options.held_out_share} is no share from 0 to 1. Give one such as 0.2.")
    if options.train_pairs is not None and options.train_pairs < 2:
        raise InputError(f"--train-pairs {options.train_pairs} are too few to learn from. Give at least 2.")
