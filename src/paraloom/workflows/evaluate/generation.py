"""Outputs of generators and references in, out comes every metric beside the parrots, and the alarm's verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from paraloom.corpus.evaluation_sets import GivenSet
from paraloom.corpus.system_outputs import MatchedOutputs, SystemOutputs, SystemRows, match_outputs
from paraloom.errors import InputError
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.measured import Measured, Metric
from paraloom.metrics.overlap.bleu import Bleu
from paraloom.metrics.overlap.inter_bleu import inter_bleu
from paraloom.metrics.overlap.reference_diversity import reference_self_bleu
from paraloom.metrics.significance import bootstrap_intervals
from paraloom.models.generators.parrots import Parrot, Parroting
from paraloom.reports.generation_summary import (
    Claim,
    FrontierPoint,
    GenerationSummary,
    HumanSelfBleu,
    MeaningKept,
    Row,
    Score,
    SystemSummary,
)
from paraloom.reports.parrot_summary import SetSummary
from paraloom.text.counted import counted
from paraloom.workflows.evaluate.alarm import Evidence, verdict, why_useless
from paraloom.workflows.evaluate.claims import make_claims
from paraloom.workflows.evaluate.closeness import ParrotScale
from paraloom.workflows.evaluate.examples import pick_examples
from paraloom.workflows.evaluate.generation_options import GenerationOptions
from paraloom.workflows.evaluate.generation_parts import find_facts, find_types, put_side_by_side, type_finder
from paraloom.workflows.evaluate.likeness import edit_ratios, prepare_likeness
from paraloom.workflows.evaluate.metric_options import MetricOptions
from paraloom.workflows.evaluate.metrics import METRICS, chosen_metrics
from paraloom.workflows.evaluate.parrot import check_seed, set_summary, warnings_of
from paraloom.workflows.evaluate.stand_ins import (
    HUMAN,
    MATCHED,
    PARROTS,
    STRANGER,
    drawn_references,
    named_apart,
    references_of_others,
)
from paraloom.workflows.evaluate.strangers import doubts_of_references
from paraloom.workflows.evaluate.sweep import Step

MOST_FOR_ALL = 1000
"""Up to so many sources every metric is measured of every parrot; beyond, slow ones only where a test needs them."""
ALWAYS = ("bleu", "chrf2", "ter", "self-bleu", "copy-rate", "small-change-rate")
"""What the alarm looks at, measured whatever other metrics are chosen."""

AllMeasured = dict[str, dict[str, Measured]]
"""By name of the system, parrot or people, then by metric."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluatedGeneration:
    """The summary, and every measured metric of every system for those who want the items."""

    summary: GenerationSummary
    evaluation_set: EvaluationSet
    systems: tuple[SystemOutputs, ...]
    measured: Mapping[str, Mapping[str, Measured]]


