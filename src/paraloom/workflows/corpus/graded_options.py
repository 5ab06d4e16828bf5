"""How graded labels become a corpus. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedOptions:
    """How graded labels become a corpus."""

    scheme: Literal["full", "base-and-direction", "base", "binary"] = "full"
    """What of a label is kept, and must be agreed on: all of it, all but `i` and `s`, the number, or paraphrase or
    not."""
    differing: Literal["drop", "vote", "keep-all"] = "drop"
    """Pairs that people differ on and nobody has decided: left out, put to the vote, or kept with a row for every
    label."""
    least_grade: int = 1
    """Leave out pairs with a lower number: 2 leaves out the unrelated, 3 all that are no paraphrases."""
    without_rewrites: bool = False
    """Leave out rewritten pairs; else each is a pair of its own, with the label 4."""
    both_ways: bool = False
    """Write each pair also with its sides swapped and its label turned, in the same split."""
    letters_around: int = 0
    """So many characters of the documents are written before and behind either text."""
    train_share: float = 0.8
    """Share of the groups that are for training, where no split is given; a document or work is never parted."""
    dev_share: float = 0.1
    """Share of the groups that are for development, where no split is given; the rest is for testing."""
    columns: tuple[str, ...] = ()
    """Where `left`, `right`, `label`, `source`, `pair_id`, `annotator`, `group` and `split` lie in files of pairs with
    other names for them: `label=gold annotator=4`."""
    overwrite: bool = False
    """Replace the file that --out names, once the new one is whole; else a file that is there is refused."""
