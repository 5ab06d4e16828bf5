"""The same documents give the same rows, however they come; a run that is there is never made twice, nor made over."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from paraloom.corpus.options import CorpusOptions
from paraloom.documents.options import DocumentReadOptions, SourceOptions
from paraloom.engine import buckets, store
from paraloom.errors import EngineError, InputError, TargetTaken
from paraloom.groups.alignment_options import AlignmentOptions
from paraloom.groups.part_options import PartOptions
from paraloom.labels.options import LabelOptions
from paraloom.pairs.extract_options import ExtractOptions
from paraloom.workflows.align.align import TABLES, align
from paraloom.workflows.align.options import AlignOptions
from tests.workflows.align.align_all_kinds import BYTES_PER_BUCKET
from tests.workflows.align.conftest import Alignment

SAME = AlignOptions(
    read=DocumentReadOptions(author_salt="sample"),
    alignment=AlignmentOptions(least_alike=0.15),
    labels=LabelOptions(identifier="ngram-regression"),
)
"""As the run `aligned` was made."""


@pytest.fixture(autouse=True)
def small_buckets(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in the run `aligned`."""
    monkeypatch.setattr(buckets, "BYTES_PER_BUCKET", BYTES_PER_BUCKET)


def rows(run: Path, table: str) -> list[dict[str, Any]]:
    return store.read_table(run, table).to_pylist()


def rows_but_place(run: Path, table: str) -> list[dict[str, Any]]:
    """The rows without the file and the place in it that a document was read from."""
    return [{name: value for name, value in row.items() if name not in ("file", "offset")} for row in rows(run, table)]


def summary_but_steps(run: Path) -> dict[str, Any]:
    """The summary without the signatures of the tables, which tell the number of buckets."""
    summary = json.loads((run / "summary.json").read_text(encoding="utf-8"))
    assert summary.pop("steps")
    return dict(summary)


def files_made(run: Path) -> dict[Path, tuple[int, int]]:
    return {
        file: (file.stat().st_ino, file.stat().st_mtime_ns)
        for file in [*run.rglob("*.parquet"), *run.glob("*.made_by.json"), run / "splits.json"]
    }


