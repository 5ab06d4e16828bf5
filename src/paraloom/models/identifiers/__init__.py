"""A name or a folder in, an identifier out: what says how likely two texts are paraphrases.

Every system, from edit distance to a transformer, implements `Identifier`; nothing else in Paraloom knows more
about it. Importing this module loads no model library: a loader imports its own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from paraloom.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SHIPPED = Path(__file__).resolve().parent.parent / "weights"
"""Where the weights lie that come with the package."""

CARD = "identifier.json"
"""The file of a saved identifier that names its system, under `name`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Examples:
    """Pairs of texts whose answer is known under one definition: what an identifier learns from."""

    left: Sequence[str]
    right: Sequence[str]
    targets: Sequence[float]
    """1 for a paraphrase, 0 for none; between them where votes or a teacher were unsure."""
    definition: str = "loose"

    def __post_init__(self) -> None:
        if not len(self.left) == len(self.right) == len(self.targets):
            raise InputError(
                f"Examples have {len(self.left)} left texts, {len(self.right)} right texts and {len(self.targets)} "
                f"targets; there must be as many of each."
            )


@runtime_checkable
class Identifier(Protocol):
    """Judges whether two texts are paraphrases, under one or several definitions of the word."""

    @property
    def name(self) -> str:
        """The system's name, a key of `IDENTIFIERS`."""

    @property
    def signature(self) -> str:
        """All that decides a score, in the manner of sacrebleu: `name|setting:value|…|weights:ab12cd34`."""

    @property
    def definitions(self) -> tuple[str, ...]:
        """The definitions of paraphrase that it was trained for."""

    def score(self, left: Sequence[str], right: Sequence[str], definition: str = "loose") -> NDArray[np.float64]:
        """One number from 0 to 1 for each pair, rounded to 6 decimals; above .5 the pair is a paraphrase.

        A pair's score is the same in either order and does not depend on the pairs it is scored with.
        """

    def fit(self, examples: Sequence[Examples], held_out: Sequence[Examples], seed: int = 1) -> Identifier:
        """A new identifier of this kind and these settings, one set of examples a definition.

        It learns from `examples`; `held_out` decides when to stop, where that is asked, and where .5 lies.
        """

    def save(self, folder: Path) -> None:
        """Write everything `load` needs into a folder, with a `CARD` that names the system."""


def _ngram_regression(folder: Path | None) -> Identifier:
    from paraloom.models.identifiers.ngram_regression import NgramRegression

    return NgramRegression.load(folder / CARD if folder else SHIPPED / "ngram_regression.json")


IDENTIFIERS: dict[str, Callable[[Path | None], Identifier]] = {
    "ngram-regression": _ngram_regression,
}
"""A system's name and its loader: given a folder it loads what was saved there, given None what is shipped."""

WEIGHTS: dict[str, tuple[str, ...]] = {
    "ngram-regression": ("ngram_regression.json",),
}
"""A system's name and the shipped files that it reads."""


def load(name_or_folder: str | Path) -> Identifier:
    """The shipped identifier of that name, or the one that was saved in that folder.

    >>> load("ngram-regression").definitions
    ('loose',)
    """
    name = str(name_or_folder)
    if name in IDENTIFIERS:
        return IDENTIFIERS[name](None)
    folder = Path(name_or_folder)
    return IDENTIFIERS[_name_on_card(folder)](folder)


def weight_files(name_or_folder: str | Path) -> dict[str, Path]:
    """The files an identifier's scores depend on, by name: what a signature hashes.

    >>> list(weight_files("ngram-regression"))
    ['ngram_regression.json']
    """
    name = str(name_or_folder)
    if name in WEIGHTS:
        return {file: SHIPPED / file for file in WEIGHTS[name]}
    folder = Path(name_or_folder)
    _name_on_card(folder)
    return {file.relative_to(folder).as_posix(): file for file in sorted(folder.rglob("*")) if file.is_file()}


def _name_on_card(folder: Path) -> str:
    known = ", ".join(sorted(IDENTIFIERS))
    card = folder / CARD
    if not card.is_file():
        raise InputError(
            f"There is no identifier {str(folder)!r}: it is neither a known name ({known}) nor a folder that holds "
            f"{CARD}. Choose one of the names, or the folder that an identifier was saved to."
        )
    try:
        name = json.loads(card.read_text(encoding="utf-8"))["name"]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{card} does not name its identifier ({error!r}). Save the identifier anew.") from error
    if name not in IDENTIFIERS:
        raise InputError(
            f"{card} was saved by the identifier {name!r}, which this version does not know. It knows: {known}."
        )
    return str(name)
