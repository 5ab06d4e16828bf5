"""The dashboard's figures: what `evaluate agreement`, sklearn and nltk say of the same votes, and soon enough."""

from __future__ import annotations

import itertools
import json
import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask
from sklearn.metrics import cohen_kappa_score
from sqlalchemy import Connection

from paraloom.judgments.answers import GivenAnswer, record_answer
from paraloom.judgments.campaigns import Campaign, campaign_of, change_settings
from paraloom.judgments.exchange.rows_out import json_lines
from paraloom.judgments.exchange.snapshot import every_judgment
from paraloom.judgments.figures.forecast import forecast
from paraloom.judgments.figures.live import CampaignFigures, MeasuredBefore
from paraloom.judgments.figures.measured import DayFigures
from paraloom.judgments.items import NewItem
from paraloom.judgments.people import Person
from paraloom.judgments.progress import Progress
from paraloom.judgments.set_aside import restore_work, set_aside_work
from paraloom.judgments.settings import CampaignSettings
from paraloom.judgments.store import schema
from paraloom.judgments.store.database import Database
from paraloom.judgments.store.migrate import open_database
from paraloom.metrics.agreement.figures import measure_agreement
from paraloom.metrics.agreement.ratings import Ratings
from paraloom.workflows.evaluate.agreement import evaluate_agreement

Votes = list[tuple[str, str, str]]
Answering = Callable[..., None]


@pytest.fixture
def answering(now: datetime) -> Answering:
    """Call it to let a person answer an item, handed out or not."""
    numbers = itertools.count()

    def answer(
        database: Database,
        campaign: Campaign,
        person: Person,
        item_id: str,
        said: dict[str, Any],
        *,
        at: datetime = now,
        seconds: float | None = 5.0,
    ) -> None:
        def job(connection: Connection) -> None:
            key = {"campaign_id": campaign.campaign_id, "item_id": item_id, "person_id": person.person_id}
            if connection.execute(sa.select(schema.assignments).filter_by(**key)).first() is None:
                row = key | {"state": "leased", "purpose": "work", "leased_at": at, "expires_at": at}
                connection.execute(schema.assignments.insert().values(**row))
            given = GivenAnswer(
                item_id=item_id,
                answer=said,
                client_id=f"client-{next(numbers):08}",
                instructions_version=1,
                seconds=seconds,
            )
            record_answer(connection, campaign, person, given, now=at)

        database.write(job)

    return answer


def figures_of(
    database: Database, campaign: Campaign, at: datetime, kept: MeasuredBefore | None = None
) -> CampaignFigures:
    kept = kept or MeasuredBefore()
    return database.read(lambda c: kept.figures(c, campaign_of(c, campaign.campaign_id), at))


def votes_that_count(database: Database, campaign: Campaign) -> Votes:
    table = schema.votes.c
    asked = sa.select(table.unit, table.person_id, table.value).where(
        table.campaign_id == campaign.campaign_id, table.counts
    )
    return [tuple(row) for row in database.read(lambda c: c.execute(asked.order_by(table.number)).all())]


def kappa_by_hand(votes: Votes, person: str) -> float | None:
    """Against the majority of the others; where they are tied or absent, the unit is left out."""
    by_unit: dict[str, dict[str, str]] = defaultdict(dict)
    for unit, who, value in votes:
        by_unit[unit][who] = value
    own, others = [], []
    for said in by_unit.values():
        counts = Counter(value for who, value in said.items() if who != person).most_common(2)
        if person in said and counts and (len(counts) == 1 or counts[0][1] > counts[1][1]):
            own.append(said[person])
            others.append(counts[0][0])
    return cohen_kappa_score(own, others) if len(set(own) | set(others)) > 1 else None


