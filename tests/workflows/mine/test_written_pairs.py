"""The file of pairs: in order however it is cut, with the clusters of its pairs; refused before anything is made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.engine import store
from paraloom.engine.given import read_rows
from paraloom.engine.signatures import hash_of_file
from paraloom.engine.steps import Place
from paraloom.errors import InputError, TargetTaken
from paraloom.pairs.mine_options import MinedPairOptions
from paraloom.workflows.mine import written_pairs
from paraloom.workflows.mine.mine import mine
from paraloom.workflows.mine.options import EmbedOptions, JudgeOptions, MineOptions
from paraloom.workflows.mine.publish import targets_of
from paraloom.workflows.mine.written_pairs import cuts_between, places_of
from tests.workflows.mine.conftest import TOLD
from tests.workflows.mine.small_runs import small_options

SCORES = (
    st.none() | st.integers(0, 1_000_000).map(lambda millionth: millionth / 1_000_000) | st.sampled_from([0.0, 1.0])
)


@st.composite
def scored(draw: st.DrawFn) -> list[tuple[float | None, int]]:
    scores = draw(st.lists(SCORES, max_size=60))
    ranks = draw(st.permutations(range(1, len(scores) + 1)))
    return list(zip(scores, ranks, strict=True))


def as_places(pairs: list[tuple[float | None, int]]) -> Any:
    scores, ranks = [score for score, _ in pairs], [rank for _, rank in pairs]
    return places_of(
        pa.chunked_array([pa.array(scores, pa.float64())]), pa.chunked_array([pa.array(ranks, pa.int64())])
    )


@given(scored(), st.integers(1, 9), st.data())
def test_pairs_come_in_the_same_order_whatever_the_ranges(
    pairs: list[tuple[float | None, int]], ranges: int, data: st.DataObject
) -> None:
    places = as_places(pairs)
    looked_at = places[: data.draw(st.integers(0, len(pairs)))]
    numbers = np.searchsorted(cuts_between(looked_at, ranges), places, side="right")
    assert not len(numbers) or numbers.max() < ranges
    in_order = [
        pairs[row]
        for number in range(ranges)
        for row in sorted(np.flatnonzero(numbers == number).tolist(), key=lambda row: int(places[row]))
    ]
    assert in_order == sorted(pairs, key=lambda pair: (pair[0] is None, -(pair[0] or 0.0), pair[1]))


@given(st.integers(0, 200), st.sampled_from([1, 2, 8, 32]), st.sampled_from([0, 1, 2]))
def test_no_range_is_much_larger_than_others_also_where_scores_are_the_same_or_missing(
    count: int, ranges: int, judged_of_three: int
) -> None:
    pairs = [(1.0 if rank % 3 < judged_of_three else None, rank) for rank in range(1, count + 1)]
    places = as_places(pairs)
    numbers = np.searchsorted(cuts_between(places, ranges), places, side="right")
    assert max(np.bincount(numbers, minlength=1)) <= count // ranges + 1


@pytest.fixture(scope="module")
def runs(embedder: str, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The same run, with what is not held true and what was not judged in its file, in many buckets and in one."""
    folder = tmp_path_factory.mktemp("written")
    (folder / "told.txt").write_text("\n".join(TOLD[:200]) + "\n")
    judge = JudgeOptions(identifier="ngram-regression", keep_negatives=True, judge_most=250, threshold=0.99)
    options = small_options(embedder, judge=judge, pairs=MinedPairOptions(min_similarity=0.4))
    made = []
    for name, size in (("many", 700), ("one", 1 << 20)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("paraloom.engine.buckets.BYTES_PER_BUCKET", size)
            patch.setattr(written_pairs, "LOOKED_AT", 20)
            made.append(mine([folder / "told.txt"], folder / name, options).run)
    return made


def test_the_file_is_the_same_in_many_ranges_as_in_one(runs: list[Path]) -> None:
    many, one = runs
    assert len(store.part_files(many, "pairs")) > 10
    assert len(store.part_files(one, "pairs")) == 1
    assert (many / "pairs.tsv").read_bytes() == (one / "pairs.tsv").read_bytes()


def test_pairs_are_ordered_by_score_then_rank_and_have_the_cluster_that_both_sides_are_in(runs: list[Path]) -> None:
    run = runs[0]
    header, *lines = [line.split("\t") for line in (run / "pairs.tsv").read_text("utf-8").splitlines()]
    rows = [dict(zip(header, line, strict=True)) for line in lines]
    pairs = {row["pair_id"]: row for row in store.read_table(run, "pairs").to_pylist() if not row["dropped_for"]}
    scores = {row["pair_id"]: row["score"] for row in store.read_table(run, "labels").to_pylist()}
    assert len(pairs) > len(scores) == 250
    best_first = sorted(pairs, key=lambda pair: (-scores.get(pair, -1.0), pairs[pair]["rank"]))
    assert [row["pair_id"] for row in rows] == best_first
    clusters = {row["sentence_id"]: row["cluster_id"] for row in store.read_table(run, "clusters").to_pylist()}
    has_cluster: dict[str, set[bool]] = {}
    for row in rows:
        sides = [row[side] for side in ("left_id", "right_id")]
        assert sides == [pairs[row["pair_id"]][side] for side in ("left_id", "right_id")]
        left, right = (clusters.get(side, "") for side in sides)
        assert row["cluster_id"] == (left if left == right else "")
        has_cluster.setdefault(row["is_paraphrase"], set()).add(bool(row["cluster_id"]))
    assert has_cluster == {"1": {True}, "0": {True, False}, "": {True, False}}


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "jsonl", "json", "parquet"])
def test_in_every_format_the_file_has_the_same_rows(runs: list[Path], ending: str, tmp_path: Path) -> None:
    run, file = runs[0], tmp_path / f"pairs.{ending}"
    place = Place(run=run, buckets=len(store.part_files(run, "pairs")), workers=1)
    written = written_pairs.write_pairs(place, file, tmp_path / "unfinished", is_judged=True, with_negatives=True)
    assert written == hash_of_file(file)
    columns = ("left", "right", "score", "is_paraphrase", "rank", "cluster_id", "pair_id")
    as_text = [
        [cell(value) for value in rows.columns[name]]
        for rows in (read_rows(file, columns), read_rows(run / "pairs.tsv", columns))
        for name in columns
    ]
    assert as_text[: len(columns)] == as_text[len(columns) :]


