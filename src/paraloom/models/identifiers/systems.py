"""A system's name in, its class out: every way to identify paraphrases that Paraloom has, in one table.

Importing this module imports none of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, cast


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """One way to identify paraphrases: where its class lies, and what the papers call it.

    The class is a dataclass: its fields are the settings, `Class(**settings)` is untrained, `Class.load(folder)` is
    what `save` wrote, `Class.load(None)` what is shipped.
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
    """Files of the package's weights that it reads where no folder is given. Empty: it must be trained first."""

    def kind_of(self) -> type[Any]:
        """The class itself."""
        return cast("type[Any]", getattr(import_module(f"{__package__}.{self.module}"), self.kind))


def _system(title: str, module: str, kind: str, shipped: tuple[str, ...] = (), **settings: Any) -> System:
    return System(title=title, module=module, kind=kind, settings=settings, shipped=shipped)


SYSTEMS: dict[str, System] = {
    "random": _system("Random", "random_guess", "RandomGuess"),
    "edit-distance": _system("Edit Distance", "edit_distance", "EditDistance"),
    "glove": _system("GloVe", "glove_sum", "GloveSum"),
    "ngram-regression": _system("LR", "ngram_regression", "NgramRegression", shipped=("ngram_regression.json",)),
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
    "mutual-implication": _system("NLI both ways", "mutual_implication", "MutualImplication"),
    "paraloom": _system(
        "Paraloom",
        "paraloom",
        "ParaloomIdentifier",
        shipped=("pairs/model.safetensors", "pairs/config.json", "pairs/tokenizer.json", "pairs/card.json"),
    ),
    "cascade": _system(
        "Cascade",
        "cascade",
        "Cascade",
        shipped=("cascade/identifier.json", "cascade/cascade.safetensors", "cascade/table.safetensors"),
    ),
}
"""Every system by its name."""
