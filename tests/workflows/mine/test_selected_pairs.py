"""Safe pairs taken from candidates: labelled, with a reason, and none that is to be measured on."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from paraloom.corpus.leakage import shared_texts
from paraloom.corpus.pair_files import PairFile
from paraloom.engine.given import read_rows
from paraloom.engine.store import read_table
from paraloom.errors import InputError, TargetTaken
from paraloom.models.identifiers import load
from paraloom.pairs.mine_options import MinedPairOptions
from paraloom.pairs.mined_texts import ABOVE_BAND, BELOW_BAND
from paraloom.pairs.region_options import RegionOptions
from paraloom.tables import make_id, pair_id_of
from paraloom.workflows.mine.mine import mine
from paraloom.workflows.mine.options import JudgeOptions
from paraloom.workflows.mine.region_options import ScoringOptions, SelectOptions
from paraloom.workflows.mine.scoring import TWO_SCALES
from paraloom.workflows.mine.select import select_pairs
from tests.corpus.run_tables import write
from tests.workflows.mine.conftest import TOLD
from tests.workflows.mine.small_runs import small_options

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
    assert "8 candidates share a text with the files of --leave-out (9 texts), left out." in selected.as_text()
    assert sum(selected.taken.values()) == 24
    assert shared_texts(PairFile(path=tmp_path / "s.tsv"), PairFile(path=measured)) == []


LEFT_OUT_COLUMNS = [
    ({"premise": "{}", "hypothesis": "x"}, "left=premise right=hypothesis"),
    ({"sentence1": "{}", "sentence2": "x"}, "left=premise right=hypothesis"),  # a usual pair of names
    ({"id": "7", "sentence1": "{}", "sentence2": "x"}, "left=1 right=2"),  # numbers are the candidates' own
    ({"left": "7", "premise": "{}", "hypothesis": "x", "right": "8"}, "left=premise right=hypothesis"),
]


@pytest.mark.parametrize(("held", "columns"), LEFT_OUT_COLUMNS)
@pytest.mark.parametrize("ending", ["tsv", "jsonl"])
def test_what_is_left_out_is_found_whatever_its_columns_are_called(
    tmp_path: Path, held: dict[str, str], columns: str, ending: str
) -> None:
    rows = candidates()
    if columns == "left=1 right=2" and ending == "jsonl":
        ending = "csv"  # objects have no numbered columns
    pairs = tmp_path / f"pairs.{ending}"
    ours = {"left=1 right=2": ("one", "two")}.get(columns, ("premise", "hypothesis"))
    write_rows(pairs, [{ours[0]: row["left"], ours[1]: row["right"], "score": row["score"]} for row in rows])
    held_out = tmp_path / f"held.{ending}"
    write_rows(held_out, [{name: told.format(row["left"]) for name, told in held.items()} for row in rows[:8]])
    selected = select_pairs(
        [pairs],
        tmp_path / "s.tsv",
        scoring=ScoringOptions(columns=(columns.replace(" ", ","),)),
        options=SelectOptions(leave_out=(held_out,)),
    )
    assert (selected.leaked, selected.held_out) == (8, 9)
    assert "8 candidates share a text with the files of --leave-out (9 texts), left out." in selected.as_text()


def write_rows(path: Path, rows: list[dict[str, object]]) -> None:
    if path.suffix == ".jsonl":
        file_of(path.parent, rows, path.name)
        return
    between = "," if path.suffix == ".csv" else "\t"
    lines = [between.join(map(str, row.values())) for row in rows]
    path.write_text("\n".join([between.join(rows[0]), *lines]) + "\n", encoding="utf-8")


@pytest.mark.parametrize("header", ["first\tsecond\n", ""])
def test_a_file_to_be_left_out_whose_texts_are_not_known_is_refused(tmp_path: Path, header: str) -> None:
    held = tmp_path / "held.tsv"
    held.write_text(header + "".join(f"{place}\t{row['left']}\n" for place, row in enumerate(candidates())))
    with pytest.raises(InputError, match=r"held.tsv is to be left out, but .* --columns left=COLUMN"):
        select_pairs([file_of(tmp_path, candidates())], tmp_path / "s.tsv", options=SelectOptions(leave_out=(held,)))
    assert not (tmp_path / "s.tsv").exists()


def test_each_candidate_is_scored_once_also_where_few_are_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = 0
    kind = type(load("ngram-regression"))
    score = kind.score

    def counting(self, left, right, definition="loose"):
        nonlocal asked
        asked += len(left)
        return score(self, left, right, definition)

    monkeypatch.setattr(kind, "score", counting)
    scoring = ScoringOptions(model="ngram-regression", definition="loose")
    file = file_of(tmp_path, [{name: row[name] for name in ("left", "right")} for row in candidates(60)])
    all_taken = select_pairs([file], tmp_path / "all.tsv", scoring=scoring).taken
    drawn = select_pairs([file], tmp_path / "few.tsv", scoring=scoring, options=SelectOptions(most=4))
    assert asked == 120
    assert drawn.candidates == 60
    assert drawn.taken == {kind: min(4, count) for kind, count in all_taken.items()}
    assert max(all_taken.values()) > 4
    assert sum(drawn.regions.values()) == sum(drawn.taken.values())
    whole, few = (read_rows(tmp_path / name, ("left", "right")).texts("left") for name in ("all.tsv", "few.tsv"))
    assert few == [left for left in whole if left in set(few)]  # in the order of candidates


def test_ids_that_files_give_decide_nothing_and_are_kept_where_they_are_one_pair_s(tmp_path: Path) -> None:
    rows = candidates(80)
    numbered = [{**row, "pair_id": str(place % 40)} for place, row in enumerate(rows)]
    files = [file_of(tmp_path, numbered[:40], "one.jsonl"), file_of(tmp_path, numbered[40:], "other.jsonl")]
    selected = select_pairs(files, tmp_path / "safe.tsv")
    assert (selected.candidates, sum(selected.taken.values())) == (80, 60)
    ids = read_rows(tmp_path / "safe.tsv", ("left", "right")).texts("pair_id")
    assert len(set(ids)) == 60
    assert ids[:30] == [row["pair_id"] for row, place in zip(numbered, range(40), strict=False) if place % 4 != 3]
    assert "30 pairs have an id that others have too: known by their texts here." in selected.notes
    turned = [{**row, "left": row["right"], "right": row["left"], "pair_id": "new"} for row in rows[:1]]
    again = select_pairs([files[0], file_of(tmp_path, turned, "turned.jsonl")], tmp_path / "again.tsv")
    assert "1 row that repeats a pair was left out." in again.notes


@pytest.fixture(scope="module")
def mined(tmp_path_factory: pytest.TempPathFactory, embedder: str) -> Path:
    """A run in which some pairs lie outside the band, and not all others are judged."""
    folder = tmp_path_factory.mktemp("mined")
    (folder / "sentences.txt").write_text("\n".join(TOLD[:150]) + "\n", encoding="utf-8")
    judge = JudgeOptions(identifier="ngram-regression", judge_most=150)
    bands = MinedPairOptions(min_similarity=0.3, lexical_band=(0.0, 0.9))
    mine([str(folder / "sentences.txt")], folder / "run", small_options(embedder, judge=judge, pairs=bands))
    return folder / "run"


def test_a_mined_run_s_own_scores_are_taken_and_pairs_without_one_are_left_out(mined: Path, tmp_path: Path) -> None:
    reasons = Counter(read_table(mined, "pairs", ["dropped_for"]).column("dropped_for").to_pylist())
    scored = read_table(mined, "labels", ["pair_id", "score"])
    there = reasons[None] + reasons[BELOW_BAND] + reasons[ABOVE_BAND]
    assert reasons[ABOVE_BAND] > 0
    assert reasons[None] > len(scored) == 150
    selected = select_pairs([mined], tmp_path / "safe.tsv", RegionOptions(min_confidence=0.3, positive_confidence=0.6))
    assert (selected.candidates, selected.unscored) == (there, there - 150)
    assert f"{there - 150} candidates come without a score, left out: --model NAME scores all." in selected.as_text()
    rows = read_rows(tmp_path / "safe.tsv", ("left", "right"))
    known = dict(zip(*(scored.column(name).to_pylist() for name in ("pair_id", "score")), strict=True))
    assert len(rows) > 0
    assert rows.numbers("positive_confidence") == [known[pair_id] for pair_id in rows.texts("pair_id")]
    scoring = ScoringOptions(model="ngram-regression", definition="loose")
    assert select_pairs([mined], tmp_path / "asked.tsv", scoring=scoring).unscored == 0


def test_a_definition_that_a_run_has_no_scores_for_is_named_with_those_it_has(mined: Path, tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"no scores for the definition 'graded', but for loose. Give --definition loose"
    ):
        select_pairs([mined], tmp_path / "graded.tsv", scoring=ScoringOptions(definition="graded"))
    assert not (tmp_path / "graded.tsv").exists()


def test_a_run_without_labels_and_a_file_without_scores_are_refused(tmp_path: Path) -> None:
    write(tmp_path / "run", "pairs", [{"pair_id": "a1", "left": "a storm", "right": "a gale"}])
    file = file_of(tmp_path, [{"left": "a storm", "right": "a gale"}])
    for source, told in ((tmp_path / "run", "has no labels with scores. Give --model"), (file, "No candidate comes")):
        with pytest.raises(InputError, match=told):
            select_pairs([source], tmp_path / "safe.tsv")
        assert not (tmp_path / "safe.tsv").exists()


def test_scores_of_an_identifier_that_grades_are_not_taken_for_its_confidence_in_4(tmp_path: Path) -> None:
    rows = [{"pair_id": make_id(place), **row} for place, row in enumerate(candidates(8))]
    write(tmp_path / "run", "pairs", [{name: row[name] for name in ("pair_id", "left", "right")} for row in rows])
    labels = [{"pair_id": row["pair_id"], "definition": "graded", "score": row["score"],
               "labelled_by": "graded-heads|base:bert"} for row in rows]  # fmt: skip
    write(tmp_path / "run", "labels", labels)
    with pytest.raises(InputError, match=r"a pair is 3 or 4, not that it is 4.* --take negatives"):
        select_pairs([tmp_path / "run"], tmp_path / "safe.tsv")
    negatives = select_pairs([tmp_path / "run"], tmp_path / "safe.tsv", options=SelectOptions(take=("negatives",)))
    assert negatives.taken == {"negatives": 4}
    assert TWO_SCALES in negatives.notes
    beside = file_of(tmp_path, [{**row, "grade": "3"} for row in candidates(8)])
    assert TWO_SCALES in select_pairs([beside], tmp_path / "beside.tsv").notes
    assert TWO_SCALES not in select_pairs([file_of(tmp_path, candidates(8))], tmp_path / "plain.tsv").notes


def test_of_several_definitions_one_is_to_be_named(tmp_path: Path) -> None:
    pairs, labels = [], []
    for row in candidates():
        ids = make_id("text", row["left"]), make_id("text", row["right"])
        pair_id = pair_id_of(*ids)
        pairs.append({"pair_id": pair_id, "left_id": ids[0], "right_id": ids[1], "left": row["left"],
                      "right": row["right"]})  # fmt: skip
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
    with pytest.raises(InputError, match=r"several definitions: loose, strict. Name one: --definition"):
        select_pairs([tmp_path / "run"], tmp_path / "both.tsv")
    assert not (tmp_path / "both.tsv").exists()


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
