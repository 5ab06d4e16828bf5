"""Feeds of any kind become articles, and what is broken in one item leaves the others whole."""

from __future__ import annotations

from datetime import UTC, datetime
from html import escape
from time import process_time
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.documents.decode import decode
from paraloom.documents.files.feeds import is_feed, read_feed
from paraloom.documents.files.sources import Sources
from paraloom.documents.options import DocumentReadOptions, SourceOptions
from paraloom.engine import foreign
from paraloom.tables import Document, schema

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def documents_of(raw: bytes | str, encoding: str | None = None, **given: Any) -> list[dict[str, Any]]:
    written = raw.encode() if isinstance(raw, str) else raw
    row = {"file": "news.xml", "offset": 0, "raw": written, "format": "xml", "context": b'["feeds"]'}
    sources = Sources(SourceOptions(encoding=encoding))
    records = pa.Table.from_pylist([row], schema=foreign.SCHEMA)
    documents = decode(records, DocumentReadOptions(**given), sources=sources)
    assert documents.schema == schema(Document)
    return documents.to_pylist()


RSS_2 = """<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet href="/look.xsl" type="text/xsl"?>
<!-- <item> in a comment is none </item> -->
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel>
  <title>The Pier &amp; Port</title>
  <link>https://www.pier.example/</link>
  <language>en-GB</language>
  <image><title>A logo</title><url>https://pier.example/logo.png</url></image>
  <item>
    <title>Storm hits the coast</title>
    <link>https://www.pier.example/storm?utm_source=rss</link>
    <guid isPermaLink="false">pier-17</guid>
    <dc:creator><![CDATA[Ada Example]]></dc:creator>
    <pubDate>Sun, 01 Mar 2026 12:00:00 GMT</pubDate>
    <description>In short.</description>
    <content:encoded><![CDATA[<p>The storm hit the coast.</p><p>Trees &amp; masts fell; say &lt;item&gt;.</p>]]>
    </content:encoded>
    <media:content url="https://pier.example/a.jpg"><media:title>No title</media:title></media:content>
  </item>
  <item><title>Nothing more</title><pubDate>Sun, 01 Mar 2026 12:00:00 GMT</pubDate></item>
</channel></rss>"""


def test_an_item_of_rss_is_an_article() -> None:
    storm, empty = documents_of(RSS_2, keep_authors=True)
    assert {
        name: storm[name]
        for name in ("text", "title", "created_at", "author", "language", "urls", "work", "source", "kind", "native_id")
    } == {
        "text": "Storm hits the coast\n\nThe storm hit the coast.\n\nTrees & masts fell; say <item>.",
        "title": "Storm hits the coast",
        "created_at": NOON,
        "author": "ada example",
        "language": "en",
        "urls": ["https://pier.example/storm"],
        "work": None,
        "source": "The Pier & Port",
        "kind": "article",
        "native_id": "pier-17",
    }
    assert RSS_2[storm["offset"] :].startswith("<item>\n    <title>Storm")
    assert storm["dropped_for"] is None
    assert (empty["dropped_for"], empty["kind"]) == ("bad_row: no text", "article")
    assert empty["text"].startswith("<item><title>Nothing more")
    assert RSS_2[empty["offset"] :].startswith("<item><title>Nothing more")


RSS_1 = """<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
<channel rdf:about="https://pier.example/rdf"><title>The Pier</title><link>https://pier.example/</link>
<items><rdf:Seq><rdf:li rdf:resource="https://pier.example/1"/></rdf:Seq></items></channel>
<image rdf:about="https://pier.example/i"><title>A logo</title></image>
<item rdf:about="https://pier.example/1"><title>Storm</title><link>https://pier.example/1</link>
<dc:date>2026-03-01T12:00:00Z</dc:date><description>The storm hit.</description></item>
</rdf:RDF>"""

RSS_091 = """<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://my.netscape.example/rss-0.91.dtd">
<rss version="0.91"><channel><title>The Pier</title><link>https://pier.example/</link>
<ITEM><TITLE>Storm</TITLE><LINK>https://pier.example/1</LINK><pubDate>Sun, 01 Mar 2026 12:00:00 GMT</pubDate>
<DESCRIPTION>The storm hit.</DESCRIPTION></ITEM></channel></rss>"""

