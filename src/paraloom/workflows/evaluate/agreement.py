"""Files of answers in, how far people agree out, and who does not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from paraloom.errors import InputError
from paraloom.metrics.agreement.figures import measure_agreement
from paraloom.metrics.agreement.items import most_disputed
from paraloom.metrics.agreement.ratings import Ratings
from paraloom.metrics.agreement.scale import Scale
from paraloom.metrics.significance import check_resampling
from paraloom.reports.agreement import AgreementEvaluation
from paraloom.workflows.evaluate.agreement_options import AgreementOptions, AnswerFileOptions
from paraloom.workflows.evaluate.answer_files import GivenAnswers, read_answers, read_gold
from paraloom.workflows.evaluate.item_files import check_items_file, write_items

POSITIVE = ("1", "yes", "true", "paraphrase")
"""Answers that are taken for the positive one, in any case, where there are two answers and one of them is."""

GOLD = "gold"
"""What the right answers of a file are called among the annotators."""


def evaluate_agreement(
    files: Sequence[str | Path],
    options: AgreementOptions = AgreementOptions(),
    *,
    reading: AnswerFileOptions = AnswerFileOptions(),
    items: Path | None = None,
) -> AgreementEvaluation:
    """Every figure of agreement on the answers of the files; `items` is a file for the answers to each item."""
    if items is not None:
        check_items_file(items)
    if options.positive and not options.expert and options.gold is None:
        raise InputError(
            "--positive chooses the answer whose precision is told against who is right. Give --expert or --gold too."
        )
    check_resampling(options.resamples, seed=options.seed)
    given = read_answers(files, reading)
    gold = {} if options.gold is None else read_gold(options.gold, reading)
    expert = _expert(given, options, gold)
    ratings = _ratings(given, options, reading, gold, expert)
    figures = measure_agreement(
        ratings,
        expert=expert,
        positive=_positive(ratings.scale, options.positive) if expert else None,
        min_kappa=options.min_kappa,
        nameless=given.nameless,
        resamples=options.resamples,
        seed=options.seed,
    )
    crowd = ratings if expert is None else ratings.without(expert)
    if items is not None:
        write_items(items, crowd)
    return AgreementEvaluation(
        files=tuple(Path(file).name for file in files),
        figures=figures,
        disputed=most_disputed(crowd),
        resamples=options.resamples,
        seed=options.seed,
        notes=(*given.notes, *_doubtful(figures.answers)),
    )


NO_ANSWERS = ("nan", "na", "n/a", "none", "null", "nil", "-", "?")
"""What tables write where there is no answer, in any case."""


def _doubtful(answers: Sequence[str]) -> list[str]:
    """Answers that were perhaps not meant as answers of their own."""
    notes = []
    alike: dict[str, list[str]] = {}
    for answer in answers:
        alike.setdefault(answer.casefold(), []).append(answer)
        if answer.casefold() in NO_ANSWERS:
            notes.append(f"{answer!r} counts as an answer. If it means that there is none, leave the cell empty.")
    notes += [
        f"The answers {' and '.join(map(repr, same))} differ only in case and count as different."
        for same in alike.values()
        if len(same) > 1
    ]
    return notes


def _expert(given: GivenAnswers, options: AgreementOptions, gold: dict[str, str]) -> str | None:
    if options.gold is None:
        if options.expert and options.expert not in set(given.annotators):
            some = sorted(set(given.annotators))
            told = ", ".join(some[:10]) + (" …" if len(some) > 10 else "")
            raise InputError(f"--expert {options.expert}: there is no such annotator; there are {told}.")
        return options.expert or None
    if options.expert:
        raise InputError("--expert and --gold both say who is right. Give one of them.")
    if not gold.keys() & set(given.items):
        raise InputError(
            f"No item of {options.gold} is among the items of the answers: {next(iter(gold), 'none')!r} is not, for "
            f"example, which look like {given.items[0]!r}. Give the same names in both."
        )
    said = {answer for answer in given.answers if answer is not None}
    if said and not said & set(gold.values()):
        raise InputError(
            f"{options.gold} and the answers have no answer in common: {_some(gold.values())} there, {_some(said)} "
            "here. Write them the same way."
        )
    known = set(given.annotators)
    return next(name for name in (GOLD, f"{GOLD} file", *map(str, range(len(known) + 1))) if name not in known)


def _some(answers: Iterable[str]) -> str:
    named = sorted(set(answers))
    return ", ".join(map(repr, named[:5])) + (" …" if len(named) > 5 else "")


def _ratings(
    given: GivenAnswers, options: AgreementOptions, reading: AnswerFileOptions, gold: dict[str, str], expert: str | None
) -> Ratings:
    """The answers of the files, and the right ones as those of one more annotator, on items that were answered."""
    answered = set(given.items) if gold else set()
    right = {item: answer for item, answer in gold.items() if item in answered}
    return Ratings.of(
        [*given.items, *right],
        [*given.annotators, *([expert or GOLD] * len(right))],
        [*given.answers, *right.values()],
        level=options.level,
        order=options.order,
        last_counts=reading.repeated == "last",
        place=given.place,
    )


def _positive(scale: Scale, wanted: str) -> str | None:
    if wanted:
        return scale.answers[scale.place(wanted)]
    known = [answer for answer in scale.answers if answer.lower() in POSITIVE]
    return known[0] if len(known) == 1 and len(scale.answers) == 2 else None
