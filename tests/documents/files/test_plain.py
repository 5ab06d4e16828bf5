"""A plain text is one document, as it is written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.documents.files.plain import read_plain
from paraloom.documents.shapes.post import UNKNOWN, BadRow
from paraloom.errors import InputError
from paraloom.text.normalise import repair

TEXT = "Kevät tuli myöhään.\n\n  Lunta oli vielä metsässä,\nja jäällä käveltiin.\n\n– Tule jo, sanoi äiti."


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_lines_stay_lines_in_any_encoding(encoding: str, line_end: str) -> None:
    (post,) = read_plain(f"\n{TEXT}\n\n".replace("\n", line_end).encode(encoding), None)
    assert post.text == TEXT
    assert (post.kind, post.platform, post.native_id, post.captions) == ("translation", UNKNOWN, None, ())
    assert post.is_repaired


def test_what_encodings_and_pages_broke_is_mended() -> None:
    (post,) = read_plain("Fish &amp; chips\nCafÃ© crÃ¨me\u200b".encode(), None)
    assert post.text == "Fish & chips\nCafé crème"


def test_what_looks_like_front_matter_is_text() -> None:
    (post,) = read_plain(b"---\ntitle: x\n---\nText.", None)
    assert post.text == "---\ntitle: x\n---\nText."


def test_a_given_encoding_is_taken_or_refused() -> None:
    assert read_plain("Łódź".encode("cp1250"), "cp1250")[0].text == "Łódź"
    with pytest.raises(BadRow, match="not in the encoding utf-8"):
        read_plain("Łódź".encode("cp1250"), "utf-8")
    with pytest.raises(InputError, match="No encoding"):
        read_plain(b"x", "cp99999")


@pytest.mark.parametrize("raw", [b"", b" \r\n\t", b"\xef\xbb\xbf", b"\xff\xfe"])
def test_nothing_is_no_document(raw: bytes) -> None:
    with pytest.raises(BadRow, match="no text"):
        read_plain(raw, None)


@given(st.binary(max_size=200))
def test_any_bytes_are_a_text_that_can_be_stored_or_a_bad_row(raw: bytes) -> None:
    try:
        (post,) = read_plain(raw, None)
    except BadRow:
        return
    assert isinstance(post.text, str)
    post.text.encode("utf-8")
    assert repair(post.text).strip() == post.text
