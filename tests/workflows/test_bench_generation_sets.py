"""The sets that generators are measured on, read from corpora that we made up in their published forms."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paraloom.errors import InputError
from paraloom.workflows.bench.generation_sets import SETS, read_bench_sets, write_held_out
from paraloom.workflows.train.generator_seen import read_seen
from tests.workflows.generation_corpora import write_generation_corpora


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_generation_corpora(tmp_path / "data")


def test_every_set_is_read_and_a_tokenisers_blanks_are_taken_out(data: Path) -> None:
    sets, skipped = read_bench_sets(data)
    found = {
        one.name: dict(zip(one.evaluation_set.sources, one.evaluation_set.references, strict=True)) for one in sets
    }
    assert list(found) == ["multipit-held-out", "multipit-auto", "quora", "captions", "science"]
    assert skipped == {}
    assert found["multipit-auto"]["It rains, again."] == ("Rain, once more", "More rain")
    assert found["quora"]["how do i swim?"] == ("how does one swim?",)
    assert found["science"]["we use bleu."] == ("bleu is used.",)
    assert [one.is_lower for one in sets] == [False, False, True, False, True]
    assert set(map(len, found["captions"].values())) == {4}
    assert len(found["captions"]) == 5


def test_what_is_held_out_shares_no_text_with_the_dev_split_and_the_experts(data: Path) -> None:
    (held,), _ = read_bench_sets(data, ["multipit-held-out"])
    towns = {source.split()[4] for source in held.evaluation_set.sources}
    assert towns == {"0", "1", "2", "3", "4", "7"}
    assert set(held.evaluation_set.reference_counts) == {6}


def test_fewer_sources_are_the_first_of_more(data: Path) -> None:
    (some,), _ = read_bench_sets(data, ["captions"], 3)
    (all_,), _ = read_bench_sets(data, ["captions"])
    assert some.evaluation_set.sources == all_.evaluation_set.sources[:3]
    assert (some.of, all_.of) == (5, 5)
    assert some.digest() != all_.digest()


def test_a_set_that_is_not_there_is_skipped_with_the_reason(data: Path) -> None:
    sets, skipped = read_bench_sets(data, ["mscoco", "wikianswers"])
    assert [one.name for one in sets] == ["mscoco"]
    assert sets[0].evaluation_set.references[0] in (("A cat sleeps.",), ("The cat is asleep.",))
    assert "wikians.validation.csv" in skipped["wikianswers"]
    (data / "multipit/expert/train.csv").unlink()
    with pytest.raises(InputError, match="must share no text with multipit-expert"):
        read_bench_sets(data, ["multipit-held-out"])
    with pytest.raises(InputError, match=f"Choose from: {', '.join(SETS)}"):
        read_bench_sets(data, ["news"])


def test_the_held_out_set_is_written_with_what_training_must_leave_out(data: Path, tmp_path: Path) -> None:
    held = write_held_out(data, tmp_path / "dev")
    rows = [json.loads(line) for line in (tmp_path / "dev/dev.jsonl").read_text(encoding="utf-8").splitlines()]
    sources = (tmp_path / "dev/sources.txt").read_text(encoding="utf-8").splitlines()
    assert [row["source"] for row in rows] == sources
    assert len(sources) == 6
    seen = read_seen([tmp_path / "dev/never.txt"])
    assert len(held.texts) == 6 * 7
    assert all(seen.has((row["source"], "x")) and seen.has(("x", row["references"][0])) for row in rows)
    assert not seen.has(("the storm of town 5 hit the coast", "gale 0 came to town 5"))
