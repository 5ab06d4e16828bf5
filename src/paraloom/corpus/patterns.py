"""Two texts in, the systematic pattern that explains their difference out, or none (Kanerva et al., 2023, figure 5).

Pairs that follow a pattern are trivial to some degree. Case and punctuation never count. The first pattern that fits is
taken, as in the paper: a pair that function words or synonyms would explain is one of function words (footnote h).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from paraloom.corpus.synonyms import Synonyms
from paraloom.metrics.corpus_figures import PatternFigures, parts_of
from paraloom.text.function_words import function_words
from paraloom.text.lemmas import has_lemmas, lemmatise
from paraloom.text.tokenise import words

OTHERS = "others"
PATTERNS = (
    "same_words",
    "word_reordering",
    "inflection",
    "lemma_reordering",
    "function_words",
    "synonyms",
    "function_words_and_synonyms",
)
"""In their order of precedence. The first is ours: the paper's corpus has no such pairs."""

NEEDING_LEMMAS = PATTERNS[2:]
NEEDING_FUNCTION_WORDS = ("function_words", "function_words_and_synonyms")
NEEDING_SYNONYMS = ("synonyms", "function_words_and_synonyms")

EXAMPLES = 3
"""So many pairs of each pattern are kept to be shown."""

MOST_REPLACED = 40
"""More words than this are not taken for synonyms of so many others: such texts are no simple replacement."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a text, and its dictionary form."""

    form: str
    lemma: str


class PatternFinder:
    """Finds the pattern of a pair in one language."""

    def __init__(self, language: str | None, synonyms: Synonyms | None = None, why_no_synonyms: str = "") -> None:
        self._language = language or ""
        self._function_words = function_words(self._language)
        self._synonyms = synonyms
        self.not_looked_for = self._missing(why_no_synonyms or "no file of synonyms was given")
        """Patterns that cannot be found, and why."""

    def _missing(self, why_no_synonyms: str) -> dict[str, str]:
        missing: dict[str, str] = {}
        if self._synonyms is None:
            missing |= dict.fromkeys(NEEDING_SYNONYMS, why_no_synonyms)
        if not self._function_words:
            missing |= dict.fromkeys(NEEDING_FUNCTION_WORDS, f"no function words are known of {self._named}")
        if not has_lemmas(self._language):
            missing |= dict.fromkeys(NEEDING_LEMMAS, f"there are no dictionary forms of {self._named}")
        return {pattern: missing[pattern] for pattern in PATTERNS if pattern in missing}

    @property
    def _named(self) -> str:
        return f"the language {self._language!r}" if self._language else "a language that is not known"

    @property
    def settings(self) -> dict[str, object]:
        """What decides the patterns, for a signature."""
        return {
            "language": self._language or "none",
            "lemmas": "simplemma" if has_lemmas(self._language) else "none",
            "function-words": len(self._function_words),
            "synonyms": self._synonyms.name if self._synonyms else "none",
            "case": "lc",
            "punctuation": "out",
        }

    def pattern_of(self, left: str, right: str) -> str:
        """The first of the patterns that fits, or `others`.

        >>> finder = PatternFinder("en", Synonyms.of("mine", [["big", "large"]]))
        >>> for left, right in [
        ...     ("A storm hit!", "a storm hit"),
        ...     ("Today a storm hit", "A storm hit today."),
        ...     ("The storms hit", "The storm hits"),
        ...     ("Storms hit coasts", "The coast was hit by a storm"),
        ...     ("A big storm hit", "A large storm hits"),
        ...     ("A big storm hit the coast", "The coast was hit by a large storm"),
        ...     ("A storm hit the coast", "No storm hit the coast"),
        ... ]:
        ...     print(finder.pattern_of(left, right))
        same_words
        word_reordering
        inflection
        function_words
        synonyms
        function_words_and_synonyms
        others
        """
        one, other = words(left), words(right)
        if not one or not other:
            return OTHERS
        if one == other:
            return "same_words"
        if len(one) == len(other) and Counter(one) == Counter(other):
            return "word_reordering"
        if not has_lemmas(self._language):
            return OTHERS
        return self._by_lemmas(self._words(one), self._words(other))

    def _words(self, forms: list[str]) -> list[Word]:
        lemmas = lemmatise(forms, self._language)
        return [Word(form, lemma.lower()) for form, lemma in zip(forms, lemmas, strict=True)]

    def _by_lemmas(self, one: list[Word], other: list[Word]) -> str:
        if len(one) == len(other):
            mine, others = [word.lemma for word in one], [word.lemma for word in other]
            if mine == others:
                return "inflection"
            if Counter(mine) == Counter(others):
                return "lemma_reordering"
        content = [self._content(words) for words in (one, other)] if self._function_words else [[], []]
        if content[0] and Counter(_lemmas(content[0])) == Counter(_lemmas(content[1])):
            return "function_words"
        if self._synonyms is None:
            return OTHERS
        if len(one) == len(other) and all(map(self._mean_the_same, one, other)):
            return "synonyms"
        if content[0] and self._match(*content):
            return "function_words_and_synonyms"
        return OTHERS

    def _content(self, of: list[Word]) -> list[Word]:
        closed = self._function_words
        return [word for word in of if word.form not in closed and word.lemma not in closed]

    def _mean_the_same(self, one: Word, other: Word) -> bool:
        """Whether two words have one dictionary form or one meaning; function words have no synonyms."""
        if one.lemma == other.lemma:
            return True
        if self._synonyms is None or len(self._content([one, other])) < 2:
            return False
        forms = ((mine, theirs) for mine in (one.lemma, one.form) for theirs in (other.lemma, other.form))
        return any(self._synonyms.are_synonyms(mine, theirs) for mine, theirs in forms)

    def _match(self, one: list[Word], other: list[Word]) -> bool:
        """Whether every word of one text has a word of the other to itself: the same, or a synonym of it."""
        if len(one) != len(other):
            return False
        mine, theirs = _left_over(one, other), _left_over(other, one)
        if len(mine) > MOST_REPLACED:
            return False
        choices = [[place for place, their in enumerate(theirs) if self._mean_the_same(word, their)] for word in mine]
        taken: dict[int, int] = {}
        return all(choices) and all(_find_place(word, choices, taken, set()) for word in range(len(mine)))


