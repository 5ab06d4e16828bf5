"""The table of phrases has what its definition says, in whatever order and pieces the pairs come."""

from __future__ import annotations

import json
import math
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.engine import buckets, store
from paraloom.errors import InputError, TargetTaken
from paraloom.models.aligners import read_links
from paraloom.phrases import words
from paraloom.phrases.contexts import read_context
from paraloom.phrases.options import PhraseOptions
from paraloom.tables import Phrase, check
from paraloom.workflows.phrases.extract import extract_phrases, kept_phrases
from paraloom.workflows.phrases.extract_input import AlignedPair
from paraloom.workflows.phrases.extract_summary import SUMMARY
from tests.phrases.aligned_texts import (
    Pair,
    aligned,
    counts_by_definition,
    pairs,
    said,
    spans_by_definition,
    words_by_definition,
)

Row = dict[str, Any]
few_pairs = st.lists(pairs(), min_size=1, max_size=6)
EXAMPLES = settings(max_examples=25)


def extracted(given: list[Pair], **options: Any) -> dict[tuple[str, str], Row]:
    """All rows of the table that a run makes, by their keys."""
    with tempfile.TemporaryDirectory() as folder:
        extract_phrases(aligned(given), Path(folder) / "run", PhraseOptions(**options))
        table = check(store.read_table(Path(folder) / "run", "phrases"), Phrase)
    return {(row["left"], row["right"]): row for row in table.to_pylist()}


@EXAMPLES
@given(few_pairs)
def test_counts_are_those_of_a_naive_count_and_shares_of_a_left_phrase_are_one(given: list[Pair]) -> None:
    found, expected = extracted(given), counts_by_definition(given)
    assert {key: row["count"] for key, row in found.items()} == expected
    shares: defaultdict[str, list[float]] = defaultdict(list)
    for (left, right), row in found.items():
        assert row["left_count"] == sum(count for key, count in expected.items() if key[0] == left)
        assert row["forward"] == pytest.approx(row["count"] / row["left_count"], rel=1e-5)
        assert row["score"] == pytest.approx(math.sqrt(row["forward"] * row["backward"]), rel=1e-5)
        shares[left].append(row["forward"])
        assert (row["dropped_for"] == "identical") == (left == right)
    assert all(sum(of_left) == pytest.approx(1, abs=1e-5) for of_left in shares.values())


EXCHANGED = {"forward": "backward", "lexical_forward": "lexical_backward", "left_count": "right_count"}
SHARED = ("count", "pair_count", "group_count", "score", "dropped_for")


@EXAMPLES
@given(few_pairs)
def test_every_pair_is_there_in_either_order_with_its_probabilities_exchanged(given: list[Pair]) -> None:
    found = extracted(given)
    for (left, right), row in found.items():
        other = found[right, left]
        assert [row[name] for name in SHARED] == [other[name] for name in SHARED]
        assert all(row[one] == other[two] for one, two in EXCHANGED.items())


@EXAMPLES
@given(few_pairs)
def test_pairs_and_groups_are_each_counted_once(given: list[Pair]) -> None:
    seen: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
    for number, (left, right, links) in enumerate(given):
        for start, end, first, stop in spans_by_definition(len(left), len(right), links, 7, extended=False):
            one, other = " ".join(left[start:end]).lower(), " ".join(right[first:stop]).lower()
            seen[one, other].add(number)
            seen[other, one].add(number)
    for key, row in extracted(given).items():
        assert row["pair_count"] == len(seen[key])
        assert row["group_count"] == len({number % 2 for number in seen[key]})


@EXAMPLES
@given(few_pairs)
def test_lexical_weights_are_those_of_the_words_inside(given: list[Pair]) -> None:
    probabilities = words_by_definition(given)
    for (left, right), row in extracted(given).items():
        given_words, links = left.split(), read_links(row["links"])
        weight = 1.0
        for place, word in enumerate(right.split()):
            linked: list[str | None] = [given_words[i] for i, j in links if j == place] or [None]
            weight *= sum(probabilities[one, word] for one in linked) / len(linked)
        assert row["lexical_forward"] == pytest.approx(weight, rel=1e-4)


