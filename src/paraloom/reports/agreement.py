"""Figures of agreement in, their report out: a page, a JSON object, or lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from paraloom.engine.signatures import paraloom_version
from paraloom.metrics.agreement.coefficient import Coefficient
from paraloom.metrics.agreement.figures import AgreementFigures
from paraloom.metrics.agreement.items import ItemAnswers
from paraloom.metrics.agreement.people import AnnotatorFigures
from paraloom.metrics.measured import signature
from paraloom.reports.columns import Count, share
from paraloom.reports.pages import NOTHING, number, percent, render, write_page
from paraloom.reports.plain import plain_table

SHOWN_PEOPLE = 15
"""Annotators that a command prints; the page and the JSON object have all."""

SHOWN_PAIRS = 40
"""Pairs of annotators that the page shows; the JSON object has more."""

PAPER_EXPERT = {"expert-kappa": 0.739, "expert-precision": 0.871, "expert-recall": 0.787, "expert-f1": 0.827}
"""The majority of 6 workers against an expert on 300 pairs (Lan et al., 2017, section 3.3)."""

KAPPA_WORDS = ((0.8, "almost perfect"), (0.6, "substantial"), (0.4, "moderate"), (0.2, "fair"), (0.0, "slight"))
"""Landis and Koch (1977): above so much."""

FAR_APART = 0.1
"""Between two coefficients, what calls for an explanation."""

MEANINGS = {
    "krippendorff-alpha": "Disagreement seen against that of answers dealt at random; gaps allowed.",
    "fleiss-kappa": "Agreement beyond chance, chance from how frequent each answer is.",
    "gwet-ac1": "Agreement beyond chance that stays fair where one answer is very frequent.",
    "gwet-ac2": "AC1 with partial credit for answers that lie close (quadratic weights).",
    "raw-agreement": "How often two people who saw the same item said the same; nothing is taken off for chance.",
    "cohen-kappa-mean": "Of every two annotators, each pair counting the same.",
    "cohen-kappa-mean-by-items": "Of every two annotators, each pair counting by the items it shares.",
    "cohen-kappa-linear-mean": "With partial credit by distance (linear weights).",
    "cohen-kappa-linear-mean-by-items": "The same, each pair counting by the items it shares.",
    "cohen-kappa-quadratic-mean": "With partial credit by squared distance (quadratic weights).",
    "cohen-kappa-quadratic-mean-by-items": "The same, each pair counting by the items it shares.",
    "expert-kappa": "The crowd’s majority against the expert, beyond chance.",
    "expert-accuracy": "How often the crowd’s majority says what the expert says.",
    "expert-precision": "Of what the crowd calls positive, the share that the expert does.",
    "expert-recall": "Of what the expert calls positive, the share that the crowd does.",
    "expert-f1": "Both together: the harmonic mean of precision and recall.",
}
"""What each figure says, in one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementEvaluation:
    """How far people agree on the answers of some files."""

    files: tuple[str, ...]
    figures: AgreementFigures
    disputed: tuple[ItemAnswers, ...]
    resamples: int
    seed: int
    notes: tuple[str, ...] = ()
    """What was seen while reading the answers."""

    @property
    def coefficients(self) -> tuple[Coefficient, ...]:
        """Of the crowd, without annotators below the cut, and against the expert."""
        kept, expert = self.figures.alpha_of_kept, self.figures.expert
        return (
            *self.figures.coefficients,
            *(() if kept is None else (kept,)),
            *(() if expert is None else expert.coefficients),
        )

    def as_json(self) -> dict[str, Any]:
        """One object with `metrics` and `signature`, intervals, annotators, pairs and counts of answers."""
        figures = self.figures
        return {
            "metrics": {one.name: one.value for one in self.coefficients}
            | {"unanimous-share": figures.unanimous, "items": figures.items, "ratings": figures.ratings},
            "signature": {one.name: self.signature_of(one) for one in self.coefficients},
            "intervals": {one.name: asdict(one.interval) for one in self.coefficients if one.interval is not None},
            "why_none": {one.name: one.why_none for one in self.coefficients if one.value is None},
            "items_compared": figures.items_compared,
            "items_tied": figures.tied,
            "answers_an_item": [figures.fewest, figures.most],
            "answers": [asdict(count) for count in answer_counts(figures)],
            "confusion": figures.confusion,
            "min_kappa": figures.min_kappa,
            "annotator_count": figures.annotators,
            "annotators": [asdict(person) for person in figures.people],
            "pair_count": figures.pair_count,
            "pairs": [asdict(pair) for pair in figures.pairs],
            "expert": self._expert_as_json(),
            "most_disputed": [asdict(item) for item in self.disputed],
            "files": list(self.files),
            "notes": list(self.notes),
            "paraloom": paraloom_version(),
        }

    def _expert_as_json(self) -> dict[str, Any] | None:
        expert = self.figures.expert
        if expert is None:
            return None
        counts = {"compared": expert.compared, "tied": expert.tied, "unanswered": expert.unanswered}
        told = {"name": self.figures.expert_name, "positive": expert.positive, **counts}
        return told | {"answers": self.figures.expert_answers, "confusion": expert.confusion.tolist()}

    def signature_of(self, one: Coefficient) -> str:
        """All that decides a coefficient's value and interval, but for the answers themselves."""
        figures = self.figures
        settings: dict[str, object] = {"level": figures.level, "answers": len(figures.answers)}
        if one.name == "fleiss-kappa":
            settings["form"] = "generalised" if figures.generalised else "plain"
        if one.name == "krippendorff-alpha-of-kept":
            settings["min-kappa"] = figures.min_kappa
        if one.name in ("expert-precision", "expert-recall", "expert-f1") and figures.expert is not None:
            settings["positive"] = figures.expert.positive
        if one.interval is not None:
            settings |= {"interval": "bootstrap-items", "resamples": self.resamples, "seed": self.seed}
        return signature(one.name, settings | {"version": paraloom_version()})

    def as_text(self) -> str:
        """Tables and sentences for a person to read."""
        figures = self.figures
        parts = [
            what_was_read(figures),
            *self.notes,
            plain_table(["answer", "given", "share"], [_count_cells(count) for count in answer_counts(figures)]),
            plain_table(
                ["coefficient", "value", "95%", ""],
                [_coefficient_cells(one) for one in figures.coefficients],
                words=(0, 3),
            ),
        ]
        if figures.expert is not None:
            parts.append(
                plain_table(
                    [f"majority against {figures.expert_name}", "value", "95%", ""],
                    [_coefficient_cells(one) for one in figures.expert.coefficients],
                    words=(0, 3),
                )
            )
        if figures.people:
            shown = figures.people[:SHOWN_PEOPLE]
            of_expert = figures.expert is not None
            header = ["annotator", "answers", "compared", "tied", "agreement", "kappa", "95%", ""]
            parts.append(
                plain_table(
                    [*header[:7], *(["kappa, expert"] if of_expert else []), ""],
                    [_person_cells(person, of_expert) for person in shown],
                    words=(0, 8 if of_expert else 7),
                )
            )
        return "\n\n".join([*parts, "\n".join(verdicts(figures))])


