"""The benchmark of mining on corpora that we made up, in the forms that the real ones were published in."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from paraloom.corpus.text_key import text_key
from paraloom.errors import InputError
from paraloom.metrics.retrieval.figures import Found
from paraloom.metrics.retrieval.vectors import DenseVectors
from paraloom.models.embedders import read_card
from paraloom.models.embedders.catalogue import SHIPPED
from paraloom.models.embedders.unit_length import unit_length
from paraloom.reports.bench_mining import write_mining_bench
from paraloom.workflows.bench import mining
from paraloom.workflows.bench.mining import bench_mining, every_embedder
from paraloom.workflows.bench.mining_options import MiningBenchOptions
from paraloom.workflows.bench.mining_sets import DRAWN_FROM, SETS, measured_texts, seen_by_shared_parts
from paraloom.workflows.bench.mining_texts import read_mining_texts
from paraloom.workflows.bench.mining_vectors import FOLDER, Timed, embedded, prefix_of, timed_on_some
from paraloom.workflows.evaluate.text_vectors import TextVectors

WORDS = ("storm", "coast", "harbour", "mayor", "bridge", "river", "market", "council", "school", "garden", "engine")


def sides(draw: random.Random, number: int, *, alike: bool) -> tuple[str, str]:
    left = draw.sample(WORDS, 6)
    right = [*left[: 4 if alike else 1], *draw.sample(WORDS, 2 if alike else 5)]
    draw.shuffle(right)
    return f"{' '.join(left)} {number}", f"{' '.join(right)} {number}"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A set in Turku's form, one in PIT-2015's, and strangers in MSRP's."""
    draw, folder = random.Random(1), tmp_path / "data"
    for name in ("turku", "pit2015", "msrp"):
        (folder / name).mkdir(parents=True)
    items = []
    for number in range(40):
        left, right = sides(draw, number, alike=number % 4 != 0)
        items.append(
            {"txt1": left, "txt2": right, "label": "2" if number % 4 == 0 else "4<s", "goeswith": f"d{number}"}
        )
    (folder / "turku" / "v1_dev.json").write_text(json.dumps(items), encoding="utf-8")
    rows = []
    for number in range(30):
        left, right = sides(draw, 100 + number, alike=number % 3 == 0)
        rows.append(
            f"{number // 5}\ttopic\t{left}\t{right}\t({5 if number % 3 == 0 else 0}, {0 if number % 3 == 0 else 5})\t\t"
        )
    (folder / "pit2015" / "dev.data").write_text("\n".join(rows) + "\n", encoding="utf-8")
    lines = ["Quality\t#1 ID\t#2 ID\t#1 String\t#2 String"]
    for number in range(50):
        left, right = sides(draw, 200 + number, alike=True)
        lines.append(f"1\t{number}\t{number}x\t{left}\t{right}")
    (folder / "msrp" / "msr_paraphrase_train.txt").write_text("\ufeff" + "\n".join(lines) + "\n", encoding="utf-8")
    return folder


QUICK = MiningBenchOptions(embedders=("characters@128", "characters-exact"), most_distractors=60, resamples=20)


def test_every_embedder_looks_in_every_set_that_is_there(data: Path, tmp_path: Path) -> None:
    bench = bench_mining(data, QUICK, folder=tmp_path / "out")
    assert [(row.embedder, row.set) for row in bench.rows] == [
        (embedder, name) for embedder in QUICK.embedders for name in ("turku", "pit2015")
    ]
    turku, pit = bench.sets
    assert (turku.pairs, turku.paraphrases, pit.pairs) == (40, 30, 30)
    assert turku.candidates == pit.candidates == 80 + 60 + 60 - 1
    assert sum("is skipped" in note for note in bench.notes) == 3
    row = bench.row("characters@128", "turku")
    assert row.cost.dims == 128
    assert row.cost.megabytes is None
    assert row.cost.texts_per_second > 0
    assert "roc-auc" in row.figures.figures