def test_the_figures_are_those_of_evaluate_agreement_sklearn_and_nltk(
    database: Database, open_campaign: Any, add_people: Any, some_pairs: Any, answering: Answering, now: datetime
) -> None:
    drawn = random.Random(5)
    people = add_people(database, 5)
    campaign = open_campaign(database, some_pairs(40, 3), judgments_per_item=3, min_tests=1000, min_compared=1000)
    for number in range(40):
        truth = drawn.random() < 0.6
        for person in drawn.sample(people, 3):
            said = truth if drawn.random() < 0.8 else not truth
            answering(database, campaign, person, f"pair-{number}", {"is_paraphrase": said})
    answering(database, campaign, people[0], "test-0", {"is_paraphrase": False})
    found = figures_of(database, campaign, now)
    votes = votes_that_count(database, campaign)
    assert len(votes) == 120

    expected = measure_agreement(Ratings.of(*zip(*votes, strict=True)))
    measured = found.measured.agreement
    assert measured is not None
    assert measured.coefficients == expected.coefficients
    assert measured.people == expected.people

    nltk_task = AnnotationTask(data=[(who, unit, value) for unit, who, value in votes])
    assert found.measured.coefficient("krippendorff-alpha").value == pytest.approx(nltk_task.alpha())
    for row in found.annotators:
        assert row.kappa == pytest.approx(kappa_by_hand(votes, row.person.person_id))
    pairs = []
    for one, other in itertools.combinations({who for _, who, _ in votes}, 2):
        first = {unit: value for unit, who, value in votes if who == one}
        second = {unit: value for unit, who, value in votes if who == other}
        shared = sorted(set(first) & set(second))
        pairs.append((cohen_kappa_score([first[u] for u in shared], [second[u] for u in shared]), len(shared)))
    mean = sum(kappa * count for kappa, count in pairs) / sum(count for _, count in pairs)
    assert found.measured.coefficient("cohen-kappa-mean-by-items").value == pytest.approx(mean)


def test_an_export_of_the_votes_gives_the_same_figures_to_evaluate_agreement(
    new_url: Any,
    open_campaign: Any,
    add_people: Any,
    some_pairs: Any,
    answering: Answering,
    now: datetime,
    tmp_path: Path,
) -> None:

    database = open_database(new_url("sqlite"))
    drawn = random.Random(2)
    people = add_people(database, 4)
    campaign = open_campaign(database, some_pairs(30), judgments_per_item=3)
    for number in range(30):
        for person in drawn.sample(people, 3):
            answering(database, campaign, person, f"pair-{number}", {"is_paraphrase": drawn.random() < 0.7})
    answering(database, campaign, people[0], "pair-0", {"is_paraphrase": True})  # a change of mind, or a first answer
    database.write(lambda c: set_aside_work(c, campaign, people[3].person_id, reason="r", now=now, by="test"))
    lines = database.read(lambda c: [json.loads(line) for line in json_lines(every_judgment(c, campaign.campaign_id))])
    file = tmp_path / "votes.jsonl"
    file.write_text(
        "".join(
            json.dumps(
                {
                    "item": row["item_id"],
                    "annotator": row["annotator"],
                    "answer": str(int(row["answer"]["is_paraphrase"])),
                }
            )
            + "\n"
            for row in lines
            if row["is_counted"]
        )
    )
    told = evaluate_agreement([file]).figures
    found = figures_of(database, campaign, now).measured.agreement
    assert found is not None
    assert {one.name: one.value for one in found.coefficients} == {one.name: one.value for one in told.coefficients}
    assert [(one.name, one.kappa, one.answers) for one in found.people] == [
        (one.name, one.kappa, one.answers) for one in told.people
    ]
    database.close()


def test_figures_are_kept_until_something_is_answered_marked_or_set_otherwise(
    database: Database, open_campaign: Any, add_people: Any, some_pairs: Any, answering: Answering, now: datetime
) -> None:
    people = add_people(database, 2)
    campaign = open_campaign(database, some_pairs(3), judgments_per_item=2)
    for number, said in enumerate((True, False)):
        answering(database, campaign, people[0], f"pair-{number}", {"is_paraphrase": said})
        answering(database, campaign, people[1], f"pair-{number}", {"is_paraphrase": True})
    kept = MeasuredBefore(clock=lambda: 0.0)  # nothing takes long, however busy the machine is
    first = figures_of(database, campaign, now, kept)
    again = figures_of(database, campaign, now + timedelta(hours=1), kept)
    assert again.measured is first.measured
    assert again.seen == first.seen

    answering(database, campaign, people[0], "pair-2", {"is_paraphrase": True})
    more = figures_of(database, campaign, now, kept)
    assert more.measured is not first.measured
    assert more.seen != first.seen
    assert more.measured.agreement is not None
    assert more.measured.agreement.ratings == 5

    database.write(lambda c: set_aside_work(c, campaign, people[1].person_id, reason="r", now=now, by="test"))
    fewer = figures_of(database, campaign, now, kept)
    assert fewer.measured.agreement is not None
    assert fewer.measured.agreement.ratings == 3
    assert [(row.counted, row.set_aside) for row in sorted(fewer.annotators, key=lambda row: row.counted)] == [
        (0, 2),
        (3, 0),
    ]

    database.write(lambda c: restore_work(c, campaign, people[1].person_id, reason="r", now=now, by="test"))
    database.write(
        lambda c: change_settings(c, campaign.campaign_id, CampaignSettings(republish_below=0.9), now=now, by="test")
    )
    back = figures_of(database, campaign, now, kept)
    assert back.measured.agreement is not None
    assert (back.measured.agreement.ratings, back.measured.agreement.min_kappa) == (5, 0.9)


