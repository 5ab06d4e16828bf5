"""Numbers of a system and of its parrots in, out comes in words whether it does better than copying.

Metrics that compare with references favour copying, so that a good paraphraser seldom beats the full parrot on them.
The alarm therefore does not ask for that. It asks three things, whose rules are the constants below:

1. Does the system change its sources at all? Copies, small changes and near copies are counted, and new words.
2. Does it agree with the references better than parrots that were spoiled until they were as far from the sources
   (the matched parrots)? A paraphraser does, by most metrics; a partial parrot is one itself.
3. Have its outputs to do with their sources: more than references of other sources, and as much as people's own?

Metrics that compare with references have one vote a family, so that no choice of metrics can outvote the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from paraloom.reports.generation_summary import Claim, Level, Likeness, MeaningKept, Verdict
from paraloom.reports.pages import percent

MOSTLY = 0.5
"""From this share of copies and small changes, or of near copies, on: alarm."""
OFTEN = 0.2
"""From this share on: caution, if people do it much less."""
MUCH_LESS = 1.5
"""So many times as often as people's references."""
FEW_NEW_WORDS = 0.05
"""Outputs with a smaller share of words of their own only cut or reorder: alarm, if people add words."""
CLOSER_THAN_PEOPLE = 0.5
"""A system that changes less than this part of what people change: caution."""
MEANING_KEPT = 0.8
"""Less than this part of the way from strangers to people's references, at the upper end of the interval: caution."""
EMPTY = 0.05
"""From this share of empty outputs on: caution."""
MANY_EMPTY = 0.3
"""From this share on: alarm."""
FEW_DISTINCT = 0.5
"""Less than this part of the different outputs that people have: alarm, the same is said to different sources."""
MAJORITY = 0.5
"""More than this share of the families of metrics must be significantly better than the matched parrots."""
FEW = 1 / 3
"""At most this share of them may be significantly worse."""
FAMILIES = {
    "bleu": "bleu",
    "sentence-bleu": "bleu",
    "ibleu": "bleu",
    "meteor": "meteor",
    "nltk-meteor": "meteor",
    "bertscore-f1": "bertscore",
    "source-bertscore-f1": "bertscore",
}
"""Metrics that are variants of one another: the first of a family that ran has its vote. All others stand alone."""
ENOUGH_SOURCES = 20
"""With fewer, no test can tell much: caution."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What the alarm looks at, for one system."""

    sources: int
    likeness: Likeness
    human: Likeness
    matched_names: Sequence[str]
    """The parrots that stay as close to the sources, as they stand in tables."""
    against_parrot: Sequence[Claim]
    against_matched: Sequence[Claim]
    against_strangers: Sequence[Claim]
    meaning: Sequence[MeaningKept]


def verdict(evidence: Evidence) -> Verdict:
    """The level with its reasons, and what was found whatever the level."""
    found = list(_copying(evidence)) or [*_nothing_said(evidence), *_unrelated(evidence), *_spoiled(evidence)]
    level: Level = "alarm"
    if not found:
        found = list(_doubts(evidence))
        level = "caution" if found else "clear"
    return Verdict(
        level=level,
        headline=found[0][0] if found else _good_news(evidence),
        reasons=tuple(reason for _, reason in found),
        facts=tuple(_facts(evidence)),
    )


def why_useless(human: Likeness) -> str | None:
    """Why nothing can be shown on a set, where people's references copy their sources; None where they do not."""
    unchanged = human.copies + human.small_changes
    if unchanged < MOSTLY and human.near_copies < MOSTLY:
        return None
    return (
        f"Of people's own references {percent(unchanged)} are copies of their source or small changes of it, and "
        f"{percent(human.near_copies)} near copies. On such a set copying is right, and no metric can tell a "
        "paraphraser from a parrot: take another."
    )


Found = tuple[str, str]
"""A headline and the reason behind it."""


def _copying(evidence: Evidence) -> Iterator[Found]:
    ours, human = evidence.likeness, evidence.human
    unchanged = ours.copies + ours.small_changes
    if unchanged >= MOSTLY:
        yield (
            "copies its input",
            f"{percent(unchanged)} of the outputs are copies of their source or small changes of it "
            f"({percent(ours.copies)} copies); of people's references "
            f"{percent(human.copies + human.small_changes)} are.",
        )
    elif ours.near_copies >= MOSTLY and ours.near_copies > MUCH_LESS * human.near_copies:
        yield (
            "all but copies its input",
            f"{percent(ours.near_copies)} of the outputs keep all but a fifth of their source's words, in their order, "
            f"or of its letters; of people's references {percent(human.near_copies)} do.",
        )
    if not unchanged >= MOSTLY and ours.new_words < FEW_NEW_WORDS <= human.new_words and ours.empty < MOSTLY:
        yield (
            "only cuts or reorders its input",
            f"{percent(1 - ours.new_words)} of an output's words are its source's; of people's references "
            f"{percent(1 - human.new_words)} are.",
        )


