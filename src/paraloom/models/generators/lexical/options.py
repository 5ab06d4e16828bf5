"""What the lexical generator weighs, and how."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class LexicalOptions:
    """How substitutes are chosen and put together."""

    substitution: float = 4.0
    """What a substitute's score, above `doubt`, is worth."""
    doubt: float = 0.5
    """A substitute with this score, from 0 to 1, neither gains nor loses."""
    fluency: float = 0.15
    """What a rise of the text's log-probability by 1 is worth; what it falls costs as much."""
    closeness: float = 3.0
    """What a paraphrase loses that keeps all words in their order; half of them changed costs half of it."""
    order: float = 0.35
    """What another order of the clauses counts, as a share of changed words."""
    relatedness: float = 1.0
    """How much a substitute's score is moved by how related it is to what it replaces, by the embedder."""
    context: float = 0.5
    """How much it is moved by how much better, or worse, it fits the sentence than what it replaces."""
    min_score: float = 0.45
    """Substitutes whose score is lower in the end are not used."""
    max_changed: float = 0.6
    """Of the words so large a share may be changed at most; one change is always allowed."""
    edits: int = 16
    """So many substitutions of a sentence are considered, the best ones."""
    beam: int = 16
    """So many sets of substitutions are followed from one word to the next."""
    variety: float = 0.0
    """Spread of the chance that is added to what substitutions are worth: 0 says the same whatever the seed."""
