"""What a mined run has is used again when it grows, by whatever name and version; what is not used is told, and why."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paraloom.engine.store import read_made_by
from paraloom.models.embedders import weight_files
from paraloom.models.embedders.static import StaticEmbedder
from paraloom.sentences.line_options import LineOptions
from paraloom.workflows.mine import cells_search, earlier_runs, neighbours_step
from paraloom.workflows.mine.earlier_runs import OUTNUMBERED, Earlier, same_vectors, without_small
from paraloom.workflows.mine.mine import mine
from paraloom.workflows.mine.nearest_files import Nearest, neighbour_files
from paraloom.workflows.mine.options import EmbedOptions, JudgeOptions, MineOptions, SearchOptions
from paraloom.workflows.mine.run_options import largest_run, options_of_run
from paraloom.workflows.mine.vectors_step import read_coder
from tests.workflows.mine.conftest import TOLD
from tests.workflows.mine.small_runs import FEW_QUERIES, SMALL, small_options

pytestmark = pytest.mark.usefixtures("small")


def unjudged(embedder: str, **search: Any) -> MineOptions:
    how = SearchOptions(**({"index": "ivf", "neighbours": 5} | search))
    return small_options(embedder, search=how, judge=JudgeOptions(identify=False))


def written(folder: Path, name: str, texts: list[str]) -> Path:
    file = folder / name
    file.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def before(embedder: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of six hundred sentences, with lists."""
    folder = tmp_path_factory.mktemp("before")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (SMALL | FEW_QUERIES).items():
            patch.setattr(name, value)
        return mine([written(folder, "a.txt", TOLD[:600])], folder / "run", unjudged(embedder)).run


def found(run: Path) -> tuple[np.ndarray, np.ndarray]:
    """The neighbours of all sentences of a run, and their products, by number."""
    read = [Nearest.read(file) for file in neighbour_files(run / "neighbours")]
    numbers = np.concatenate([each.numbers for each in read])
    order = np.argsort(numbers)
    return (
        np.concatenate([each.neighbours for each in read])[order],
        np.concatenate([each.dots for each in read])[order],
    )


def told(run: Path) -> list[dict[str, Any]]:
    return list(json.loads((run / "summary.json").read_text("utf-8"))["search"]["earlier"])


