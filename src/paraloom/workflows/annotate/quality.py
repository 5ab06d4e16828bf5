"""How much of what bad annotators spoil does quality control recover? Simulated campaigns in, F1 of their labels out.

Three campaigns on the same pairs: with good annotators alone, with bad ones among them and no control, and with bad
ones and control: hidden test questions, kappa against the others, work of whoever is stopped set aside and handed to
others. What is recovered is (F1 with control - F1 without) / (F1 of the good alone - F1 without).
"""

from __future__ import annotations

import asyncio
import random
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.judgments.campaigns import change_state, create_campaign
from paraloom.judgments.items import NewItem, add_items
from paraloom.judgments.people import SERVICE, add_person
from paraloom.judgments.settings import CampaignSettings
from paraloom.judgments.sign_in import make_token
from paraloom.judgments.simulate.client import new_client
from paraloom.judgments.simulate.direct import work_directly
from paraloom.judgments.simulate.mix import Part, read_mix, shared_out
from paraloom.judgments.simulate.people import make_people
from paraloom.judgments.simulate.profiles import Profile, Truth
from paraloom.judgments.simulate.serve import Served
from paraloom.judgments.simulate.work import WorkOptions, work_through
from paraloom.judgments.store import schema
from paraloom.judgments.store.columns import now
from paraloom.judgments.store.database import Database
from paraloom.judgments.store.migrate import open_database
from paraloom.labels.aggregate.methods import METHODS, aggregate
from paraloom.metrics.agreement.ratings import Ratings

Condition = Literal["good alone", "no control", "control"]
CONDITIONS: tuple[Condition, ...] = ("good alone", "no control", "control")
Way = Literal["direct", "http"]

CAMPAIGN = "quality"
GOOD = 0.5
"""Who is right more often than this is counted among the good."""
NEVER: dict[str, Any] = {"min_tests": 10_000, "min_compared": 1_000_000}
"""Settings under which no rule is ever applied; test questions are asked all the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QualityOptions:
    """What is simulated."""

    pairs: int = 1000
    """Pairs to judge."""
    positive: float = 0.25
    """Share of them, and of the test questions, that are paraphrases."""
    tests: int = 150
    """Test questions there are: enough that nobody runs out."""
    annotators: int = 40
    """People, good and bad."""
    mix: str = "careful:0.85=70,spammer=15,adversary:0.2=15"
    """Who they are; all of them work at the same pace."""
    judgments_each: int = 6
    """Judgments of each pair."""
    tests_every: int = 5
    """One of so many questions is a test question."""
    min_test_accuracy: float = 0.7
    """With control: who gets no more of the tests right is stopped. Between chance (.5) and the good (.85): the .85 of
    Dou et al. (2022) would stop most of people who are right in 85 of 100 cases."""
    min_kappa: float = 0.2
    """With control: who agrees with the others no more than this is stopped."""
    seed: int = 1
    """Decides which pairs are paraphrases, and who errs where."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One campaign when it was over."""

    condition: Condition
    f1: Mapping[str, float]
    """Of the labels, by the way of joining votes; a pair without a majority counts as no paraphrase."""
    answers: int
    """Judgments that were given, with those to test questions and those set aside."""
    complete: float
    """Share of pairs with as many judgments as they want."""
    stopped: Mapping[str, str]
    """Kinds of annotators, and how many of them were stopped: `3 of 28`."""
    votes: Mapping[str, int]
    """Votes that count, by kind of annotator."""


def recovered(outcomes: Mapping[Condition, Outcome]) -> dict[str, float | None]:
    """The share of the loss that control wins back, by the way of joining votes; None where nothing was lost."""
    good, bad, held = (outcomes[condition].f1 for condition in CONDITIONS)
    return {way: (held[way] - bad[way]) / (good[way] - bad[way]) if good[way] > bad[way] else None for way in good}


def three_campaigns(options: QualityOptions, way: Way = "direct") -> dict[Condition, Outcome]:
    """All three conditions."""
    return {condition: run_campaign(condition, options, way) for condition in CONDITIONS}


def run_campaign(condition: Condition, options: QualityOptions, way: Way = "direct") -> Outcome:
    """One campaign in a database of its own, from the first item to the last."""
    with tempfile.TemporaryDirectory(prefix="paraloom-quality-") as folder:
        database = open_database(str(Path(folder) / "campaign.db"))
        try:
            truth = made_up_truth(options)
            token = database.write(lambda c: fill(c, condition, options, truth))
            people = WAYS[way](database, token, annotators(condition, options), truth, options.seed)
            return measured(database, condition, people, truth)
        finally:
            database.close()


def made_up_truth(options: QualityOptions) -> Truth:
    """Pairs `p0` … and test questions `t0` …, and which of them are paraphrases."""
    dice = random.Random(f"truth:{options.seed}")
    names = [f"p{number}" for number in range(options.pairs)] + [f"t{number}" for number in range(options.tests)]
    known = {name: {"is_paraphrase": dice.random() < options.positive} for name in names}
    return Truth(task="pair", known=known, seed=options.seed)


