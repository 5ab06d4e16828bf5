"""A system's name in, its class out: every way to identify paraphrases that Paraloom has, in one table.

Importing this module imports none of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from importlib import import_module
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from paraloom.models.training.plan import TrainingPlan

PLAIN = (str, int, float, bool, NoneType, Path, TrainingPlan)
"""What a setting is: one of these, or several. All other fields of a system are what it has learned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """One way to identify paraphrases: where its class lies, and what the papers call it.

    The class is a dataclass: its plain fields are the settings, `Class(**settings)` is untrained, `Class.load(folder)`
    is what `save` wrote, `Class.load(None)` what is shipped.
    """

    title: str
    """As the papers' tables have it."""
    module: str
    """Module of this package that holds the class: imported only when asked for."""
    kind: str
    """Name of the class."""
    settings: Mapping[str, Any]
    """Fields of the class that make this system of it."""
    shipped: tuple[str, ...] = ()
    """Its own files among the package's weights, read where no folder is given. Empty: it must be trained first."""
    asks: tuple[str, ...] = ()
    """Files of shipped networks that it asks beside its own, shipped or saved in a folder."""
    about: str = ""
    """Of one that comes trained: what it is, its definitions, what it is for, and the recipe that made it."""

    def kind_of(self) -> type[Any]:
        """The class itself."""
        return cast("type[Any]", getattr(import_module(f"{__package__}.{self.module}"), self.kind))

    def setting_kinds(self) -> dict[str, Any]:
        """Its settings, and the type of each.

        >>> list(SYSTEMS["multip"].setting_kinds())
        ['rounds', 'longest_phrase', 'language']
        """
        kind = self.kind_of()
        types = get_type_hints(kind)
        return {field.name: types[field.name] for field in fields(kind) if _is_plain(types[field.name])}

    def own_plan(self) -> TrainingPlan | None:
        """How it is trained unless asked otherwise; None where it is fitted in one go."""
        plan = next((field.default for field in fields(self.kind_of()) if field.name == "plan"), None)
        return cast("TrainingPlan | None", plan)


def _is_plain(kind: Any) -> bool:
    if get_origin(kind) is Literal:
        return True
    if get_origin(kind) in (tuple, Union, UnionType):
        return all(_is_plain(part) for part in get_args(kind) if part is not ...)
    return kind in PLAIN


def _system(
    title: str,
    module: str,
    kind: str,
    shipped: tuple[str, ...] = (),
    asks: tuple[str, ...] = (),
    about: str = "",
    **settings: Any,
) -> System:
    return System(title=title, module=module, kind=kind, settings=settings, shipped=shipped, asks=asks, about=about)


def _network(folder: str) -> tuple[str, ...]:
    """The files of a shipped network."""
    return tuple(f"{folder}/{file}" for file in ("model.safetensors", "config.json", "tokenizer.json", "card.json"))


SYSTEMS: dict[str, System] = {
    "random": _system("Random", "random_guess", "RandomGuess"),
    "edit-distance": _system("Edit Distance", "edit_distance", "EditDistance"),
    "glove": _system("GloVe", "glove_sum", "GloveSum"),
    "ngram-regression": _system(
        "LR",
        "ngram_regression",
        "NgramRegression",
        shipped=("ngram_regression.json",),
        about="weighs words in common: loose; quick, and a yardstick for others (recipes/ngram_regression.py)",
    ),
    "wmf-vec": _system("WMF (vec)", "latent_vectors", "LatentVectors", factors="wmf"),
    "lex-wmf-vec": _system("LEX-WMF (vec)", "latent_vectors", "LatentVectors", factors="wmf", lexical=True),
    "ormf-vec": _system("OrMF (vec)", "latent_vectors", "LatentVectors", factors="ormf"),
    "lex-ormf-vec": _system("LEX-OrMF (vec)", "latent_vectors", "LatentVectors", factors="ormf", lexical=True),
    "wmf-sim": _system("WMF (sim)", "latent_similarity", "LatentSimilarity", factors="wmf"),
    "lex-wmf-sim": _system("LEX-WMF (sim)", "latent_similarity", "LatentSimilarity", factors="wmf", lexical=True),
    "ormf-sim": _system("OrMF (sim)", "latent_similarity", "LatentSimilarity", factors="ormf"),
    "lex-ormf-sim": _system("LEX-OrMF (sim)", "latent_similarity", "LatentSimilarity", factors="ormf", lexical=True),
    "multip": _system("MultiP", "multip", "MultiP"),
    "deep-pairwise-word": _system("DeepPairwiseWord", "deep_pairwise_word", "DeepPairwiseWord"),
    "esim": _system("ESIM", "esim", "Esim"),
    "infersent": _system("Infersent", "infersent", "InferSent"),
    "cross-encoder": _system("cross-encoder", "cross_encoder", "CrossEncoder"),
    "bi-encoder": _system("bi-encoder", "bi_encoder", "BiEncoder"),
    "text-to-text": _system("T5 as classifier", "text_to_text", "TextToText"),
    "graded-heads": _system("Turku multi-head", "graded_heads", "GradedHeads"),
    "mutual-implication": _system("NLI both ways", "mutual_implication", "MutualImplication", asks=_network("pairs")),
    "paraloom": _system(
        "Paraloom",
        "paraloom",
        "ParaloomIdentifier",
        shipped=_network("pairs"),
        about="a network told what is meant: loose, strict, implication, graded; the usual choice (recipes/identifier)",
    ),
    "cascade": _system(
        "Cascade",
        "cascade",
        "Cascade",
        shipped=("cascade/identifier.json", "cascade/cascade.safetensors", "cascade/table.safetensors"),
        about="cheap features, then a network where they doubt: loose, strict, implication; for bulk work "
        "(recipes/identifier)",
        asks=_network("pairs"),
    ),
}
"""Every system by its name."""
