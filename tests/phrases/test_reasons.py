"""What is no use of phrase pairs is left out for a reason, whichever phrase is the left one."""

from __future__ import annotations

from typing import Any

import pytest

from paraloom.phrases.extracted import PhraseExtractor
from paraloom.phrases.options import PhraseOptions
from paraloom.phrases.weighed import REASONS
from tests.phrases.aligned_texts import alignments

CASES: list[tuple[str, str, str | None]] = [
    ("hit", "struck", None),
    ("Mr Trump", "DJT", None),
    ("#donaldtrump", "donald trump", None),
    ("@realDonaldTrump", "donald trump", None),
    ("uva", "U-Va.", None),
    ("three", "3", None),
    ("The Storm", "the storm", "identical"),
    ("don’t", "don't", "identical"),
    ("see https://example.org/a", "look", "link"),
    ("...", "storm", "punctuation"),
    ("storm ,", "gale", "punctuation"),
    ("storm , gale", "storm gale", "punctuation"),
    ("5,000", "4,800", "number"),
    ("@ann", "@bob", "mention"),
    ("the storm", "storm", "sub_phrase"),
    ("backs the CIA", "backs CIA", "sub_phrase"),
    ("violent storm", "storm", None),
    ("the storm hit", "the gale hit", "shared_edges"),
    ("hit the", "struck the", "shared_edges"),
    ("storm hit", "storm struck", None),
]


def reason_of(left: str, right: str, **options: Any) -> str | None:
    """Of two phrases all of whose words are linked, so that no smaller pair is in them."""
    one, other = left.split(), right.split()
    links = tuple((i, j) for i in range(len(one)) for j in range(len(other)))
    (found,) = PhraseExtractor(PhraseOptions(**options), 1)(0, alignments([(one, other, links)]))
    reasons = {(None, *REASONS)[code] for code in found.column("reason").to_pylist()}
    assert len(found) == (1 if reasons == {"identical"} else 2)
    (reason,) = reasons  # the same in either order
    return reason


@pytest.mark.parametrize(("left", "right", "reason"), CASES)
def test_a_phrase_pair_is_kept_or_left_out_for_a_reason(left: str, right: str, reason: str | None) -> None:
    assert reason_of(left, right) == reason
    assert reason_of(right, left) == reason


ASKED: list[tuple[str, str, dict[str, Any], str | None]] = [
    ("see https://example.org/a", "look", {"keep_links": True}, None),
    ("storm ,", "gale", {"keep_punctuation": True}, None),
    ("storm , gale", "storm gale", {"keep_punctuation": True, "sub_phrases": "keep", "shared_edges": "keep"}, None),
    ("...", "storm", {"keep_punctuation": True}, "punctuation"),
    ("5,000", "4,800", {"keep_numbers": True}, None),
    ("@ann", "@bob", {"keep_mentions": True}, None),
    ("the storm", "storm", {"sub_phrases": "keep", "shared_edges": "keep"}, None),
    ("violent storm", "storm", {"sub_phrases": "drop"}, "sub_phrase"),
    ("backs the old CIA", "backs CIA", {"sub_phrases": "drop"}, "sub_phrase"),
    ("storm", "the storm hit", {"sub_phrases": "drop"}, "sub_phrase"),
    ("storm hit", "storm struck", {"shared_edges": "drop"}, "shared_edges"),
    ("the storm hit", "the gale hit", {"shared_edges": "keep"}, None),
    ("die Flut", "die Welle", {"language": "de"}, "shared_edges"),
    ("die Flut", "die Welle", {}, None),
]


@pytest.mark.parametrize(("left", "right", "options", "reason"), ASKED)
def test_an_option_decides_what_is_left_out(left: str, right: str, options: dict[str, Any], reason: str | None) -> None:
    assert reason_of(left, right, **options) == reason
