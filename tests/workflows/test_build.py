"""A build from files to corpus: what its tables promise, what a second run does, what never changes a result."""

from __future__ import annotations

import csv
import gzip
import json
import random
import shutil
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from paraloom import sample
from paraloom.corpus.options import CorpusOptions
from paraloom.documents.options import ReadOptions
from paraloom.engine import buckets, store
from paraloom.errors import EngineError, InputError, TargetTaken
from paraloom.graphs import clusters
from paraloom.groups.options import GroupOptions
from paraloom.labels.options import LabelOptions
from paraloom.sentences.options import SentenceOptions
from paraloom.tables import NOUNS, check, schema
from paraloom.text.normalise import comparable
from paraloom.workflows.build import TABLES, BuildOptions, build

Rows = list[dict[str, Any]]
SALTED = BuildOptions(read=ReadOptions(author_salt="grain"))


def rows(run: Path, table: str) -> Rows:
    return store.read_table(run, table).to_pylist()


def as_lines(posts: Rows) -> bytes:
    return "".join(json.dumps(post, ensure_ascii=False) + "\n" for post in posts).encode()


def without_place(run: Path, table: str = "documents") -> Rows:
    """Rows but for where in the files they were."""
    return [{name: row[name] for name in row if name not in ("file", "offset")} for row in rows(run, table)]


@pytest.fixture(scope="module")
def small_run(tmp_path_factory: pytest.TempPathFactory, posts: Rows) -> Path:
    folder = tmp_path_factory.mktemp("small")
    (folder / "posts.jsonl").write_bytes(as_lines(posts))
    return build([folder / "posts.jsonl"], folder / "run", SALTED).run


@pytest.mark.parametrize("table", TABLES)
def test_a_table_has_its_nouns_schema_a_unique_key_and_the_keys_order(sample_run: Path, table: str) -> None:
    noun = NOUNS[table]
    read = store.read_table(sample_run, table)
    assert read.schema.remove_metadata() == schema(noun)
    assert check(read, noun) == read
    keys = [tuple(row[column] for column in noun.KEY) for row in read.to_pylist()]
    assert keys == sorted(keys)
    assert len(keys) > 50


@pytest.mark.parametrize("table", TABLES)
def test_its_file_says_how_a_table_was_made(sample_run: Path, table: str) -> None:
    made_by = store.read_made_by(sample_run, table)
    assert made_by["rows"] == len(rows(sample_run, table))
    assert made_by["step"] == table
    steps = {name: store.read_made_by(sample_run, name)["signature"] for name in TABLES}
    assert all(made_by["inputs"][name] == steps[name] for name in made_by["inputs"] if name in TABLES)


def test_no_secret_and_no_place_on_this_machine_is_written_down(sample_run: Path, tmp_path: Path) -> None:
    written = "".join(file.read_text() for file in sample_run.glob("*.made_by.json"))
    assert str(sample.posts().parent) not in written
    assert str(sample_run) not in written
    assert '"author_salt": "sample"' not in written


def test_nothing_unfinished_is_left(sample_run: Path) -> None:
    assert not (sample_run / store.UNFINISHED).exists()
    assert list(sample_run.rglob(".*")) == []


def modified(run: Path) -> dict[str, int]:
    files = [file for table in TABLES for file in (run / table).iterdir()]
    return {str(file): file.stat().st_mtime_ns for file in [*files, *run.glob("*.made_by.json"), run / "splits.json"]}


def test_a_second_run_does_nothing_and_is_quick(small_run: Path) -> None:
    before = modified(small_run)
    told: list[tuple[str, str, int, int]] = []
    started = time.perf_counter()
    build(
        [small_run.parent / "posts.jsonl"],
        small_run,
        SALTED,
        until="labels",
        progress=lambda *event: told.append(event),
    )
    assert time.perf_counter() - started < 2
    assert {name for _, name, _, _ in told} == {"looked for"}
    build([small_run.parent / "posts.jsonl"], small_run, SALTED)
    assert modified(small_run) == before


OTHER_WAYS: list[tuple[BuildOptions, str]] = [
    (replace(SALTED, read=ReadOptions(author_salt="pepper")), r"documents was made another way \(options.author_salt"),
    (replace(SALTED, groups=GroupOptions(min_posts=3)), r"options\.min_posts was 2, is 3"),
    (replace(SALTED, sentences=SentenceOptions(min_tokens=6)), r"options\.min_tokens was 5, is 6"),
    (replace(SALTED, labels=LabelOptions(threshold=0.7)), r"options\.threshold was 0\.5, is 0\.7"),
    (replace(SALTED, corpus=CorpusOptions(keep_poor_groups=True)), r"corpus was made another way"),
]


