"""Outputs of generators in, out come their types, the facts that they lost or made up, and sources with all outputs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.reports.generation_parts import (
    FactsExample,
    FactsFound,
    SideBySide,
    TypedExample,
    TypesFound,
    TypeShare,
)
from paraloom.text.facts import KINDS, breaches
from paraloom.workflows.evaluate.examples import kind_of_output
from paraloom.workflows.evaluate.paraphrase_types_evidence import TypeFinder
from paraloom.workflows.evaluate.paraphrase_types_options import TypeOptions
from paraloom.workflows.evaluate.paraphrase_types_profile import NAMED, TypeProfile, profile_of, told_change

MOST_TYPED = 1000
"""So many outputs of a system, the first, are looked at for types: each takes some milliseconds."""
SHOWN = 8
"""Examples of facts lost or made up, and sources with all their outputs."""
LONGEST = 400
"""Sources with more letters are not shown side by side."""


def find_types(sources: Sequence[str], outputs: Sequence[str], finder: TypeFinder, examples: int = 2) -> TypesFound:
    """The types of a system's outputs; those without text have none."""
    pairs = [(source, output) for source, output in zip(sources, outputs, strict=True) if output.strip()][:MOST_TYPED]
    found = ((*pair, types) for pair, types in zip(pairs, finder.find(pairs), strict=True))
    return _types_found(profile_of(found, finder.signature, examples))


def type_finder(language: str = "en") -> TypeFinder:
    """What finds types, loaded once for all systems."""
    return TypeFinder.load(TypeOptions(language=language))


def _types_found(profile: TypeProfile) -> TypesFound:
    return TypesFound(
        outputs=profile.outputs,
        types=tuple(
            TypeShare(
                name=one.name,
                means=NAMED[one.name],
                is_good=one.is_good,
                count=one.count,
                share=one.share,
                examples=tuple(
                    TypedExample(
                        source=example.source,
                        output=example.output,
                        changes=tuple(told_change(change) for change in example.changes),
                    )
                    for example in one.examples
                ),
            )
            for one in profile.types
        ),
        good_per_output=profile.good_per_output,
        poor=profile.poor,
        untyped=profile.untyped,
        signature=profile.signature,
    )


def find_facts(sources: Sequence[str], outputs: Sequence[str], *, seed: int, language: str = "en") -> FactsFound:
    """Which facts outputs lost or made up; examples are drawn by the seed, inventions first.

    >>> found = find_facts(["Biden won 3 states"] * 2, ["Biden took three states", "Trump won"], seed=1)
    >>> found.kept, found.invented, dict(found.missing_by_kind)
    (0.5, 0.5, {'name': 1, 'number': 1})
    """
    missing: Counter[str] = Counter()
    invented: Counter[str] = Counter()
    faulty: list[FactsExample] = []
    whole = [(source, output) for source, output in zip(sources, outputs, strict=True) if output.strip()]
    for source, output in whole:
        found = breaches(source, output, KINDS, language)
        if not found:
            continue
        missing.update({breach.kind for breach in found if breach.what == "missing"})
        invented.update({breach.kind for breach in found if breach.what == "invented"})
        told = {
            what: tuple(f"{breach.kind} {breach.fact}".rstrip() for breach in found if breach.what == what)
            for what in ("missing", "invented")
        }
        faulty.append(FactsExample(source=source, output=output, missing=told["missing"], invented=told["invented"]))
    order = np.random.default_rng(seed).permutation(len(faulty)).tolist()
    shown = sorted((faulty[place] for place in order), key=lambda example: not example.invented)[:SHOWN]
    return FactsFound(
        outputs=len(whole),
        kept=1 - len(faulty) / max(1, len(whole)),
        invented=sum(bool(example.invented) for example in faulty) / max(1, len(whole)),
        missing_by_kind={kind: missing[kind] for kind in KINDS if missing[kind]},
        invented_by_kind={kind: invented[kind] for kind in KINDS if invented[kind]},
        examples=tuple(shown),
    )


def put_side_by_side(
    evaluation_set: EvaluationSet,
    outputs: Mapping[str, Sequence[str]],
    people: Sequence[str],
    *,
    seed: int,
    language: str = "en",
) -> tuple[SideBySide, ...]:
    """Some sources, drawn by the seed, each with what every system and one person made of it."""
    order = np.random.default_rng(seed).permutation(len(evaluation_set.sources)).tolist()
    short = [row for row in order if len(evaluation_set.sources[row]) <= LONGEST] or order
    return tuple(
        SideBySide(
            source=evaluation_set.sources[row],
            reference=people[row],
            outputs=tuple(
                (name, texts[row], _sort(evaluation_set.sources[row], texts[row], language))
                for name, texts in outputs.items()
            ),
        )
        for row in short[:SHOWN]
    )


def _sort(source: str, output: str, language: str) -> str:
    return kind_of_output(source, output, language) if output.strip() else ""
