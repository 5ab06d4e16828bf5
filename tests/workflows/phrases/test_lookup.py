"""A phrase is found however it is written, on whichever side it stands; of an unknown one, those like it are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from paraloom.errors import InputError
from paraloom.models.aligners import read_links
from paraloom.workflows.phrases.extract import extract_phrases
from paraloom.workflows.phrases.extract_input import AlignedPair
from paraloom.workflows.phrases.lookup import lookup
from paraloom.workflows.phrases.lookup_options import LookupOptions
from paraloom.workflows.phrases.rank import RANKED, rank_phrases

SENTENCES = [
    ("the storm hit the coast", "the storm struck the coast", "0-0 1-1 2-2 3-3 4-4"),
    ("a storm hit the town", "a storm struck the town", "0-0 1-1 2-2 3-3 4-4"),
    ("the violent storm hit us", "the violent storm banana us", "0-0 1-1 2-2 3-3 4-4"),
    ("DJT said so", "Mr Trump said so", "0-0 0-1 1-2 2-3"),
]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    pairs = [
        AlignedPair(left.split(), right.split(), read_links(links), f"p{number}", f"g{number}")
        for number, (left, right, links) in enumerate(SENTENCES)
    ]
    extract_phrases(pairs, tmp_path / "run")
    return tmp_path / "run"


def test_a_run_that_was_not_ranked_gives_what_the_extraction_says(run: Path) -> None:
    looked = lookup(run, "hit")
    assert (looked.source, looked.is_known, looked.nearest) == (str(run), True, ())
    assert [each.phrase for each in looked.found] == ["struck", "banana"]
    best = looked.found[0]
    assert (best.count, best.pair_count, best.backward) == (2, 2, 1.0)
    assert best.forward == pytest.approx(2 / 3, abs=1e-6)
    assert best.example in ("the storm … the coast", "a storm … the town")


def test_a_ranked_run_gives_the_scores_of_the_ranking(run: Path) -> None:
    rank_phrases(run)
    looked = lookup(run, "hit")
    assert looked.source == str(run / RANKED)
    assert [each.phrase for each in looked.found] == ["struck", "banana"]
    score = looked.found[0].score
    assert score is not None
    assert score != lookup(run, "struck").found[0].forward
    assert score == lookup(run, "struck").found[0].score


def test_a_ranking_of_other_phrases_than_the_run_has_now_is_not_looked_into(run: Path, tmp_path: Path) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_text("left\tright\nhit\tbanana\n", encoding="utf-8")
    rank_phrases(file, run / RANKED)
    assert lookup(run, "hit").source == str(run)


def test_phrases_can_be_extracted_again_beside_their_ranking(run: Path) -> None:
    ranked = rank_phrases(run)
    extract_phrases([run / "aligned.jsonl"], run)
    assert rank_phrases(run).is_new is False
    assert lookup(run, "hit").source == str(ranked.out)


WRITTEN = ["mr trump", "Mr Trump", "  MR   TRUMP "]


@pytest.mark.parametrize("phrase", WRITTEN)
def test_neither_case_nor_blanks_matter(run: Path, phrase: str) -> None:
    looked = lookup(run, phrase)
    assert (looked.phrase, looked.found[0].phrase) == ("mr trump", "djt")


def test_a_phrase_is_found_on_either_side_with_probabilities_turned_round(tmp_path: Path) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_text("left\tright\tforward\tbackward\tscore\nhit\tstruck\t0.25\t0.5\t0.9\n", encoding="utf-8")
    forwards, backwards = lookup(file, "hit").found, lookup(file, "struck").found
    assert [(each.phrase, each.forward, each.backward, each.score) for each in forwards] == [("struck", 0.25, 0.5, 0.9)]
    assert [(each.phrase, each.forward, each.backward, each.score) for each in backwards] == [("hit", 0.5, 0.25, 0.9)]


def test_only_as_many_and_as_good_ones_as_wanted_are_shown_and_the_rest_is_counted(run: Path) -> None:
    one = lookup(run, "hit", LookupOptions(k=1))
    assert (len(one.found), one.total) == (1, 2)
    assert one.as_text().splitlines()[-1] == "and 1 other"
    good = lookup(run, "hit", LookupOptions(min_score=0.7))
    assert [each.phrase for each in good.found] == ["struck"]
    none = lookup(run, "hit", LookupOptions(min_score=1.0))
    assert (none.is_known, none.found) == (True, ())
    assert "with such a score" in none.as_text()


NEAR = [("stru", "struck"), ("strukc", "struck"), ("mr trumpp", "mr trump")]


@pytest.mark.parametrize(("phrase", "near"), NEAR)
def test_of_an_unknown_phrase_those_like_it_are_named(run: Path, phrase: str, near: str) -> None:
    looked = lookup(run, phrase)
    assert (looked.is_known, looked.found, looked.nearest[0]) == (False, (), near)
    assert near in looked.as_text()
    assert lookup(run, phrase, LookupOptions(hints=0)).nearest == ()


def test_nothing_is_named_where_nothing_is_like_it(run: Path) -> None:
    looked = lookup(run, "quarterly earnings guidance")
    assert looked.nearest == ()
    assert looked.as_text().endswith("does not have “quarterly earnings guidance”.")


def test_plain_rows_are_those_of_the_object(run: Path) -> None:
    looked = lookup(run, "hit")
    assert looked.rows() == looked.as_json()["found"]
    assert looked.rows()[0]["phrase"] == "struck"


def test_no_words_and_no_table_are_errors(run: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no words"):
        lookup(run, "   ")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="has no table 'phrases'"):
        lookup(tmp_path / "empty", "hit")
    with pytest.raises(InputError, match="k is 0"):
        LookupOptions(k=0)
