"""Sources in, for each the paraphrases that a generator has of it out, without copies, inventions and repetitions.

The generator proposes many candidates; those that are no paraphrase at first sight are refused with a reason, a ranker
puts the others in order, and of these different ones are chosen. What becomes of a source does not depend on the
sources beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from paraloom.metrics.diversity.copying import wording
from paraloom.metrics.diversity.jaccard import jaccard_of_tokens
from paraloom.metrics.diversity.small_changes import kinds_of_change
from paraloom.metrics.types.grammar_errors import grammar_errors
from paraloom.models.generators import Candidate, Draws, Generator
from paraloom.models.generators.ranking import ByOwnScore, Output, Ranker
from paraloom.pairs.generate_options import KEPT, GenerateOptions
from paraloom.text.attached import parted
from paraloom.text.detokenise import detokenise
from paraloom.text.language import detect
from paraloom.text.normalise import repair
from paraloom.text.tokenise import words

if TYPE_CHECKING:
    import numpy as np

EMPTY = "empty"
NO_WORDS = "no_words"
TOO_LONG = "too_long"
OTHER_LANGUAGE = "other_language"
NO_CANDIDATES = "no_candidates"
ALL_REFUSED = "all_refused"
"""Why a source has no outputs; a reader of files has reasons of its own (`bad_row: …`)."""

COPY = "copy"
DUPLICATE = "duplicate"
NEAR_COPY = "near_copy"
BAD_GRAMMAR = "bad_grammar"
TOO_SHORT = "too_short"
NOT_SIMILAR = "not_similar"
TOO_SIMILAR = "too_similar"
"""Why a candidate is refused; `missing_…` and `invented_…` name what it has lost or made up."""

NEVER = (EMPTY, COPY, DUPLICATE)
"""What is refused for one of these is no output, however few there are."""
FILLING = (TOO_SIMILAR, TOO_LONG, TOO_SHORT, NEAR_COPY, NOT_SIMILAR, "missing", BAD_GRAMMAR, "invented")
"""Refused candidates in the order in which they are taken where there are too few others."""
IN_ANY_LANGUAGE = frozenset(("repeated", "loop"))
"""Errors of grammar that do not depend on the language."""
CHARACTERS_A_WORD = 20
"""A source with more characters than so many for each word that it may have is too long, too."""

_QUOTES = (('"', '"'), ("“", "”"), ("'", "'"), ("‘", "’"), ("«", "»"))

Similarity: TypeAlias = Callable[[str, Sequence[str]], Sequence[float]]
"""A source and texts in, how alike each of them is to it out, from 0 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A candidate that is no output, and why."""

    text: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated:
    """What became of one source."""

    source: str
    """As it was given."""
    outputs: tuple[Output, ...] = ()
    """Best first."""
    refused: tuple[Refused, ...] = ()
    """In the order in which the generator named them."""
    dropped_for: str | None = None
    """Why there are no outputs; None where there are some."""


def word_overlap(source: str, texts: Sequence[str]) -> list[float]:
    """Words in both texts over words in either (Jaccard).

    >>> word_overlap("the storm hit the coast", ["The storm hit Florida"])
    [0.6]
    """
    own = words(source)
    return [jaccard_of_tokens(own, words(text)) for text in texts]


def generate_paraphrases(
    sources: Sequence[str],
    generator: Generator,
    ranker: Ranker = ByOwnScore(),
    options: GenerateOptions = GenerateOptions(),
    rng: np.random.Generator | None = None,
    *,
    similarity: Similarity = word_overlap,
) -> list[Generated]:
    """One `Generated` for each source, in their order; a source that comes several times is asked for once.

    A generator is asked about the sentence of a post; what is only attached to it is put back behind. `rng` is that of
    the options' seed where none is given.

    >>> from paraloom.models.generators.parroting import ParrotGenerator
    >>> storm, nothing = generate_paraphrases(["a storm hit the coast", ""], ParrotGenerator())
    >>> storm.refused[0].reason, len(storm.outputs), nothing.dropped_for
    ('copy', 4, 'empty')
    """
    import numpy as np

    read = {source: _read(source, options) for source in dict.fromkeys(sources)}
    texts = list(dict.fromkeys(text for text, reason in read.values() if reason is None))
    drawn = np.random.default_rng(options.seed) if rng is None else rng
    tries = options.tries if isinstance(generator, Draws) and generator.draws else 1
    chooser = _Chooser(ranker=ranker, options=options, similarity=similarity)
    candidates: dict[str, list[Candidate]] = {text: [] for text in texts}
    of_text: dict[str, Generated] = {}
    left = texts
    for chance in (drawn, *drawn.spawn(tries - 1)):
        for text, found in zip(left, _asked(generator, left, options.asked, chance), strict=True):
            known = {one.text for one in candidates[text]}
            candidates[text] += [one for one in found if one.text not in known]
            of_text[text] = chooser.chosen(text, candidates[text])
        left = [text for text in left if sum(not one.refused_for for one in of_text[text].outputs) < options.n]
    return [
        Generated(source=source, dropped_for=reason) if reason else replace(of_text[text], source=source)
        for source in sources
        for text, reason in (read[source],)
    ]


def _asked(generator: Generator, texts: Sequence[str], n: int, rng: np.random.Generator) -> list[list[Candidate]]:
    """What a generator proposes for the sentences of posts, with all that was attached to these."""
    posts = [parted(text) for text in texts]
    found = generator.generate([post.sentence for post in posts], n, rng) if posts else []
    return [
        [replace(one, text=post.put_back(one.text)) for one in some] for post, some in zip(posts, found, strict=True)
    ]


def as_asked(source: str) -> str:
    r"""A source as generators read it: one line, repaired, without what cannot be seen or written.

    >>> as_asked(" AT&amp;T\x00 won\r\ntoday ")
    'AT&T won today'
    """
    whole = source.encode("utf-8", "ignore").decode()  # half a surrogate pair has no bytes
    return " ".join(repair(whole).split())


def as_typed(text: str, languages: Sequence[str] = ()) -> str:
    """The text without a tokeniser's blanks: generators have learned from what people type.

    Where nobody can tell its language, it is the first of `languages`, if any.

    >>> as_typed("the coast , they said ."), as_typed("C'est vrai ?"), as_typed("Is it ?", ["en"])
    ('the coast, they said.', "C'est vrai ?", 'Is it?')
    """
    if detokenise(text) == text:
        return text
    return detokenise(text, detect(text) or (languages[0] if languages else ""))


def cleaned(candidate: str, source: str) -> str:
    """A candidate on one line, without quotes around it that the source does not have.

    >>> cleaned('"A gale hit  the shore."', "The storm hit the coast.")
    'A gale hit the shore.'
    """
    text = as_asked(candidate)
    for opening, closing in _QUOTES:
        within = text[1:-1]
        is_quoted = len(text) > 1 and text.startswith(opening) and text.endswith(closing)
        if is_quoted and not source.startswith(opening) and opening not in within and closing not in within:
            return within.strip()
    return text


_WORD = re.compile(r"\w")


def _read(source: str, options: GenerateOptions) -> tuple[str, str | None]:
    """A source as it is asked, and why it is not."""
    if not source.strip():
        return "", EMPTY
    if len(source) > CHARACTERS_A_WORD * options.max_words or len(source.split()) > options.max_words:
        return "", TOO_LONG
    taken = options.taken_languages
    text = as_typed(as_asked(source), taken)
    if not text:
        return "", EMPTY
    if not _WORD.search(text):
        return text, NO_WORDS
    is_other = taken and (detect(text) or taken[0]) not in taken
    return text, OTHER_LANGUAGE if is_other else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Chooser:
    """Chooses outputs among candidates."""

    ranker: Ranker
    options: GenerateOptions
    similarity: Similarity

    def chosen(self, source: str, candidates: Sequence[Candidate]) -> Generated:
        """The outputs of one source; the source is still as it was asked."""
        if not candidates:
            return Generated(source=source, dropped_for=NO_CANDIDATES)
        passed: list[Candidate] = []
        refused: list[tuple[Candidate, str]] = []
        met: set[str] = set()
        own = wording(source)
        texts = [replace(each, text=cleaned(each.text, source)) for each in candidates]
        alike = (
            self.similarity(source, [each.text for each in texts]) if self._asks_similarity() else [0.5] * len(texts)
        )
        for candidate, likeness in zip(texts, alike, strict=True):
            key = wording(candidate.text)
            reason = self._reason(source, own, candidate.text, key, likeness, met)
            met.add(key)
            if reason is None:
                passed.append(candidate)
            else:
                refused.append((candidate, reason))
        outputs = different(self.ranker.rank(source, passed), self.options.n, self.options.variety)
        if self.options.when_too_few == "fill" and len(outputs) < self.options.n:
            outputs += self._filled(source, refused, self.options.n - len(outputs))
        taken = {output.text for output in outputs if output.refused_for}
        return Generated(
            source=source,
            outputs=tuple(outputs),
            refused=tuple(
                Refused(text=candidate.text, reason=reason)
                for candidate, reason in refused
                if candidate.text not in taken or reason in NEVER
            ),
            dropped_for=None if outputs else ALL_REFUSED,
        )

    def _asks_similarity(self) -> bool:
        return self.options.min_similarity > 0 or self.options.max_similarity < 1

    def _reason(self, source: str, own: str, text: str, key: str, likeness: float, met: set[str]) -> str | None:
        """Why a candidate is refused; the cheap reasons come first."""
        options = self.options
        if not text or not _WORD.search(text):
            return EMPTY
        if key == own:
            return COPY
        if key in met:
            return DUPLICATE
        ratio = len(text.split()) / len(source.split())
        if ratio < options.min_length:
            return TOO_SHORT
        if ratio > options.max_length:
            return TOO_LONG
        if not options.small_changes and kinds_of_change(source, text) is not None:
            return NEAR_COPY
        if self._asks_similarity() and likeness < options.min_similarity:
            return NOT_SIMILAR
        if self._asks_similarity() and likeness > options.max_similarity:
            return TOO_SIMILAR
        breach = breach_of(source, text, options.kept)
        return breach or (BAD_GRAMMAR if breaks_grammar(source, text) else None)

    def _filled(self, source: str, refused: Iterable[tuple[Candidate, str]], wanted: int) -> list[Output]:
        """The least bad of the refused, in the ranker's order where they are equally bad."""
        reason_of = {candidate.text: reason for candidate, reason in refused if reason not in NEVER}
        candidates = [candidate for candidate, reason in refused if reason not in NEVER]
        ranked = self.ranker.rank(source, candidates) if candidates else []
        ordered = sorted(ranked, key=lambda output: FILLING.index(_kind(reason_of[output.text])))
        return [replace(output, refused_for=reason_of[output.text]) for output in ordered[:wanted]]


