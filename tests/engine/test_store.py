"""What lies in a run folder is whole or absent, can be found by its id, and is never taken over unasked."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from paraloom.engine import store
from paraloom.engine.buckets import bucket_of
from paraloom.engine.signatures import MadeBy
from paraloom.errors import EngineError, NotMade, TargetTaken
from paraloom.tables import Phrase, make_id, schema

BUCKETS = 8


def made_by(**changed: object) -> MadeBy:
    said = {"step": "phrases", "options": {"least": 2}, "inputs": {}, "weights": {}, "source": "s", "paraloom": "0"}
    return MadeBy(**{**said, "buckets": BUCKETS, **changed})  # type: ignore[arg-type]


def phrase(left: str) -> dict[str, object]:
    numbers = ("forward", "backward", "lexical_forward", "lexical_backward", "score")
    return {"left": left, "right": "r", "count": 1, **dict.fromkeys(numbers, 0.5)}


KEYS = [*(make_id(number) for number in range(60)), "-10 degrees", "storm", "storm hits", "st", "ab", ""]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run with a finished table of phrases, some named by ids and some by words."""
    (tmp_path / "phrases").mkdir()
    for bucket in range(BUCKETS):
        rows = [phrase(key) for key in sorted(KEYS) if bucket_of(key, BUCKETS) == bucket]
        store.write_part(
            pa.Table.from_pylist(rows, schema(Phrase)), tmp_path / "phrases" / f"part-{bucket:02d}.parquet"
        )
    store.write_text(
        store.made_by_file(tmp_path, "phrases"), json.dumps({"signature": made_by().signature, "buckets": BUCKETS})
    )
    return tmp_path


PREFIXES = [KEYS[0], KEYS[0][:7], KEYS[0][:3], KEYS[0][:2], "f", "", "storm", "storm h", "-10", "ab", "no such"]


@pytest.mark.parametrize("prefix", PREFIXES)
def test_rows_are_found_by_the_beginning_of_their_key(run: Path, prefix: str) -> None:
    found = sorted(row["left"] for row in store.find_rows(run, "phrases", prefix))
    assert found == sorted(key for key in KEYS if key.startswith(prefix))


def test_parts_are_read_one_by_one_or_all_at_once(run: Path) -> None:
    whole = store.read_table(run, "phrases", ("left", "count"))
    assert whole.column_names == ["left", "count"]
    assert sorted(whole.column("left").to_pylist()) == sorted(KEYS)
    assert sum(len(part) for part in store.read_parts(run, "phrases")) == len(KEYS)


def test_parts_come_in_the_order_of_the_key_however_many_there_are(run: Path) -> None:
    for bucket in range(BUCKETS, 120):
        (run / "phrases" / f"part-{bucket:02d}.parquet").touch()
    names = [file.stem for file in store.part_files(run, "phrases")]
    assert names == [f"part-{bucket:02d}" for bucket in range(120)]


def test_a_finished_table_opens_as_a_frame(run: Path) -> None:
    assert sorted(store.read_frame(run, "phrases").to_pydict()["left"]) == sorted(KEYS)


def test_a_table_that_is_not_there_is_named_with_those_that_are(run: Path) -> None:
    with pytest.raises(NotMade, match=r"has no table 'pairs' \(it has: phrases\)\. Make it with `paraloom build"):
        list(store.read_parts(run, "pairs"))


def test_a_folder_without_tables_says_so(tmp_path: Path) -> None:
    with pytest.raises(NotMade, match="it has: no table"):
        store.read_made_by(tmp_path, "pairs")


def test_rows_without_the_word_how_they_were_made_are_no_table(run: Path) -> None:
    store.made_by_file(run, "phrases").unlink()
    with pytest.raises(NotMade):
        store.part_files(run, "phrases")


def test_the_same_table_is_recognised(run: Path) -> None:
    assert store.check_target(run, "phrases", made_by()) is True


def test_a_table_that_is_not_there_is_free_to_be_made(run: Path) -> None:
    assert store.check_target(run, "pairs", made_by(step="pairs")) is False


def test_a_table_made_another_way_is_refused_with_what_differs(run: Path) -> None:
    store.made_by_file(run, "phrases").write_text(
        json.dumps({"signature": "other", "options": {"least": 5, "gone": True}, "source": "older", "step": "phrases"})
    )
    with pytest.raises(TargetTaken) as refused:
        store.check_target(run, "phrases", made_by())
    for said in ("options.least was 5, is 2", "options.gone was True, is None", "source was 'older'", "another --out"):
        assert said in str(refused.value)