@pytest.mark.parametrize("new", [20, 200], ids=["few are new", "many are new"])
def test_a_grown_run_starts_from_the_neighbours_it_has_and_finds_no_worse_ones(
    new: int, before: Path, embedder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = written(tmp_path, "more.txt", TOLD[600 : 600 + new])
    grown = mine([before, more], tmp_path / "grown", unjudged(embedder)).run
    signature = read_made_by(before, "neighbours")["signature"]
    assert read_made_by(grown, "neighbours")["options"] == {"neighbours": 5, "earlier": signature}
    used = {"no_vectors": "", "no_lists": "", "no_neighbours": ""}
    assert told(grown) == [{"run": str(before), "vectors": 600, **used}]
    monkeypatch.setattr(neighbours_step, "start_of", lambda *asked: "it is to be searched anew")
    anew = mine([before, more], tmp_path / "anew", unjudged(embedder)).run
    assert "earlier" not in read_made_by(anew, "neighbours")["options"]
    assert (grown / "index" / "probes.json").read_bytes() == (anew / "index" / "probes.json").read_bytes()
    (_, products), (_, products_anew) = found(grown), found(anew)
    assert products.sum() >= products_anew.sum()
    assert (products >= products_anew).mean() > 0.999  # a better neighbour may lead past one that a worse one knew


@pytest.mark.parametrize("index", ["exact", "ivf"])
def test_a_run_that_has_compared_all_with_all_grows_by_what_is_new(
    index: str, embedder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [written(tmp_path, "a.txt", TOLD[:200]), written(tmp_path, "b.txt", TOLD[190:230])]
    few = mine(files[:1], tmp_path / "few", unjudged(embedder, index="exact", neighbours=6)).run
    grown = mine([few, files[1]], tmp_path / "grown", unjudged(embedder, index=index)).run
    assert told(grown)[0]["no_neighbours"] == ""
    assert "earlier" in read_made_by(grown, "neighbours")["options"]
    whole = mine(files, tmp_path / "whole", unjudged(embedder, index="exact")).run
    (numbers, products), (true_numbers, true_products) = found(grown), found(whole)
    if index == "exact":
        np.testing.assert_array_equal(numbers, true_numbers)
        np.testing.assert_array_equal(products, true_products)
    else:
        monkeypatch.setattr(neighbours_step, "start_of", lambda *asked: "it is to be searched anew")
        _, products_anew = found(mine([few, files[1]], tmp_path / "anew", unjudged(embedder, index="ivf")).run)
        assert (products == true_products).mean() > (products_anew == true_products).mean()
        assert (products <= true_products).all()


def test_a_grown_run_that_was_stopped_goes_on_to_the_same_bytes(
    before: Path, embedder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, digests: Any
) -> None:
    more = written(tmp_path, "more.txt", TOLD[600:700])
    whole = mine([before, more], tmp_path / "whole", unjudged(embedder)).run
    search, done = cells_search.CellSearch.__call__, []

    def stopped(self: Any, cell: int, target: Path) -> None:
        if len(done) == 2:
            raise KeyboardInterrupt
        done.append(cell)
        search(self, cell, target)

    with monkeypatch.context() as patch:
        patch.setattr(cells_search.CellSearch, "__call__", stopped)
        with pytest.raises(KeyboardInterrupt):
            mine([before, more], tmp_path / "stopped", unjudged(embedder))
    gone_on = mine([before, more], tmp_path / "stopped", unjudged(embedder)).run
    assert digests(gone_on / "neighbours") == digests(whole / "neighbours")
    assert digests(gone_on / "pairs") == digests(whole / "pairs")


def test_sentences_that_are_none_by_other_rules_are_no_neighbours(before: Path, embedder: str, tmp_path: Path) -> None:
    more = written(tmp_path, "more.txt", TOLD[600:])
    longest = max(len(text) for text in TOLD)
    options = replace(unjudged(embedder), lines=LineOptions(max_characters=longest - 1))
    grown = mine([before, more], tmp_path / "grown", options).run
    kept = sum(len(text) < longest for text in TOLD)
    assert 600 < kept < len(TOLD)
    assert told(grown)[0]["no_neighbours"] == ""
    assert 0 < told(grown)[0]["vectors"] < 600
    numbers, _ = found(grown)
    assert len(numbers) == kept
    assert numbers.max() == kept - 1
    assert (numbers != -1).all()  # also of those that have lost one


NOT_USED = [
    ({"neighbours": 6}, "no_neighbours", "it looked for 5 and not for 6"),
    ({"codes": "pq"}, "no_lists", "its codes are int8, and pq are wanted"),
    ({"index": "exact"}, "no_lists", "all sentences are compared with all"),
]


@pytest.mark.parametrize(("search", "what", "why"), NOT_USED, ids=[why for *_, why in NOT_USED])
def test_what_is_not_used_again_is_told(
    search: dict[str, Any], what: str, why: str, before: Path, embedder: str, tmp_path: Path
) -> None:
    more = written(tmp_path, "more.txt", TOLD[600:640])
    mined = mine([before, more], tmp_path / "grown", unjudged(embedder, **search))
    (earlier,) = told(mined.run)
    assert earlier["vectors"] == 600
    assert earlier[what] == why
    assert any(line.startswith(f"Of {before} 600 vectors are used again") and why in line for line in mined.told)


def with_changed(run: Path, target: Path, table: str, **changed: Any) -> Path:
    """A copy of a run that says it was made otherwise."""
    shutil.copytree(run, target)
    file = target / f"{table}.made_by.json"
    told = json.loads(file.read_text("utf-8"))
    options = told["options"] | changed.pop("options", {})
    file.write_text(json.dumps({**told, **changed, "options": options}))
    return target


def used(run: Path, embedder: str, **options: Any) -> tuple[bool, str]:
    """Whether a run's vectors are used again, and why not."""
    asked = EmbedOptions(embedder=embedder, **options)
    earlier = same_vectors([run], asked, weight_files(embedder))
    return earlier.runs == (run.resolve(),), "".join(why for _, why in earlier.passed_over)


def test_weights_decide_whether_vectors_are_used_again_and_neither_name_nor_device_nor_version(
    before: Path, embedder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    renamed = shutil.copytree(embedder, tmp_path / "called otherwise")
    assert used(before, str(renamed)) == (True, "")
    assert used(before, embedder, dims=64) == (True, "")  # as many as it has
    assert used(before, embedder, device="cuda") == (True, "")  # a table of vectors is read on no GPU
    assert used(before, "fast") == (False, "it was embedded with drawn, and now with fast")
    assert used(before, embedder, dims=16) == (False, "they have 64 numbers, and now 16")
    assert used(before, embedder, max_tokens=5)[1].startswith("up to all tokens that the embedder can read of a text")
    tuned = shutil.copytree(embedder, tmp_path / "drawn")
    (tuned / "notes.txt").write_text("trained further")
    assert used(before, str(tuned)) == (False, "it was embedded with drawn, and now with other weights of it")
    other = with_changed(before, tmp_path / "other", "vectors", paraloom="0.0.1", source="another")
    assert used(other, embedder) == (True, "")
    embed = StaticEmbedder.embed
    monkeypatch.setattr(StaticEmbedder, "embed", lambda self, texts: embed(self, [text[:9] for text in texts]))
    assert used(other, embedder) == (False, "this version of Paraloom gives its sentences others")
    assert used(before, embedder) == (True, "")  # the source is the same: nothing is embedded


def test_a_network_gives_other_vectors_on_another_device(tmp_path: Path) -> None:
    options = MineOptions(embed=EmbedOptions(embedder="good"), judge=JudgeOptions(identify=False))
    run = mine([written(tmp_path, "few.txt", TOLD[:5])], tmp_path / "run", options).run
    assert used(run, "good") == (True, "")
    assert used(run, "good", device="cuda") == (False, "a network gives others on cuda than on cpu")


def test_a_run_says_what_it_was_asked_for_and_one_that_is_refused_changes_nothing_of_it(
    before: Path, embedder: str, tmp_path: Path
) -> None:
    from paraloom.errors import TargetTaken

    asked = options_of_run(before)
    assert asked.embed == EmbedOptions(embedder=embedder)
    assert asked.search == SearchOptions(index="ivf", neighbours=5)
    with pytest.raises(TargetTaken):
        mine([before.parent / "a.txt"], before, unjudged(embedder, neighbours=7))
    assert options_of_run(before) == asked
    small = mine([written(tmp_path, "few.txt", TOLD[:20])], tmp_path / "few", unjudged(embedder, index="exact")).run
    assert largest_run([small, tmp_path / "few.txt", before, "-"]) == before
    assert largest_run([tmp_path / "few.txt", "-"]) is None


OUTNUMBERED_RUNS = [
    ("drawn", [], "it has 0 vectors, too few to go by for 201 texts"),
    ("drawn", TOLD[:1], "it has 1 vector, too few to go by for 201 texts"),
    ("characters", [], "it has 0 vectors, too few to go by for 201 texts"),
    ("characters", TOLD[:3], "it has 3 vectors, too few to go by for 201 texts"),
]


@pytest.mark.parametrize(("which", "texts", "why"), OUTNUMBERED_RUNS)
def test_a_run_that_is_outnumbered_many_times_decides_nothing(
    which: str, texts: list[str], why: str, embedder: str, tmp_path: Path
) -> None:
    options = unjudged(embedder if which == "drawn" else which, index="exact")
    options = replace(options, embed=replace(options.embed, dims=64))
    few, more = written(tmp_path, "few.txt", [*texts, "1 2 3"]), written(tmp_path, "more.txt", TOLD[:200])
    small = mine([few], tmp_path / "small", options).run
    heard: list[str] = []
    grown = mine([small, more], tmp_path / "grown", options, tell=heard.append)
    anew = mine([few, more], tmp_path / "anew", options).run
    assert read_coder(grown.run / "vectors") == read_coder(anew / "vectors")
    np.testing.assert_array_equal(found(grown.run)[1], found(anew)[1])
    line = f"Nothing but the sentences of {small} is used again: {why}."
    assert heard == [line]
    assert line in grown.told
    (earlier,) = told(grown.run)
    assert (earlier["vectors"], earlier["no_vectors"], earlier["no_neighbours"]) == (0, why, why)


def test_a_small_run_decides_while_it_is_not_outnumbered_many_times_and_a_large_one_always(
    before: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    earlier = Earlier(runs=(before,))
    assert without_small(earlier, 600 * OUTNUMBERED) is earlier
    assert without_small(earlier, 600 * OUTNUMBERED + 1).runs == ()
    monkeypatch.setattr(earlier_runs, "LEARNED_ON", 600)
    assert without_small(earlier, 600 * OUTNUMBERED + 1) is earlier
    assert without_small(Earlier(), 10) == Earlier()
