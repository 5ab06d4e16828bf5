"""From aligned documents to labels: what is matched, extracted, graded, decided and rewritten keeps its ids and its
exact place in the documents all the way."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from paraloom.engine.given import read_rows
from paraloom.engine.store import read_table
from paraloom.errors import InputError
from paraloom.groups.alignment_options import AlignmentOptions
from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.conflicts import judged_item
from paraloom.judgments.decide import GivenDecision, decide
from paraloom.judgments.exchange.export import export_judgments
from paraloom.judgments.exchange.items_in import import_items
from paraloom.judgments.following import fill_from_extractions, fill_from_matches
from paraloom.judgments.items import Item
from paraloom.judgments.people import Person
from paraloom.judgments.store import schema
from paraloom.judgments.store.database import Database
from paraloom.tables import pair_id_of
from paraloom.workflows.align.align import align
from paraloom.workflows.align.options import AlignOptions
from paraloom.workflows.label.judged import label_judgments
from paraloom.workflows.label.options import VoteLabelOptions
from tests.judgments.working import judge

OpenCampaign = Callable[..., Campaign]
AddPeople = Callable[..., list[Person]]

SAID = (
    ("Where were you last night, {name}?", "Tell me where you spent the night, {name}."),
    ("I was at the mill until {number}.", "Till {number} I stayed at the mill."),
    ("The money is gone,\nall {number} of it.", "All {number} crowns have vanished."),
    ("Ask {name} about the chapel.", "You should talk to {name}; it's about the chapel."),
    ("He will not talk to me any more.", "He doesn't speak to me these days."),
)
NAMES = ("Ada", "Bruno", "Clara", "Dimitri", "Eleni", "Farid", "Gustav")

STORM = (
    "Storm Ada reached the western coast on Friday night. Thousands of homes lost power, and three bridges were shut. "
    "The prime minister, Lena Holm, promised help to the villages that were hit hardest."
)
STORM_TOLD_AGAIN = (
    "Three bridges closed and thousands of homes were without power after storm Ada hit the west coast late on Friday. "
    "Help is on its way to the villages, prime minister Lena Holm said."
)
CUP = (
    "Riverside won the cup for the first time in forty years. Captain Jo Brandt scored twice in the second half, and "
    "the goalkeeper saved a penalty in the last minute of the final."
)
ARTICLES = (
    ("Storm Ada leaves thousands in the dark", STORM, "2024-03-02T08:00:00Z"),
    ("West coast: three bridges shut after gale", STORM_TOLD_AGAIN, "2024-03-03T10:00:00Z"),
    ("Riverside wins  the cup", CUP, "2024-06-03T21:00:00Z"),
    ("Forty years of waiting are over for Jo Brandt", CUP, "2024-06-04T06:00:00Z"),
)
"""The last two are one text under two headings."""


def _clock(seconds: int) -> str:
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02},000"


def _film(version: int) -> str:
    """Forty minutes of captions."""
    blocks = []
    for n in range(200):
        said = SAID[n % len(SAID)][version].format(name=NAMES[n % len(NAMES)], number=1000 + 37 * n)
        begins = 12 * n + 5 * version
        blocks.append(f"{n + 1}\n{_clock(begins)} --> {_clock(begins + 3)}\n{said}\n")
    return "\n".join(blocks)


def write_articles(file: Path, articles: Sequence[tuple[str, str, str]]) -> None:
    rows = [
        {"title": title, "text": text, "created_at": at, "source": f"paper {n}", "kind": "article"}
        for n, (title, text, at) in enumerate(articles)
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A film in two versions, and articles, aligned."""
    folder = tmp_path_factory.mktemp("documents")
    (folder / "given" / "The Mill").mkdir(parents=True)
    for version in (0, 1):
        (folder / "given" / "The Mill" / f"{version}.srt").write_text(_film(version), encoding="utf-8")
    write_articles(folder / "given" / "news.jsonl", ARTICLES)
    options = AlignOptions(alignment=AlignmentOptions(least_alike=0.1))
    align([folder / "given"], folder / "run", options, until="pairs")
    return folder / "run"


def items_of(database: Database, campaign: Campaign) -> list[Item]:
    asked = sa.select(schema.items).filter_by(campaign_id=campaign.campaign_id).order_by(schema.items.c.position)
    return [Item(**row._mapping) for row in database.read(lambda c: c.execute(asked).all())]


def texts_of(run: Path) -> dict[str, str]:
    return {row["document_id"]: row["text"] for row in read_table(run, "documents").to_pylist()}


