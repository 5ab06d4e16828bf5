"""Files for other programs: JSON lines that are whole or absent, and sentences with many paraphrases."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.corpus.export import kept_rows, multi_reference_sets, write_json_lines

values = st.one_of(st.none(), st.booleans(), st.integers(), st.text(st.characters(exclude_categories=["Cs"])))


@settings(max_examples=50, deadline=None)
@given(st.lists(st.dictionaries(st.sampled_from(["left", "right", "score"]), values), max_size=5))
def test_rows_come_back_as_they_were_one_a_line(tmp_path_factory, rows: list[dict[str, object]]) -> None:
    target = tmp_path_factory.mktemp("run") / "corpus.jsonl"
    assert write_json_lines(rows, target) == len(rows)
    lines = target.read_text(encoding="utf-8").split("\n")
    assert lines.pop() == ""
    assert [json.loads(line) for line in lines] == rows


def test_letters_stay_letters_and_a_time_is_written_in_full(tmp_path: Path) -> None:
    row = {"left": "東京 café", "created_at": datetime(2020, 1, 2, 3, tzinfo=UTC)}
    write_json_lines([row], tmp_path / "corpus.jsonl")
    written = (tmp_path / "corpus.jsonl").read_text(encoding="utf-8")
    assert written == '{"left": "東京 café", "created_at": "2020-01-02T03:00:00+00:00"}\n'


def fails_halfway() -> Iterator[dict[str, object]]:
    yield {"left": "a"}
    raise RuntimeError("the power went")


@pytest.mark.parametrize("before", [None, "the file of yesterday\n"])
def test_a_file_is_whole_or_as_it_was_before(tmp_path: Path, before: str | None) -> None:
    target = tmp_path / "corpus.jsonl"
    if before is not None:
        target.write_text(before, encoding="utf-8")
    with pytest.raises(RuntimeError, match="the power went"):
        write_json_lines(fails_halfway(), target)
    assert (target.read_text(encoding="utf-8") if target.exists() else None) == before
    assert [file.name for file in tmp_path.iterdir()] == ([] if before is None else ["corpus.jsonl"])


def test_rows_that_were_left_out_are_not_exported() -> None:
    parts = [
        pa.table({"pair_id": ["a", "b"], "dropped_for": pa.array([None, "few_paraphrases"], pa.string())}),
        pa.table({"pair_id": ["c"], "dropped_for": pa.array([None], pa.string())}),
    ]
    assert list(kept_rows(parts)) == [{"pair_id": "a"}, {"pair_id": "c"}]


def pair(left: str, right: str, is_paraphrase: bool = True) -> dict[str, object]:
    texts = {"left": f"text of {left}", "right": f"text of {right}", "left_id": left, "right_id": right}
    return {**texts, "is_paraphrase": is_paraphrase, "group_id": "g", "kind": "url", "split": "test"}


def test_a_sentence_with_enough_paraphrases_becomes_a_set_with_all_of_them() -> None:
    rows = [pair("s", "b"), pair("s", "a"), pair("c", "s"), pair("s", "d", is_paraphrase=False)]
    (made,) = multi_reference_sets(rows, least=3)
    assert made == {
        "sentence_id": "s",
        "source": "text of s",
        "references": ["text of a", "text of b", "text of c"],
        "group_id": "g",
        "kind": "url",
        "split": "test",
    }


LEAST = [(1, ["a", "b", "c", "s"]), (2, ["s"]), (3, ["s"]), (4, [])]


@pytest.mark.parametrize(("least", "sources"), LEAST)
def test_a_sentence_with_fewer_is_no_set(least: int, sources: list[str]) -> None:
    rows = [pair("s", "c"), pair("s", "b"), pair("s", "a")]
    assert [made["sentence_id"] for made in multi_reference_sets(rows, least)] == sources


def test_a_paraphrase_given_twice_counts_once() -> None:
    assert list(multi_reference_sets([pair("s", "a"), pair("a", "s")], least=2)) == []


sentence = st.sampled_from("abcdef")


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(sentence, sentence, st.booleans()), max_size=20), st.randoms(use_true_random=False))
def test_the_order_of_the_pairs_does_not_show(triples: list[tuple[str, str, bool]], random) -> None:
    rows = [pair(*triple) for triple in triples]
    shuffled = list(rows)
    random.shuffle(shuffled)
    assert list(multi_reference_sets(shuffled, 2)) == list(multi_reference_sets(rows, 2))
