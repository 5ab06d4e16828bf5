"""Where a phrase stood: two words to either side and the sentence pair, as one text in a table."""

from __future__ import annotations

from typing import NamedTuple

WORDS_AROUND = 2
_BETWEEN = "\t"


class Context(NamedTuple):
    """One place where a phrase stood."""

    before: str
    """Up to two words, as phrases have them; fewer where the text begins."""
    after: str
    pair_id: str

    def around(self, phrase: str) -> str:
        """The words with a phrase in their midst: its own, or one that might stand for it.

        >>> Context("the violent", "the coast", "a1").around("hit")
        'the violent hit the coast'
        """
        return " ".join(part for part in (self.before, phrase, self.after) if part)


def read_context(written: str) -> Context:
    """A context as it stands in the table `phrases`.

    >>> read_context("the violent\\tthe coast\\ta1")
    Context(before='the violent', after='the coast', pair_id='a1')
    """
    return Context(*written.split(_BETWEEN, 2))
