"""What one campaign found is what the next one asks about."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from paraloom.engine.store import read_table
from paraloom.errors import InputError
from paraloom.judgments.assign import Handed, hand_out
from paraloom.judgments.exchange.export import export_judgments
from paraloom.judgments.following import fill_from_extractions, fill_from_matches, fill_from_seeds
from paraloom.judgments.items import NewItem
from paraloom.judgments.store import schema
from paraloom.tables import pair_id_of, sentence_id_of
from tests.judgments.working import judge

SENTENCES = [{"id": f"s{n}", "text": f"Sentence {n}."} for n in range(11)]


def contents(database, campaign):
    table = schema.items
    asked = sa.select(table).filter_by(campaign_id=campaign.campaign_id).order_by(table.c.position)
    return database.read(lambda c: c.execute(asked).all())


SEEDS = [
    (["s3", "s3", "s1"], 10),
    (["s3", "s1", None], 0),
    ([None, None, "s3"], 0),
    (["s3", "s3"], 0),
]


@pytest.mark.parametrize(("seeds", "pairs"), SEEDS)
def test_the_seed_of_the_majority_is_paired_with_the_ten_others(
    database, open_campaign, add_people, now, seeds, pairs
) -> None:
    people = add_people(database, 3)
    groups = [NewItem(item_id="g", content={"sentences": SENTENCES})]
    chosen = open_campaign(database, groups, task="seed", title="Seeds", judgments_per_item=3)
    following = open_campaign(database, [], title="Pairs")
    for person, seed in zip(people, seeds, strict=False):
        judge(database, chosen, person, "g", {"skip": True} if seed is None else {"seed": seed}, now)
    found = database.write(lambda c: fill_from_seeds(c, chosen, following, now=now))
    assert found.added == pairs
    assert all(row.content["left"] == "Sentence 3." and row.group_id == "g" for row in contents(database, following))
    again = database.write(lambda c: fill_from_seeds(c, chosen, following, now=now))
    assert (again.added, again.there_already) == (0, pairs)


def test_accepted_documents_are_extracted_from(database, open_campaign, add_people, now) -> None:
    [ann] = add_people(database, 1)
    documents = [
        NewItem(
            item_id=f"d{n}",
            content={"left": {"text": f"Story {n}.", "title": "One"}, "right": {"text": f"News {n}."}},
            origin={"left_id": f"doc {n}"},
        )
        for n in range(3)
    ]
    matches = open_campaign(database, documents, task="match", title="Match", judgments_per_item=1)
    extract = open_campaign(database, [], task="extract", title="Extract")
    for n, accept in enumerate((True, False)):
        judge(database, matches, ann, f"d{n}", {"accept": accept}, now)
    assert database.write(lambda c: fill_from_matches(c, matches, extract, now=now)).added == 1
    [row] = contents(database, extract)
    assert (row.item_id, row.content["left"]["title"], row.origin["left_id"]) == ("d0", "One", "doc 0")
    assert (row.content["left"]["id"], row.content["suggestions"]) == (None, [])


def test_accepted_documents_keep_their_ids_and_what_was_suggested(database, open_campaign, add_people, now) -> None:
    [ann] = add_people(database, 1)
    suggestion = {"left_start": 0, "left_end": 5, "right_start": 0, "right_end": 4, "score": 0.5}
    item = NewItem(
        item_id="d",
        content={"left": {"text": "Story one.", "id": "L"}, "right": {"text": "News one.", "id": "R"}},
        origin={"kind": "subtitle", "left_part_start": 70, "right_part_start": 90, "suggestions": [suggestion]},
    )
    matches = open_campaign(database, [item], task="match", title="Match", judgments_per_item=1)
    extract = open_campaign(database, [], task="extract", title="Extract")
    judge(database, matches, ann, "d", {"accept": True}, now)
    database.write(lambda c: fill_from_matches(c, matches, extract, now=now))
    [row] = contents(database, extract)
    assert (row.content["left"]["id"], row.content["right"]["id"]) == ("L", "R")
    assert row.content["suggestions"] == [suggestion]
    kept = {"kind": "subtitle", "left_part_start": 70, "right_part_start": 90, "matched_in": matches.campaign_id}
    assert row.origin == kept


@pytest.fixture
def extracted(database, open_campaign, add_people, now):
    """Ann and Bob marked the same pair of spans, Ann another one besides."""
    ann, bob = add_people(database, 2)
    content = {"left": {"text": "Hi! I'm broke. Bye.", "title": "A"}, "right": {"text": "I have no money. Later."}}
    extract = open_campaign(
        database, [NewItem(item_id="d", content=content)], task="extract", title="Extract", judgments_per_item=2
    )
    grade = open_campaign(database, [], task="grade", title="Grade", judgments_per_item=2, tests_every=0)
    first = {"left_start": 4, "left_end": 14, "right_start": 0, "right_end": 16}
    second = {"left_start": 15, "left_end": 19, "right_start": 17, "right_end": 23}
    for person, pairs in ((ann, [first, second]), (bob, [first])):
        answer = {"pairs": pairs, "state": "finished", "suggestions_shown": False}
        judge(database, extract, person, "d", answer, now)
    return extract, grade, ann, bob


def test_extracted_pairs_are_graded_in_their_documents_by_others(database, extracted, add_people, now) -> None:
    extract, grade, ann, bob = extracted
    found = database.write(lambda c: fill_from_extractions(c, extract, grade, now=now))
    assert (found.added, found.there_already) == (2, 1)
    first, second = contents(database, grade)
    assert (first.content["left"], first.content["right"]) == ("I'm broke.", "I have no money.")
    assert first.content["left_document"]["title"] == "A"
    assert first.proposed_by == ann.person_id
    handed = database.write(lambda c: hand_out(c, grade, ann, now=now))
    assert not isinstance(handed, Handed), "Ann extracted both"
    handed = database.write(lambda c: hand_out(c, grade, bob, now=now))
    assert isinstance(handed, Handed)
    assert handed.item.item_id == second.item_id, "Bob extracted the first one, too"
    again = database.write(lambda c: fill_from_extractions(c, extract, grade, now=now))
    assert (again.added, again.there_already) == (0, 3)


PARTS = [
    (
        {"left": {"text": "Hi! I'm broke.", "id": "L"}, "right": {"text": "No money. None.", "id": "R"}},
        {},
        (4, 14, 0, 9),
    ),
    (  # the same two documents, but parts of them were shown, and the white space around is marked, too
        {"left": {"text": " I'm broke.", "id": "L"}, "right": {"text": "No money. None.", "id": "R"}},
        {"left_part_start": 3, "right_part_start": 0},
        (0, 11, 0, 10),
    ),
    (  # the other way round
        {"left": {"text": "No money. None.", "id": "R"}, "right": {"text": "I'm broke.", "id": "L"}},
        {"right_part_start": 4},
        (0, 9, 0, 10),
    ),
]


def test_a_pair_that_is_found_in_several_campaigns_is_one_item_named_as_the_exported_pair(
    database, open_campaign, add_people, tmp_path, now
) -> None:
    grade = open_campaign(database, [], task="grade", title="Grade", judgments_per_item=2, tests_every=0)
    people = add_people(database, len(PARTS))
    left, right = sentence_id_of("L", 4, 14), sentence_id_of("R", 0, 9)
    for n, ((content, origin, marked), person) in enumerate(zip(PARTS, people, strict=True)):
        item = NewItem(item_id="d", content=content, origin=origin)
        extract = open_campaign(database, [item], task="extract", title=f"Extract {n}", judgments_per_item=1)
        span = dict(zip(("left_start", "left_end", "right_start", "right_end"), marked, strict=True))
        judge(database, extract, person, "d", {"pairs": [span], "state": "finished", "suggestions_shown": False}, now)
        found = database.write(lambda c, extract=extract: fill_from_extractions(c, extract, grade, now=now))
        assert (found.added, found.there_already) == ((1, 0) if n == 0 else (0, 1))
        export_judgments(database, tmp_path / str(n), format="tables", campaign_id=extract.campaign_id)
        [pair] = read_table(tmp_path / str(n), "pairs").to_pylist()
        assert pair["pair_id"] == pair_id_of(left, right)
        assert {pair["left_id"], pair["right_id"]} == {left, right}
    [row] = contents(database, grade)
    assert row.item_id == pair_id_of(left, right)
    places = {"left_document_id": "L", "left_start": 4, "left_end": 14}
    places |= {"right_document_id": "R", "right_start": 0, "right_end": 9, "left_id": left, "right_id": right}
    assert places.items() <= row.origin.items()
    for person in people:
        handed = database.write(lambda c, person=person: hand_out(c, grade, person, now=now))
        assert not isinstance(handed, Handed), "nobody grades what they found themselves"


def test_extractors_may_grade_where_a_campaign_wants_it_so(database, extracted, now) -> None:
    extract, grade, ann, _ = extracted
    database.write(lambda c: fill_from_extractions(c, extract, grade, now=now, by_same_people=True))
    assert isinstance(database.write(lambda c: hand_out(c, grade, ann, now=now)), Handed)


def test_campaigns_of_other_kinds_are_refused(database, extracted, now) -> None:
    extract, grade, *_ = extracted
    for fill in (fill_from_seeds, fill_from_matches, fill_from_extractions):
        with pytest.raises(InputError, match="is needed here"):
            database.write(lambda c, fill=fill: fill(c, grade, extract, now=now))
