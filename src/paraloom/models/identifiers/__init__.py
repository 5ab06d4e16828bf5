"""A name or a folder in, an identifier out: what says how likely two texts are paraphrases.

Every system, from edit distance to a transformer, implements `Identifier`; nothing else in Paraloom knows more
about it. Importing this module loads no model library: a system's module is imported when it is asked for.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast, runtime_checkable

from paraloom.errors import InputError
from paraloom.models.identifiers.systems import SYSTEMS, System

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SHIPPED = Path(__file__).resolve().parent.parent / "weights"
"""Where the weights lie that come with the package."""

CARD = "identifier.json"
"""The file of a saved identifier that names its system, under `name`."""

DEFINITIONS = ("loose", "strict", "implication", "graded")
"""What may be meant by a paraphrase: about the same information, fit to train generators on, each side implies the
other, or a grade."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Examples:
    """Pairs of texts whose answer is known under one definition: what an identifier learns from."""

    left: Sequence[str]
    right: Sequence[str]
    targets: Sequence[float]
    """1 for a paraphrase, 0 for none; between them where votes or a teacher were unsure."""
    definition: str = "loose"
    topics: Sequence[str] | None = None
    """What each pair is about, where the corpus says so (a trend's name). Few systems ask for it."""

    def __post_init__(self) -> None:
        if not len(self.left) == len(self.right) == len(self.targets):
            raise InputError(
                f"Examples have {len(self.left)} left texts, {len(self.right)} right texts and {len(self.targets)} "
                f"targets; there must be as many of each."
            )
        if self.topics is not None and len(self.topics) != len(self.left):
            raise InputError(f"Examples have {len(self.left)} pairs and {len(self.topics)} topics; give one a pair.")

    def __len__(self) -> int:
        return len(self.left)

    def chosen(self, rows: Sequence[int]) -> Examples:
        """The pairs with these numbers, in this order.

        >>> Examples(left=["a", "b"], right=["c", "d"], targets=[0, 1]).chosen([1]).left
        ['b']
        """
        return Examples(
            left=[self.left[row] for row in rows],
            right=[self.right[row] for row in rows],
            targets=[self.targets[row] for row in rows],
            definition=self.definition,
            topics=None if self.topics is None else [self.topics[row] for row in rows],
        )


Kind = TypeVar("Kind", bound=Examples)


def joined(sets: Sequence[Kind]) -> Kind:
    """Several sets of one definition as one, in their order; where only some know the topics, the others' are empty.

    >>> named = Examples(left=["a"], right=["b"], targets=[1], topics=["storms"])
    >>> joined([named, Examples(left=["c"], right=["d"], targets=[0])]).topics
    ['storms', '']
    """
    if len(sets) == 1:
        return sets[0]
    kind = type(sets[0]) if len({type(one) for one in sets}) == 1 else Examples
    columns: dict[str, Any] = {
        field.name: [cell for one in sets for cell in getattr(one, field.name)]
        for field in fields(kind)
        if field.name not in ("definition", "topics")
    }
    if any(one.topics is not None for one in sets):
        columns["topics"] = [topic for one in sets for topic in one.topics or [""] * len(one)]
    return cast("Kind", kind(definition=sets[0].definition, **columns))


@runtime_checkable
class Identifier(Protocol):
    """Judges whether two texts are paraphrases, under one or several definitions of the word."""

    @property
    def name(self) -> str:
        """The system's name, a key of `SYSTEMS`."""

    @property
    def signature(self) -> str:
        """All that decides a score, in the manner of sacrebleu: `name|setting:value|…|weights:ab12cd34`."""

    @property
    def definitions(self) -> tuple[str, ...]:
        """The definitions of paraphrase that it was trained for."""

    @property
    def parameters(self) -> int:
        """How many numbers it has learned, those of its base and its word vectors included."""

    def score(self, left: Sequence[str], right: Sequence[str], definition: str = "loose") -> NDArray[np.float64]:
        """One number from 0 to 1 for each pair, rounded to 6 decimals; above .5 the pair is a paraphrase.

        A pair's score is the same in either order and does not depend on the pairs it is scored with (of LSTMs, and of
        any network on a GPU, its last decimals may).
        """

    def fit(self, examples: Sequence[Examples], held_out: Sequence[Examples], seed: int = 1) -> Identifier:
        """A new identifier of this kind and these settings; several sets of one definition are taken as one.

        It learns from `examples`; `held_out` decides when to stop, where that is asked, and where .5 lies.
        """

    def save(self, folder: Path) -> None:
        """Write everything `load` needs into a folder, with a `CARD` that names the system."""


