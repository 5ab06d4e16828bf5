"""Outputs of generators go to people and come back as ratings of each system; nobody who rates learns which it was."""

from __future__ import annotations

import json
import secrets
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from fastapi.testclient import TestClient

from paraloom.cli import app
from paraloom.errors import InputError, NotFound
from paraloom.judgments.app.application import make_app
from paraloom.judgments.app.service import Service
from paraloom.judgments.campaigns import Campaign, campaign_of
from paraloom.judgments.decide import GivenDecision, decide
from paraloom.judgments.items import NewItem, add_items
from paraloom.judgments.people import Person, Role, add_person
from paraloom.judgments.set_aside import set_aside_work
from paraloom.judgments.settings import CampaignSettings
from paraloom.judgments.sign_in import make_token, open_session
from paraloom.judgments.store import schema
from paraloom.judgments.store.database import Database
from paraloom.judgments.store.migrate import open_database
from paraloom.judgments.tasks.rate import systems_named
from paraloom.web.keys import csrf_token
from paraloom.workflows.annotate.campaigns import create
from paraloom.workflows.annotate.files import judgments_out
from paraloom.workflows.annotate.fill_outputs import fill_outputs
from paraloom.workflows.annotate.options import ExportOptions
from paraloom.workflows.evaluate.metric_options import MetricOptions
from paraloom.workflows.evaluate.rated_files import read_rated_outputs
from paraloom.workflows.evaluate.rating import evaluate_rating
from paraloom.workflows.evaluate.rating_options import RatingOptions

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SOURCES = [f"Storm number {number} hit the coast of Norland." for number in range(8)]
PARROT = {source: source for source in SOURCES}
WEAVER = {
    **{source: source.replace("hit the coast", "struck the shore") for source in SOURCES[:5]},
    SOURCES[5]: SOURCES[5],  # what the parrot says, too
    SOURCES[6]: "",
}
"""Nothing for the last two sources."""