def test_a_large_campaign_is_not_measured_anew_for_every_answer(
    new_url: Any, open_campaign: Any, add_people: Any, some_pairs: Any, answering: Answering, now: datetime
) -> None:
    database = open_database(new_url("sqlite"))
    (person,) = add_people(database, 1)
    campaign = open_campaign(database, some_pairs(3))
    ticks = iter([0.0, 1.0, 5.0, 30.0, 30.0, 31.0])  # it took a second; then 4 s, then 29 s have passed
    kept = MeasuredBefore(clock=lambda: next(ticks))
    first = figures_of(database, campaign, now, kept).measured
    answering(database, campaign, person, "pair-0", {"is_paraphrase": True})
    later = now + timedelta(seconds=4)
    behind = figures_of(database, campaign, later, kept)
    assert behind.measured is first
    assert (behind.measured_at, behind.is_behind) == (now, True), "the dashboard says of when they are"
    anew = figures_of(database, campaign, later + timedelta(seconds=25), kept)
    assert anew.measured is not first
    assert not anew.is_behind
    assert anew.seen != behind.seen, "nothing was answered since, but the page has something new to show"
    database.close()


def test_kappa_of_whose_work_is_set_aside_is_told_to_be_the_last_that_was_measured(
    database: Database, open_campaign: Any, add_people: Any, some_pairs: Any, answering: Answering, now: datetime
) -> None:
    people = add_people(database, 3)
    campaign = open_campaign(database, some_pairs(10), judgments_per_item=3, min_compared=1000)
    for number in range(10):
        for place, person in enumerate(people):
            said = number % 2 == 0 if place < 2 else number % 4 == 0
            answering(database, campaign, person, f"pair-{number}", {"is_paraphrase": said})
    last = people[2].person_id
    rows = {row.person.person_id: row for row in figures_of(database, campaign, now).annotators}
    assert not any(row.kappa_is_past for row in rows.values())
    database.write(lambda c: set_aside_work(c, campaign, last, reason="r", now=now, by="test"))
    rows = {row.person.person_id: row for row in figures_of(database, campaign, now).annotators}
    assert {who for who, row in rows.items() if row.kappa_is_past} == {last}
    assert rows[last].kappa == rows[last].standing.kappa is not None


def test_each_day_has_its_judgments_and_the_agreement_of_what_it_completed(
    database: Database, open_campaign: Any, add_people: Any, some_pairs: Any, answering: Answering, now: datetime
) -> None:
    one, other = add_people(database, 2)
    campaign = open_campaign(database, some_pairs(4, 1), judgments_per_item=2)
    tomorrow = now + timedelta(days=1)
    for number, at in enumerate((now, now, tomorrow, tomorrow)):
        answering(database, campaign, one, f"pair-{number}", {"is_paraphrase": number % 2 == 0}, at=now)
        answering(database, campaign, other, f"pair-{number}", {"is_paraphrase": number in (0, 3)}, at=at)
    answering(database, campaign, one, "test-0", {"is_paraphrase": True}, at=tomorrow)
    first, second = figures_of(database, campaign, tomorrow).measured.days
    assert (first.day, first.judgments, first.tests, first.people, first.completed) == (date(2026, 3, 1), 6, 0, 2, 2)
    assert (first.agreement, first.alpha, first.kappa) == (1.0, 1.0, 1.0)
    assert (second.judgments, second.tests, second.people, second.completed) == (2, 1, 2, 2)
    assert second.agreement == 0.0
    assert second.alpha is not None
    assert second.alpha < 0


