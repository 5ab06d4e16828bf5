"""Files become items, all at once or not at all; a row that is none is told with its line and its reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import sqlalchemy as sa

from paraloom.errors import InputError, NotFound
from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.exchange.items_in import ItemsFrom, import_items
from paraloom.judgments.items import Item
from paraloom.judgments.store import schema
from paraloom.judgments.store.database import Database
from paraloom.tables import make_id
from tests.corpus.run_tables import write

OpenCampaign = Callable[..., Campaign]


def items_of(database: Database, campaign: Campaign) -> list[Item]:
    asked = sa.select(schema.items).filter_by(campaign_id=campaign.campaign_id).order_by(schema.items.c.position)
    return [Item(**row._mapping) for row in database.read(lambda c: c.execute(asked).all())]


def written(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


ROWS = [("the storm hit", "a storm struck"), ("转述 😢", 'he said "no"')]

FILES: dict[str, Callable[[Path], Any]] = {
    "p.tsv": lambda file: file.write_text("left\tright\n" + "".join(f"{a}\t{b}\n" for a, b in ROWS), encoding="utf-8"),
    "p.csv": lambda file: file.write_text(
        "left,right\n" + "".join(f'"{a}","{b.replace(chr(34), chr(34) * 2)}"\n' for a, b in ROWS), encoding="utf-8"
    ),
    "p.jsonl": lambda file: file.write_text(
        "".join(json.dumps({"left": a, "right": b}) + "\n" for a, b in ROWS), encoding="utf-8"
    ),
    "p.parquet": lambda file: pq.write_table(
        pa.table({"left": [a for a, _ in ROWS], "right": [b for _, b in ROWS]}), file
    ),
    "named.jsonl": lambda file: file.write_text(
        "".join(json.dumps({"sentence1": a, "sentence2": b}) + "\n" for a, b in ROWS), encoding="utf-8"
    ),
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("task", ["pair", "grade"])
def test_a_file_of_pairs_becomes_items_in_its_order(
    database: Database, open_campaign: OpenCampaign, tmp_path: Path, now: datetime, name: str, task: str
) -> None:
    FILES[name](tmp_path / name)
    campaign = open_campaign(database, [], task=task)
    done = import_items(database, campaign.campaign_id, [tmp_path / name], now=now)
    assert (done.added, done.tests, done.there_already, list(done.bad)) == (2, 0, 0, [])
    assert [(one.content["left"], one.content["right"]) for one in items_of(database, campaign)] == ROWS
    again = import_items(database, campaign.campaign_id, [tmp_path / name], now=now)
    assert (again.added, again.there_already) == (0, 2)


BAD = [
    ("p.tsv", "left\tright\na\tb\nonly one\n", "p.tsv, line 3", "1 column, but the first line has 2"),
    ("p.tsv", "left\tright\na\tb\n \tb\n", "p.tsv, line 3", "`left` is empty"),
    ("p.jsonl", '{"left": "a", "right": "b"}\n{"left": "a", \n', "p.jsonl, line 2", "JSON"),
    ("p.jsonl", '{"left": "a", "right": "b"}\n{"left": 3, "right": "b"}\n', "p.jsonl, line 2", "`left` must be a text"),
    ("p.jsonl", '{"left": "a", "right": "b"}\n{"left": "a"}\n', "p.jsonl, line 2", "right"),
    ("p.jsonl", '{"left": "a", "right": "b"}\n{"left": "a\\u0000", "right": "b"}\n', "p.jsonl, line 2", "NUL"),
    (
        "p.jsonl",
        '{"left": "a", "right": "b"}\n' + json.dumps({"left": "a" * 20_001, "right": "b"}) + "\n",
        "p.jsonl, line 2",
        "at most 20,000",
    ),
    (
        "p.jsonl",
        '{"left": "a", "right": "b"}\n{"left": "c", "right": "d", "item_id": "' + "i" * 65 + '"}\n',
        "p.jsonl, line 2",
        "`item_id` has 65 characters",
    ),
    (
        "p.jsonl",
        '{"left": "a", "right": "b"}\n{"left": "c", "right": "d", "expected": "perhaps"}\n',
        "p.jsonl, line 2",
        "neither yes nor no",
    ),
]


@pytest.mark.parametrize(("name", "text", "where", "reason"), BAD)
def test_a_bad_row_is_told_and_the_others_are_added_unless_all_or_nothing_was_asked_for(
    database: Database,
    open_campaign: OpenCampaign,
    tmp_path: Path,
    now: datetime,
    name: str,
    text: str,
    where: str,
    reason: str,
) -> None:
    file = written(tmp_path, name, text)
    campaign = open_campaign(database, [])
    with pytest.raises(InputError, match="Nothing was imported"):
        import_items(database, campaign.campaign_id, [file], ItemsFrom(all_or_nothing=True), now=now)
    looked = import_items(database, campaign.campaign_id, [file], ItemsFrom(dry_run=True), now=now)
    assert (looked.added, items_of(database, campaign)) == (1, [])
    done = import_items(database, campaign.campaign_id, [file], now=now)
    assert done.added == len(items_of(database, campaign)) == 1
    (bad,) = done.bad
    assert bad.where == where
    assert reason in bad.reason


def test_a_file_without_a_single_good_row_and_names_that_are_none_are_refused(
    database: Database, open_campaign: OpenCampaign, tmp_path: Path, now: datetime
) -> None:
    campaign = open_campaign(database, [])
    file = written(tmp_path, "p.jsonl", '{"left": "", "right": "b"}\n')
    with pytest.raises(InputError, match=r"Nothing was imported: 1 row cannot be used.*line 1"):
        import_items(database, campaign.campaign_id, [file], now=now)
    with pytest.raises(InputError, match="There is no file"):
        import_items(database, campaign.campaign_id, [tmp_path / "absent.tsv"], now=now)
    with pytest.raises(InputError, match="no run"):
        import_items(database, campaign.campaign_id, [tmp_path], now=now)
    with pytest.raises(NotFound):
        import_items(database, "../../storms", [file], now=now)


def test_labels_are_answers_to_test_questions_only_where_that_is_said(
    database: Database, open_campaign: OpenCampaign, tmp_path: Path, now: datetime
) -> None:
    labelled = written(tmp_path, "gold.tsv", "left\tright\tlabel\texplanation\na\tb\t1\twhy\nc\td\t0\t\n")
    work = open_campaign(database, [], title="work")
    assert import_items(database, work.campaign_id, [labelled], now=now).tests == 0
    tests = open_campaign(database, [], title="tests")
    done = import_items(database, tests.campaign_id, [], ItemsFrom(tests=(labelled,)), now=now)
    assert (done.added, done.tests) == (2, 2)
    first, second = items_of(database, tests)
    assert (first.is_test, first.expected, first.explanation) == (True, {"is_paraphrase": True}, "why")
    assert (second.expected, second.explanation) == ({"is_paraphrase": False}, None)
    also = open_campaign(database, [], title="also")
    assert import_items(database, also.campaign_id, [labelled], ItemsFrom(labels_are_tests=True), now=now).tests == 2
    unlabelled = written(tmp_path, "plain.tsv", "left\tright\na\tb\n")
    with pytest.raises(InputError, match="a test question needs its answer"):
        import_items(database, also.campaign_id, [], ItemsFrom(tests=(unlabelled,)), now=now)


CONTENTS = {
    "choose": {"original": "a", "candidates": [{"id": "1", "text": "b"}, {"id": "2", "text": "c"}]},
    "seed": {"sentences": [{"id": str(n), "text": f"s{n}"} for n in range(3)]},
    "topic": {"sentences": ["a", "b"]},
    "rate": {"source": "a", "generated": "b", "aspects": ["fluency"]},
    "match": {"left": {"text": "a"}, "right": {"text": "b"}},
    "extract": {"left": {"text": "a"}, "right": {"text": "b"}, "suggestions": []},
    "grade": {"left": "a", "right": "b", "left_document": {"text": "xa", "start": 1, "end": 2}},
    "write": {"source": "the storm"},
}


@pytest.mark.parametrize("task", CONTENTS)
@pytest.mark.parametrize("wrapped", [True, False])
def test_contents_of_any_kind_are_read_from_json_lines(
    database: Database, open_campaign: OpenCampaign, tmp_path: Path, now: datetime, task: str, wrapped: bool
) -> None:
    about = {"item_id": "../../../x", "group_id": "g", "origin": {"left_id": "l"}}
    row = {**about, "content": CONTENTS[task]} if wrapped else {**about, **CONTENTS[task]}
    file = written(tmp_path, "items.jsonl", json.dumps(row) + "\n")
    campaign = open_campaign(database, [], task=task)
    done = import_items(database, campaign.campaign_id, [file], ItemsFrom(format="contents"), now=now)
    assert (done.added, list(done.bad)) == (1, [])
    (item,) = items_of(database, campaign)
    assert (item.item_id, item.group_id, item.origin) == ("../../../x", "g", {"left_id": "l"})
    assert all(item.content[name] == value for name, value in CONTENTS[task].items() if isinstance(value, str))


def test_a_campaign_with_topics_of_its_own_asks_for_them(
    database: Database, open_campaign: OpenCampaign, tmp_path: Path, now: datetime
) -> None:
    file = written(tmp_path, "items.jsonl", '{"content": {"sentences": ["a"]}, "expected": "rain"}\n')
    campaign = open_campaign(database, [], task="topic", topics=("rain", "sun"))
    assert import_items(database, campaign.campaign_id, [file], now=now).tests == 1
    (item,) = items_of(database, campaign)
    assert list(item.content["topics"]) == ["rain", "sun"]


TURKU = [
    {
        "txt1": "täällä",
        "txt2": "tässä",
        "label": "4>",
        "context": {"doc1": {"text": "On 😢 täällä nyt", "begin": 5}, "doc2": {"text": "ja tässä"}},
    },
    {"txt1": "a", "txt2": "b", "label": "x"},
    {"txt1": "a"},
    {"txt1": "c", "txt2": "d", "context": {"doc1": {"text": "nowhere", "begin": 0}}},
]


def test_turkus_pairs_come_with_their_documents(
    database: Database, open_campaign: OpenCampaign, tmp_path: Path, now: datetime
) -> None:
    file = written(tmp_path, "train.json", json.dumps(TURKU))
    campaign = open_campaign(database, [], task="grade")
    done = import_items(database, campaign.campaign_id, [file], ItemsFrom(labels_are_tests=True), now=now)
    assert (done.added, done.tests) == (2, 2)
    assert [one.where for one in done.bad] == ["train.json, element 3", "train.json, element 4"]
    first, _ = items_of(database, campaign)
    assert first.content["left_document"]["start"] == 5
    assert first.content["right_document"]["start"] == 3
    assert first.expected is not None
    assert first.expected["label"] == "4>"


@pytest.mark.parametrize("task", ["pair", "grade", "choose", "seed", "topic", "write"])
def test_a_run_folder_gives_items_with_its_own_ids(
    sample_run: Path, database: Database, open_campaign: OpenCampaign, now: datetime, task: str
) -> None:
    from paraloom.engine.store import read_table

    pairs = {row["pair_id"]: row for row in read_table(sample_run, "pairs").to_pylist() if row["dropped_for"] is None}
    campaign = open_campaign(database, [], task=task)
    done = import_items(database, campaign.campaign_id, [sample_run], now=now)
    items = items_of(database, campaign)
    assert done.added == len(items) > 10
    if task in ("pair", "grade"):
        assert {item.item_id for item in items} == set(pairs)
        assert all(item.origin["rank"] == pairs[item.item_id]["rank"] for item in items)
        assert all(item.group_id == pairs[item.item_id]["group_id"] for item in items)
    if task == "grade":
        assert any(item.content.get("left_document") for item in items)
    if task == "choose":
        shown = [one["id"] for item in items for one in item.content["candidates"]]
        assert len(set(shown)) == len(shown)
        assert set(shown) <= set(pairs)
        assert max(len(item.content["candidates"]) for item in items) == 10
    if task == "seed":
        assert max(len(item.content["sentences"]) for item in items) == 11


def mined_run(folder: Path, count: int = 60, *, judged: bool = True) -> tuple[Path, list[str]]:
    """A mined run of which every third pair is held true, some are not judged, and some were dropped; those held true,
    best first."""
    pairs, labels, best = [], [], []
    for number in range(count):
        pair_id = make_id("mined", number)
        pairs.append({"pair_id": pair_id, "group_id": f"g{number}", "left_id": f"l{number}", "right_id": f"r{number}",
                      "left": f"storm {number}", "right": f"gale {number}", "proposed_by": "neighbours:fast",
                      "rank": number + 1, "dropped_for": "trivial: digits" if number % 6 == 0 else None})  # fmt: skip
        if number % 5:
            score = round((number * 7 % 10) / 10, 6)
            labels.append({"pair_id": pair_id, "definition": "loose", "score": score, "is_paraphrase": number % 3 == 0})
        if number % 6 and (not judged or (number % 5 and number % 3 == 0)):
            best.append((-score if judged else 0, number, pair_id))
    write(folder / "mined", "pairs", pairs, parts=4)
    if judged:
        write(folder / "mined", "labels", labels, parts=4)
    (folder / "mined" / "vectors.made_by.json").write_text("{}")
    return folder / "mined", [pair_id for _, _, pair_id in sorted(best)]


@pytest.mark.parametrize("judged", [True, False])
@pytest.mark.parametrize("task", ["pair", "grade"])
def test_of_a_mined_run_the_best_pairs_that_are_held_true_are_judged(
    database: Database, open_campaign: OpenCampaign, tmp_path: Path, now: datetime, judged: bool, task: str
) -> None:
    run, best = mined_run(tmp_path, judged=judged)
    assert len(best) > 6
    few, all_ = (open_campaign(database, [], task=task, title=title) for title in ("few", "all"))
    import_items(database, few.campaign_id, [run], ItemsFrom(most=5), now=now)
    assert [item.item_id for item in items_of(database, few)] == best[:5]
    import_items(database, all_.campaign_id, [run], now=now)
    assert [item.item_id for item in items_of(database, all_)] == best


@pytest.mark.parametrize("heeded", [True, False])
def test_labels_of_a_mined_run_count_if_they_were_heeded_when_it_was_mined_last(
    database: Database, open_campaign: OpenCampaign, tmp_path: Path, now: datetime, heeded: bool
) -> None:
    (run, best), (_, all_) = mined_run(tmp_path), mined_run(tmp_path / "other", judged=False)
    inputs = {"pairs": "0", "labels": "1"} if heeded else {"pairs": "0"}
    (run / "clusters.made_by.json").write_text(json.dumps({"inputs": inputs}))
    campaign = open_campaign(database, [])
    import_items(database, campaign.campaign_id, [run], now=now)
    assert [item.item_id for item in items_of(database, campaign)] == (best if heeded else all_)


def test_more_mined_pairs_than_people_judge_are_refused_unless_it_is_said_how_many(
    database: Database, open_campaign: OpenCampaign, tmp_path: Path, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, best = mined_run(tmp_path)
    monkeypatch.setattr("paraloom.judgments.exchange.mined_pairs.MOST_UNASKED", len(best) - 1)
    campaign = open_campaign(database, [])
    with pytest.raises(
        InputError, match=rf"has {len(best)} pairs that are held true.* --most 1000.*`paraloom mine sample"
    ):
        import_items(database, campaign.campaign_id, [run], now=now)
    assert import_items(database, campaign.campaign_id, [run], ItemsFrom(most=len(best)), now=now).added == len(best)


def test_of_a_file_the_first_pairs_are_taken_where_that_is_said(
    database: Database, open_campaign: OpenCampaign, tmp_path: Path, now: datetime
) -> None:
    file = written(tmp_path, "p.tsv", "left\tright\n" + "".join(f"storm {n}\tgale {n}\n" for n in range(9)))
    campaign = open_campaign(database, [])
    assert import_items(database, campaign.campaign_id, [file], ItemsFrom(most=4), now=now).added == 4
    assert [item.content["left"] for item in items_of(database, campaign)] == [f"storm {n}" for n in range(4)]
    with pytest.raises(InputError, match="--most 0 imports nothing"):
        ItemsFrom(most=0)


def test_a_run_folder_has_nothing_for_other_kinds(
    sample_run: Path, database: Database, open_campaign: OpenCampaign, now: datetime
) -> None:
    rated = open_campaign(database, [], task="rate", title="Rated")
    with pytest.raises(InputError, match="A run folder has no items for the task rate"):
        import_items(database, rated.campaign_id, [sample_run], now=now)
    matched = open_campaign(database, [], task="match", title="Matched")
    with pytest.raises(InputError, match="has no pairs of documents"):
        import_items(database, matched.campaign_id, [sample_run], now=now)
