"""A text is looked up with the embedder that its run was made with, or not at all, and finds what is nearest to it."""

from __future__ import annotations

import json
import shutil
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paraloom.engine import store
from paraloom.errors import InputError
from paraloom.models.neighbours.index import Index
from paraloom.models.neighbours.recall import recall_of
from paraloom.models.neighbours.search import Part, search_block
from paraloom.workflows.explain import explain_pair
from paraloom.workflows.mine.lookup import look_up, look_up_all, search_in
from paraloom.workflows.mine.mine import mine
from paraloom.workflows.mine.nearest_files import Nearest, neighbour_files, read_rows
from paraloom.workflows.mine.numbers import Numbers
from paraloom.workflows.mine.options import EmbedOptions, JudgeOptions, SearchOptions
from paraloom.workflows.mine.run_embedder import embedder_of
from paraloom.workflows.mine.run_neighbours import RunNeighbours
from paraloom.workflows.mine.vectors_step import Vectors, read_coder
from tests.models.neighbours.made_up import assert_same
from tests.workflows.mine.conftest import TOLD
from tests.workflows.mine.small_runs import SMALL, small_options

ASKED = [text.replace("walked", "strolled").replace("closed", "shut") for text in TOLD[::7]]


def mined(folder: Path, embedder: str, texts: list[str], *, dims: int = 0, **search: Any) -> Path:
    file = folder / "told.txt"
    file.write_text("\n".join(texts) + "\n", encoding="utf-8")
    how: dict[str, Any] = {"neighbours": 5, "index": "exact"} | search
    options = small_options(
        embedder,
        embed=EmbedOptions(embedder=embedder, dims=dims),
        search=SearchOptions(**how),
        judge=JudgeOptions(identify=False),
    )
    with pytest.MonkeyPatch.context() as patch:
        for name, value in SMALL.items():
            patch.setattr(name, value)
        return mine([file], folder / "run", options).run


