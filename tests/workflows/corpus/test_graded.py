"""From judged pairs to a graded corpus: runs, judgments, labels and files of pairs, and back through other commands."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sqlalchemy import Connection

from paraloom.corpus.statistics_options import StatisticsOptions
from paraloom.engine.store import write_part
from paraloom.errors import InputError, NotMade, TargetTaken
from paraloom.judgments.campaigns import Campaign, campaign_of, change_state, create_campaign
from paraloom.judgments.exchange.export import export_judgments
from paraloom.judgments.exchange.items_in import import_items
from paraloom.judgments.people import Person, add_person
from paraloom.judgments.settings import CampaignSettings
from paraloom.judgments.store.migrate import open_database
from paraloom.tables import make_id
from paraloom.workflows.corpus.graded import graded_corpus
from paraloom.workflows.corpus.graded_options import GradedOptions
from paraloom.workflows.corpus.stats import corpus_statistics
from paraloom.workflows.evaluate.identification import evaluate_identification
from paraloom.workflows.evaluate.identification_options import IdentificationOptions
from paraloom.workflows.label.judged import label_judgments
from paraloom.workflows.label.options import VoteLabelOptions
from paraloom.workflows.train.identifier import train_identifier
from paraloom.workflows.train.identifier_options import TrainIdentifierOptions
from paraloom.workflows.train.training_sets import read_sets
from tests.corpus.run_tables import write
from tests.judgments.working import judge

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LINES = {
    "harbour": ("It blew hard. The boats came in.", "A gale raged. All ships returned."),
    "mill": ("He left at dawn. Nobody saw him.", "At dawn he went. He was not seen."),
}


def pair_id(film: str, number: int) -> str:
    return make_id("pair", film, number)


def sentence_id(film: str, version: int, number: int) -> str:
    return make_id(film, version, number)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Two films in two versions each, with two pairs of sentences: as a run of aligned documents has them."""
    folder = tmp_path / "run"
    documents, sentences, pairs, groups = [], [], [], []
    for film, versions in LINES.items():
        group = make_id("group", film)
        for version, text in enumerate(versions):
            document = make_id("document", film, version)
            documents.append({"document_id": document, "text": text, "kind": "subtitle", "work": film})
            groups.append({"group_id": group, "document_id": document, "kind": "aligned"})
            cut = text.index(". ") + 1
            for number, (start, end) in enumerate([(0, cut), (cut + 1, len(text))]):
                sentences.append(
                    {
                        "sentence_id": sentence_id(film, version, number),
                        "document_id": document,
                        "text": text[start:end],
                        "start": start,
                        "end": end,
                    }
                )
        texts = {row["sentence_id"]: row["text"] for row in sentences}
        for number in range(2):
            left, right = (sentence_id(film, version, number) for version in range(2))
            pairs.append(
                {
                    "pair_id": pair_id(film, number),
                    "group_id": group,
                    "left_id": left,
                    "right_id": right,
                    "left": texts[left],
                    "right": texts[right],
                    "proposed_by": "in-order",
                }
            )
    for table, rows in (("documents", documents), ("sentences", sentences), ("groups", groups), ("pairs", pairs)):
        write(folder, table, rows)
    return folder


def replace_works(run: Path, works: dict[str, str]) -> None:
    """Say that these films are of other works, and the others of none."""
    rows = pq.read_table(run / "documents").to_pylist()
    shutil.rmtree(run / "documents")
    write(run, "documents", [{**row, "work": works.get(row["work"])} for row in rows])


def judgment(film: str, number: int, person: str, label: str, **more: Any) -> dict[str, Any]:
    return {
        "judgment_id": make_id(film, number, person, label),
        "campaign": "films",
        "task": "grade",
        "item_id": pair_id(film, number),
        "annotator": person,
        "answer": json.dumps({"label": label}),
        "created_at": "2026-03-01T12:00:00Z",
    } | more


def written(file: Path, rows: list[dict[str, Any]]) -> Path:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