def test_of_very_many_differences_some_are_told_and_the_others_counted(run: Path) -> None:
    files = {f"input/{number}/post.json": "hash" for number in range(2000)}
    store.made_by_file(run, "phrases").write_text(json.dumps({"signature": "other", "inputs": files}))
    with pytest.raises(TargetTaken, match=r"and 1,\d\d\d more\)") as refused:
        store.check_target(run, "phrases", made_by())
    assert len(str(refused.value)) < 1500


DIFFERING = [
    ({"options": {"least": 5}}, ("options.least",), False),
    ({"options": {"least": 5}}, ("options.least", "inputs.pairs"), False),
    ({"options": {"least": 5}, "inputs": {"pairs": "old"}}, ("options.least", "inputs.pairs"), False),
    ({"options": {"least": 5}, "inputs": {"pairs": "old"}}, ("options.least",), None),
    ({"options": {"least": 5}}, ("options",), None),
    ({"source": "older"}, ("options.least",), None),
    ({}, ("options.least",), True),
]


@pytest.mark.parametrize(("before", "made_anew_for", "is_there"), DIFFERING)
def test_a_table_is_made_anew_where_it_differs_in_nothing_else(
    run: Path, before: dict[str, object], made_anew_for: tuple[str, ...], is_there: bool | None
) -> None:
    was = made_by(**before)
    store.made_by_file(run, "phrases").write_text(json.dumps({**asdict(was), "signature": was.signature}))
    if is_there is None:
        with pytest.raises(TargetTaken):
            store.check_target(run, "phrases", made_by(), made_anew_for)
    else:
        assert store.check_target(run, "phrases", made_by(), made_anew_for) is is_there


def test_a_refusal_names_what_must_go_and_not_more(run: Path) -> None:
    for table, inputs in {"pairs": {}, "labels": {"pairs": "1"}, "clusters": {"labels": "2", "phrases": "3"}}.items():
        store.made_by_file(run, table).write_text(json.dumps({"signature": "other", "inputs": inputs}))
    for table, gone in {
        "clusters": ["clusters"],
        "labels": ["clusters", "labels"],
        "pairs": ["clusters", "labels", "pairs"],
    }.items():
        told = ", ".join(str(run / name) + "*" for name in gone)
        with pytest.raises(TargetTaken, match=re.escape(f"or delete {told} to make it anew.")):
            store.check_target(run, table, made_by(step=table))
    store.made_by_file(run, "phrases").write_text(json.dumps({"signature": "other"}))
    for table in ("pairs", "labels"):
        store.made_by_file(run, table).unlink()
    with pytest.raises(TargetTaken, match=re.escape(f"or delete {run} to make it anew.")):
        store.check_target(run, "phrases", made_by())


def test_somebody_elses_folder_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "phrases").mkdir()
    (tmp_path / "phrases" / "thesis.txt").write_text("mine")
    with pytest.raises(TargetTaken, match="nothing says how it was made"):
        store.check_target(tmp_path, "phrases", made_by())
    assert [(file.name, file.read_text()) for file in (tmp_path / "phrases").iterdir()] == [("thesis.txt", "mine")]


def test_a_part_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    target = tmp_path / "part-00.parquet"
    store.write_part(pa.table({"a": [1]}), target)
    unknown = pa.table({"a": pa.array([None], pa.month_day_nano_interval())})  # Parquet has no such thing
    with pytest.raises(pa.ArrowException):
        store.write_part(unknown, target)
    assert pq.read_table(target).to_pylist() == [{"a": 1}]


def test_what_a_killed_writer_left_is_cleared(tmp_path: Path) -> None:
    (tmp_path / ".part-00.parquet.77.unfinished").write_bytes(b"PAR1")
    (tmp_path / "part-01.parquet").write_bytes(b"kept")
    store.clear_leftovers(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["part-01.parquet"]


def test_only_one_process_works_in_a_run(tmp_path: Path, child_environment: dict[str, str]) -> None:
    code = (
        "import sys; from pathlib import Path; from paraloom.engine import store\n"
        "with store.alone_in(Path(sys.argv[1])): print('working', flush=True); sys.stdin.read()"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=child_environment,
    )
    with other:
        assert other.stdout is not None
        assert other.stdout.readline() == "working\n"
        with pytest.raises(EngineError, match="Another process is working in"), store.alone_in(tmp_path):
            pass
        other.kill()
    with store.alone_in(tmp_path):
        assert list(tmp_path.iterdir()) == []