def evaluate_generation(
    given: GivenSet,
    systems: Sequence[SystemRows],
    options: GenerationOptions = GenerationOptions(),
    *,
    metrics: MetricOptions = MetricOptions(),
    step: Step = lambda name, done, total: None,
    against_first: bool = False,
) -> EvaluatedGeneration:
    """Measure systems, parrots, people's references and strangers on the same sources, and judge the systems.

    Between systems every two are tested, or, where asked, the first against each other.
    """
    _check(options)
    matched = match_outputs(given.evaluation_set, systems, allow_missing=options.allow_missing)
    matched = replace(matched, systems=named_apart(matched.systems))
    evaluation_set = matched.evaluation_set
    doubts = doubts_of_references(evaluation_set, given.files, options.seed)
    chosen, not_run = chosen_metrics(None, metrics)
    if missing := [name for name in ALWAYS if name not in {metric.name for metric in chosen}]:
        chosen += chosen_metrics(missing, metrics)[0]
    bleu = Bleu(lowercase=metrics.lowercase, tokenize=metrics.tokenize)
    scale = ParrotScale(evaluation_set, bleu=bleu, seed=options.seed)
    parroting = Parroting(evaluation_set, options.seed)
    partners = {system.name: scale.matched(system.first) for system in matched.systems}
    outputs = {system.name: system.first for system in matched.systems}
    matched_parrots = [parrot for parrots in partners.values() for parrot in parrots]
    outputs |= {parrot.name: parroting.outputs(parrot) for parrot in dict.fromkeys((*PARROTS, *matched_parrots))}
    outputs |= {
        HUMAN: drawn_references(evaluation_set, options.seed),
        STRANGER: references_of_others(evaluation_set, options.seed),
    }
    measured = _measure(evaluation_set, chosen, outputs, _listed_for(partners, len(evaluation_set.sources)), step)
    _add_inter_bleu(measured, matched.systems)
    rows = _rows(measured, options)
    likeness_of = prepare_likeness(evaluation_set, scale, metrics.language)
    human = likeness_of(outputs[HUMAN])
    names = [system.name for system in matched.systems]
    compared = [(ours, other) for ours, other in combinations(names, 2) if ours == names[0] or not against_first]
    families = _claims(measured, compared, partners, options)
    finder = type_finder(metrics.language) if options.types else None
    summaries = []
    for system in matched.systems:
        own = {family: [one for one in claims if one.ours_name == system.name] for family, claims in families.items()}
        likeness = likeness_of(system.first)
        meaning = _meaning(measured, system.name, rows[system.name])
        summaries.append(
            SystemSummary(
                row=rows[system.name],
                verdict=verdict(
                    Evidence(
                        sources=len(evaluation_set.sources),
                        likeness=likeness,
                        human=human,
                        matched_names=tuple(parrot.name for parrot in partners[system.name]),
                        against_parrot=own["against the full parrot"],
                        against_matched=own["against matched parrots"],
                        against_strangers=own["against strangers"],
                        meaning=meaning,
                    )
                ),
                likeness=likeness,
                matched=_best_of(own["against matched parrots"], rows),
                claims={family: tuple(claims) for family, claims in own.items() if family != "between systems"},
                meaning=tuple(meaning),
                edit_ratios=edit_ratios(evaluation_set, system.first),
                examples=pick_examples(
                    evaluation_set, system.first, seed=options.seed, language=metrics.language, bleu=bleu
                ),
                facts=find_facts(evaluation_set.sources, system.first, seed=options.seed, language=metrics.language),
                types=find_types(evaluation_set.sources, system.first, finder) if finder else None,
            )
        )
    summary = GenerationSummary(
        measured_on=_measured_on(given, evaluation_set, matched),
        warnings=(
            *doubts,
            *filter(None, [why_useless(human)]),
            *warnings_of(replace(given, evaluation_set=evaluation_set), metrics.language),
        ),
        metrics={name: one.better for row in measured.values() for name, one in row.items()},
        signatures={name: one.signature for row in measured.values() for name, one in row.items()},
        not_run=not_run,
        systems=tuple(summaries),
        parrots=tuple(rows[parrot.name] for parrot in PARROTS),
        human=rows[HUMAN],
        human_likeness=human,
        human_self_bleu=_human_self_bleu(evaluation_set),
        human_edit_ratios=edit_ratios(evaluation_set, outputs[HUMAN]),
        stranger=rows[STRANGER],
        between_systems=tuple(families["between systems"]),
        tests={family: len(claims) for family, claims in families.items()},
        test_method=options.test,
        frontier=tuple(
            FrontierPoint(
                kind=point.parrot.kind,
                position=point.parrot.position,
                ratio=point.parrot.ratio,
                self_bleu=point.self_bleu,
                bleu=point.bleu,
            )
            for point in scale.points
        ),
        frontier_sources=len(scale.rows),
        human_facts=find_facts(evaluation_set.sources, outputs[HUMAN], seed=options.seed, language=metrics.language),
        human_types=find_types(evaluation_set.sources, outputs[HUMAN], finder) if finder else None,
        side_by_side=put_side_by_side(
            evaluation_set,
            {name: outputs[name] for name in names},
            outputs[HUMAN],
            seed=options.seed,
            language=metrics.language,
        )
        if len(names) > 1
        else (),
        seed=options.seed,
    )
    return EvaluatedGeneration(
        summary=summary, evaluation_set=evaluation_set, systems=matched.systems, measured=measured
    )