def test_links_inside_a_pair_are_the_most_frequent_ones() -> None:
    straight, crossed = ((0, 0), (1, 1)), ((0, 1), (1, 0))
    given = [said("so it goes", "thus things go", links) for links in (straight, crossed, crossed)]
    assert extracted(given)["so it", "thus things"]["links"] == "0-1 1-0"


@EXAMPLES
@given(few_pairs, st.randoms(use_true_random=False))
def test_the_order_of_the_input_does_not_show(given: list[Pair], random: Any) -> None:
    everything = aligned(given)
    shuffled = random.sample(everything, len(everything))
    with tempfile.TemporaryDirectory() as folder:
        runs = [Path(folder) / name for name in ("one", "other")]
        for run, some in zip(runs, (everything, shuffled), strict=True):
            extract_phrases(some, run, PhraseOptions(contexts=1))
        files = [[file.read_bytes() for file in store.part_files(run, "phrases")] for run in runs]
    assert files[0] == files[1]


def test_contexts_are_where_the_left_phrase_stood_and_the_rest_is_chosen_by_hash(tmp_path: Path) -> None:
    given = [
        AlignedPair(f"on day {number} it hit us all".split(), f"day {number} it struck us".split(), ((3, 2), (4, 3)))
        for number in range(9)
    ]
    summary = extract_phrases(given, tmp_path, PhraseOptions(contexts=4))
    row = next(row for row in kept_phrases(tmp_path) if (row.left, row.right) == ("hit", "struck"))
    contexts = [read_context(written) for written in row.contexts or ()]
    assert len({context[:2] for context in contexts}) == len(contexts) == 4
    texts = {rows["pair_id"]: rows["left"] for rows in store.read_table(tmp_path, "alignments").to_pylist()}
    assert all(context.around("hit") in texts[context.pair_id] for context in contexts)
    assert {context.after for context in contexts} == {"us all"}
    assert summary.kept == 1


def test_places_with_the_same_words_around_are_one_context(tmp_path: Path) -> None:
    given = [AlignedPair(["it", "hit", str(n)], ["it", "struck", str(n)], ((1, 1),), f"p{n % 2}") for n in (1, 1, 2)]
    extract_phrases(given, tmp_path)
    row = next(iter(kept_phrases(tmp_path)))
    assert sorted(read_context(written)[:2] for written in row.contexts or ()) == [("it", "1"), ("it", "2")]


@EXAMPLES
@given(few_pairs)
def test_with_kneser_neys_discount_all_phrases_given_one_are_sure_together(given: list[Pair]) -> None:
    found = extracted(given, smoothing="kneser-ney")
    partners = Counter(left for left, _ in found)
    of_two = [row["count"] for (left, right), row in found.items() if left != right]
    once, twice = of_two.count(1), of_two.count(2)
    discount = once / (once + 2 * twice) if once else 0.0
    for left in partners:
        rows = {right: row for (one, right), row in found.items() if one == left}
        spread = discount * len(rows) / next(iter(rows.values()))["left_count"]
        unseen = sum(spread * partners[right] / len(found) for right in partners if right not in rows)
        assert sum(row["forward"] for row in rows.values()) + unseen == pytest.approx(1, abs=1e-4)


def test_pairs_that_are_seen_too_seldom_are_left_out_and_stay_in_the_table() -> None:
    given: list[Pair] = [(["storm"], ["gale"], ((0, 0),)), (["storm"], ["gale"], ((0, 0),))]
    found = extracted([*given, (["hit"], ["struck"], ((0, 0),))], min_pairs=2)
    assert (found["storm", "gale"]["dropped_for"], found["hit", "struck"]["dropped_for"]) == (None, "too_rare")


