"""Whatever is written, only harmless tags come out."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from paraloom.web.markdown import to_html

TAGS = {
    *("p", "em", "strong", "code", "pre", "blockquote", "ul", "ol", "li", "hr", "br", "a"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"),
}
ATTRIBUTES = {"a": {"href", "title", "rel"}, "ol": {"start"}, "code": {"class"}, "th": {"class"}, "td": {"class"}}


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.other: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_comment(self, data: str) -> None:
        self.other.append(data)

    def handle_decl(self, decl: str) -> None:
        self.other.append(decl)

    def unknown_decl(self, data: str) -> None:
        self.other.append(data)

    def handle_pi(self, data: str) -> None:
        self.other.append(data)


def assert_harmless(text: str) -> None:
    reader = Reader()
    reader.feed(to_html(text))
    reader.close()
    assert not reader.other
    for tag, attributes in reader.found:
        assert tag in TAGS
        assert set(attributes) <= ATTRIBUTES.get(tag, set())
        if tag == "a":
            assert attributes["rel"] == "nofollow noopener noreferrer"
            href = "".join(letter for letter in attributes["href"] or "" if letter > " ").lower()
            scheme, colon, _ = href.partition(":")
            is_relative = not colon or any(mark in scheme for mark in "/?#")
            assert is_relative or scheme in {"http", "https", "mailto"}
        assert (attributes.get("class") or "align-").startswith(("language-", "align-"))


PAYLOADS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "<!-- --><!doctype x><?php ?><![CDATA[x]]>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java\tscript:alert(1))",
    "[x](<java\nscript:alert(1)>)",
    "[x](&#106;avascript:alert(1))",
    "[x](&#x6A&#x61;vascript&colon;alert(1))",
    "[x](\x01javascript:alert(1))",
    "[x](%6Aavascript:alert(1))",
    "[x](vbscript:msgbox)",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](data:image/svg+xml,<svg>)",
    "[x](blob:http://a/b)",
    "[x](file:///etc/passwd)",
    "[x][y]\n\n[y]: javascript:alert(1)",
    "<javascript:alert(1)>",
    '<http://a.example/"onmouseover=alert(1)>',
    '[x](http://a "t\\" onmouseover=alert(1)")',
    "[x](http://a 'onfocus=\"alert(1)')",
    "![x](http://tracker.example/pixel.gif)",
    "![x](javascript:alert(1))",
    '```"><script>alert(1)</script>\nx\n```',
    '``` a" onclick=alert(1)\nx\n```',
    "| a |\n|:-:|\n| <script>alert(1)</script> |",
    "`<script>`",
    "<a href=javascript:alert(1) hx-get=/x hx-trigger=load>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "[" * 5000,
    "> " * 5000 + "x",
    "*a " * 3000,
]


@pytest.mark.parametrize("payload", PAYLOADS)
def test_stored_attacks_come_to_nothing(payload: str) -> None:
    assert_harmless(payload)


PIECES = st.sampled_from(
    [
        *(
            "<",
            ">",
            '"',
            "'",
            "&",
            "[",
            "]",
            "(",
            ")",
            "!",
            "`",
            "```",
            "\n",
            "\n\n",
            "|",
            "---",
            "|:-:|\n",
            "*",
            "_",
            "#",
        ),
        *("javascript:", "data:", "http://a", "mailto:", "<script", "onload=", "&#106;", "&colon;", "\t", "\x00", "\\"),
        *("<!--", "-->", "x", " ", "> ", "1. ", "- ", "[y]: ", "style=", "://"),
    ]
)


@given(st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=40).map("".join)))
@example("| a | b |\n|:-:|--:|\n| 1 | 2 |")
def test_no_tag_or_attribute_outside_the_list_ever_comes_out(text: str) -> None:
    assert_harmless(text)


SHOWN = [
    ("**bold** and `code`", "<p><strong>bold</strong> and <code>code</code></p>\n"),
    ("a\n\n- b\n- c", "<p>a</p>\n<ul>\n<li>b</li>\n<li>c</li>\n</ul>\n"),
    ("[x](mailto:a@b.example)", '<p><a href="mailto:a@b.example" rel="nofollow noopener noreferrer">x</a></p>\n'),
    ("[x](?page=2)", '<p><a href="?page=2" rel="nofollow noopener noreferrer">x</a></p>\n'),
    ("[x](a/b:c)", '<p><a href="a/b:c" rel="nofollow noopener noreferrer">x</a></p>\n'),
    ("", ""),
]


@pytest.mark.parametrize(("text", "html"), SHOWN)
def test_what_is_allowed_is_shown(text: str, html: str) -> None:
    assert to_html(text) == html


def test_tables_are_aligned_by_class_since_styles_are_forbidden() -> None:
    html = to_html("| a | b |\n|:-:|--:|\n| 1 | 2 |")
    assert '<th class="align-center">a</th>' in html
    assert '<td class="align-right">2</td>' in html
    assert "style" not in html


def test_images_are_not_loaded() -> None:
    assert "<img" not in to_html("![x](http://tracker.example/pixel.gif)")


def test_the_same_text_is_worked_out_once() -> None:
    assert to_html("# Once") is to_html("# Once")