def _lemmas(of: list[Word]) -> list[str]:
    return [word.lemma for word in of]


def _left_over(one: list[Word], other: list[Word]) -> list[Word]:
    """The words of one text that the other has not, each as often as it is missing there."""
    there = Counter(_lemmas(other))
    left = []
    for word in one:
        if there[word.lemma]:
            there[word.lemma] -= 1
        else:
            left.append(word)
    return left


def _find_place(word: int, choices: list[list[int]], taken: dict[int, int], tried: set[int]) -> bool:
    """Give a word one of its choices, moving others to theirs if need be (augmenting paths)."""
    for place in choices[word]:
        if place not in tried:
            tried.add(place)
            if place not in taken or _find_place(taken[place], choices, taken, tried):
                taken[place] = word
                return True
    return False


class PatternCounter:
    """Patterns in the making."""

    def __init__(self, finder: PatternFinder) -> None:
        self._finder = finder
        self._counts: Counter[str] = Counter()
        self._examples: dict[str, list[tuple[str, str]]] = {}

    def add(self, left: str, right: str) -> None:
        """Count the pattern of one pair."""
        pattern = self._finder.pattern_of(left, right)
        self._counts[pattern] += 1
        kept = self._examples.setdefault(pattern, [])
        if pattern != OTHERS and len(kept) < EXAMPLES:
            kept.append((left, right))

    def result(self) -> PatternFigures:
        """What was counted; a pattern that was not looked for has no count."""
        looked_for = [pattern for pattern in PATTERNS if pattern not in self._finder.not_looked_for]
        pairs = self._counts.total()
        trivial = pairs - self._counts[OTHERS]
        return PatternFigures(
            patterns=parts_of({pattern: self._counts[pattern] for pattern in (*looked_for, OTHERS)}),
            not_looked_for=self._finder.not_looked_for,
            trivial=parts_of({"trivial": trivial}, pairs)[0],
            examples={pattern: tuple(self._examples.get(pattern, ())) for pattern in looked_for},
        )