def annotators(condition: Condition, options: QualityOptions) -> list[Profile]:
    """A profile for everybody; without bad ones there are that many fewer people."""
    parts = tuple(Part(replace(part.profile, pace=1.0), part.share) for part in read_mix(options.mix))
    everybody = shared_out(parts, options.annotators, options.seed)
    return [one for one in everybody if condition != "good alone" or is_good(one)]


def is_good(profile: Profile) -> bool:
    """Judges, and mostly rightly."""
    return profile.habit == "judges" and profile.accuracy > GOOD


def fill(connection: Connection, condition: Condition, options: QualityOptions, truth: Truth) -> str:
    """The campaign with its items, open; and an admin's token."""
    rules: dict[str, Any] = {"min_test_accuracy": options.min_test_accuracy, "min_kappa": options.min_kappa}
    settings = CampaignSettings(
        judgments_per_item=options.judgments_each,
        tests_every=options.tests_every,
        seed=options.seed,
        **(rules if condition == "control" else NEVER),
    )
    campaign = create_campaign(
        connection, task="pair", title="Quality", campaign_id=CAMPAIGN, settings=settings, now=now(), by=SERVICE
    )
    new = [
        NewItem(
            item_id=name,
            content={"left": f"The first text of {name}.", "right": f"The second text of {name}."},
            expected=answer if name.startswith("t") else None,
        )
        for name, answer in truth.known.items()
    ]
    add_items(connection, campaign, new, now=now())
    change_state(connection, CAMPAIGN, "open", now=now(), by=SERVICE)
    admin = add_person(connection, name="Root", hashed=None, role="admin", now=now(), by=SERVICE)
    return make_token(connection, admin.person_id, "simulation", now())[1]


def _directly(
    database: Database, token: str, profiles: Sequence[Profile], truth: Truth, seed: int
) -> Mapping[str, Profile]:
    return work_directly(database, CAMPAIGN, profiles, truth, seed=seed, now=now()).profiles


def _over_http(
    database: Database, token: str, profiles: Sequence[Profile], truth: Truth, seed: int
) -> Mapping[str, Profile]:
    async def work(url: str) -> Mapping[str, Profile]:
        async with new_client(url) as client:
            people = await make_people(client, token, profiles)
        options = WorkOptions(seconds=3600, think=0.01, look_again=0.2, seed=seed)
        worked = await work_through(url, CAMPAIGN, people, truth, options)
        if worked.errors:
            raise RuntimeError(f"The service refused what simulated people sent: {dict(worked.errors)}")
        return {person.person_id: person.profile for person in people}

    with Served(database.url) as served:
        return asyncio.run(work(served.url))


WAYS: dict[Way, Callable[[Database, str, Sequence[Profile], Truth, int], Mapping[str, Profile]]] = {
    "direct": _directly,
    "http": _over_http,
}
"""The store's functions called here, or the service as a process of its own, asked over HTTP."""


def measured(database: Database, condition: Condition, people: Mapping[str, Profile], truth: Truth) -> Outcome:
    """Labels of the votes that count against the truth, and what became of everybody."""
    ratings = database.read(counted_votes)
    stopped, answers, complete = database.read(_counts)
    names = {who: profile.name for who, profile in people.items()}
    kinds = Counter(names.values())
    ended = Counter(names[who] for who in stopped)
    return Outcome(
        condition=condition,
        f1={
            way: f1_of(dict(zip(ratings.items, aggregate(ratings, way).labels, strict=True)), truth) for way in METHODS
        },
        answers=answers,
        complete=complete,
        stopped={kind: f"{ended[kind]} of {count}" for kind, count in sorted(kinds.items())},
        votes=dict(sorted(Counter(names[ratings.annotators[place]] for place in ratings.annotator.tolist()).items())),
    )


def counted_votes(connection: Connection) -> Ratings:
    """Every vote of the campaign that counts: no test questions, nothing that was set aside."""
    votes = schema.votes.c
    rows = connection.execute(
        sa.select(votes.unit, votes.person_id, votes.value).where(votes.campaign_id == CAMPAIGN, votes.counts)
    ).all()
    units, who, values = zip(*rows, strict=True)
    return Ratings.of(units, who, values)


def _counts(connection: Connection) -> tuple[list[str], int, float]:
    standings, items = schema.standings.c, schema.items.c
    stopped = connection.scalars(sa.select(standings.person_id).where(standings.state == "stopped")).all()
    answers = connection.scalar(sa.select(sa.func.count()).select_from(schema.judgments)) or 0
    wanting = (
        connection.execute(sa.select(items.judged >= items.wanted).where(items.is_test.is_(False))).scalars().all()
    )
    return list(stopped), answers, sum(wanting) / len(wanting)


def f1_of(labels: Mapping[str, str | None], truth: Truth) -> float:
    """F1 of the paraphrases among the pairs; what is undecided or was never judged counts as none.

    >>> truth = Truth(task="pair", known={"p0": {"is_paraphrase": True}, "p1": {"is_paraphrase": True}})
    >>> round(f1_of({"p0": "1", "p1": None}, truth), 3)
    0.667
    """
    right = {name: bool(answer["is_paraphrase"]) for name, answer in truth.known.items() if name.startswith("p")}
    found = {name: labels.get(name) == "1" for name in right}
    both = sum(found[name] and right[name] for name in right)
    return 2 * both / max(1, sum(found.values()) + sum(right.values()))