def write_agreement_report(evaluation: AgreementEvaluation, folder: Path) -> Path:
    """Write report.html and agreement.json into a folder; gives the page's path."""
    return write_page(folder, render_agreement(evaluation), "agreement.json", evaluation.as_json())


def render_agreement(evaluation: AgreementEvaluation) -> str:
    """The page of an evaluation."""
    figures = evaluation.figures
    return render(
        "agreement.html",
        {
            "evaluation": evaluation,
            "figures": figures,
            "headline": headline(figures),
            "read": what_was_read(figures),
            "verdicts": verdicts(figures),
            "answers": answer_counts(figures),
            "meanings": MEANINGS,
            "in_words": in_words,
            "bounds": interval_shown,
            "paper": PAPER_EXPERT,
            "shown_pairs": figures.pairs[:SHOWN_PAIRS],
            "charts": _charts(figures),
            "version": paraloom_version(),
        },
    )


def headline(figures: AgreementFigures) -> str:
    """What came of it, in one line."""
    alpha = _named(figures, "krippendorff-alpha")
    if alpha.value is None:
        return f"No agreement can be told: {alpha.why_none}"
    return f"Krippendorff’s alpha {alpha.value:.3f}: {in_words(alpha)}"


def what_was_read(figures: AgreementFigures) -> str:
    """How much there is to judge by."""
    many = "1 annotator" if figures.annotators == 1 else f"{number(figures.annotators or 0)} annotators"
    who = "votes" if figures.annotators is None else f"answers by {many}"
    each = f"{figures.fewest}" if figures.fewest == figures.most else f"{figures.fewest} to {figures.most}"
    return (
        f"{number(figures.ratings)} {who} on {number(figures.items)} items, {each} an item; "
        f"{number(figures.items_compared)} items have two answers or more."
    )


def in_words(one: Coefficient) -> str:
    """What a value is commonly held to mean; nothing for shares.

    >>> in_words(Coefficient(name="krippendorff-alpha", value=0.7))
    'enough for tentative conclusions'
    >>> in_words(Coefficient(name="fleiss-kappa", value=0.3))
    'fair'
    """
    if one.value is None:
        return ""
    if one.name.startswith("krippendorff"):
        if one.value >= 0.8:
            return "reliable"
        return "enough for tentative conclusions" if one.value >= 2 / 3 else "too low to rely on"
    if "kappa" in one.name or one.name.startswith("gwet"):
        return next((word for above, word in KAPPA_WORDS if one.value > above), "no better than chance")
    return ""


