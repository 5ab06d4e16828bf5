"""Steps over small rows of our own, through real Daft in this process and in helper processes."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tally_rows import (
    Tally,
    Word,
    at_least,
    at_nothing,
    broken,
    constantly,
    meaning_of,
    misled,
    no_room_for,
    once_mended,
    one_for_all,
    other_column,
    same_id,
    tally,
    too_few,
    without_word,
    words_again,
    words_of_batch,
)

from paraloom import tables
from paraloom.engine import foreign, passes, spills, store
from paraloom.engine.layout import Laid
from paraloom.engine.passes import Join, Pass, Read
from paraloom.engine.places import PlaceOptions, at
from paraloom.engine.rows import row_schema
from paraloom.engine.steps import Place, Step, laid_aside, make, refuse_ahead
from paraloom.engine.tasks import RecordTask
from paraloom.engine.workers import Job, Worker
from paraloom.errors import EngineError, InputError, NotMade, TableError, TargetTaken

LINES = ["the storm hit the coast", "a storm", "coast guard, the guard -1a", "x", "the end"] * 7


@pytest.fixture(autouse=True)
def nouns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(tables.NOUNS, "words", Word)  # type: ignore[misc]
    monkeypatch.setitem(tables.NOUNS, "tallies", Tally)  # type: ignore[misc]


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[foreign.Chunk]:
    file = tmp_path_factory.mktemp("lines") / "words.jsonl"
    rows = [{"word": word, "line": number} for number, line in enumerate(LINES) for word in line.split()]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return foreign.plan([file], bytes_per_chunk=900)


WORDS = [(word, number) for number, line in enumerate(LINES) for word in line.split()]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with at(PlaceOptions()):
        yield Place(run=tmp_path, buckets=4, workers=2)


def words_step(chunks: list[foreign.Chunk], work: Callable[..., Any] = words_of_batch, **changed: Any) -> Step:
    given = Pass(name="read", by=None, work=partial(constantly, work), row=Word, to="word_id")
    return replace(Step(table="words", passes=(given,), stages=("pairs",), chunks=chunks), **changed)


def tally_step(work: Callable[..., Any] = tally, **changed: Any) -> Step:
    read = Read(table="words", columns=("word", "line"))
    given = Pass(name="tally", reads=(read,), by="word", work=partial(constantly, work), row=Tally, to="word")
    return replace(Step(table="tallies", passes=(given,), stages=("pairs",), inputs=("words",)), **changed)


def expected(kept_only: bool = True) -> list[dict[str, Any]]:
    kept = [(word, line) for word, line in WORDS if not kept_only or len(word) > 1]
    return [
        {
            "word": word,
            "count": sum(other == word for other, _ in kept),
            "lines": sorted({line for other, line in kept if other == word}),
            "meaning": None,
        }
        for word in sorted({word for word, _ in kept})
    ]


def rows(run: Path, table: str) -> list[dict[str, Any]]:
    return sorted(store.read_table(run, table).to_pylist(), key=lambda row: row[tables.NOUNS[table].KEY[0]])


def test_a_table_is_made_of_files_by_batch_and_another_of_it_by_key(place: Place, lines: list[foreign.Chunk]) -> None:
    assert len(lines) > 1
    make(words_step(lines), place)
    assert sorted((row["word"], row["line"]) for row in rows(place.run, "words")) == sorted(WORDS)
    make(tally_step(), place)
    assert rows(place.run, "tallies") == expected()
    assert not (place.run / store.UNFINISHED).exists()


def test_every_part_is_sorted_by_key_and_there_is_one_a_bucket(place: Place, lines: list[foreign.Chunk]) -> None:
    make(words_step(lines), place)
    parts = store.part_files(place.run, "words")
    assert [part.name for part in parts] == [f"part-{bucket:02d}.parquet" for bucket in range(4)]
    keys = [row["word_id"] for part in parts for row in pq.read_table(part).to_pylist()]
    assert keys == sorted(keys)


def test_small_input_is_worked_on_in_this_process(place: Place, lines: list[foreign.Chunk]) -> None:
    make(words_step(lines), place)
    assert {row["process"] for row in rows(place.run, "words")} == {os.getpid()}


def test_helper_processes_give_the_same_rows(
    place: Place, lines: list[foreign.Chunk], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passes, "SMALL_INPUT", 0)
    make(words_step(lines), place)
    assert os.getpid() not in {row["process"] for row in rows(place.run, "words")}
    make(tally_step(), place)
    assert rows(place.run, "tallies") == expected()


@pytest.mark.parametrize("is_laid_before", [False, True])
def test_rows_that_take_long_are_cut_into_tasks_for_helpers_however_few_they_are(
    place: Place, lines: list[foreign.Chunk], monkeypatch: pytest.MonkeyPatch, is_laid_before: bool
) -> None:
    monkeypatch.setitem(tables.NOUNS, "again", Word)  # type: ignore[misc]
    make(words_step(lines), place)
    all_words = Read(table="words", columns=tuple(row_schema(Word).names), kept_only=False)
    read = replace(all_words, table="laid") if is_laid_before else all_words
    work = partial(constantly, words_again)
    laid = Pass(name="laid", reads=(all_words,), by=None, work=work, row=Word, to="word_id")
    cut = Pass(name="again", reads=(read,), by=None, work=work, row=Word, to="word_id", rows_a_task=9)
    heard: list[tuple[str, int]] = []
    told = replace(place, progress=lambda table, name, done, total: heard.append((name, total)))
    make(Step(table="again", passes=(laid, cut) if is_laid_before else (cut,), stages=()), told)
    made, given = rows(place.run, "again"), rows(place.run, "words")
    assert os.getpid() not in {row["process"] for row in made}
    assert [row | {"process": 0} for row in made] == [row | {"process": 0} for row in given]
    sizes = [pq.read_metadata(part).num_rows for part in store.part_files(place.run, "words")]
    assert dict(heard)["again"] == sum(max(-(-size // 9), 1) for size in sizes) > len(sizes)


def test_what_needs_a_gpu_is_done_one_task_after_the_other(
    place: Place, lines: list[foreign.Chunk], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(tables.NOUNS, "again", Word)  # type: ignore[misc]
    make(words_step(lines), place)
    read = Read(table="words", columns=tuple(row_schema(Word).names), kept_only=False)
    work = partial(constantly, words_again)
    many = Pass(name="again", reads=(read,), by=None, work=work, row=Word, to="word_id", rows_a_task=9, on_gpu=True)
    make(Step(table="again", passes=(many,), stages=()), replace(place, workers=2))
    assert {row["process"] for row in rows(place.run, "again")} == {os.getpid()}


def test_dropped_rows_are_read_where_they_are_asked_for(place: Place, lines: list[foreign.Chunk]) -> None:
    make(words_step(lines), place)
    read = Read(table="words", columns=("word", "line"), kept_only=False)
    given = Pass(name="tally", reads=(read,), by="word", work=partial(constantly, tally), row=Tally, to="word")
    make(tally_step(passes=(given,)), place)
    assert rows(place.run, "tallies") == expected(kept_only=False)


def meanings() -> pa.Table:
    return pa.table({"word": ["storm", "unheard"], "meaning": ["wind", "nothing"]})


def test_rows_worked_out_beforehand_can_be_read(place: Place, lines: list[foreign.Chunk]) -> None:
    make(words_step(lines), place)
    reads = (
        Read(table="words", columns=("word", "line")),
        Read(table="meanings", columns=("word", "meaning"), kept_only=False),
    )
    given = Pass(name="tally", reads=reads, by="word", work=partial(constantly, tally), row=Tally, to="word")
    make(tally_step(passes=(given,), prepared={"meanings": ("word", meanings)}), place)
    assert rows(place.run, "tallies") == [
        {**row, "meaning": "wind" if row["word"] == "storm" else None} for row in expected()
    ]


def test_joined_rows_are_those_that_every_input_has(place: Place, lines: list[foreign.Chunk]) -> None:
    make(words_step(lines), place)
    reads = (
        Read(table="words", columns=("word", "line")),
        Read(table="meanings", columns=("word", "meaning"), kept_only=False),
    )
    together = Join(name="joined", reads=reads, by="word", to="word")
    read = Read(table="joined", columns=("word", "line", "meaning"), kept_only=False)
    given = Pass(name="tally", reads=(read,), by="word", work=partial(constantly, meaning_of), row=Tally, to="word")
    make(tally_step(passes=(together, given), prepared={"meanings": ("word", meanings)}), place)
    (storm,) = (row for row in expected() if row["word"] == "storm")
    assert rows(place.run, "tallies") == [{**storm, "meaning": "wind"}]


def test_a_pass_can_depend_on_what_an_earlier_one_found(place: Place, lines: list[foreign.Chunk]) -> None:
    make(words_step(lines), place)
    (first,) = tally_step().passes

    def only_the_most_frequent(laid: dict[str, Laid]) -> Pass:
        found = pa.concat_tables(laid["tally"].rows(("word", "count"))).to_pylist()
        most = max(row["count"] for row in found)
        names = ("word", "count", "lines", "meaning")
        read = Read(table="tally", columns=names, kept_only=False)
        work = partial(constantly, partial(at_least, most))
        return Pass(name="frequent", reads=(read,), by="word", work=work, row=Tally, to="word")

    make(tally_step(passes=(first, only_the_most_frequent)), place)
    assert rows(place.run, "tallies") == [row for row in expected() if row["word"] == "the"]


def test_a_step_that_makes_no_rows_makes_an_empty_table(place: Place, lines: list[foreign.Chunk]) -> None:
    make(words_step(lines), place)
    make(tally_step(work=partial(at_nothing)), place)
    assert rows(place.run, "tallies") == []
    assert store.read_table(place.run, "tallies").schema == row_schema(Tally)


def test_no_files_make_an_empty_table(place: Place) -> None:
    make(words_step([]), place)
    make(tally_step(), place)
    assert rows(place.run, "tallies") == []


FAULTS: list[tuple[Callable[..., Any], str]] = [
    (too_few, r"\d+ records of words.jsonl became \d+ rows"),
    (one_for_all, r"\d+ records of words.jsonl became 1 rows"),
    (broken, "the cable is cut"),
    (misled, "There is no file pages.csv"),
    (other_column, "word"),
    (without_word, "word"),
    (same_id, "keys twice, the first: word_id="),
]


@pytest.mark.parametrize("helpers", [False, True], ids=["in process", "in helpers"])
@pytest.mark.parametrize(("fault", "said"), FAULTS, ids=lambda value: getattr(value, "__name__", ""))
def test_a_fault_is_a_readable_error_and_nothing_counts_as_finished(
    place: Place,
    lines: list[foreign.Chunk],
    fault: Callable[..., Any],
    said: str,
    helpers: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if helpers:
        monkeypatch.setattr(passes, "SMALL_INPUT", 0)
    with pytest.raises((EngineError, InputError, TableError), match=said):
        make(words_step(lines, fault), place)
    with pytest.raises(NotMade):
        store.read_made_by(place.run, "words")
    assert not (place.run / "words").exists()
    left = list((place.run / store.UNFINISHED).rglob(".*"))
    # In process nothing is left. A helper that is ended in its task may leave the folder it was at, under a name that
    # is no task's: the mended step goes past it, gives every row, and takes it away.
    assert helpers or not left
    assert all(folder.name.startswith(".task-") and folder.name.endswith(".unfinished") for folder in left)
    if fault is same_id:  # its tasks end well: the fault shows when the table is put together
        return
    assert not list((place.run / store.UNFINISHED).glob("*/read/task-*"))
    make(words_step(lines), place)
    assert sorted((row["word"], row["line"]) for row in rows(place.run, "words")) == sorted(WORDS)
    assert not (place.run / store.UNFINISHED).exists()


def test_a_run_goes_on_after_its_fault_is_mended(place: Place, lines: list[foreign.Chunk], tmp_path: Path) -> None:
    mark = tmp_path / "mended"
    step = words_step(lines, partial(once_mended, str(mark)))
    with pytest.raises(EngineError, match="not yet"):
        make(step, place)
    mark.touch()
    make(step, place)
    assert len(rows(place.run, "words")) == len(WORDS)
    assert not (place.run / store.UNFINISHED).exists()


def test_a_finished_step_is_not_made_again(place: Place, lines: list[foreign.Chunk]) -> None:
    make(words_step(lines), place)
    before = [part.stat().st_mtime_ns for part in store.part_files(place.run, "words")]
    again = make(words_step(lines, broken), place)  # it would fail if it ran
    assert again.signature == store.read_made_by(place.run, "words")["signature"]
    assert [part.stat().st_mtime_ns for part in store.part_files(place.run, "words")] == before


def test_what_a_run_killed_at_its_very_end_left_is_cleared(place: Place, lines: list[foreign.Chunk]) -> None:
    made = make(words_step(lines), place)
    store.unfinished_folder(place.run, "words", made).mkdir(parents=True)
    make(words_step(lines), place)
    assert not (place.run / store.UNFINISHED).exists()


def test_a_table_renamed_by_a_run_that_was_killed_before_it_said_so_is_made_whole(
    place: Place, lines: list[foreign.Chunk]
) -> None:
    made = make(words_step(lines), place)
    store.made_by_file(place.run, "words").unlink()
    store.unfinished_folder(place.run, "words", made).mkdir(parents=True)
    make(words_step(lines), place)
    assert len(rows(place.run, "words")) == len(WORDS)


def test_another_option_is_refused_and_the_table_stays(place: Place, lines: list[foreign.Chunk]) -> None:
    make(words_step(lines, options=PlaceOptions(workers=1)), place)
    with pytest.raises(TargetTaken, match=r"options\.workers was 1, is 2"):
        make(words_step(lines, options=PlaceOptions(workers=2)), place)
    assert len(rows(place.run, "words")) == len(WORDS)


ANEW = {"made_anew_for": ("options.workers",)}


def test_a_table_that_is_made_anew_takes_the_place_of_the_one_that_was_there(
    place: Place, lines: list[foreign.Chunk]
) -> None:
    make(words_step(lines, options=PlaceOptions(workers=1), **ANEW), place)
    made = make(words_step(lines[1:], options=PlaceOptions(workers=2), **ANEW), place)
    assert 0 < len(rows(place.run, "words")) < len(WORDS)
    assert store.read_made_by(place.run, "words")["signature"] == made.signature
    assert not (place.run / store.UNFINISHED).exists()
    with pytest.raises(TargetTaken, match=r"options\.workers was 2, is 1"):
        make(words_step(lines, options=PlaceOptions(workers=1)), place)


@pytest.mark.parametrize("then", [1, 2])
def test_a_table_whose_replacement_was_cut_short_is_none_and_can_be_made_either_way(
    place: Place, lines: list[foreign.Chunk], then: int
) -> None:
    make(words_step(lines, options=PlaceOptions(workers=1), **ANEW), place)
    with no_room_for("words"), pytest.raises(OSError, match="quota"):
        make(words_step(lines, options=PlaceOptions(workers=2), **ANEW), place)
    with pytest.raises(NotMade):
        store.read_made_by(place.run, "words")
    (place.run / "words").mkdir()  # as far as a kill let it be removed
    make(words_step(lines, options=PlaceOptions(workers=then), **ANEW), place)
    assert len(rows(place.run, "words")) == len(WORDS)
    assert store.read_made_by(place.run, "words")["options"]["workers"] == then
    assert not (place.run / store.UNFINISHED).exists()


def test_what_will_be_refused_is_refused_before_its_inputs_are_there(place: Place, lines: list[foreign.Chunk]) -> None:
    refuse_ahead(tally_step(), place)
    make(words_step(lines), place)
    make(tally_step(options={"least": 1}), place)
    store.made_by_file(place.run, "words").unlink()
    refuse_ahead(tally_step(options={"least": 1}), place)
    with pytest.raises(TargetTaken, match=r"options\.least was 1, is 2"):
        refuse_ahead(tally_step(options={"least": 2}), place)
    refuse_ahead(tally_step(options={"least": 2}, made_anew_for=("options.least",)), place)


CHANGED_FILES = ["files", "weights"]


@pytest.mark.parametrize("kind", CHANGED_FILES)
def test_a_changed_file_is_refused(place: Place, lines: list[foreign.Chunk], tmp_path: Path, kind: str) -> None:
    file = tmp_path / "given.json"
    file.write_text("1")
    make(words_step(lines, **{kind: {"given.json": file}}), place)
    file.write_text("2")
    with pytest.raises(TargetTaken, match=r"(inputs|weights)\.given\.json was"):
        make(words_step(lines, **{kind: {"given.json": file}}), place)


def test_a_folder_that_happens_to_have_a_tables_name_is_left_alone(place: Place, lines: list[foreign.Chunk]) -> None:
    (place.run / "words").mkdir()
    (place.run / "words" / "mine.txt").write_text("mine")
    with pytest.raises(TargetTaken, match="nothing says how it was made"):
        make(words_step(lines), place)
    assert [file.name for file in (place.run / "words").iterdir()] == ["mine.txt"]


def test_a_column_nobody_has_is_an_error_that_names_those_there_are(place: Place, lines: list[foreign.Chunk]) -> None:
    make(words_step(lines), place)
    read = Read(table="words", columns=("word", "colour"))
    given = Pass(name="tally", reads=(read,), by="word", work=partial(constantly, tally), row=Tally, to="word")
    with pytest.raises(EngineError, match="words has no column colour; it has word_id, word, line"):
        make(tally_step(passes=(given,)), place)


def test_a_step_without_its_input_says_which(place: Place) -> None:
    with pytest.raises(NotMade, match="has no table 'words'"):
        make(tally_step(), place)


def longest_line(alike: list[dict[str, Any]]) -> dict[str, Any]:
    return max(alike, key=lambda row: (row["line"], row["word"]))


def test_rows_that_share_a_key_are_merged_where_the_step_says_how(place: Place, lines: list[foreign.Chunk]) -> None:
    make(words_step(lines, same_id, merge=longest_line), place)
    (row,) = rows(place.run, "words")
    assert (row["word"], row["line"]) == ("the", len(LINES) - 1)


def test_progress_counts_the_tasks(place: Place, lines: list[foreign.Chunk]) -> None:
    told: list[tuple[str, str, int, int]] = []
    make(words_step(lines), replace(place, workers=1, progress=lambda *event: told.append(event)))
    assert len(lines) > 1
    reading = [event for event in told if event[1] == "read"]
    assert list(dict.fromkeys(reading)) == [("words", "read", done, len(lines)) for done in range(len(lines) + 1)]


def test_a_task_that_is_done_twice_writes_the_same_file(place: Place, lines: list[foreign.Chunk]) -> None:
    tasks = tuple(RecordTask(chunks=(chunk,)) for chunk in lines)
    job = Job(
        name="read",
        tasks=tasks,
        work=partial(constantly, words_of_batch),
        schema=row_schema(Word),
        to="word_id",
        buckets=4,
        folder=str(place.run),
    )
    Worker(job)(0)
    first = {file.name: file.read_bytes() for file in job.target(0).iterdir()}
    Worker(job)(0)
    assert {file.name: file.read_bytes() for file in job.target(0).iterdir()} == first
    assert job.missing() == list(range(1, len(lines)))
    assert [folder.name for folder in place.run.iterdir()] == [job.target(0).name]


def test_rows_that_cannot_get_their_name_are_no_rows_that_were_made(place: Place, lines: list[foreign.Chunk]) -> None:
    with no_room_for("task-00000"), pytest.raises(EngineError, match=r"read failed: OSError: .*quota"):
        make(words_step(lines), replace(place, workers=1))
    make(words_step(lines), replace(place, workers=1))
    assert store.read_made_by(place.run, "words")["rows"] == len(WORDS)


def test_a_task_with_many_rows_writes_several_spills_of_the_same_rows(
    place: Place, lines: list[foreign.Chunk], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spills, "BYTES_PER_SPILL", 100)
    monkeypatch.setattr(foreign, "ROWS_PER_BATCH", 3)
    make(words_step(lines), place)
    assert sorted((row["word"], row["line"]) for row in rows(place.run, "words")) == sorted(WORDS)


def test_what_is_laid_aside_is_read_and_forgotten(lines: list[foreign.Chunk], place: Place) -> None:
    make(words_step(lines), place)
    before = sorted(place.run.rglob("*"))
    (tallying,) = tally_step().passes
    assert isinstance(tallying, Pass)
    with laid_aside("looked-at", [tallying], place) as laid:
        rows = [row for part in laid["tally"].rows(row_schema(Tally).names) for row in part.to_pylist()]
    assert sorted(rows, key=lambda row: row["word"]) == expected()
    assert sorted(place.run.rglob("*")) == before


def test_what_a_killed_run_laid_aside_is_not_taken_for_rows_of_this_one(
    lines: list[foreign.Chunk], place: Place
) -> None:
    make(words_step(lines), place)
    (tallying,) = tally_step().passes
    assert isinstance(tallying, Pass)
    with laid_aside("looked-at", [tallying], place):
        shutil.copytree(place.run / store.UNFINISHED, place.run / "kept")
    shutil.move(place.run / "kept", place.run / store.UNFINISHED)
    other = replace(tallying, reads=tuple(replace(read, kept_only=False) for read in tallying.reads))
    with laid_aside("looked-at", [other], place) as laid:
        rows = [row for part in laid["tally"].rows(row_schema(Tally).names) for row in part.to_pylist()]
    assert sorted(rows, key=lambda row: row["word"]) == expected(kept_only=False)


def test_what_is_laid_aside_is_gone_after_an_error(lines: list[foreign.Chunk], place: Place) -> None:
    make(words_step(lines), place)
    (tallying,) = tally_step().passes
    assert isinstance(tallying, Pass)
    with pytest.raises(ZeroDivisionError), laid_aside("looked-at", [tallying], place):
        raise ZeroDivisionError
    assert not (place.run / store.UNFINISHED).exists()