def _nothing_said(evidence: Evidence) -> Iterator[Found]:
    ours, human = evidence.likeness, evidence.human
    if ours.empty >= MANY_EMPTY:
        yield "often writes nothing", f"{percent(ours.empty)} of the outputs hold no text."
    if evidence.sources >= ENOUGH_SOURCES and ours.distinct < FEW_DISTINCT * human.distinct:
        yield (
            "says the same to different sources",
            f"Only {percent(ours.distinct)} of the outputs are different ones; of people's references "
            f"{percent(human.distinct)} are.",
        )


def _unrelated(evidence: Evidence) -> Iterator[Found]:
    claims = _votes(_on_references(evidence.against_strangers)) + _votes(_on_meaning(evidence.against_strangers))
    # One metric alone may differ for another reason, such as the outputs' length.
    if evidence.sources >= ENOUGH_SOURCES and 2 * sum(claim.is_better for claim in claims) < len(claims):
        alike = [claim for claim in claims if not claim.is_better]
        yield (
            "writes what has nothing to do with its input",
            f"On {_named(alike)} they score no better than references of other sources do. This is no parrot, but no "
            "paraphraser either.",
        )


def _spoiled(evidence: Evidence) -> Iterator[Found]:
    claims = _votes(_on_references(evidence.against_matched))
    meaning = _votes(_on_meaning(evidence.against_matched))
    better = [claim for claim in claims if claim.is_better]
    worse = [claim for claim in claims if claim.is_worse]
    above = [claim for claim in claims if claim.gain > 0]
    is_beaten = len(worse) > len(better) or (not better and len(above) <= MAJORITY * len(claims))
    if not claims or not is_beaten or _share([claim.is_better for claim in meaning]) > MAJORITY:
        return
    yield (
        "does no better than a parrot whose words were spoiled",
        f"Parrots with words cut or replaced until they are as far from the sources (such as {_first(evidence)}) are "
        f"as good or better on {_named([claim for claim in claims if claim.gain <= 0])}"
        f"{f', and it is significantly better on {_named(better)} only' if better else ''}.",
    )


def _doubts(evidence: Evidence) -> Iterator[Found]:
    ours, human = evidence.likeness, evidence.human
    if evidence.sources < ENOUGH_SOURCES:
        yield (
            "cannot be judged on so few sources",
            f"With {evidence.sources} sources no test can tell much. Give at least {ENOUGH_SOURCES}, better hundreds.",
        )
    if useless := why_useless(human):
        yield "cannot be judged on this set", useless
    for name, mine, theirs in (
        (
            "copies of their source or small changes of it",
            ours.copies + ours.small_changes,
            human.copies + human.small_changes,
        ),
        ("near copies of their source", ours.near_copies, human.near_copies),
    ):
        if mine >= OFTEN and mine > MUCH_LESS * theirs:
            yield (
                "often hardly changes its input",
                f"{percent(mine)} of the outputs are {name}; of people's references {percent(theirs)} are.",
            )
            break
    if ours.share_replaced < CLOSER_THAN_PEOPLE * human.share_replaced:
        yield (
            "stays much closer to its input than people do",
            f"Its outputs are as far from their sources as a parrot that replaces {percent(ours.share_replaced)} of "
            f"the words, people's references as one that replaces {percent(human.share_replaced)}.",
        )
    yield from _not_shown(evidence)
    # One metric that sees the meaning lost is not outvoted by others that words alone satisfy.
    lost = {
        one.metric: one.share_at_most
        for one in evidence.meaning
        if one.share_at_most is not None and one.share_at_most < MEANING_KEPT
    }
    if lost:
        yield (
            "loses much of the meaning",
            f"By {_listed(lost)} the outputs are at most {percent(max(min(lost.values()), 0.0))} of the way from "
            "sentences that have nothing to do with the source to people's references.",
        )
    meaning = _votes(_on_meaning(evidence.against_matched))
    worse = [claim for claim in meaning if claim.is_worse]
    if len(worse) > MAJORITY * len(meaning):
        yield (
            "keeps less of the meaning than a parrot whose words were spoiled",
            f"Parrots that are as far from the sources (such as {worse[0].other_name}) are significantly better on "
            f"{_named(worse)}.",
        )
    if ours.empty >= EMPTY:
        yield "often writes nothing", f"{percent(ours.empty)} of the outputs hold no text."


