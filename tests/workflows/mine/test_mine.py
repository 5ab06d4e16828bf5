"""From files of sentences to pairs, labels and clusters: what is found, and that only the sentences decide it."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow.parquet as pq
import pytest

from paraloom.engine import store
from paraloom.engine.places import PlaceOptions
from paraloom.errors import InputError, NotMade, TargetTaken
from paraloom.graphs import clusters
from paraloom.models.embedders import load_embedder
from paraloom.pairs.mine_options import MinedPairOptions
from paraloom.sentences.line_options import LineOptions
from paraloom.tables import NOUNS, check, make_id
from paraloom.text.normalise import folded
from paraloom.workflows.explain import explain_pair
from paraloom.workflows.mine.lookup import look_up
from paraloom.workflows.mine.mine import mine
from paraloom.workflows.mine.options import EmbedOptions, JudgeOptions, MineOptions, SearchOptions
from tests.workflows.mine.conftest import TOLD
from tests.workflows.mine.small_runs import small_options

NOUNS_MADE = ("sentences", "pairs", "labels", "clusters")


@pytest.fixture(scope="module")
def exact(folder: Path, embedder: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = tmp_path_factory.mktemp("exact") / "run"
    with pytest.MonkeyPatch.context() as patch:
        from tests.workflows.mine.small_runs import SMALL

        for name, value in SMALL.items():
            patch.setattr(name, value)
        mine([folder], run, small_options(embedder))
    return run


def rows(run: Path, table: str) -> list[dict[str, Any]]:
    return store.read_table(run, table).to_pylist()


def kept(run: Path) -> list[dict[str, Any]]:
    return [row for row in rows(run, "pairs") if row["dropped_for"] is None]


def without_judge(embedder: str, index: str = "exact") -> MineOptions:
    pairs = MinedPairOptions(min_similarity=0.3)
    return replace(small_options(embedder, index), pairs=pairs, judge=JudgeOptions(identify=False))


def brute_force(texts: list[str], embedder: str, k: int) -> dict[frozenset[str], tuple[float, bool]]:
    """All pairs of neighbours by float products: their cosine, and whether they are mutual."""
    vectors = load_embedder(embedder).embed(texts).astype(np.float64)
    cosines = vectors @ vectors.T
    np.fill_diagonal(cosines, -1)
    near = [set(np.argsort(-row, kind="stable")[:k].tolist()) for row in cosines]
    return {
        frozenset((texts[one], texts[other])): (float(cosines[one, other]), one in near[other])
        for one in range(len(texts))
        for other in near[one]
    }


def test_the_pairs_are_those_of_brute_force(exact: Path, embedder: str) -> None:
    texts = [row["text"] for row in rows(exact, "sentences") if row["dropped_for"] is None]
    expected = {pair: cosine for pair, (cosine, _) in brute_force(texts, embedder, 5).items() if cosine >= 0.5}
    found = {frozenset((row["left"], row["right"])): row["similarity"] for row in rows(exact, "pairs")}
    assert len(found) > 1000
    assert len(found.keys() & expected.keys()) / len(found.keys() | expected.keys()) > 0.97  # codes round, and ties
    shared = found.keys() & expected.keys()
    assert max(abs(found[pair] - expected[pair]) for pair in shared) < 0.01


def test_every_table_is_what_its_noun_promises_and_other_programs_can_join_them(exact: Path) -> None:
    for table in NOUNS_MADE:
        check(store.read_table(exact, table), NOUNS[table])
        assert len(store.part_files(exact, table)) > 4
    query = """SELECT count(*) FROM read_parquet($pairs) p JOIN read_parquet($clusters) c ON p.left_id = c.sentence_id
        JOIN read_parquet($clusters) d ON p.right_id = d.sentence_id AND c.cluster_id = d.cluster_id
        JOIN read_parquet($labels) l USING (pair_id) WHERE l.is_paraphrase"""
    files = {table: str(exact / table / "*.parquet") for table in ("pairs", "clusters", "labels")}
    ((joined,),) = duckdb.execute(query, files).fetchall()
    assert joined == sum(row["is_paraphrase"] for row in rows(exact, "labels"))


def test_what_is_no_sentence_is_counted_named_and_survived(exact: Path) -> None:
    summary = json.loads((exact / "summary.json").read_text("utf-8"))
    told = summary["sentences"]
    dropped = {count["name"]: count["count"] for count in told["dropped"]}
    assert dropped == {"empty": 6, "no_letters": 3, "too_long": 1, "broken: truncated file": 1}
    (broken,) = told["broken"]
    assert (broken["file"], broken["reason"]) == ("3.txt.gz", "truncated file")
    texts = {row["text"]: row["copies"] for row in rows(exact, "sentences") if row["dropped_for"] is None}
    assert {folded(text) for text in texts} >= {folded(text) for text in TOLD}
    assert {"Буря обрушилась на берег", "暴风雨袭击了海岸"} <= set(texts)
    assert [count for text, count in texts.items() if folded(text) == folded(TOLD[0])] == [4]
    assert told["read"] == sum(row["copies"] for row in rows(exact, "sentences"))
    assert (exact / "report.html").read_text("utf-8").count("3.txt.gz") >= 2


def test_ranks_go_by_margin_without_gaps_and_dropped_pairs_have_none(exact: Path) -> None:
    ranked = sorted(kept(exact), key=lambda row: row["rank"])
    assert [row["rank"] for row in ranked] == list(range(1, len(ranked) + 1))
    order = [(-row["margin"], -row["similarity"], row["pair_id"]) for row in ranked]
    assert order == sorted(order)
    reasons = {row["dropped_for"] for row in rows(exact, "pairs") if row["dropped_for"]}
    assert "lexical: above the band" in reasons
    assert {row["rank"] for row in rows(exact, "pairs") if row["dropped_for"]} == {0}


def test_clusters_are_those_of_the_pairs_held_true(exact: Path) -> None:
    true = {row["pair_id"] for row in rows(exact, "labels") if row["is_paraphrase"]}
    edges = [(row["left_id"], row["right_id"]) for row in kept(exact) if row["pair_id"] in true]
    expected = clusters(edges)
    sizes: dict[str, int] = {}
    for top in expected.values():
        sizes[top] = sizes.get(top, 0) + 1
    assert {row["sentence_id"]: (row["cluster_id"], row["size"]) for row in rows(exact, "clusters")} == {
        node: (make_id("cluster", top), sizes[top]) for node, top in expected.items()
    }


def test_the_file_of_pairs_has_those_held_true_by_score(exact: Path) -> None:
    lines = [line.split("\t") for line in (exact / "pairs.tsv").read_text("utf-8").splitlines()]
    header, body = lines[0], [dict(zip(lines[0], line, strict=True)) for line in lines[1:]]
    assert header[:4] == ["left", "right", "score", "is_paraphrase"]
    assert {row["pair_id"] for row in body} == {row["pair_id"] for row in rows(exact, "labels") if row["is_paraphrase"]}
    order = [(-float(row["score"]), int(row["rank"])) for row in body]
    assert order == sorted(order)


@pytest.mark.usefixtures("small")
def test_the_order_of_files_buckets_and_workers_do_not_show(
    exact: Path, folder: Path, embedder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paraloom.engine.buckets.BYTES_PER_BUCKET", 100_000)
    monkeypatch.setattr("paraloom.workflows.mine.neighbours_step.BLOCK", 77)
    files = [folder / name for name in ("2.txt", "3.txt.gz", "1.txt", "0.txt")]
    mine(files, tmp_path / "run", small_options(embedder, place=PlaceOptions(workers=1)))
    assert len(store.part_files(tmp_path / "run", "pairs")) < len(store.part_files(exact, "pairs"))
    for table in NOUNS_MADE:
        assert rows(tmp_path / "run", table) == rows(exact, table)
    assert (tmp_path / "run" / "pairs.tsv").read_bytes() == (exact / "pairs.tsv").read_bytes()


@pytest.mark.usefixtures("small")
def test_lists_find_about_as_many_neighbours_as_they_say(
    exact: Path, folder: Path, embedder: str, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    options = small_options(embedder, search=SearchOptions(index="ivf", neighbours=5, recall=0.9))
    mine([folder], run, options)
    told = json.loads((run / "summary.json").read_text("utf-8"))["search"]
    assert told["kind"] == "ivf"
    assert told["lists"] > told["probes"] >= 1
    assert len(list((run / "index" / "lists").glob("cell-*.rows"))) > 1
    true = {row["pair_id"]: row for row in rows(exact, "pairs")}
    found = {row["pair_id"]: row for row in rows(run, "pairs")}
    recall = len(found.keys() & true.keys()) / len(true)
    assert told["recall"]["share"] >= 0.9
    assert recall > told["recall"]["low"] - 0.05
    shared = found.keys() & true.keys()
    assert all(found[pair]["similarity"] == true[pair]["similarity"] for pair in shared)


@pytest.mark.usefixtures("small")
def test_packed_vectors_find_pairs_that_are_measured_by_whole_ones(
    exact: Path, folder: Path, embedder: str, tmp_path: Path
) -> None:
    search = SearchOptions(index="ivf", neighbours=5, codes="pq")
    run = mine([folder], tmp_path / "run", small_options(embedder, search=search)).run
    assert (run / "index" / "lists" / "pieces.npy").is_file()
    told = json.loads((run / "neighbours" / "recall.json").read_text())
    assert told["recall"]["share"] >= 0.98  # of the search that is made, whole vectors and all
    assert told["probes"] < len(np.load(run / "index" / "lists" / "centroids.npy"))
    packed, whole = (look_up(each, TOLD[5:8], k=3, probes=100, embedder=embedder) for each in (run, exact))
    assert packed == whole
    true = {row["pair_id"]: row["similarity"] for row in rows(exact, "pairs")}
    found = {row["pair_id"]: row["similarity"] for row in rows(run, "pairs")}
    shared = found.keys() & true.keys()
    assert len(shared) / len(true) > 0.9
    assert {pair: found[pair] for pair in shared} == {pair: true[pair] for pair in shared}


@pytest.mark.usefixtures("small")
def test_a_run_is_not_made_again_and_one_made_another_way_is_refused(exact: Path, folder: Path, embedder: str) -> None:
    made = {file: file.stat().st_mtime_ns for table in NOUNS_MADE for file in (exact / table).iterdir()}
    mine([folder], exact, small_options(embedder))
    assert {file: file.stat().st_mtime_ns for file in made} == made
    other = replace(small_options(embedder), pairs=MinedPairOptions(min_similarity=0.4))
    with pytest.raises(TargetTaken, match=r"candidates was made another way \(options.min_similarity"):
        mine([folder], exact, other)
    near = look_up(exact, TOLD[:1], embedder=embedder)
    with pytest.raises(TargetTaken, match="index was made another way"):
        mine([folder], exact, small_options(embedder, "ivf"))
    assert look_up(exact, TOLD[:1], embedder=embedder) == near  # what was refused has changed nothing
    mine([folder], exact, small_options(embedder))


def test_a_disk_that_is_too_small_is_told_before_it_is_full(
    embedder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "told.txt").write_text("\n".join(TOLD) + "\n")
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=20_000))
    with pytest.raises(InputError, match=r"800 sentences take up to 0\.0 GB on the way to pairs, and 0\.0 GB are free"):
        mine([tmp_path / "told.txt"], tmp_path / "run", small_options(embedder))


def test_a_mined_pair_is_explained(exact: Path) -> None:
    pair = min(kept(exact), key=lambda row: row["rank"])
    told = explain_pair(exact, pair["pair_id"]).as_text()
    assert told.startswith(f"pair {pair['pair_id']}\n  proposed by neighbours:drawn, rank 1\n")
    for side in ("left", "right"):
        assert f"{side}: {pair[side]}" in told
    assert told.count("  > ") == (2 if pair["is_mutual"] else 1)
    assert "label (loose): " in told
    said = json.loads(explain_pair(exact, pair["pair_id"]).as_json())
    assert [near["is_other"] for near in said["nearest"]["left"]].count(True) <= 1


def test_what_is_near_to_a_text_is_looked_up(exact: Path, embedder: str) -> None:
    looked, nothing = look_up(exact, ["ADA walked to the harbour on monday", "☃☃"], 3, embedder=embedder)
    assert looked.found[0].text == "Ada walked to the harbour on Monday."
    assert looked.found[0].copies == 4
    alike = [near.similarity for near in looked.found]
    assert alike == sorted(alike, reverse=True)
    assert alike[0] > 0.9
    assert nothing.found == ()
    with pytest.raises(NotMade, match="no mined run"):
        look_up(exact / "sentences", ["storm"])


FEW: list[tuple[str, list[str], int]] = [
    ("nothing", [], 0),
    ("a blank line", ["", ""], 0),
    ("one sentence", ["The storm hit the coast."], 0),
    ("copies of one", ["The storm hit the coast.", "the storm hit the COAST."], 0),
    ("two", ["The storm hit the coast.", "A storm has hit the coast."], 1),
    ("what nothing is known of", ["The storm hit the coast.", "ⵣⵣⵣ"], 0),
]


@pytest.mark.parametrize("index", ["exact", "ivf"])
@pytest.mark.parametrize(("what", "lines", "pairs"), FEW, ids=[what for what, *_ in FEW])
def test_few_sentences_or_none_are_a_whole_run(
    what: str, lines: list[str], pairs: int, index: str, embedder: str, tmp_path: Path
) -> None:
    file = tmp_path / "few.txt"
    file.write_text("\n".join(lines))
    options = without_judge(embedder, index)
    mined = mine([file], tmp_path / "out.tsv", options)
    assert len(mined.file.read_text("utf-8").splitlines()) == 1 + pairs
    assert mined.run == tmp_path / "out.tsv.run"
    assert mined.report.is_file()


@pytest.mark.parametrize("name", ["out.csv", "out.jsonl", "out.parquet", "out.tsv.gz"])
def test_the_file_is_written_in_the_format_of_its_name(name: str, embedder: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The storm hit the coast.\nA storm has hit the coast.\n")
    options = without_judge(embedder)
    out = mine([tmp_path / "a.txt"], tmp_path / name, options).file
    if name.endswith("parquet"):
        assert pq.read_table(out).num_rows == 1
    else:
        (row,) = duckdb.sql(f"FROM '{out}'").fetchall()
        assert "The storm hit the coast." in row


def test_a_file_that_mining_has_not_made_is_not_overwritten(embedder: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The storm hit the coast.\n")
    (tmp_path / "mine.tsv").write_text("precious")
    with pytest.raises(TargetTaken, match=r"mine.tsv is there already"):
        mine([tmp_path / "a.txt"], tmp_path / "mine.tsv", without_judge(embedder))
    assert (tmp_path / "mine.tsv").read_text() == "precious"


@pytest.mark.usefixtures("small")
def test_only_so_many_pairs_are_kept_and_judged(folder: Path, embedder: str, tmp_path: Path, exact: Path) -> None:
    judge = JudgeOptions(identifier="ngram-regression", judge_most=30, keep_negatives=True)
    options = small_options(embedder, judge=judge, pairs=MinedPairOptions(min_similarity=0.5, most=200))
    mined = mine([folder / "0.txt"], tmp_path / "run", options)
    best = sorted(row["rank"] for row in kept(mined.run))
    assert best == list(range(1, 201))
    assert {row["dropped_for"] for row in rows(mined.run, "pairs")} >= {"beyond_most"}
    ranks = {row["pair_id"]: row["rank"] for row in kept(mined.run)}
    assert sorted(ranks[row["pair_id"]] for row in rows(mined.run, "labels")) == list(range(1, 31))
    assert len(mined.file.read_text("utf-8").splitlines()) == 201


WRONG = [
    ({"embed": EmbedOptions(embedder="characters", dims=4000)}, "4000 dimensions"),
    ({"lines": LineOptions(columns=("body",))}, "--columns"),
]


@pytest.mark.parametrize(("changed", "told"), WRONG)
def test_what_cannot_be_is_refused_before_anything_is_made(
    changed: dict[str, Any], told: str, tmp_path: Path, embedder: str
) -> None:
    (tmp_path / "a.txt").write_text("The storm hit the coast.\n")
    with pytest.raises(InputError, match=told):
        mine(
            [tmp_path / "a.txt"],
            tmp_path / "run",
            MineOptions(**({"embed": EmbedOptions(embedder=embedder)} | changed)),
        )
    assert not (tmp_path / "run" / "sentences").exists()


OUT_OF_RANGE = [
    ({"lines": LineOptions(min_characters=-1)}, "--min-characters -1: give 0 or more"),
    ({"lines": LineOptions(max_characters=0)}, "--max-characters 0: give 1 or more"),
    ({"lines": LineOptions(min_characters=9, max_characters=5)}, "--max-characters 5: give 9 or more"),
    ({"embed": EmbedOptions(dims=-1)}, "--dims -1: give 0 or more"),
    ({"embed": EmbedOptions(max_tokens=-1)}, "--max-tokens -1: give 0 or more"),
    ({"search": SearchOptions(neighbours=0)}, "--neighbours 0: give 1 or more"),
    ({"search": SearchOptions(recall=1.5)}, r"--recall 1\.5: give a share above 0 and up to 1"),
    ({"search": SearchOptions(recall=0.0)}, r"--recall 0\.0: give a share"),
    ({"search": SearchOptions(probes=-5)}, "--probes -5: give 0 or more"),
    ({"pairs": MinedPairOptions(min_similarity=60)}, "--min-similarity 60: give a cosine from 0 to 1"),
    ({"pairs": MinedPairOptions(min_similarity=float("nan"))}, "--min-similarity nan"),
    ({"pairs": MinedPairOptions(min_margin=-1.0)}, r"--min-margin -1\.0: give 0 or more"),
    ({"pairs": MinedPairOptions(min_margin=float("nan"))}, "--min-margin nan"),
    ({"pairs": MinedPairOptions(lexical_band=(0.9, 0.1))}, r"--lexical-band 0\.9 0\.1: give two numbers"),
    ({"pairs": MinedPairOptions(most=-1)}, "--most -1: give 0 or more"),
    ({"judge": JudgeOptions(judge_most=-4)}, "--judge-most -4: give 0 or more"),
    ({"judge": JudgeOptions(threshold=50)}, "--threshold 50: give a score from 0 to 1"),
    ({"place": PlaceOptions(workers=0)}, "--workers 0: give 1 or more"),
]


@pytest.mark.parametrize(("changed", "told"), OUT_OF_RANGE, ids=[told for _, told in OUT_OF_RANGE])
def test_a_number_out_of_range_is_refused_before_anything_is_read(
    changed: dict[str, Any], told: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=told):
        mine([tmp_path / "absent.txt"], tmp_path / "run", MineOptions(**changed))
    assert not (tmp_path / "run").exists()


def test_an_embedder_that_learns_from_the_collection_is_kept_in_the_run(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("\n".join(TOLD[:50]))
    options = MineOptions(
        embed=EmbedOptions(embedder="characters", dims=64),
        judge=JudgeOptions(identify=False),
        place=PlaceOptions(workers=1),
    )
    run = mine([tmp_path / "a.txt"], tmp_path / "run", options).run
    assert (run / "vectors" / "embedder" / "embedder.json").is_file()
    assert look_up(run, [TOLD[0]], 1)[0].found[0].text == TOLD[0]
