"""Subtitle files are read however carelessly they were written. All films here are invented."""

from __future__ import annotations

import gc
import random
import time

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.documents.decode import decode, decode_cues
from paraloom.documents.files.captions import lines_of
from paraloom.documents.files.sources import Sources
from paraloom.documents.files.subtitles import read_srt, read_vtt
from paraloom.documents.options import ReadOptions, SourceOptions
from paraloom.documents.shapes.post import BadRow, Post
from paraloom.engine import foreign

SRT = """1
00:00:01,000 --> 00:00:02,500
Good morning.

2
00:00:03,000 --> 00:00:04,250
- Is it morning?
- It is.

3
00:00:05,000 --> 00:00:06,000
So be it.
"""
TEXT = "Good morning.\n- Is it morning?\n- It is.\nSo be it."
TIMES = [(1.0, 2.5), (3.0, 4.25), (5.0, 6.0)]


def only(posts: list[Post]) -> Post:
    (post,) = posts
    return post


def srt(text: str, encoding: str = "utf-8") -> Post:
    return only(read_srt(text.encode(encoding), None))


def vtt(text: str) -> Post:
    return only(read_vtt(text.encode(), None))


def shown(post: Post) -> list[str]:
    assert isinstance(post.text, str)
    return [post.text[start:end] for start, end, _, _ in post.captions]


def times(post: Post) -> list[tuple[float, float]]:
    return [(begins_at, ends_at) for _, _, begins_at, ends_at in post.captions]


def test_a_sound_file_is_one_document_with_its_captions() -> None:
    post = srt(SRT)
    assert post.text == TEXT
    assert times(post) == TIMES
    assert shown(post) == ["Good morning.", "- Is it morning?\n- It is.", "So be it."]
    assert (post.kind, post.platform, post.native_id, post.language) == ("subtitle", "unknown", None, None)
    assert post.is_repaired


CARELESS = {
    "a mark at the beginning": "\ufeff" + SRT,
    "Windows line ends": SRT.replace("\n", "\r\n"),
    "Macintosh line ends": SRT.replace("\n", "\r"),
    "a blank line after every line": SRT.replace("\n", "\n\n"),
    "no blank lines": SRT.replace("\n\n", "\n"),
    "blank lines of blanks": SRT.replace("\n\n", "\n  \t\n"),
    "blanks at the ends of lines": SRT.replace("\n", " \t\n"),
    "no numbers": SRT.replace("1\n0", "0").replace("2\n0", "0").replace("3\n0", "0"),
    "one number for all": SRT.replace("2\n0", "1\n0").replace("3\n0", "1\n0"),
    "a number missing": SRT.replace("\n\n2\n", "\n\n"),
    "numbers far apart": SRT.replace("2\n0", "1002\n0").replace("3\n0", "7\n0"),
    "numbers before times": SRT.replace("1\n0", "1 0").replace("2\n0", "2 0").replace("3\n0", "3 0"),
    "points for commas": SRT.replace(",", "."),
    "colons for commas": SRT.replace(",", ":"),
    "no hours": SRT.replace("00:00:0", "00:0"),
    "short arrows": SRT.replace("-->", "->"),
    "long arrows": SRT.replace("-->", "--->"),
    "dashes for arrows": SRT.replace("-->", "–>"),
    "no blanks around arrows": SRT.replace(" --> ", "-->"),
    "blanks within times": SRT.replace(":", ": "),
    "places on the screen": SRT.replace("\n- Is", " X1:100 X2:600 Y1:050 Y2:100\n- Is"),
    "text before the first caption": "A film that was never made\n\n" + SRT,
    "no line end at the end": SRT.rstrip(),
    "an empty caption": SRT + "\n4\n00:00:08,000 --> 00:00:09,000\n\n",
    "a caption of notes": SRT + "\n4\n00:00:08,000 --> 00:00:09,000\n♪ ♪\n",
    "a caption cut off": SRT + "\n4\n00:00:08,0",
    "a caption twice": SRT + SRT[:46],
    "another order": SRT[46:] + "\n" + SRT[:46],
    "a caption before the film": "0\n-00:00:05,000 --> -00:00:03,000\nNever.\n\n" + SRT,
    "a caption behind the film": SRT + "\n4\n99:59:59,000 --> 99:59:59,999\nNever.\n",
    "a tag around all": SRT.replace("Good morning.", '<font color="#fff"><i>Good morning.</i></font>'),
    "a place on the line": SRT.replace("Good", "{\\an8}Good"),
    "a WebVTT file by name": "WEBVTT\n\n" + SRT,
}


