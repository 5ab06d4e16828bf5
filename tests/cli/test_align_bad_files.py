"""`paraloom align` on files as careless people leave them: what is wrong is dropped for a reason that is counted, what
is right in them is read, and the rest is aligned."""

from __future__ import annotations

import gzip
import json
import subprocess
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from paraloom.engine import store
from tests.cli.conftest import paraloom
from tests.workflows.align.all_kinds import event, said_in, srt, told

FILM = "storm"


def numbered(*captions: tuple[str, str]) -> str:
    """Times and texts as SubRip."""
    return "\n".join(f"{number}\n{times}\n{text}\n" for number, (times, text) in enumerate(captions, 1))


WRONG_TIMES = numbered(
    ("00:00:09,000 --> 00:00:11,000", "The second to be said."),
    ("00:00:02,000 --> 00:00:04,000", "The first to be said."),
    ("00:00:15,000 --> 00:00:12,000", "It ends before it begins."),
    ("00:00:20,000 --> 09:00:00,000", "It stays for hours."),
    ("-00:00:05,000 --> 00:00:01,000", "Before the film."),
    ("99:00:00,000 --> 99:00:02,000", "Days after the film."),
    ("00:xx:30,000 --> 00:00:32,000", "Nobody knows when."),
    ("00:00:40,5 --> 0:0:42.5", "Another way to write it."),
)
OVERLAPPING = numbered(
    ("00:00:01,000 --> 00:00:06,000", "He goes on talking."),
    ("00:00:02,000 --> 00:00:03,000", "She interrupts him."),
    ("00:00:02,500 --> 00:00:05,000", "He goes on talking."),
    ("00:00:05,500 --> 00:00:08,000", "Then both fall silent."),
)
MARKED = numbered(
    ("00:00:01,000 --> 00:00:02,000", '<font color="#ffff00"><b>Fish &amp; chips</b></font>'),
    ("00:00:03,000 --> 00:00:04,000", r"{\an8}<i>for everybody</i>\Nin the house"),
    ("00:00:05,000 --> 00:00:06,000", "[door slams]\n<i>Who is there?"),
    ("00:00:07,000 --> 00:00:08,000", "♪ ♪"),
)
MIXED = (
    numbered(("00:00:01,000 --> 00:00:02,000", "Où étais-tu ?")).encode("utf-8")
    + b"\n2\n00:00:03,000 --> 00:00:04,000\n"
    + "À la maison, père.\n".encode("cp1252")
)
READ = {
    "wrong-times.srt": (
        WRONG_TIMES.encode(),
        [
            "The first to be said.",
            "The second to be said.",
            "It ends before it begins.",
            "It stays for hours.",
            "Another way to write it.",
        ],
    ),
    "overlapping.srt": (
        OVERLAPPING.encode(),
        ["He goes on talking.", "She interrupts him.", "Then both fall silent."],
    ),
    "mark.srt": (
        OVERLAPPING.replace("both fall", "all fall").encode("utf-8-sig"),
        ["He goes on talking.", "She interrupts him.", "Then all fall silent."],
    ),
    "wide.srt": (MARKED.encode("utf-16"), ["Fish & chips", "for everybody\nin the house", "Who is there?"]),
    "mixed.srt": (MIXED, ["Où étais-tu ?", "À la maison, père."]),
}
"""Files by name, and the captions that are read from them."""

ARTICLE = event(1, 0)
BAD_RECORDS: list[tuple[Any, str]] = [
    (ARTICLE | {"text": ""}, "bad_row: no text"),
    (ARTICLE | {"text": " \n\t "}, "bad_row: no text"),
    (ARTICLE | {"text": None}, "bad_row: no text"),
    (ARTICLE | {"text": ["a", "list"]}, "bad_row: text is not a string"),
    (ARTICLE | {"text": "a lone \ud83d surrogate"}, "bad_row: lone surrogate"),
    (ARTICLE | {"text": "very long " * 1_050_000}, "bad_row: too long"),
    (ARTICLE | {"created_at": "the day before yesterday"}, "bad_row: created_at is unreadable"),
    ('{"title": "half a rec', "bad_row: not JSON"),
    ('["no", "record"]', "bad_row: not an object"),
]
BAD_FILES: dict[str, tuple[bytes, str]] = {
    "films/storm/empty.srt": (b"", "no text"),
    "films/storm/blank.srt": ("\ufeff\r\n \r\n".encode(), "no text"),
    "films/storm/noise.srt": (bytes(range(256)) * 64, "not a text"),
    "films/storm/sounds.srt": (
        numbered(("00:00:01,000 --> 00:00:02,000", "[thunder]")).encode(),
        "no captions with words",
    ),
    "films/storm/frames.srt": (b"{10}{40}Who is there?\r\n{50}{90}Nobody.\r\n", "MicroDVD, not SubRip or WebVTT"),
    "films/storm/cut.srt.gz": (gzip.compress(srt(FILM, 0).encode(), mtime=0)[:-400], "truncated file"),
    "films/storm/cut.xml": (
        b'<document><s id="1"><time id="T1S" value="00:00:01,000"/><w>Half',
        "broken XML: no element found",
    ),
    "films/storm/other.xml": (
        b"<catalogue><book/></catalogue>",
        "XML that is neither a subtitle file of OPUS nor a feed",
    ),
    "pages/nothing.html": (b"<html><head><title>Nothing</title></head><body></body></html>", "no text"),
    "pages/long.html": (b"<html><body><p>" + b"word " * 2_100_000 + b"</p></body></html>", "too long"),
    "texts/one/long.txt": (b"word " * 2_100_000, "too long"),
    "texts/one/empty.txt": (b"\n", "no text"),
}
"""Files by name, and why there is no document in them."""