def _kind(reason: str) -> str:
    """`missing` of `missing_name`; other reasons are kinds themselves."""
    return next((kind for kind in FILLING if reason.startswith(f"{kind}_")), reason)


def breaks_grammar(source: str, output: str) -> bool:
    """Whether rules find an error that the source has not: words that come again and again; in English others, too.

    >>> breaks_grammar("a storm hit us", "a storm hit hit us"), breaks_grammar("its an storm", "it is an storm")
    (True, False)
    """
    new = set(grammar_errors(output)) - set(grammar_errors(source))
    return bool(new & IN_ANY_LANGUAGE) or (bool(new) and (detect(source) or "en") == "en")


def breach_of(source: str, output: str, kept: Sequence[str]) -> str | None:
    """The first fact that an output has lost or made up, of those to be kept; None where there is none.

    >>> breach_of("Three ships sank off Norland", "Four ships sank off Norland", ["numbers"])
    'missing_number'
    """
    if not kept:
        return None
    from paraloom.text.facts import breaches

    found = breaches(source, output, [KEPT[name] for name in kept])
    return f"{found[0].what}_{found[0].kind}" if found else None


def different(ranked: Sequence[Output], n: int, variety: float) -> list[Output]:
    """So many outputs, the best ones that differ from each other, in their order (maximal marginal relevance).

    Each next one has the most of its score, put between 0 and 1 among all, less the words that it shares with those
    already taken (Carbonell and Goldstein, 1998).

    >>> ranked = [Output(text=text, score=score) for text, score in [("a b c", 3), ("a b c d", 2.9), ("x y", 1)]]
    >>> [output.text for output in different(ranked, 2, variety=0.7)]
    ['a b c', 'x y']
    """
    if len(ranked) <= n or variety == 0:
        return list(ranked[:n])
    tokens = [set(words(output.text)) for output in ranked]
    best, worst = (most(output.score for output in ranked) for most in (max, min))
    worth = [(output.score - worst) / (best - worst) if best > worst else 1.0 for output in ranked]
    shared = [0.0] * len(ranked)
    taken = [0]
    while len(taken) < n:
        for place in range(len(ranked)):
            shared[place] = max(shared[place], jaccard_of_tokens(tokens[place], tokens[taken[-1]]))
        left = (place for place in range(len(ranked)) if place not in taken)
        taken.append(max(left, key=lambda place: (1 - variety) * worth[place] - variety * shared[place]))
    return [ranked[place] for place in sorted(taken)]
