"""What a judge lets pass and what it does not, made into lessons: better texts and worse ones of one source."""

from __future__ import annotations

from math import log

import pytest

pytest.importorskip("torch")

from paraloom.models.generators import Candidate
from recipes.generator.choosing import Stored, _lessons

SOURCE = "Anna Berg moved to Oslo in 2019 because of her work."
GOOD = {
    "Because of her work, Anna Berg went to live in Oslo in 2019.": 0.99,
    "In 2019 work brought Anna Berg to Oslo.": 0.95,
    "Work made Anna Berg go to Paris in 2019.": 0.97,  # the judge is wrong: another town
    "Anna Berg moved to Oslo in 2019 because of her work": 0.999,  # a copy
}
FALSE = {"Anna Berg never liked Oslo in 2019.": -0.4, "Anna Berg sold her house in Oslo in 2019.": -0.2}


def stored(good: dict[str, float]) -> Stored:
    return Stored(
        candidates={SOURCE: [Candidate(text=text, score=-0.5) for text in good]},
        false={SOURCE: [Candidate(text=text, score=own) for text, own in FALSE.items()]},
        faithful={(SOURCE, text): 2 * log(chance) for text, chance in good.items()},
    )


def test_better_texts_are_faithful_and_no_copies_and_worse_ones_are_likely_and_false():
    (lesson,) = _lessons(stored(GOOD))
    assert set(lesson.better) == set(list(GOOD)[:2])
    likeliest_first = ["Anna Berg sold her house in Oslo in 2019.", "Anna Berg never liked Oslo in 2019."]
    assert list(lesson.worse) == [*likeliest_first, "Work made Anna Berg go to Paris in 2019."]


def test_a_source_of_which_only_copies_and_inventions_pass_teaches_nothing():
    assert _lessons(stored(dict(list(GOOD.items())[2:]))) == []