@pytest.fixture(scope="module")
def aligned(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """A folder of such files with some sound ones among them, and what the command said about it."""
    folder = tmp_path_factory.mktemp("careless")
    whole = {
        "films/storm/a.srt": srt(FILM, 0).encode(),
        "films/storm/b.srt": srt(FILM, 1, offset=9.0).encode("utf-16"),
        "texts/one/a.txt": told(Random("one"), 0).encode(),
        "texts/one/b.txt": told(Random("one"), 1).encode(),
        **{f"odd/{name}": raw for name, (raw, _) in READ.items()},
        **{name: raw for name, (raw, _) in BAD_FILES.items()},
    }
    for name, raw in whole.items():
        (folder / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "in" / name).write_bytes(raw)
    sound = [ARTICLE, event(1, 1), {key: ARTICLE[key] for key in ("title", "text")}]  # the last has no date
    lines = [record if isinstance(record, str) else json.dumps(record) for record, _ in BAD_RECORDS]
    lines += [json.dumps(record) for record in sound]
    (folder / "in" / "news.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = paraloom(
        folder,
        "align",
        "in",
        "--out",
        "run",
        "--identifier",
        "ngram-regression",
        "--least-alike",
        "0.1",
        "--workers",
        "1",
    )
    return folder, done


def rows(folder: Path, table: str) -> list[dict[str, Any]]:
    return store.read_table(folder / "run", table).to_pylist()


def test_it_ends_well_and_says_where_the_report_lies(aligned: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    folder, done = aligned
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout.strip().endswith(str(Path("run") / "report.html"))
    assert (folder / "run" / "report.html").is_file()
    assert not (folder / "run" / store.UNFINISHED).exists()


def test_every_bad_file_and_record_is_a_row_with_its_reason(
    aligned: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    folder, _ = aligned
    dropped = [row for row in rows(folder, "documents") if row["dropped_for"]]
    reasons = {row["file"]: row["dropped_for"] for row in dropped if row["file"] != "news.jsonl"}
    assert reasons == {
        name if "/" in name else f"in/{name}": f"bad_row: {said}" for name, (_, said) in BAD_FILES.items()
    }
    of_records = Counter(row["dropped_for"] for row in dropped if row["file"] == "news.jsonl")
    assert of_records == Counter(said for _, said in BAD_RECORDS)
    assert all(len(row["text"]) <= 200 for row in dropped)


def test_the_summary_counts_what_was_dropped_by_reason(
    aligned: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    folder, _ = aligned
    summary = json.loads((folder / "run" / "summary.json").read_text("utf-8"))
    counted = summary["documents"]
    assert len(set(summary["files"])) == len(summary["files"]), "files of one name are told by their folders"
    assert set(summary["files"]) == {row["file"] for row in rows(folder, "documents")}
    found = Counter(row["dropped_for"] for row in rows(folder, "documents") if row["dropped_for"])
    assert {one["name"]: one["count"] for one in counted["dropped"]} == dict(found)
    assert found.total() == len(BAD_FILES) + len(BAD_RECORDS)
    kinds = {one["name"]: one["count"] for one in counted["kinds"]}
    assert kinds == {"subtitle": 2 + len(READ), "article": 3, "translation": 2}
    assert counted["without_date"] == 1


@pytest.mark.parametrize("name", READ)
def test_what_is_right_in_a_careless_file_is_read(
    name: str, aligned: tuple[Path, subprocess.CompletedProcess[str]]
) -> None:
    folder, _ = aligned
    (document,) = (row for row in rows(folder, "documents") if row["file"] == f"odd/{name}")
    cues = sorted(
        (cue for cue in rows(folder, "cues") if cue["document_id"] == document["document_id"]),
        key=lambda cue: cue["start"],
    )
    assert [cue["text"] for cue in cues] == READ[name][1]
    assert [document["text"][cue["start"] : cue["end"]] for cue in cues] == READ[name][1]
    assert [cue["begins_at"] for cue in cues] == sorted(cue["begins_at"] for cue in cues)
    assert all(0 <= cue["begins_at"] < cue["ends_at"] <= cue["begins_at"] + 60 for cue in cues)


def test_sound_documents_among_them_are_aligned_as_if_alone(
    aligned: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    folder, _ = aligned
    documents = {row["document_id"]: row for row in rows(folder, "documents")}
    pairs: dict[str, set[str]] = {}
    for row in rows(folder, "groups"):
        if row["dropped_for"] is None:
            pairs.setdefault(row["group_id"], set()).add(documents[row["document_id"]]["file"])
    assert {"films/storm/a.srt", "films/storm/b.srt"} in pairs.values()
    assert {"texts/one/a.txt", "texts/one/b.txt"} in pairs.values()
    assert {"news.jsonl"} in pairs.values()
    captions = sum(documents[cue["document_id"]]["file"] == "films/storm/b.srt" for cue in rows(folder, "cues"))
    assert captions == sum(1 for _ in said_in(FILM, 1))