def verdicts(figures: AgreementFigures) -> list[str]:
    """What the figures mean, in sentences."""
    told = [f"{one.name}: none, since {one.why_none}." for one in figures.coefficients if one.value is None]
    told += list(_why_they_differ(figures))
    if figures.annotators is None:
        told.append("Votes do not say who gave them, so annotators are not compared.")
    elif figures.people:
        told += _of_people(figures)
    if figures.expert is not None:
        left = [f"{number(figures.expert.tied)} tied"] if figures.expert.tied else []
        left += [f"{number(figures.expert.unanswered)} unanswered"] if figures.expert.unanswered else []
        told.append(
            f"The majority was held against {figures.expert_name} on {number(figures.expert.compared)} items"
            f"{', ' + ' and '.join(left) + ' left out' if left else ''}."
        )
    return told


def _why_they_differ(figures: AgreementFigures) -> Iterator[str]:
    alpha, fleiss, ac1 = (_named(figures, name).value for name in ("krippendorff-alpha", "fleiss-kappa", "gwet-ac1"))
    most = max(answer_counts(figures), key=lambda count: count.count, default=None)
    if fleiss is not None and ac1 is not None and most is not None and ac1 - fleiss > FAR_APART:
        yield (
            f"{percent(most.share)} of the answers are {most.name}, so alpha and kappa count much of the agreement as "
            "chance; AC1 counts less of it."
        )
    if figures.generalised:
        yield "Items have different numbers of answers: Fleiss’ kappa is the generalised form (Gwet, 2014)."
    far = alpha is not None and fleiss is not None and abs(fleiss - alpha) > FAR_APART
    if figures.generalised and figures.level == "nominal" and far:
        yield (
            "Alpha counts every answer the same, Fleiss’ kappa and AC1 every item: on items with many answers people "
            f"agree {'less' if (alpha or 0) < (fleiss or 0) else 'more'} than on the others."
        )


def _of_people(figures: AgreementFigures) -> list[str]:
    low = [person for person in figures.people if person.is_low]
    many = f"{number(len(low))} of {number(len(figures.people))} annotators"
    cut = f"kappa {figures.min_kappa:g} against the majority of the others"
    if not any(person.kappa is not None for person in figures.people):
        return ["No annotator has a kappa: nobody’s answers can be held against a majority of the others."]
    if not low:
        return [f"No annotator is below {cut}."]
    some = ", ".join(f"{one.name} ({one.kappa:.2f} on {one.compared})" for one in low[:5])
    told = [f"{many} {'is' if len(low) == 1 else 'are'} below {cut}: {some}{' …' if len(low) > 5 else '.'}"]
    sure = sum(one.interval is not None and one.interval.high < figures.min_kappa for one in low)
    if sure < len(low):
        many = number(sure) if sure else "none"
        told.append(f"For {many} of them the whole interval is below it; the others may be there by chance.")
    kept = figures.alpha_of_kept
    if kept is not None and kept.value is not None:
        told.append(
            f"Without annotators below the cut alpha is {kept.value:.3f}; they were chosen on the same answers, so "
            "expect less on others."
        )
    return told


def answer_counts(figures: AgreementFigures) -> list[Count]:
    """How often each answer was given, in the order of the scale."""
    total = sum(figures.totals)
    return [
        Count(name=answer, count=count, share=share(count, total))
        for answer, count in zip(figures.answers, figures.totals, strict=True)
    ]


def interval_shown(one: Coefficient | AnnotatorFigures) -> str:
    """An interval's two ends."""
    return NOTHING if one.interval is None else f"{_three(one.interval.low)} to {_three(one.interval.high)}"


def _named(figures: AgreementFigures, name: str) -> Coefficient:
    return next(one for one in figures.coefficients if one.name == name)


def _count_cells(count: Count) -> list[str]:
    return [count.name, number(count.count), percent(count.share)]


def _coefficient_cells(one: Coefficient) -> list[str]:
    return [one.name, _three(one.value), interval_shown(one), in_words(one)]


def _person_cells(person: AnnotatorFigures, of_expert: bool) -> list[str]:
    cells = [person.name, number(person.answers), number(person.compared), number(person.tied)]
    cells += [_three(person.agreement), _three(person.kappa), interval_shown(person)]
    if of_expert:
        cells.append(_three(person.expert_kappa))
    return [*cells, "below the cut" if person.is_low else ""]


def _three(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.3f}".replace("-0.000", "0.000")


def _charts(figures: AgreementFigures) -> dict[str, Any]:
    from markupsafe import Markup

    from paraloom.reports import agreement_charts as charts

    drawn = {
        "people": charts.kappa_by_annotator("people-chart", figures.people, figures.min_kappa),
        "coefficients": charts.coefficients("coefficients-chart", figures.coefficients),
        "confusion": charts.confusion("confusion-chart", figures.answers, figures.confusion),
    }
    # Altair's drawing went through an XML writer, which escapes every text in it.
    return {name: None if svg is None else Markup(svg) for name, svg in drawn.items()}