@pytest.mark.parametrize(("options", "said"), OTHER_WAYS)
def test_another_option_is_refused_and_the_old_tables_stay(small_run: Path, options: BuildOptions, said: str) -> None:
    before = modified(small_run)
    with pytest.raises(TargetTaken, match=said):
        build([small_run.parent / "posts.jsonl"], small_run, options)
    assert modified(small_run) == before


def test_a_changed_input_is_refused(small_run: Path, tmp_path: Path, posts: Rows) -> None:
    changed = tmp_path / "posts.jsonl"
    changed.write_bytes(as_lines(posts[1:]))
    with pytest.raises(TargetTaken, match=r"inputs\.input/0/posts\.jsonl was"):
        build([changed], small_run, SALTED)


def test_a_run_that_somebody_else_is_making_is_refused(small_run: Path) -> None:
    with store.alone_in(small_run), pytest.raises(EngineError, match="Another process is working in"):
        build([small_run.parent / "posts.jsonl"], small_run, SALTED)


def test_no_file_makes_no_run(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no file"):
        build([tmp_path / "missing.jsonl"], tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_neither_the_order_nor_the_names_nor_the_number_of_files_change_a_row(
    tmp_path: Path, small_run: Path, posts: Rows
) -> None:
    shuffled = random.Random(4).sample(posts, len(posts))
    (tmp_path / "z").mkdir()
    (tmp_path / "b.jsonl").write_bytes(as_lines(shuffled[:5]))
    (tmp_path / "z" / "a.ndjson").write_bytes(as_lines(shuffled[5:]))
    run = build([tmp_path / "z" / "a.ndjson", tmp_path / "b.jsonl"], tmp_path / "run", SALTED).run
    for table in TABLES:
        assert without_place(run, table) == without_place(small_run, table)


def test_the_number_of_buckets_changes_no_row(
    tmp_path: Path, sample_run: Path, small_run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(buckets, "BYTES_PER_BUCKET", 700)
    run = build([small_run.parent / "posts.jsonl"], tmp_path / "run", SALTED).run
    assert len(store.part_files(run, "pairs")) >= 8
    for table in TABLES:
        assert rows(run, table) == rows(small_run, table)


def write_csv(posts: Rows, file: Path) -> None:
    with file.open("w", newline="", encoding="utf-8") as opened:
        writer = csv.DictWriter(opened, posts[0].keys())
        writer.writeheader()
        writer.writerows(posts)


FORMATS: dict[str, Callable[[Rows, Path], object]] = {
    "posts.jsonl.gz": lambda posts, file: file.write_bytes(gzip.compress(as_lines(posts))),
    "posts.jsonl.zst": lambda posts, file: file.write_bytes(zstandard.compress(as_lines(posts))),
    "posts.json": lambda posts, file: file.write_text(json.dumps(posts)),
    "posts.csv": write_csv,
    "posts.parquet": lambda posts, file: pq.write_table(pa.Table.from_pylist(posts), file),
}


@pytest.mark.parametrize("name", FORMATS)
def test_the_same_posts_give_the_same_documents_in_every_format(
    name: str, tmp_path: Path, small_run: Path, posts: Rows
) -> None:
    FORMATS[name](posts, tmp_path / name)
    run = build([tmp_path / name], tmp_path / "run", SALTED, until="documents").run
    assert without_place(run) == without_place(small_run)
    assert {row["file"] for row in rows(run, "documents")} == {name}


def test_a_post_that_came_twice_is_one_document(small_run: Path, posts: Rows) -> None:
    documents = rows(small_run, "documents")
    assert len(documents) == len(posts) - 1
    assert sum(row["copies"] for row in documents) == len(posts)


def test_the_summary_agrees_with_the_tables(sample_run: Path) -> None:
    funnel = json.loads((sample_run / "summary.json").read_text())["funnel"]
    kept = {table: [row for row in rows(sample_run, table) if not row.get("dropped_for")] for table in TABLES}
    assert funnel["rows_read"] == sum(row["copies"] for row in rows(sample_run, "documents"))
    assert funnel["documents"] == len(rows(sample_run, "documents"))
    assert funnel["documents_kept"] == len(kept["documents"])
    assert funnel["groups"] == len({row["group_id"] for row in rows(sample_run, "groups")})
    assert funnel["groups_kept"] == len({row["group_id"] for row in kept["groups"]})
    assert funnel["sentences"] == len(rows(sample_run, "sentences"))
    assert funnel["sentences_kept"] == len(kept["sentences"])
    assert funnel["pairs"] == len(rows(sample_run, "pairs"))
    assert funnel["paraphrases"] == sum(row["is_paraphrase"] for row in kept["labels"])
    assert funnel["corpus_kept"] == len(kept["corpus"])
    assert funnel["corpus_paraphrases"] == sum(row["is_paraphrase"] for row in kept["corpus"])


def test_no_kept_sentence_is_part_of_its_groups_origin_or_holds_it(sample_run: Path) -> None:
    texts = {row["document_id"]: row["text"] for row in rows(sample_run, "documents")}
    groups = [row for row in rows(sample_run, "groups") if row["dropped_for"] is None]
    origins = {row["group_id"]: row["document_id"] for row in groups if row["is_origin"]}
    groups_of = defaultdict(list)
    for row in groups:
        groups_of[row["document_id"]].append(row["group_id"])
    compared = 0
    for sentence in rows(sample_run, "sentences"):
        for group in groups_of[sentence["document_id"]] if sentence["dropped_for"] is None else ():
            if sentence["document_id"] != origins[group]:
                said, origin = comparable(sentence["text"]), comparable(texts[origins[group]])
                assert said not in origin
                assert origin not in said
                compared += 1
    assert compared > 500


def test_every_row_leads_back_to_the_rows_it_was_made_of(sample_run: Path) -> None:
    ids = {table: {row[NOUNS[table].KEY[0]] for row in rows(sample_run, table)} for table in TABLES}
    texts = {row["sentence_id"]: row["text"] for row in rows(sample_run, "sentences") if row["dropped_for"] is None}
    assert {row["document_id"] for row in rows(sample_run, "groups")} <= ids["documents"]
    assert {row["document_id"] for row in rows(sample_run, "sentences")} <= ids["documents"]
    for pair in rows(sample_run, "pairs"):
        assert (texts[pair["left_id"]], texts[pair["right_id"]]) == (pair["left"], pair["right"])
    assert ids["labels"] == ids["pairs"] == ids["corpus"]
    assert {row["group_id"] for row in rows(sample_run, "pairs")} <= ids["groups"]


def test_a_sentence_is_where_it_says_in_its_document(sample_run: Path) -> None:
    texts = {row["document_id"]: row["text"] for row in rows(sample_run, "documents")}
    for sentence in rows(sample_run, "sentences"):
        there = texts[sentence["document_id"]][sentence["start"] : sentence["end"]]
        assert sentence["text"].split()[0][:1] in there


def test_a_group_is_in_one_split_and_all_three_have_some(sample_run: Path) -> None:
    splits = defaultdict(set)
    for row in rows(sample_run, "corpus"):
        splits[row["group_id"]].add(row["split"])
    assert all(len(found) == 1 for found in splits.values())
    assert set.union(*splits.values()) == {"train", "dev", "test"}
    kept = Counter(row["split"] for row in rows(sample_run, "corpus") if row["dropped_for"] is None)
    assert 0.7 < kept["train"] / kept.total() < 0.9


def test_older_groups_are_for_training(sample_run: Path) -> None:
    began = {row["group_id"]: row["created_at"] for row in rows(sample_run, "groups")}
    last: dict[str, datetime] = {}
    first: dict[str, datetime] = {}
    for row in rows(sample_run, "corpus"):
        date = began[row["group_id"]]
        last[row["split"]] = max(last.get(row["split"], date), date)
        first[row["split"]] = min(first.get(row["split"], date), date)
    assert last["train"] < first["dev"] <= last["dev"] < first["test"]


def test_clusters_are_what_paraphrases_join(sample_run: Path) -> None:
    corpus = rows(sample_run, "corpus")
    linked = [row for row in corpus if row["is_paraphrase"]]
    found = clusters([(row["left_id"], row["right_id"]) for row in linked])
    names: dict[str, set[str]] = defaultdict(set)
    for row in linked:
        names[found[row["left_id"]]].add(row["cluster_id"])
    assert all(len(each) == 1 for each in names.values())
    assert len(set.union(*names.values())) == len(names)
    assert {row["cluster_id"] for row in corpus if not row["is_paraphrase"]} == {None}


def test_the_json_lines_are_the_kept_rows_of_the_corpus(sample_run: Path) -> None:
    lines = [json.loads(line) for line in (sample_run / "corpus.jsonl").read_text(encoding="utf-8").splitlines()]
    kept = [row for row in rows(sample_run, "corpus") if row["dropped_for"] is None]
    assert [line["pair_id"] for line in lines] == [row["pair_id"] for row in kept]
    assert [(line["left"], line["split"]) for line in lines] == [(row["left"], row["split"]) for row in kept]


def test_multi_reference_sets_have_enough_references(sample_run: Path) -> None:
    lines = [json.loads(line) for line in (sample_run / "multi_reference.jsonl").read_text().splitlines()]
    assert lines
    assert all(len(set(line["references"])) >= CorpusOptions().min_references for line in lines)


def test_a_group_keeps_its_split_as_the_corpus_grows(tmp_path: Path) -> None:
    posts = []
    for line in gzip.decompress(sample.posts().read_bytes()).splitlines():
        try:
            post = json.loads(line)
            posts.append((datetime.fromisoformat(post["created_at"]), post))
        except (ValueError, TypeError, KeyError):  # the sample's broken rows
            continue
    posts.sort(key=lambda dated: dated[0])
    for name, some in (("half", posts[: len(posts) // 2]), ("all", posts)):
        (tmp_path / f"{name}.jsonl").write_bytes(as_lines([post for _, post in some]))
    quick = replace(SALTED, labels=LabelOptions(identifier="ngram-regression"))  # splits do not ask for labels
    first = build([tmp_path / "half.jsonl"], tmp_path / "first", quick).run
    late = [
        post | {"id": f"late-{number}", "created_at": "2026-01-01T00:00:00+00:00"}
        for number, (_, post) in enumerate(posts)
    ]
    (tmp_path / "late.jsonl").write_bytes(as_lines(late[:: len(late) // 100]))
    (tmp_path / "second").mkdir()
    for name in ("splits.json", "splits.parquet"):
        shutil.copy(first / name, tmp_path / "second" / name)
    second = build([tmp_path / "all.jsonl", tmp_path / "late.jsonl"], tmp_path / "second", quick).run
    before, after = ({row["group_id"]: row["split"] for row in rows(run, "corpus")} for run in (first, second))
    assert (first / "splits.json").read_bytes() == (second / "splits.json").read_bytes()
    assert set(before.values()) == {"train", "dev", "test"}
    assert {group: after[group] for group in before} == before  # also those that got an older post
    assert {after[group] for group in after.keys() - before.keys()} >= {"test"}


def test_other_shares_than_the_splits_were_drawn_for_are_an_error(small_run: Path, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    shutil.copy(small_run / "splits.json", tmp_path / "run" / "splits.json")
    other = replace(SALTED, corpus=CorpusOptions(train_share=0.5))
    with pytest.raises(InputError, match=r"was drawn for shares of 0\.8 and 0\.1; 0\.5 and 0\.1 are asked for"):
        build([small_run.parent / "posts.jsonl"], tmp_path / "run", other)


IMPOSSIBLE = [
    ({"corpus": CorpusOptions(train_share=2)}, "--train-share"),
    ({"groups": GroupOptions(balance=25)}, "--balance"),
    ({"labels": LabelOptions(identifier="ngram-regression", definition="strict")}, "loose"),
]


@pytest.mark.parametrize(("options", "said"), IMPOSSIBLE)
def test_what_cannot_be_is_said_before_anything_is_made(options: dict[str, Any], said: str, tmp_path: Path) -> None:
    (tmp_path / "posts.jsonl").touch()
    with pytest.raises(InputError, match=said):
        build([tmp_path / "posts.jsonl"], tmp_path / "run", replace(SALTED, **options))
    assert not (tmp_path / "run").exists()


def test_splits_that_cannot_be_read_are_an_error(tmp_path: Path, small_run: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "splits.json").write_text("{}")
    with pytest.raises(InputError, match=r"splits\.json does not hold cut dates"):
        build([small_run.parent / "posts.jsonl"], tmp_path / "run", SALTED)


def test_an_empty_file_makes_an_empty_corpus_and_a_report(tmp_path: Path) -> None:
    (tmp_path / "posts.jsonl").touch()
    built = build([tmp_path / "posts.jsonl"], tmp_path / "run", SALTED)
    assert [len(rows(built.run, table)) for table in TABLES] == [0] * len(TABLES)
    assert built.report is not None
    assert built.report.is_file()