@pytest.mark.parametrize("file", CARELESS.values(), ids=CARELESS.keys())
def test_careless_files_are_read_as_they_were_meant(file: str) -> None:
    post = srt(file)
    assert post.text == TEXT
    assert times(post) == TIMES


@pytest.mark.parametrize("file", CARELESS.values(), ids=CARELESS.keys())
def test_files_are_known_by_what_is_in_them(file: str) -> None:
    post = only(read_vtt(file.encode(), None))
    assert post.text == TEXT
    assert times(post) == TIMES


def test_text_behind_the_times_is_said() -> None:
    assert srt("1\n00:00:01,000 --> 00:00:02,000 Good morning.\nAll of you.\n").text == "Good morning.\nAll of you."


def test_a_blank_line_does_not_end_a_caption() -> None:
    assert srt(SRT.replace("?\n- It", "?\n\n- It")).text == TEXT


def test_numbers_that_are_said_stay() -> None:
    said = SRT.replace("- It is.", "42").replace("So be it.", "1984")
    assert srt(said).text == "Good morning.\n- Is it morning?\n42\n1984"
    unnumbered = said.replace("1\n0", "0").replace("2\n0", "0", 1).replace("3\n0", "0")
    assert srt(unnumbered).text == "Good morning.\n- Is it morning?\n42\n1984"


def test_text_whose_times_cannot_be_read_is_left_out() -> None:
    assert srt(SRT.replace("00:00:03,000", "00:O0:O3,000")).text == "Good morning.\nSo be it."
    assert srt(SRT.replace("00:00:03,000 --> 00:00:04,250\n", "")).text == "Good morning.\nSo be it."


def test_an_end_before_the_beginning_is_mended() -> None:
    assert times(srt(SRT.replace("00:00:04,250", "00:00:02,250"))) == [(1.0, 2.5), (3.0, 4.471), (5.0, 6.0)]


def test_captions_out_of_order_lie_where_they_say() -> None:
    captions = [
        f"{number}\n00:00:{number:02},000 --> 00:00:{number:02},900\nWord {number}\n" for number in range(10, 40)
    ]
    random.Random(1).shuffle(captions)
    post = srt("\n".join(captions))
    assert shown(post) == [f"Word {number}" for number in range(10, 40)]
    assert times(post) == [(number, number + 0.9) for number in range(10, 40)]


VTT = """\ufeffWEBVTT - A film that was never made
Kind: captions
X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000

STYLE
::cue { color: papayawhip; }

REGION
id:bill width:40% lines:3

NOTE A word to those who read this file
--- it is not said

NOTE one line

intro
00:01.000 --> 00:02.500 align:start position:10%,line-left region:bill
<v Anna>Good morning.</v>

00:00:03.000 --> 00:00:04.250 line:0
<v.loud Ben>- Is it <c.yellow>morning</c>?
- It <00:00:04.000>is.</v>

Nobody says this.

3
00:00:05.000 --> 00:00:06.000
So be it.

NOTE the end
"""


def test_webvtt_has_notes_styles_names_and_voices() -> None:
    post = vtt(VTT)
    assert post.text == TEXT
    assert times(post) == TIMES
    assert srt(VTT).text == TEXT


def test_webvtt_may_lack_blank_lines_too() -> None:
    post = vtt("WEBVTT\n1\n00:01.000 --> 00:02.500\nGood morning.\n2\n00:03.000 --> 00:04.000\nIs it?\n")
    assert post.text == "Good morning.\nIs it?"


def test_a_broken_line_of_times_ends_a_caption() -> None:
    assert vtt("WEBVTT\n\n00:01.000 --> 00:02.000\nGood.\n00:0x.000 --> 00:04.000\nNobody\n").text == "Good."


