"""Simulated annotators: right as often as they say, the same for a seed, and able to answer every kind of task."""

from __future__ import annotations

import asyncio
import json
import random
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from paraloom.errors import InputError, NotAllowed
from paraloom.judgments.campaigns import change_state, create_campaign
from paraloom.judgments.items import NewItem, add_items
from paraloom.judgments.people import Person, add_person, block, everybody
from paraloom.judgments.settings import CampaignSettings
from paraloom.judgments.sign_in import make_token
from paraloom.judgments.simulate.client import asked, new_client
from paraloom.judgments.simulate.made_up import drawn_answer, wrong_answer
from paraloom.judgments.simulate.mix import read_mix, shared_out
from paraloom.judgments.simulate.people import make_people
from paraloom.judgments.simulate.profiles import PROFILES, Profile, Truth, profile_named
from paraloom.judgments.simulate.serve import Served
from paraloom.judgments.simulate.summary import held_against
from paraloom.judgments.simulate.work import Worked, WorkOptions, work_through
from paraloom.judgments.store import schema
from paraloom.judgments.store.columns import now
from paraloom.judgments.store.migrate import open_database
from paraloom.judgments.tasks import TASKS, task_named
from paraloom.workflows.annotate.simulate import ADMIN, known_answers, simulate
from paraloom.workflows.annotate.simulate_options import SimulateOptions
from tests.forked import ForkServer

SENTENCES = [{"id": f"s{number}", "text": f"The storm of day {number} hit the coast."} for number in range(6)]
DOCUMENT = {"text": "The storm hit the coast. Nobody was hurt. The town was without light until noon."}

CONTENTS: dict[str, dict[str, Any]] = {
    "pair": {"left": "The storm hit the coast.", "right": "The coast was hit by a storm."},
    "choose": {"original": "The storm hit the coast.", "candidates": SENTENCES},
    "rate": {"source": "The storm hit the coast.", "generated": "The coast was hit."},
    "topic": {"sentences": ["The storm hit the coast."]},
    "seed": {"sentences": SENTENCES},
    "match": {"left": DOCUMENT, "right": DOCUMENT},
    "extract": {"left": DOCUMENT, "right": DOCUMENT},
    "grade": {"left": "The storm hit the coast.", "right": "The coast was hit by a storm."},
    "write": {"source": "The storm hit the coast."},
}

PAIR = CONTENTS["pair"]
YES, NO = {"is_paraphrase": True}, {"is_paraphrase": False}


def test_there_is_a_content_of_every_kind_of_task() -> None:
    assert set(CONTENTS) == set(TASKS)


@pytest.mark.parametrize("task", TASKS)
def test_drawn_answers_are_accepted_and_differ(task: str) -> None:
    kind = task_named(task)
    content = kind.read_content(CONTENTS[task])
    drawn = [drawn_answer(task, CONTENTS[task], random.Random(seed)) for seed in range(60)]
    assert len({str(kind.read_answer(answer, content)) for answer in drawn}) > 1


@pytest.mark.parametrize("task", TASKS)
def test_a_wrong_answer_fails_as_a_test_question_and_the_right_one_passes(task: str) -> None:
    kind = task_named(task)
    content = kind.read_content(CONTENTS[task])
    for seed in range(30):
        truth = drawn_answer(task, CONTENTS[task], random.Random(seed))
        if truth.get("gave_up"):
            continue  # where nothing was expected, everything is right
        expected = kind.read_answer(truth, content)
        wrong = wrong_answer(task, CONTENTS[task], truth, random.Random(seed + 1))
        assert kind.is_right(expected, expected)
        assert not kind.is_right(kind.read_answer(wrong, content), expected)


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("profile", PROFILES.values(), ids=lambda one: one.name)
def test_the_same_seed_gives_the_same_answers(task: str, profile: Profile) -> None:
    truth = Truth(task=task, known={}, seed=5).of("item", CONTENTS[task])
    one, other = (
        [profile.answers(task, CONTENTS[task], truth, dice) for dice in [random.Random(3)] for _ in range(10)]
        for _ in range(2)
    )
    assert one == other


RIGHT_IN_1000 = [("expert", 980), ("careful", 920), ("hasty", 800), ("spammer", 500), ("adversary", 200)]


@pytest.mark.parametrize(("name", "expected"), RIGHT_IN_1000)
def test_annotators_are_right_as_often_as_their_profile_says(name: str, expected: int) -> None:
    dice = random.Random(1)
    answers = [PROFILES[name].answers("pair", PAIR, YES, dice) for _ in range(1000)]
    assert abs(answers.count(YES) - expected) < 50


