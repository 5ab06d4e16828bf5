"""Files of whole documents become pairs of documents, and pairs of what both say, each in its exact place."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from paraloom.corpus.options import CorpusOptions
from paraloom.engine import store
from paraloom.errors import InputError, TargetTaken
from paraloom.groups.aligned_groups import OTHER_PART, OTHER_ROUND
from paraloom.groups.alignment_options import AlignmentOptions
from paraloom.groups.part_options import PartOptions
from paraloom.judgments.exchange.run_items import rows_of_run
from paraloom.judgments.tasks import task_named
from paraloom.labels.options import LabelOptions
from paraloom.reports.alignment_counts import count_documents
from paraloom.workflows.align.align import align
from paraloom.workflows.align.grid import make_grid
from paraloom.workflows.align.options import AlignOptions
from paraloom.workflows.explain import explain_pair

QUICK = AlignOptions(labels=LabelOptions(identifier="ngram-regression"), alignment=AlignmentOptions(least_alike=0.1))
"""The texts are short and few: what is common among them is not what is common in a language."""


@pytest.fixture(scope="module")
def run(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("aligned") / "run"
    align([sources], out, QUICK)
    return out


def rows(run: Path, table: str) -> list[dict[str, Any]]:
    return store.read_table(run, table).to_pylist()


def documents(run: Path) -> dict[str, dict[str, Any]]:
    return {row["document_id"]: row for row in rows(run, "documents")}


def kept_pairs(run: Path) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows(run, "groups"):
        if row["dropped_for"] is None:
            found.setdefault(row["group_id"], []).append(row)
    return found


def test_every_file_is_a_document_of_its_kind(run: Path) -> None:
    found = documents(run).values()
    assert Counter(row["kind"] for row in found) == {"subtitle": 4, "article": 6, "thread": 3, "translation": 3}
    assert not [row["dropped_for"] for row in found if row["dropped_for"] is not None]
    assert {row["work"] for row in found if row["kind"] == "subtitle"} == {"The Harbour", "The Mill"}


def test_captions_stand_where_they_are_said_to(run: Path) -> None:
    texts = documents(run)
    cues = rows(run, "cues")
    assert len(cues) == 4 * 96
    for cue in cues:
        assert texts[cue["document_id"]]["text"][cue["start"] : cue["end"]] == cue["text"]


def test_pairs_are_of_one_work_event_or_thread(run: Path) -> None:
    texts = documents(run)
    pairs = kept_pairs(run)
    told = Counter()
    for both in pairs.values():
        left, right = (texts[row["document_id"]] for row in both)
        assert left["kind"] == right["kind"]
        told[left["kind"]] += 1
        if left["kind"] != "article":
            assert left["work"] == right["work"]
    assert told == {"subtitle": 2, "article": 2, "thread": 1, "translation": 3}
    titles = {frozenset(texts[row["document_id"]]["title"] for row in both) for both in pairs.values()}
    assert {"Riverside wins the cup", "After forty years: a cup for Riverside"} in titles


def test_a_film_is_cut_into_parts_of_which_one_is_read(run: Path) -> None:
    texts = documents(run)
    films = [row for row in rows(run, "groups") if texts[row["document_id"]]["kind"] == "subtitle"]
    assert {row["dropped_for"] for row in films} == {None, OTHER_PART}
    cues: dict[str, list[dict[str, Any]]] = {}
    for cue in rows(run, "cues"):
        cues.setdefault(cue["document_id"], []).append(cue)
    for both in kept_pairs(run).values():
        if texts[both[0]["document_id"]]["kind"] != "subtitle":
            continue
        inside = []
        for row in both:
            ordered = sorted(cues[row["document_id"]], key=lambda cue: cue["start"])
            there = [n for n, cue in enumerate(ordered) if row["start"] <= cue["start"] and cue["end"] <= row["end"]]
            inside.append(set(there))
        assert len(inside[0] ^ inside[1]) <= 2, "the nth caption of one version is the nth of the other"
        assert len(inside[0]) > 20


def test_what_is_suggested_stands_in_the_part_that_is_meant_and_is_right(run: Path) -> None:
    texts = documents(run)
    meant = {(row["group_id"], row["document_id"]): row for row in rows(run, "groups")}
    segments = [row for row in rows(run, "segments") if row["dropped_for"] is None]
    assert len(segments) > 20
    for row in segments:
        for side in ("left", "right"):
            part = meant[row["group_id"], row[f"{side}_document_id"]]
            text = texts[row[f"{side}_document_id"]]["text"]
            assert (part["start"] or 0) <= row[f"{side}_start"] < row[f"{side}_end"] <= (part["end"] or len(text))
    storm = [
        (texts[row["left_document_id"]]["text"][row["left_start"] : row["left_end"]], row["shape"])
        for row in segments
        if "Trains will not run" in texts[row["left_document_id"]]["text"]
    ]
    assert ("Trains will not run before Monday.", "1-1") in storm
    assert "heading" in {shape for _, shape in storm}


def test_sentences_and_pairs_are_the_segments_with_single_blanks(run: Path) -> None:
    texts = documents(run)
    for row in rows(run, "sentences"):
        assert row["text"] == " ".join(texts[row["document_id"]]["text"][row["start"] : row["end"]].split())
    sentences = {row["sentence_id"]: row["text"] for row in rows(run, "sentences")}
    pairs = rows(run, "pairs")
    assert len(pairs) == len(rows(run, "segments"))
    assert all((sentences[row["left_id"]], sentences[row["right_id"]]) == (row["left"], row["right"]) for row in pairs)


def test_the_corpus_has_its_context_and_works_are_not_torn_apart(run: Path) -> None:
    texts = documents(run)
    written = [json.loads(line) for line in (run / "corpus.jsonl").read_text("utf-8").splitlines()]
    assert written
    split_of: dict[str, set[str]] = {}
    for row in written:
        for side in ("left", "right"):
            context = row["context"]
            document = texts[context[f"{side}_document_id"]]
            found = document["text"][context[f"{side}_start"] : context[f"{side}_end"]]
            assert " ".join(found.split()) == row[side]
            split_of.setdefault(document["work"] or document["document_id"], set()).add(row["split"])
    assert all(len(splits) == 1 for splits in split_of.values())


def test_the_report_tells_what_each_kind_gives(run: Path) -> None:
    summary = json.loads((run / "summary.json").read_text("utf-8"))
    assert {row["kind"] for row in summary["extraction"]} == {"subtitle", "article", "thread", "translation"}
    assert summary["documents"]["without_date"] == 1
    page = (run / "report.html").read_text("utf-8")
    assert "What each kind of source gives" in page
    assert "<svg" in page


def test_a_pair_is_explained_between_the_lines_of_its_documents(run: Path) -> None:
    film = next(row for row in rows(run, "segments") if row["suggested_by"].startswith("in-order"))
    pair = next(row for row in rows(run, "pairs") if row["group_id"] == film["group_id"])
    told = explain_pair(run, pair["pair_id"], around=2)
    assert told.segments
    text = told.as_text()
    assert "suggested as" in text
    assert "    > " in text
    assert "    | " in text
    assert "None" not in text
    assert "unknown" not in text
    for side in ("left", "right"):
        assert told.captions[side]
        for caption in told.captions[side]:
            assert any(word in told.pair[side] for word in caption["text"].split())
    assert text.count("  on the screen 0:") == 2


def test_what_is_not_known_of_an_article_is_not_shown(run: Path) -> None:
    groups = {row["group_id"]: row["key"] for row in rows(run, "groups")}
    pair = next(row for row in rows(run, "pairs") if " / " in groups[row["group_id"]])
    told = explain_pair(run, pair["pair_id"])
    assert told.captions == {"left": [], "right": []}
    assert "None" not in told.as_text()
    assert "on the screen" not in told.as_text()


def test_people_are_given_the_documents_with_what_was_suggested(run: Path) -> None:
    pairs = kept_pairs(run)
    for task in ("match", "extract", "grade"):
        found = list(rows_of_run(run, task))
        assert found
        for row in found:
            task_named(task).read_content(row.item.content)  # type: ignore[union-attr]
        if task != "grade":
            assert {row.item.item_id for row in found} == set(pairs)  # type: ignore[union-attr]
    extract = task_named("extract")
    texts = documents(run)
    for row in rows_of_run(run, "extract"):
        content = extract.read_content(row.item.content)  # type: ignore[union-attr]
        origin = row.item.origin  # type: ignore[union-attr]
        start = origin["left_part_start"]
        whole = texts[origin["left_document_id"]]["text"]
        assert whole[start : start + len(content.left.text)] == content.left.text


def test_the_same_command_again_makes_nothing_anew_and_another_is_refused(sources: Path, run: Path) -> None:
    before = {file: file.stat().st_mtime_ns for file in run.rglob("*.parquet")}
    align([sources], run, QUICK)
    assert before == {file: file.stat().st_mtime_ns for file in run.rglob("*.parquet")}
    with pytest.raises(TargetTaken):
        align([sources], run, AlignOptions(labels=QUICK.labels))


def test_a_second_round_reads_other_parts_of_the_most_fruitful_films(sources: Path, run: Path, tmp_path: Path) -> None:
    yields = tmp_path / "yields.csv"
    yields.write_text("work,pairs\nThe Mill,12\nThe Harbour,3\n", encoding="utf-8")
    parts = PartOptions(round=2, yields=yields, most_works=1)
    options = AlignOptions(labels=QUICK.labels, alignment=QUICK.alignment, parts=parts)
    align([sources], tmp_path / "second", options, until="groups")
    second = kept_pairs(tmp_path / "second")
    assert {row["key"] for both in second.values() for row in both} == {"The Mill"}
    assert not second.keys() & kept_pairs(run).keys()
    reasons = {row["dropped_for"] for row in rows(tmp_path / "second", "groups")}
    assert OTHER_ROUND in reasons


def test_the_grid_tells_how_many_pairs_lie_in_which_band(sources: Path, tmp_path: Path) -> None:
    grid = make_grid([sources], tmp_path, QUICK)
    assert {cell.kind for cell in grid.cells} == {"subtitle", "article", "thread", "translation"}
    assert sum(cell.pairs for cell in grid.cells if cell.kind == "translation") == 3
    text = grid.as_text()
    assert "--least-alike" in text
    assert "Riverside wins the cup" in text
    assert not (tmp_path / "groups").exists(), "the run itself can still be made"


def test_what_cannot_be_is_said_before_anything_is_made(sources: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--least-alike"):
        align([sources], tmp_path / "run", AlignOptions(alignment=AlignmentOptions(least_alike=0.9, most_alike=0.2)))
    with pytest.raises(InputError, match="--window-days"):
        align([sources], tmp_path / "run", AlignOptions(alignment=AlignmentOptions(window_days=-1)))
    assert not (tmp_path / "run").exists()


def test_files_that_are_no_documents_are_told_and_counted(tmp_path: Path) -> None:
    folder = tmp_path / "odd" / "film"
    folder.mkdir(parents=True)
    (folder / "empty.srt").write_bytes(b"")
    (folder / "noise.srt").write_bytes(bytes(range(256)) * 50)
    (folder / "long.txt").write_bytes(b"word " * 2_100_000)
    (folder / "other.xml").write_text("<catalogue><book/></catalogue>")
    made = align([tmp_path / "odd"], tmp_path / "run", QUICK)
    reasons = {row["file"]: row["dropped_for"] for row in rows(tmp_path / "run", "documents")}
    assert all(reason and reason.startswith("bad_row: ") for reason in reasons.values()), reasons
    assert set(reasons) == {"film/empty.srt", "film/noise.srt", "film/long.txt", "film/other.xml"}
    assert any("4 of 4 documents could not be read" in told for told in made.told)


def plain_texts(folder: Path, *names: str) -> None:
    """Plain texts that tell the same, each in its own words."""
    for name, text in zip(names, (ORIGINAL * 2), strict=False):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


ORIGINAL = (
    "Two brothers founded the firm in 1911. It built forty bicycles in the first year.",
    "It was in 1911 that two brothers set up the business. The first year saw forty bicycles made.",
)


def test_folders_of_one_name_in_different_places_are_different_works(tmp_path: Path) -> None:
    plain_texts(tmp_path / "courses", "first/one/a.txt", "first/one/b.txt", "second/one/c.txt")
    align([tmp_path / "courses"], tmp_path / "run", QUICK, until="groups")
    assert {row["work"] for row in documents(tmp_path / "run").values()} == {"first/one", "second/one"}
    assert len(kept_pairs(tmp_path / "run")) == 1


def test_works_do_not_depend_on_the_order_in_which_nested_folders_are_named(tmp_path: Path) -> None:
    plain_texts(tmp_path / "courses", "first/one/a.txt", "first/one/b.txt")
    named = [tmp_path / "courses", tmp_path / "courses" / "first"]
    for number, given in enumerate((named, named[::-1])):
        align(given, tmp_path / f"run{number}", QUICK, until="groups")
        assert {row["work"] for row in documents(tmp_path / f"run{number}").values()} == {"first/one"}


def test_files_with_the_same_bytes_that_are_no_documents_count_each(tmp_path: Path) -> None:
    plain_texts(tmp_path / "films", "storm/empty.srt", "storm/blank.srt")
    for name in ("empty", "blank"):
        (tmp_path / "films" / "storm" / f"{name}.srt").write_bytes(b"")
    align([tmp_path / "films"], tmp_path / "run", QUICK, until="groups")
    assert [(one.name, one.count) for one in count_documents(tmp_path / "run").dropped] == [("bad_row: no text", 2)]


def test_a_subtitle_file_that_was_cut_off_counts_as_one(tmp_path: Path) -> None:
    (tmp_path / "cut.srt.gz").write_bytes(gzip.compress(b"1\n00:00:01,000 --> 00:00:02,000\nStop.\n")[:-12])
    align([tmp_path / "cut.srt.gz"], tmp_path / "run", QUICK, until="groups")
    (only,) = documents(tmp_path / "run").values()
    assert (only["kind"], only["dropped_for"]) == ("subtitle", "bad_row: truncated file")


def test_a_file_that_was_moved_to_another_work_makes_another_run(tmp_path: Path) -> None:
    plain_texts(tmp_path / "texts", "one/a.txt", "one/b.txt", "other/c.txt")
    align([tmp_path / "texts"], tmp_path / "run", QUICK, until="groups")
    (tmp_path / "texts" / "one" / "b.txt").rename(tmp_path / "texts" / "other" / "b.txt")
    with pytest.raises(TargetTaken):
        align([tmp_path / "texts"], tmp_path / "run", QUICK, until="groups")


def test_a_linked_file_belongs_to_the_folder_where_the_link_lies(tmp_path: Path) -> None:
    plain_texts(tmp_path / "store", "x1/a.txt", "x2/b.txt")
    (tmp_path / "films" / "harbour").mkdir(parents=True)
    for name in ("x1/a.txt", "x2/b.txt"):
        (tmp_path / "films" / "harbour" / Path(name).name).symlink_to(tmp_path / "store" / name)
    align([tmp_path / "films"], tmp_path / "run", QUICK, until="groups")
    assert {row["work"] for row in documents(tmp_path / "run").values()} == {"harbour"}


def test_a_band_that_fits_what_is_there_is_not_refused_for_what_is_not(tmp_path: Path) -> None:
    plain_texts(tmp_path / "texts", "one/a.txt", "one/b.txt")
    options = AlignOptions(labels=QUICK.labels, alignment=AlignmentOptions(least_alike=0.82))
    align([tmp_path / "texts"], tmp_path / "run", options, until="groups")
    with pytest.raises(InputError, match="--shortest-gram"):
        align([tmp_path / "texts"], tmp_path / "other", AlignOptions(alignment=AlignmentOptions(shortest_gram=7)))


def test_pairs_of_documents_alone_can_be_looked_at_by_people(tmp_path: Path) -> None:
    plain_texts(tmp_path / "texts", "one/a.txt", "one/b.txt")
    align([tmp_path / "texts"], tmp_path / "run", QUICK, until="groups")
    assert len(list(rows_of_run(tmp_path / "run", "match"))) == 1


def test_works_without_dates_are_split_in_the_shares_asked_for(tmp_path: Path) -> None:
    names = [f"work-{number}/{version}.txt" for number in range(120) for version in "abc"]
    for number, name in enumerate(names):
        told = f"In {1800 + number // 3} the {WORDS[number // 3 % 12]} of {WORDS[number // 36]} was built"
        text = (f"{told} by two brothers.", f"Two brothers: {told.lower()}.", f"{told}; two brothers did it.")[
            number % 3
        ]
        (tmp_path / "texts" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "texts" / name).write_text(text, encoding="utf-8")
    alignment = AlignmentOptions(least_alike=0.01, most_alike=1.0)
    align(
        [tmp_path / "texts"], tmp_path / "run", AlignOptions(labels=QUICK.labels, alignment=alignment), until="labels"
    )
    splits = store_splits(tmp_path / "run")
    groups = {row["group_id"]: row["key"] for row in rows(tmp_path / "run", "groups")}
    of_work: dict[str, set[str]] = {}
    for group, split in splits.items():
        of_work.setdefault(groups[group], set()).add(split)
    assert all(len(found) == 1 for found in of_work.values())
    shares = Counter(split for found in of_work.values() for split in found)
    assert shares["train"] < 0.92 * len(of_work)
    assert min(shares["dev"], shares["test"]) >= 3


WORDS = ("mill", "bridge", "tower", "school", "harbour", "church", "station", "market", "well", "wall", "gate", "barn")


def store_splits(run: Path) -> dict[str, str]:
    import pyarrow.parquet as pq

    from paraloom.workflows.align.splits import assign_document_splits

    table = pq.read_table(assign_document_splits(run, CorpusOptions()))
    return {row["group_id"]: row["split"] for row in table.to_pylist()}


def test_articles_that_follow_each_other_are_cut_by_date_and_none_is_in_two_splits(tmp_path: Path) -> None:
    """Every article is paired with the next: all hang together, and yet the shares hold."""
    told = (
        "the old {} of the town burned down on day {} of the dry summer",
        "on day {1} of a dry summer fire took the {0}",
    )
    lines = [
        {
            "title": f"{WORDS[day % 12]} {side}",
            "text": f"{side} {day}. "
            + told[side].format(WORDS[day % 12], day)
            + f". Then {WORDS[(day + 1) % 12]} number {day + 1}.",
            "created_at": f"2021-{day // 28 + 1:02}-{day % 28 + 1:02}T{side:02}:00:00Z",
        }
        for day in range(200)
        for side in range(2)
    ]
    file = tmp_path / "news.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    options = AlignOptions(
        labels=QUICK.labels,
        alignment=AlignmentOptions(least_alike=0.01, most_alike=1.0, window_days=1.5),
        corpus=CorpusOptions(keep_poor_groups=True),
    )
    built = align([file], tmp_path / "run", options)
    corpus = rows(tmp_path / "run", "corpus")
    documents_of = {row["sentence_id"]: row["document_id"] for row in rows(tmp_path / "run", "sentences")}
    splits: dict[str, set[str]] = {}
    kept = [row for row in corpus if row["dropped_for"] is None]
    for row in kept:
        for side in ("left_id", "right_id"):
            splits.setdefault(documents_of[row[side]], set()).add(row["split"])
    assert all(len(found) == 1 for found in splits.values())
    across = sum(row["dropped_for"] == "across_splits" for row in corpus)
    assert 0 < across < 0.05 * len(corpus)
    shares = Counter(row["split"] for row in kept)
    assert shares["train"] / len(kept) == pytest.approx(0.8, abs=0.03)
    assert shares["dev"] / len(kept) == pytest.approx(0.1, abs=0.03)
    assert built.summary is not None
