"""A parallel corpus becomes pairs: every row is there, in order, kept or left out for a reason."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from paraloom.errors import InputError
from paraloom.models.generators import Candidate, streams
from paraloom.models.generators.decoding_options import Decoding
from paraloom.models.generators.parallel_rows import ParallelRow, read_parallel
from paraloom.models.generators.transformers_lm import TransformersGenerator
from paraloom.models.generators.transformers_options import TransformersOptions
from paraloom.models.generators.translated_corpus import (
    ROWS_AT_ONCE,
    translate_corpus,
    trigram_overlap,
)
from paraloom.models.generators.translation_options import TranslatedCorpusOptions
from tests.models.generators.tiny_language_models import make_tiny

LEFT = "a heavy storm hit the coast on monday"


class Dictionary:
    """A translator by a list; it notes what it was asked."""

    name = signature = "dictionary"

    def __init__(self, said: dict[str, list[tuple[str, float]]]) -> None:
        self.said = said
        self.asked: list[str] = []

    def generate(self, sources, n, rng) -> list[list[Candidate]]:
        streams(sources, rng)
        self.asked += sources
        return [[Candidate(text=text, score=score) for text, score in self.said[source][:n]] for source in sources]


WHY = [
    (LEFT, "on monday the shore was struck by a big storm", -0.5, None),
    (LEFT, "A heavy storm hit the coast, on Monday!", -0.5, "copy"),
    (LEFT, "a heavy storm hit the coast on tuesday", -0.5, "overlaps"),
    (LEFT, "storm on monday", -0.5, "too_short"),
    (LEFT, "word " * 41, -0.5, "too_long"),
    (LEFT, "people who live by the sea say that there was bad weather once more", -0.5, None),
    (LEFT, "people who live by the sea say that there was very bad weather once more", -0.5, "lengths_differ"),
    (LEFT, "on monday the shore was struck by a big storm", -2.5, "poor_translation"),
    ("too few words", "on monday the shore was struck by a big storm", -0.5, "too_short"),
    ("word " * 41, "on monday the shore was struck by a big storm", -0.5, "too_long"),
]


@pytest.mark.parametrize(("left", "right", "score", "reason"), WHY)
def test_a_pair_is_kept_or_left_out_for_a_reason(left: str, right: str, score: float, reason: str | None) -> None:
    translator = Dictionary({"phrase": [(right, score)]})
    (pair,) = translate_corpus([ParallelRow(text=left, foreign="phrase")], translator)
    assert pair.dropped_for == reason
    assert (pair.left, pair.foreign) == (left, "phrase")


def test_rows_that_are_left_out_already_are_not_translated() -> None:
    translator = Dictionary({"a": [("on monday the shore was struck by a big storm", -0.5)], "empty": []})
    rows = [
        ParallelRow(text="short", foreign="b"),
        ParallelRow(text="", foreign="c", dropped_for="bad_row: an empty side"),
        ParallelRow(text=LEFT, foreign="a"),
        ParallelRow(text=LEFT, foreign="empty"),
        ParallelRow(text=LEFT, foreign="a"),
    ]
    pairs = list(translate_corpus(rows, translator))
    assert [pair.dropped_for for pair in pairs] == ["too_short", "bad_row: an empty side", None, "not_translated", None]
    assert translator.asked == ["a", "empty"]
    assert [pair.right for pair in pairs[:2]] == ["", ""]


def test_several_translations_make_several_pairs() -> None:
    said = [("on monday the shore was struck by a big storm", -0.5), ("the coast was hit by heavy weather", -0.7)]
    options = TranslatedCorpusOptions(translations=2)
    pairs = list(translate_corpus([ParallelRow(text=LEFT, foreign="a")], Dictionary({"a": said}), options))
    assert [(pair.right, pair.score) for pair in pairs] == said


def test_a_model_translates_a_row_the_same_however_many_are_before_it(tmp_path: Path) -> None:
    folder = make_tiny("marian", tmp_path / "opus-mt-fr-en")
    translator = TransformersGenerator(
        folder, TransformersOptions(device="cpu"), Decoding(method="sample", longest=1.0)
    )
    options = TranslatedCorpusOptions(fewest_words=0, most_words=400)
    row = ParallelRow(text=LEFT, foreign="une tempête a frappé la côte")
    short = [ParallelRow(text=f"a {number}", foreign="le vote") for number in range(ROWS_AT_ONCE)]
    (alone,) = translate_corpus([row], translator, options)
    *_, last = translate_corpus([*short, row], translator, options)
    assert alone == last
    assert alone.right
    assert alone.score < 0


OVERLAPS = [
    ("a storm hit us", "a storm hit us", 1.0),
    ("a storm hit us", "A storm hit us badly today", 1.0),
    ("a storm hit us", "a storm hit them", 0.5),
    ("a storm", "a storm", 0.0),
    ("", "a storm hit us", 0.0),
]


@pytest.mark.parametrize(("left", "right", "overlap"), OVERLAPS)
def test_trigrams_overlap(left: str, right: str, overlap: float) -> None:
    assert trigram_overlap(left, right) == trigram_overlap(right, left) == overlap


def test_columns_of_a_file_are_rows(tmp_path: Path) -> None:
    file = tmp_path / "corpus.tsv"
    file.write_bytes(b"id\tun\tone\r\nx\tdeux\n\n\tquatre\t \ny\t" + b"\xff\tsix\n" + "z\tsept\tse\u2028ven".encode())
    rows = list(read_parallel(file, columns=(3, 2)))
    assert [(row.text, row.foreign, row.dropped_for) for row in rows] == [
        ("one", "un", None),
        ("", "deux", "bad_row: too few columns"),
        ("", "", "bad_row: too few columns"),
        (" ", "quatre", "bad_row: an empty side"),
        ("six", "\ufffd", "bad_row: not UTF-8"),
        ("se\u2028ven", "sept", None),
    ]


def test_lines_of_two_files_are_rows(tmp_path: Path) -> None:
    english, french = tmp_path / "c.en", tmp_path / "c.fr.gz"
    english.write_text("one\ntwo\tand\n", encoding="utf-8")
    french.write_bytes(gzip.compress(b"un\ndeux\n"))
    assert [(row.text, row.foreign) for row in read_parallel(english, french)] == [("one", "un"), ("two\tand", "deux")]


def test_files_of_different_length_are_refused(tmp_path: Path) -> None:
    english, french = tmp_path / "c.en", tmp_path / "c.fr"
    english.write_text("one\ntwo\n")
    french.write_text("un\n")
    with pytest.raises(InputError, match=r"c\.fr ends before line 2"):
        list(read_parallel(english, french))


def test_the_mark_that_some_programs_begin_a_file_with_is_no_part_of_the_first_text(tmp_path: Path) -> None:
    (tmp_path / "corpus.tsv").write_text("one\tun\n", encoding="utf-8-sig")
    assert [row.text for row in read_parallel(tmp_path / "corpus.tsv")] == ["one"]


@pytest.mark.parametrize("name", ["missing.tsv", "broken.gz", "damaged.gz"])
def test_a_file_that_cannot_be_read_is_told(tmp_path: Path, name: str) -> None:
    (tmp_path / "broken.gz").write_bytes(b"no gzip")
    packed = gzip.compress(b"one\tun\n")
    (tmp_path / "damaged.gz").write_bytes(packed[:10] + b"\xff" * 8 + packed[18:])
    with pytest.raises(InputError, match=f"{name} cannot be read"):
        list(read_parallel(tmp_path / name))


REFUSED = [{"translations": 0}, {"fewest_words": 9, "most_words": 8}, {"length_ratio": 0.5}, {"most_overlap": 2.0}]


@pytest.mark.parametrize("options", REFUSED)
def test_options_that_cannot_be_are_refused(options) -> None:
    with pytest.raises(InputError, match="Choose other"):
        TranslatedCorpusOptions(**options)
