"""Subtitle files of OPUS are read, of words or of plain text, and never trusted. All films here are invented."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.documents.decode import decode
from paraloom.documents.files.feeds import is_feed
from paraloom.documents.files.opus import is_opus, read_opus
from paraloom.documents.files.sources import Sources
from paraloom.documents.options import ReadOptions, SourceOptions
from paraloom.documents.shapes.post import BadRow, Post
from paraloom.engine import foreign

META = """  <meta>
    <conversion><encoding>windows-1252</encoding><sentences>5</sentences></conversion>
    <subtitle>
      <date>2014-07-23</date>
      <duration>00:47:58,675</duration>
      <language>Finnish</language>
    </subtitle>
    <source><genre>Comedy,Drama</genre><duration>60</duration><original>English</original><year>2003</year></source>
  </meta>
"""
WORDS = f"""<?xml version="1.0" encoding="utf-8"?>
<document id="4296906">
  <s id="1">
    <time id="T1S" value="00:00:05,897" />
    <w id="1.1">-</w>
    <w id="1.2">How</w>
    <w id="1.3">'d</w>
    <w id="1.4" alternative="You">YOU</w>
    <w id="1.5">sleep</w>
    <w id="1.6">?</w>
  </s>
  <s id="2">
    <w id="2.1">-</w>
    <w id="2.2">Like</w>
    <w id="2.3">a</w>
    <w id="2.4">"</w>
    <w id="2.5">big</w>
    <time id="T1E" value="00:00:08,654" />
    <time id="T2S" value="00:00:09,000" />
    <w id="2.6">baby</w>
    <w id="2.7">"</w>
    <w id="2.8">,</w>
    <w id="2.9">Mike</w>
    <w id="2.10">.</w>
    <time id="T2E" value="00:00:11,000" />
  </s>
{META}</document>
"""
PLAIN = f"""<?xml version="1.0" encoding="utf-8"?>
<document id="3162235">
  <s id="1">
    <time id="T1S" value="00:01:50,446" />
Hitto, tämä
vuotaa.
    <time id="T1E" value="00:01:51,324" />
  </s>
  <s id="2">
    <time id="T2S" value="00:01:51,366" />
Voi itku.
  </s>
  <s id="3">
Haavasta valuu &lt;i&gt;verta&lt;/i&gt; &amp; hiekkaa.
    <time id="T2E" value="00:01:54,403" />
  </s>
  <s id="4">
    <time id="T3S" value="00:01:54,446" />
