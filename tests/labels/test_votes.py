"""Votes become targets by the threshold of the definition."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.corpus.known.pit2015 import PIT2015
from paraloom.corpus.known.twitter_url import read_votes
from paraloom.errors import InputError
from paraloom.labels.votes import VOTE_THRESHOLDS, targets_for_definition, targets_from_votes

NAN = float("nan")
CASES = [
    ("loose", 6, [0, 0, 0, NAN, 1, 1, 1]),
    ("strict", 6, [0, 0, 0, 0, NAN, 1, 1]),
    ("loose", 5, [0, 0, NAN, 1, 1, 1]),
    ("strict", 5, [0, 0, 0, NAN, 1, 1]),
]


@pytest.mark.parametrize(("definition", "workers", "targets"), CASES)
def test_each_definition_has_its_threshold(definition: str, workers: int, targets: list[float]) -> None:
    votes = [(yes, workers) for yes in range(workers + 1)]
    assert np.array_equal(targets_for_definition(votes, definition), targets, equal_nan=True)


@given(yes=st.integers(0, 9), of=st.integers(0, 9), threshold=st.integers(0, 9))
def test_above_is_a_paraphrase_below_is_none_and_at_is_left_out(yes: int, of: int, threshold: int) -> None:
    if yes > of:
        with pytest.raises(InputError, match="votes of"):
            targets_from_votes([(yes, of)], threshold)
        return
    target = targets_from_votes([(yes, of)], threshold)[0]
    if of == 0 or yes == threshold:
        assert np.isnan(target)
    else:
        assert target == (yes > threshold)


def test_a_higher_threshold_never_makes_a_paraphrase_of_a_pair_that_was_none() -> None:
    votes = [(yes, 6) for yes in range(7)]
    loose, strict = (targets_for_definition(votes, definition) for definition in ("loose", "strict"))
    assert not ((loose == 0) & (strict == 1)).any()
    assert VOTE_THRESHOLDS["strict"][6] == VOTE_THRESHOLDS["loose"][6] + 1


def test_a_pair_nobody_voted_on_keeps_its_target() -> None:
    given_targets = np.array([1.0, 0.0, 1.0])
    found = targets_for_definition([(0, 0), (0, 0), (4, 6)], "strict", given_targets)
    assert np.array_equal(found, [1, 0, NAN], equal_nan=True)
    assert given_targets.tolist() == [1, 0, 1]


def test_unknown_definitions_and_numbers_of_workers_are_errors() -> None:
    with pytest.raises(InputError, match="'graded', only for loose, strict"):
        targets_for_definition([(1, 6)], "graded")
    with pytest.raises(InputError, match="judged by 7 workers"):
        targets_for_definition([(1, 7)], "loose")
    with pytest.raises(InputError, match="0 or more"):
        targets_from_votes([(1, 6)], -1)


def test_the_files_of_two_corpora_give_the_votes_that_thresholds_are_for(tmp_path: Path) -> None:
    sample = tmp_path / "sample.txt"
    sample.write_text("".join(f"storm {n} \tgale {n} \t({n},6)\thttps://t.co/{n}\n" for n in range(7)))
    twitter, _ = read_votes(sample)
    assert twitter.votes is not None
    assert np.array_equal(targets_for_definition(twitter.votes, "strict"), CASES[1][2], equal_nan=True)
    (tmp_path / "dev.data").write_text(
        "".join(f"1\tNorland\tstorm {n}\tgale {n}\t({n}, {5 - n})\tx\ty\n" for n in range(6))
    )
    pit = PIT2015.read(PIT2015, tmp_path).splits["dev"]
    assert pit.votes is not None
    assert np.array_equal(targets_for_definition(pit.votes, "loose"), pit.targets, equal_nan=True)