def test_a_lexicon_that_is_given_weighs_words_instead_of_the_links(tmp_path: Path) -> None:
    lexicon = tmp_path / "lexicon.tsv"
    lexicon.write_text("left\tright\tforward\tbackward\nHit\tstruck\t0.25\t0.5\n")
    row = extracted([(["hit"], ["struck"], ((0, 0),)), (["hit"], ["met"], ((0, 0),))], lexicon=lexicon)
    assert (row["hit", "struck"]["lexical_forward"], row["hit", "struck"]["lexical_backward"]) == (0.25, 0.5)
    assert row["hit", "met"]["lexical_forward"] == words.LEAST
    for wrong in ("much", "1.5", "-2", "nan"):
        lexicon.write_text(f"left\tright\tforward\nhit\tstruck\t{wrong}\n")
        with pytest.raises(InputError, match="a probability must be from 0 to 1"):
            extracted([(["hit"], ["struck"], ((0, 0),))], lexicon=lexicon)


def test_a_lexicon_too_large_for_memory_is_read_part_by_part(monkeypatch: pytest.MonkeyPatch) -> None:
    given = [said("the storm hit us", "a gale struck us", tuple((place, place) for place in range(4)))]
    before = extracted(given)
    monkeypatch.setattr(words, "HELD", 0)
    assert extracted(given) == before


LINES = [
    {"left": "the storm hit", "right": "the storm struck", "alignment": "0-0 1-1 2-2"},
    {"left": "mr trump spoke", "right": "DJT spoke", "alignment": "0-0 1-0 2-1", "pair_id": 3, "group_id": "g"},
]


def write_lines(file: Path, lines: list[Row]) -> None:
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")


def test_files_folders_and_parquet_are_read_alike(tmp_path: Path) -> None:
    folder = tmp_path / "aligned"
    folder.mkdir()
    write_lines(folder / "0.jsonl", LINES[:1])
    write_lines(folder / "1.jsonl", LINES[1:])
    pq.write_table(
        pa.Table.from_pylist([{"pair_id": None, **line, "left": line["left"].split()} for line in LINES]),
        tmp_path / "aligned.parquet",
    )
    runs = {}
    for name, what in {
        "folder": folder,
        "files": sorted(folder.iterdir()),
        "one": tmp_path / "aligned.parquet",
    }.items():
        extract_phrases(what, tmp_path / name)
        runs[name] = store.read_table(tmp_path / name, "phrases").drop_columns(["contexts"]).to_pylist()
    assert runs["folder"] == runs["files"] == runs["one"]
    assert [row["right"] for row in runs["one"] if row["left"] == "djt"] == ["mr trump"]


def test_bad_rows_are_counted_with_their_reasons(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    write_lines(file, [*LINES, {**LINES[0], "alignment": "0-9"}, {**LINES[0], "left": ""}, {**LINES[0], "right": ""}])
    with file.open("a") as opened:
        opened.write('{"left": "the sto\n')
    found = extract_phrases(file, tmp_path / "run")
    assert (found.sentence_pairs, sum(found.bad_rows.values())) == (2, 4)
    assert found.bad_rows["bad_row: a link leads to no token"] == found.bad_rows["bad_row: broken JSON"] == 1
    dropped = store.read_table(tmp_path / "run", "alignments").column("dropped_for").to_pylist()
    assert Counter(filter(None, dropped)) == found.bad_rows


def test_the_summary_counts_each_phrase_pair_once_and_is_written_beside_the_tables(tmp_path: Path) -> None:
    found = extract_phrases(aligned([said("the storm hit", "the storm struck", ((0, 0), (1, 1), (2, 2)))]), tmp_path)
    assert found.extracted == 6
    assert found.dropped_for == {"identical": 3, "shared_edges": 1}
    assert (found.kept, found.occurrences) == (2, 6)
    assert json.loads((tmp_path / SUMMARY).read_text()) == found.as_json()
    assert found.as_text().splitlines() == [
        "1 aligned pair",
        "6 phrase pairs, met 6 times",
        "3 left out for identical",
        "1 left out for shared_edges",
        "2 kept",
    ]


NOTHING: list[tuple[Callable[[Path], Any], str]] = [
    (lambda folder: [], "There are no aligned pairs"),
    (lambda folder: folder / "empty.jsonl", r"There are no aligned pairs in .*empty\.jsonl"),
    (lambda folder: folder / "blank.jsonl", r"No aligned pair can be used \(there were no rows\)"),
    (lambda folder: folder / "bad.jsonl", r"No aligned pair can be used \(1 for bad_row: broken JSON\)"),
    (lambda folder: folder / "text.txt", "holds neither JSON nor Parquet"),
    (lambda folder: folder / "absent.jsonl", "There is no file"),
    (lambda folder: [AlignedPair(["a"], ["b"], ()), "a.jsonl"], "Give either files or pairs"),
    (lambda folder: [AlignedPair(["\ud800"], ["b"], ())], "cannot be written down"),
]


@pytest.mark.parametrize(("what", "words"), NOTHING)
def test_what_holds_no_pairs_is_refused_in_words(what: Callable[[Path], Any], words: str, tmp_path: Path) -> None:
    for name, text in {"empty.jsonl": "", "blank.jsonl": "\n\n", "bad.jsonl": "{", "text.txt": "a b\n"}.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=words):
        extract_phrases(what(tmp_path), tmp_path / "run")
    assert not (tmp_path / "run" / "phrases").exists()