def rows_of(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def by_id(file: Path) -> dict[str, dict[str, Any]]:
    found = {row["pair_id"]: row for row in rows_of(file)}
    assert len(found) == len(rows_of(file))
    return found


def test_judgments_become_labels_of_the_pair_in_its_own_order(run: Path, tmp_path: Path) -> None:
    seen_first = {"left_id": sentence_id("harbour", 1, 0)}  # the right one of the pair
    judgments = written(
        tmp_path / "j.jsonl",
        [
            judgment("harbour", 0, "ann", "4>s", **seen_first),
            judgment("harbour", 0, "bo", "4<s", left_id=sentence_id("harbour", 0, 0)),
            judgment("harbour", 1, "ann", "4>"),
            judgment("harbour", 1, "bo", "3"),
            judgment("mill", 0, "ann", "x"),
            judgment("mill", 1, "ann", "4>"),
            judgment("mill", 1, "bo", "2"),
            judgment("mill", 1, "cat", "4<", is_decision=True, left_id=sentence_id("mill", 1, 1)),
        ],
    )
    made = graded_corpus([run, judgments], tmp_path / "out.jsonl", GradedOptions(letters_around=4))
    rows = by_id(tmp_path / "out.jsonl")
    one, other = rows[pair_id("harbour", 0)], rows[pair_id("mill", 1)]
    assert len(rows) == 2
    assert (one["label"], one["said"], one["votes"], one["labelled_by"]) == ("4<s", "4<s 4<s", 2, "agreed")
    assert (other["label"], other["labelled_by"]) == ("4>", "decision")
    assert (one["left"], one["left_start"], one["left_end"], one["left_after"], one["source"]) == (
        "It blew hard.",
        0,
        13,
        " The",
        "subtitle",
    )
    assert (one["right_document_id"], one["left_before"]) == (make_id("document", "harbour", 1), "")
    assert (made.given_pairs, made.pairs, made.left_out) == (4, 2, {"differing": 1, "skipped": 1})
    assert (made.differs_in, made.settled) == ({"base": 2}, 1)
    assert "people differ in: base 2; 1 was decided" in made.as_text()


def test_a_file_of_labels_is_taken_as_far_as_it_tells(run: Path, tmp_path: Path) -> None:
    labels = tmp_path / "labels.parquet"
    given = [
        ("harbour", 0, "4>", True, 2, 2, sentence_id("harbour", 1, 0)),
        ("harbour", 1, "4", True, 1, 2, None),
        ("mill", 0, None, True, 2, 2, None),
        ("mill", 1, "2", False, 0, 2, None),
    ]
    pq.write_table(
        pa.table(
            {
                "pair_id": [*(pair_id(film, number) for film, number, *_ in given), make_id("elsewhere")],
                "definition": ["graded"] * 5,
                "is_paraphrase": [*(row[3] for row in given), True],
                "grade": [*(row[2] for row in given), "4"],
                "votes_for": [*(row[4] for row in given), 1],
                "votes": [*(row[5] for row in given), 1],
                "labelled_by": ["dawid-skene"] * 5,
                "left_id": pa.array([*(row[6] for row in given), None], pa.string()),
            }
        ),
        labels,
    )
    made = graded_corpus([run, labels], tmp_path / "out.jsonl")
    rows = by_id(tmp_path / "out.jsonl")
    assert {name: row["label"] for name, row in rows.items()} == {
        pair_id("harbour", 0): "4<",
        pair_id("mill", 1): "2",
    }
    with pytest.raises(InputError, match=r"No pair can be released: .*5 labels are of pairs that were not given"):
        graded_corpus([labels], tmp_path / "none.jsonl")
    assert rows[pair_id("harbour", 0)]["labelled_by"] == "dawid-skene"
    assert made.left_out == {"differing": 1, "tied": 1}
    assert any("1 label is of pairs that were not given" in note for note in made.notes)
    assert any("Give the judgments too" in note for note in made.notes)
    graded_corpus([run, labels], tmp_path / "vote.tsv", GradedOptions(differing="vote", scheme="binary"))
    header, *lines = (tmp_path / "vote.tsv").read_text("utf-8").splitlines()
    place = header.split("\t").index("label")
    assert sorted(line.split("\t")[place] for line in lines) == ["0", "1", "1", "1"]


def test_what_an_identifier_says_counts_where_nobody_was_asked(run: Path, tmp_path: Path) -> None:
    silver = [
        {"pair_id": pair_id(film, number), "definition": "graded", "grade": "3", "labelled_by": "model|version:1"}
        for film in LINES
        for number in range(2)
    ]
    write(run, "labels", silver)
    graded_corpus([run], tmp_path / "silver.jsonl")
    assert {row["labelled_by"] for row in rows_of(tmp_path / "silver.jsonl")} == {"model|version:1"}
    judgments = written(tmp_path / "j.jsonl", [judgment("mill", 0, "ann", "4")])
    made = graded_corpus([run, judgments], tmp_path / "gold.jsonl")
    assert [row["label"] for row in rows_of(tmp_path / "gold.jsonl")] == ["4"]
    assert made.left_out == {"unlabelled": 3}


def test_the_splits_of_a_run_are_kept_and_pairs_across_a_cut_left_out(run: Path, tmp_path: Path) -> None:
    rows = [
        {"group_id": make_id("group", "harbour"), "split": "test", "is_across": False},
        {"group_id": make_id("group", "mill"), "split": "train", "is_across": True},
    ]
    write_part(pa.Table.from_pylist(rows), run / "splits.parquet")
    judgments = written(tmp_path / "j.jsonl", [judgment(film, n, "ann", "4") for film in LINES for n in range(2)])
    made = graded_corpus([run, judgments], tmp_path / "out.jsonl", GradedOptions(both_ways=True))
    found = rows_of(tmp_path / "out.jsonl")
    assert {row["split"] for row in found} == {"test"}
    assert len({row["group"] for row in found}) == 1
    assert (made.rows, made.pairs, made.left_out) == (4, 2, {"across_splits": 2})


def test_what_people_extracted_is_in_the_split_that_the_run_gave_its_documents(run: Path, tmp_path: Path) -> None:
    """An export has no splits of its own; and what hangs together, article by article, may lie in several."""
    replace_works(run, {})
    splits = [("harbour", "test", False), ("mill", "train", False), ("chain", "train", True)]
    rows = [{"group_id": make_id("group", name), "split": split, "is_across": of} for name, split, of in splits]
    write_part(pa.Table.from_pylist(rows), run / "splits.parquet")

    def extracted(name: str, group: str, left: tuple[str, int], right: tuple[str, int]) -> dict[str, str]:
        ids = {"left_id": sentence_id(*left, 0), "right_id": sentence_id(*right, 1)}
        texts = {"left": f"left of {name}", "right": f"right of {name}", "proposed_by": "extract:7"}
        return {"pair_id": make_id(name), "group_id": make_id("group", group), **ids, **texts}

    new = [
        extracted("in harbour", "harbour", ("harbour", 0), ("harbour", 1)),
        extracted("in mill", "mill", ("mill", 0), ("mill", 1)),
        extracted("in chain", "chain", ("harbour", 1), ("mill", 1)),
        extracted("of a pair of documents that nothing was suggested in", "new", ("harbour", 0), ("harbour", 1)),
        extracted("of one across", "new across", ("harbour", 0), ("mill", 1)),
    ]
    write(tmp_path / "exported", "pairs", new)
    judged = [judgment("any", n, "ann", "4", item_id=row["pair_id"]) for n, row in enumerate(new)]
    given = [run, tmp_path / "exported", written(tmp_path / "j.jsonl", judged)]
    old = [judgment(film, 0, "ann", "3") for film in LINES]
    for order in (given, given[::-1]):
        made = graded_corpus(
            [*order, written(tmp_path / "old.jsonl", old)], tmp_path / "out.jsonl", GradedOptions(overwrite=True)
        )
        found = {row["left"]: row["split"] for row in rows_of(tmp_path / "out.jsonl") if row["label"] == "4"}
        assert found == {
            "left of in harbour": "test",
            "left of in mill": "train",
            "left of of a pair of documents that nothing was suggested in": "test",
        }
        assert made.left_out == {"across_splits": 2, "unlabelled": 2}
    # Where two runs say something else of a group, the first one has the last word.
    write_part(pa.Table.from_pylist([rows[0] | {"split": "dev"}]), tmp_path / "exported" / "splits.parquet")
    for order, split in ((given, "test"), ([given[1], run, given[2]], "dev")):
        graded_corpus(order, tmp_path / "out.jsonl", GradedOptions(overwrite=True))
        assert by_id(tmp_path / "out.jsonl")[make_id("in harbour")]["split"] == split


KEPT_TOGETHER: list[tuple[dict[str, str], bool, int]] = [
    ({}, False, 2),
    ({"harbour": "one", "mill": "two"}, False, 2),
    ({"harbour": "one", "mill": "one"}, False, 1),
    ({}, True, 1),
]


@pytest.mark.parametrize(("works", "is_joined", "groups"), KEPT_TOGETHER)
def test_what_shares_a_work_or_a_document_is_not_parted(
    run: Path, tmp_path: Path, works: dict[str, str], is_joined: bool, groups: int
) -> None:
    replace_works(run, works)
    judged = [judgment(film, number, "ann", "4") for film in LINES for number in range(2)]
    if is_joined:
        ids = {"left_id": sentence_id("harbour", 0, 0), "right_id": sentence_id("mill", 1, 0)}
        joining = {"pair_id": make_id("joining"), "group_id": make_id("group", "joining"), **ids}
        write(tmp_path / "more", "pairs", [joining | {"left": "a", "right": "b", "proposed_by": "extract:7"}])
        judged.append(judgment("any", 0, "ann", "4", item_id=joining["pair_id"]))
    given = [run, *([tmp_path / "more"] if is_joined else []), written(tmp_path / "j.jsonl", judged)]
    assert graded_corpus(given, tmp_path / "out.jsonl").groups == groups


@pytest.fixture
def graded_by_people(run: Path, tmp_path: Path) -> Callable[..., Path]:
    """Call it with answers by pair and person: they are given in a real store and exported as tables."""

    def graded(answers: dict[str, list[dict[str, Any]]]) -> Path:
        database = open_database(f"sqlite:///{tmp_path / 'store.db'}")

        def opened(connection: Connection) -> tuple[Campaign, list[Person]]:
            settings = CampaignSettings(judgments_per_item=2)
            made = create_campaign(connection, task="grade", title="Films", settings=settings, now=NOW, by="test")
            people = [
                add_person(connection, name=name, hashed=None, role="annotator", now=NOW, by="test")
                for name in ("Ann", "Bo")
            ]
            return made, people

        campaign, people = database.write(opened)
        import_items(database, campaign.campaign_id, [run], now=NOW)
        database.write(lambda c: change_state(c, campaign.campaign_id, "open", now=NOW, by="test"))
        campaign = database.read(lambda c: campaign_of(c, campaign.campaign_id))
        for item, said in answers.items():
            for number, (person, answer) in enumerate(zip(people, said, strict=False)):
                judge(database, campaign, person, item, answer, NOW + timedelta(minutes=number))
        export_judgments(database, tmp_path / "exported", format="tables")
        database.close()
        return tmp_path / "exported"

    return graded


def test_from_a_campaign_to_a_corpus_with_rewrites(
    run: Path, tmp_path: Path, graded_by_people: Callable[..., Path]
) -> None:
    mended = {"label": "3", "rewrite_right": "All boats returned."}
    exported = graded_by_people(
        {
            pair_id("harbour", 0): [{"label": "4>"}, {"label": "4>"}],
            pair_id("harbour", 1): [mended, mended],
            pair_id("mill", 0): [{"label": "4"}, {"label": "3", "rewrite_left": "He went at dawn."}],
            pair_id("mill", 1): [{"label": "x"}, {"label": "x"}],
        }
    )
    made = graded_corpus([run, exported], tmp_path / "out.jsonl")
    rows = rows_of(tmp_path / "out.jsonl")
    assert (made.given_pairs, made.given_rewrites, made.pairs, made.rewrites) == (4, 2, 2, 2)
    assert made.left_out == {"differing": 1, "skipped": 1}
    rewrites = {row["rewrite_of"]: row for row in rows if row["rewrite_of"]}
    assert set(rewrites) == {pair_id("harbour", 1), pair_id("mill", 0)}
    new = rewrites[pair_id("harbour", 1)]
    assert (new["left"], new["right"], new["label"], new["source"]) == (
        "The boats came in.",
        "All boats returned.",
        "4",
        "subtitle",
    )
    assert (new["left_start"], new["right_start"]) == (14, None), "the side that was left as it was has its place"
    groups = {row["pair_id"]: (row["group"], row["split"]) for row in rows}
    assert groups[new["pair_id"]] == groups[pair_id("harbour", 1)]
    places = [row["pair_id"] for row in rows]
    assert places.index(new["pair_id"]) == places.index(pair_id("harbour", 1)) + 1
    without = graded_corpus([run, exported], tmp_path / "two.jsonl", GradedOptions(without_rewrites=True))
    assert (without.rewrites, without.left_out["rewrite"]) == (0, 2)
    kept = {row["pair_id"]: row["split"] for row in rows_of(tmp_path / "two.jsonl")}
    assert kept == {name: groups[name][1] for name in kept}
    labels = tmp_path / "labels.tsv"
    label_judgments([exported / "judgments"], labels, VoteLabelOptions(definition="graded", resamples=20))
    graded_corpus([run, exported, labels], tmp_path / "again.jsonl")
    assert rows_of(tmp_path / "again.jsonl") == rows


def storms(count: int) -> list[dict[str, Any]]:
    """Pairs in the form of the Turku corpus."""
    return [
        {
            "txt1": f"Storm {number} hit the coast of {place} on day {number}.",
            "txt2": f"On day {number} the coast of {place} met storm {number}."
            if number % 3
            else f"The market of {place} fell by {number} points.",
            "label": ("4>", "4", "3", "4<is")[number % 4] if number % 3 else "2",
            "goeswith": f"film-{number // 4}" if number % 2 else None,
            "rewrites": [[f"Storm {number} struck {place}.", f"{place} was struck by storm {number}."]]
            if number % 5 == 1
            else [],
        }
        for number, place in ((number, f"place{number}") for number in range(count))
    ]


@pytest.fixture
def turku(tmp_path: Path) -> Path:
    file = tmp_path / "dev.json"
    file.write_text(json.dumps(storms(120)), encoding="utf-8")
    return file


@pytest.mark.parametrize("ending", ["jsonl", "json", "tsv", "csv", "parquet", "jsonl.gz"])
def test_other_commands_read_what_is_written(turku: Path, tmp_path: Path, ending: str) -> None:
    out = tmp_path / f"corpus.{ending}"
    made = graded_corpus([turku], out)
    (figures,) = corpus_statistics([out], StatisticsOptions(language="en")).corpora
    (before,) = corpus_statistics([turku], StatisticsOptions(language="en", with_rewrites=True)).corpora
    assert (figures.pairs, figures.labels.scheme) == (made.rows, "graded")
    assert figures.labels.full == before.labels.full
    assert figures.labels.merged == before.labels.merged
    again = tmp_path / f"again.{ending}"
    second = graded_corpus([out], again)
    assert (second.rows, second.labels, second.splits, second.groups) == (
        made.rows,
        made.labels,
        made.splits,
        made.groups,
    )


def test_an_identifier_learns_from_it_and_no_pair_is_parted_from_its_twin_or_rewrites(
    turku: Path, tmp_path: Path
) -> None:
    corpus = tmp_path / "corpus.jsonl"
    made = graded_corpus([turku], corpus, GradedOptions(both_ways=True, train_share=1, dev_share=0))
    options = TrainIdentifierOptions(system="ngram-regression", definition="graded", resamples=20, held_out_share=0.3)
    card = train_identifier([corpus], tmp_path / "model", options)
    (source,) = card.sources
    assert source["training_pairs"] + source["held_out_pairs"] == made.rows  # type: ignore[operator]
    assert not card.notes
    sets = read_sets([corpus], options, {}, with_grades=True)
    learned, held_out = (
        {number for text in (*part.left, *part.right) for number in re.findall(r"place\d+", text)}
        for part in (sets.examples[0], sets.held_out[0])
    )
    assert learned.isdisjoint(held_out)
    assert len(learned | held_out) == 120
    evaluated = evaluate_identification(
        [corpus],
        IdentificationOptions(
            model=(str(tmp_path / "model"),), definition="graded", columns=("label=is_paraphrase",), resamples=20
        ),
    )
    assert evaluated.systems[0].figures["f1"].value > 0.5
    graded_corpus([turku], tmp_path / "binary.tsv", GradedOptions(scheme="binary"))
    evaluate_identification([tmp_path / "binary.tsv"], IdentificationOptions(model=("ngram-regression",), resamples=20))


def test_its_splits_are_those_of_training(turku: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    made = graded_corpus([turku], corpus, GradedOptions(both_ways=True))
    options = TrainIdentifierOptions(system="ngram-regression", definition="graded", resamples=20)
    card = train_identifier([corpus], tmp_path / "model", options)
    (source,) = card.sources
    assert (source["training_pairs"], source["held_out_pairs"]) == (made.splits["train"], made.splits["dev"])
    assert list(card.notes) == [
        f"corpus.jsonl: {made.splits['test']} pairs of its test split left out, {made.splits['dev']} pairs of its dev "
        "split held out."
    ]
    learned = read_sets([corpus], options, {}, with_grades=True).examples[0]
    assert {(row["left"], row["right"]) for row in rows_of(corpus) if row["split"] == "train"} == {
        *zip(learned.left, learned.right, strict=True)
    }


def test_each_pair_is_there_both_ways_in_one_split(turku: Path, tmp_path: Path) -> None:
    graded_corpus([turku], tmp_path / "out.jsonl", GradedOptions(both_ways=True, scheme="base-and-direction"))
    rows = by_id(tmp_path / "out.jsonl")
    turned = {"4>": "4<", "4<": "4>"}
    twins = 0
    for name, row in rows.items():
        if not row["is_turned"]:
            twin = rows[f"{name}-turned"]
            twins += 1
            assert (twin["left"], twin["right"], twin["group"], twin["split"]) == (
                row["right"],
                row["left"],
                row["group"],
                row["split"],
            )
            assert twin["label"] == turned.get(row["label"], row["label"])
    assert 2 * twins == len(rows)
    splits = {
        group: {row["split"] for row in rows.values() if row["group"] == group}
        for group in {row["group"] for row in rows.values()}
    }
    assert all(len(found) == 1 for found in splits.values())


def test_all_labels_may_be_kept(tmp_path: Path) -> None:
    file = tmp_path / "a.tsv"
    file.write_text("left\tright\tlabel\nit blew\ta gale\t4>\nit blew\ta gale\t3\nrain\tsun\t2\n", encoding="utf-8")
    made = graded_corpus([file], tmp_path / "out.jsonl", GradedOptions(differing="keep-all"))
    rows = rows_of(tmp_path / "out.jsonl")
    assert [(row["label"], row["said"], row["votes"]) for row in rows] == [
        ("3", "3 4>", 2),
        ("4>", "3 4>", 2),
        ("2", "2", 1),
    ]
    assert (made.pairs, made.rows) == (2, 3)


def test_a_file_of_pairs_and_judgments_meet_by_the_id(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("pair_id\tleft\tright\np1\tit blew\ta gale\np2\train\tsun\n", encoding="utf-8")
    judgments = written(
        tmp_path / "j.jsonl", [judgment("x", 0, "ann", "4>", item_id="p1"), judgment("x", 1, "bo", "4>", item_id="p1")]
    )
    made = graded_corpus([pairs, judgments], tmp_path / "out.jsonl")
    assert [(row["pair_id"], row["label"]) for row in rows_of(tmp_path / "out.jsonl")] == [("p1", "4>")]
    assert made.left_out == {"unlabelled": 1}


def test_pairs_of_a_run_that_a_file_labels_keep_their_documents(run: Path, tmp_path: Path) -> None:
    pairs = pq.read_table(run / "pairs").to_pylist()
    rows = [{"pair_id": row["pair_id"], "left": row["left"], "right": row["right"], "label": "4>"} for row in pairs]
    swapped = {"left": rows[0]["right"], "right": f" {rows[0]['left']}", "label": "4<"}
    file = written(tmp_path / "labelled.jsonl", [rows[0] | swapped, *rows[1:]])
    made = graded_corpus([run, file], tmp_path / "out.jsonl")
    found = by_id(tmp_path / "out.jsonl")
    assert (made.given_pairs, made.pairs, made.left_out) == (4, 4, {})
    assert {row["label"] for row in found.values()} == {"4>"}
    assert len({row["group"] for row in found.values()}) == 2
    for film in LINES:
        places = {found[pair_id(film, number)]["left_document_id"] for number in range(2)}
        assert places == {make_id("document", film, 0)}

    other = written(tmp_path / "other.jsonl", [row | {"left": "something else"} for row in rows[:1]])
    made = graded_corpus([run, other, file], tmp_path / "out.jsonl", GradedOptions(overwrite=True))
    assert made.left_out == {"another_pair_of_this_id": 2, "unlabelled": 1}


@pytest.mark.parametrize("again", [["run"], ["judgments"], ["corpus"], ["run", "judgments", "corpus"]])
@pytest.mark.parametrize("differing", ["drop", "vote", "keep-all"])
def test_a_corpus_that_is_given_again_tells_nothing_twice(
    run: Path, tmp_path: Path, again: list[str], differing: Any
) -> None:
    judgments = written(
        tmp_path / "j.jsonl",
        [
            *(judgment("mill", 0, who, label) for who, label in [("ann", "4>"), ("bo", "4>"), ("cat", "3")]),
            *(judgment("mill", 1, who, "4<") for who in ("ann", "bo")),
            judgment("harbour", 0, "ann", "2"),
        ],
    )
    corpus = tmp_path / "corpus.jsonl"
    graded_corpus([run, judgments], corpus, GradedOptions(differing="keep-all"))
    graded_corpus([run, judgments], tmp_path / "once.jsonl", GradedOptions(differing=differing))
    files = {"run": run, "judgments": judgments, "corpus": corpus}
    graded_corpus(
        [corpus, *(files[name] for name in again)], tmp_path / "again.jsonl", GradedOptions(differing=differing)
    )
    told = ("pair_id", "label", "said", "votes_for", "votes", "labelled_by", "split", "left_document_id")
    once, twice = (
        sorted([row[name] for name in told] for row in rows_of(tmp_path / f"{name}.jsonl"))
        for name in ("once", "again")
    )
    assert once == twice


def test_work_of_other_kinds_is_no_label_that_was_left_out(run: Path, tmp_path: Path) -> None:
    accepted = {"task": "match", "answer": json.dumps({"accept": True}), "item_id": make_id("group", "mill")}
    others = [
        judgment("mill", 0, "ann", "first", **accepted),
        judgment("mill", 0, "ann", "later", **accepted, created_at="2026-03-01T13:00:00Z"),
        judgment("mill", 0, "bo", "test", **accepted, is_test=True),
        judgment("mill", 0, "cat", "aside", **accepted, not_counted_for="set_aside"),
    ]
    judged = [judgment("mill", 0, "ann", "4"), judgment("mill", 1, "ann", "4", not_counted_for="set_aside")]
    made = graded_corpus([run, written(tmp_path / "j.jsonl", [*others, *judged])], tmp_path / "out.jsonl")
    assert (made.pairs, made.left_out) == (1, {"set_aside": 1, "unlabelled": 3})


def test_a_file_that_is_there_is_replaced_only_if_asked(turku: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text("mine\n", encoding="utf-8")
    with pytest.raises(TargetTaken, match="--overwrite"):
        graded_corpus([turku], out)
    nothing = tmp_path / "nothing.tsv"
    nothing.write_text("left\tright\tlabel\na\tb\tx\n", encoding="utf-8")
    with pytest.raises(InputError, match="No pair can be released: 1 × skipped"):
        graded_corpus([nothing], out, GradedOptions(overwrite=True))
    assert out.read_text(encoding="utf-8") == "mine\n"
    graded_corpus([turku], out, GradedOptions(overwrite=True))
    assert len(rows_of(out)) == 144
    assert sorted(file.name for file in tmp_path.iterdir()) == ["dev.json", "nothing.tsv", "out.jsonl"]


REFUSED = [
    ({}, "out.xml", "Files with rows end in"),
    ({"least_grade": 5}, "out.jsonl", "--least-grade 5 is no grade"),
    ({"letters_around": -1}, "out.jsonl", "--letters-around -1"),
    ({"train_share": 0.9, "dev_share": 0.2}, "out.jsonl", "--train-share or --dev-share"),
    ({}, "dev.json", "is given to be read itself"),
    ({"columns": ("label=gold",)}, "out.jsonl", "no column 'gold'"),
]


@pytest.mark.parametrize(("settings", "out", "why"), REFUSED)
def test_what_cannot_be_done_is_said(turku: Path, tmp_path: Path, settings: dict[str, Any], out: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        graded_corpus([turku], tmp_path / out, GradedOptions(overwrite=True, **settings))
    assert turku.read_text(encoding="utf-8").startswith("[")


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises((InputError, NotMade), match="empty"):
        graded_corpus([tmp_path / "empty"], tmp_path / "out.jsonl")
    with pytest.raises(InputError, match="There is nothing"):
        graded_corpus([], tmp_path / "out.jsonl")


def test_the_files_of_a_table_are_left_alone(run: Path) -> None:
    with pytest.raises(InputError, match="lies among the files of the table pairs"):
        graded_corpus([run], run / "pairs" / "out.jsonl")


def test_texts_that_a_format_cannot_hold_are_told(tmp_path: Path) -> None:
    file = written(tmp_path / "a.jsonl", [{"left": "it\tblew", "right": "a gale", "label": "4"}])
    made = graded_corpus([file], tmp_path / "out.tsv")
    assert made.notes == ("1 text has tabs or line ends, written as spaces: TSV cannot hold them.",)
    assert "it blew\ta gale" in (tmp_path / "out.tsv").read_text("utf-8")


def test_a_pair_that_a_person_found_is_kept_though_it_was_not_suggested(run: Path, tmp_path: Path) -> None:
    found = {
        "pair_id": pair_id("mill", 0),
        "group_id": make_id("group", "mill"),
        "left_id": sentence_id("mill", 0, 0),
        "right_id": sentence_id("mill", 1, 0),
        "left": "He left at dawn.",
        "right": "At dawn he went.",
        "proposed_by": "extract:7",
    }
    for number, (folder, reason) in enumerate([("suggested", "trivial"), ("extracted", None)]):
        write(tmp_path / folder, "pairs", [found | {"dropped_for": reason, "rank": number}])
    judgments = written(tmp_path / "j.jsonl", [judgment("mill", 0, "ann", "4")])
    suggested, extracted = tmp_path / "suggested", tmp_path / "extracted"
    for order in ([suggested, extracted, run], [extracted, suggested, run], [run, suggested, extracted]):
        made = graded_corpus([*order, judgments], tmp_path / "out.jsonl", GradedOptions(overwrite=True))
        assert (made.given_pairs, made.pairs, made.left_out) == (4, 1, {"unlabelled": 3})
    with pytest.raises(InputError, match="1 × trivial"):
        graded_corpus([suggested, judgments], tmp_path / "none.jsonl")


VOTES = [
    ("4> 4> 3", "full", ["4>"]),
    ("3 4 4> 2 2", "full", ["4"]),
    ("4> 2", "full", []),
    ("x x 3", "full", []),
    ("4> 3 4s", "base", ["4"]),
    ("4 4s", "binary", ["1"]),
]


@pytest.mark.parametrize(("said", "scheme", "expected"), VOTES)
def test_what_people_differ_on_may_be_put_to_the_vote(
    tmp_path: Path, said: str, scheme: Any, expected: list[str]
) -> None:
    file = tmp_path / "a.tsv"
    file.write_text(f"left\tright\tlabel\nit blew\ta gale\t{said}\nrain\tsun\t2\n", encoding="utf-8")
    graded_corpus([file], tmp_path / "out.jsonl", GradedOptions(differing="vote", scheme=scheme))
    assert [row["label"] for row in rows_of(tmp_path / "out.jsonl") if row["left"] == "it blew"] == expected


BAD_LABELS = [
    ("pair_id\tdefinition\tgrade\nPAIR\tloose\t4\n", "holds no label of the definition graded"),
    (
        "pair_id\tdefinition\tgrade\nPAIR\tgraded\tgood\n",
        "line 2: a row of labels has 'good', which is no graded",
    ),
    ("pair_id\tdefinition\tgrade\n\tgraded\t4\n", "line 2: a row of labels has no pair_id"),
    ("pair_id\tgrade\nPAIR\t4\nPAIR\t3\n", "line 3: there is a label of the pair PAIR already"),
]


@pytest.mark.parametrize(("content", "why"), BAD_LABELS)
def test_a_file_of_labels_that_says_nothing_clear_is_refused(run: Path, tmp_path: Path, content: str, why: str) -> None:
    labels, pair = tmp_path / "labels.tsv", pair_id("mill", 0)
    labels.write_text(content.replace("PAIR", pair), encoding="utf-8")
    with pytest.raises(InputError, match=why.replace("PAIR", pair)):
        graded_corpus([run, labels], tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()


def test_labels_that_cannot_be_turned_for_want_of_ids_are_told(tmp_path: Path) -> None:
    seen_first = sentence_id("harbour", 1, 0)
    ids = {"left_id": sentence_id("harbour", 0, 0), "right_id": seen_first}
    judgments = written(
        tmp_path / "j.jsonl",
        [
            judgment("harbour", 0, "ann", "4>", left_id=seen_first),
            judgment("harbour", 1, "ann", "3", left_id=sentence_id("harbour", 1, 1)),
            judgment("mill", 0, "ann", "4>"),
        ],
    )
    names = (pair_id("harbour", 0), pair_id("harbour", 1), pair_id("mill", 0))
    pairs = [{"pair_id": name, "left": f"a {name}", "right": f"b {name}"} for name in names]
    told = []
    for given in (pairs, [pairs[0] | ids, *pairs[1:]]):
        file = written(tmp_path / "pairs.jsonl", given)
        made = graded_corpus([file, judgments], tmp_path / "out.jsonl", GradedOptions(overwrite=True))
        told.append(
            (by_id(tmp_path / "out.jsonl")[names[0]]["label"], [one for one in made.notes if "right_id" in one])
        )
    (as_it_stands, (note,)), (turned, none) = told
    assert (as_it_stands, turned, none) == ("4>", "4<", [])
    assert note.startswith("1 pair has a label with a direction (< or >) whose left sentence is known")


def test_labels_written_as_json_are_read_as_labels(run: Path, tmp_path: Path) -> None:
    judgments = written(tmp_path / "j.jsonl", [judgment("harbour", 0, person, "4") for person in ("ann", "bo")])
    label_judgments([judgments], tmp_path / "labels.json", VoteLabelOptions(definition="graded"))
    made = graded_corpus([run, tmp_path / "labels.json"], tmp_path / "out.jsonl")
    assert (made.pairs, made.labels) == (1, {"4": 1})
