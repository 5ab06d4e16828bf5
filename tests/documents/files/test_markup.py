"""Markup is read whatever is wrong with it, and what it says is kept."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.documents.files.markup import characters, paragraphs, plain_paragraphs, tokens, unescaped

PARAGRAPHS = [
    ("<p>Rain fell.</p><p>It was wet.</p>", "Rain fell.\n\nIt was wet."),
    ("<p>Rain fell.<p>It was wet.", "Rain fell.\n\nIt was wet."),
    ("Rain<br>fell<BR/>again", "Rain\nfell\nagain"),
    ("Rain<br><br><br>fell", "Rain\nfell"),
    ("<ul><li>Rain</li><li>Wind</li></ul>", "Rain\n\nWind"),
    ("<table><tr><td>Rain <table><tr><td>inner</td></tr></table> fell</td></tr></table>", "Rain\n\ninner\n\nfell"),
    ("Rain <b>fe</b>ll <i>\n on</i>\tMonday", "Rain fell on Monday"),
    ("1 < 2 and 3 > 2 &amp; 4 &lt; 5", "1 < 2 and 3 > 2 & 4 < 5"),
    ("<p>see ?a=1&region=eu &copy; &#8211; &#x2014; &nosuch;</p>", "see ?a=1&region=eu © – — &nosuch;"),
    ('<p title="a > b">Rain</p>', "Rain"),
    ("<p title='left open>Rain</p>", "<p title='left open>Rain"),
    ("<script>if (a < b) { x('<p>no</p>') }</script><p>Rain</p><style>p { }</style>", "Rain"),
    ("<p>Rain</p><script>left open <p>and read</p>", "Rain\n\nleft open\n\nand read"),
    ("<!-- a comment <p>no</p> --><p>Rain</p>", "Rain"),
    ("<p>Rain</p><!-- left open <p>and read</p>", "Rain\n\nand read"),
    ("<?php echo 1 ?><!DOCTYPE html><p>Rain</p>", "Rain"),
    ("<p><![CDATA[a <b> c]]></p>", "a <b> c"),
    ("Rain fell.\r\n\r\n \r\nIt was\nwet.", "Rain fell.\n\nIt was\nwet."),
    ("<p>שלום <b>עולם</b></p><p dir=rtl>مرحبا</p>", "שלום עולם\n\nمرحبا"),
    ("", ""),
    ("<p> </p>", ""),
    ("<", "<"),
]


@pytest.mark.parametrize(("markup", "text"), PARAGRAPHS)
def test_html_becomes_paragraphs(markup: str, text: str) -> None:
    assert paragraphs(markup) == text


ENCODINGS = [
    ('<meta charset="utf-8"><p>café', "utf-8"),
    ('<meta charset="iso-8859-1"><p>café', "utf-8"),
    ('<meta charset="iso-8859-1"><p>café', "iso-8859-1"),
    ('<meta charset="iso-8859-1"><p>café – “so”', "cp1252"),
    ('<meta http-equiv="Content-Type" content="text/html; charset=windows-1251"><p>Дождь идёт', "cp1251"),
    ('<?xml version="1.0" encoding="Shift_JIS"?><p>今日は雨です', "cp932"),
    ("<META CHARSET=EUC-KR><p>오늘은 비가 옵니다", "cp949"),
    ('<meta charset="big5"><p>今天下雨', "big5"),
]


@pytest.mark.parametrize(("markup", "encoding"), ENCODINGS)
def test_an_encoding_is_the_declared_one_unless_it_is_utf_8(markup: str, encoding: str) -> None:
    assert characters(markup.encode(encoding), None) == markup


BROKEN = ["nosuch", "utf-8", "base64", "utf-16", "\x01"]


@pytest.mark.parametrize("declared", BROKEN)
def test_a_wrong_declaration_is_not_believed(declared: str) -> None:
    markup = f'<meta charset="{declared}"><p>Tänään sataa koko päivän, ja tie on märkä. Äiti käy töissä.</p>'
    assert "Tänään sataa koko päivän" in characters(markup.encode("cp1252"), None)


def test_the_encoding_that_the_user_gives_goes_first() -> None:
    markup = '<meta charset="iso-8859-1"><p>Дождь'
    assert characters(markup.encode("cp1251"), "cp1251") == markup


@given(st.text(st.sampled_from("<>/!-?[]\"'&; =abCDATAp\n") | st.characters(codec="utf-8"), max_size=60))
def test_tokens_never_overlap_and_leave_out_only_asides(text: str) -> None:
    found = list(tokens(text))
    reached = 0
    for token in found:
        assert reached <= token.start < token.end
        assert set(text[reached : token.start]) == set() or text[reached] == "<"
        reached = token.end
    assert paragraphs(text) == paragraphs(text).strip()
    assert plain_paragraphs(plain_paragraphs(text)) == plain_paragraphs(text)


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=8)
LINES = st.lists(WORDS, min_size=1, max_size=6).map(" ".join)


@given(st.lists(LINES, min_size=1, max_size=5))
def test_what_is_escaped_and_marked_up_comes_back(lines: list[str]) -> None:
    escaped = [line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") for line in lines]
    assert [unescaped(line) for line in escaped] == lines
    assert paragraphs("".join(f"<p>{line}</p>" for line in escaped)) == "\n\n".join(lines)
    assert paragraphs("<p>" + "<br/>".join(escaped)) == "\n".join(lines)


OPENED = ["<!-- >", "<![CDATA[", "<?x >", "<p ", '<p a="', "<script>", "</p>", "&amp;", "<"]


@pytest.mark.parametrize("opened", OPENED)
def test_a_megabyte_of_anything_is_read_in_time_that_grows_with_its_length(opened: str) -> None:
    began = process_time()
    paragraphs(opened * (1_000_000 // len(opened)))
    assert process_time() - began < 5
