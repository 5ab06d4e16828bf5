"""No bytes make reading fail, and damage to one row leaves the others as they were."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from paraloom.documents.decode import decode
from paraloom.engine import foreign
from paraloom.tables import Document, schema

ARTICLES = ["https://example.com/storm", "http://www.example.org/vote?utm_source=x", "https://t.co/abc"]


def _load_fuzz() -> ModuleType:
    path = Path(__file__).parents[2] / "benchmarks" / "fuzz.py"
    specification = importlib.util.spec_from_file_location("paraloom_fuzz", path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules["paraloom_fuzz"] = module  # its dataclasses look for their module
    specification.loader.exec_module(module)
    return module


def _flat(number: int) -> dict[str, Any]:
    return {
        "id": str(1000 + number),
        "screen_name": f"member{number % 5}",
        "time": f"2026-03-01T12:{number % 60:02}:00-05:00",
        "link": f"https://www.twitter.com/member{number % 5}/statuses/{1000 + number}",
        "source": "Web App",
        "text": f'“Storm” no. {number} hits, they say: "no power", {{no}} water\n\nMore: {ARTICLES[number % 3]} ☂️',
    }


def _nested(number: int) -> dict[str, Any]:
    return {
        "text": f"Flood {number} reaches the town [again] https://t.co/x{number}",
        "id_str": str(5000 + number),
        "lang": "en",
        "created_at": f"Sun Mar 01 12:{number % 60:02}:00 +0000 2026",
        "user": {"screen_name": f"Ada{number}", "id": number},
        "entities": {
            "hashtags": [],
            "user_mentions": [{"id": 7, "screen_name": "bob"}, {"id": 8, "screen_name": "eve"}],
            "urls": [{"url": f"https://t.co/x{number}", "expanded_url": ARTICLES[number % 3], "indices": [3, 26]}],
        },
    }


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("sound")
    (folder / "flat.json").write_text(json.dumps([_flat(number) for number in range(40)], ensure_ascii=False))
    (folder / "nested.jsonl").write_text("".join(json.dumps(_nested(number)) + "\n" for number in range(40)))
    sets = []
    for number in (1, 2):
        header = f"(gazette,NO.{number},Set size:20,A storm (or two) https://t.co/set{number})\n"
        sets.append(header + "".join(json.dumps(_nested(20 * number + row)) + "\n" for row in range(20)))
    (folder / "day.json").write_text("".join(sets))
    return sorted(folder.iterdir())


def test_malformed_files_raise_nothing_and_lose_no_untouched_row(files: list[Path]) -> None:
    count = _load_fuzz().fuzz(files, inputs=800, seed=11)
    assert count.crashes == []
    assert count.lost == []
    assert count.rows_in == count.rows_out
    assert count.untouched > 4000
    assert len(count.reasons) > 8


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.sampled_from(ARTICLES),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
TELLING = """
    text full_text id id_str created_at createdAt time date author author_id user screen_name link source lang language
    url urls entities retweeted_status extended_tweet data includes did kind commit record uri post reason content
    account reblog card visibility trend title kind $type facets langs embed delete note_tweet referenced_tweets
"""
KEYS = st.sampled_from(sorted(set(TELLING.split())))
RECORDS = st.dictionaries(KEYS | st.text(max_size=6), JSON | st.dictionaries(KEYS, JSON, max_size=4), max_size=8)


@settings(max_examples=500, deadline=None)
@given(
    st.lists(RECORDS.map(lambda record: json.dumps(record).encode()) | st.binary(max_size=60), min_size=1, max_size=5)
)
def test_any_objects_and_any_bytes_become_as_many_documents(raws: list[bytes]) -> None:
    size = len(raws)
    columns = {
        "file": ["f"] * size,
        "offset": range(size),
        "raw": raws,
        "format": ["jsonl"] * size,
        "context": [None] * size,
    }
    documents = decode(pa.table(columns, schema=foreign.SCHEMA))
    assert len(documents) == size
    assert documents.schema == schema(Document)
    documents.validate(full=True)
    for row in documents.to_pylist():
        assert row["text"] or row["dropped_for"]


ENDINGS = st.sampled_from([".jsonl", ".json", ".csv", ".tsv", ".txt", "", ".gz", ".zst"])
PIECES = st.sampled_from(
    [
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b":",
        b'"',
        b"\\",
        b"\n",
        b"\r\n",
        b"\t",
        b'"text"',
        b'{"text":"a"}',
        b"text,id",
        b"NaN",
        b"\xef\xbb\xbf",
        b"\xff\xfe",
        b"\x00",
        b"\xc3",
        b"(a,NO.1,Set size:1,",
        b'{"data":[',
        b"\x1f\x8b",
        b"\x28\xb5\x2f\xfd",
        b" ",
    ]
)


@settings(max_examples=500, deadline=None)
@given(
    ending=ENDINGS, pieces=st.lists(PIECES | st.binary(max_size=8), max_size=30), bytes_per_chunk=st.integers(1, 100)
)
def test_any_file_can_be_read(
    ending: str, pieces: list[bytes], bytes_per_chunk: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    written = b"".join(pieces)
    assume(not written.startswith(b"PAR1"))  # claims to be Parquet: a whole file that cannot be read is an error
    path = tmp_path_factory.getbasetemp() / f"any{ending}"
    path.write_bytes(written)
    for chunk in foreign.plan([path], bytes_per_chunk):
        for table in foreign.records(chunk):
            assert len(decode(table)) == len(table)
