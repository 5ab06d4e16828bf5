"""A mined run grows by further files, and two become one: nothing is embedded twice, and the pairs are the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paraloom.engine import store
from paraloom.models.embedders.static import StaticEmbedder
from paraloom.models.neighbours.lists import read_lists
from paraloom.workflows.mine.index_step import read_choice
from paraloom.workflows.mine.mine import mine
from paraloom.workflows.mine.options import SearchOptions
from paraloom.workflows.mine.vectors_step import read_coder
from tests.workflows.mine.conftest import TOLD
from tests.workflows.mine.small_runs import small_options

NOUNS_MADE = ("sentences", "pairs", "labels", "clusters")
pytestmark = pytest.mark.usefixtures("small")


@pytest.fixture
def halves(tmp_path: Path) -> tuple[Path, Path]:
    """Two files that have some sentences in common."""
    first, second = tmp_path / "a.txt", tmp_path / "b.txt"
    first.write_text("\n".join(TOLD[:500]) + "\n")
    second.write_text("\n".join([*TOLD[450:], "", TOLD[3].upper()]) + "\n")
    return first, second


@pytest.fixture
def embedded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every text that is embedded from now on."""
    texts: list[str] = []
    embed = StaticEmbedder.embed

    def noted(self: StaticEmbedder, given: Any) -> Any:
        texts.extend(given)
        return embed(self, given)

    monkeypatch.setattr(StaticEmbedder, "embed", noted)
    return texts


def same_tables(left: Path, right: Path) -> None:
    for table in NOUNS_MADE:
        assert store.read_table(left, table) == store.read_table(right, table), table


@pytest.mark.parametrize("index", ["exact", "ivf"])
def test_a_run_grows_by_a_file_as_if_it_had_been_there_from_the_start(
    index: str, halves: tuple[Path, Path], embedder: str, tmp_path: Path, embedded: list[str]
) -> None:
    options = small_options(embedder, index)
    before = mine([halves[0]], tmp_path / "before", options).run
    embedded.clear()
    grown = mine([before, halves[1]], tmp_path / "grown", options).run
    assert sorted(embedded) == sorted(set(TOLD[500:]))
    whole = mine([*halves], tmp_path / "whole", options).run
    assert read_coder(grown / "vectors") == read_coder(whole / "vectors")
    sentences = {row["sentence_id"]: row["copies"] for row in store.read_table(grown, "sentences").to_pylist()}
    assert sentences == {row["sentence_id"]: row["copies"] for row in store.read_table(whole, "sentences").to_pylist()}
    if index == "exact":
        same_tables(grown, whole)
        return
    kept = (before / "index" / "lists" / "centroids.npy").read_bytes()
    assert (grown / "index" / "lists" / "centroids.npy").read_bytes() == kept
    exact = mine([*halves], tmp_path / "exact", small_options(embedder, "exact")).run
    true, *found = (set(store.read_table(run, "pairs").column("pair_id").to_pylist()) for run in (exact, grown, whole))
    shares = [len(pairs & true) / len(true) for pairs in found]
    assert min(shares) > 0.9, shares  # other lists, and so other misses, but no more of them


def test_a_run_of_other_codes_lends_its_vectors_and_not_its_lists(
    halves: tuple[Path, Path], embedder: str, tmp_path: Path, embedded: list[str]
) -> None:
    packed, plain = (
        small_options(embedder, search=SearchOptions(index="ivf", neighbours=5, codes=codes))
        for codes in ("pq", "int8")
    )
    before = mine([halves[0]], tmp_path / "before", packed).run
    embedded.clear()
    grown = mine([before, halves[1]], tmp_path / "grown", plain).run
    assert sorted(embedded) == sorted(set(TOLD[500:]))
    assert not (grown / "index" / "lists" / "pieces.npy").exists()
    exact = mine([*halves], tmp_path / "exact", small_options(embedder, "exact")).run
    true, found = (
        {row["pair_id"]: row["similarity"] for row in store.read_table(run, "pairs").to_pylist()}
        for run in (exact, grown)
    )
    shared = true.keys() & found.keys()
    assert len(shared) > 0.9 * len(true)
    assert all(true[pair] == found[pair] for pair in shared)


def test_lists_are_learned_anew_when_most_sentences_are_new_to_them(embedder: str, tmp_path: Path) -> None:
    options, run = small_options(embedder, "ivf"), None
    for count in (200, 300, 800):
        file = tmp_path / f"{count}.txt"
        file.write_text("\n".join(TOLD[:count]) + "\n")
        given = [file] if run is None else [run, file]
        before, run = run, mine(given, tmp_path / str(count), options).run
        lists = read_lists(run / "index" / "lists")
        choice = read_choice(run)
        assert (choice.lists, choice.cells) == (len(lists), lists.cells)
        if before is not None:
            same = np.array_equal(read_lists(before / "index" / "lists").centroids, lists.centroids)
            assert same == (count == 300)


def test_two_runs_become_one(halves: tuple[Path, Path], embedder: str, tmp_path: Path, embedded: list[str]) -> None:
    options = small_options(embedder)
    runs = [mine([half], tmp_path / half.stem, options).run for half in halves]
    embedded.clear()
    merged = mine(runs, tmp_path / "merged", options).run
    assert embedded == []
    same_tables(merged, mine([*halves], tmp_path / "whole", options).run)


def test_a_run_that_was_embedded_otherwise_is_a_file_of_sentences(
    halves: tuple[Path, Path], embedder: str, tmp_path: Path, embedded: list[str]
) -> None:
    from paraloom.workflows.mine.options import EmbedOptions

    first = mine([halves[0]], tmp_path / "first", small_options(embedder)).run
    embedded.clear()
    fewer = small_options(embedder, embed=EmbedOptions(embedder=embedder, max_tokens=5))
    grown = mine([first, halves[1]], tmp_path / "grown", fewer).run
    assert set(TOLD) <= set(embedded)
    same_tables(grown, mine([*halves], tmp_path / "whole", fewer).run)