Listed = Callable[[str, str], bool]
"""Whether this one, by name, is measured by that metric."""


def _listed_for(partners: Mapping[str, Sequence[Parrot]], sources: int) -> Listed:
    """What is measured of whom: overlap with references of all; the rest of the best matched parrot of each kind.

    The kinds fool metrics of meaning in different ways: what is left of a cut sentence is sound, borrowed words are.
    On large sets slow metrics are not measured of the partial parrots that stand beside every system.
    """
    matched = {parrot.name for parrots in partners.values() for parrot in parrots}
    first = {parrot.name for parrots in partners.values() for parrot in _first_of_kinds(parrots)} | {Parrot().name}
    beside = {parrot.name for parrot in PARROTS}

    def is_listed(name: str, metric: str) -> bool:
        known = METRICS[metric]
        # A reference compared with all references, itself among them, would score as perfect.
        if name == HUMAN and known.against not in ("source", "outputs"):
            return False
        if name in first or name not in matched | beside:
            return True
        if name in matched and known.about == "overlap":
            return True
        return name in beside and (not known.is_slow or sources <= MOST_FOR_ALL)

    return is_listed


def _first_of_kinds(parrots: Sequence[Parrot]) -> list[Parrot]:
    """Parrots come with the best BLEU first."""
    found: dict[str, Parrot] = {}
    for parrot in parrots:
        found.setdefault(parrot.kind, parrot)
    return list(found.values())


def _measure(
    evaluation_set: EvaluationSet,
    metrics: Sequence[Metric],
    outputs: Mapping[str, Sequence[str]],
    is_listed: Listed,
    step: Step,
) -> AllMeasured:
    measured: AllMeasured = {name: {} for name in outputs}
    for done, metric in enumerate(metrics):
        step("measuring", done, len(metrics))
        measure = metric.prepare(evaluation_set)
        for name, texts in outputs.items():
            if is_listed(name, metric.name):
                measured[name][metric.name] = measure(texts)
    step("measuring", len(metrics), len(metrics))
    return measured


def _add_inter_bleu(measured: AllMeasured, systems: Sequence[SystemOutputs]) -> None:
    for system in systems:
        if any(len([text for text in texts if text]) > 1 for texts in system.outputs):
            found = inter_bleu(system.outputs)
            measured[system.name][found.name] = found


def _rows(measured: AllMeasured, options: GenerationOptions) -> dict[str, Row]:
    rows = {}
    for name, metrics in measured.items():
        intervals = bootstrap_intervals(list(metrics.values()), resamples=options.resamples, seed=options.seed)
        rows[name] = Row(
            name=name,
            scores={
                metric: Score(
                    value=one.value,
                    low=None if interval is None else interval.low,
                    high=None if interval is None else interval.high,
                )
                for (metric, one), interval in zip(metrics.items(), intervals, strict=True)
            },
        )
    return rows


Pairs = list[tuple[str, str, Measured, Measured]]


