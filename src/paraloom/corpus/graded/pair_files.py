"""Files of graded pairs in, pairs with all that was said of them out; rows of one pair, one a person, come together.

Any file with two texts and a label a row will do, the Turku corpus' JSON and our own corpora among them. A label may be
a list of labels, one a person; in files of plain cells they stand behind each other (`4> 4s`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from paraloom.corpus.given_pairs import LABELS, SOURCES, place_of
from paraloom.corpus.graded.judged import JudgedPair, MadeLabel
from paraloom.corpus.graded.merge import AGREED, KEPT, SINGLE
from paraloom.corpus.graded.pair_rows import PairRow
from paraloom.corpus.label_counts import LabelCounter, LabelReader
from paraloom.corpus.pair_files import PairFile
from paraloom.corpus.rewrites import REWRITES, rewrites_of
from paraloom.engine.given_columns import SIDES
from paraloom.errors import InputError
from paraloom.metrics.identification.graded import is_label, is_paraphrase, turned, written
from paraloom.tables import SPLITS, make_id
from paraloom.text.counted import counted

NAMES: Mapping[str, Sequence[str]] = {
    "label": LABELS,
    "source": SOURCES,
    "pair_id": ("pair_id", "item_id"),
    "annotator": ("annotator", "worker"),
    "group": ("group", "goeswith", "group_id"),
    "split": ("split",),
    REWRITES: (REWRITES,),
    "rewrite_of": ("rewrite_of",),
    "context": ("context",),
    "said": ("said",),
    "labelled_by": ("labelled_by",),
    "votes_for": ("votes_for",),
    "votes": ("votes",),
    "is_turned": ("is_turned",),
    **{f"{side}_{name}": (f"{side}_{name}",) for side in SIDES for name in ("document_id", "start", "end")},
    "right_id": ("right_id",),
}
"""What is read beside the texts, and under which names; the first that is there is taken."""

TOLD = ("label", "source", "pair_id", "annotator", "group", "split")
"""Those of them that may be told by `--columns`."""

NO_GRADE, EMPTY, OTHER_TEXTS, TWIN = "no_graded_label", "empty_text", "another_pair_of_this_id", "turned_twin"


@dataclass(slots=True, kw_only=True)
class PairsOfFiles:
    """Pairs by their ids, in the order they were met, and what became of rows that are none."""

    pairs: dict[str, JudgedPair] = field(default_factory=dict)
    rows: int = 0
    dropped_for: Counter[str] = field(default_factory=Counter)
    superseded: int = 0
    """Labels that the same person has given again further down."""
    notes: list[str] = field(default_factory=list)

    def read(self, path: Path, columns: Mapping[str, str], *, needs_labels: bool = True) -> None:
        """Add the pairs of one file; `needs_labels` refuses one without labels."""
        if unknown := next((ours for ours in columns if ours not in (*SIDES, *TOLD)), None):
            raise InputError(
                f"--columns {unknown}=… says nothing here: {', '.join((*SIDES, *TOLD))} are read. Leave it out."
            )
        file = PairFile(path=path, columns={side: columns[side] for side in SIDES if side in columns})
        places = _places(file, columns)
        if "label" not in places and needs_labels:
            raise InputError(
                f"{path} has no column of labels; it has {', '.join(file.survey.names)}. Name one: --columns "
                "label=COLUMN, or give a file of labels beside it, or the judgments."
            )
        counter = LabelCounter()
        for left, right, values in file.rows(list(places.values())):
            self._add(left, right, PairRow(dict(zip(places, values, strict=True))), counter)
        self.rows += file.survey.rows
        self.dropped_for.update(file.survey.troubles)
        self.notes += file.survey.notes
        if LabelReader.of(counter).scheme == "yes-no":
            raise InputError(
                f"The labels of {path} say yes and no, not how far two texts are paraphrases. Name the column of "
                "grades, where there is one: --columns label=grade."
            )

    def _add(self, left: str, right: str, row: PairRow, counter: LabelCounter) -> None:
        left, right = _written(left), _written(right)
        if not left.strip() or not right.strip():
            self.dropped_for[EMPTY] += 1
            return
        if row.truth("is_turned"):
            self.dropped_for[TWIN] += 1
            return
        pair_id = row.text("pair_id") or _id_of(left, right, row)
        pair = self.pairs.get(pair_id)
        if pair is None:
            pair = self.pairs[pair_id] = _pair(pair_id, left, right, row)
        elif {left, right} != {pair.left, pair.right}:
            self.dropped_for[OTHER_TEXTS] += 1
            return
        self._rewrites(pair, row)
        self._labels(pair, row, counter, is_other=(left, right) != (pair.left, pair.right))

    def _labels(self, pair: JudgedPair, row: PairRow, counter: LabelCounter, *, is_other: bool) -> None:
        for label in row.labels("label"):
            counter.add(label)
        good = self._good(row.labels("label"), is_other)
        if (by := row.text("labelled_by")) is None:
            for label in good:
                self.superseded += pair.say(label, row.text("annotator"))
            return
        said = self._good(row.labels("said"), is_other)
        pair.hear(said)
        if not said or by not in (SINGLE, AGREED, KEPT):  # which follow from what people said, and from that alone
            for label in good:
                _keep_made(pair, label, by, row)

    def _good(self, labels: Sequence[str], is_other: bool) -> list[str]:
        """Those that are labels, for the pair's own order."""
        good = [turned(label) if is_other else written(label) for label in labels if is_label(label)]
        self.dropped_for[NO_GRADE] += len(labels) - len(good)
        return good

    def _rewrites(self, pair: JudgedPair, row: PairRow) -> None:
        for one in rewrites_of(row.values.get(REWRITES)):
            left, right = _written(one.left), _written(one.right)
            pair_id = make_id("rewrite", pair.pair_id, left, right)
            self.pairs.setdefault(
                pair_id,
                JudgedPair(
                    pair_id=pair_id,
                    left=left,
                    right=right,
                    presumed=MadeLabel(
                        grade=one.label, is_paraphrase=True, votes_for=1, votes=1, labelled_by="rewrite"
                    ),
                    links=list(pair.links),
                    split=pair.split,
                    source=pair.source,
                    rewrite_of=pair.pair_id,
                ),
            )


