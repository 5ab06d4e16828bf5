"""Words get the forms that grammar gives them: hand-picked ones, and every form of every verb in the lists."""

from __future__ import annotations

import pytest

from paraloom.metrics.diversity.grammar.inflection import inflection
from paraloom.models.generators.lexical.built_in import built_in_entries
from paraloom.models.generators.lexical.forms import compared, forms_of, noun_plural, verb_form

FORMS = [
    ("write", "VD", "wrote"),
    ("write", "VN", "written"),
    ("show", "VD", "showed"),
    ("show", "VN", "shown"),
    ("cost", "VD", "cost"),
    ("become", "VN", "become"),
    ("stop", "VG", "stopping"),
    ("open", "VG", "opening"),
    ("agree", "VG", "agreeing"),
    ("lie", "VG", "lying"),
    ("try", "VS", "tries"),
    ("go back", "VS", "goes back"),
    ("have", "VS", "has"),
    ("refer to", "VD", "referred to"),
    ("panic", "VD", "panicked"),
]


@pytest.mark.parametrize(("base", "tag", "form"), FORMS)
def test_verbs_are_inflected(base: str, tag: str, form: str) -> None:
    assert verb_form(base, tag) == form


@pytest.mark.parametrize(
    ("base", "plural"),
    [("child", "children"), ("church", "churches"), ("hero", "heroes"), ("photo", "photos"), ("news", None)],
)
def test_nouns_are_inflected(base: str, plural: str | None) -> None:
    assert noun_plural(base) == plural


@pytest.mark.parametrize(
    ("base", "more"),
    [("big", "bigger"), ("large", "larger"), ("costly", "costlier"), ("crucial", "more crucial"), ("well-known", None)],
)
def test_adjectives_are_compared(base: str, more: str | None) -> None:
    assert compared(base, "JR") == more


def test_every_form_of_a_listed_verb_is_known_as_one_of_its_forms() -> None:
    heads = {word.split()[0] for entry in built_in_entries() if entry.tag == "V" for word in entry[:2]}
    assert len(heads) > 300
    wrong = [
        (base, form)
        for base in heads
        for form in forms_of(base, "V").values()
        if form != base and inflection(base, form) is None
    ]
    assert set(wrong) <= {("need", "needing")}  # which is hardly ever met
