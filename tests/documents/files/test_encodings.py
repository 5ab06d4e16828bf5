"""Files are read in whatever encoding they are, mixed ones too. All texts here are written for these tests."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.documents.files.alphabets import CHARACTERS, ENCODINGS, LETTERS
from paraloom.documents.files.encodings import decoded
from paraloom.documents.files.guesses import MULTIBYTE, guess
from paraloom.documents.shapes.post import BadRow
from paraloom.errors import InputError

FINNISH = """Mitä sinä täällä teet näin myöhään?
Odotin, että tulisit kotiin. Äiti soitti.
Älä viitsi. En ehtinyt syödä mitään.
Lähdetään ennen kuin alkaa sataa räntää."""
SWEDISH = """Vad gör du här så här dags?
Jag väntade på att du skulle komma hem.
Äh, lägg av. Jag hann inte äta något.
Åk innan det börjar snöa på fjället."""
GERMAN = """Was machst du denn hier um diese Uhrzeit?
Ich hätte früher kommen müssen, weißt du.
Hör auf! Ich hab' nicht mal gefrühstückt.
Schließ die Tür, es zieht fürchterlich."""
FRENCH = """Qu'est-ce que tu fais là à cette heure-ci ?
J'ai cherché mon frère partout, même à l'hôtel.
Ça suffit ! Je n'ai rien mangé depuis le déjeuner.
On s'en va avant qu'il ne se réveille."""
POLISH = """Co ty tu robisz o tej porze?
Myślałem, że już śpisz. Proszę, usiądź.
Przestań! Nic dziś jeszcze nie jadłem.
Chodźmy, zanim zacznie padać śnieg. Źle się czuję."""
CZECH = """Co tady děláš takhle pozdě?
Čekal jsem, až přijdeš domů. Volala ti matka.
Nech toho! Ještě jsem nic nejedl, mám hlad.
Pojďme, než začne sněžit. Ten kůň už je žíznivý."""
HUNGARIAN = """Mit csinálsz itt ilyen későn?
Azt hittem, már alszol. Kérlek, ülj le.
Hagyd abba! Még semmit sem ettem ma.
Menjünk, mielőtt elkezdődik a hóesés. Őrült ötlet, tűnj el!"""
RUSSIAN = """Что ты здесь делаешь так поздно?
Я думал, ты уже спишь. Садись, пожалуйста.
Перестань! Я сегодня ещё ничего не ел.
Пойдём, пока не начался снег."""
GREEK = """Τι κάνεις εδώ τέτοια ώρα;
Νόμιζα ότι κοιμάσαι. Κάθισε, σε παρακαλώ.
Σταμάτα! Δεν έχω φάει τίποτα σήμερα.
Πάμε πριν αρχίσει να χιονίζει."""
TURKISH = """Bu saatte burada ne yapıyorsun?
Uyuduğunu sanıyordum. Lütfen otur şuraya.
Kes şunu! Bugün hiçbir şey yemedim.
Kar yağmaya başlamadan gidelim. İyi değilim."""
CHINESE = """这么晚了你在这里做什么？
我以为你已经睡了。请坐吧。
别说了！我今天什么都没吃。
下雪之前我们走吧。"""
TRADITIONAL = """這麼晚了你在這裡做什麼？
我以為你已經睡了。請坐吧。
別說了！我今天什麼都沒吃。
下雪之前我們走吧。"""
JAPANESE = """こんな遅くにここで何をしているの？
もう寝たと思っていたよ。座ってくれ。
やめてくれ！今日は何も食べていないんだ。
雪が降る前に行こう。"""
KOREAN = """이렇게 늦은 시간에 여기서 뭐 해?
벌써 자는 줄 알았어. 앉아.
그만해! 오늘 아무것도 못 먹었어.
눈이 오기 전에 가자."""
UKRAINIAN = """Що ти тут робиш так пізно?
Я думав, ти вже спиш. Сідай, будь ласка.
Припини! Я сьогодні ще нічого не їв.
Ходімо, поки не почався сніг."""
HEBREW = """מה אתה עושה כאן בשעה כזאת?
חשבתי שאתה כבר ישן. שב בבקשה.
די כבר! לא אכלתי כלום היום."""

WRITTEN = [
    (FINNISH, "cp1252 iso-8859-1 iso-8859-15 mac-roman cp850"),
    (SWEDISH, "cp1252 iso-8859-15 mac-roman cp850"),
    (GERMAN, "cp1252 iso-8859-15 cp850"),
    (FRENCH, "cp1252 iso-8859-15 mac-roman"),
    (POLISH, "cp1250 iso-8859-2 cp852"),
    (CZECH, "cp1250 iso-8859-2"),
    (HUNGARIAN, "cp1250 iso-8859-2"),
    (RUSSIAN, "cp1251 koi8-r cp866 iso-8859-5"),
    (UKRAINIAN, "cp1251 koi8-u"),
    (GREEK, "cp1253 iso-8859-7"),
    (TURKISH, "cp1254 iso-8859-9"),
    (CHINESE, "gb18030 gb2312 gbk"),
    (TRADITIONAL, "big5"),
    (JAPANESE, "shift_jis euc-jp iso-2022-jp"),
    (KOREAN, "euc-kr cp949 iso-2022-kr"),
    (HEBREW, "cp1255"),
]
CASES = [(text, encoding) for text, encodings in WRITTEN for encoding in encodings.split()]


@pytest.mark.parametrize(("text", "encoding"), CASES, ids=[f"{text[:12]} {encoding}" for text, encoding in CASES])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_old_encodings_are_known_by_their_letters(text: str, encoding: str, line_end: str) -> None:
    written = text.replace("\n", line_end)
    assert decoded(written.encode(encoding), None) == written


@pytest.mark.parametrize(("text", "encoding"), CASES, ids=[f"{text[:12]} {encoding}" for text, encoding in CASES])
def test_times_and_tags_do_not_hide_the_language(text: str, encoding: str) -> None:
    cues = [
        f'{number}\n00:00:{number:02},000 --> 00:00:{number:02},900\n<font color="#ffffff"><i>{line}</i></font>\n'
        for number, line in enumerate(text.split("\n"), start=1)
    ]
    assert decoded("\n".join(cues).encode(encoding), None) == "\n".join(cues)


@pytest.mark.parametrize("text", [text for text, _ in WRITTEN], ids=[text[:12] for text, _ in WRITTEN])
@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"]
)
def test_unicode_is_known_with_and_without_a_mark(text: str, encoding: str) -> None:
    cue = f"1\n00:00:01,000 --> 00:00:02,000\n{text}\n"
    assert decoded(cue.encode(encoding), None) == cue


def test_big_endian_marks_are_believed() -> None:
    assert decoded(codecs.BOM_UTF16_BE + FINNISH.encode("utf-16-be"), None) == FINNISH
    assert decoded(codecs.BOM_UTF32_BE + FINNISH.encode("utf-32-be"), None) == FINNISH


MIXED = [
    (FINNISH, "cp1252"),
    (FRENCH, "cp1252"),
    (POLISH, "cp1250"),
    (CZECH, "iso-8859-2"),
    (RUSSIAN, "cp1251"),
    (GREEK, "cp1253"),
    (CHINESE, "gb18030"),
    (JAPANESE, "cp932"),
]


@pytest.mark.parametrize(("text", "encoding"), MIXED, ids=[encoding for _, encoding in MIXED])
@pytest.mark.parametrize("old", [{0}, {1, 3}, {0, 1, 2}], ids=str)
def test_a_mixed_file_is_read_line_by_line(text: str, encoding: str, old: set[int]) -> None:
    lines = text.split("\n")
    assert all(not line.isascii() for number, line in enumerate(lines) if number in old and number != 0)
    raw = b"\n".join(line.encode(encoding if number in old else "utf-8") for number, line in enumerate(lines))
    assert decoded(raw, None) == text


def test_the_language_of_the_sound_lines_tells_the_encoding_of_a_strange_one() -> None:
    strange = "Chodźmy, już świta."
    assert decoded(POLISH.encode() + b"\n" + strange.encode("cp1250"), None).endswith(strange)
    strange = "Mennään, päivä alkaa jo."
    assert decoded(FINNISH.encode() + b"\n" + strange.encode("cp850"), None).endswith(strange)


def test_a_line_that_is_mixed_within_is_read_part_by_part() -> None:
    raw = FINNISH.encode() + b"\n" + "pää".encode() + b" ja " + "häntä".encode("cp1252")
    assert decoded(raw, None).endswith("\npää ja häntä")


def test_a_letter_that_was_cut_costs_no_other_letter() -> None:
    raw = FINNISH.encode() + "\n“Älä”".encode()
    assert decoded(raw[:-1], None) == FINNISH + "\n“Älä\ufffd"


def test_a_mark_does_not_make_other_lines_utf8() -> None:
    raw = codecs.BOM_UTF8 + FINNISH.encode() + b"\n" + "Hyvää yötä".encode("cp1252")
    assert decoded(raw, None) == FINNISH + "\nHyvää yötä"


def test_a_given_encoding_is_taken() -> None:
    assert decoded("Łódź".encode("cp1250"), "windows-1250") == "Łódź"
    assert decoded("Łódź".encode("cp1250"), "cp1252") == "£ódŸ"
    assert decoded(codecs.BOM_UTF8 + "Łódź".encode(), "cp1250") == "Łódź"


def test_a_given_utf16_fits_files_that_were_recoded_when_they_were_opened() -> None:
    assert decoded("Łódź".encode(), "utf-16") == "Łódź"
    assert decoded("1\nŁódź".encode("utf-16-le"), "utf-16-le") == "1\nŁódź"


@pytest.mark.parametrize("encoding", ["utf-9", "hex", "rot13", "undefined", "", "a\x00b", "x" * 500])
def test_an_encoding_that_does_not_exist_is_an_error_that_says_what_to_do(encoding: str) -> None:
    with pytest.raises(InputError, match="utf-8, cp1252"):
        decoded(b"text", encoding)


@pytest.mark.parametrize(
    ("text", "encoding"), [("Łódź".encode("cp1250"), "utf-8"), (b"\x81", "cp1252"), (b"\xe4", "ascii")]
)
def test_an_encoding_that_does_not_fit_is_a_bad_row(text: bytes, encoding: str) -> None:
    with pytest.raises(BadRow, match="not in the encoding"):
        decoded(text, encoding)


def test_a_picture_is_no_text() -> None:
    picture = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8
    with pytest.raises(BadRow, match="not a text"):
        decoded(picture, None)


def test_single_zeros_are_left_out() -> None:
    assert decoded(b"one\x00\ntwo, three, four", None) == "one\ntwo, three, four"


@given(st.binary(max_size=300))
def test_any_bytes_become_text_that_can_be_written_or_a_bad_row(raw: bytes) -> None:
    try:
        text = decoded(raw, None)
    except BadRow:
        return
    text.encode("utf-8")


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\x00\ufeff"), max_size=200))
def test_what_reads_as_utf8_is_utf8(text: str) -> None:
    raw = text.encode()
    if b"\x1b" in raw:  # may be Japanese in ASCII
        return
    try:
        assert decoded(raw, None) == text
    except BadRow:
        assert 20 * sum(character < " " or character == "\x7f" for character in text) > len(raw)


def test_every_language_and_encoding_that_is_named_is_there() -> None:
    for encoding, languages in ENCODINGS.items():
        assert codecs.lookup(encoding)
        for language in languages:
            assert language in LETTERS or language in CHARACTERS
            for letter in LETTERS.get(language, ""):
                assert letter == letter.lower()
                assert letter.isalpha() or "\u0e00" <= letter < "\u0e80"  # vowel signs of Thai
    for letters in (*LETTERS.values(), *(common for _, common in CHARACTERS.values())):
        assert len(set(letters)) == len(letters)
    assert set(ENCODINGS) >= MULTIBYTE


def test_a_guess_is_made_of_no_more_than_is_needed() -> None:
    lines = [line.encode("cp1250") for line in POLISH.split("\n")] * 50_000
    assert guess([line for line in lines if not line.isascii()]) == "cp1250"
