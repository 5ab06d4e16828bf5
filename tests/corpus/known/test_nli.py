"""Corpora of entailment, in the forms they are handed around in; premises and hypotheses are invented."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.corpus.known import CORPORA
from paraloom.corpus.known.division import split_by_group
from paraloom.corpus.known.nli import ENTAILMENTS, as_entailments, entailed_pairs, found_entailments
from paraloom.corpus.known.pairs import KnownCorpus
from paraloom.errors import InputError
from paraloom.models.identifiers import DEFINITIONS

SNLI_HEADER = "gold_label\tsentence1_binary_parse\tsentence1\tsentence2\tcaptionID\tlabel1"
GLUE_HEADER = "index\tsentence1\tsentence2\tlabel"

FORMS = [
    ("snli", "snli/dev.txt", "", ["it rains hard\tit rains\t0", "it rains hard\tit snows\t2", "a man sat\the left\t1"]),
    (
        "snli",
        "snli_1.0/snli_1.0_dev.txt",
        SNLI_HEADER,
        [
            "entailment\t( it )\tit rains hard\tit rains\t7.jpg\tentailment",
            "contradiction\t( it )\tit rains hard\tit snows\t7.jpg\tcontradiction",
            "neutral\t( a )\ta man sat\the left\t8.jpg\tneutral",
        ],
    ),
    (
        "mnli",
        "mnli/dev_matched_with_correct_counts.txt",
        "index\tpremise\thypothesis\tgold_label\tnumber of correct responses (out of 100)",
        [
            "0\tit rains hard\tit rains\tentailment\t100",
            "1\tit rains hard\tit snows\tcontradiction\t99",
            "2\ta man sat\the left\tneutral\t3",
        ],
    ),
    (
        "rte",
        "glue/RTE/dev.tsv",
        GLUE_HEADER,
        [
            "0\tit rains hard\tit rains\tentailment",
            "1\tit rains hard\tit snows\tnot_entailment",
            "2\ta man sat\the left\tnot_entailment",
        ],
    ),
    (
        "rte",
        "rte/validation.tsv",
        "index\tlabel\tsentence1\tsentence2",
        ["0\t0\tit rains hard\tit rains", "1\t1\tit rains hard\tit snows", "2\t1\ta man sat\the left"],
    ),
    (
        "scitail",
        "scitail/scitail_1.0_dev.tsv",
        "",
        ["it rains hard\tit rains\tentails", "it rains hard\tit snows\tneutral", "a man sat\the left\tneutral"],
    ),
]


def read(name: str, folder: Path) -> KnownCorpus:
    return ENTAILMENTS[name].read(ENTAILMENTS[name], folder)


@pytest.mark.parametrize(("name", "file", "header", "lines"), FORMS, ids=[form[1] for form in FORMS])
def test_every_form_gives_premises_hypotheses_and_whether_they_are_entailed(
    write, tmp_path: Path, name, file, header, lines
) -> None:
    write(file, [header, *lines] if header else lines)
    folder = tmp_path / "glue" if file.startswith("glue/") else tmp_path
    dev = read(name, folder).splits["dev"]
    assert list(dev) == [("it rains hard", "it rains"), ("it rains hard", "it snows"), ("a man sat", "he left")]
    assert dev.targets.tolist() == [1, 0, 0]
    assert dev.groups[0] == dev.groups[1] != dev.groups[2]


def test_pairs_without_agreement_are_undecided_and_odd_labels_are_counted(write, tmp_path: Path) -> None:
    write(
        "snli/snli_1.0_dev.txt",
        [
            SNLI_HEADER,
            "-\t( a )\ta man sat\the left\t8.jpg\tneutral",
            "neutral\t( a )\ta man sat\the rose\t8.jpg\tneutral",
            "entailment\t( a )\ta man sat\tsomeone sat\t8.jpg\tneutral",
            "maybe\t( a )\ta man sat\the ate\t8.jpg\tneutral",
        ],
    )
    corpus = read("snli", tmp_path)
    assert math.isnan(corpus.splits["dev"].targets[0])
    assert len(entailed_pairs([corpus])) == 2
    assert any("1 row left out, the label is none of an entailment (line 5)" in note for note in corpus.notes)


def test_a_file_of_numbers_in_the_folder_itself_is_not_taken_for_entailments(write, tmp_path: Path) -> None:
    """`train.tsv` with 0 and 1 is that of many corpora, in which 1 is the paraphrase."""
    write("train.tsv", [GLUE_HEADER, "0\tit rains\tit pours\t1", "1\tit rains\tit snows\t0"])
    found, missing = found_entailments(tmp_path)
    assert found == []
    assert [line.split(" ")[0] for line in missing] == list(ENTAILMENTS)
    write("train.tsv", [GLUE_HEADER, "0\tit rains\tit pours\tnot_entailment", "1\tit rains\tit snows\tentailment"])
    assert "rte" in [corpus.name for corpus in found_entailments(tmp_path)[0]]


def test_a_premise_is_never_parted(write, tmp_path: Path) -> None:
    lines = [f"premise {number // 3}\thypothesis {number}\t{number % 3}" for number in range(90)]
    write("nli/snli/dev.txt", lines[:60])
    write("nli/snli/test.txt", lines[58:])
    corpora, _ = found_entailments(tmp_path)
    parts = split_by_group(entailed_pairs(corpora), {"fit": 0.8, "held_out": 0.2}, seed=1)
    assert set(parts["fit"].left).isdisjoint(parts["held_out"].left)
    told = as_entailments(parts["fit"])
    assert told.targets == parts["fit"].targets.tolist()


def test_they_are_no_corpora_of_paraphrases() -> None:
    assert not set(ENTAILMENTS) & set(CORPORA)
    assert {reader.definition for reader in ENTAILMENTS.values()}.isdisjoint(DEFINITIONS)


@given(name=st.sampled_from(sorted(ENTAILMENTS)), content=st.binary(max_size=400))
def test_any_bytes_give_pairs_or_an_error_of_ours(
    name: str, content: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("any")
    reader = ENTAILMENTS[name]
    for names in reader.files.values():
        (folder / reader.places[1]).mkdir(parents=True, exist_ok=True)
        (folder / reader.places[1] / names[0]).write_bytes(content)
    try:
        corpus = read(name, folder)
    except InputError:
        return
    assert all(len(pairs) for pairs in corpus.splits.values())