def test_a_repeater_always_says_the_same() -> None:
    dice = random.Random(1)
    answers = [PROFILES["repeater"].answers("pair", PAIR, truth, dice) for truth in (YES, NO) * 20]
    assert len({str(answer) for answer in answers}) == 1


def test_thinking_takes_the_given_time_on_average() -> None:
    dice = random.Random(1)
    times = [PROFILES["careful"].thinks(2.0, dice) for _ in range(4000)]
    assert sum(times) / len(times) == pytest.approx(2.0, rel=0.03)
    assert min(times) >= 1.0
    assert PROFILES["hasty"].pace < PROFILES["careful"].pace < PROFILES["expert"].pace


def test_what_is_not_known_is_made_up_once_for_everybody() -> None:
    made_up = [Truth(task="pair", known={"a": NO}, seed=4).of(item, PAIR) for item in "abcdefgh" for _ in range(2)]
    assert made_up[0] == NO
    assert made_up[0::2] == made_up[1::2]


MIXES = [
    ("careful=1", 3, {"careful": 3}),
    ("careful=70,spammer=15,adversary=15", 20, {"careful": 14, "spammer": 3, "adversary": 3}),
    ("careful:.85=70%, spammer=15%", 17, {"careful": 14, "spammer": 3}),
    ("expert=1,hasty=1,repeater=1", 1, {"expert": 1}),
]


@pytest.mark.parametrize(("text", "people", "expected"), MIXES)
def test_a_mix_is_shared_out_among_people(text: str, people: int, expected: Mapping[str, int]) -> None:
    assert Counter(one.name for one in shared_out(read_mix(text), people)) == expected


BAD_MIXES = [
    ("wizard=3", "no kind of annotator 'wizard'"),
    ("careful", "is no part of a mix"),
    ("careful=0", "has nobody"),
    ("careful=1.2.3", "is no number"),
    ("careful:2=10", "must be from 0 to 1"),
    ("spammer:.5=10", "does not look"),
]


@pytest.mark.parametrize(("text", "message"), BAD_MIXES)
def test_a_mix_that_cannot_be_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_mix(text)


ITEMS = [
    {"item_id": "a", "content": PAIR, "expected": YES},
    {"item_id": "b", "content": PAIR, "expected": None},
    {"item_id": "c", "content": PAIR, "expected": None},
]

TRUTH_FILES = [
    ("truth.jsonl", '{"item_id": "b", "answer": {"is_paraphrase": false}}\n', {"a": YES, "b": NO}),
    ("truth.tsv", "pair_id\tlabel\nb\t1\nc\t0\nelsewhere\t1\n", {"a": YES, "b": YES, "c": NO}),
    ("truth.csv", 'item_id,answer\nc,"{""is_paraphrase"": true}"\n', {"a": YES, "c": YES}),
]


@pytest.mark.parametrize(("name", "text", "expected"), TRUTH_FILES)
def test_right_answers_are_read_from_a_file_and_from_test_questions(
    tmp_path: Path, name: str, text: str, expected: dict[str, Any]
) -> None:
    (tmp_path / name).write_text(text)
    assert known_answers("pair", ITEMS, tmp_path / name) == expected


def test_a_file_of_right_answers_for_another_campaign_is_refused(tmp_path: Path) -> None:
    (tmp_path / "truth.tsv").write_text("item_id\tlabel\nelsewhere\t1\n")
    with pytest.raises(InputError, match="names no item"):
        known_answers("pair", ITEMS, tmp_path / "truth.tsv")


def test_a_right_answer_that_is_none_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "truth.tsv").write_text("item_id\tlabel\nb\tperhaps\n")
    with pytest.raises(InputError, match="line 2"):
        known_answers("pair", ITEMS, tmp_path / "truth.tsv")


@dataclass(frozen=True)
class Running:
    """A service with a campaign of every kind that needs no model."""

    url: str
    token: str
    file: Path


KINDS = [task for task in TASKS if task != "write"]


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    file = tmp_path_factory.mktemp("simulate") / "campaigns.db"
    database = open_database(str(file))

    def fill(connection: sa.Connection) -> str:
        admin = add_person(connection, name="Root", hashed=None, role="admin", now=now(), by="test")
        for task in KINDS:
            settings = CampaignSettings(judgments_per_item=2, tests_every=0, lease_minutes=0.05)
            campaign = create_campaign(connection, task=task, title=task, settings=settings, now=now(), by="test")
            new = [NewItem(item_id=f"{task}-{number}", content=CONTENTS[task]) for number in range(6)]
            add_items(connection, campaign, new, now=now())
            change_state(connection, task, "open", now=now(), by="test")
        return make_token(connection, admin.person_id, "test", now())[1]

    token = database.write(fill)
    database.close()
    with Served(str(file)) as served:
        yield Running(served.url, token, file)


