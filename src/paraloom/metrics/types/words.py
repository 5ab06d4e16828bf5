"""A text in, its words out as types look at them: dictionary form, place, and whether they carry content."""

from __future__ import annotations

from dataclasses import dataclass

from paraloom.metrics.diversity.grammar.spelled_numbers import in_figures
from paraloom.text.function_words import function_words
from paraloom.text.lemmas import lemmatise
from paraloom.text.tokenise import tokenise

MOST_WORDS = 200
"""Of a longer text only so many words are compared."""


def listed(words: str) -> frozenset[str]:
    """The words of a list that is written down in one string.

    >>> sorted(listed("who which"))
    ['which', 'who']
    """
    return frozenset(words.split())


NEGATIONS = listed("not no never none nobody nothing neither nor without nowhere")
_MORE_FUNCTION_WORDS = listed(
    "s t d m re ve ll 's 're 've 'll 'd 'm there here where how why then thus hence such same own other only even "
    "still again however therefore moreover via per amid amongst throughout despite unless whoever whomever like"
)
_NO_MARKS = listed("' ’ ‘ ` - ‑ $ € £ ¥ # @ & % / + *")
"""What stands between two words without parting them."""
_SPLIT_ENDINGS = ("'s", "n't", "'re", "'ve", "'ll", "'d", "'m")


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """One word of a text."""

    text: str
    start: int
    """Its first character in the text."""
    plain: str
    """Lower case, numbers in figures, without # and @."""
    lemma: str
    is_content: bool
    """Not a function word: what a paraphrase must keep, or say otherwise."""
    is_number: bool
    """Whether it has a digit, once numbers are in figures."""
    after_mark: bool = False
    """Whether punctuation stands between the word before and this one."""

    @property
    def is_negation(self) -> bool:
        return self.lemma in NEGATIONS or self.plain in NEGATIONS


def words_of(text: str, language: str = "en") -> tuple[Word, ...]:
    """The words of a text, in order; punctuation is none.

    >>> [(word.plain, word.lemma) for word in words_of("Storms hit twenty towns!")]
    [('storms', 'storm'), ('hit', 'hit'), ('20', '20'), ('towns', 'town')]
    >>> [word.text for word in words_of("The storm has been over them.") if word.is_content]
    ['storm']
    """
    found: list[Word] = []
    place, after_mark = 0, False
    for token in tokenise(text):
        place = text.index(token, place)
        if any(character.isalnum() for character in token):
            found.append(word_of(token, place, language, after_mark=after_mark))
            after_mark = False
        elif token not in _NO_MARKS:
            after_mark = True
        place += len(token)
        if len(found) == MOST_WORDS:
            break
    return tuple(found)


def word_of(token: str, start: int = 0, language: str = "en", *, after_mark: bool = False) -> Word:
    """One token that others have found, such as a half of "did" and "n't", as a word.

    >>> word_of("n't").lemma, word_of("#Storms").lemma, word_of("'s").is_content
    ('not', 'storm', False)
    """
    function, plain = function_words(language), _plain(token)
    lemma = "not" if _is_contracted_not(plain) else lemmatise([plain], language)[0].lower()
    light = plain in function or lemma in function or (language == "en" and plain in _MORE_FUNCTION_WORDS)
    return Word(
        text=token,
        start=start,
        plain=plain,
        lemma=lemma,
        is_content=not light,
        is_number=any(map(str.isdigit, plain)),
        after_mark=after_mark,
    )


def _is_contracted_not(plain: str) -> bool:
    """Whether a word holds a "not" that others write apart: "didn't", "cannot"."""
    return plain.endswith("n't") or plain == "cannot"


def _plain(token: str) -> str:
    lowered = token.lower().replace("’", "'").lstrip("#@＃＠$€£¥")
    if lowered not in _SPLIT_ENDINGS:
        lowered = lowered.removesuffix("'s")
    lowered = lowered or token.lower()
    if lowered[:1].isdigit():
        return lowered.replace(",", "")
    return in_figures([lowered])[0].word if lowered.isascii() and lowered.isalpha() else lowered