def _keep_made(pair: JudgedPair, label: str, by: str, row: PairRow) -> None:
    """A label that says how it was found, as those of our own corpora do."""
    made = MadeLabel(
        grade=label,
        is_paraphrase=is_paraphrase(label),
        votes_for=row.number("votes_for"),
        votes=row.number("votes"),
        labelled_by=by,
    )
    if pair.is_rewrite:
        pair.presumed = made
    else:
        pair.joined = made


def _id_of(left: str, right: str, row: PairRow) -> str:
    """By the texts, what they go with and where they stand: the same texts elsewhere are another pair."""
    places = (row.place(side) for side in SIDES)
    where = sorted(f"{place.document_id} {place.start}" for place in places if place is not None)
    return make_id("pair", *sorted((left, right)), row.text("group") or "", *where)


def _pair(pair_id: str, left: str, right: str, row: PairRow) -> JudgedPair:
    places = {side: row.place(side) for side in SIDES}
    group, split = row.text("group"), row.text("split")
    links = [f"document {place.document_id}" for place in places.values() if place is not None]
    return JudgedPair(
        pair_id=pair_id,
        left=left,
        right=right,
        right_id=row.text("right_id"),
        links=[*links, *([f"group {group}"] if group else [])],
        split=split if split in SPLITS else None,
        source=row.text("source"),
        rewrite_of=row.text("rewrite_of"),
        left_place=places["left"],
        right_place=places["right"],
    )


def _places(file: PairFile, columns: Mapping[str, str]) -> dict[str, int]:
    """Where the columns lie that are read beside the texts."""
    names, texts = file.survey.names, set(file.survey.places.values())
    found = {
        ours: place_of(file.path, ours, columns[ours], names, is_json="json" in file.survey.format)
        for ours in TOLD
        if ours in columns
    }
    for ours, usual in NAMES.items():
        place = next((names.index(name) for name in usual if name in names and names.index(name) not in texts), None)
        if place is not None:
            found.setdefault(ours, place)
    return found


def _written(text: str) -> str:
    """The text as it can be written: a half of a surrogate pair has no bytes."""
    return text.encode("utf-8", "replace").decode()


def about_rows(read: PairsOfFiles) -> list[str]:
    """What was seen in files that their owner should know."""
    replaced = counted(read.superseded, "label", "labels")
    return [*read.notes, *([f"{replaced} given again by the same person count once."] if read.superseded else [])]
