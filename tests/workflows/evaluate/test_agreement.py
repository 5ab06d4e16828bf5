"""Files of answers, however they are written, give the same figures; what cannot be read is refused with its line."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from paraloom.errors import InputError
from paraloom.metrics.agreement.levels import Level
from paraloom.tables import Judgment, schema
from paraloom.workflows.evaluate.agreement import evaluate_agreement
from paraloom.workflows.evaluate.agreement_options import AgreementOptions, AnswerFileOptions

PEOPLE = ("ann", "bob", "cem")
NOON = datetime(2023, 5, 1, 12, tzinfo=UTC)


def answers(items: int = 40) -> list[tuple[str, str, str]]:
    """Three people who agree mostly, with gaps."""
    random = np.random.default_rng(4)
    rows = []
    for item, truth in enumerate(random.integers(0, 2, items)):
        for person in PEOPLE:
            if random.random() < 0.85:
                rows.append((f"item {item}", person, ("no", "yes")[truth ^ (random.random() < 0.15)]))
    return rows


ROWS = answers()


def long_tsv(folder: Path) -> tuple[Path, AnswerFileOptions]:
    file = folder / "answers.tsv"
    file.write_text(
        "".join("\t".join(row) + "\n" for row in [("item", "annotator", "answer"), *ROWS]), encoding="utf-8"
    )
    return file, AnswerFileOptions()


def headless_tsv(folder: Path) -> tuple[Path, AnswerFileOptions]:
    file = folder / "headless.tsv"
    file.write_text("".join("\t".join(row) + "\n" for row in ROWS), encoding="utf-8")
    return file, AnswerFileOptions()


def utf_16_with_other_rows(folder: Path) -> tuple[Path, AnswerFileOptions]:
    file = folder / "export.tsv"
    lines = ["QID\tCategory\tHighlighted\tAnnotator"]
    for item, person, answer in ROWS:
        lines += [f"{item}\tComment\tnone\t{person}", f"{item}\tIs Referring\t{answer}\t{person}"]
    file.write_text("\n".join(lines) + "\n", encoding="utf-16")
    columns = ("item=QID", "annotator=Annotator", "answer=Highlighted")
    return file, AnswerFileOptions(columns=columns, where=("Category=Is Referring",))


def numbered_csv(folder: Path) -> tuple[Path, AnswerFileOptions]:
    file = folder / "numbered.csv"
    file.write_text(
        "said,what,who\n" + "".join(f"{answer},{item},{person}\n" for item, person, answer in ROWS), encoding="utf-8"
    )
    return file, AnswerFileOptions(columns=("item=2", "annotator=3", "answer=1"))


def jsonl_with_booleans(folder: Path) -> tuple[Path, AnswerFileOptions]:
    file = folder / "answers.jsonl"
    rows = ({"item": item, "annotator": person, "answer": {"same": answer}} for item, person, answer in ROWS)
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file, AnswerFileOptions()


def wide_csv(folder: Path) -> tuple[Path, AnswerFileOptions]:
    file = folder / "wide.csv"
    table = {(item, person): answer for item, person, answer in ROWS}
    items = dict.fromkeys(item for item, _, _ in ROWS)
    lines = ["pair," + ",".join(PEOPLE) + ",remarks"]
    lines += [",".join([item, *(table.get((item, person), "") for person in PEOPLE), "none"]) for item in items]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file, AnswerFileOptions(wide=True, annotators=PEOPLE)


def judgments(folder: Path) -> tuple[Path, AnswerFileOptions]:
    """A table of ours: ids in the order of nothing, a change of mind as a new row."""
    rows = []
    for number, (item, person, answer) in enumerate(ROWS):
        given = [answer] if number else ["no" if answer == "yes" else "yes", answer]
        for again, said in enumerate(given):
            moment = NOON + timedelta(minutes=number, seconds=again)
            rows.append(
                Judgment(
                    judgment_id=f"{9999 - len(rows):032d}",
                    campaign="c",
                    task="strict",
                    item_kind="pair",
                    item_id=item,
                    annotator=person,
                    answer=json.dumps({"is_paraphrase": said, "seconds_of_doubt": number}),
                    instructions_version=1,
                    seconds=2.0,
                    created_at=moment,
                    is_test=False,
                    client_id=None,
                )
            )
    other = "no" if rows[-1].answer.count("yes") else "yes"
    rows.append(  # what an expert decided is nobody's answer
        replace(
            rows[-1],
            judgment_id=f"{9999:032d}"[::-1],
            annotator="expert",
            answer=json.dumps({"is_paraphrase": other, "seconds_of_doubt": 0}),
            is_decision=True,
        )
    )
    rows.sort(key=lambda row: row.judgment_id)
    columns = {field.name: [getattr(row, field.name) for row in rows] for field in schema(Judgment)}
    table = folder / "judgments"
    table.mkdir()
    half = len(rows) // 2
    whole = pa.table(columns, schema=schema(Judgment))
    pq.write_table(whole.slice(0, half), table / "part-00.parquet")
    pq.write_table(whole.slice(half), table / "part-01.parquet")
    return table, AnswerFileOptions(field="is_paraphrase", repeated="last", where=("task=strict",))


SHAPES = [
    long_tsv,
    headless_tsv,
    utf_16_with_other_rows,
    numbered_csv,
    jsonl_with_booleans,
    wide_csv,
    judgments,
]


@pytest.mark.parametrize("write", SHAPES)
def test_however_answers_are_written_the_figures_are_the_same(write, tmp_path: Path) -> None:
    expected = evaluate_agreement([long_tsv(tmp_path)[0]]).figures
    file, reading = write(tmp_path)
    found = evaluate_agreement([file], reading=reading).figures
    assert found.ratings == len(ROWS)
    for ours, theirs in zip(found.coefficients, expected.coefficients, strict=True):
        assert ours.value == pytest.approx(theirs.value, abs=1e-12)
    assert found.people == expected.people
    assert found.confusion == expected.confusion


def test_files_are_read_together(tmp_path: Path) -> None:
    whole = evaluate_agreement([long_tsv(tmp_path)[0]]).figures
    files = []
    for person in PEOPLE:
        files.append(tmp_path / f"{person}.tsv")
        own = [row for row in ROWS if row[1] == person]
        files[-1].write_text("".join("\t".join(row) + "\n" for row in own), encoding="utf-8")
    assert evaluate_agreement(files).figures.coefficients[0].value == pytest.approx(whole.coefficients[0].value)


def test_one_annotator_can_be_the_expert_and_a_file_can_take_the_place(tmp_path: Path) -> None:
    file, _ = long_tsv(tmp_path)
    by_name = evaluate_agreement([file], AgreementOptions(expert="cem")).figures
    gold = tmp_path / "gold.tsv"
    right = "".join(f"{item}\t{answer}\n" for item, person, answer in ROWS if person == "cem")
    gold.write_text("item\tanswer\n" + right + "an item nobody answered\tno\n", encoding="utf-8")
    crowd = AnswerFileOptions(annotators=("ann", "bob"))
    by_file = evaluate_agreement([file], AgreementOptions(gold=gold), reading=crowd).figures
    assert by_file.expert_name == "gold"
    assert by_file.expert.positive == "yes"
    assert [one.name for one in by_file.expert.coefficients] == [
        "expert-kappa",
        "expert-accuracy",
        "expert-precision",
        "expert-recall",
        "expert-f1",
    ]
    assert by_file.expert.coefficients == by_name.expert.coefficients
    assert by_file.coefficients == by_name.coefficients


def test_a_gold_file_may_lack_a_header_and_say_the_same_thing_twice(tmp_path: Path) -> None:
    file, _ = long_tsv(tmp_path)
    gold = tmp_path / "gold.tsv"
    gold.write_text("item 0\tyes\nitem 0\tyes\nitem 1\tno\nitem 2\t\n", encoding="utf-8")
    expert = evaluate_agreement([file], AgreementOptions(gold=gold)).figures.expert
    assert expert.compared + expert.tied + expert.unanswered == 2


VOTES = [
    ("(3, 2)", "for-against", 3, 2),
    ("(3,5)", "for-of", 3, 2),
    ("4/6", "for-of", 4, 2),
    ("0;5", "for-against", 0, 5),
]


@pytest.mark.parametrize(("written", "kind", "yes", "no"), VOTES)
def test_votes_are_counted_as_they_are_meant(tmp_path: Path, written: str, kind, yes: int, no: int) -> None:
    file = tmp_path / "votes.tsv"
    file.write_text(f"left one\tright one\t{written}\nleft two\tright two\t{written}\n", encoding="utf-8")
    found = evaluate_agreement([file], reading=AnswerFileOptions(votes=kind, columns=("votes=3",))).figures
    totals = dict(zip(found.answers, found.totals, strict=True))
    assert (totals.get("yes", 0), totals.get("no", 0)) == (2 * yes, 2 * no)
    assert (found.items, found.annotators) == (2, None)


def test_votes_can_be_held_against_gold_by_item(tmp_path: Path) -> None:
    (tmp_path / "v.tsv").write_text("item\tvotes\na\t(5, 1)\nb\t(1, 5)\nc\t(3, 3)\n", encoding="utf-8")
    (tmp_path / "g.tsv").write_text("item\tanswer\na\tyes\nb\tyes\nc\tno\n", encoding="utf-8")
    found = evaluate_agreement(
        [tmp_path / "v.tsv"],
        AgreementOptions(gold=tmp_path / "g.tsv"),
        reading=AnswerFileOptions(votes="for-against"),
    ).figures
    assert (found.expert.compared, found.expert.tied) == (2, 1)
    assert {one.name: one.value for one in found.expert.coefficients}["expert-recall"] == 0.5


ITEM_FILES = {
    "items.tsv": lambda file: [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()][1:],
    "items.csv": lambda file: [line.split(",") for line in file.read_text(encoding="utf-8").splitlines()][1:],
    "items.parquet": lambda file: [
        ["" if cell is None else str(cell) for cell in row.values()] for row in pq.read_table(file).to_pylist()
    ],
    "items.jsonl": lambda file: [
        [
            "" if cell is None else str(cell)
            for cell in [*list(row.values())[:4], row["counts"].get("no", 0), row["counts"].get("yes", 0)]
        ]
        for row in map(json.loads, file.read_text(encoding="utf-8").splitlines())
    ],
}


@pytest.mark.parametrize("name", ITEM_FILES)
def test_the_answers_to_each_item_are_written_as_the_ending_says(tmp_path: Path, name: str) -> None:
    (tmp_path / "v.tsv").write_text("item\tvotes\na\t(3, 1)\nb\t(1, 1)\nc\t(0, 1)\n", encoding="utf-8")
    file = tmp_path / "deep" / name
    evaluate_agreement([tmp_path / "v.tsv"], reading=AnswerFileOptions(votes="for-against"), items=file)
    assert ITEM_FILES[name](file) == [
        ["a", "4", "yes", "0.5", "1", "3"],
        ["b", "2", "", "0.0", "1", "1"],
        ["c", "1", "no", "", "1", "0"],
    ]


def written(folder: Path, text: str, name: str = "answers.tsv") -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


HEAD = "item\tannotator\tanswer\n"
REFUSED = [
    (
        HEAD + "a\tann\tyes\na\tann\tno\n",
        {},
        r"ann answered item a twice: 'yes' in answers.tsv, line 2 and 'no'.*line 3",
    ),
    (HEAD + "a\t\tyes\n", {}, r"answers.tsv, line 2: annotator is empty"),
    (HEAD + "\tann\tyes\n", {}, r"answers.tsv, line 2: item is empty"),
    (
        "a\tb\tc\td\n",
        {},
        r"has 4 columns, and its first line does not name item, annotator, answer.*--columns item=COL",
    ),
    (HEAD, {}, r"The files hold no answers"),
    (HEAD + "a\tann\tyes\n", {"where": ("task=strict",)}, r"no column 'task'; it has item, annotator, answer"),
    (HEAD + "a\tann\tyes\n", {"where": ("annotator=bob",)}, r"No row .* has annotator=bob; that column holds ann"),
    (HEAD + "a\tann\tyes\n", {"where": ("annotator",)}, r"--where 'annotator' is not of the form COLUMN=VALUE"),
    (HEAD + "a\tann\tyes\n", {"annotators": ("eve",)}, r"no annotator 'eve'; there are ann"),
    (HEAD + "a\tann\tyes\n", {"field": "grade"}, r"line 2: the answer 'yes' is not JSON"),
    (HEAD + 'a\tann\t"yes"\n', {"field": "grade"}, r"line 2: the answer '\"yes\"' is no JSON object"),
    (HEAD + 'a\tann\t{"grade": 1}\n', {"field": "flag"}, r"No answer .* has a field 'flag'; there are grade"),
    (HEAD + 'a\tann\t{"grade": 1, "flag": 2}\n', {}, r"has the fields grade, flag. Choose one: --field"),
    ("item\tann\na\tyes\n", {"wide": True, "annotators": ("eve",)}, r"no column 'eve'; it has ann"),
    ("item\tann\na\tyes\n", {"wide": True, "columns": ("item=id",)}, r"no column 'id'; it has item, ann"),
    ("item\tvotes\na\tmany\n", {"votes": "for-against"}, r"line 2: 'many' is not a pair of votes"),
    ("item\tvotes\na\t(5, 3)\n", {"votes": "for-of"}, r"line 2: 5 votes of 3 cannot be"),
    ("item\tvotes\na\t(5, 3)\n", {"votes": "for-of", "wide": True}, r"Choose one of the two"),
]


@pytest.mark.parametrize(("text", "reading", "message"), REFUSED)
def test_what_cannot_be_read_is_refused_with_its_place(tmp_path: Path, text: str, reading, message: str) -> None:
    with pytest.raises(InputError, match=message):
        evaluate_agreement([written(tmp_path, text)], reading=AnswerFileOptions(**reading))


def test_gold_and_expert_that_cannot_be_are_refused(tmp_path: Path) -> None:
    file, _ = long_tsv(tmp_path)
    gold = written(tmp_path, "item\tanswer\nitem 1\tyes\nitem 1\tno\n", "gold.tsv")
    strangers = written(tmp_path, "item\tanswer\nx1\tyes\n", "strangers.tsv")
    cases = [
        (AgreementOptions(expert="eve"), "--expert eve: there is no such annotator; there are ann, bob, cem"),
        (AgreementOptions(gold=gold), "line 3: item item 1 is 'no', but was 'yes' before"),
        (AgreementOptions(gold=strangers), "No item of .*strangers.tsv is among .*'x1' is not"),
        (AgreementOptions(gold=strangers, expert="ann"), "both say who is right"),
        (AgreementOptions(expert="ann", positive="maybe"), "Nobody could answer 'maybe'"),
        (AgreementOptions(level="ordinal"), "--order"),
        (AgreementOptions(resamples=0), "0 resamples are none"),
    ]
    for options, message in cases:
        with pytest.raises(InputError, match=message):
            evaluate_agreement([file], options)


def test_an_items_file_of_another_kind_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"ends in \.tsv, \.csv, \.jsonl, \.parquet"):
        evaluate_agreement([tmp_path / "absent.tsv"], items=tmp_path / "items.xlsx")


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="folder without Parquet files"):
        evaluate_agreement([tmp_path])


def test_a_grade_called_1_is_not_taken_for_positive_on_a_longer_scale(tmp_path: Path) -> None:
    rows = [f"{item}\t{name}\t{item % 3 + 1}\n" for item in range(9) for name in PEOPLE]
    figures = evaluate_agreement([written(tmp_path, HEAD + "".join(rows))], AgreementOptions(expert="cem")).figures
    assert figures.expert.positive is None


def crowd_with(folder: Path, expert: str) -> Path:
    file = folder / f"{expert}.tsv"
    right = [(f"item {item}", "eve", expert) for item in range(10)]
    lines = ["item\tannotator\tanswer", *("\t".join(row) for row in [*ROWS, *right])]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


@pytest.mark.parametrize("expert", ["yes", "perhaps"])
def test_an_experts_answers_change_no_figure_of_the_crowd(tmp_path: Path, expert: str) -> None:
    alone = evaluate_agreement([long_tsv(tmp_path)[0]]).figures
    beside = evaluate_agreement([crowd_with(tmp_path, expert)], AgreementOptions(expert="eve")).figures
    assert (beside.coefficients, beside.answers, beside.totals) == (alone.coefficients, alone.answers, alone.totals)
    assert beside.expert is not None
    assert len(beside.expert.confusion) == len(beside.expert_answers)


def test_gold_that_has_no_answer_in_common_is_refused(tmp_path: Path) -> None:
    gold = tmp_path / "gold.tsv"
    gold.write_text("item\tanswer\nitem 1\tYES\n", encoding="utf-8")
    with pytest.raises(InputError, match="no answer in common: 'YES' there, 'no', 'yes' here"):
        evaluate_agreement([long_tsv(tmp_path)[0]], AgreementOptions(gold=gold))


def written_rows(folder: Path, rows: list[tuple[str, str, str]], header: str = "item\tannotator\tanswer") -> Path:
    file = folder / "rows.tsv"
    file.write_text("\n".join([header, *("\t".join(row) for row in rows)]) + "\n", encoding="utf-8")
    return file


def test_a_whole_number_is_one_answer_however_it_is_written(tmp_path: Path) -> None:
    rows = [("a", "x", "1"), ("a", "y", "1.0"), ("b", "x", "2"), ("b", "y", "2.00"), ("c", "x", "v1.0")]
    found = evaluate_agreement([written_rows(tmp_path, rows)]).figures
    assert found.answers == ("1", "2", "v1.0")
    assert found.unanimous == 1


def test_answers_that_may_not_be_meant_as_such_are_noted(tmp_path: Path) -> None:
    rows = [("a", "x", "Yes"), ("a", "y", "yes"), ("b", "x", "N/A"), ("b", "y", "yes")]
    evaluation = evaluate_agreement([written_rows(tmp_path, rows)])
    assert evaluation.notes == (
        "'N/A' counts as an answer. If it means that there is none, leave the cell empty.",
        "The answers 'Yes' and 'yes' differ only in case and count as different.",
    )
    assert all(note in evaluation.as_text() for note in evaluation.notes)
    assert evaluation.as_json()["notes"] == list(evaluation.notes)


def test_a_header_is_no_answer(tmp_path: Path) -> None:
    file = written_rows(tmp_path, ROWS, "QID\tannotator\tlabel")
    for columns in (("item=1", "answer=3"), ("item=QID", "answer=3"), ("item=1", "annotator=2", "answer=label")):
        evaluation = evaluate_agreement([file], reading=AnswerFileOptions(columns=columns))
        assert (evaluation.figures.ratings, evaluation.notes) == (len(ROWS), ())
    [note] = evaluate_agreement([headless_tsv(tmp_path)[0]]).notes
    assert "line 1 is read as data; columns 1, 2, 3 are taken for item, annotator, answer" in note


USELESS = [
    (AgreementOptions(positive="yes"), AnswerFileOptions(), "--positive"),
    (AgreementOptions(seed=-1), AnswerFileOptions(), "--seed -1"),
    (AgreementOptions(), AnswerFileOptions(columns=("votes=answer",)), "--columns votes=answer"),
    (AgreementOptions(), AnswerFileOptions(wide=True, field="x"), "--field"),
    (AgreementOptions(), AnswerFileOptions(votes="for-of", annotators=("ann",)), "--annotators"),
    (AgreementOptions(), AnswerFileOptions(votes="for-of", repeated="last"), "--repeated last"),
]


@pytest.mark.parametrize(("options", "reading", "told"), USELESS)
def test_an_option_that_would_change_nothing_is_refused(
    tmp_path: Path, options: AgreementOptions, reading: AnswerFileOptions, told: str
) -> None:
    with pytest.raises(InputError, match=told):
        evaluate_agreement([long_tsv(tmp_path)[0]], options, reading=reading)


def test_two_annotators_of_one_name_in_a_wide_file_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "wide.csv"
    file.write_text("item,ann,ann\na,yes,no\nb,no,no\n", encoding="utf-8")
    with pytest.raises(InputError, match="several columns called 'ann'"):
        evaluate_agreement([file], reading=AnswerFileOptions(wide=True))


def test_nobody_below_the_cut_is_not_said_where_nobody_has_a_kappa(tmp_path: Path) -> None:
    text = evaluate_agreement([written_rows(tmp_path, [("a", "x", "yes"), ("b", "x", "no")])]).as_text()
    assert "No annotator has a kappa" in text
    assert "is below" not in text
    assert "answers by 1 annotator on" in text


@pytest.mark.parametrize("level", ["interval", "ratio"])
@pytest.mark.parametrize("unit", [1e-200, 1e200, 1.7e307])
def test_agreement_does_not_depend_on_the_unit(tmp_path: Path, level: Level, unit: float) -> None:
    points = np.random.default_rng(3).integers(1, 6, (20, 3))
    found = []
    for size in (1.0, unit):
        rows = [
            (f"i{item}", person, repr(float(points[item, place] * size)))
            for item in range(20)
            for place, person in enumerate(PEOPLE)
        ]
        figures = evaluate_agreement(
            [written_rows(tmp_path, rows)], AgreementOptions(level=level, resamples=30)
        ).figures
        found.append({one.name: (one.value, one.interval and one.interval.low) for one in figures.coefficients})
    for name, (value, low) in found[0].items():
        assert found[1][name][0] == pytest.approx(value), name
        assert found[1][name][1] == pytest.approx(low), name
