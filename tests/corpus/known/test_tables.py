"""Corpora whose files are plain tables: MSRP, MultiPIT, APT, QQP and PAWS."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from paraloom.corpus.known import read_corpus
from paraloom.errors import InputError

MSRP = [
    "\ufeffQuality\t#1 ID\t#2 ID\t#1 String\t#2 String",
    '1\t11\t12\tThe mayor said "it was a storm.\tIt was a storm," the mayor said.',
    '0\t13\t14\tBrightfern bought Caldera.\t"Caldera fell.',
]


def test_msrp_is_read_with_its_mark_and_its_open_quotes(write, tmp_path: Path) -> None:
    file = write("msrp/msr_paraphrase_train.txt", MSRP)
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    train = read_corpus("msrp", tmp_path).splits["train"]
    assert train.left == ['The mayor said "it was a storm.', "Brightfern bought Caldera."]
    assert train.right == ['It was a storm," the mayor said.', '"Caldera fell.']
    assert train.targets.tolist() == [1, 0]


def test_msrp_test_lies_beside_train_in_the_folder_itself(write, tmp_path: Path) -> None:
    write("msr_paraphrase_train.txt", MSRP)
    write("msr_paraphrase_test.txt", MSRP[:2])
    assert {name: len(pairs) for name, pairs in read_corpus("msrp", tmp_path).splits.items()} == {"train": 2, "test": 1}


def test_another_file_under_the_name_is_an_error_with_what_was_expected(write, tmp_path: Path) -> None:
    write("msrp/msr_paraphrase_train.txt", ["left\tright\tlabel", "a\tb\t1"])
    with pytest.raises(InputError, match=r"msr_paraphrase_train.txt is not in the published form.*Quality, #1 ID"):
        read_corpus("msrp", tmp_path)


EXPERT = ["sentence1,sentence2,label", '"Storm, they say",It blew,1', '"Storm, they say",So sad,0', "Sold,Bought,1"]


def test_expert_groups_are_the_distinct_first_sentences(write, tmp_path: Path) -> None:
    write("multipit/expert/train.csv", [*EXPERT, "Gone,It blew,0"])
    write("multipit/expert/val.csv", EXPERT[:2])
    corpus = read_corpus("multipit-expert", tmp_path)
    train = corpus.splits["train"]
    assert train.left[0] == "Storm, they say"
    assert train.targets.tolist() == [1, 0, 1, 0]
    assert len(set(train.groups)) == 3
    assert corpus.definition == "strict"
    assert len(corpus.splits["dev"]) == 1


def test_a_csv_text_may_go_over_lines(write, tmp_path: Path) -> None:
    write("expert/train.csv", ["sentence1,sentence2,label", '"a storm', 'on two lines",It blew,1'])
    assert read_corpus("multipit-expert", tmp_path).splits["train"].left == ["a storm\non two lines"]


def test_auto_pairs_are_all_paraphrases(write, tmp_path: Path) -> None:
    write("multipit/auto/train.csv", ["sentence1,sentence2", "Storm,It blew", "Sold,Bought"])
    assert read_corpus("multipit-auto", tmp_path).splits["train"].targets.tolist() == [1, 1]


def test_in_one_folder_the_columns_tell_expert_and_auto_apart(write, tmp_path: Path) -> None:
    write("train.csv", EXPERT)
    assert len(read_corpus("multipit-expert", tmp_path).splits["train"]) == 3
    with pytest.raises(InputError, match="No file of MultiPIT auto"):
        read_corpus("multipit-auto", tmp_path)


CROWD = [
    ("votes", ["(5,6)", "(3,6)", "(0,6)"]),
    ("num_votes", ["5", "3", "0"]),
    ("label", ["5.0", "3.0", "0.0"]),
    ("votes", ["5/6", "3/6", "0/6"]),
]


@pytest.mark.parametrize(("column", "written"), CROWD)
def test_the_crowds_votes_become_targets(write, tmp_path: Path, column: str, written: list[str]) -> None:
    rows = [f'storm {n},gale {n},"{votes}"' for n, votes in enumerate(written)]
    write("multipit/crowd/train.csv", [f"sentence1,sentence2,{column}", *rows])
    train = read_corpus("multipit-crowd", tmp_path).splits["train"]
    assert np.array_equal(train.targets, [1, np.nan, 0], equal_nan=True)
    assert train.votes is not None
    assert train.votes.tolist() == [[5, 6], [3, 6], [0, 6]]


def test_the_crowds_plain_labels_are_labels(write, tmp_path: Path) -> None:
    write("multipit/crowd/train.csv", ["sentence1,sentence2,label", "storm,gale,1", "storm,sad,0"])
    train = read_corpus("multipit-crowd", tmp_path).splits["train"]
    assert train.targets.tolist() == [1, 0]
    assert train.votes is None


def test_apt_by_people_keeps_an_empty_attempt_and_tells_it(write, tmp_path: Path) -> None:
    write(
        "apt/ap_h_train.tsv", ["text_a\ttext_b\tlabels", "Storm hits.\tIt blew.\t1", "Storm hits.\t\t0", "Sold.\t\t0"]
    )
    corpus = read_corpus("ap-h", tmp_path)
    train = corpus.splits["train"]
    assert train.targets.tolist() == [1, 0, 0]
    assert train.groups[0] == train.groups[1] != train.groups[2]
    assert "ap_h_train.tsv: 2 rows with an empty text." in corpus.notes
    assert corpus.definition == "implication"


def test_apt_by_t5_is_all_files_of_the_folder_without_the_first_line_of_each(write, tmp_path: Path) -> None:
    write("apt/ap_t5/b-nmi0.tsv", ["left out\tthis\t0.1\t0", "Sold.\tBought.\t-0.5\t0"])
    good = ["Storm hits.\tIt blew.\t0.75\t1", "Storm hits.\tA gale.\t0.5\t1"]
    write("apt/ap_t5/a-mi0.tsv", ["left out\tthis\t0.1\t1", *good, "Storm\tbad\tnone\t1"])
    corpus = read_corpus("ap-t5", tmp_path)
    train = corpus.splits["train"]
    assert train.left == ["Storm hits.", "Storm hits.", "Sold."]
    assert train.targets.tolist() == [1, 1, 0]
    assert train.scores is not None
    assert train.scores.tolist() == [0.75, 0.5, -0.5]
    assert any("the BLEURT score is not a number (line 4)" in note for note in corpus.notes)


def test_quora_is_read_with_named_columns_in_any_order(write, tmp_path: Path) -> None:
    write("qqp/train.tsv", ["id\tqid1\tqid2\tquestion1\tquestion2\tis_duplicate", '1\t1\t2\tWhy "rain?\tWhy rain?\t1'])
    write("qqp/dev.tsv", ["is_duplicate\tquestion1\tquestion2\tpair_id", "0\tWhy rain?\tWhy snow?\t7"])
    corpus = read_corpus("qqp", tmp_path)
    assert corpus.splits["train"].left == ['Why "rain?']
    assert corpus.splits["dev"].targets.tolist() == [0]


def test_quora_is_read_without_names_too(write, tmp_path: Path) -> None:
    write("qqp/test.tsv", ["1\tWhy does it rain ?\tWhy rain ?\t7", "0\tWhy rain ?\tWhy snow ?\t8"])
    test = read_corpus("qqp", tmp_path).splits["test"]
    assert test.left[0] == "Why does it rain ?"
    assert test.targets.tolist() == [1, 0]


def test_a_quora_test_set_without_labels_is_left_out(write, tmp_path: Path) -> None:
    write("qqp/dev.tsv", ["is_duplicate\tquestion1\tquestion2\tpair_id", "0\tWhy rain?\tWhy snow?\t7"])
    write("qqp/test.tsv", ["id\tquestion1\tquestion2", "1\tWhy rain?\tWhy snow?"])
    corpus = read_corpus("qqp", tmp_path)
    assert list(corpus.splits) == ["dev"]
    assert any("test.tsv has no labels" in note for note in corpus.notes)


PAWS = ["id\tsentence1\tsentence2\tlabel", "1\tFrom Umber to Tarn .\tFrom Tarn to Umber .\t0"]


@pytest.mark.parametrize(
    ("name", "place", "split"),
    [
        ("paws-wiki", "final/dev.tsv", "dev"),
        ("paws-wiki", "paws/train.tsv", "train"),
        ("paws-x-de", "x-final/de/test_2k.tsv", "test"),
        ("paws-x-fr", "x-final/fr/translated_train.tsv", "train"),
        ("paws-qqp", "paws_qqp/dev_and_test.tsv", "test"),
    ],
)
def test_paws_is_found_in_its_folders(write, tmp_path: Path, name: str, place: str, split: str) -> None:
    write(place, PAWS)
    pairs = read_corpus(name, tmp_path).splits[split]
    assert pairs.left == ["From Umber to Tarn ."]
    assert pairs.targets.tolist() == [0]


def test_paws_texts_written_as_bytes_are_read_as_text(write, tmp_path: Path) -> None:
    rows = [
        "1\tb'the storm\\xe2\\x80\\x99s eye'\tb\"it's the eye\"\t1",
        "2\tb'plain'\tb'also plain'\t0",
        "3\tb'\\xff'\tb'not UTF-8'\t0",
    ]
    write("paws_qqp/train.tsv", [PAWS[0], *rows])
    corpus = read_corpus("paws-qqp", tmp_path)
    train = corpus.splits["train"]
    assert list(train) == [("the storm\u2019s eye", "it's the eye"), ("plain", "also plain")]
    assert any("as Python writes bytes" in note for note in corpus.notes)


def test_a_compressed_file_is_read_as_well(write, tmp_path: Path) -> None:
    file = write("msrp/msr_paraphrase_train.txt", MSRP)
    with gzip.open(f"{file}.gz", "wb") as packed:
        packed.write(file.read_bytes())
    file.unlink()
    assert len(read_corpus("msrp", tmp_path).splits["train"]) == 2


def test_more_bad_rows_than_good_ones_are_the_wrong_file(write, tmp_path: Path) -> None:
    write("apt/ap_h_train.tsv", ["text_a\ttext_b\tlabels", "a\tb\t1", "c\td\tyes", "e\tf\tno"])
    with pytest.raises(InputError, match="not in the published form"):
        read_corpus("ap-h", tmp_path)


def test_an_empty_file_is_an_error(write, tmp_path: Path) -> None:
    write("apt/ap_h_train.tsv", [])
    with pytest.raises(InputError, match="not in the published form"):
        read_corpus("ap-h", tmp_path)
