"""Pairs of a file or of a published corpus in, what is to be found among which texts out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from paraloom.corpus.given_pairs import label_column
from paraloom.corpus.known.groups import group_pairs
from paraloom.corpus.text_key import text_key
from paraloom.errors import InputError
from paraloom.metrics.identification.graded import is_label, is_paraphrase
from paraloom.metrics.retrieval.labels import OTHER, PARAPHRASE, part_of
from paraloom.metrics.significance import Groups, group_numbers
from paraloom.text.counted import counted
from paraloom.workflows.evaluate.chosen_rows import as_text, rows_where
from paraloom.workflows.evaluate.labelled_pairs import LABELS

if TYPE_CHECKING:
    from paraloom.corpus.known.pairs import KnownPairs

Integers = NDArray[np.int64]

TURKU_NAMES = {"left": "txt1", "right": "txt2"}
"""What the Turku corpus calls the sides of a pair."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalSet:
    """Pairs whose right text is looked for by the left one, among all texts of both sides."""

    name: str
    texts: Sequence[str]
    """Every text once, as `text_key` compares them, in the order they are first met."""
    keys: NDArray[np.uint64]
    """A hash of each text's key."""
    queries: Integers
    """By pair, the number of the text that is given."""
    answers: Integers
    """By pair, the number of the text that is looked for."""
    labels: Sequence[str]
    """The part that a pair is measured in: its grade, or whether it is a paraphrase."""
    truth: NDArray[np.bool_]
    groups: Groups
    same: int
    """Pairs of one text, which are not looked for."""
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.queries)

    def other_answers(self) -> tuple[Integers, Integers]:
        """Numbers of pairs, and of texts that are right answers to their queries too, as other pairs tell."""
        known: dict[int, list[int]] = {}
        for query, answer, is_right in zip(
            self.queries.tolist(), self.answers.tolist(), self.truth.tolist(), strict=True
        ):
            if is_right:
                known.setdefault(query, []).append(answer)
                known.setdefault(answer, []).append(query)
        rows, others = [], []
        for row, (query, answer) in enumerate(zip(self.queries.tolist(), self.answers.tolist(), strict=True)):
            also = [one for one in dict.fromkeys(known.get(query, ())) if one not in (answer, query)]
            rows += [row] * len(also)
            others += also
        return np.array(rows, np.int64), np.array(others, np.int64)


