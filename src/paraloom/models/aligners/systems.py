"""An aligner's name in, what it is, what it can be told and what it needs out: every one in one table.

Importing this module imports none of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from paraloom.models.settings import option_class, setting_kinds


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """One way to align words."""

    title: str
    """As tables have it."""
    about: str
    """What it is, and what it is for."""
    options: tuple[str, str] | None = None
    """Module and name of the dataclass whose fields are settings."""
    settings: Mapping[str, type] = field(default_factory=dict)
    """Settings beside those fields, and the kind of each."""
    fixed: tuple[str, ...] = ()
    """Fields of its options that its name decides."""
    required: tuple[str, ...] = ()
    """Settings that it cannot do without: none."""
    learns: bool = False
    """Whether it must see a corpus of pairs, without alignments, before it can align."""
    needs: str = ""
    """What must be installed for it; empty where it comes with the package."""

    def setting_kinds(self) -> dict[str, Any]:
        """Its settings, and the type of each.

        >>> list(SYSTEMS["fast_align"].setting_kinds())
        ['symmetrised', 'seconds']
        """
        return setting_kinds(option_class(__package__, self.options), self.settings, self.fixed)


SYSTEMS: dict[str, System] = {
    "learned": System(
        title="Learned",
        about="a small network over letters, vectors, neighbours and the lexical aligner, taught by alignments that "
        "people made; English; the usual choice",
        settings={"folder": str, "threshold": float},
    ),
    "lexical": System(
        title="Lexical and contextual",
        about="the same words, other forms, names, near words, neighbours (after Sultan et al., 2014); English",
        options=("lexical", "LexicalOptions"),
    ),
    "embedding": System(
        title="Embedding",
        about="vectors of tokens in their texts: argmax, itermax or mwmf (after Jalili Sabet et al., 2020)",
        options=("embedding_options", "EmbeddingOptions"),
    ),
    "statistical": System(
        title="Statistical",
        about="IBM model 1 and an HMM, both directions, learned from the pairs themselves: for large corpora, in any "
        "language",
        options=("statistical.options", "StatisticalOptions"),
        settings={"folder": str},
        learns=True,
    ),
    "eflomal": System(
        title="eflomal",
        about="the program of Östling and Tiedemann (2016)",
        options=("external", "ExternalOptions"),
        fixed=("command",),
        learns=True,
        needs="pip install eflomal",
    ),
    "fast_align": System(
        title="fast_align",
        about="the program of Dyer et al. (2013)",
        options=("external", "ExternalOptions"),
        fixed=("command",),
        learns=True,
        needs="its program on the PATH",
    ),
}
"""Every aligner that has a name."""
