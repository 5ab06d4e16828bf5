"""A generator's name in, out comes where it is, what it can be told and what it needs: every one in one table.

Importing this module imports none of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from paraloom.models.settings import option_class, setting_kinds


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """One way to write paraphrases."""

    title: str
    about: str
    """What it is, and what it is for."""
    module: str
    """Module of this package that holds it: imported only when asked for."""
    needs: str = ""
    """What must be installed or fetched for it, as one types it; empty where it comes with the package."""
    options: tuple[str, str] | None = None
    """Module and name of the dataclass whose fields are settings."""
    settings: Mapping[str, type] = field(default_factory=dict)
    """Settings beside those fields, and the kind of each."""
    required: tuple[str, ...] = ()
    """Settings that it cannot do without."""
    decodes: bool = False
    """Whether it runs a language model here, to which `Decoding` says how."""

    def setting_kinds(self) -> dict[str, Any]:
        """Its settings, and the type of each.

        >>> list(SYSTEMS["parrot"].setting_kinds())
        ['kinds', 'ratios']
        """
        return setting_kinds(option_class(__package__, self.options), self.settings)


EXTRA = "pip install 'paraloom[generate]'"
TRAIN = "pip install 'paraloom[train]'"

SYSTEMS: dict[str, System] = {
    "paraloom": System(
        title="Paraloom",
        about="SmolLM2-135M with the adapter that comes with the package; the usual choice",
        module="shipped",
        needs="paraloom models fetch smollm2-135m",
        settings={"folder": str},
        decodes=True,
    ),
    "lexical": System(
        title="Lexical",
        about="words and phrases replaced by others, with a language model's leave; for very many sources",
        module="lexical.load",
        options=("lexical.options", "LexicalOptions"),
        settings={"phrases": str, "sentences": str, "find": bool, "embedder": str},
    ),
    "back-translation": System(
        title="Back-translation",
        about="into another language and back, by Marian",
        module="back_translation",
        needs=f"{TRAIN}, paraloom models fetch opus-mt-en-fr opus-mt-fr-en",
        options=("translation_options", "BackTranslationOptions"),
        decodes=True,
    ),
    "server": System(
        title="OpenAI-compatible server",
        about="a language model that another program runs, asked over HTTP",
        module="server",
        needs=EXTRA,
        options=("server.options", "ServerOptions"),
        settings={"url": str, "model": str, "ledger": str},
        required=("url", "model"),
    ),
    "parrot": System(
        title="Parrot",
        about="the source again with some words cut or replaced: what every other generator must beat",
        module="parroting",
        options=("parroting", "ParrotGenerator"),
    ),
}
"""Every generator that has a name; others are folders, or models of the hub, run by transformers."""

TRANSFORMERS = System(
    title="Language model",
    about="a folder with a network for transformers, or a model of the hub",
    module="transformers_lm",
    needs=TRAIN,
    options=("transformers_options", "TransformersOptions"),
    decodes=True,
)