def test_graded_labels_are_measured_whole_with_direction_and_by_their_base(
    database: Database, open_campaign: Any, add_people: Any, answering: Answering, now: datetime
) -> None:
    one, other = add_people(database, 2)
    items = [NewItem(item_id=f"g{n}", content={"left": f"Left {n}.", "right": f"Right {n}."}) for n in range(4)]
    campaign = open_campaign(database, items, task="grade", judgments_per_item=2)
    for number, (first, second) in enumerate((("4>s", "4>"), ("4>", "4"), ("2", "2"), ("x", "x"))):
        answering(database, campaign, one, f"g{number}", {"label": first})
        answering(database, campaign, other, f"g{number}", {"label": second})
    parts = {part.name: part.agreement for part in figures_of(database, campaign, now).measured.parts}
    assert parts == {"Whole label": 0.5, "Base and direction": 0.75, "Base alone": 1.0}


def test_ratings_are_measured_aspect_by_aspect(
    database: Database, open_campaign: Any, add_people: Any, answering: Answering, now: datetime
) -> None:
    one, other = add_people(database, 2)
    items = [NewItem(item_id=f"r{n}", content={"source": f"Some {n}.", "generated": f"Any {n}."}) for n in range(3)]
    campaign = open_campaign(database, items, task="rate", judgments_per_item=2)
    for number in range(3):
        said = {"fluency": 5 - number, "similarity": 3, "diversity": 1 + number}
        answering(database, campaign, one, f"r{number}", said)
        answering(database, campaign, other, f"r{number}", said | {"diversity": 4})
    parts = {part.name: part.agreement for part in figures_of(database, campaign, now).measured.parts}
    assert parts == {"Fluency": 1.0, "Similarity": 1.0, "Diversity": 0.0}


def test_a_test_question_that_most_get_wrong_is_doubtful(
    database: Database, open_campaign: Any, add_people: Any, some_pairs: Any, answering: Answering, now: datetime
) -> None:
    people = add_people(database, 5)
    campaign = open_campaign(database, some_pairs(1, 3), min_tests=1000)
    for place, person in enumerate(people):
        answering(database, campaign, person, "test-1", {"is_paraphrase": place == 0})
        answering(database, campaign, person, "test-0", {"is_paraphrase": True})
        answering(database, campaign, person, "test-1", {"is_paraphrase": True})  # too late: the first one tells
    found = figures_of(database, campaign, now)
    assert [(one.item_id, one.right, one.answered, one.is_doubtful) for one in found.questions] == [
        ("test-1", 1, 5, True),
        ("test-0", 5, 5, False),
        ("test-2", 0, 0, False),
    ]
    assert {row.tests_unseen for row in found.annotators} == {1}
    assert found.tests_right == 0.6


def test_pace_is_of_first_answers_whose_time_was_told(
    database: Database, open_campaign: Any, add_people: Any, some_pairs: Any, answering: Answering, now: datetime
) -> None:
    (person,) = add_people(database, 1)
    campaign = open_campaign(database, some_pairs(4))
    for number, seconds in enumerate((10.0, 20.0, 60.0, None)):
        answering(database, campaign, person, f"pair-{number}", {"is_paraphrase": True}, seconds=seconds)
    answering(database, campaign, person, "pair-0", {"is_paraphrase": False}, seconds=1000.0)
    (row,) = figures_of(database, campaign, now).annotators
    assert (row.median_seconds, row.mean_seconds, row.per_hour) == (20.0, 30.0, 120.0)


def test_a_campaign_that_nobody_has_begun_has_figures_too(
    database: Database, open_campaign: Any, some_pairs: Any, now: datetime
) -> None:
    campaign = open_campaign(database, some_pairs(2), judgments_per_item=3, pay=0.1, tests_every=5)
    found = figures_of(database, campaign, now)
    assert found.measured.agreement is None
    assert (found.annotators, found.measured.days, found.tests_right) == ((), (), None)
    assert found.forecast.remaining == 6
    assert found.forecast.complete_at is None
    assert found.forecast.cost_at_end == 750_000  # 6 judgments, and a test question for every 4 of them


NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)


def a_day(day: int, judgments: int) -> DayFigures:
    return DayFigures(
        day=date(2026, 3, day),
        judgments=judgments,
        tests=0,
        people=1,
        completed=0,
        alpha=None,
        agreement=None,
        kappa=None,
    )