async def simulated(running: Running, task: str, profiles: list[Profile]) -> tuple[Worked, list[dict[str, Any]]]:
    async with new_client(running.url) as client:
        people = await make_people(client, running.token, profiles)
        options = WorkOptions(seconds=60, think=0.01, look_again=0.2)
        worked = await work_through(running.url, task, people, Truth(task=task, known={}), options)
        path = f"/api/v1/campaigns/{task}/judgments?most=1000"
        judgments = await asked(client, running.token, "GET", path)
    theirs = {person.person_id for person in people}
    return worked, [row for row in judgments if row["person_id"] in theirs]


RESTLESS = replace(PROFILES["careful"], repeats_itself=0.5, changes_mind=0.5)
GONE_AT_ONCE = replace(PROFILES["careful"], leaves=1.0)


@pytest.fixture(scope="module")
def work_of_any_kind(running: Running) -> dict[str, tuple[Worked, list[dict[str, Any]]]]:
    """Some repeat themselves, some change their mind, and one takes an item and never comes back. In all campaigns at
    once: each has to wait until that item may be given to somebody else."""

    async def all_at_once() -> list[tuple[Worked, list[dict[str, Any]]]]:
        people = [RESTLESS, RESTLESS, GONE_AT_ONCE]
        return await asyncio.gather(*(simulated(running, task, people) for task in KINDS))

    return dict(zip(KINDS, asyncio.run(all_at_once()), strict=True))


@pytest.mark.parametrize("task", KINDS)
def test_people_work_through_a_campaign_of_any_kind(
    work_of_any_kind: dict[str, tuple[Worked, list[dict[str, Any]]]], task: str
) -> None:
    worked, judgments = work_of_any_kind[task]
    assert not worked.errors
    assert worked.left == 1
    assert worked.ended_for == {"done": 2, "left": 1}
    stored = held_against(worked, judgments)
    assert (stored.lost, stored.doubled, stored.unacknowledged) == (0, 0, 0)
    assert worked.repeated > 0
    assert len(judgments) > 12  # changes of mind are judgments of their own
    assert len({(row["item_id"], row["person_id"]) for row in judgments}) == 12


def test_a_refusal_is_counted_and_ends_the_person(running: Running) -> None:
    """Answers of another kind of task are refused by the service."""

    async def wrong_kind() -> Worked:
        async with new_client(running.url) as client:
            made = {"task": "pair", "title": "Refusals", "campaign_id": "refusals"}
            await asked(client, running.token, "POST", "/api/v1/campaigns", made)
            items = {"items": [{"item_id": "refused", "content": PAIR}]}
            await asked(client, running.token, "POST", "/api/v1/campaigns/refusals/items", items)
            await asked(client, running.token, "PATCH", "/api/v1/campaigns/refusals", {"state": "open"})
            people = await make_people(client, running.token, [replace(PROFILES["expert"], accuracy=1.0)])
        truth = Truth(task="pair", known={"refused": {"accept": True}})
        return await work_through(running.url, "refusals", people, truth, WorkOptions(seconds=5, think=0.01))

    worked = asyncio.run(wrong_kind())
    assert [name[:11] for name in worked.errors] == ["answer: 422"]
    assert worked.ended_for == {"refused": 1}


def test_a_service_that_is_not_there_is_said_in_words() -> None:
    async def ask() -> None:
        async with new_client("http://127.0.0.1:9") as client:
            await asked(client, "token", "GET", "/api/v1/me")

    with pytest.raises(InputError, match="does not answer"):
        asyncio.run(ask())


@pytest.fixture
def command(tmp_path: Path, service_forks: ForkServer) -> Callable[..., subprocess.CompletedProcess[str]]:
    """`paraloom annotate simulate --json` with these words, in a process of its own."""
    code = "from paraloom.cli import main; main()"

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        words = ("annotate", "simulate", "--json", *words)
        return service_forks.run(code, words, folder=tmp_path)

    return run


