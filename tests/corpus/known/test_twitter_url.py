"""The Twitter URL Corpus is read in both of its forms."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from paraloom.corpus.known import read_corpus
from paraloom.corpus.known.twitter_url import read_votes
from paraloom.errors import InputError
from paraloom.labels.votes import targets_for_definition

LINK, OTHER_LINK = "https://t.co/aaaaaaaaaa", "https://t.co/bbbbbbbbbb"
VOTES = [
    f"Storm hits the coast of Norland \tNorland 's coast is hit by a storm \t(6,6)\t{LINK}",
    f"Storm hits the coast of Norland \tthis is so sad \t(2,6)\t{LINK}",
    f"Storm hits the coast of Norland \tA gale in Norland , they say \t(3,6)\t{LINK}",
    f"Brightfern buys Caldera \tCaldera goes to Brightfern \t(4,6)\t{OTHER_LINK}",
]


def test_votes_become_targets_and_three_of_six_is_left_out(write, tmp_path: Path) -> None:
    write("Twitter_URL_Corpus_train.txt", VOTES)
    corpus = read_corpus("twitter-url", tmp_path)
    train = corpus.splits["train"]
    assert np.array_equal(train.targets, [1, 0, np.nan, 1], equal_nan=True)
    assert train.votes is not None
    assert train.votes.tolist() == [[6, 6], [2, 6], [3, 6], [4, 6]]
    assert train.left[0] == "Storm hits the coast of Norland"
    assert corpus.definition == "loose"
    assert len(train.labelled()) == 3


def test_pairs_that_share_a_link_or_a_sentence_are_one_group(write, tmp_path: Path) -> None:
    apart = f"An own sentence \tand another \t(0,6)\t{LINK}"
    write("twitter_url/Twitter_URL_Corpus_test.txt", [*VOTES, apart])
    groups = read_corpus("twitter-url", tmp_path).splits["test"].groups
    assert groups[0] == groups[1] == groups[2] == groups[4] != groups[3]


def test_the_readers_thresholds_are_those_of_the_table(write) -> None:
    pairs, _ = read_votes(write("sample.txt", [f"a {n} \tb {n} \t({n},6)\tlink {n}" for n in range(7)]))
    assert pairs.votes is not None
    assert np.array_equal(pairs.targets, targets_for_definition(pairs.votes, "loose"), equal_nan=True)


def tokenised(write, folder: str, labels: list[str], right: int | None = None) -> None:
    write(f"{folder}/a.toks", [f"storm {n} hits the coast" for n in range(len(labels))])
    write(f"{folder}/b.toks", [f"the coast is hit {n}" for n in range(right or len(labels))])
    write(f"{folder}/sim.txt", labels)


@pytest.mark.parametrize("folder", ["tokenized_train", "twitter_url/tokenized_train", "twitter-url/train", "train"])
def test_the_tokenised_form_is_found_wherever_it_lies(write, tmp_path: Path, folder: str) -> None:
    tokenised(write, folder, ["1", "0", "1"])
    train = read_corpus("twitter-url", tmp_path).splits["train"]
    assert train.targets.tolist() == [1, 0, 1]
    assert train.right == ["the coast is hit 0", "the coast is hit 1", "the coast is hit 2"]
    assert train.votes is None


def test_the_form_that_more_splits_have_is_read(write, tmp_path: Path) -> None:
    write("Twitter_URL_Corpus_train.txt", VOTES)
    tokenised(write, "tokenized_train", ["1", "0"])
    tokenised(write, "tokenized_test", ["0", "1"])
    corpus = read_corpus("twitter-url", tmp_path)
    assert {name: len(pairs) for name, pairs in corpus.splits.items()} == {"train": 2, "test": 2}
    assert not any("different forms" in note for note in corpus.notes)


def test_two_forms_in_one_corpus_are_told(write, tmp_path: Path) -> None:
    write("Twitter_URL_Corpus_test.txt", VOTES)
    tokenised(write, "tokenized_train", ["1", "0"])
    assert any("different forms" in note for note in read_corpus("twitter-url", tmp_path).notes)


BAD = [
    ("only one column", "1 columns instead of 4"),
    (f"a\tb\t(7,6)\t{LINK}", r"the votes are not \(n,6\)"),
    (f"a\tb\t(1,5)\t{LINK}", r"the votes are not \(n,6\)"),
    (f"a\tb\t1\t{LINK}", r"the votes are not \(n,6\)"),
]


@pytest.mark.parametrize(("line", "reason"), BAD)
def test_a_bad_row_is_counted_and_the_rest_is_read(write, tmp_path: Path, line: str, reason: str) -> None:
    write("Twitter_URL_Corpus_train.txt", [VOTES[0], line, VOTES[1]])
    corpus = read_corpus("twitter-url", tmp_path)
    assert len(corpus.splits["train"]) == 2
    assert re.search(rf"Twitter_URL_Corpus_train.txt: 1 row left out, {reason} \(line 2\)", "\n".join(corpus.notes))


def test_bytes_that_are_not_utf8_are_a_bad_row(write, tmp_path: Path) -> None:
    file = write("Twitter_URL_Corpus_train.txt", VOTES)
    file.write_bytes(file.read_bytes() + b"caf\xe9\tcaf\xe9\t(1,6)\tlink\n")
    corpus = read_corpus("twitter-url", tmp_path)
    assert len(corpus.splits["train"]) == len(VOTES)
    assert any("not UTF-8 (line 5)" in note for note in corpus.notes)


def test_line_feeds_alone_end_a_line(write, tmp_path: Path) -> None:
    odd = f"Storm\u2028hits\x0bthe\x1ccoast\tNorland\x85is hit\t(5,6)\t{LINK}"
    write("Twitter_URL_Corpus_train.txt", [odd])
    assert len(read_corpus("twitter-url", tmp_path).splits["train"]) == 1


def test_a_file_of_something_else_is_an_error_that_says_what_was_expected(write, tmp_path: Path) -> None:
    write("twitter_url/Twitter_URL_Corpus_train.txt", ["<html>", "<body>not found</body>", "</html>"])
    with pytest.raises(InputError, match=r"Expected: tab-separated sentence, sentence, \(n,6\), link.*'<html>'"):
        read_corpus("twitter-url", tmp_path)


def test_sides_of_different_length_are_bad_rows(write, tmp_path: Path) -> None:
    tokenised(write, "tokenized_train", ["1", "0", "1"], right=2)
    corpus = read_corpus("twitter-url", tmp_path)
    assert len(corpus.splits["train"]) == 2
    assert any("differ in length (line 3)" in note for note in corpus.notes)


def test_a_missing_split_is_told_by_its_file(write, tmp_path: Path) -> None:
    tokenised(write, "tokenized_train", ["1", "0"])
    assert any(
        "test: no file Twitter_URL_Corpus_test.txt" in note for note in read_corpus("twitter-url", tmp_path).notes
    )


def test_an_empty_folder_is_an_error_that_names_the_files(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"No file of Twitter-URL.*train is Twitter_URL_Corpus_train.txt or tokenized_train"
    ):
        read_corpus("twitter-url", tmp_path)