REFUSED = [
    ("", "no captions"),
    ("Just a text\nof two lines.", "no captions"),
    ("WEBVTT\n\nNOTE nothing\n", "no captions"),
    ("{100}{150}Good morning.|All of you.\n{160}{200}Is it?\n", "MicroDVD, not SubRip"),
    ("[10][15]Good morning.\n", "MPL2, not SubRip"),
    (
        "[Script Info]\nTitle: x\n[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,Good.\n",
        "SubStation Alpha",
    ),
    ("00:00:01.00,00:00:02.00\nGood morning.\n", "SubViewer"),
    ("00:00:01:Good morning.\n", "TMPlayer"),
    ("<SAMI><BODY><SYNC Start=1000><P>Good morning.</BODY></SAMI>", "SAMI"),
    ("<!DOCTYPE html><html><body>404</body></html>", "HTML"),
    ("1\n00:00:01,000 --> 00:00:02,000\n[sighs]\n", "no captions with words"),
    ("1\n99:00:01,000 --> 99:00:02,000\nNever.\n", "no captions with words"),
    ("1\n00:00:01,000 --> 00:00:02,000\n" + "word " * 5000, "no captions with words"),
]


@pytest.mark.parametrize(("file", "reason"), REFUSED)
@pytest.mark.parametrize("read", [read_srt, read_vtt])
def test_what_is_no_subtitle_file_is_refused_with_a_reason(read, file: str, reason: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(BadRow, match=reason):
        read(file.encode(), None)


def test_a_picture_is_refused() -> None:
    with pytest.raises(BadRow, match="not a text"):
        read_srt(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20, None)


ENCODED = [
    ("Mitä sä täällä teet?\nEn mä tiedä, älä kysy.", "cp1252"),
    ("Proszę, usiądź. Źle się czuję.\nMyślałem, że śpisz.", "cp1250"),
    ("Čekal jsem, až přijdeš.\nTen kůň už je žíznivý.", "iso-8859-2"),
    ("Что ты здесь делаешь?\nЯ думал, ты спишь.", "cp1251"),
    ("Τι κάνεις εδώ;\nΝόμιζα ότι κοιμάσαι.", "iso-8859-7"),
    ("Uyuduğunu sanıyordum.\nKar yağmaya başlıyor.", "iso-8859-9"),
    ("你在这里做什么？\n我以为你已经睡了。", "gb18030"),
    ("ここで何をしているの？\nもう寝たと思っていたよ。", "shift_jis"),
    ("여기서 뭐 해?\n벌써 자는 줄 알았어.", "euc-kr"),
    ("Vad gör du här?\nJag väntade på dig.", "utf-16"),
    ("Vad gör du här?\nJag väntade på dig.", "utf-16-be"),
    ("Vad gör du här?\nJag väntade på dig.", "utf-8-sig"),
]


@pytest.mark.parametrize(("text", "encoding"), ENCODED, ids=[encoding for _, encoding in ENCODED])
def test_encodings_are_guessed(text: str, encoding: str) -> None:
    first, second = text.split("\n")
    file = f"1\n00:00:01,000 --> 00:00:02,000\n{first}\n\n2\n00:00:03,000 --> 00:00:04,000\n{second}\n"
    assert srt(file, encoding).text == text
    assert only(read_srt(file.encode(encoding), encoding)).text == text


def test_lines_in_another_encoding_do_not_ruin_the_rest() -> None:
    good = [
        f"{number}\n00:00:{number:02},000 --> 00:00:{number:02},900\nTyttö nro {number} söi äyriäistä.\n\n"
        for number in range(20)
    ]
    raw = b"".join(cue.encode("cp1252" if number in (3, 11) else "utf-8") for number, cue in enumerate(good))
    assert shown(only(read_srt(raw, None))) == [f"Tyttö nro {number} söi äyriäistä." for number in range(20)]


def test_mojibake_of_an_earlier_conversion_is_mended() -> None:
    assert srt(SRT.replace("So be it.", "Ã„iti, tÃ¤nne!")).text == TEXT.replace("So be it.", "Äiti, tänne!")


LINES = r"""1
2
00:00:01,000 --> 00:00:02,000
00:00:09,000 --> 00:00:01,000
00:01.5 --> 00:02
00:00:0x,000 --> 00:00:02,000
-00:00:01,000 --> 1:00
99:99:99,999 --> 99:99:99,999
WEBVTT
NOTE
- Good.
<i>Bad</i>
{\an8}
[sighs]
♪
Subtitles by Ada
&amp;lt;i&amp;gt;x
{1}{2}x
-->
Ärlig
１２
٣
"""
LINE = st.sampled_from(["", " ", *LINES.split("\n")])
PARTS = st.lists(
    LINE.map(lambda line: line.encode() + b"\n")
    | st.binary(max_size=12)
    | st.sampled_from([b"\r", b"\r\n", b"\n", b"\xff\xfe", b"\xef\xbb\xbf", b"\x00", b"\xe4", b"\xc3"]),
    max_size=40,
).map(b"".join)


@settings(max_examples=400)
@given(PARTS)
def test_no_bytes_make_reading_fail_and_offsets_are_exact(raw: bytes) -> None:
    for read in (read_srt, read_vtt):
        try:
            post = only(read(raw, None))
        except BadRow:
            continue
        text = post.text
        assert isinstance(text, str)
        assert text == "\n".join(shown(post))
        assert all("\n".join(lines_of(caption)) == caption for caption in shown(post))
        end = -1
        for caption in post.captions:
            assert end < caption.start < caption.end
            end = caption.end
            assert 0 <= caption.begins_at < caption.ends_at


CUE = "1\n00:00:01,000 --> 00:00:02,000\n"
JUNK = {
    "one letter": "a",
    "line ends": "\n",
    "numbers": "1\n",
    "arrows": "-->",
    "lines of arrows": "1 -->\n",
    "times without an end": "00:00:01,000 --> ",
    "digits": "0:",
    "lines of digits": "0:0 -->\n",
    "blanks": " ",
    "tags that do not close": "<",
    "tags": "<i>",
    "overrides": "{\\",
    "brackets": "[(",
    "stars": "*",
    "captions": CUE + "x\n\n",
    "empty captions": CUE,
    "long captions": CUE + "Ã¤<i>{\\" * 300 + "\n\n",
    "captions of lines": CUE + "a\n" * 2000 + "\n",
    "settings": "00:00:01,000 --> 00:00:02,000 " + "a:b " * 70 + "\n",
    "notes": "NOTE\n\n",
}


@pytest.mark.parametrize("piece", JUNK.values(), ids=JUNK.keys())
def test_megabytes_of_junk_take_time_in_proportion(piece: str) -> None:
    def taken(size: int) -> float:
        begun = time.thread_time()
        for start in ("", CUE, "WEBVTT\n\n" + CUE):
            try:
                read_srt((start + piece * (size // len(piece))).encode(), None)
            except BadRow:
                continue
        return time.thread_time() - begun

    gc.freeze()  # else what thousands of tests before have left is looked through again and again
    try:
        taken(1 << 14)
        usual = min(taken(1 << 16) for _ in range(2))  # another process may have had the core
        # A busy machine may spoil one try; what takes quadratic time never passes.
        assert any(taken(1 << 19) < 8 * 3 * usual + 0.5 for _ in range(3))
    finally:
        gc.unfreeze()


def test_offsets_survive_until_the_tables() -> None:
    files = [SRT.encode(), SRT.replace("Good", "<i>Gööd</i>").encode("cp1252"), b"no captions"]
    columns = {
        "file": [f"{number}.srt" for number in range(3)],
        "offset": [0] * 3,
        "raw": files,
        "format": ["srt"] * 3,
        "context": [b'["films","Tenet"]'] * 3,
    }
    records = pa.table(columns, schema=foreign.SCHEMA)
    sources = Sources(SourceOptions())
    documents = decode(records, ReadOptions(), sources=sources).to_pylist()
    assert [row["dropped_for"] for row in documents] == [None, None, "bad_row: no captions"]
    assert [row["work"] for row in documents[:2]] == ["films/Tenet", "films/Tenet"]
    texts = {row["document_id"]: row["text"] for row in documents}
    cues = decode_cues(records, ReadOptions(), sources).to_pylist()
    found = [texts[cue["document_id"]][cue["start"] : cue["end"]] for cue in cues]
    assert found == [*shown(srt(SRT)), "Gööd morning.", *shown(srt(SRT))[1:]]