def score_examples(identifier: Identifier, examples: Examples) -> NDArray[np.float64]:
    """The scores of pairs under their own definition; what they are about is told to systems that ask for it.

    A system that was fitted with topics is another one without them.
    """
    score: Any = identifier.score
    asks_topics = examples.topics is not None and "topics" in signature(score).parameters
    told = {"topics": examples.topics} if asks_topics else {}
    scores: NDArray[np.float64] = score(examples.left, examples.right, examples.definition, **told)
    return scores


def untrained(name: str, **settings: Any) -> Identifier:
    """A system that has learned nothing yet; settings are the plain fields of its class.

    >>> untrained("ngram-regression", language="fi").definitions
    ()
    """
    system = _known(name)
    allowed = system.setting_kinds()
    unknown = sorted(set(settings) - set(allowed))
    if unknown:
        raise InputError(f"{name} has no setting {unknown[0]!r}. It has: {', '.join(allowed)}.")
    return cast("Identifier", system.kind_of()(**{**system.settings, **settings}))


def load(name_or_folder: str | Path) -> Identifier:
    """The shipped identifier of that name, or the one that was saved in that folder.

    >>> load("ngram-regression").definitions
    ('loose',)
    """
    name = str(name_or_folder)
    if name in SYSTEMS:
        return cast("Identifier", _shipped(name).kind_of().load(None))
    folder = Path(name_or_folder)
    return cast("Identifier", SYSTEMS[_name_on_card(folder)].kind_of().load(folder))


def weight_files(name_or_folder: str | Path) -> dict[str, Path]:
    """The files an identifier's scores depend on, by name: what a signature hashes.

    >>> list(weight_files("ngram-regression"))
    ['ngram_regression.json']
    """
    name = str(name_or_folder)
    if name in SYSTEMS:
        system = _shipped(name)
        return {file: SHIPPED / file for file in (*system.shipped, *system.asks)}
    folder = Path(name_or_folder)
    asks = SYSTEMS[_name_on_card(folder)].asks
    own = {file.relative_to(folder).as_posix(): file for file in sorted(folder.rglob("*")) if file.is_file()}
    return own | {f"shipped {file}": SHIPPED / file for file in asks}


def _known(name: str) -> System:
    if name not in SYSTEMS:
        raise InputError(f"There is no system {name!r}. Choose one of: {', '.join(sorted(SYSTEMS))}.")
    return SYSTEMS[name]


def _shipped(name: str) -> System:
    system = SYSTEMS[name]
    if not system.shipped:
        raise InputError(
            f"{name} does not come trained. Train it (`paraloom train identifier --system {name} …`) and give the "
            f"folder, or choose one that does: {', '.join(shipped_systems())}."
        )
    return system


def shipped_systems() -> dict[str, System]:
    """The systems that come trained, by name.

    >>> "ngram-regression" in shipped_systems()
    True
    """
    return {name: system for name, system in sorted(SYSTEMS.items()) if system.shipped}


def _name_on_card(folder: Path) -> str:
    card = folder / CARD
    if not card.is_file():
        shipped = ", ".join(shipped_systems())
        raise InputError(
            f"There is no identifier {str(folder)!r}: it is neither one that is shipped ({shipped}) nor a folder that "
            f"holds {CARD}. Choose one of the names, or the folder that an identifier was saved to."
        )
    try:
        name = json.loads(card.read_text(encoding="utf-8"))["name"]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{card} does not name its identifier ({error!r}). Save the identifier anew.") from error
    if name not in SYSTEMS:
        raise InputError(
            f"{card} was saved by the identifier {name!r}, which this version does not know. "
            f"It knows: {', '.join(sorted(SYSTEMS))}."
        )
    return str(name)