def test_no_text_is_embedded_twice(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options = replace(QUICK, embedders=("characters@128",))
    first = bench_mining(data, options, folder=tmp_path / "out")
    (file,) = (tmp_path / "out" / FOLDER).glob("*.npy")
    written = file.stat().st_mtime_ns
    again = bench_mining(data, options, folder=tmp_path / "out")
    assert again == first  # with the very seconds that were measured then
    assert file.stat().st_mtime_ns == written
    bench_mining(data, replace(options, most_distractors=10), folder=tmp_path / "out")
    assert len(list((tmp_path / "out" / FOLDER).glob("*.npy"))) == 2


def test_strangers_have_no_text_of_a_set_and_depend_on_the_seed(data: Path) -> None:
    texts = read_mining_texts(data, QUICK)
    own = {text_key(text) for one in texts.sets for text in one.texts}
    drawn = texts.texts[-texts.strangers :]
    assert texts.strangers == 60
    assert own.isdisjoint(map(text_key, drawn))
    assert drawn != read_mining_texts(data, replace(QUICK, seed=2)).texts[-60:]
    assert read_mining_texts(data, replace(QUICK, most_distractors=0)).strangers == 0
    assert read_mining_texts(data, replace(QUICK, most_distractors=10_000)).strangers == 100


def test_what_is_not_here_is_named_with_what_to_do(data: Path, tmp_path: Path) -> None:
    asked = ("characters@128", str(tmp_path / "no-such-model"))
    bench = bench_mining(data, replace(QUICK, embedders=asked))
    assert list(bench.not_run) == [asked[1]]
    assert "There is no folder" in bench.not_run[asked[1]]
    assert f"{asked[1]} is not here: " in bench.as_text()
    with pytest.raises(InputError, match="No embedder could be run"):
        bench_mining(data, replace(QUICK, embedders=asked[1:]))
    with pytest.raises(InputError, match="There is no set 'tweets'"):
        bench_mining(data, replace(QUICK, sets=("tweets",)))


def test_the_report_the_json_and_the_markdown_tell_the_same(data: Path, tmp_path: Path) -> None:
    bench = bench_mining(data, QUICK)
    page = write_mining_bench(bench, tmp_path / "out").read_text(encoding="utf-8")
    found = json.loads((tmp_path / "out" / "bench.json").read_text(encoding="utf-8"))
    value = found["systems"]["turku/characters@128"]["metrics"]["top-1-forgiving"]
    table = (tmp_path / "out" / "bench.md").read_text(encoding="utf-8")
    assert f"{value:.3f}" in page
    assert next(line for line in table.splitlines() if line.startswith("| characters@128")).count(f"{value:.3f}") == 1
    assert found["systems"]["turku/characters@128"]["signature"]["top-1"].startswith("top-1|candidates:199|ties:mean|")
    assert found["sets"]["turku"]["candidates"] == 199


def fixed(name: str, dims: int, table: dict[str, np.ndarray], asked: list[str]) -> TextVectors:
    """An embedder that looks vectors up, and notes what it was asked for."""

    def make(texts: list[str]) -> DenseVectors:
        asked.extend(texts)
        return DenseVectors(unit_length(np.stack([table[text] for text in texts])[:, :dims]))

    return TextVectors(name=name, signature=f"{name}|dims:{dims}", dims=dims, make=make)


def test_fewer_dimensions_are_cut_from_vectors_that_are_there(tmp_path: Path) -> None:
    texts = [f"text {number}" for number in range(300)]
    random_table = np.random.default_rng(1).normal(size=(300, 12)).astype(np.float32)
    table = dict(zip(texts, random_table, strict=True))
    asked: list[str] = []
    whole, short = fixed("whole", 12, table, asked), fixed("short", 4, table, asked)
    made, _ = embedded(whole, texts, "ab", tmp_path)
    asked.clear()
    cut = prefix_of(made, whole, short, texts)
    assert len(asked) == 32
    assert cut is not None
    assert np.allclose(cut.rows, short.make(texts).rows, atol=1e-6)
    turned = fixed("turned", 4, {text: row[::-1] for text, row in table.items()}, asked)
    assert prefix_of(made, whole, turned, texts) is None


def test_a_recipe_does_not_run_where_what_it_must_leave_out_cannot_be_told(data: Path) -> None:
    with pytest.raises(InputError, match="opus-parsebank"):
        measured_texts(data)


def test_all_known_embedders_are_asked_for_by_default() -> None:
    asked = every_embedder()
    assert {"fast", "fast@64", "good", "good@128", "characters", "characters-exact"} <= set(asked)
    assert len(set(asked)) == len(asked)


def test_texts_are_given_to_an_embedder_in_calls_that_all_cores_can_share(tmp_path: Path) -> None:
    texts = [f"text {number}" for number in range(10_000)]
    calls: list[int] = []

    def make(some: list[str]) -> DenseVectors:
        calls.append(len(some))
        return DenseVectors(np.ones((len(some), 1), np.float32))

    made, timed = embedded(TextVectors(name="one", signature="one", dims=1, make=make), texts, "ab", tmp_path)
    assert calls == [64, 10_000]
    assert (len(made.rows), timed.texts) == (10_000, 10_000)


def test_fewer_dimensions_have_a_time_of_their_own_that_is_kept(tmp_path: Path) -> None:
    texts = [f"text {number}" for number in range(300)]
    table = dict(zip(texts, np.random.default_rng(1).normal(size=(300, 12)).astype(np.float32), strict=True))
    asked: list[str] = []
    short = fixed("short", 4, table, asked)
    slow = Timed(texts=300, seconds=3.0, device="cpu", processor="one", cores=1)
    timed = timed_on_some(short, texts, "ab", tmp_path, slow)
    assert (timed.texts, timed.seconds < 3.0) == (200, True), "as many as take two seconds"
    asked.clear()
    assert timed_on_some(short, texts, "ab", tmp_path, slow) == timed
    assert asked == []


def test_a_part_that_has_learned_from_a_set_is_told_of(data: Path) -> None:
    bench = bench_mining(data, replace(QUICK, embedders=("good@64", "fast")))
    (note,) = [note for note in bench.notes if "shares parts" in note]
    assert note.startswith("good@64 shares parts with a network that has learned from texts of pit2015: ")
    assert note in bench.as_text()
    assert note in bench.as_markdown()
    assert {row.set for row in bench.rows} == {"turku", "pit2015"}


def test_what_every_set_is_drawn_from_is_known() -> None:
    assert DRAWN_FROM.keys() == SETS.keys()
    assert seen_by_shared_parts(read_card(SHIPPED / "good")) == ["twitter-url", "pit2015"]
    assert seen_by_shared_parts(read_card(SHIPPED / "fast")) == []


def test_an_embedder_that_fails_on_one_set_is_in_no_table(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measure = mining.measure_retrieval

    def fails(found: list[Found], *given: object, **more: object) -> object:
        if found[0].name == "characters-exact" and len(found[0].places) == 30:
            raise InputError("it was too much")
        return measure(found, *given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(mining, "measure_retrieval", fails)
    bench = bench_mining(data, QUICK)
    assert bench.not_run == {"characters-exact": "it was too much"}
    assert {row.embedder for row in bench.rows} == {"characters@128"}
    assert "characters@128" in bench.as_text()