def heading_groups(run: Path) -> set[str]:
    """Groups of which the headings alone are meant: those of the one text that has two."""
    documents = {row["document_id"]: row for row in read_table(run, "documents").to_pylist()}
    rows = [row for row in read_table(run, "groups").to_pylist() if row["dropped_for"] is None]
    found = {row["group_id"] for row in rows if documents[row["document_id"]]["text"].endswith(CUP)}
    for row in rows:
        if row["group_id"] in found:
            document = documents[row["document_id"]]
            assert document["text"][: row["end"]].split() == document["title"].split()
    return found


@pytest.mark.parametrize("task", ["match", "extract"])
def test_documents_of_which_only_the_headings_are_meant_are_not_given_to_be_read(
    run: Path, database: Database, open_campaign: OpenCampaign, now: datetime, task: str
) -> None:
    headings = heading_groups(run)
    assert len(headings) == 1
    campaign = open_campaign(database, [], task=task)
    done = import_items(database, campaign.campaign_id, [run], now=now)
    assert not done.bad
    kept = {row["group_id"] for row in read_table(run, "groups").to_pylist() if row["dropped_for"] is None}
    assert {one.item_id for one in items_of(database, campaign)} == kept - headings
    graded = open_campaign(database, [], task="grade", title="Headings")
    import_items(database, graded.campaign_id, [run], now=now)
    (pair,) = [one for one in items_of(database, graded) if one.group_id in headings]
    assert {pair.content["left"], pair.content["right"]} == {" ".join(title.split()) for title, _, _ in ARTICLES[2:]}


def test_a_run_of_headings_alone_is_refused_where_documents_are_to_be_read(
    database: Database, open_campaign: OpenCampaign, tmp_path: Path, now: datetime
) -> None:
    write_articles(tmp_path / "news.jsonl", ARTICLES[2:])
    align([tmp_path / "news.jsonl"], tmp_path / "run", until="pairs")
    campaign = open_campaign(database, [], task="extract")
    with pytest.raises(InputError, match="pairs of headings alone"):
        import_items(database, campaign.campaign_id, [tmp_path / "run"], now=now)


def test_pairs_of_aligned_documents_are_graded_where_they_stand(
    run: Path, database: Database, open_campaign: OpenCampaign, now: datetime
) -> None:
    texts = texts_of(run)
    campaign = open_campaign(database, [], task="grade")
    done = import_items(database, campaign.campaign_id, [run], now=now)
    assert not done.bad
    found = items_of(database, campaign)
    assert {one.item_id for one in found} == {
        row["pair_id"] for row in read_table(run, "pairs").to_pylist() if row["dropped_for"] is None
    }
    for one in found:
        for side in ("left", "right"):
            around = one.content[f"{side}_document"]
            assert around["text"] == texts[one.origin[f"{side}_document_id"]]
            assert (around["start"], around["end"]) == (one.origin[f"{side}_start"], one.origin[f"{side}_end"])
            assert around["text"][around["start"] : around["end"]].split() == one.content[side].split()


def accepted(
    run: Path, database: Database, open_campaign: OpenCampaign, person: Person, now: datetime
) -> tuple[Campaign, Campaign]:
    """Every pair of documents was accepted at a glance, and waits to be extracted from."""
    match = open_campaign(database, [], task="match", title="Match", judgments_per_item=1)
    import_items(database, match.campaign_id, [run], now=now)
    for one in items_of(database, match):
        judge(database, match, person, one.item_id, {"accept": True}, now)
    extract = open_campaign(database, [], task="extract", title="Extract", judgments_per_item=2)
    database.write(lambda c: fill_from_matches(c, match, extract, now=now))
    return match, extract


def test_accepted_documents_come_with_all_that_the_run_knows_of_them(
    run: Path, database: Database, open_campaign: OpenCampaign, add_people: AddPeople, now: datetime
) -> None:
    match, extract = accepted(run, database, open_campaign, add_people(database, 1)[0], now)
    straight = open_campaign(database, [], task="extract", title="Straight")
    import_items(database, straight.campaign_id, [run], now=now)
    through = {one.item_id: one for one in items_of(database, extract)}
    assert any(one.content["suggestions"] for one in through.values())
    for one in items_of(database, straight):
        assert through[one.item_id].content == one.content
        assert through[one.item_id].group_id == one.group_id
        assert through[one.item_id].origin == {**one.origin, "matched_in": match.campaign_id}


