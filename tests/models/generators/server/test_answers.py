"""What language models wrap around a paraphrase is taken off, and what is none has a reason."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.models.generators.server.answers import clean_answer
from paraloom.models.generators.server.prompts import PROMPTS

SOURCE = "A storm hit the coast on Monday."
SAID = "The coast was hit by a storm on Monday."
ZERO, FEW = PROMPTS["zero-shot"], PROMPTS["few-shot"]

WRAPPED = [
    SAID,
    f" {SAID}\n",
    f'"{SAID}"',
    f"“{SAID}”",
    f"'{SAID}'",
    f"**{SAID}**",
    f"Paraphrase: {SAID}",
    f"paraphrase : {SAID}",
    f"**Paraphrase:** {SAID}",
    f"Paraphrase 1: {SAID}\nParaphrase 2: Another one.",
    f"Paraphrase:\n{SAID}",
    f"The paraphrased sentence is: {SAID}",
    f'A possible paraphrase is: "{SAID}"',
    f"Rewritten sentence: {SAID}",
    f"Sure! Here is a paraphrase of the sentence:\n\n{SAID}\n\nLet me know if you need more!",
    f"Here's a diverse paraphrase of the given sentence: {SAID}",
    f"Certainly! Here's one version: {SAID}",
    f"1. {SAID}\n2. On Monday it stormed.",
    f'- "{SAID}"',
    f"Sentence: {SOURCE}\nParaphrase: {SAID}\n\nSentence: Another.\nParaphrase: One more.",
    f"Sentence: {SOURCE} Paraphrase: {SAID}",
    f"{SAID}\n\nSentence: Another.\nParaphrase: One more.",
    f"{SAID} Sentence: Another. Paraphrase: One more.",
    f"{ZERO.as_text(SOURCE)} {SAID}",
    f"{FEW.instruction}\n{SAID}",
    f"Your task is to generate a diverse paraphrase for a given sentence.\n{SAID}",
    f"{FEW.examples[0][1]}\n{SAID}",
    f"<think>They want other words.\nParaphrase: no</think>\n\n{SAID}",
    f"{SAID}\r\nNote: I kept the day.",
    f"They want other words.\nThe storm came first.\n</think>\n\n{SAID}",
]


@pytest.mark.parametrize("answer", WRAPPED)
def test_the_paraphrase_is_unwrapped(answer: str) -> None:
    cleaned = clean_answer(answer, SOURCE, FEW)
    assert (cleaned.text, cleaned.dropped_for) == (SAID, None)


NONE_IN_IT = [
    ("", "empty"),
    (" \n\t ", "empty"),
    ('""', "empty"),
    ("...", "empty"),
    ("😀 🌊", "empty"),
    ("Paraphrase:", "empty"),
    ("Here is a paraphrase:", "empty"),
    ("Sentence: Quite another one.", "empty"),
    (ZERO.as_text(SOURCE), "empty"),
    ("I'm sorry, but I can't help with that.", "refusal"),
    ("I’m sorry, I cannot paraphrase this.", "refusal"),
    ("I cannot assist with that request.", "refusal"),
    ("As an AI language model, I do not have opinions.", "refusal"),
    ("I am unable to generate a paraphrase.", "refusal"),
    ("Please provide the sentence that you want me to paraphrase.", "refusal"),
    (SOURCE, "copy"),
    (f'Paraphrase: "{SOURCE.lower()}"', "copy"),
    ("a storm hit the coast on monday", "copy"),
    ("It was a dark and stormy night, and much was to be told. " * 6, "rambling"),
]


@pytest.mark.parametrize(("answer", "reason"), NONE_IN_IT)
def test_an_answer_without_a_paraphrase_is_dropped_for_a_reason(answer: str, reason: str) -> None:
    cleaned = clean_answer(answer, SOURCE, ZERO)
    assert (cleaned.text, cleaned.dropped_for) == ("", reason)


LIKE_THE_SOURCE = [
    ('"We won," he said.', '"We have won," said he.'),
    ("'Twas the storm's own doing", "'Twas done by the storm itself"),
    ('"We won"', '"The victory is ours"'),
    ("I can't help you with that, said the mayor.", "I cannot assist you with that, the mayor said."),
    ("Sorry, I can't answer now", "I'm sorry, I cannot answer now"),
    ("1. Open the box.", "1. Unpack the box."),
    ("- tea with milk", "- milky tea"),
    ("Answer: yes, twice", "Answer: two times yes"),
    ("Sentence: five years in prison.", "Sentence: prison for five years."),
    ("He said “go” and she said “stay”.", "“Go”, he said, and she answered “stay”"),
    ("Sure, he did it:", "Certainly he has done it:"),
    ("I can't believe the storm", "I cannot believe that storm"),
    ("Write </think> at the end", "At the end write </think> please"),
    ("Your job", "Your task"),
    ("Beg for it", "Ask"),
    ("昨日、嵐が海岸を襲った。", "海岸は昨日、嵐に見舞われた。"),
]


@pytest.mark.parametrize(("source", "answer"), LIKE_THE_SOURCE)
def test_what_the_source_has_too_is_no_wrapping(source: str, answer: str) -> None:
    assert clean_answer(answer, source, ZERO).text == answer


CUT_OFF = [
    ("The coast was hit by a st", "", "cut_off"),
    (f"{SAID}\n\nSentence: Another one that never en", SAID, None),
    ("<think>They want", "", "cut_off"),
    ("Here is a paraphrase:\nThe coast w", "", "cut_off"),
    ("", "", "empty"),
]


@pytest.mark.parametrize(("answer", "text", "reason"), CUT_OFF)
def test_the_last_line_of_an_answer_that_was_cut_off_is_of_no_use(answer: str, text: str, reason: str | None) -> None:
    cleaned = clean_answer(answer, SOURCE, ZERO, is_cut_off=True)
    assert (cleaned.text, cleaned.dropped_for) == (text, reason)


def test_copies_are_kept_where_they_are_wanted() -> None:
    assert clean_answer(SOURCE, SOURCE, ZERO, keep_copies=True).text == SOURCE


MARKS = ["Sentence:", "Paraphrase:", '"', "**", "\n", " ", "<think>", "</think>", SOURCE, "I cannot help", "1. "]
pieces = st.sampled_from([*WRAPPED[:12], *MARKS])
texts = st.one_of(st.text(max_size=60), st.lists(pieces, max_size=6).map("".join))


@given(texts, texts, st.booleans())
def test_whatever_is_answered_there_is_one_line_or_a_reason(answer: str, source: str, is_cut_off: bool) -> None:
    cleaned = clean_answer(answer, source, FEW, is_cut_off=is_cut_off)
    assert bool(cleaned.text) == (cleaned.dropped_for is None)
    assert cleaned.text == " ".join(cleaned.text.split())