def test_the_number_of_buckets_changes_no_row(
    all_kinds: Alignment, aligned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(buckets, "BYTES_PER_BUCKET", 1 << 24)
    align([all_kinds.folder], tmp_path / "run", SAME)
    assert len(store.part_files(tmp_path / "run", "documents")) == 1
    for table in TABLES:
        assert rows(tmp_path / "run", table) == rows(aligned, table)
    corpus, before = ((run / "corpus.jsonl").read_bytes() for run in (tmp_path / "run", aligned))
    assert sorted(corpus.splitlines()) == sorted(before.splitlines())
    assert summary_but_steps(tmp_path / "run") == summary_but_steps(aligned)


def test_neither_the_order_of_files_nor_of_records_nor_their_number_changes_a_row(
    all_kinds: Alignment, aligned: Path, tmp_path: Path
) -> None:
    """Records go to other files in another order; whole files are named one by one, the last first."""
    random = Random(3)
    others = tmp_path / "others"
    shutil.copytree(all_kinds.folder, others)
    for file in sorted(others.glob("*.jsonl")):
        lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
        random.shuffle(lines)
        file.unlink()
        half = len(lines) // 2
        for name, some in ((f"z-{file.name}", lines[:half]), (f"a-{file.name}", lines[half:])):
            (others / name).write_text("".join(some), encoding="utf-8")
    kinds = {each["document_id"] for each in rows(aligned, "documents")}
    found = align([others], tmp_path / "run", SAME, until="pairs").run
    assert {each["document_id"] for each in rows(found, "documents")} == kinds
    for table in TABLES[: TABLES.index("pairs") + 1]:
        assert rows_but_place(found, table) == rows_but_place(aligned, table)


def test_files_may_be_named_in_any_order(
    all_kinds: Alignment, tmp_path: Path, digests: Callable[[Path], dict[str, str]]
) -> None:
    named = sorted(all_kinds.folder.iterdir())
    shuffled = Random(5).sample(named, len(named))
    assert shuffled != named
    for name, files in (("one", named), ("other", shuffled)):
        align(files, tmp_path / name, SAME, until="groups")
    assert digests(tmp_path / "one") == digests(tmp_path / "other")


def test_a_second_run_makes_nothing_anew(all_kinds: Alignment, aligned: Path) -> None:
    before = files_made(aligned)
    told: list[tuple[str, str, int, int]] = []
    align([all_kinds.folder], aligned, SAME, until="labels", progress=lambda *event: told.append(event))
    assert {name for _, name, _, _ in told} == {"looked for"}
    assert files_made(aligned) == before


OTHER_WAYS: list[tuple[AlignOptions, str]] = [
    (
        replace(SAME, read=DocumentReadOptions(author_salt="pepper")),
        r"documents was made another way \(options\.author",
    ),
    (
        replace(SAME, read=DocumentReadOptions(author_salt="sample", max_characters=9)),
        r"options\.max_characters was 1000000, is 9",
    ),
    (replace(SAME, sources=SourceOptions(encoding="cp1252")), r"options\.encoding was None, is 'cp1252'"),
    (
        replace(SAME, alignment=AlignmentOptions(least_alike=0.2)),
        r"groups was made .*options\.least_alike was 0\.15, is 0\.2",
    ),
    (replace(SAME, parts=PartOptions(part_seed=2)), r"options\.part_seed was 1, is 2"),
    (replace(SAME, extract=ExtractOptions(min_words=3)), r"segments was made .*options\.min_words was 2, is 3"),
    (replace(SAME, labels=LabelOptions(identifier="ngram-regression", threshold=0.7)), r"options\.threshold"),
    (replace(SAME, corpus=CorpusOptions(keep_poor_groups=True)), r"corpus was made another way"),
]


@pytest.mark.parametrize(("options", "said"), OTHER_WAYS)
def test_another_option_is_refused_and_the_old_tables_stay(
    options: AlignOptions, said: str, all_kinds: Alignment, aligned: Path
) -> None:
    before = files_made(aligned)
    with pytest.raises(TargetTaken, match=said) as refused:
        align([all_kinds.folder], aligned, options)
    assert "Choose another --out" in str(refused.value)
    assert files_made(aligned) == before
    assert not (aligned / store.UNFINISHED).exists()


def test_other_shares_than_the_splits_were_drawn_for_are_an_error(all_kinds: Alignment, aligned: Path) -> None:
    options = replace(SAME, corpus=CorpusOptions(train_share=0.5))
    with pytest.raises(InputError, match=r"was drawn for shares of 0\.8 and 0\.1; 0\.5 and 0\.1 are asked for"):
        align([all_kinds.folder], aligned, options)


def test_a_run_that_somebody_else_is_making_is_refused(all_kinds: Alignment, aligned: Path) -> None:
    with store.alone_in(aligned), pytest.raises(EngineError, match="Another process is working in"):
        align([all_kinds.folder], aligned, SAME)


def test_another_file_is_refused_by_its_name(all_kinds: Alignment, aligned: Path, tmp_path: Path) -> None:
    grown = tmp_path / all_kinds.folder.name
    shutil.copytree(all_kinds.folder, grown)
    (grown / "films" / "mill" / "third.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nNo.\n", encoding="utf-8")
    before = files_made(aligned)
    with pytest.raises(
        TargetTaken, match=r"documents was made another way \(inputs\.\S+third\.srt was None, is \S+\)\."
    ):
        align([grown], aligned, SAME)
    assert files_made(aligned) == before


def test_a_pair_keeps_its_split_as_documents_come_to_it(all_kinds: Alignment, aligned: Path, tmp_path: Path) -> None:
    """Another run over more files takes the splits of the first with it."""
    grown = tmp_path / "kinds"
    shutil.copytree(all_kinds.folder, grown)
    with (grown / "news.jsonl").open("a", encoding="utf-8") as news:
        for number, file in enumerate(sorted((grown / "texts").rglob("*.txt"))):
            text = "From the archive. " + json.loads(_line(grown / "news.jsonl", number))["text"]
            about = {"title": file.stem, "text": text, "created_at": "2019-01-01T00:00:00Z", "source": f"old {number}"}
            news.write(json.dumps(about) + "\n")
    (tmp_path / "run").mkdir()
    for name in ("splits.json", "splits.parquet"):
        shutil.copy(aligned / name, tmp_path / "run" / name)
    align([grown], tmp_path / "run", SAME)
    before, after = (
        {row["group_id"]: row["split"] for row in rows(run, "corpus")} for run in (aligned, tmp_path / "run")
    )
    assert (aligned / "splits.json").read_bytes() == (tmp_path / "run" / "splits.json").read_bytes()
    kept = before.keys() & after.keys()
    assert len(kept) > 0.9 * len(before)
    assert {group: after[group] for group in kept} == {group: before[group] for group in kept}
    assert after.keys() - before.keys()


def _line(file: Path, number: int) -> str:
    return file.read_text(encoding="utf-8").splitlines()[number]