def _claims(
    measured: AllMeasured,
    compared: Sequence[tuple[str, str]],
    partners: Mapping[str, Sequence[Parrot]],
    options: GenerationOptions,
) -> dict[str, list[Claim]]:
    """P-values are corrected over one system's tests, so that its verdict does not hang on which others are beside it.

    Only where systems are compared with each other is it over all of these tests.
    """
    systems = list(partners)
    families: dict[str, list[Pairs]] = {
        "against the full parrot": [_pairs(measured, name, Parrot().name) for name in systems],
        "against matched parrots": [
            _with_best(measured, name, [parrot.name for parrot in partners[name]]) for name in systems
        ],
        "against strangers": [
            [pair for pair in _pairs(measured, name, STRANGER) if _is_judged(pair)] for name in systems
        ],
        "between systems": [[pair for ours, other in compared for pair in _pairs(measured, ours, other)]],
    }
    return {
        family: [
            claim
            for pairs in corrected_together
            for claim in make_claims(pairs, method=options.test, resamples=options.resamples, seed=options.seed)
        ]
        for family, corrected_together in families.items()
    }


def _pairs(measured: AllMeasured, ours: str, other: str) -> Pairs:
    return [
        (ours, other, one, measured[other][name])
        for name, one in measured[ours].items()
        if name in measured[other] and name in METRICS
    ]


def _with_best(measured: AllMeasured, ours: str, others: Sequence[str]) -> Pairs:
    """Each metric against that of the others which has the best value of it."""
    pairs = []
    for name, one in measured[ours].items():
        able = [other for other in others if name in measured[other] and name in METRICS]
        if able and one.better != "neither":
            sign = 1 if one.better == "higher" else -1
            best = max(able, key=lambda other: sign * measured[other][name].value)
            pairs.append((ours, best, one, measured[best][name]))
    return [pair for pair in pairs if _is_judged(pair)]


def _is_judged(pair: tuple[str, str, Measured, Measured]) -> bool:
    """Whether a spoiled parrot or a stranger could do as well by this metric: by references, or by meaning."""
    known = METRICS[pair[2].name]
    return known.against == "references" or known.about == "meaning"


def _best_of(claims: Sequence[Claim], rows: Mapping[str, Row]) -> Row:
    """The best of the matched parrots on each metric."""
    return Row(name=MATCHED, scores={claim.metric: rows[claim.other_name].scores[claim.metric] for claim in claims})


def _meaning(measured: AllMeasured, system: str, row: Row) -> list[MeaningKept]:
    return [
        MeaningKept(
            metric=name,
            ours=one.value,
            ours_at_most=max(one.value, row.scores[name].high or one.value),
            human=measured[HUMAN][name].value,
            stranger=measured[STRANGER][name].value,
        )
        for name, one in measured[system].items()
        if name in METRICS
        and (METRICS[name].about, METRICS[name].against, one.better) == ("meaning", "source", "higher")
    ]


def _human_self_bleu(evaluation_set: EvaluationSet) -> HumanSelfBleu | None:
    if max(evaluation_set.reference_counts) < 2:
        return None
    found = reference_self_bleu(evaluation_set)
    return HumanSelfBleu(
        lowest=found.lowest,
        mean=found.mean,
        deviation=found.deviation,
        highest=found.highest,
        sources=found.sources,
    )


def _check(options: GenerationOptions) -> None:
    check_seed(options.seed)
    if options.resamples < 1:
        raise InputError(f"--resamples {options.resamples} leaves nothing to test with. Give at least 1, better 1000.")


def _measured_on(given: GivenSet, evaluation_set: EvaluationSet, matched: MatchedOutputs) -> SetSummary:
    missing, unknown = matched.missing, matched.unknown
    told = [
        *([f"{counted(missing, 'source has', 'sources have')} no output of some system: left out."] if missing else []),
        *(
            [f"{counted(unknown, 'output has', 'outputs have')} a source without references: left out."]
            if unknown
            else []
        ),
        *(
            f"{system.name} is what your file {system.name.removesuffix(' (given)')} is called here, since we have one "
            "of that name ourselves."
            for system in matched.systems
            if system.name.endswith(" (given)")
        ),
    ]
    counts = replace(
        given.counts,
        sources=len(evaluation_set.sources),
        references=sum(evaluation_set.reference_counts),
    )
    return set_summary(replace(given, evaluation_set=evaluation_set, counts=counts, remarks=(*given.remarks, *told)))
