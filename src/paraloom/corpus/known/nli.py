"""A folder in, corpora of entailment out: premises (`left`), hypotheses (`right`), and whether one implies the other.

SNLI (Bowman et al., 2015), MNLI (Williams et al., 2018), RTE (Dagan et al., 2006, and the challenges after it, as GLUE
has them) and SciTail (Khot et al., 2018). They hold no paraphrases, so they are not among `CORPORA`: what learns from
them is mutual implication. Tab-separated, in one of the forms they are handed around in: with a header that names
premise (`sentence1`), hypothesis (`sentence2`) and label (`gold_label`), or premise, hypothesis and label without one.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from paraloom.corpus.known.files import (
    UNDECIDED,
    BadRow,
    Expected,
    PairRow,
    beginning,
    named_columns,
    pairs_of,
    tsv_rows,
)
from paraloom.corpus.known.pairs import KnownCorpus, KnownPairs, joined
from paraloom.corpus.known.reader import KnownReader, Part
from paraloom.errors import InputError
from paraloom.models.identifiers.mutual_implication import ENTAILMENT, Entailments

COLUMNS = (("premise", "sentence1"), ("hypothesis", "sentence2"), ("gold_label", "label"))
"""Names of the three columns; of several names the first that a header has counts."""

WORDS = {"entailment": 1.0, "entails": 1.0, "neutral": 0.0, "contradiction": 0.0, "not_entailment": 0.0}
LABELS = {**WORDS, "0": 1.0, "1": 0.0, "2": 0.0, "-": UNDECIDED}
"""Targets by label: 0 is entailment where labels are numbers; a dash says that annotators did not agree."""


def _tells_in_words(text: str) -> bool:
    """Numbers lie in many corpora's `train.tsv`; only words tell that it is one of these."""
    return any(cell.strip() in WORDS for line in text.split("\n")[:2] for cell in line.split("\t"))


EXPECTED = Expected(
    form="tab-separated premise, hypothesis and label, with or without a header that names them",
    first=_tells_in_words,
)


def read_nli(reader: KnownReader, folder: Path) -> KnownCorpus:
    """The splits that are in a folder; the pairs of a premise are a group."""
    return reader.corpus(folder, {split: _read(file) for split, file in reader.found(folder, EXPECTED).items()})


def _read(file: Path) -> Part:
    header = [name.strip() for name in beginning(file).partition("\n")[0].split("\t")]
    names = [next((name for name in known if name in header), "") for known in COLUMNS]
    rows = tsv_rows(file)
    if all(names):
        rows = iter(named_columns(rows, file, names, EXPECTED))
    return pairs_of(file, rows, _parse, EXPECTED, by_left=True)


def _parse(cells: list[str]) -> PairRow:
    if len(cells) != len(COLUMNS):
        raise BadRow(f"{len(cells)} columns instead of {len(COLUMNS)}")
    premise, hypothesis, label = cells
    if label.strip() not in LABELS:
        raise BadRow("the label is none of an entailment")
    return PairRow(premise, hypothesis, LABELS[label.strip()])


ENTAILMENTS: dict[str, KnownReader] = {
    "snli": KnownReader(
        name="snli",
        title="SNLI",
        definition=ENTAILMENT,
        places=("nli/snli", "snli", "snli_1.0"),
        files={split: (f"snli_1.0_{split}.txt", f"{split}.txt") for split in ("train", "dev", "test")},
        read=read_nli,
    ),
    "mnli": KnownReader(
        name="mnli",
        title="MNLI",
        definition=ENTAILMENT,
        places=("nli/mnli", "mnli", "MNLI", "multinli_1.0"),
        files={
            "train": ("multinli_1.0_train.txt", "train.tsv"),
            "dev": ("multinli_1.0_dev_matched.txt", "dev_matched.tsv", "dev_matched_with_correct_counts.txt"),
        },
        read=read_nli,
    ),
    "rte": KnownReader(
        name="rte",
        title="RTE",
        definition=ENTAILMENT,
        places=("nli/rte", "rte", "RTE"),
        files={"train": ("train.tsv",), "dev": ("dev.tsv", "validation.tsv")},
        read=read_nli,
    ),
    "scitail": KnownReader(
        name="scitail",
        title="SciTail",
        definition=ENTAILMENT,
        places=("nli/scitail", "scitail", "SciTailV1.1/tsv_format", "tsv_format"),
        files={split: (f"scitail_1.0_{split}.tsv", f"{split}.txt") for split in ("train", "dev", "test")},
        read=read_nli,
    ),
}
"""Every corpus of entailment by its name."""


def found_entailments(folder: str | Path) -> tuple[list[KnownCorpus], list[str]]:
    """Every corpus of entailment in a folder, and for each that is not there a line that says what is missing."""
    found, missing = [], []
    for name, reader in ENTAILMENTS.items():
        try:
            found.append(reader.read(reader, Path(folder)))
        except InputError as error:
            missing.append(f"{name} is skipped: {error}")
    return found, missing


def entailed_pairs(corpora: Iterable[KnownCorpus]) -> KnownPairs:
    """The labelled pairs of all splits of corpora of entailment, in their order."""
    return joined([pairs.labelled() for corpus in corpora for pairs in corpus.splits.values()])


def as_entailments(pairs: KnownPairs) -> Entailments:
    """What mutual implication learns from."""
    return Entailments(left=pairs.left, right=pairs.right, targets=pairs.targets.tolist(), definition=ENTAILMENT)
