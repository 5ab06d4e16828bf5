"""The parrot alarm: numbers in, level and words out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from paraloom.reports.generation_summary import Claim, Likeness, MeaningKept
from paraloom.workflows.evaluate.alarm import Evidence, verdict

PEOPLE = Likeness(
    copies=0.01,
    small_changes=0.02,
    near_copies=0.05,
    empty=0.0,
    distinct=1.0,
    new_words=0.4,
    self_bleu=20.0,
    share_replaced=0.4,
)
PARAPHRASER = replace(PEOPLE, self_bleu=25.0, share_replaced=0.35)


def claim(
    metric: str, gain: float, significant: bool = True, against: str = "references", about: str = "overlap"
) -> Claim:
    return Claim(
        metric=metric,
        about=about,
        against=against,
        ours_name="ours",
        other_name="parrot",
        ours=30 + gain,
        other=30,
        gain=gain,
        low=gain - 1,
        high=gain + 1,
        p_value=0.001 if significant else 0.5,
        adjusted_p_value=0.01 if significant else 0.9,
        is_significant=significant,
        resamples=1000,
    )


def claims(*gains: float, significant: bool = True) -> list[Claim]:
    return [claim(name, gain, significant) for name, gain in zip(("bleu", "chrf2", "ter"), gains, strict=False)]


GOOD = Evidence(
    sources=200,
    likeness=PARAPHRASER,
    human=PEOPLE,
    matched_names=("parrot-cut-tail-0.5",),
    against_parrot=claims(-5, -3, -6),
    against_matched=claims(9, 6, -1),
    against_strangers=claims(25, 30, 40),
    meaning=(MeaningKept(metric="embedding-cosine", ours=0.8, ours_at_most=0.82, human=0.82, stranger=0.1),),
)


def like(**numbers: float) -> dict[str, Any]:
    return {"likeness": replace(PARAPHRASER, **numbers)}


CASES: dict[str, tuple[dict[str, Any], str, str, str]] = {
    "a paraphraser that loses to the full parrot": ({}, "clear", "does better than copying", ""),
    "nine copies of ten": (
        like(copies=0.9, near_copies=0.9, new_words=0.04, share_replaced=0.03),
        "alarm",
        "copies its input",
        "(90.0% copies)",
    ),
    "copies and small changes together": (
        like(copies=0.3, small_changes=0.3, near_copies=0.6),
        "alarm",
        "copies its input",
        r"60.0% of the outputs are copies of their source or small changes of it (30.0% copies)",
    ),
    "nine words of ten": (
        like(near_copies=0.97, new_words=0.1, share_replaced=0.1),
        "alarm",
        "all but copies its input",
        "97.0% of the outputs keep all but a fifth",
    ),
    "words cut here and there": (
        like(new_words=0.0),
        "alarm",
        "only cuts or reorders its input",
        "100% of an output's words are its source's",
    ),
    "words spoiled": (
        {"against_matched": claims(-2, -1, 0)},
        "alarm",
        "does no better than a parrot whose words were spoiled",
        "(such as parrot-cut-tail-0.5) are as good or better on bleu, chrf2 and ter",
    ),
    "no better by references, but by meaning": (
        {"against_matched": [*claims(-2, -1, -1), claim("embedding-cosine", 0.3, against="source", about="meaning")]},
        "caution",
        "is not shown to do better",
        "",
    ),
    "sentences about something else": (
        {"against_strangers": claims(0, -1, 5, significant=False), "meaning": ()},
        "alarm",
        "writes what has nothing to do with its input",
        "no better than references of other sources",
    ),
    "one metric of three above strangers": (
        {"against_strangers": [claim("bleu", -1), claim("chrf2", -3), claim("ter", 4)]},
        "alarm",
        "writes what has nothing to do with its input",
        "On bleu and chrf2 they score no better",
    ),
    "better, but not significantly": (
        {"against_matched": claims(2, 1, -1, significant=False)},
        "caution",
        "is not shown to do better than a parrot whose words were spoiled",
        "on bleu and chrf2, but not significantly",
    ),
    "a third of copies": (like(copies=0.33), "caution", "often hardly changes its input", "35.0% of the outputs"),
    "a third of copies, as people do": (
        {**like(copies=0.33), "human": replace(PEOPLE, copies=0.3)},
        "clear",
        "does better than copying",
        "",
    ),
    "much closer than people": (
        like(share_replaced=0.15),
        "caution",
        "stays much closer to its input than people do",
        "replaces 15.0%",
    ),
    "half of the meaning": (
        {"meaning": (MeaningKept(metric="sim", ours=0.42, ours_at_most=0.45, human=0.8, stranger=0.1),)},
        "caution",
        "loses much of the meaning",
        "By sim the outputs are at most 50.0% of the way",
    ),
    "perhaps enough of the meaning": (
        {"meaning": (MeaningKept(metric="sim", ours=0.6, ours_at_most=0.7, human=0.8, stranger=0.1),)},
        "clear",
        "does better than copying",
        "",
    ),
    "empty outputs": (like(empty=0.1), "caution", "often writes nothing", "10.0% of the outputs hold no text"),
    "few sources": ({"sources": 9}, "caution", "cannot be judged on so few sources", "With 9 sources"),
    "no metric with references": (
        {"against_matched": (), "against_parrot": (), "against_strangers": ()},
        "caution",
        "is not shown to do better than a parrot whose words were spoiled",
        "No metric that compares with references could be tested",
    ),
    "one family of three significantly better, whatever its variants say": (
        {"against_matched": [claim("bleu", 9), claim("sentence-bleu", 9), *claims(9, 1, -1, significant=False)[1:]]},
        "caution",
        "is not shown to do better than a parrot whose words were spoiled",
        "significantly better than them on bleu; above them on chrf2, but not significantly",
    ),
    "better on two of five, worse on two": (
        {
            "against_matched": [
                claim("bleu", 2),
                claim("bertscore-f1", 2, about="meaning"),
                claim("chrf2", -1),
                claim("ter", -4),
                claim("meteor", 0.1, significant=False),
            ]
        },
        "caution",
        "is not shown to do better than a parrot whose words were spoiled",
        "significantly worse on chrf2 and ter",
    ),
    "better on one, worse on two": (
        {"against_matched": [claim("bertscore-f1", 2, about="meaning"), claim("chrf2", -1), claim("ter", -4)]},
        "alarm",
        "does no better than a parrot whose words were spoiled",
        "as good or better on chrf2 and ter, and it is significantly better on bertscore-f1 only",
    ),
    "one metric sees the meaning lost": (
        {
            "meaning": (
                MeaningKept(metric="sim", ours=0.8, ours_at_most=0.82, human=0.8, stranger=0.1),
                MeaningKept(metric="embedding-cosine", ours=0.8, ours_at_most=0.82, human=0.8, stranger=0.1),
                MeaningKept(metric="mutual-implication", ours=0.2, ours_at_most=0.24, human=0.8, stranger=0.1),
            )
        },
        "caution",
        "loses much of the meaning",
        "By mutual-implication the outputs are at most 20.0% of the way",
    ),
    "spoiled parrots keep more of the meaning": (
        {"against_matched": [*claims(9, 6, 3), claim("sim", -0.2, against="source", about="meaning")]},
        "caution",
        "keeps less of the meaning than a parrot",
        "significantly better on sim",
    ),
    "the same to all": (
        like(distinct=0.1),
        "alarm",
        "says the same to different sources",
        "Only 10.0% of the outputs are different ones; of people's references 100% are",
    ),
    "the same to all, as people do": (
        {**like(distinct=0.1), "human": replace(PEOPLE, distinct=0.15)},
        "clear",
        "does better than copying",
        "",
    ),
    "a third of empty outputs": (like(empty=0.33), "alarm", "often writes nothing", "33.0% of the outputs"),
    "near copies, as people write them": (
        {**like(near_copies=0.55), "human": replace(PEOPLE, near_copies=0.45)},
        "clear",
        "does better than copying",
        "",
    ),
    "people copy too": (
        {"human": replace(PEOPLE, near_copies=0.6)},
        "caution",
        "cannot be judged on this set",
        "Of people's own references 3.0% are copies of their source or small changes of it, and 60.0% near copies",
    ),
}


@pytest.mark.parametrize("what", CASES)
def test_a_system_is_judged(what: str) -> None:
    changes, level, headline, reason = CASES[what]
    found = verdict(replace(GOOD, **changes))
    assert found.level == level
    assert found.headline.startswith(headline)
    assert reason in " ".join(found.reasons)
    assert bool(found.reasons) == (level != "clear")


def test_what_was_found_is_said_whatever_the_level() -> None:
    for changes, *_ in CASES.values():
        facts = " ".join(verdict(replace(GOOD, **changes)).facts)
        assert "are copies of their source" in facts
        assert "People's references have 20.0" in facts


def test_significance_is_told_metric_by_metric() -> None:
    evidence = replace(GOOD, against_parrot=[claim("bleu", -4), claim("meteor", 1, significant=False), claim("ter", 3)])
    facts = " ".join(verdict(evidence).facts)
    assert "significantly better on ter; significantly worse on bleu; no significant difference on meteor" in facts


def test_without_a_metric_of_meaning_this_is_said_at_once() -> None:
    found = verdict(replace(GOOD, meaning=()))
    assert found.level == "clear"
    assert found.headline.endswith("whether it keeps the meaning was not measured")


def test_unrelated_outputs_are_never_called_good() -> None:
    found = verdict(replace(GOOD, against_strangers=claims(0, 0, 0, significant=False)))
    assert "This is no parrot, but no paraphraser either." in found.reasons[0]
