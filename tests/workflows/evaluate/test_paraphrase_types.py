"""Types of outputs are counted, shown and checked against what people annotated, on files written here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paraloom.errors import InputError
from paraloom.workflows.evaluate.paraphrase_types import evaluate_types, profile
from paraloom.workflows.evaluate.paraphrase_types_annotated import marked_types, read_annotated
from paraloom.workflows.evaluate.paraphrase_types_check import Agreement, check_types
from paraloom.workflows.evaluate.paraphrase_types_options import TypeOptions

QUICK = TypeOptions(wordnet=False, meaning=False)
PAIRS = [
    ("The storm hit the coast on Monday.", "On Monday the storm hit the coast."),
    ("The storm hit the coast.", "the storm hit the coast"),
    ("The storm hit 3 towns.", "The storm hit 4 towns."),
    ("The mayor praised the teacher.", "The mayor lauded the teacher."),
    ("The mayor praised the pupil.", "The mayor lauded the pupil."),
    ("The mayor praised the nurse.", "The mayor lauded the nurse."),
]


def test_a_profile_counts_every_type_with_its_first_examples() -> None:
    found = profile(PAIRS, TypeOptions(wordnet=False, meaning=False, examples=2))
    counts = {one.name: one.count for one in found.types}
    assert {name: count for name, count in counts.items() if count} == {
        "word-syn": 3,
        "structure": 1,
        "copy": 1,
        "misinterpret": 1,
    }
    assert list(counts)[:2] == ["add-new", "word-syn"]
    assert found.good_per_output == pytest.approx(4 / 6)
    assert found.poor == pytest.approx(2 / 6)
    words = next(one for one in found.types if one.name == "word-syn")
    assert [example.output for example in words.examples] == [output for _, output in PAIRS[3:5]]
    assert [(change.source, change.output) for change in words.examples[0].changes] == [("praised", "lauded")]


def test_the_json_of_a_profile_has_shares_signatures_and_examples() -> None:
    told = json.loads(json.dumps(profile(PAIRS, QUICK).as_json()))
    assert told["metrics"]["word-syn"] == 0.5
    assert set(told["signature"]) == set(told["metrics"])
    assert "|meaning:no|" in told["signature"]["copy"]
    assert told["types"]["copy"]["examples"] == [{"source": PAIRS[1][0], "output": PAIRS[1][1], "changes": []}]


def test_the_types_of_a_pair_do_not_depend_on_the_others() -> None:
    together = profile(PAIRS, QUICK)
    alone = [profile([pair], QUICK) for pair in PAIRS]
    for number, one in enumerate(together.types):
        assert one.count == sum(single.types[number].count for single in alone)


def test_the_shipped_network_decides_whether_an_addition_is_an_invention() -> None:
    pairs = [("The storm hit the coast.", "The storm hit the coast, and people died in the floods.")]
    judged = profile(pairs, TypeOptions(wordnet=False))
    assert [one.name for one in judged.types if one.count] == ["hallucination"]
    assert "meaning:model:pairs" in judged.signature


def test_files_of_outputs_and_of_pairs_are_read(tmp_path: Path) -> None:
    outputs, pairs = tmp_path / "outputs.jsonl", tmp_path / "pairs.tsv"
    rows = [
        {"source": PAIRS[0][0], "outputs": [{"text": PAIRS[0][1], "score": 1.0}, {"text": PAIRS[0][0], "score": 0.5}]},
        {"source": "Nothing was said.", "outputs": []},
    ]
    outputs.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    pairs.write_text("left\tright\n" + "".join(f"{left}\t{right}\n" for left, right in PAIRS), encoding="utf-8")
    first = evaluate_types([outputs, pairs], QUICK)
    assert {name: one.outputs for name, one in first.profiles.items()} == {"outputs.jsonl": 1, "pairs.tsv": 6}
    assert first.notes == (f"{outputs}: 1 source without an output was left out.",)
    assert set(first.as_json()["systems"]) == {"outputs.jsonl", "pairs.tsv"}
    every = evaluate_types([outputs], TypeOptions(wordnet=False, meaning=False, every_output=True))
    assert every.as_json()["metrics"]["copy"] == 0.5


def test_what_cannot_be_looked_at_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing to look at"):
        evaluate_types([], QUICK)
    with pytest.raises(InputError, match="--examples is -1"):
        evaluate_types([tmp_path / "any.tsv"], TypeOptions(examples=-1))
    with pytest.raises(InputError, match="learns from a collection"):
        profile(PAIRS, TypeOptions(embedder="ormf", wordnet=False, meaning=False))


ANNOTATED = [
    # source, reference, what was marked, the types that this is
    (
        "the mayor praised him",
        "the mayor lauded him",
        "3-3-lex_same_polarity,1_2-1_2-identical,4-4-identical",
        "word-syn",
    ),
    (
        "he put out the fire",
        "he extinguished the fire",
        "2_3-2-lex_synt_ana,1-1-identical,4_5-3_4-identical",
        "phrase-syn",
    ),
    ("on Monday it rained", "it rained on Monday", "1_2-3_4-order,3_4-1_2-identical", "structure"),
    ("it cost 3 euros", "it cost 4 euros", "3-3-non_paraphrases,1_2-1_2-identical,4-4-identical", "misinterpret"),
    ("dogs bark", "dogs bark", "1_2-1_2-identical", "copy"),
    ("dogs bark", "dogs barked", "1-1-identical,2-2-mor_inflectional", "small-change"),
    ("dogs bark loudly", "dogs bark", "1_2-1_2-identical", "left-out"),
    ("dogs bark", "dogs bark beside grey walls", "1_2-1_2-identical", "added"),
]


@pytest.fixture
def annotated(tmp_path: Path) -> Path:
    for corpus in ("MSRPA", "p4p"):
        for place, part in enumerate(("source", "reference", "alignment")):
            lines = "".join(row[place] + (",\n" if place == 2 else "\n") for row in ANNOTATED)
            (tmp_path / f"{corpus}_{part}.txt").write_text(lines, encoding="utf-8")
    return tmp_path


def test_annotations_amount_to_types(annotated: Path) -> None:
    pairs = read_annotated(annotated, "MSRPA")
    assert [set(marked_types(pair).types) for pair in pairs] == [{row[3]} for row in ANNOTATED]


def test_a_check_tells_how_well_types_agree_with_people(annotated: Path) -> None:
    check = check_types(annotated, TypeOptions(wordnet=False, meaning=False))
    for name in ("structure", "misinterpret", "copy", "small-change", "left-out", "added"):
        assert (check.of("p4p", name).precision, check.of("p4p", name).recall) == (1, 1), name
    assert check.of("p4p", "word-syn").recall == 1
    halves = [check.of(part, "copy").pairs for part in ("msrp-a, tuned on", "msrp-a, held out")]
    assert sum(halves) == len(ANNOTATED)
    assert check.as_json()["metrics"]["p4p/structure/f1"] == 1
    assert "most frequent" in check.as_text()


def test_figures_of_agreement_are_those_of_the_counts() -> None:
    one = Agreement(part="p4p", type="structure", pairs=100, annotated=40, found=50, right=30)
    assert (one.precision, one.recall) == (0.6, 0.75)
    assert one.f1 == pytest.approx(2 * 0.6 * 0.75 / 1.35)
    assert one.accuracy == pytest.approx((30 + 40) / 100)
    assert (one.most_frequent, one.always_f1) == (0.6, pytest.approx(80 / 140))
    assert one.mcc == pytest.approx((30 * 40 - 20 * 10) / (50 * 40 * 60 * 50) ** 0.5)


def test_annotations_that_are_broken_are_refused_with_their_line(annotated: Path) -> None:
    file = annotated / "MSRPA_alignment.txt"
    file.write_text(file.read_text(encoding="utf-8").replace("1_2-3_4-order", "nonsense"), encoding="utf-8")
    with pytest.raises(InputError, match=r"line 3: 'nonsense' is not"):
        read_annotated(annotated, "MSRPA")
    (annotated / "p4p_source.txt").write_text("one line\n", encoding="utf-8")
    with pytest.raises(InputError, match="unequal numbers of lines"):
        read_annotated(annotated, "p4p")
    with pytest.raises(InputError, match="There is no"):
        read_annotated(annotated / "elsewhere", "p4p")