def test_from_documents_to_labels_all_ids_and_places_agree(
    run: Path, database: Database, open_campaign: OpenCampaign, add_people: AddPeople, tmp_path: Path, now: datetime
) -> None:
    texts = texts_of(run)
    ann, bob, cem, dan = add_people(database, 4)
    (expert,) = add_people(database, 1, "expert")
    _, extract = accepted(run, database, open_campaign, ann, now)
    film = next(
        one
        for one in items_of(database, extract)
        if one.origin["kind"] == "subtitle" and one.origin["left_part_start"] and len(one.content["suggestions"]) > 3
    )
    spans = [{name: at for name, at in one.items() if name != "score"} for one in film.content["suggestions"][:4]]
    for person, found in ((ann, spans), (bob, spans[:2])):
        answer = {"pairs": found, "state": "finished", "suggestions_shown": True}
        judge(database, extract, person, film.item_id, answer, now)

    grade = open_campaign(database, [], task="grade", title="Grade", judgments_per_item=2, tests_every=0)
    added = database.write(lambda c: fill_from_extractions(c, extract, grade, now=now))
    assert (added.added, added.there_already) == (4, 2)
    first, second, third, _ = items_of(database, grade)
    for one in items_of(database, grade):
        for side in ("left", "right"):
            document = texts[one.origin[f"{side}_document_id"]]
            marked = document[one.origin[f"{side}_start"] : one.origin[f"{side}_end"]]
            around = one.content[f"{side}_document"]
            assert around["text"][around["start"] : around["end"]] == marked == marked.strip()
            assert one.content[side] == " ".join(marked.split())

    said: dict[str, tuple[Any, Any]] = {
        first.item_id: ({"label": "4>"}, {"label": "4>"}),
        second.item_id: ({"label": "4<s"}, {"label": "2"}),
        third.item_id: ({"label": "3", "rewrite_right": "Something better."}, {"label": "3"}),
    }
    for item_id, answers in said.items():
        for person, answer in zip((cem, dan), answers, strict=True):
            judge(database, grade, person, item_id, answer, now)
    judged = database.read(lambda c: judged_item(c, grade.campaign_id, second.item_id))
    assert judged is not None
    decision = GivenDecision(
        item_id=second.item_id,
        seen=[one.judgment_id for one in judged.said],
        after=None,
        answer={"label": "4<", "rewrite_left": "Mended by an expert."},
    )
    database.write(lambda c: decide(c, grade, expert, decision, now=now + timedelta(hours=1)))

    for name, campaign in (("extracted", extract), ("graded", grade)):
        export_judgments(database, tmp_path / name, format="tables", campaign_id=campaign.campaign_id)
    sentences = {row["sentence_id"]: row for row in read_table(tmp_path / "extracted", "sentences").to_pylist()}
    pairs = {row["pair_id"]: row for row in read_table(tmp_path / "extracted", "pairs").to_pylist()}
    assert set(pairs) == {one.item_id for one in items_of(database, grade)}
    suggested = {row["pair_id"]: row for row in read_table(run, "pairs").to_pylist()}
    assert set(pairs) <= set(suggested), "all were suggested"
    assert any("\n" in film.content["left"]["text"][span["left_start"] : span["left_end"]] for span in spans)
    for pair_id, pair in pairs.items():
        assert pair_id == pair_id_of(pair["left_id"], pair["right_id"])
        for side in ("left", "right"):
            place = sentences[pair[f"{side}_id"]]
            assert " ".join(texts[place["document_id"]][place["start"] : place["end"]].split()) == place["text"]
            assert place["text"] == pair[side] == suggested[pair_id][side], "one text, whoever found the pair"
    judgments = read_table(tmp_path / "graded", "judgments").to_pylist()
    assert len(judgments) == 7
    assert all(pairs[row["item_id"]]["left_id"] == row["left_id"] for row in judgments)
    (decided,) = [row for row in judgments if row["is_decision"]]
    assert (decided["item_id"], decided["annotator"]) == (second.item_id, expert.person_id)
    assert json.loads(decided["answer"])["label"] == "4<"

    label_judgments(
        [tmp_path / "graded" / "judgments"], tmp_path / "labels.jsonl", VoteLabelOptions(definition="graded")
    )
    labels = read_rows(tmp_path / "labels.jsonl", ("pair_id", "grade", "left_id"))
    grades = dict(
        zip(
            labels.columns["pair_id"], zip(labels.columns["grade"], labels.columns["left_id"], strict=True), strict=True
        )
    )
    assert grades == {
        first.item_id: ("4>", first.origin["left_id"]),
        second.item_id: ("4<", second.origin["left_id"]),
        third.item_id: ("3", third.origin["left_id"]),
    }
    made = read_table(tmp_path / "graded", "pairs").to_pylist()
    assert {(row["left"], row["right"]) for row in made} == {
        ("Mended by an expert.", second.content["right"]),
        (third.content["left"], "Something better."),
    }
    assert {(row["grade"], row["is_paraphrase"]) for row in read_table(tmp_path / "graded", "labels").to_pylist()} == {
        ("4", True)
    }