ATOM = """<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en"><title type="html">The &lt;b&gt;Pier&lt;/b&gt;</title>
<link rel="self" href="https://pier.example/atom"/><link href="https://pier.example/"/>
<entry><title>Storm</title><link rel="edit" href="https://pier.example/edit"/>
<link rel="alternate" href="https://pier.example/1"/><id>tag:pier.example,2026:1</id>
<author><name>Ada</name><email>ada@pier.example</email></author><source><title>Elsewhere</title></source>
<updated>2026-03-02T12:00:00Z</updated><published>2026-03-01T12:00:00Z</published>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">The <i>storm</i> hit.</div></content></entry></feed>"""

PREFIXED = """<atom:feed xmlns:atom="http://www.w3.org/2005/Atom"><atom:title>The Pier</atom:title>
<atom:entry><atom:title>Storm</atom:title><atom:link href="https://pier.example/1"/>
<atom:updated>2026-03-01T12:00:00Z</atom:updated><atom:summary>The storm hit.</atom:summary></atom:entry></atom:feed>"""


@pytest.mark.parametrize("feed", [RSS_1, RSS_091, ATOM, PREFIXED], ids=["RSS 1.0", "RSS 0.91", "Atom", "prefixed"])
def test_feeds_of_every_kind_are_read(feed: str) -> None:
    assert is_feed(feed.encode())
    (row,) = documents_of(feed)
    assert row["text"] == "Storm\n\nThe storm hit."
    assert row["created_at"] == NOON
    assert row["urls"] == ["https://pier.example/1"]
    assert row["source"] == "The Pier"
    assert row["dropped_for"] is None
    assert feed[row["offset"] :].lower().startswith(("<item", "<entry", "<atom:entry"))


def item(inside: str) -> str:
    return f"<rss><channel><title>The Pier</title><item><title>Storm</title>{inside}</item></channel></rss>"


BODIES = [
    ("<description>Rain &amp;amp; wind</description>", "Rain & wind"),
    ("<description>&lt;p&gt;Rain.&lt;/p&gt;&lt;p&gt;Wind.&lt;/p&gt;</description>", "Rain.\n\nWind."),
    ("<description><p>Rain.</p><br>Wind.</description>", "Rain.\n\nWind."),
    ("<description><![CDATA[<p>Rain.]]>\n<![CDATA[Wind.</p>]]></description>", "Rain. Wind."),
    ("<description>Rain.\n\nWind.</description>", "Rain.\n\nWind."),
    ("<description> </description><content:encoded>Rain.</content:encoded>", "Rain."),
    ("<content:encoded/><description>Rain.</description>", "Rain."),
    ("<content:encoded>&lt;img src='a.jpg'&gt;</content:encoded><description>Rain.</description>", "Rain."),
    ("<summary>Short.</summary><content>Rain, and more.</content>", "Rain, and more."),
    ('<content type="text">a &lt;b&gt; c\n\nd</content>', "a <b> c\n\nd"),
    ('<content type="html">a &lt;b&gt;c&lt;/b&gt;</content>', "a c"),
    ('<content type="image/png">iVBORw0KGgo=</content><summary>Rain.</summary>', "Rain."),
    ('<content src="https://pier.example/v.mp4"/><summary>Rain.</summary>', "Rain."),
    ("<media:description>No.</media:description><media:content>No.</media:content><summary>Rain.</summary>", "Rain."),
    ("<description>Storm</description>", ""),
    ("<description>Storm\nRain.</description>", "Rain."),
    ("<description>Fish & chips, ?a=1&b=2</description>", "Fish & chips, ?a=1&b=2"),
    ("<description>שלום &lt;b&gt;עולם&lt;/b&gt;</description>", "שלום עולם"),
]  # fmt: skip


@pytest.mark.parametrize(("inside", "text"), BODIES)
def test_the_fullest_text_of_an_item_is_taken(inside: str, text: str) -> None:
    (row,) = documents_of(item(inside))
    assert row["text"] == f"Storm\n\n{text}".strip()
    assert row["dropped_for"] is None


TIMES = [
    ("<pubDate>Sun, 01 Mar 2026 07:00:00 -0500</pubDate>", NOON),
    ("<published>2026-03-01T12:00:00Z</published><updated>2027-01-01</updated>", NOON),
    ("<dc:date>2026-03-01T13:00:00+01:00</dc:date>", NOON),
    ("<pubDate></pubDate>", None),
    ("", None),
    ("<pubDate>yesterday</pubDate>", "bad_row: created_at is unreadable"),
    ("<pubDate>Thu, 01 Jan 1970 00:00:00 GMT</pubDate>", "bad_row: created_at is out of range"),
]


@pytest.mark.parametrize(("inside", "expected"), TIMES)
def test_a_date_is_read_or_the_item_is_bad_or_has_none(inside: str, expected: Any) -> None:
    (row,) = documents_of(item(f"{inside}<description>Rain.</description>"))
    assert (row["dropped_for"] or row["created_at"]) == expected
    assert row["text"].startswith("Storm" if row["dropped_for"] is None else "Rain.")


