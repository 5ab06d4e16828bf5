"""Captions lose their markup and keep their words, their order and their place. All captions here are invented."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.documents.files.captions import LONGEST_TEXT, Timed, lines_of, subtitle
from paraloom.documents.files.credits import is_credit
from paraloom.documents.shapes.post import UNKNOWN, BadRow, Post
from paraloom.text.normalise import repair

CLEANED = [
    ("Good morning.", ["Good morning."]),
    ("<i>Good</i> <b>morning</b>, <u>all</u>.", ["Good morning, all."]),
    ('<font color="#ffff00" size=12>Good\nmorning.</font>', ["Good", "morning."]),
    ("<I>Good morning.</I", ["Good morning."]),
    ("< i >Good< / i > morning.</ font>", ["Good morning."]),
    ("{\\an8}{\\i1}Good morning.{\\i0}", ["Good morning."]),
    ("{\\pos(192,240)}Good{\\r} morning.", ["Good morning."]),
    ("{y:i}Good morning.", ["Good morning."]),
    ("{\\an8 Good morning.", ["Good morning."]),
    ("{an8}Good {morning}.", ["Good {morning}."]),
    ("Good\\Nmorning,\\hall.", ["Good", "morning, all."]),
    ("Good<br/>morning.", ["Good", "morning."]),
    ("<v Anna Maria>Good morning.</v>", ["Good morning."]),
    ("<v.loud Anna><c.yellow>Good <00:00:01.500>morning.</c></v>", ["Good morning."]),
    ("<lang fi>Huomenta.</lang>", ["Huomenta."]),
    ("<ruby>朝<rt>あさ</rt></ruby>です", ["朝です"]),
    ("Fish &amp; chips &lt;3 &quot;now&quot;", ['Fish & chips <3 "now"']),
    ("&lt;i&gt;Good morning.&lt;/i&gt;", ["Good morning."]),
    ("One < two and three > two", ["One < two and three > two"]),
    ("cafÃ© crÃ¨me", ["café crème"]),
    ("  Good \t  morning. \n\n\u00a0all ", ["Good morning.", "all"]),
    ("-Good morning.\n- Is it?\n– Yes.", ["-Good morning.", "- Is it?", "– Yes."]),
    ("♪ Good morning, good morning ♪", ["Good morning, good morning"]),
    ("# Good morning #", ["Good morning"]),
    ("#metoo is #1", ["#metoo is #1"]),
    ("[door slams]\nWho is it?", ["Who is it?"]),
    ("[ANNA] Who is it?", ["[ANNA] Who is it?"]),
    ("(He is lying.)", ["(He is lying.)"]),
    ("3… 2… 1…", ["3… 2… 1…"]),
    ("我不知道。\n（你知道吗？）", ["我不知道。", "（你知道吗？）"]),
]
EMPTY = [
    "", " \n\t", "<i></i>", "{\\an8}", "♪", "♪♪♪ ♫", "# #", "...", "-", "- …", "?!",
    "[sighs]", "(LAUGHS)", "(LAUGHS.)", "(door closes)", "- [sighs]\n- (coughs)", "[wind\nhowling]", "*coughs*",
    "（笑声）", "【音乐】", "［拍手］", "<i>[sighs]</i>", "&nbsp;", "[MAN]:", "\u200b\ufeff",
]  # fmt: skip


@pytest.mark.parametrize(("text", "lines"), CLEANED)
def test_markup_goes_and_words_stay(text: str, lines: list[str]) -> None:
    assert list(lines_of(text)) == lines


@pytest.mark.parametrize("text", EMPTY)
def test_captions_without_a_word_that_is_said_are_left_out(text: str) -> None:
    assert lines_of(text) == ()


def test_a_text_too_long_for_any_screen_is_no_caption() -> None:
    assert lines_of("a" * LONGEST_TEXT) == ("a" * LONGEST_TEXT,)
    assert lines_of("a" * (LONGEST_TEXT + 1)) == ()


CREDITS = [
    "Subtitles by Ada",
    "- Subtitles and timing by Ada -",
    "Captioned by the Example Group",
    "Synced and corrected by ada",
    "Sync: ada",
    "OpenSubtitles",
    "Downloaded from www.example.org",
    "Visit http://example.org for more",
    "Please rate this subtitle",
    "Support us and become VIP member",
    "Suomennos: Aino Esimerkki",
    "Tekstitys:\nAino Esimerkki",
    "Undertexter: Eva Exempel",
    "Untertitel: Eva Beispiel",
    "Sous-titres : Ève Exemple",
    "Napisy: Ewa Przykład",
    "Titulky: Eva Příkladová",
    "Субтитры: Ева",
    "字幕：某某",
    "某某字幕组",
]
CREDITS_AT_AN_EDGE = [
    "Translation: Ada",
    "Translated by\nAda",
    "Översättning och text:",
    "Tłumaczenie i korekta: Ewa",
    "Překlad a časování: Eva",
    "Käännös: Aino",
    "Text: Eva",
    "Перевод: Ева",
    "example.org",
    "- EXAMPLE.ORG -",
    "All about films\nexample.film.pl",
    "Downloaded from films.se",
    "Visit films.de",
    "filmtexter.se",
    "Hämtad från FILMER.SE",
    "© Example",
]
SAID = [
    "Good morning.",
    "Translate this by noon, please.",
    "Sync your watches, and be back by noon.",
    "Ripped apart by wolves.",
    "Text me when you are there.",
    "Text a friend.",
    "The subtitles are wrong, by the way.",
    "Subs off the coast, sir!",
    "He was corrected twice.",
    "Napisy na murze zniknęły.",
    "Who are they by?",
    "Suomennos on hyvä.",
    "What is Dr. No doing?",
    "Wait.Come here.",
    "Stop.It hurts",
    "Stop.it hurts",
    "Stop.it.",
    "Stop.IT HURTS",
    "STOP.IT HURTS",
    "No.De verdad no.",
    "Ja.Es ist vorbei.",
    "Ni.Se hörru!",
    "I found her on films.com, of all places.",
    "Write to ada@films.com.",
    "It was 3.de Mayo, or so.",
]


@pytest.mark.parametrize("text", CREDITS)
def test_credits_are_known_anywhere(text: str) -> None:
    assert is_credit(text, at_an_edge=False)


@pytest.mark.parametrize("text", CREDITS_AT_AN_EDGE)
def test_what_a_film_might_say_is_a_credit_only_where_credits_stand(text: str) -> None:
    assert is_credit(text, at_an_edge=True)
    assert not is_credit(text, at_an_edge=False)


@pytest.mark.parametrize("text", SAID)
def test_what_is_said_is_no_credit(text: str) -> None:
    assert not is_credit(text, at_an_edge=True)


def made(*captions: tuple[float, float, str]) -> Post:
    return subtitle(Timed(*caption) for caption in captions)


def shown(post: Post) -> list[tuple[str, float, float]]:
    assert isinstance(post.text, str)
    return [(post.text[start:end], begins_at, ends_at) for start, end, begins_at, ends_at in post.captions]


def test_a_document_is_its_captions_line_by_line() -> None:
    post = made((1.0, 2.0, "One\ntwo"), (3.0, 4.0, "<i>three</i>"))
    assert post.text == "One\ntwo\nthree"
    assert shown(post) == [("One\ntwo", 1.0, 2.0), ("three", 3.0, 4.0)]
    assert (post.kind, post.platform, post.native_id, post.is_repaired) == ("subtitle", UNKNOWN, None, True)


def test_captions_are_put_in_the_order_of_time() -> None:
    post = made((5.0, 6.0, "last"), (1.0, 2.0, "first"), (3.0, 4.0, "then"), (3.0, 3.5, "also then"))
    assert post.text == "first\nthen\nalso then\nlast"


def test_an_end_that_cannot_be_is_mended() -> None:
    text = "a caption that takes a while to read"
    post = made((10.0, 9.0, text), (20.0, 20.0, "b"), (20.5, 21.0, "c"), (30.0, 5000.0, "d"), (40.0, 2.0, "w" * 500))
    assert [ends_at for _, _, ends_at in shown(post)] == [round(10 + len(text) / 17, 3), 20.5, 21.0, 31.0, 47.0]


@pytest.mark.parametrize("begins_at", [-1.0, -0.001, 100_000.0, float("inf"), float("nan")])
def test_a_caption_at_a_time_that_cannot_be_is_left_out(begins_at: float) -> None:
    assert made((begins_at, begins_at + 2, "never"), (1.0, 2.0, "now")).text == "now"


def test_overlapping_captions_are_all_there() -> None:
    post = made((1.0, 5.0, "sign: CLOSED"), (2.0, 3.0, "Hello?"), (2.5, 4.0, "Anybody?"))
    assert shown(post) == [("sign: CLOSED", 1.0, 5.0), ("Hello?", 2.0, 3.0), ("Anybody?", 2.5, 4.0)]


def test_a_caption_that_is_repeated_while_it_is_shown_is_there_once() -> None:
    post = made((1.0, 3.0, "No!"), (1.0, 3.0, "No!"), (2.0, 4.0, "<i>No!</i>"), (7.0, 8.0, "No!"))
    assert [(text, begins_at) for text, begins_at, _ in shown(post)] == [("No!", 1.0), ("No!", 7.0)]


def test_lines_that_roll_up_are_there_once() -> None:
    said = [f"line number {number} of many" for number in range(20)]
    rolled = [(0.0, 2.0, said[0])]
    for number in range(1, 20):
        rolled.append((2.0 * number, 2.0 * number + 0.01, said[number - 1]))
        rolled.append((2.0 * number + 0.01, 2.0 * number + 2, f"{said[number - 1]}\n{said[number]}"))
    assert made(*rolled).text == "\n".join(said)


def test_a_word_said_again_does_not_make_captions_roll() -> None:
    captions = [(float(number), number + 1.0, f"Word {number}") for number in range(8)]
    post = made(*captions, (8.0, 9.0, "Word 7\nindeed"))
    assert isinstance(post.text, str)
    assert post.text.endswith("Word 7\nWord 7\nindeed")


def test_credits_are_left_out() -> None:
    said = [(float(number), number + 0.9, f"Word {number}") for number in range(1, 30)]
    post = made((0.0, 0.9, "Translation: Ada"), *said[:15], (15.95, 15.99, "www.example.org"), *said[15:])
    assert post.text == "\n".join(f"Word {number}" for number in range(1, 30))


def test_captions_without_words_make_no_document() -> None:
    for captions in ([], [(1.0, 2.0, "♪")], [(1.0, 2.0, "Subtitles by Ada")], [(-3.0, 2.0, "never")]):
        with pytest.raises(BadRow, match="no captions with words"):
            made(*captions)


MARKUP = r"""<i> </i> < > & amp; &lt; i {\an8} { } \N ♪ [ ] ( ) a Ä ä Ã ¤ . - # * www. 字 e &#10;"""
UNSEEN = ["\n", "\r", " ", "\u0308", "\u200b", "\u200d", "\x85", "\x00"]
PIECES = st.sampled_from([*MARKUP.split(), *UNSEEN])
TEXTS = st.lists(PIECES | st.text(max_size=3), max_size=25).map("".join)
TIMES = st.integers(-5_000, 60_000).map(lambda number: number / 1000) | st.floats()


@given(st.lists(st.builds(Timed, TIMES, TIMES, TEXTS), max_size=12))
def test_every_caption_lies_exactly_where_it_says(captions: list[Timed]) -> None:
    try:
        post = subtitle(captions)
    except BadRow:
        return
    text = post.text
    assert isinstance(text, str)
    texts = {"\n".join(lines_of(caption.text)) for caption in captions}
    pieces = [text[start:end] for start, end, _, _ in post.captions]
    assert all(piece in texts for piece in pieces)
    assert "\n".join(pieces) == text
    end = -1
    for caption in post.captions:
        assert caption.start == end + 1
        assert caption.end > caption.start
        end = caption.end
        assert caption.ends_at > caption.begins_at >= 0
    assert [each.begins_at for each in post.captions] == sorted(each.begins_at for each in post.captions)
    assert all(repair(line) == line for line in text.split("\n"))
    text.encode("utf-8")