@pytest.fixture(scope="module", params=["int8", "pq"])
def run(request: pytest.FixtureRequest, embedder: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that looks into two lists."""
    folder = tmp_path_factory.mktemp("lists")
    return mined(folder, embedder, TOLD, index="ivf", probes=2, codes=request.param)


def test_few_sentences_are_all_compared(run: Path, embedder: str) -> None:
    queries = read_coder(run / "vectors").encode(embedder_of(run, embedder).embed(ASKED))
    vectors = Vectors(run / "vectors", Numbers.of(run / "vectors").starts)
    true = search_block(queries, None, [Part(start, codes) for start, codes in vectors.parts()], 5)
    assert_same(search_in(run, 5)(queries), true)


def test_what_lists_miss_is_found_through_neighbours(run: Path, embedder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    queries = read_coder(run / "vectors").encode(embedder_of(run, embedder).embed(ASKED))
    vectors = Vectors(run / "vectors", Numbers.of(run / "vectors").starts)
    true = search_block(queries, None, [Part(start, codes) for start, codes in vectors.parts()], 5)
    by_lists = Index.open(run / "index" / "lists").search(queries, 5, probes=2, whole=vectors.take)
    found = search_in(run, 5, probes=2)(queries)
    alone, followed = recall_of(true, by_lists).share, recall_of(true, found).share
    assert followed > alone
    assert (found.dots >= by_lists.dots).all()
    monkeypatch.setattr("paraloom.workflows.mine.lookup.MOST_READ", 0)
    more = search_in(run, 5)(queries)
    assert recall_of(true, more).share > 0.97
    there = found.numbers >= 0
    products = (queries[:, None].astype(int) * vectors.read(0, 800)[found.numbers].astype(int)).sum(axis=2)
    np.testing.assert_array_equal(found.dots[there], products[there])
    assert (np.diff(found.dots, axis=1) <= 0).all()


def test_many_texts_are_looked_up_in_lots_as_they_are_one_by_one(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    together = look_up(run, ASKED[:10], 3, probes=2)
    monkeypatch.setattr("paraloom.workflows.mine.lookup.TEXTS_AT_ONCE", 3)
    assert list(look_up_all(run, iter(ASKED[:10]), 3, probes=2)) == together
    assert [looked.text for looked in together] == ASKED[:10]
    assert [looked for text in ASKED[:4] for looked in look_up(run, [text], 3, probes=2)] == together[:4]
    assert look_up(run, [], 3) == []


def test_rows_of_neighbours_are_read_where_they_lie(run: Path) -> None:
    for file in neighbour_files(run / "neighbours"):
        whole = Nearest.read(file)
        rows = np.array([len(whole.numbers) - 1, 0, 3])
        some = read_rows(file, rows)
        for name in ("numbers", "neighbours", "dots"):
            np.testing.assert_array_equal(getattr(some, name), getattr(whole, name)[rows])
        assert read_rows(file, rows[:0]).neighbours.shape == (0, 5)


def test_a_folder_that_is_called_as_a_known_embedder_is_not_taken_for_it(embedder: str, tmp_path: Path) -> None:
    tuned = shutil.copytree(embedder, tmp_path / "tuned" / "fast")
    run = mined(tmp_path, str(tuned), TOLD[:100])
    found = look_up(run, TOLD[:3], 2)
    assert [near.found[0].similarity for near in found] == [1.0] * 3
    assert look_up(run, TOLD[:3], 2, embedder=embedder) == found  # it has the same weights
    with pytest.raises(InputError, match=r"^fast is not what .* was embedded with: that was .*tuned/fast, of other"):
        look_up(run, TOLD[:3], 2, embedder="fast")
    tuned.rename(tmp_path / "moved")
    with pytest.raises(
        InputError, match=r"was embedded with .*tuned/fast, and it is not there any more .*--embedder FOL"
    ):
        look_up(run, TOLD[:3], 2)
    assert look_up(run, TOLD[:3], 2, embedder=str(tmp_path / "moved")) == found


def test_an_embedder_whose_vectors_were_cut_is_found_where_it_lies_now(embedder: str, tmp_path: Path) -> None:
    place = shutil.copytree(embedder, tmp_path / "first")
    run = mined(tmp_path, str(place), TOLD[:100], dims=16)
    found = look_up(run, TOLD[:3], 2)
    assert [near.found[0].similarity for near in found] == [1.0] * 3
    place.rename(tmp_path / "second")
    with pytest.raises(InputError, match="--embedder FOLDER"):
        look_up(run, TOLD[:3], 2)
    assert look_up(run, TOLD[:3], 2, embedder=str(tmp_path / "second")) == found


def test_a_run_that_was_embedded_on_a_gpu_is_looked_up_without_one(run: Path, tmp_path: Path) -> None:
    copied = shutil.copytree(run, tmp_path / "copied")
    file = copied / "vectors.made_by.json"
    told = json.loads(file.read_text("utf-8"))
    told["options"]["device"] = "cuda"
    file.write_text(json.dumps(told))
    assert look_up(copied, ASKED[:2], 3) == look_up(run, ASKED[:2], 3)


def test_the_benchmark_tells_what_growth_costs_and_what_lookups_find(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[3] / "benchmarks"))
    benchmark = import_module("mine_growth")
    assert [*benchmark.growth(run, 1)] == ["sentences", "probes", "anew", "0.1% new", "1.0% new", "10.0% new"]
    told = benchmark.lookups(run, ASKED)
    shares = [told[way]["all"] for way in ("lists as in the run", "more lists", "more lists, and neighbours")]
    assert shares == sorted(shares)
    assert shares[0] < 0.98 < shares[-1]


NOTHING_FOUND = [
    ("no sentences", "12:30", "Ada walked", "the run has no sentences"),
    ("no word of it", "Ada walked", "ⵣⵣⵣ", "the embedder knows nothing of this text"),
]


@pytest.mark.parametrize(
    ("what", "mined_text", "asked", "why"), NOTHING_FOUND, ids=[what for what, *_ in NOTHING_FOUND]
)
@pytest.mark.parametrize("index", ["exact", "ivf"])
def test_where_nothing_is_found_it_is_told_why(
    index: str, what: str, mined_text: str, asked: str, why: str, embedder: str, tmp_path: Path
) -> None:
    run = mined(tmp_path, embedder, [mined_text], index=index)
    for probes in (0, 1):
        (looked,) = look_up(run, [asked], 3, probes=probes)
        assert (looked.text, looked.found, looked.why_nothing) == (asked, (), why)
        assert looked.as_text() == f"{asked}\n  nothing is near: {why}"


def test_a_text_that_is_unlike_all_sentences_is_not_said_to_be_unknown(embedder: str, tmp_path: Path) -> None:
    run = mined(tmp_path, embedder, ["Ada walked"])
    embedded = embedder_of(run, embedder)
    own = embedded.embed(["Ada walked"])[0]
    asked = next(text for text in TOLD if embedded.embed([text])[0] @ own < -0.01)
    (looked,) = look_up(run, [asked], 3)
    assert (looked.found, looked.why_nothing) == ((), "no sentence of the run is like it at all")


def test_the_neighbours_of_a_run_are_read_by_number(run: Path, embedder: str, tmp_path: Path) -> None:
    exact = mined(tmp_path, embedder, TOLD)
    for of in (run, exact):
        vectors = Vectors(of / "vectors", Numbers.of(of / "vectors").starts)
        asked = np.array([0, 5, 99, 100, 101, 457, 799])
        found = RunNeighbours(of, vectors).of(asked)
        whole = {
            int(number): row
            for each in map(Nearest.read, neighbour_files(of / "neighbours"))
            for number, *row in zip(each.numbers, each.neighbours.tolist(), each.dots.tolist(), strict=True)
        }
        assert found.numbers.tolist() == asked.tolist()
        assert [[near, dots] for near, dots in zip(found.neighbours.tolist(), found.dots.tolist(), strict=True)] == [
            whole[number] for number in asked.tolist()
        ]


@pytest.mark.parametrize("index", ["exact", "ivf"])
def test_a_pair_is_explained_without_reading_all_neighbours(
    index: str, embedder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = mined(tmp_path, embedder, TOLD, index=index)
    pair = next(row for row in store.read_table(run, "pairs").to_pylist() if row["is_mutual"])
    monkeypatch.setattr(Nearest, "read", lambda file: pytest.fail(f"{file} is read"))
    explained = explain_pair(run, pair["pair_id"]).nearest
    for side in ("left", "right"):
        alike = [near.similarity for near in explained[side]]
        assert len(alike) == 5
        assert alike == sorted(alike, reverse=True)
        assert [near.similarity for near in explained[side] if near.is_other] == [pair["similarity"]]