Kuka sen teki, ja miksi juuri nyt?
    <time id="T5E" value="00:01:59,165" />
  </s>
{META}</document>
"""


def read(file: str | bytes, encoding: str | None = None) -> Post:
    raw = file if isinstance(file, bytes) else file.encode()
    assert is_opus(raw)
    (post,) = read_opus(raw, encoding)
    return post


def shown(post: Post) -> list[tuple[str, float, float]]:
    assert isinstance(post.text, str)
    return [(post.text[start:end], begins_at, ends_at) for start, end, begins_at, ends_at in post.captions]


def test_words_are_put_together_caption_by_caption() -> None:
    assert shown(read(WORDS)) == [
        ("- How'd YOU sleep?\n- Like a \"big", 5.897, 8.654),
        ('baby", Mike.', 9.0, 11.0),
    ]


def test_plain_text_has_marks_around_sentences_only() -> None:
    assert shown(read(PLAIN)) == [
        ("Hitto, tämä vuotaa.", 110.446, 111.324),
        ("Voi itku.\nHaavasta valuu verta & hiekkaa.", 111.366, 114.403),
        ("Kuka sen teki, ja miksi juuri nyt?", 114.446, 119.165),
    ]


@pytest.mark.parametrize("file", [WORDS, PLAIN], ids=["words", "plain"])
def test_what_is_told_about_the_subtitles_is_kept(file: str) -> None:
    post = read(file)
    assert (post.kind, post.language, post.created_at) == ("subtitle", "fi", "2014-07-23")
    assert post.is_repaired
    assert "Comedy" not in str(post.text)
    post = read(file.replace(META, ""))
    assert (post.language, post.created_at) == (None, None)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Chinese (simplified)", "zh"),
        ("Portuguese (BR)", "pt"),
        ("swedish", "sv"),
        ("fi", "fi"),
        ("", None),
        ("Klingon", None),
    ],
)
def test_languages_have_their_codes(name: str, code: str | None) -> None:
    assert read(PLAIN.replace("Finnish", name)).language == code


@pytest.mark.parametrize("date", ["", "0000-00-00", "1970-01-01", "yesterday", "2014-02-30"])
def test_a_day_that_cannot_be_is_left_out(date: str) -> None:
    post = read(PLAIN.replace("2014-07-23", date))
    assert post.created_at is None


def test_marks_may_be_missing() -> None:
    post = read(
        '<document><s>Before.</s><s><time id="T1S" value="00:00:01,000"/>One.</s><s>Two.</s>'
        '<s><time id="T2S" value="00:00:09,000"/>Three.<time id="T2E" value="oops"/></s><s>Four.</s>'
        '<s><time id="T3S" value=""/>Five.</s></document>'
    )
    assert shown(post) == [("Before.\nOne.\nTwo.", 1.0, 2.0), ("Three.\nFour.\nFive.", 9.0, 10.059)]


def test_captions_out_of_order_are_sorted() -> None:
    late, early = (
        f'<s><time id="T1S" value="00:00:0{second},000"/>{said}</s>' for second, said in ((9, "Late."), (3, "Early."))
    )
    assert read(f"<document>{late}{early}</document>").text == "Early.\nLate."


def test_sounds_and_credits_are_left_out() -> None:
    file = PLAIN.replace("Hitto, tämä\nvuotaa.", "[huokaus]").replace(
        "Kuka sen teki, ja miksi juuri nyt?", "www.example.org"
    )
    assert read(file).text == "Voi itku.\nHaavasta valuu verta & hiekkaa."


ENCODED = [
    (PLAIN.encode("utf-8-sig"), None),
    (PLAIN.replace("utf-8", "iso-8859-1").encode("latin-1"), None),
    (PLAIN.replace("utf-8", "windows-1252").encode("cp1252"), None),
    (PLAIN.encode("cp1252"), None),  # it claims to be UTF-8
    (PLAIN.replace("utf-8", "utf-16").encode(), None),  # recoded when it was opened
    (PLAIN.replace("utf-8", "no-such-thing").encode("cp1252"), None),
    (PLAIN.encode("mac-roman"), "mac-roman"),
    (PLAIN.replace("tämä", "tä\x0bmä\x1f").encode(), None),
    (
        PLAIN.replace(
            '<?xml version="1.0" encoding="utf-8"?>', "<!-- <rss> --><!DOCTYPE document SYSTEM 'x.dtd'>"
        ).encode(),
        None,
    ),
]


@pytest.mark.parametrize(("raw", "encoding"), ENCODED)
def test_encodings_are_found_whatever_is_claimed(raw: bytes, encoding: str | None) -> None:
    assert read(raw, encoding).text == read(PLAIN).text


BILLION_LAUGHS = """<?xml version="1.0"?>
<!DOCTYPE document [
  <!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
]>
<document><s><time id="T1S" value="00:00:01,000"/>&c;</s></document>
"""
OUTSIDE = """<?xml version="1.0"?>
<!DOCTYPE document [<!ENTITY secret SYSTEM "file:///etc/hostname">]>
<document><s><time id="T1S" value="00:00:01,000"/>&secret;</s></document>
"""
REFUSED = [
    (BILLION_LAUGHS, "declares entities"),
    (OUTSIDE, "declares entities"),
    (BILLION_LAUGHS.replace("ENTITY", "ENTITY %"), "declares entities"),
    (PLAIN[:400], "broken XML: unclosed token"),
    (PLAIN[:120], "broken XML: no element found"),
    (PLAIN.replace("</s>", "</x>"), "broken XML: mismatched tag"),
    (PLAIN.replace("&amp;", "&nbsp;"), "broken XML: undefined entity"),
    (PLAIN.replace("&amp;", "&"), "broken XML: not well-formed"),
    ("<document><s>Said, but when?</s></document>", "no times"),
    ("<document><s></s></document>", "no captions"),
    ('<document><s><time id="T1S" value="00:00:01,000"/>[sighs]</s></document>', "no captions with words"),
    ("<document><s/>" + "<x>" * 100_000 + "</x>" * 100_000 + "</document>", "nested too deeply"),
]


@pytest.mark.parametrize(("file", "reason"), REFUSED, ids=[reason for _, reason in REFUSED])
def test_files_that_are_broken_or_dangerous_are_refused_with_a_reason(file: str, reason: str) -> None:
    with pytest.raises(BadRow, match=reason):
        read(file)


def test_other_xml_is_not_taken_for_it() -> None:
    for other in (
        b'<?xml version="1.0"?><rss version="2.0"><channel><item><title>A document</title></item></channel></rss>',
        b"<html><s>struck</s></html>",
        b"<document><paragraph>x</paragraph></document>",
        b"<documents><s>x</s></documents>",
        b"",
        b"no xml",
    ):
        assert not is_opus(other)
    assert not is_feed(PLAIN.encode())


TAGS = """<document> </document> <s> <s/> </s> <w> </w> <w/> <meta> </meta> <subtitle> </subtitle> <language>
</language> <time/> word " ' . & &amp; &#0; <![CDATA[ ]]> <!-- --> <?xml?> ]> &a; ä"""
MARKS = [
    '<time id="T1S" value="00:00:01,000"/>',
    '<time id="T1E" value="00:00:02,000"/>',
    '<time id="E" value="-1:00"/>',
]
PIECES = st.sampled_from([*TAGS.split(), *MARKS, "<!DOCTYPE x [", '<!ENTITY a "b">'])


@settings(max_examples=400)
@given(st.lists(PIECES | st.text(max_size=4), max_size=30), st.booleans(), st.binary(max_size=3))
def test_no_bytes_make_reading_fail_and_offsets_are_exact(pieces: list[str], is_whole: bool, tail: bytes) -> None:
    inner = "".join(pieces).encode("utf-8", "replace")
    raw = b"<document><s>" + inner + tail + b"</s></document>" if is_whole else inner + tail
    is_opus(raw)
    try:
        (post,) = read_opus(raw, None)
    except BadRow:
        return
    assert isinstance(post.text, str)
    assert "\n".join(text for text, _, _ in shown(post)) == post.text


def test_the_work_is_the_folder() -> None:
    columns = {
        "file": ["4296906.xml"],
        "offset": [0],
        "raw": [PLAIN.encode()],
        "format": ["xml"],
        "context": [b'["fi","2003","364845"]'],
    }
    records = foreign.SCHEMA.empty_table().from_pydict(columns, schema=foreign.SCHEMA)
    (row,) = decode(records, ReadOptions(), sources=Sources(SourceOptions())).to_pylist()
    assert (row["work"], row["kind"], row["language"], row["dropped_for"]) == ("fi/2003/364845", "subtitle", "fi", None)
    assert str(row["created_at"]).startswith("2014-07-23")