PEOPLE = [
    ("<author>ada@pier.example (Ada Example)</author>", "ada example"),
    ("<author><name>Ada</name><uri>https://ada.example</uri></author>", "ada"),
    ("<dc:creator>Ada</dc:creator><author>desk@pier.example</author>", "ada"),
    ("<author/>", None),
]


@pytest.mark.parametrize(("inside", "author"), PEOPLE)
def test_an_author_is_who_is_named(inside: str, author: str | None) -> None:
    (row,) = documents_of(item(f"{inside}<description>Rain.</description>"), keep_authors=True)
    assert row["author"] == author


LINKS = [
    ("<link>https://pier.example/1</link>", ["https://pier.example/1"]),
    ("<link>https://go.example/1</link><feedburner:origLink>https://pier.example/1</feedburner:origLink>",
     ["https://pier.example/1"]),
    ("<guid>https://pier.example/1</guid>", ["https://pier.example/1"]),
    ('<guid isPermaLink="false">https://pier.example/1</guid>', []),
    ("<link>/relative</link>", []),
    ("", []),
]  # fmt: skip


@pytest.mark.parametrize(("inside", "urls"), LINKS)
def test_the_link_is_that_of_the_article(inside: str, urls: list[str]) -> None:
    (row,) = documents_of(item(f"{inside}<description>See https://other.example/a</description>"))
    assert row["urls"] == urls


def test_an_item_that_is_in_every_copy_of_a_feed_is_one_document() -> None:
    rows = documents_of(RSS_2 + RSS_2)
    assert len(rows) == 4
    assert rows[0]["document_id"] == rows[2]["document_id"] != rows[1]["document_id"]
    assert rows[1]["document_id"] != rows[3]["document_id"]


def test_feeds_behind_each_other_keep_their_titles_and_encodings() -> None:
    def feed(title: str, text: str, encoding: str) -> bytes:
        written = f'<?xml version="1.0" encoding="{encoding}"?><rss xml:lang="fi"><channel><title>{title}</title>'
        written += f"<item><description>{text}</description></item></channel></rss>\n"
        return written.encode(encoding)

    dump = feed("Marché", "Un œuf à 5 €.", "macintosh") + feed("Ranta", "Myrsky iski yöllä.", "iso-8859-1")
    dump += feed("Marché", "Un œuf à 6 €.", "macintosh") + feed("Берег", "Шторм ударил.", "windows-1251")
    dump += b"<feed><title>An empty one</title></feed>"
    dump += ATOM.encode() + feed("Côte", "La tempête.", "utf-8") + RSS_1.encode()
    rows = documents_of(dump)
    assert [(row["source"], row["text"].partition("\n\n")[2] or row["text"]) for row in rows] == [
        ("Marché", "Un œuf à 5 €."),
        ("Ranta", "Myrsky iski yöllä."),
        ("Marché", "Un œuf à 6 €."),
        ("Берег", "Шторм ударил."),
        ("The Pier", "The storm hit."),
        ("Côte", "La tempête."),
        ("The Pier", "The storm hit."),
    ]
    assert [row["language"] for row in rows] == ["fi", "fi", "fi", "fi", "en", "fi", None]
    for row in rows:
        assert dump[row["offset"] :].startswith((b"<item", b"<entry"))


def test_the_encoding_that_is_given_is_that_of_the_feed() -> None:
    (row,) = documents_of(item("<description>Шторм ударил.</description>").encode("cp1251"), encoding="cp1251")
    assert row["text"] == "Storm\n\nШторм ударил."


GOOD = "<item><title>{0}</title><description>Rain number {0}.</description></item>"
BROKEN = [
    ("<item><title>x</title><description>never closed</item>", "bad_row: no text"),
    ("<item><title>x</title><description>Rain.</description>", None),
    ("<item><title>x<description>Rain.</description></item>", None),
    ("<item><title>x</title><description><![CDATA[never closed</description></item>", None),
    ("<item><title>x</title><description>a <b>b & c &nosuch; < d</description></item>", None),
    ("<item ", "bad_row: no text"),
    ("</item </channel>", "no item"),
    ("<item/>", "bad_row: no text"),
    ("<item></item>", "bad_row: no text"),
    ("<item><description>\x00\x01\x1f</description></item>", "bad_row: no text"),
    ("<item><description>Rain.</description><pubDate>soon</pubDate></item>", "bad_row: created_at is unreadable"),
]