@pytest.mark.parametrize("options", [{"max_words": 8}, {"contexts": -1}, {"min_pairs": 0}])
def test_options_that_cannot_be_are_refused(options: Row, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"max_words is 8|They begin at"):
        extract_phrases(aligned([(["a"], ["b"], ((0, 0),))]), tmp_path / "run", PhraseOptions(**options))


def test_the_same_again_makes_nothing_and_another_way_is_refused(tmp_path: Path) -> None:
    given = aligned([(["hit"], ["struck"], ((0, 0),))])
    first = extract_phrases(given, tmp_path)
    before = {file: file.stat().st_mtime_ns for file in store.part_files(tmp_path, "phrases")}
    assert extract_phrases(given, tmp_path) == first
    assert {file: file.stat().st_mtime_ns for file in before} == before
    with pytest.raises(TargetTaken, match=r"options\.min_pairs"):
        extract_phrases(given, tmp_path, PhraseOptions(min_pairs=2))
    with pytest.raises(TargetTaken, match="holds other pairs"):
        extract_phrases(given * 2, tmp_path)


def test_in_many_buckets_there_are_the_same_rows_as_in_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    kinds = ("storm", "gale", "fire", "flood", "bad day", "add on")
    given = [
        (f"a {one} hit {number}".split(), f"the {other} hit us".split(), ((0, 0), (1, 1), (2, 2)))
        for number, (one, other) in enumerate((one, other) for one in kinds for other in kinds)
    ]
    extract_phrases(aligned(given), tmp_path / "one")
    monkeypatch.setattr(buckets, "BYTES_PER_BUCKET", 2048)
    extract_phrases(aligned(given), tmp_path / "many")
    assert len(store.part_files(tmp_path / "many", "phrases")) > 8
    whole = [
        store.read_table(tmp_path / name, "phrases").sort_by([("left", "ascending"), ("right", "ascending")])
        for name in ("one", "many")
    ]
    assert whole[0] == whole[1]
    assert {row["right"] for row in store.find_rows(tmp_path / "many", "phrases", "bad")} > {"bad", "add"}


def test_cut_into_small_batches_they_are_counted_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    given = [said("the storm hit us", f"a gale struck {one}", ((1, 1), (2, 2))) for one in ("us", "them", "us", "it")]
    before = extracted(given)
    monkeypatch.setattr("paraloom.phrases.extracted.PAIRS_AT_ONCE", 1)
    assert extracted(given) == before
    assert before["storm hit", "gale struck"]["pair_count"] == 4
    assert before["storm hit", "gale struck"]["group_count"] == 2
