"""What a language model answered in, a paraphrase out, or the reason why there is none in it.

Models wrap what they were asked for: in quotes, behind "Paraphrase:" or "Sure, here is …", in a list; they repeat the
question, go on with questions of their own, or decline. Rules here look for such wrapping only where the source has
nothing like it: a quoted source may have a quoted paraphrase.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from paraloom.models.generators.server.prompts import Prompt, as_data

Reason = Literal["empty", "refusal", "cut_off", "copy", "rambling"]

ECHOED_WORDS = 4
"""So many words in a row of the instruction are an echo of it; fewer may well be a short paraphrase."""
GROWTH, GROWN = 3.0, 100
"""An answer of more letters than this many times the source's, and so many more, is no paraphrase of it."""

_THOUGHTS = re.compile(r"<(think|thinking|reasoning)>.*?(</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_UNOPENED_THOUGHTS = re.compile(r"\A.*</(?:think|thinking|reasoning)>", re.DOTALL | re.IGNORECASE)
"""Where a server's template opens them, an answer only closes them."""
_SENTENCE = re.compile(r"\W{0,3}\b(?:(?:input|original|given)\s+)?sentence\s*(?:\d+\s*)?[*_]{0,2}:", re.IGNORECASE)
_LABEL = re.compile(
    r"[*_#>\s]{0,4}\b(?:output|answer|response|assistant|version|option"
    r"|(?:(?:an?|the|my|one|possible|diverse|your|new|alternative)\s+){0,3}"
    r"(?:paraphras(?:e|ed|ing)(?:\s+(?:sentence|version|text))?|rephras(?:ed|ing)|rewritten(?:\s+sentence)?|rewrite))"
    r"\s*\d{0,2}(?:\s+(?:is|of the sentence|would be|could be|of the sentence is)){0,2}\s*[*_]{0,2}:[*_]{0,2}\s*",
    re.IGNORECASE,
)
_PREAMBLE = re.compile(
    r"(?:sure|certainly|of course|okay|ok|absolutely|yes|great|here|below|this is|these are|the following"
    r"|one possible)\b.{0,160}:\s*\Z",
    re.IGNORECASE,
)
_PREAMBLE_BEFORE = re.compile(
    r"(?:(?:sure|certainly|of course|okay|absolutely)\b[^:\n]{0,20}[!,.]\s*)?"
    r"here(?:'s|’s| is| are)\s[^:\n]{0,80}\b(?:paraphras|rephras|rewr|version)[^:\n]{0,60}:\s*",
    re.IGNORECASE,
)
_BULLET = re.compile(r"(?:[-*•–]|\(?\d{1,2}[.)])\s+")
_RUN_ON = re.compile(r"\s+\W{0,3}(?:sentence|paraphrase)\s*\d{0,2}\s*:\s.*\Z", re.IGNORECASE | re.DOTALL)
_APOLOGY = r"(?:i(?:['’]m| am)\s+(?:so\s+|very\s+|really\s+)?sorry|sorry|i apologi[sz]e|my apologies|unfortunately)"
_UNABLE = r"i(?:['’]m| am)? (?:cannot|can['’]?t|can not|won['’]t|will not|unable to|not able to|not comfortable)"
_TASK = (
    r"(?:help|assist|provide|fulfil|comply|paraphras|rephras|rewrit|generat|creat|writ|engag|do that|continue|answer"
    r"|participat|process|produc|complet|support|respond|share|discuss)"
)
_REFUSAL = re.compile(
    rf"{_APOLOGY}[^.]{{0,30}}?\b(?:{_UNABLE}|i don['’]t|as an ai|but (?:i|as)|there is no|no sentence)\b"
    rf"|(?:as an? (?:ai|artificial|language model)[^.]{{0,40}},?\s*)?{_UNABLE}\s(?:\w+\s){{0,3}}?{_TASK}"
    r"|as an? (?:ai|artificial intelligence|large language model|language model)\b"
    r"|(?:please|could you|can you)\s(?:please\s)?(?:provide|give|share|send|specify)\b.{0,40}\b(?:sentence|text)"
    r"|i(?:['’]m| am) (?:an ai|a language model|just an ai|here to help|ready to help)"
    r"|(?:what|which) sentence (?:would|do|should) (?:you|i)\b",
    re.IGNORECASE,
)
_QUOTES = {'"': '"', "“": "”", "„": "“", "«": "»", "'": "'", "‘": "’", "`": "`", "「": "」", "**": "**", "__": "__"}
_APOSTROPHE = re.compile(r"(?<=\w)['’](?=\w)")
_NO_LETTER = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleaned:
    """What is left of one answer."""

    text: str
    """The paraphrase; empty where there is none."""
    dropped_for: Reason | None = None
    """Why there is none."""


def clean_answer(
    answer: str, source: str, prompt: Prompt, *, is_cut_off: bool = False, keep_copies: bool = False
) -> Cleaned:
    r"""The paraphrase in an answer; the first one where there are several.

    `is_cut_off` says that the answer was stopped at its greatest length: its last line is then of no use.

    >>> from paraloom.models.generators.server.prompts import PROMPTS
    >>> asked = PROMPTS["zero-shot"]
    >>> clean_answer('Paraphrase: "We were hit by a storm."\n\nSentence: More', "A storm hit us.", asked).text
    'We were hit by a storm.'
    >>> clean_answer("I'm sorry, but I can't help with that.", "A storm hit us.", asked).dropped_for
    'refusal'
    """
    source = as_data(source)
    said = _THOUGHTS.sub("\n", answer)
    if not _UNOPENED_THOUGHTS.match(source):
        said = _UNOPENED_THOUGHTS.sub("\n", said)
    lines = said.replace("\r", "\n").split("\n")
    whole = [*lines[:-1], ""] if is_cut_off else lines
    found = _first_paraphrase(whole, source, prompt)
    if not found:
        lost = is_cut_off and bool(_first_paraphrase(lines, source, prompt) or _THOUGHTS.search(answer))
        return Cleaned(text="", dropped_for="cut_off" if lost else "empty")
    if _REFUSAL.match(found) and not _REFUSAL.match(source):
        return Cleaned(text="", dropped_for="refusal")
    if len(found) > GROWTH * len(source) + GROWN:
        return Cleaned(text="", dropped_for="rambling")
    if not keep_copies and folded(found) == folded(source):
        return Cleaned(text="", dropped_for="copy")
    return Cleaned(text=found)


def folded(text: str) -> str:
    """A text without case, white space and punctuation, by which copies and duplicates are known.

    >>> folded("A storm hit us!") == folded("a storm, hit us")
    True
    """
    return _NO_LETTER.sub(" ", text.casefold()).strip() or "".join(text.split())


def _first_paraphrase(lines: list[str], source: str, prompt: Prompt) -> str:
    """The first line that says something of its own, without what is wrapped around it."""
    examples = (text for example in prompt.examples for text in example)
    echoed = {folded(line) for line in (*prompt.as_text(source).split("\n"), *examples)}
    instruction = folded(prompt.instruction)
    is_labelled = bool(_SENTENCE.match(source) or _LABEL.match(source))
    for line in lines:
        said = " ".join(line.split())
        if not is_labelled and (question := _SENTENCE.match(said)):
            rest = said[question.end() :]
            answered = _LABEL.search(rest)  # "Sentence: … Paraphrase: …" on one line
            if folded(rest) in ("", folded(source)):
                continue  # the question, repeated
            if answered is None or folded(rest[: answered.start()]) != folded(source):
                return ""  # a question of its own: nothing behind it is about the source
            said = rest[answered.start() :].strip()
        elif folded(said) != folded(source) and (folded(said) in echoed or _is_echo(folded(said), instruction)):
            continue
        if not source.endswith(":") and _PREAMBLE.match(said):
            continue
        said = _unwrapped(said, source)
        if _NO_LETTER.sub("", said):
            return said
    return ""


def _is_echo(said: str, instruction: str) -> bool:
    return len(said.split()) >= ECHOED_WORDS and f" {said} " in f" {instruction} "


def _unwrapped(said: str, source: str) -> str:
    """Without labels, bullets, quotes and what runs on behind; again and again, since they come in any order."""
    before = None
    while said != before:
        before = said
        for wrapping in (_PREAMBLE_BEFORE, _LABEL, _BULLET):
            if (found := wrapping.match(said)) and not wrapping.match(source):
                said = said[found.end() :].strip()
        if not _RUN_ON.search(source):
            said = _RUN_ON.sub("", said).strip()
        said = _unquoted(said, source)
    return said


def _unquoted(said: str, source: str) -> str:
    """Without the quotes around the whole of it, unless the source has such quotes around the whole too."""
    for opening, closing in _QUOTES.items():
        inside = said[len(opening) : -len(closing)]
        is_around = said.startswith(opening) and said.endswith(closing) and bool(inside)
        marks_inside = _APOSTROPHE.sub("", inside)
        if is_around and opening not in marks_inside and closing not in marks_inside:
            is_own = source.startswith(opening) and source.endswith(closing)
            return said if is_own else inside.strip()
    return said