@pytest.mark.parametrize(("broken", "reason"), BROKEN)
def test_a_broken_item_leaves_the_others_whole(broken: str, reason: str | None) -> None:
    feed = f"<rss><channel><title>The Pier</title>{GOOD.format(1)}{broken}{GOOD.format(2)}{GOOD.format(3)}"
    rows = documents_of(feed)
    assert len({row["document_id"] for row in rows}) == len(rows)
    found = {row["text"]: row for row in rows}
    for number in (1, 2, 3):
        assert found.pop(f"{number}\n\nRain number {number}.")["dropped_for"] is None
    assert [row["dropped_for"] for row in found.values()] == ([] if reason == "no item" else [reason])


def test_a_feed_that_was_cut_off_gives_what_is_whole() -> None:
    feed = RSS_2 + RSS_2
    for length in range(0, len(feed), 7):
        rows = documents_of(feed[:length]) if is_feed(feed[:length].encode()) else []
        whole = [row for row in rows if row["dropped_for"] is None]
        assert len(whole) >= feed[:length].count("</content:encoded>")


def test_a_feed_without_items_has_no_text() -> None:
    (row,) = documents_of("<rss><channel><title>The Pier</title></channel></rss>")
    assert (row["dropped_for"], row["kind"]) == ("bad_row: no text", "article")


def test_entities_are_neither_expanded_nor_fetched() -> None:
    bomb = "".join(f'<!ENTITY a{n + 1} "{f"&a{n};" * 10}">' for n in range(12))
    feed = f'<!DOCTYPE rss [<!ENTITY a0 "ha"><!ENTITY file SYSTEM "file:///etc/passwd">{bomb}]>'
    (row,) = documents_of(feed + item("<description>&a12; &file; Rain.</description>"))
    assert row["text"] == "Storm\n\n&a12; &file; Rain."


def test_other_xml_is_no_feed() -> None:
    (row,) = documents_of("<TEI><text><p>Rain.</p></text></TEI>")
    assert row["dropped_for"] == "bad_row: XML that is neither a subtitle file of OPUS nor a feed"


def test_an_article_may_be_long_but_not_longer_than_said() -> None:
    rows = documents_of(item(f"<description>{'rain ' * 190_000}</description>"))
    rows += documents_of(item(f"<description>{'rain ' * 2_000_000}</description>"))
    assert [row["dropped_for"] for row in rows] == [None, "bad_row: too long"]
    assert len(rows[0]["text"]) == len("Storm\n\n") + 5 * 190_000 - 1


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=8)
TEXTS = st.lists(WORDS, min_size=1, max_size=8).map(" ".join).filter(lambda text: "]]>" not in f"{text}]]")


@settings(deadline=None)
@given(
    st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=6), st.booleans(), st.sampled_from(["utf-8", "utf-8-sig"])
)
def test_whatever_items_say_comes_back_in_their_order(items: list[tuple[str, str]], plain: bool, encoding: str) -> None:
    def written(text: str) -> str:
        return escape(text, quote=False) if plain else f"<![CDATA[{text}]]>"

    feed = "<feed><title>The Pier</title>" + "".join(
        f'<entry>\n<title type="text">{written(title)}</title><content type="text">{written(text)}</content></entry>'
        for title, text in items
    )
    raw = feed.encode(encoding)
    posts = read_feed(raw, None)
    for post, (title, text) in zip(posts, items, strict=True):
        assert (post.title, post.text) == (title, text)
        assert post.offset is not None
        assert raw[post.offset :].startswith(b"<entry>")


MARKS = """
    <rss> <channel> </channel> <item> </item> <entry> </entry> <title> </title> <description> </description> <![CDATA[
    ]]> <!-- --> <?xml ?> & &lt; < > <link/> <guid> Rain \xff é
"""
PIECES = st.sampled_from(MARKS.split())


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES | st.text(max_size=4), max_size=40))
def test_any_pieces_of_feeds_can_be_read(pieces: list[str]) -> None:
    rows = documents_of("".join(["<rss>", *pieces]).encode("latin-1", "replace"))
    assert rows
    for row in rows:
        assert row["text"] or row["dropped_for"]
        assert row["kind"] == "article"


def test_a_long_dump_is_read_in_time_that_grows_with_its_length() -> None:
    dump = "<rss>" + "".join(GOOD.format(number) for number in range(2_000)) + "<!-- >" * 150_000 + "<item" * 150_000
    began = process_time()
    posts = read_feed(dump.encode(), None)
    assert process_time() - began < 5
    assert len([post for post in posts if post.text]) == 2_000
