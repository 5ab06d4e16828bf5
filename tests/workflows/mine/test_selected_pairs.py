"""Safe pairs taken from candidates: labelled, with a reason, and none that is to be measured on."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from paraloom.corpus.leakage import shared_texts
from paraloom.corpus.pair_files import PairFile
from paraloom.engine.given import read_rows
from paraloom.errors import InputError, TargetTaken
from paraloom.pairs.mined_texts import BELOW_BAND
from paraloom.pairs.region_options import RegionOptions
from paraloom.tables import make_id, pair_id_of
from paraloom.workflows.mine.region_options import ScoringOptions, SelectOptions
from paraloom.workflows.mine.select import select_pairs
from tests.corpus.run_tables import write

KINDS = [
    ("the storm hit {} at noon", "vivid jumping fox", 0.7, "negatives"),  # nothing alike
    ("the storm hit {} at noon", "the storm hit {} at dusk", 0.3, "negatives"),  # the identifier says no
    ("the storm hit {} at noon", "the storm hit {} at noon !", 0.999, "positives"),
    ("the storm hit {} at noon", "a storm was seen in {}", 0.8, None),
]


def candidates(count: int = 40) -> list[dict[str, object]]:
    rows = []
    for number in range(count):
        left, right, score, _ = KINDS[number % len(KINDS)]
        town = f"town{number}"
        rows.append({"left": left.format(town), "right": right.format(town), "score": score})
    return rows


def file_of(folder: Path, rows: list[dict[str, object]], name: str = "pairs.jsonl") -> Path:
    (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder / name


def test_safe_pairs_are_written_with_label_and_reason(tmp_path: Path) -> None:
    selected = select_pairs([file_of(tmp_path, candidates())], tmp_path / "safe.tsv")
    rows = read_rows(tmp_path / "safe.tsv", ("left", "right"))
    assert selected.taken == {"negatives": 20, "positives": 10}
    assert selected.candidates == 40
    assert Counter(rows.columns["label"]) == {"0": 20, "1": 10}
    assert Counter(rows.columns["region"]) == {
        "similarity<0.1": 10,
        "confidence>0.4": 10,
        "similarity>0.5 confidence>=0.998": 10,
    }
    assert sum(selected.regions.values()) == 30
    assert "20 negatives and 10 positives of 40 candidates" in selected.as_text()


@pytest.mark.parametrize("ending", ["tsv", "csv", "jsonl", "json", "parquet", "jsonl.gz"])
def test_every_format_has_the_same_rows(tmp_path: Path, ending: str) -> None:
    file = file_of(tmp_path, candidates())
    select_pairs([file], tmp_path / "safe.tsv")
    select_pairs([file], tmp_path / f"safe2.{ending}")
    one, other = (read_rows(path, ("left", "right")) for path in (tmp_path / "safe.tsv", tmp_path / f"safe2.{ending}"))
    assert one.texts("pair_id") == other.texts("pair_id")
    assert one.numbers("negative_confidence") == other.numbers("negative_confidence")


def test_one_kind_may_be_taken_alone_and_at_most_so_many_drawn_by_id(tmp_path: Path) -> None:
    rows = candidates(200)
    file, turned = file_of(tmp_path, rows), file_of(tmp_path, rows[::-1], "turned.jsonl")
    alone = select_pairs([file], tmp_path / "alone.tsv", options=SelectOptions(take=("negatives",)))
    assert alone.taken == {"negatives": 100}
    few = SelectOptions(most=7)
    assert select_pairs([file], tmp_path / "few.tsv", options=few).taken == {"negatives": 7, "positives": 7}
    select_pairs([turned], tmp_path / "few2.tsv", options=few)
    ids = [sorted(read_rows(tmp_path / name, ("left", "right")).texts("pair_id")) for name in ("few.tsv", "few2.tsv")]
    assert ids[0] == ids[1]


def test_no_pair_is_taken_that_shares_a_text_with_what_is_measured_on(tmp_path: Path) -> None:
    rows = candidates()
    measured = file_of(
        tmp_path, [{"left": str(row["left"]).upper() + "!", "right": "x"} for row in rows[:8]], "t.jsonl"
    )
    selected = select_pairs([file_of(tmp_path, rows)], tmp_path / "s.tsv", options=SelectOptions(leave_out=(measured,)))
    assert selected.leaked == 8
    assert "8 candidates share a text" in selected.as_text()
    assert sum(selected.taken.values()) == 24
    assert shared_texts(PairFile(path=tmp_path / "s.tsv"), PairFile(path=measured)) == []


def test_a_run_s_own_scores_are_taken_and_pairs_outside_the_bands_too(tmp_path: Path) -> None:
    pairs, labels = [], []
    for number, row in enumerate(candidates()):
        ids = make_id("text", row["left"]), make_id("text", row["right"])
        pair_id = pair_id_of(*ids)
        dropped = BELOW_BAND if number % 4 == 0 else None
        pairs.append({"pair_id": pair_id, "left_id": ids[0], "right_id": ids[1], "left": row["left"],
                      "right": row["right"], "dropped_for": dropped})  # fmt: skip
        labels += [
            {"pair_id": pair_id, "definition": name, "score": score}
            for name, score in (("loose", row["score"]), ("strict", 0.5))
        ]
    write(tmp_path / "run", "pairs", pairs)
    write(tmp_path / "run", "labels", labels)
    selected = select_pairs([tmp_path / "run"], tmp_path / "safe.tsv", scoring=ScoringOptions(definition="loose"))
    assert selected.taken == {"negatives": 20, "positives": 10}
    none_sure = select_pairs(
        [tmp_path / "run"],
        tmp_path / "strict.tsv",
        RegionOptions(min_confidence=0.5),
        ScoringOptions(definition="strict"),
    )
    assert none_sure.regions == {"negatives, similarity<0.1": 10}
    with pytest.raises(InputError, match="come without a score"):
        select_pairs([tmp_path / "run"], tmp_path / "graded.tsv")
    assert not (tmp_path / "graded.tsv").exists()


def test_a_model_judges_where_there_are_no_scores(tmp_path: Path) -> None:
    rows = [{name: row[name] for name in ("left", "right")} for row in candidates()]
    scoring = ScoringOptions(model="ngram-regression", definition="loose")
    selected = select_pairs([file_of(tmp_path, rows)], tmp_path / "safe.tsv", scoring=scoring)
    assert selected.taken["negatives"] >= 10
    assert "identifier:ngram-regression" in selected.signature


def test_nothing_safe_is_a_file_with_a_header(tmp_path: Path) -> None:
    rows = [row for place, row in enumerate(candidates()) if KINDS[place % 4][3] is None]
    selected = select_pairs([file_of(tmp_path, rows)], tmp_path / "safe.tsv")
    assert selected.taken == {"negatives": 0, "positives": 0}
    assert (tmp_path / "safe.tsv").read_text().splitlines() == [
        "pair_id\tleft\tright\tlabel\tregion\tlexical\tnegative_confidence\tpositive_confidence"
    ]


def test_what_makes_no_sense_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Nothing is to be taken"):
        SelectOptions(take=())
    with pytest.raises(InputError, match="--most"):
        SelectOptions(most=-1)
    (tmp_path / "safe.tsv").write_text("mine")
    with pytest.raises(TargetTaken):
        select_pairs([file_of(tmp_path, candidates())], tmp_path / "safe.tsv")
