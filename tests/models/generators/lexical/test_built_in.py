"""The hand-written entries hold what they promise."""

from __future__ import annotations

from collections import Counter

from paraloom.models.generators.lexical.built_in import built_in_entries
from paraloom.models.generators.lexical.substitutes import built_in
from paraloom.models.generators.lexical.tags import TAGS
from paraloom.models.generators.lexical.words import NEGATIONS


def test_no_entry_has_a_negation_or_stands_for_itself() -> None:
    for entry in built_in_entries():
        assert "" not in (entry.left, entry.right), entry
        assert entry.left != entry.right, entry
        assert not NEGATIONS & {*entry.left.split(), *entry.right.split()}, entry
        assert not set("=>~/,;") & set(entry.left + entry.right), entry


def test_what_must_follow_is_named_by_known_tags() -> None:
    assert {tag for entry in built_in_entries() for tag in entry.before} <= {*TAGS, "0"}


def test_no_entry_is_written_twice() -> None:
    counted = Counter((entry.left, entry.right, entry.tag) for entry in built_in_entries())
    assert not [entry for entry, count in counted.items() if count > 1]


def test_a_form_gets_the_same_form() -> None:
    found = {(one.text, one.tag) for one in built_in().of("children")}
    assert found == {("kids", "NS")}
    assert ("due to", "") in {(one.text, one.tag) for one in built_in().of("because of")}
