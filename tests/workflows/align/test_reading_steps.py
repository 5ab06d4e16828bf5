"""Files are read once if they have no captions, and what reads web pages stands in the signature of what it read."""

from __future__ import annotations

from pathlib import Path

import pytest

from paraloom.documents.options import DocumentReadOptions, SourceOptions
from paraloom.engine.foreign import plan
from paraloom.engine.foreign_files import expand
from paraloom.engine.signatures import library_versions
from paraloom.engine.store import read_made_by, read_table
from paraloom.workflows.align.align import align
from paraloom.workflows.align.options import AlignOptions
from paraloom.workflows.align.steps import cues_step, documents_step

CAPTIONS = "1\n00:00:01,000 --> 00:00:02,000\nGood morning.\n"
FILES = {
    "film/a.srt": CAPTIONS,
    "film/b.vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\nMorning!\n",
    "film/c.xml": "<document><s>Good day.</s></document>",
    "page.html": "<html><body><p>It rained.</p></body></html>",
    "text/a.txt": "It rained.",
    "news.jsonl": '{"text": "It rained."}\n',
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_text(text)
    return tmp_path / "in"


def steps(folder: Path):
    paths = expand([folder], whole=True)
    chunks = plan(paths, whole=True, named=[folder])
    named = {str(number): path for number, path in enumerate(paths)}
    given = (chunks, named, DocumentReadOptions(), SourceOptions())
    return documents_step(*given), cues_step(*given)


def test_captions_are_looked_for_only_where_they_can_be(folder: Path) -> None:
    documents, cues = steps(folder)
    assert {chunk.name for chunk in documents.chunks} == {Path(name).name for name in FILES}
    assert {chunk.name for chunk in cues.chunks} == {"a.srt", "b.vtt", "c.xml"}
    assert {path.name for path in cues.files.values()} == {"a.srt", "b.vtt", "c.xml"}


def test_what_decides_about_web_pages_is_in_the_signature_where_there_are_some(folder: Path) -> None:
    documents, cues = steps(folder)
    assert {"trafilatura", "htmldate"} <= set(documents.libraries)
    assert cues.libraries == ()
    (folder / "page.html").unlink()
    assert steps(folder)[0].libraries == ()
    versions = library_versions(("trafilatura", "htmldate"))
    assert all(versions[name] for name in ("ftfy", "trafilatura", "htmldate"))


def test_a_run_tells_which_versions_read_its_pages_and_needs_no_captions(folder: Path, tmp_path: Path) -> None:
    align([folder / "page.html", folder / "news.jsonl"], tmp_path / "run", AlignOptions(), until="cues")
    assert "trafilatura" in read_made_by(tmp_path / "run", "documents")["libraries"]
    assert "trafilatura" not in read_made_by(tmp_path / "run", "cues")["libraries"]
    assert len(read_table(tmp_path / "run", "cues")) == 0