def written(path: Path, outputs: Mapping[str, str]) -> str:
    """A file as `paraloom generate` writes it, the best output first."""
    rows = [
        {"source": source, "outputs": [{"text": text, "score": 0.9}, {"text": "Worse.", "score": 0.1}]}
        for source, text in outputs.items()
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return f"{path.stem}={path}"


@pytest.fixture
def given(tmp_path: Path) -> list[str]:
    return [written(tmp_path / "parrot.jsonl", PARROT), written(tmp_path / "weaver.jsonl", WEAVER)]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = open_database(f"sqlite:///{tmp_path / 'rated.db'}")
    yield opened
    opened.close()


def made(database: Database, name: str = "rated", task: str = "rate", **settings: Any) -> Campaign:
    how = CampaignSettings(**{"judgments_per_item": 2, "tests_every": 0, **settings})
    return create(database, name, task=task, title=None, settings=how, instructions=None, opens=True)


def items_of(database: Database, name: str = "rated") -> Sequence[sa.Row[Any]]:
    asked = sa.select(schema.items).filter_by(campaign_id=name).order_by(schema.items.c.position)
    return database.read(lambda connection: connection.execute(asked).all())


def shown_of(database: Database, name: str = "rated") -> list[tuple[str, str, tuple[str, ...]]]:
    rows = items_of(database, name)
    return [(row.content["source"], row.content["generated"], systems_named(row.origin)) for row in rows]


def somebody(database: Database, name: str, role: Role = "annotator") -> Person:
    return database.write(lambda c: add_person(c, name=name, hashed=None, role=role, now=NOW, by="test"))


class Rater:
    """Somebody who rates through the API, and keeps every word that the service said to them."""

    def __init__(self, database: Database, name: str, role: Role = "annotator") -> None:
        self.person = somebody(database, name, role)
        token = database.write(lambda c: make_token(c, self.person.person_id, "test", NOW))[1]
        session = database.write(lambda c: open_session(c, self.person, NOW))
        service = make_app(Service(database=database, clock=lambda: NOW))
        self._program = TestClient(service, headers={"authorization": f"Bearer {token}"})
        self._browser = TestClient(
            service, cookies={"paraloom": session}, headers={"x-csrf-token": csrf_token(session), "accept": "text/html"}
        )
        self.heard: list[str] = []

    def rate_all(self, ratings: Callable[[Mapping[str, Any]], dict[str, int]]) -> dict[str, dict[str, int]]:
        """Rate whatever is handed out; what was answered, by item."""
        said: dict[str, dict[str, int]] = {}
        while (item := self._sent("next", {})["item"]) is not None:
            assert set(item) == {"item_id", "content", "expires_at", "instructions_version", "answer_before"}
            said[item["item_id"]] = ratings(item["content"])
            self.rate(item["item_id"], said[item["item_id"]])
        return said

    def rate(self, item_id: str, answer: Mapping[str, int]) -> None:
        self._sent(
            "answers",
            {"item_id": item_id, "answer": answer, "client_id": secrets.token_hex(8), "instructions_version": 1},
        )

    def look(self, *addresses: str) -> None:
        """Open pages in the browser."""
        for address in addresses:
            page = self._browser.get(address)
            assert page.status_code == 200, address
            self.heard.append(page.text)

    def _sent(self, what: str, body: Mapping[str, Any]) -> Any:
        reply = self._program.post(f"/api/v1/campaigns/rated/{what}", json=body)
        assert reply.status_code == 200, reply.text
        self.heard.append(reply.text)
        return reply.json()


def by_length(of: int) -> Callable[[Mapping[str, Any]], dict[str, int]]:
    """Ratings that differ between items and between people."""

    def ratings(content: Mapping[str, Any]) -> dict[str, int]:
        is_copy = content["source"] == content["generated"]
        number = int(content["source"].split()[2])
        return {
            "fluency": 5 - (number + of) % 3,
            "similarity": 5 if is_copy else 4 - of,
            "diversity": 1 if is_copy else 4,
        }

    return ratings


def test_all_systems_are_rated_on_the_same_sources_and_equal_texts_are_one_item(database, given) -> None:
    made(database)
    done = fill_outputs(database, "rated", given, most_sources=50)
    assert (done.sources, done.shared, done.left_out, done.written_by_several) == (6, 6, 2, 1)
    assert (done.items.added, done.items.there_already) == (11, 0)
    assert "2 sources were left out because a system has nothing" in done.as_text()
    by_source = defaultdict(list)
    for source, generated, systems in shown_of(database):
        assert all({"parrot": PARROT, "weaver": WEAVER}[system][source] == generated for system in systems)
        by_source[source].append(systems)
    assert set(by_source) == set(SOURCES[:6])
    assert by_source[SOURCES[5]] == [("parrot", "weaver")]
    orders = {tuple(by_source[source]) for source in SOURCES[:5]}
    assert orders == {(("parrot",), ("weaver",)), (("weaver",), ("parrot",))}, "neither always comes first"


def test_done_twice_nothing_is_added_twice_and_the_seed_decides_what_is_drawn(database, given) -> None:
    made(database)
    made(database, "again")
    made(database, "other")
    first = fill_outputs(database, "rated", given, most_sources=3)
    assert first.sources == 3
    before = shown_of(database)
    second = fill_outputs(database, "rated", given, most_sources=3)
    assert (second.items.added, second.items.there_already, second.items.credited) == (0, len(before), 0)
    assert shown_of(database) == before
    for file in (Path(one.partition("=")[2]) for one in given):
        file.write_text("".join(reversed(file.read_text().splitlines(keepends=True))))  # rows are not what is drawn
    fill_outputs(database, "again", given[::-1], most_sources=3)
    assert shown_of(database, "again") == before
    drawn = []
    for seed in range(2, 6):
        fill_outputs(database, "other", given, most_sources=1, seed=seed)
        drawn.append(len({source for source, _, _ in shown_of(database, "other")}))
    assert drawn[-1] > 1


def test_a_system_that_comes_later_is_named_where_its_text_is_there_already(database, given, tmp_path) -> None:
    made(database)
    fill_outputs(database, "rated", given)
    later = {**WEAVER, SOURCES[0]: "Quite another text."}
    done = fill_outputs(database, "rated", [written(tmp_path / "late.jsonl", later)])
    assert (done.items.added, done.items.there_already, done.items.credited) == (1, 5, 5)
    assert "5 items that were there are counted for more systems" in done.as_text()
    systems = {(source, generated): systems for source, generated, systems in shown_of(database)}
    assert systems[SOURCES[1], WEAVER[SOURCES[1]]] == ("late", "weaver")
    assert systems[SOURCES[5], SOURCES[5]] == ("late", "parrot", "weaver")
    with pytest.raises(InputError, match=r"has another output of weaver for the source 'Storm number 0.*another name"):
        fill_outputs(database, "rated", [written(tmp_path / "weaver.jsonl", later)])


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_what_people_answer_comes_back_as_each_systems_mean(database, given, tmp_path, ending: str) -> None:
    made(database)
    fill_outputs(database, "rated", given)
    raters = [Rater(database, f"rater {number}") for number in range(2)]
    said = [rater.rate_all(by_length(number)) for number, rater in enumerate(raters)]
    assert [len(answers) for answers in said] == [11, 11]

    wanted: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for row in items_of(database):
        for answers in said:
            for system in row.origin["systems"]:
                for aspect, rating in answers[row.item_id].items():
                    wanted[system][aspect].append(rating)
    assert len(wanted["parrot"]["fluency"]) == len(wanted["weaver"]["fluency"]) == 12, "the shared item is in both"

    out = tmp_path / f"rated.{ending}"
    judgments_out(database, "rated", out, ExportOptions())
    found = evaluate_rating([out], RatingOptions(resamples=20), MetricOptions(metrics=("self-bleu",))).as_json()
    for system, aspects in wanted.items():
        for aspect, ratings in aspects.items():
            assert found["systems"][system]["metrics"][aspect] == pytest.approx(sum(ratings) / len(ratings))
    assert found["systems"]["parrot"]["metrics"]["diversity"] == 1.0
    rated = read_rated_outputs([out])
    assert (len(rated), set(rated.system_names)) == (12, {"parrot", "weaver"})
    assert any("1 text was written by several systems" in note for note in rated.notes)


def test_whoever_rates_is_never_told_which_system_it_was(database, given) -> None:
    made(database, adjudicate=True, judgments_per_item=1)
    fill_outputs(database, "rated", given)
    rater, expert = Rater(database, "rater"), Rater(database, "expert", "expert")
    rater.look("/", "/judge/rated")
    answered = rater.rate_all(by_length(0))
    rater.look("/judge/rated", "/judge/rated/mine", "/discuss/rated")
    for item_id in answered:
        rater.look(f"/judge/rated/answered/{item_id}", f"/discuss/rated/{item_id}")
        expert.look(f"/decide/rated/{item_id}")
    assert sum("struck the shore" in words for words in rater.heard) > 15, "the outputs are shown"
    for words in (*rater.heard, *expert.heard):
        assert "parrot" not in words
        assert "weaver" not in words
        assert '"origin"' not in words


def test_what_does_not_count_is_left_out_and_told(database, given, tmp_path) -> None:
    campaign = made(database, tests_every=3, min_tests=1000, adjudicate=True)
    test = NewItem(
        content={"source": SOURCES[0], "generated": SOURCES[0]},  # an output that is a test question, too
        expected={"fluency": 5, "similarity": 5, "diversity": 1},
    )
    phrase = NewItem(content={"left": "hit", "right": "struck"})
    database.write(lambda c: add_items(c, campaign, [test, phrase], now=NOW))
    assert fill_outputs(database, "rated", given, most_sources=6).items.added == 11

    def ratings(content: Mapping[str, Any]) -> dict[str, int]:
        return {"kept": 4} if "left" in content else {"fluency": 3, "similarity": 3, "diversity": 3}

    careful, hasty = Rater(database, "careful"), Rater(database, "hasty")
    expert = somebody(database, "expert", "expert")
    answered = careful.rate_all(ratings)
    hasty.rate_all(lambda content: dict.fromkeys(ratings(content), 1))
    work = {row.item_id: row for row in items_of(database) if not row.is_test and "source" in row.content}
    assert work.keys() <= answered.keys()
    assert sum(row.is_test for row in items_of(database)) == 1
    changed = next(item_id for item_id, row in work.items() if row.origin["systems"] == ["weaver"])
    careful.rate(changed, {"fluency": 5, "similarity": 5, "diversity": 5})

    def afterwards(connection: sa.Connection) -> None:
        now = campaign_of(connection, "rated")
        seen = connection.scalars(sa.select(schema.judgments.c.judgment_id).filter_by(item_id=changed)).all()
        answer = {"fluency": 2, "similarity": 2, "diversity": 2}
        decide(connection, now, expert, GivenDecision(item_id=changed, seen=seen, after=None, answer=answer), now=NOW)
        set_aside_work(connection, now, hasty.person.person_id, reason="hasty", now=NOW, by="test")

    database.write(afterwards)
    out = tmp_path / "rated.jsonl"
    judgments_out(database, "rated", out, ExportOptions())
    rated = read_rated_outputs([out])
    assert sorted(set(rated.ratings["fluency"].value.tolist())) == [3.0, 5.0]
    assert len(rated.ratings["fluency"].value) == 12  # 11 items, one of them of both systems
    (told,) = [note for note in rated.notes if "left out" in note]
    assert "2 answers to test questions" in told
    assert "12 judgments that were set aside" in told  # a phrase among them
    assert "1 judgment that was superseded" in told
    assert "1 decision of an expert" in told
    assert "1 rating of a phrase" in told


def test_outputs_whose_system_is_unknown_are_the_files(database, tmp_path) -> None:
    campaign = made(database, judgments_per_item=1)
    unknown = NewItem(content={"source": SOURCES[0], "generated": "A storm."})
    named = NewItem(content={"source": SOURCES[1], "generated": "A storm, too."}, origin={"system": "hand"})
    database.write(lambda c: add_items(c, campaign, [unknown, named], now=NOW))
    Rater(database, "rater").rate_all(by_length(0))
    out = tmp_path / "people.jsonl"
    judgments_out(database, "rated", out, ExportOptions())
    rated = read_rated_outputs([out], RatingOptions(aspects=("diversity",)))
    assert dict(zip(rated.sources, rated.systems, strict=True)) == {SOURCES[0]: "people", SOURCES[1]: "hand"}
    assert list(rated.ratings) == ["diversity"]
    assert any("1 output names no system" in note for note in rated.notes)
    with pytest.raises(InputError, match="has no ratings of style; it has fluency, similarity, diversity"):
        read_rated_outputs([out], RatingOptions(aspects=("style",)))


UNUSABLE = [
    ({"task": "pair", "content": {}, "answer": {}}, "1 judgment of another task.*No rating of a generated sentence"),
    ({"task": "rate", "content": "[", "answer": {}}, "line 1: "),
    ({"task": "rate", "content": [1], "answer": {}}, "line 1: `content` is no JSON object"),
    (
        {"task": "rate", "content": {"source": "a", "generated": "b"}, "answer": {"fluency": 6}},
        "line 1: `fluency` must be a whole number from 1 to 5",
    ),
]


@pytest.mark.parametrize(("row", "message"), UNUSABLE)
def test_an_export_that_cannot_be_used_is_refused(tmp_path, row: dict[str, Any], message: str) -> None:
    path = tmp_path / "export.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_rated_outputs([path])


REFUSED = [
    ({"campaign_id": "pairs"}, r"'pairs' is of the kind 'pair'\. Make a campaign.*create NAME --task rate"),
    ({"most_sources": 0}, "--most-sources 0 draws nothing"),
    ({"given": []}, "There are no outputs. Give NAME=FILE"),
    ({"given": ["weaver.jsonl"]}, "not of the form NAME=FILE. Name the system: lexical=weaver.jsonl"),
    ({"given": ["a=x.jsonl", "a=y.jsonl"]}, "Two systems are called a"),
    ({"given": ["a=absent.jsonl"]}, "There is no file absent.jsonl"),
]


@pytest.mark.parametrize(("change", "message"), REFUSED)
def test_what_cannot_be_filled_is_refused(database, given, change: dict[str, Any], message: str) -> None:
    made(database)
    made(database, "pairs", task="pair")
    with pytest.raises(InputError, match=message):
        fill_outputs(database, **{"campaign_id": "rated", "given": given, **change})
    assert not items_of(database)


def test_files_that_share_no_source_or_contradict_themselves_are_refused(database, given, tmp_path) -> None:
    made(database)
    stranger = written(tmp_path / "stranger.jsonl", {"Rain fell.": "It rained."})
    with pytest.raises(InputError, match="No source has an output of every system: parrot, weaver, stranger"):
        fill_outputs(database, "rated", [*given, stranger])
    path = tmp_path / "twice.jsonl"
    rows = [{"source": "Rain fell.", "outputs": [text]} for text in ("It rained.", "It rained.", "Rain!")]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with pytest.raises(InputError, match="stands on lines 1 and 3 with different outputs"):
        fill_outputs(database, "rated", [f"twice={path}"])


def test_the_way_there_and_back_from_the_command_line(tmp_path, given, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PARALOOM_DB", raising=False)

    def said(*words: str) -> str:
        with pytest.raises(SystemExit) as ended:
            app(list(words))
        assert not ended.value.code
        return capsys.readouterr().out

    said("annotate", "create", "rated", "--task", "rate", "--open")
    told = said("annotate", "fill", "outputs", *given, "--campaign", "rated", "--most-sources", "2", "--seed", "3")
    assert told.startswith("2 sources of the 6 that parrot, weaver wrote something for; 2 sources were left out")
    with pytest.raises(NotFound, match=r"There is no campaign 'absent'\. There are: rated"):
        app(["annotate", "fill", "outputs", *given, "--campaign", "absent"])
    opened = open_database(f"sqlite:///{tmp_path / 'paraloom.db'}")
    try:
        Rater(opened, "rater").rate_all(by_length(0))
    finally:
        opened.close()
    said("annotate", "export", "rated", "--out", "rated.jsonl")
    words = ("rated.jsonl", "--metrics", "self-bleu", "--resamples", "20", "--json")
    found = json.loads(said("evaluate", "rating", *words))
    assert set(found["systems"]) == {"parrot", "weaver"}
