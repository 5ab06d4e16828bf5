"""Phenomena of corpora are counted, compared and checked against what people marked, on files written here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paraloom.errors import InputError
from paraloom.models.aligners.loading_options import AlignerOptions
from paraloom.phrases.phenomena import KINDS
from paraloom.workflows.evaluate.paraphrase_types_annotated import AnnotatedPair
from paraloom.workflows.evaluate.paraphrase_types_annotated import Phenomenon as Mark
from paraloom.workflows.phrases.phenomena import corpus_phenomena
from paraloom.workflows.phrases.phenomena_annotated import marked_phenomena
from paraloom.workflows.phrases.phenomena_check import check_phenomena
from paraloom.workflows.phrases.phenomena_options import PhenomenaOptions

LEXICAL = AlignerOptions(aligner="lexical")
QUICK = PhenomenaOptions(resamples=50)
NEWS = [
    ("On Monday the storm hit the U.S. coast .", "The storm hit the US coast on Monday .", "1"),
    ("The mayor praised the old town hall .", "The mayor praised the town hall .", "1"),
    ("The mayor praised the nurse .", "The farmer sold a cow .", "0"),
]
SHORT = [("the storm hit hard", "the storm hit", "1"), ("storms hit two towns", "storms hit 2 towns", "1")]


def written(file: Path, rows: list[tuple[str, str, str]]) -> Path:
    """A file of pairs."""
    file.write_text("".join("\t".join(row) + "\n" for row in [("left", "right", "label"), *rows]), encoding="utf-8")
    return file


def counts(folder: Path, options: PhenomenaOptions, *rows: list[tuple[str, str, str]]) -> dict[str, float]:
    """Means of the first corpus by kind."""
    table = corpus_phenomena(
        [written(folder / f"{number}.tsv", some) for number, some in enumerate(rows)], options, aligner=LEXICAL
    )
    return {one.kind: one.per_pair.value for one in table.corpora[0].kinds}


def test_only_paraphrases_are_counted_a_pair_and_any_share(tmp_path: Path) -> None:
    table = corpus_phenomena([written(tmp_path / "news.tsv", NEWS)], QUICK, aligner=LEXICAL)
    (news,) = table.corpora
    assert (news.pairs, news.of) == (2, 2)
    assert {one.kind: one.per_pair.value for one in news.kinds if one.per_pair.value} == {
        "elaboration": 0.5,
        "spelling": 0.5,
        "reordering": 0.5,
    }
    assert table.of("news", "spelling").share == 0.5
    (example,) = table.of("news", "spelling").examples
    assert (example.left_words, example.right_words) == ("U.S.", "US")


def test_pairs_without_labels_are_all_counted(tmp_path: Path) -> None:
    unlabelled = [(left, right, "") for left, right, _ in NEWS]
    (corpus,) = corpus_phenomena([written(tmp_path / "news.tsv", unlabelled)], QUICK, aligner=LEXICAL).corpora
    assert corpus.pairs == 3


def test_adjusted_figures_are_those_of_sentences_of_the_reference_s_length(tmp_path: Path) -> None:
    files = [written(tmp_path / "news.tsv", NEWS), written(tmp_path / "short.tsv", SHORT)]
    table = corpus_phenomena(files, QUICK, aligner=LEXICAL)
    news, short = table.corpora
    assert (table.reference, short.tokens) == ("short", pytest.approx(15 / 4))
    assert news.tokens == pytest.approx((9 + 9 + 8 + 7) / 4)
    for kind in KINDS:
        one, other = table.of("news", kind), table.of("short", kind)
        assert one.adjusted.value == pytest.approx(one.per_pair.value * short.tokens / news.tokens, abs=1e-5)
        assert other.adjusted.value == pytest.approx(other.per_pair.value)
    assert corpus_phenomena(files, PhenomenaOptions(reference="news"), aligner=LEXICAL).reference == "news"


def test_a_mean_lies_in_its_interval_and_one_pair_has_none(tmp_path: Path) -> None:
    table = corpus_phenomena([written(tmp_path / "short.tsv", SHORT)], QUICK, aligner=LEXICAL)
    mean = table.of("short", "spelling").per_pair
    assert mean.low is not None
    assert mean.high is not None
    assert mean.low <= mean.value <= mean.high
    alone = corpus_phenomena([written(tmp_path / "one.tsv", SHORT[:1])], QUICK, aligner=LEXICAL)
    assert alone.of("one", "elaboration").per_pair.low is None


def test_a_limit_takes_the_same_pairs_in_whatever_order_they_come(tmp_path: Path) -> None:
    few = PhenomenaOptions(limit=2, resamples=2)
    rows = [
        (f"the storm hit {name} hard", f"the storm hit {name}", "1") for name in ("towns", "boats", "farms")
    ] + SHORT
    assert counts(tmp_path, few, rows) == counts(tmp_path, few, rows[::-1])
    (corpus,) = corpus_phenomena([written(tmp_path / "all.tsv", rows)], few, aligner=LEXICAL).corpora
    assert (corpus.pairs, corpus.of) == (2, 5)


def test_published_corpora_stand_beside_what_people_counted(tmp_path: Path) -> None:
    folder = tmp_path / "twitter_url" / "tokenized_train"
    folder.mkdir(parents=True)
    for name, column in (("a.toks", 0), ("b.toks", 1), ("sim.txt", 2)):
        (folder / name).write_text("".join(f"{row[column]}\n" for row in SHORT), encoding="utf-8")
    options = PhenomenaOptions(data=tmp_path, corpora=("twitter-url",), resamples=2)
    table = corpus_phenomena([written(tmp_path / "news.tsv", NEWS)], options, aligner=LEXICAL)
    assert [corpus.title for corpus in table.corpora] == ["Twitter-URL", "news"]
    assert table.reference == "twitter-url"
    assert table.of("twitter-url", "elaboration").paper == 0.79
    assert table.of("news", "elaboration").paper is None
    assert "people, of 100 pairs" in table.as_text()


def test_a_table_is_told_as_json_text_and_markdown(tmp_path: Path) -> None:
    table = corpus_phenomena([written(tmp_path / "news.tsv", NEWS)], QUICK, aligner=LEXICAL)
    told = json.loads(json.dumps(table.as_json()))
    assert told["metrics"]["news/spelling"] == 0.5
    assert set(told["metrics"]) == set(told["signature"])
    assert told["corpora"][0]["kinds"][1]["examples"][0]["left_words"] == "U.S."
    assert "spelling: U.S. → US" in table.as_text()
    assert "| spelling | 0.50 [" in table.as_markdown()
    assert "people, of 100 pairs" not in table.as_text()


WRONG = [
    ((), QUICK, "There is no corpus to count"),
    (("a.tsv", "sub/a.tsv"), QUICK, "Two corpora are called a"),
    (("a.tsv",), PhenomenaOptions(reference="b"), "--reference b is none of the corpora: a"),
    (("none.tsv",), QUICK, "has no paraphrase of two texts"),
]


@pytest.mark.parametrize(("files", "options", "message"), WRONG)
def test_what_cannot_be_counted_is_an_error(
    files: tuple[str, ...], options: PhenomenaOptions, message: str, tmp_path: Path
) -> None:
    (tmp_path / "sub").mkdir()
    for name in ("a.tsv", "sub/a.tsv"):
        written(tmp_path / name, NEWS)
    written(tmp_path / "none.tsv", [NEWS[-1]])
    with pytest.raises(InputError, match=message):
        corpus_phenomena([tmp_path / name for name in files], options, aligner=LEXICAL)


def test_an_aligner_that_would_have_to_learn_first_is_refused(tmp_path: Path) -> None:
    file = written(tmp_path / "a.tsv", NEWS)
    for name, told in (("statistical", "give --settings folder=DIR"), ("eflomal", "choose another one")):
        with pytest.raises(InputError, match=f"{name} has to learn from pairs first: {told}"):
            corpus_phenomena([file], QUICK, aligner=AlignerOptions(aligner=name))
    with pytest.raises(InputError, match="no aligner 'magic'"):
        corpus_phenomena([file], QUICK, aligner=AlignerOptions(aligner="magic"))


def test_labels_that_say_nothing_of_paraphrases_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "nli.tsv"
    rows = "It rains.\tRain falls.\tentailment\nIt rains.\tIt is dry.\tcontradiction\n"
    file.write_text(f"left\tright\tlabel\n{rows}", encoding="utf-8")
    with pytest.raises(InputError, match="nli has labels that say neither yes or no nor a grade"):
        corpus_phenomena([file], QUICK, aligner=LEXICAL)


def test_options_that_make_no_sense_are_refused() -> None:
    with pytest.raises(InputError, match="--corpora names published corpora"):
        PhenomenaOptions(corpora=("msrp",))
    with pytest.raises(InputError, match="--limit -1"):
        PhenomenaOptions(limit=-1)
    with pytest.raises(InputError, match="--names-from"):
        PhenomenaOptions(names_from=("msrp",))


MARKS = [
    (Mark("lex_same_polarity", frozenset({2}), frozenset({2})), "synonym"),
    (Mark("lex_same_polarity", frozenset({2}), frozenset({2, 3})), "phrasal"),
    (Mark("lex_spelling", frozenset({2}), frozenset({2})), "spelling"),
    (Mark("order", frozenset({1, 2}), frozenset({1, 2})), "reordering"),
]


@pytest.mark.parametrize(("mark", "kind"), MARKS)
def test_what_people_marked_is_read_as_a_phenomenon(mark: Mark, kind: str) -> None:
    found = marked_phenomena(AnnotatedPair("the storm struck here", "the storm beat down here", (mark,)))
    assert kind in [one.kind for one in found]


def test_content_without_a_mark_is_an_elaboration_on_either_side() -> None:
    mark = Mark("identical", frozenset({0, 2}), frozenset({0, 1}))
    found = marked_phenomena(AnnotatedPair("the old storm", "the storm , police said", (mark,)))
    assert [(one.kind, one.left, one.right) for one in found] == [
        ("elaboration", (), (3, 4)),
        ("elaboration", (1,), ()),
    ]


def test_agreement_with_people_is_told_by_part_and_kind(tmp_path: Path) -> None:
    lines = [
        ("the U.S. coast was hit", "the US coast was hit", "1_3_4_5-1_3_4_5-identical,2-2-lex_spelling,"),
        ("the storm hit the old coast", "the storm hit the coast", "1_2_3_4_6-1_2_3_4_5-identical,"),
        ("dogs ran home fast", "dogs ran home fast", "1_2_3_4-1_2_3_4-identical,"),
    ]
    for corpus in ("MSRPA", "p4p"):
        for name, column in (("source", 0), ("reference", 1), ("alignment", 2)):
            text = "".join(f"{line[column]}\n" for line in lines)
            (tmp_path / f"{corpus}_{name}.txt").write_text(text, encoding="utf-8")
    check = check_phenomena(tmp_path, LEXICAL)
    spelling = check.of("p4p", "spelling")
    assert (spelling.pairs.annotated, spelling.pairs.found, spelling.pairs.right) == (1, 1, 1)
    assert (spelling.pairs.mcc, spelling.annotated_per_pair, spelling.correlation) == (1.0, pytest.approx(1 / 3), 1.0)
    assert check.of("p4p", "elaboration").pairs.f1 == 1.0
    assert check.of("p4p", "synonym").correlation is None
    assert json.loads(json.dumps(check.as_json()))["metrics"]["p4p/spelling/mcc"] == 1.0
    assert "| p4p | spelling | 3 | 1 | 1 |" in check.as_markdown()
    assert "held out" in check.as_text()
