"""Generators write on sets that we made up, and are measured beside people and parrots; none writes twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from paraloom.errors import InputError
from paraloom.reports.bench_generation_summary import COLUMNS, GenerationBench
from paraloom.workflows.bench.generation import bench_generation
from paraloom.workflows.bench.generation_contenders import Contender, contenders, load_writer
from paraloom.workflows.bench.generation_options import GenerationBenchOptions
from paraloom.workflows.bench.generation_outputs import Written, write_outputs
from paraloom.workflows.bench.generation_sets import BenchSet, read_bench_sets
from tests.workflows.generation_corpora import write, write_generation_corpora

SETS = ("multipit-held-out", "quora")
QUICK = GenerationBenchOptions(sets=SETS, max_candidates=4, resamples=20)
PARROT = replace(QUICK, generators=("parrot",))
PATIENCE = 120.0


def said(source: str) -> str:
    return f"Some people say that {source}"


def write_file(path: Path, sources: list[str]) -> Path:
    lines = [json.dumps({"source": source, "outputs": [{"text": said(source)}]}) for source in sources]
    write(path, "".join(f"{line}\n" for line in lines))
    return path


def sources_of(data: Path, *names: str) -> list[str]:
    return [source for one in read_bench_sets(data, names)[0] for source in one.evaluation_set.sources]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_generation_corpora(tmp_path_factory.mktemp("corpora") / "data")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bench")


@pytest.fixture(scope="module")
def bench(data: Path, folder: Path, tiny_bert: Path) -> GenerationBench:
    """Two generators, one that cannot be loaded, and a file that holds all sources of the second set alone."""
    file = write_file(folder / "said.jsonl", sources_of(data, "quora"))
    options = replace(
        QUICK,
        generators=("nowhere=./no-such-folder", "parrot", "lexical"),
        outputs=(f"said={file}",),
        encoder=str(tiny_bert),
        layer=2,
    )
    return bench_generation(data, options, folder=folder)


def test_every_contender_stands_in_the_table_beside_people_and_parrots(bench: GenerationBench) -> None:
    beside = ["people", "parrot", "parrot-cut-tail-0.3", "parrot-replace-tail-0.3"]
    ours = ["parrot (given)", "lexical"]  # of the parrots that stand beside everybody one is called so already
    assert [cell.contender for cell in bench.of_set("multipit-held-out")] == [*ours, *beside]
    assert [cell.contender for cell in bench.of_set("quora")] == [*ours, "said", *beside]
    assert [cell.kind for cell in bench.of_set("quora")] == ["generator"] * 2 + ["file", "people"] + ["parrot"] * 3
    assert bench.contenders == (*ours, "said")
    for cell in bench.cells:
        if cell.kind != "people":
            assert set(COLUMNS) <= set(cell.scores)
    full = bench.cell("parrot", "quora")
    assert full is not None
    assert full.scores["self-bleu"].value == pytest.approx(100)
    assert full.scores["copy-rate"].value == 1


def test_a_generator_that_cannot_be_loaded_is_named_and_stops_nothing(bench: GenerationBench) -> None:
    assert set(bench.not_run) == {"nowhere", "said on multipit-held-out"}
    assert "no-such-folder" in bench.not_run["nowhere"]
    assert "no outputs for 6 of 6 sources" in bench.not_run["said on multipit-held-out"]
    assert "nowhere was not run: " in bench.as_text()


def test_differences_are_against_the_first_that_wrote_anything(bench: GenerationBench) -> None:
    first, other = bench.cell("parrot (given)", "quora"), bench.cell("lexical", "quora")
    assert first is not None
    assert other is not None
    assert first.against_first is None
    assert other.against_first is not None
    assert {claim.ours_name for claim in other.against_first.values()} == {"parrot (given)"}
    assert "against parrot (given)" in bench.as_text()


def test_the_first_is_the_first_that_was_asked_for_though_it_is_not_in_the_first_set(
    data: Path, tmp_path: Path
) -> None:
    some = write_file(tmp_path / "some.jsonl", sources_of(data, "quora"))
    both = write_file(tmp_path / "both.jsonl", sources_of(data, *SETS))
    options = replace(QUICK, generators=("none",), outputs=(f"some={some}", f"both={both}"), encoder="nowhere")
    found = bench_generation(data, options)
    assert found.contenders == ("some", "both")
    there, elsewhere = found.cell("both", "quora"), found.cell("both", "multipit-held-out")
    assert there is not None
    assert there.against_first is not None
    assert elsewhere is not None
    assert elsewhere.against_first is None
    assert set(found.skipped) == {"source-bertscore-f1", "bert-ibleu"}  # what cannot run stops nothing
    assert there.scores.keys() >= {"bleu", "mutual-implication"}
    assert found.sets[0].curve == ()


def test_where_sources_have_several_references_people_are_held_against_each_other(bench: GenerationBench) -> None:
    several, single = bench.cell("people", "multipit-held-out"), bench.cell("people", "quora")
    assert several is not None
    assert single is not None
    assert 0 < several.scores["bleu"].value < 100
    assert "bleu" not in single.scores


def test_json_has_metrics_and_signatures_of_every_contender(bench: GenerationBench) -> None:
    found = json.loads(json.dumps(bench.as_json()))
    assert found["first"] == "parrot (given)"
    assert set(found["systems"]) == {f"{cell.set}/{cell.contender}" for cell in bench.cells}
    lexical = found["systems"]["quora/lexical"]
    assert set(COLUMNS) <= set(lexical["metrics"])
    assert set(lexical["signature"]) == set(lexical["metrics"])
    assert "case:lc" in lexical["signature"]["bleu"]  # the set has no upper case
    assert "case:mixed" in found["systems"]["multipit-held-out/lexical"]["signature"]["bleu"]
    assert "lexical" in lexical["writer"]
    assert found["systems"]["quora/said"]["writer"] == "file|said.jsonl"
    assert found["published"]["table_4"][0]["figures"] == [41.15, 51.38, 88.18, 65.23]


def test_what_a_file_says_is_what_is_measured(bench: GenerationBench) -> None:
    given, parrot = bench.cell("said", "quora"), bench.cell("parrot", "quora")
    assert given is not None
    assert parrot is not None
    assert given.seconds_a_source is None
    assert given.scores["copy-rate"].value == 0
    assert 0 < given.scores["self-bleu"].value < parrot.scores["self-bleu"].value


def the_set(data: Path, name: str = "quora") -> BenchSet:
    (found,), _ = read_bench_sets(data, [name])
    return found


def test_what_was_written_before_is_read_and_not_written_again(data: Path, tmp_path: Path) -> None:
    options = replace(PARROT, sets=("quora",), encoder="nowhere")
    first = bench_generation(data, options, folder=tmp_path)
    (file,) = (tmp_path / "outputs" / "quora").glob("parrot.*.jsonl")
    references = dict(zip(*_of(the_set(data)), strict=True))
    lines = [{"source": source, "outputs": [{"text": texts[0]}]} for source, texts in references.items()]
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    again = bench_generation(data, options, folder=tmp_path)
    before, after = (found.cell("parrot (given)", "quora") for found in (first, again))
    assert before is not None
    assert after is not None
    assert before.scores["bleu"].value < 100
    assert after.scores["bleu"].value == pytest.approx(100)
    assert after.seconds_a_source == before.seconds_a_source


def _of(one: BenchSet) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    return one.evaluation_set.sources, tuple(map(tuple, one.evaluation_set.references))


def test_other_settings_are_other_outputs(data: Path, tmp_path: Path) -> None:
    parrot = Contender(name="parrot", generator="parrot")
    for options in (PARROT, replace(PARROT, seed=2)):
        write_outputs(load_writer(parrot, options), "parrot", the_set(data), tmp_path)
    assert len([*(tmp_path / "outputs" / "quora").glob("parrot.*.jsonl")]) == 2


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """A folder with a set that takes a while."""
    rows = [f"how deep is lake number {n} in spring ?\twhat depth has lake {n} ?\n" for n in range(300)]
    write(tmp_path / "many/qqp/generation/val.tsv", "".join(rows))
    return tmp_path / "many"


def written(data: Path, folder: Path, told: list[int] | None = None) -> Written:
    writer = load_writer(Contender(name="parrot", generator="parrot"), PARROT)
    tell = None if told is None else lambda done, total: told.append(done)
    return write_outputs(writer, "parrot", the_set(data), folder, batch=7, tell=tell)


def test_a_run_that_was_killed_goes_on_behind_its_last_line(many: Path, tmp_path: Path, child_environment) -> None:
    words = ["bench", "generation", "--data", str(many), "--sets", "quora", "--generators", "parrot", "--batch", "1"]
    words += ["--max-candidates", "4", "--limit", "0", "--out", str(tmp_path / "killed")]
    process = subprocess.Popen(
        [sys.executable, "-c", "from paraloom.cli import main; main()", *words],
        env=child_environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    outputs = tmp_path / "killed" / "outputs" / "quora"
    deadline = time.monotonic() + PATIENCE
    while not any(file.read_bytes().count(b"\n") > 3 for file in outputs.glob(".unfinished-*")):
        assert process.poll() is None, "It ended before it could be killed."
        assert time.monotonic() < deadline
        time.sleep(0.002)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    (unfinished,) = outputs.glob(".unfinished-*")
    whole = unfinished.read_bytes().count(b"\n")
    assert 3 < whole < 300
    told: list[int] = []
    goes_on = written(many, tmp_path / "killed", told)
    assert told[0] == whole
    undisturbed = written(many, tmp_path / "undisturbed")
    assert goes_on.rows.path.read_bytes() == undisturbed.rows.path.read_bytes()
    assert goes_on.rows.path.name == undisturbed.rows.path.name
    assert goes_on.cost is not None
    assert 300 <= goes_on.cost.sources <= 301  # what was under way when it was killed was timed, too
    assert not unfinished.exists()


def test_half_a_line_is_cut_off_and_what_was_never_timed_is_written_anew(many: Path, tmp_path: Path) -> None:
    whole = written(many, tmp_path).rows.path
    expected = whole.read_bytes()
    lines = expected.splitlines(keepends=True)
    unfinished = whole.with_name(f".unfinished-{whole.name}")
    for has_times, begun_at in ((True, 20), (False, 0)):
        whole.unlink()
        unfinished.write_bytes(b"".join(lines[:20]) + lines[20][:15])
        if not has_times:
            whole.with_suffix(".json").unlink()
        told: list[int] = []
        found = written(many, tmp_path, told)
        assert told[0] == begun_at
        assert whole.read_bytes() == expected
        assert found.cost is not None
        assert found.cost.seconds_a_source > 0


REFUSED = [
    ({"sets": ("news",)}, "There is no set 'news'. Choose from: multipit-held-out"),
    ({"sets": ("quora", "quora")}, "names quora twice"),
    ({"sets": ("quora=mine.jsonl",)}, "cannot be the name of a set of your own"),
    ({"sets": ("../mine=mine.jsonl",)}, "cannot be the name of a set of your own"),
    ({"sets": ("mine=nowhere.jsonl",)}, "nowhere.jsonl"),
    ({"generators": ("parrot", "parrot")}, "give each once"),
    ({"generators": ("a=parrot", "a=lexical")}, "Two contenders are called a."),
    ({"generators": ("people=parrot",)}, "people is what the row of people's references is called"),
    ({"generators": ("none",)}, "There is nobody to measure"),
    ({"outputs": ("file.jsonl",)}, "is not of the form NAME=FILE"),
    ({"outputs": ("a=nowhere.jsonl",)}, "there is no file nowhere.jsonl"),
    ({"generators": ("./no-such-folder",)}, "No generator could be run. There is no language model"),
    ({"limit": -1}, "--limit -1 makes no sense"),
    ({"n": 5, "max_candidates": 4}, "--max-candidates 4 are too few to choose --n 5"),
]


@pytest.mark.parametrize(("given", "complaint"), REFUSED)
def test_what_cannot_be_is_refused(data: Path, given: dict, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        bench_generation(data, replace(PARROT, **given))


def test_a_set_of_ones_own_stands_beside_the_published_ones(data: Path, tmp_path: Path) -> None:
    rows = [
        ("A storm hit the coast .", ["a gale struck the shore", "the coast was hit"]),
        ("Rain fell.", ["it rained"]),
    ]
    file = tmp_path / "mine.jsonl"
    file.write_text("".join(json.dumps({"source": one, "references": some}) + "\n" for one, some in rows))
    lower = tmp_path / "lower.tsv"
    lower.write_text("left\tright\nrain fell\tit rained\nrain fell\train came down\n")
    found, skipped = read_bench_sets(data, (f"mine={file}", f"lower={lower}", "quora"))
    assert [one.name for one in found] == ["mine", "lower", "quora"]
    assert skipped == {}
    mine = dict(zip(found[0].evaluation_set.sources, found[0].evaluation_set.references, strict=True))
    assert mine == {"A storm hit the coast.": tuple(rows[0][1]), "Rain fell.": ("it rained",)}
    assert [one.is_lower for one in found] == [False, True, True]
    bench = bench_generation(data, replace(PARROT, sets=(f"mine={file}",)))
    assert bench.cell("people", "mine") is not None
    (tmp_path / "s.txt").write_text("Rain fell.\n")
    with pytest.raises(InputError, match="has no references beside its sources"):
        read_bench_sets(data, (f"mine={tmp_path / 's.txt'}",))
    half = tmp_path / "half.tsv"
    half.write_text("left\tright\nrain fell\tit rained\nsnow fell\t\n")
    assert "empty" in read_bench_sets(data, (f"mine={half}",))[0][0].about


def test_a_folder_that_holds_no_set_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no folder"):
        bench_generation(tmp_path / "nowhere", PARROT)
    with pytest.raises(InputError, match="No set is in"):
        bench_generation(tmp_path, PARROT)


def test_a_folder_is_called_by_its_last_part_unless_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "posts").mkdir()
    found = contenders(replace(QUICK, generators=(str(tmp_path / "posts"), f"mine={tmp_path / 'posts'}", "lexical")))
    assert [one.name for one in found] == ["posts", "mine", "lexical"]
    assert found[1].generator == str(tmp_path / "posts")