def cell(value: Any) -> str:
    return "" if value is None else str(int(value) if isinstance(value, bool) else value)


NO_FILES = [
    ("pairs.gz", "has no ending. Files with rows end in"),
    ("pairs.parquet.gz", "Parquet is compressed already. Call it pairs.parquet"),
    ("pairs.docx.zst", "ends in '.docx'"),
]


@pytest.mark.parametrize(("name", "told"), NO_FILES)
def test_a_file_that_cannot_be_written_is_refused_before_anything_is_made(
    name: str, told: str, embedder: str, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("The storm hit the coast.\n")
    with pytest.raises(InputError, match=told):
        mine([tmp_path / "a.txt"], tmp_path / name, small_options(embedder))
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]


def test_a_run_folder_cannot_be_where_a_file_is(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("precious")
    with pytest.raises(TargetTaken, match=r"notes\.md is a file\. Choose another --out"):
        targets_of(tmp_path / "notes.md")


def test_a_gpu_that_is_not_there_is_told_before_anything_is_made(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    if torch.cuda.is_available():
        pytest.skip("there is a GPU here")
    (tmp_path / "a.txt").write_text("The storm hit the coast.\n")
    with pytest.raises(InputError, match="There is no GPU here"):
        mine([tmp_path / "a.txt"], tmp_path / "run", MineOptions(embed=EmbedOptions(device="cuda")))
    assert not (tmp_path / "run").exists()
