"""Files of nothing but one thing over and over are read in one go: a pattern that starts anew everywhere would hang."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from paraloom.documents.files.elements import attribute_of
from paraloom.documents.files.feeds import name_beside_address
from paraloom.documents.files.opus import is_opus, read_opus
from paraloom.documents.shapes.post import BadRow

LONG = 1_000_000

NAMES_BY_DEFINITION = re.compile(r"\S+@\S+\s*\((.+)\)\s*\Z", re.DOTALL)
ATTRIBUTES_BY_DEFINITION = re.compile(r"""([\w:.\-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
COMMENTS_BY_DEFINITION = re.compile(rb"<!--.*?-->", re.DOTALL)


@settings(max_examples=500)
@given(st.text("a@() \n\u00a0", max_size=14))
@example("a@b (Ann (B))")
@example("a@b(x)(Ann)")
@example("a@b()")
@example("a@@(x) ")
def test_an_authors_name_is_what_the_short_pattern_says(author: str) -> None:
    found = NAMES_BY_DEFINITION.match(author)
    assert name_beside_address(author) == (found[1].strip() if found else author)


@pytest.mark.parametrize("piece", ["@", "a@", "(", "a@b(", "@(", "a@b (", ")", " "])
@pytest.mark.parametrize("end", ["", "x", ")", " )x"])
def test_a_long_author_is_read_once(piece: str, end: str) -> None:
    assert isinstance(name_beside_address("a@b" + piece * (LONG // len(piece)) + end), str)


@settings(max_examples=300)
@given(st.text("""ab:= "'\n""", max_size=16), st.sampled_from(["a", "b", "ab", "a:b"]))
def test_an_attribute_is_what_the_short_pattern_says(attributes: str, name: str) -> None:
    found = [quoted or single for at, quoted, single in ATTRIBUTES_BY_DEFINITION.findall(attributes) if at == name]
    assert attribute_of(attributes, name) == (found[0].strip() if found else "")


@pytest.mark.parametrize("piece", ["a", "a ", " ", "=", "a=", "a =", "='", 'a="', "a='"])
def test_long_attributes_are_read_once(piece: str) -> None:
    assert attribute_of(piece * (LONG // len(piece)), "href") == ""


HEADS = st.lists(st.sampled_from([b"<!--", b"-->", b"<document>", b"<s>", b"<rss>", b"-", b"x"]), max_size=9)


@given(HEADS.map(b"".join))
def test_what_stands_in_comments_does_not_say_what_a_file_is(raw: bytes) -> None:
    assert is_opus(raw) == is_opus(COMMENTS_BY_DEFINITION.sub(b"", raw))


@pytest.mark.parametrize("piece", [b"<!--", b"<!---->", b"<!-- -", b" "])
def test_long_comments_are_read_once(piece: bytes) -> None:
    raw = piece * (LONG // len(piece))
    for _ in range(20):
        assert not is_opus(raw)


@pytest.mark.parametrize("piece", [b" ", b"\n ", b"<?xml "])
def test_what_stands_before_a_declaration_is_read_once(piece: bytes) -> None:
    with pytest.raises(BadRow):
        read_opus(b"x" + piece * (LONG // len(piece)), "utf-8")