def hash_of_key(key: str) -> int:
    """64 bits for a text's key.

    >>> hash_of_key("storm") == hash_of_key("storm"), hash_of_key("storm") < 2**64
    (True, True)
    """
    return int.from_bytes(blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def retrieval_set(
    name: str,
    left: Sequence[str],
    right: Sequence[str],
    labels: Sequence[str],
    truth: Sequence[bool],
    groups: Sequence[str] | None = None,
    *,
    both_ways: bool = False,
    notes: Sequence[str] = (),
) -> RetrievalSet:
    """Pairs as queries and answers. Those of one text, or with an empty one, are left out and counted.

    >>> found = retrieval_set("own", ["A storm!", "rain"], ["a gale", "Rain."], ["paraphrase"] * 2, [True, True])
    >>> found.texts, found.queries.tolist(), found.answers.tolist(), found.same
    (['A storm!', 'a gale', 'rain'], [0], [1], 1)
    """
    number_of: dict[str, int] = {}
    texts: list[str] = []

    def number(text: str, key: str) -> int:
        place = number_of.setdefault(key, len(texts))
        if place == len(texts):
            texts.append(text)
        return place

    together = groups if groups is not None else group_pairs(left, right)
    kept, queries, answers = [], [], []
    same = empty = 0
    for row, (one, other) in enumerate(zip(left, right, strict=True)):
        keys = text_key(one), text_key(other)
        if not all(keys):
            empty += 1
            continue
        query, answer = number(one, keys[0]), number(other, keys[1])
        if query == answer:
            same += 1
            continue
        kept.append(row)
        queries.append(query)
        answers.append(answer)
    if not kept:
        raise InputError(f"{name} holds no pair of two different texts, so there is nothing to look for.")
    told = [*notes]
    if empty:
        told.append(f"{name}: {counted(empty, 'pair has', 'pairs have')} an empty text and cannot be looked for.")
    if same:
        told.append(
            f"{name}: {counted(same, 'pair is', 'pairs are')} of one text but for case, punctuation, links and "
            "white space: not looked for."
        )
    ways = 2 if both_ways else 1
    return RetrievalSet(
        name=name,
        texts=texts,
        keys=np.array([hash_of_key(key) for key in number_of], np.uint64),
        queries=np.array(queries + answers * (ways - 1), np.int64),
        answers=np.array(answers + queries * (ways - 1), np.int64),
        labels=[labels[row] for row in kept] * ways,
        truth=np.array([truth[row] for row in kept] * ways, np.bool_),
        groups=group_numbers([together[row] for row in kept] * ways),
        same=same,
        notes=tuple(told),
    )


def set_of_known(name: str, pairs: KnownPairs, *, both_ways: bool = False) -> RetrievalSet:
    """The labelled pairs of a published corpus."""
    known = pairs.labelled()
    truth = (known.targets > 0.5).tolist()
    graded = known.grades is not None and all(map(is_label, known.grades))
    parts = [
        part_of(grade) if graded else _binary(said)
        for grade, said in zip(known.grades or [""] * len(known), truth, strict=True)
    ]
    return retrieval_set(name, known.left, known.right, parts, truth, known.groups, both_ways=both_ways)


def read_set(
    file: Path, columns: Mapping[str, str], where: Sequence[str] = (), *, both_ways: bool = False
) -> RetrievalSet:
    """The pairs of a file: `left`, `right`, and `label` where it has one; without, all are paraphrases.

    A label is 1 or 0 (true or false), or a grade of the Turku scheme, in whose JSON form a file may be too. Where none
    is called `label`, the first of the other usual names is taken, such as `is_paraphrase` of mined pairs. A pair
    without a label was not judged, and is left out.
    """
    from paraloom.engine.given import read_rows

    also = {ours: theirs for ours, theirs in TURKU_NAMES.items() if ours not in columns}
    wanted = ("left", "right", "label")
    rows = rows_where(read_rows(file, wanted, columns, also=also, required=wanted[:2]), where)
    left, right = rows.texts("left"), rows.texts("right")
    notes = [] if rows.note is None else [rows.note]
    called = "label" if "label" in columns else label_column(rows.columns)
    if called is None:
        notes.append(f"{file.name} has no column `label`: all its pairs count as paraphrases.")
        return retrieval_set(
            file.name, left, right, [PARAPHRASE] * len(left), [True] * len(left), both_ways=both_ways, notes=notes
        )
    rows.refuse_repeated([called])
    if called != "label":
        notes.append(f"{file.name}: its column {called} is taken for the label.")
    written = {row: label for row, value in enumerate(rows.columns[called]) if (label := as_text(value)) is not None}
    if unjudged := len(left) - len(written):
        told = counted(unjudged, "pair without a label is", "pairs without a label are")
        notes.append(f"{file.name}: {told} left out.")
    if not written:
        raise InputError(
            f"{file} has a column {called}, but none of its pairs has a label. Give pairs that were judged."
        )
    parts, truth, places = _read_labels(file, list(written.values()), [rows.lines[row] for row in written])
    judged = list(written)
    kept = [judged[place] for place in places]
    if left_out := len(written) - len(kept):
        notes.append(f"{file.name}: {counted(left_out, 'pair is', 'pairs are')} skipped (x) and left out.")
    return retrieval_set(
        file.name,
        [left[row] for row in kept],
        [right[row] for row in kept],
        parts,
        truth,
        both_ways=both_ways,
        notes=notes,
    )


def _read_labels(file: Path, written: Sequence[str], lines: Sequence[int]) -> tuple[list[str], list[bool], list[int]]:
    """The part and the truth of each pair, and the numbers of those that have one.

    Labels are 1 and 0 where all of them are; else all must be grades: a 1 alone would be a paraphrase, a grade 1 none.
    """
    kinds = Counter(label.lower() in LABELS for label in written)
    if not kinds[False]:
        truth = [LABELS[label.lower()] for label in written]
        return [_binary(said) for said in truth], truth, list(range(len(written)))
    for line, label in zip(lines, written, strict=True):
        if not is_label(label):
            raise InputError(
                f"{file}, line {line}: the label is {label!r}. Labels are 1 and 0 throughout, or grades from 1 to 4 "
                "(with the flags < > i s behind a 4) throughout. Leave out pairs without a clear label."
            )
    said = [is_paraphrase(label) for label in written]
    kept = [row for row, one in enumerate(said) if one is not None]
    return [part_of(written[row]) for row in kept], [bool(said[row]) for row in kept], kept


def _binary(is_one: bool) -> str:
    return PARAPHRASE if is_one else OTHER