def test_the_command_starts_a_service_by_itself_and_tells_what_came_of_it(
    command: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    done = command("--crowd", "4", "--seconds", "2", "--think", "0.05", "--mix", "careful=3,adversary=1")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["annotators"] == {"adversary": 1, "careful": 3}
    assert told["answers"] == told["stored"]["judgments"] > 0
    assert (told["stored"]["lost"], told["stored"]["doubled"], told["errors"]) == (0, 0, {})


def test_the_command_works_on_a_service_that_runs(
    running: Running, command: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    done = command("--campaign", "nowhere", "--url", running.url, "--token", running.token)
    assert done.returncode == 1
    assert "There is no campaign 'nowhere'" in done.stderr


def test_a_campaign_that_is_not_open_is_refused_before_anybody_has_an_account(running: Running) -> None:
    async def make() -> None:
        async with new_client(running.url) as client:
            made = {"task": "pair", "title": "Draft", "campaign_id": "draft"}
            await asked(client, running.token, "POST", "/api/v1/campaigns", made)

    def people() -> int:
        database = open_database(str(running.file), create=False)
        try:
            return database.read(lambda c: c.execute(sa.text("select count(*) from people")).scalar_one())
        finally:
            database.close()

    asyncio.run(make())
    before = people()
    options = SimulateOptions(crowd=2, seconds=1)
    with pytest.raises(InputError, match=r"draft is not open \(draft\).*paraloom annotate open draft"):
        simulate("draft", options, url=running.url, token=running.token, db=None)
    assert people() == before


def test_profiles_are_found_by_name() -> None:
    assert profile_named("careful", 0.85).accuracy == 0.85
    with pytest.raises(InputError, match="no kind of annotator"):
        profile_named("nobody")


def test_accounts_of_a_simulation_can_be_told_from_others(running: Running) -> None:
    async def make() -> list[str]:
        async with new_client(running.url) as client:
            return [one.name for one in await make_people(client, running.token, [PROFILES["careful"]] * 3)]

    names = asyncio.run(make())
    assert len(set(names)) == 3
    assert all(name.startswith("sim-") for name in names)
    database = open_database(str(running.file))
    stored = database.read(lambda c: set(c.scalars(sa.select(schema.people.c.name))))
    database.close()
    assert set(names) <= stored


def people_of(file: Path) -> list[Person]:
    database = open_database(str(file))
    try:
        return database.read(everybody)
    finally:
        database.close()


def tokens_in_use(file: Path) -> set[str]:
    """Whose they are."""
    table = schema.tokens.c
    database = open_database(str(file))
    try:
        return set(database.read(lambda c: c.scalars(sa.select(table.person_id).where(table.revoked_at.is_(None)))))
    finally:
        database.close()


@pytest.mark.parametrize("way", ["url", "db"])
def test_when_a_simulation_is_over_nobody_gets_in_by_its_accounts(running: Running, tmp_path: Path, way: str) -> None:
    file = running.file if way == "url" else tmp_path / "copy.db"
    if way == "db":
        shutil.copy(running.file, file)
    before, in_use = {one.person_id for one in people_of(file)}, tokens_in_use(file)
    options = SimulateOptions(crowd=3, mix="careful=1", seconds=2, think=0.05)
    if way == "url":
        told = simulate("grade", options, url=running.url, token=running.token, db=None)
    else:
        told = simulate("grade", options, url=None, token=None, db=str(file))
    assert told.annotators == {"careful": 3}
    theirs = [one for one in people_of(file) if one.person_id not in before and one.name != ADMIN]
    assert [(one.is_simulated, one.is_active) for one in theirs] == [(True, False)] * 3, "they stay with their answers"
    assert tokens_in_use(file) == in_use, "neither theirs, nor that of the program that made them"
    database = open_database(str(file))
    with pytest.raises(NotAllowed, match="simulated"):
        database.write(lambda c: block(c, theirs[0].person_id, blocked=False, now=now(), by="test"))
    database.close()


def test_people_that_cannot_all_be_made_are_ended_again(running: Running) -> None:
    async def one_is_taken() -> None:
        async with new_client(running.url) as client:
            await asked(client, running.token, "POST", "/api/v1/people", {"name": "sim-taken-002"})
            await make_people(client, running.token, [PROFILES["careful"]] * 4, "sim-taken-")

    with pytest.raises(InputError, match="is taken"):
        asyncio.run(one_is_taken())
    made = {one.name: one.is_active for one in people_of(running.file) if (one.name or "").startswith("sim-taken-")}
    assert made.pop("sim-taken-002")
    assert made == dict.fromkeys(("sim-taken-000", "sim-taken-001", "sim-taken-003"), False)


def test_of_several_right_seeds_simulated_people_say_one() -> None:
    right = {"seed": ["s1", "s4"], "skip": False}
    kind, content = task_named("seed"), task_named("seed").read_content(CONTENTS["seed"])
    sure = replace(PROFILES["expert"], accuracy=1.0)
    said = [sure.answers("seed", CONTENTS["seed"], right, random.Random(n)) for n in range(20)]
    assert {kind.read_answer(one, content).seed for one in said} == {"s1", "s4"}
    wrong = [wrong_answer("seed", CONTENTS["seed"], right, random.Random(n)) for n in range(20)]
    assert not {"s1", "s4"} & {one["seed"] for one in wrong}