def _not_shown(evidence: Evidence) -> Iterator[Found]:
    claims = _votes(_on_references(evidence.against_matched))
    better = [claim for claim in claims if claim.is_better]
    worse = [claim for claim in claims if claim.is_worse]
    if len(better) > MAJORITY * len(claims) and len(worse) <= FEW * len(claims):
        return
    headline = "is not shown to do better than a parrot whose words were spoiled"
    if not claims:
        yield headline, "No metric that compares with references could be tested against such parrots."
        return
    above = [claim for claim in claims if claim.gain > 0 and not claim.is_better]
    told = [
        *([f"significantly better than them on {_named(better)}"] if better else []),
        *([f"above them on {_named(above)}, but not significantly"] if above else []),
        *([f"significantly worse on {_named(worse)}"] if worse else []),
    ]
    yield (
        headline,
        f"Against parrots that are as far from the sources (such as {_first(evidence)}) it must be significantly "
        f"better on most of {_named(claims)}, and worse on few. It is {'; '.join(told) or 'above them on no metric'}.",
    )


def _good_news(evidence: Evidence) -> str:
    known = "" if evidence.meaning else "; whether it keeps the meaning was not measured"
    return f"does better than copying{known}"


def _votes(claims: Sequence[Claim]) -> list[Claim]:
    """One claim a family of metrics: that of the member which the family's list names first."""
    order = list(FAMILIES)
    ranked = sorted(claims, key=lambda claim: order.index(claim.metric) if claim.metric in order else len(order))
    voting = {FAMILIES.get(claim.metric, claim.metric): claim for claim in reversed(ranked)}
    return [claim for claim in claims if voting[FAMILIES.get(claim.metric, claim.metric)] is claim]


def _share(holds: Sequence[bool]) -> float:
    return sum(holds) / len(holds) if holds else 0.0


def _facts(evidence: Evidence) -> Iterator[str]:
    ours, human = evidence.likeness, evidence.human
    yield (
        f"Of {evidence.sources:,} outputs, {percent(ours.copies)} are copies of their source, "
        f"{percent(ours.small_changes)} small changes of it, and {percent(ours.near_copies)} keep all but a fifth of "
        f"its words (people's references: {percent(human.copies)}, {percent(human.small_changes)}, "
        f"{percent(human.near_copies)})."
    )
    yield (
        f"Self-BLEU is {ours.self_bleu:.1f}: as far from the sources as a parrot that replaces "
        f"{percent(ours.share_replaced)} of the words. People's references have {human.self_bleu:.1f}, as one that "
        f"replaces {percent(human.share_replaced)}."
    )
    if claims := _on_references(evidence.against_parrot):
        yield (
            f"Against the full parrot: {_sorted_out(claims)}. Metrics that compare with references favour copying: "
            "good paraphrasers, too, often lose to it there."
        )
    if claims := _on_references(evidence.against_matched):
        yield (
            f"Against the best of the parrots that are as far from the sources (such as {_first(evidence)}): "
            f"{_sorted_out(claims)}."
        )
    kept = _middle(one.share for one in evidence.meaning)
    if kept is None:
        yield "Whether the meaning is kept was judged by references alone: no metric of meaning ran here."
    elif kept > 1:
        yield (
            f"Meaning: as much as people's references keep or more (a copy keeps all of it), by "
            f"{_listed(one.metric for one in evidence.meaning)}."
        )
    else:
        yield (
            f"Meaning: {percent(max(kept, 0.0))} of the way from sentences that have nothing to do with the source to "
            f"people's references, by {_listed(one.metric for one in evidence.meaning)}."
        )


def _first(evidence: Evidence) -> str:
    """The strongest of the matched parrots, for an example."""
    return evidence.matched_names[0]


def _middle(shares: Iterable[float | None]) -> float | None:
    known = [share for share in shares if share is not None]
    return median(known) if known else None


def _on_references(claims: Sequence[Claim]) -> list[Claim]:
    return [claim for claim in claims if claim.against == "references"]


def _on_meaning(claims: Sequence[Claim]) -> list[Claim]:
    return [claim for claim in claims if claim.against == "source" and claim.about == "meaning"]


def _sorted_out(claims: Sequence[Claim]) -> str:
    parts = (
        ("significantly better on", [claim for claim in claims if claim.is_better]),
        ("significantly worse on", [claim for claim in claims if claim.is_worse]),
        ("no significant difference on", [claim for claim in claims if not claim.is_significant]),
    )
    return "; ".join(f"{what} {_named(found)}" for what, found in parts if found)


def _named(claims: Sequence[Claim]) -> str:
    return _listed(claim.metric for claim in claims)


def _listed(names: Iterable[str]) -> str:
    """Names as a person lists them.

    >>> _listed(iter(["bleu", "ter", "meteor"])), _listed(iter(["bleu"]))
    ('bleu, ter and meteor', 'bleu')
    """
    *first, last = list(dict.fromkeys(names)) or [""]
    return f"{', '.join(first)} and {last}" if first else last