FORECASTS = [
    # started, days, remaining, judgments and earned so far → a day, days to go, cost at the end
    (NOON - timedelta(days=20), [a_day(5, 650)], 200, 650, 0, 100.0, 2.0, 0),  # six and a half days
    (NOON - timedelta(days=1), [a_day(9, 30), a_day(10, 10)], 80, 40, 40, 40.0, 2.0, 120),
    (NOON - timedelta(minutes=6), [a_day(10, 10)], 240, 10, 20, 240.0, 1.0, 500),  # at least an hour is counted
    (NOON - timedelta(days=20), [a_day(1, 500)], 10, 500, 500, None, None, 510),  # nobody works any more
    (NOON - timedelta(days=1), [a_day(10, 100)], 0, 100, 100, 100.0, None, 100),
]


@pytest.mark.parametrize(("started", "days", "remaining", "done", "earned", "speed", "to_go", "cost"), FORECASTS)
def test_a_forecast_goes_by_the_speed_and_the_cost_of_late(
    started: datetime,
    days: list[DayFigures],
    remaining: int,
    done: int,
    earned: int,
    speed: float | None,
    to_go: float | None,
    cost: int,
) -> None:
    progress = Progress(items=0, complete=0, judgments=done, wanted=done + remaining, tests=0)
    found = forecast(
        progress, days, CampaignSettings(), remaining=remaining, earned=earned, started_at=started, now=NOON
    )
    assert found.a_day == (None if speed is None else pytest.approx(speed))
    told = None if found.complete_at is None else (found.complete_at - NOON) / timedelta(days=1)
    assert told == (None if to_go is None else pytest.approx(to_go, abs=1e-6))
    assert found.cost_at_end == cost


def test_a_hundred_thousand_votes_are_measured_in_a_moment(new_url: Any, open_campaign: Any, now: datetime) -> None:
    database = open_database(new_url("sqlite"))
    items = [NewItem(item_id=f"i{n}", content={"left": "A.", "right": "B."}) for n in range(16_700)]
    campaign = open_campaign(database, items, judgments_per_item=6)
    _fill(database, campaign, people=60, items=16_700, each=6, at=now)
    begun = time.process_time()
    found = figures_of(database, campaign, now)
    took = time.process_time() - begun
    assert found.measured.agreement is not None
    assert found.measured.agreement.ratings == 100_200
    assert took < 4  # seconds of one core; it takes about one, and a quadratic way would take minutes
    database.close()


def _fill(database: Database, campaign: Campaign, *, people: int, items: int, each: int, at: datetime) -> None:
    """Rows as `record_answer` leaves them, without its care."""
    drawn = random.Random(1)
    name = campaign.campaign_id
    judgments, votes = [], []
    number = 0
    for item in range(items):
        for person in drawn.sample(range(people), each):
            number += 1
            who = f"p{person}"
            judgments.append(
                {
                    "number": number,
                    "judgment_id": f"j{number}",
                    "campaign_id": name,
                    "item_id": f"i{item}",
                    "person_id": who,
                    "answer": {},
                    "instructions_version": 1,
                    "seconds": drawn.uniform(3, 60),
                    "created_at": at + timedelta(minutes=number // 4),
                    "is_test": False,
                    "client_id": f"c{number}",
                    "purpose": "work",
                }
            )
            value = "1" if drawn.random() < (0.8 if item % 2 else 0.2) else "0"
            votes.append(
                {
                    "campaign_id": name,
                    "unit": f"i{item}",
                    "person_id": who,
                    "value": value,
                    "number": number,
                    "counts": True,
                }
            )

    def job(connection: Connection) -> None:
        rows = [{"person_id": f"p{n}", "name": f"P {n}", "role": "annotator", "created_at": at} for n in range(people)]
        connection.execute(schema.people.insert(), rows)
        connection.execute(schema.judgments.insert(), judgments)
        connection.execute(schema.votes.insert(), votes)
        connection.execute(schema.items.update().values(judged=each, held=each))

    database.write(job)


@given(
    said=st.dictionaries(
        st.tuples(st.integers(0, 5), st.integers(0, 3)), st.sampled_from("012"), min_size=2, max_size=24
    )
)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_kappa_against_the_others_is_that_of_sklearn_on_any_votes(said: dict[tuple[int, int], str]) -> None:
    votes: Votes = [(f"u{unit}", f"p{person}", value) for (unit, person), value in said.items()]
    measured = measure_agreement(Ratings.of(*zip(*votes, strict=True)), resamples=10)
    for one in measured.people:
        expected = kappa_by_hand(votes, one.name)
        assert one.kappa == (None if expected is None else pytest.approx(expected))
