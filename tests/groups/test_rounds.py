"""Which works a second round reads."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from paraloom.errors import InputError
from paraloom.groups.part_options import PartOptions
from paraloom.groups.rounds import read_yields, works_by_yield

TABLES = {
    "yields.tsv": "work\tpairs\nHarbour\t12\nTide\t3\nHarbour\t5\n",
    "yields.csv": "annotator,pairs,key\nanna,12,Harbour\nbo,3,Tide\nbo,5.0,Harbour\n",
    "yields.jsonl": '{"key": "Harbour", "pairs": 17}\n{"key": "Tide", "pairs": [{"left_start": 1}, {}, {}]}\n',
    "yields.json": '[{"work": "Harbour", "pairs": 17}, {"work": " Tide ", "pairs": "3"}]',
}


@pytest.mark.parametrize("name", TABLES)
def test_yields_are_summed_by_work(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(TABLES[name])
    assert read_yields(tmp_path / name) == {"Harbour": 17, "Tide": 3}


def test_what_people_found_on_average_need_not_be_whole(tmp_path: Path) -> None:
    (tmp_path / "yields.csv").write_text("work,pairs\nTide,12.5\nGale,12\nTide,0.1\n", encoding="utf-8")
    assert (found := read_yields(tmp_path / "yields.csv")) == {"Tide": 12.6, "Gale": 12}
    assert works_by_yield(["Gale", "Tide"], found) == ["Tide", "Gale"]


def test_yields_are_read_from_parquet_and_works_may_be_numbers(tmp_path: Path) -> None:
    pq.write_table(pa.table({"work": [133093, 17], "pairs": [[1, 2], []]}), tmp_path / "yields.parquet")
    assert read_yields(tmp_path / "yields.parquet") == {"133093": 2, "17": 0}


REFUSED = {
    "no pairs.csv": ("work,count\na,1\n", "no column `pairs`"),
    "no work.csv": ("film,pairs\na,1\n", "no column `work`, nor `key`"),
    "words.csv": ("work,pairs\na,1\nb,many\n", "line 3: pairs is 'many'"),
    "negative.csv": ("work,pairs\na,-1\n", "line 2"),
    "endless.csv": ("work,pairs\na,inf\n", "line 2"),
    "nan.csv": ("work,pairs\na,nan\n", "line 2"),
    "nobody.csv": ("work,pairs\n ,1\n", "line 2: the work is"),
    "truth.jsonl": ('{"work": "a", "pairs": true}\n', "line 1: pairs is True"),
    "nothing.jsonl": ('{"work": null, "pairs": 1}\n', "line 1: the work is None"),
    "empty.jsonl": ("", "is empty"),
    "broken.jsonl": ('{"work": \n', "not JSON"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_yield_that_cannot_be_read_is_refused_with_its_place(tmp_path: Path, name: str) -> None:
    content, message = REFUSED[name]
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=message):
        read_yields(tmp_path / name)


def test_a_missing_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no file"):
        read_yields(tmp_path / "none.csv")


def test_works_come_by_yield_then_name_and_unread_ones_not_at_all() -> None:
    yields = {"a": 3, "b": 9, "c": 3, "d": 0, "elsewhere": 50}
    assert works_by_yield(["d", "c", "unread", "b", "a", "b"], yields) == ["b", "a", "c", "d"]
    assert works_by_yield(["d", "c", "b", "a"], yields, most_works=2) == ["b", "a"]
    assert works_by_yield(iter(()), yields) == []


WRONG_OPTIONS = [
    ({"part_minutes": 0}, "--part-minutes"),
    ({"part_minutes": float("nan")}, "--part-minutes"),
    ({"parts_per_work": 0}, "--parts-per-work"),
    ({"round": 0}, "--round"),
    ({"round": 2, "yields": Path("y.csv"), "most_works": 0}, "--most-works"),
    ({"round": 2, "most_works": 5}, "--yields"),
    ({"yields": Path("y.csv")}, "--round 2"),
]


@pytest.mark.parametrize(("given", "message"), WRONG_OPTIONS)
def test_options_that_cannot_be_meant_are_refused(given: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        PartOptions(**given)  # type: ignore[arg-type]


def test_a_second_round_may_read_all_works_again() -> None:
    assert PartOptions(round=2).yields is None
